# SPDX-License-Identifier: MIT
"""messages.toml: every message of the program, each with a command that
provokes it, and no message in src without one."""

import pathlib
import re
import shlex
import tomllib
from concurrent.futures import ThreadPoolExecutor

from harness import ROOT, run

TABLE = tomllib.loads((pathlib.Path(__file__).parent / "messages.toml")
                      .read_text(encoding="utf-8"))
HINT = "Try 'gpureduce --help' for more information.\n"
CALL = re.compile(r"\b(?:error_set|error_named|error_errno|notes_add|archive_bad"
                  r"|bad)\(")
# A string, in pieces between which there may be a length modifier. Shorter ones
# are words that other texts contain.
STRING = re.compile(r'"(?:[^"\\]|\\.)*"(?:\s*(?:PRI\w+\s*)?"(?:[^"\\]|\\.)*")*')
LETTERS = 12
# A string, a character or a parenthesis.
PIECE = re.compile(r'"(?:[^"\\]|\\.)*"|\'(?:[^\'\\]|\\.)\'|[()]')


def write_files(folder):
    for name, text in TABLE["files"].items():
        (folder / name).write_bytes(text.encode("latin-1"))


def result(folder, example):
    stdin = example.get("stdin")
    words = shlex.split(example["run"])
    at = words.index("gpureduce")
    env = dict(word.split("=", 1) for word in words[:at])
    got = run(*words[at + 1:], cwd=folder, env=env,
              stdin=stdin.encode("latin-1") if stdin is not None else None)
    return got.rc, got.err.removesuffix(HINT)


def test_examples(tmp_path):
    """Each command ends with its status, and stderr is exactly its message."""
    write_files(tmp_path)
    examples = TABLE["message"]
    with ThreadPoolExecutor(4) as pool:
        results = list(pool.map(lambda x: result(tmp_path, x), examples))
    wrong = [f"{x['run']}\n{got[0]}: {got[1]}"
             for x, got in zip(examples, results)
             if got != (x["status"], x["err"])]
    assert not wrong, "\n\n".join(wrong)


def arguments(source, start):
    """Returns the text of a call from after its '(' to its ')'."""
    depth, at = 1, start
    for piece in PIECE.finditer(source, start):
        depth += {"(": 1, ")": -1}.get(piece.group(), 0)
        at = piece.start()
        if depth == 0:
            break
    return source[start:at]


def texts_of(path):
    """Yields the texts of messages in a C file, as format strings."""
    source = path.read_text(encoding="utf-8")
    for call in CALL.finditer(source):
        for found in STRING.finditer(arguments(source, call.end())):
            text = re.sub(r'"\s*(?:PRI\w+)\s*"', "u", found.group())
            text = re.sub(r'"\s*"', "", text)[1:-1]
            text = re.sub(r"\\(.)", lambda m: {"n": "\n"}.get(m[1], m[1]), text)
            if len(re.findall("[a-z]", re.sub("%[^a-z]*[a-z]+", "", text))) \
                    >= LETTERS:
                yield text


def is_printed(text, said):
    """Returns whether a format string prints a part of any of the messages."""
    pieces = re.split(r"(?:%(?:%|[-+ #0-9.*]*(?:l|z|h)*[a-z]))+", text)
    pattern = re.compile("(?:.|\\n)*?".join(map(re.escape, pieces)))
    longest = max(pieces, key=len)  # a fast search for it rules most out
    return any(longest in x and pattern.search(x) for x in said)


def test_every_message_has_an_example():
    """Messages listed as having no example have none."""
    said = [x["err"] for x in TABLE["message"]]
    without = {row["file"]: row for row in TABLE["without"]}
    missing, unused = [], set(without)
    for path in sorted((ROOT / "src").rglob("*.c")):
        name = str(path.relative_to(ROOT / "src"))
        row = next((row for prefix, row in without.items()
                    if name.startswith(prefix)), {"texts": []})
        for text in texts_of(path):
            if is_printed(text, said):
                continue
            if any(part in text for part in row.get("texts", [text])):
                unused.discard(row.get("file"))
            else:
                missing.append(f"{name}: {text!r}")
    assert not missing, "\n".join(["no example in messages.toml:"] + missing)
    assert not unused, f"no text without example: {sorted(unused)}"
