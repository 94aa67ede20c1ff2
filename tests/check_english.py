# SPDX-License-Identifier: MIT
"""Checks the English of comments, messages and the manual.

    check_english.py

Run it in the project's folder. Reports banned phrases, and words that
codespell does not know. Exit status 77: codespell is missing and no banned
phrase was found."""

import os
import re
import shutil
import subprocess
import sys

SKIP = 77
TOPS = ["src", "kernels", "samples", "tests", "man", "packaging", "completions"]
FILES = ["README.md", "NEWS.md", "CONTRIBUTING.md", "SECURITY.md", "bootstrap",
         "meson.build", "meson_options.txt"]
SUFFIXES = (".c", ".h", ".inc", ".cu", ".cuh", ".py", ".md", ".1", ".7",
            ".build", ".toml")

# What is not allowed, and what to write.
PHRASES = {
    r"\banew\b": "again",
    r"\bshall\b": "must, or the present tense",
    r"\bwhoever\b": "name the actor",
    r"\b(?:is|are|was|were) seen to\b": "measured, or shown",
    r"\b(?:came|comes|come) to (?:be|no|nothing|none)\b": "is, or has",
    r"\bwhat \w+(?: \w+)? c[ao]mes? to\b": "the result",
    r"\b(?:is|are|was|were) (?:told|despaired) of\b": "name the actor",
    r"\breckoned with\b": "included, or counted",
    r"\bwhat stands for\b": "name it",
    r"\b(?:does|do) not go with\b": "cannot be combined with",
    r"\b(?:is|was) no number\b": "is not a number",
    r"\bas its name says\b": "say what the name promises",
}

# Words that codespell would report: names, and mistakes made on purpose.
WORDS = ("bu eror infinit maximun missings nam nd propogate skipp te tread "
         "tyes varience")
HERE = os.path.relpath(__file__)
# Quotations of others' words.
QUOTES = ("packaging/debian/copyright", HERE)


def paths():
    """Returns the files with English in them."""
    found = [os.path.join(folder, name) for top in TOPS
             for folder, _, names in os.walk(top) for name in names
             if name.endswith(SUFFIXES)]
    return sorted(path for path in found + FILES
                  if os.path.exists(path) and path not in QUOTES)


def wrong_phrases(path):
    with open(path, encoding="utf-8") as file:
        # A phrase may continue on the next line of a comment or string.
        text = re.sub(r'[\s"*/#]+', " ", file.read())
    for phrase, better in PHRASES.items():
        for found in re.finditer(phrase, text, re.I):
            yield f"{path}: '{found.group()}': write {better}"


def misspelled():
    """Returns what codespell finds, or None if it is missing."""
    if not shutil.which("codespell"):
        return None
    command = ["codespell", "-L", WORDS.replace(" ", ","), *paths()]
    return subprocess.run(command, capture_output=True,
                          text=True).stdout.splitlines()


def main():
    files = paths()
    wrong = [line for path in files for line in wrong_phrases(path)]
    spelling = misspelled()
    wrong += spelling or []
    print("\n".join(wrong + [f"{len(files)} files, {len(wrong)} wrong"]))
    if wrong or not files:
        return 1
    if spelling is None:
        print("skipped the spelling: no codespell")
        return SKIP
    return 0


if __name__ == "__main__":
    sys.exit(main())
