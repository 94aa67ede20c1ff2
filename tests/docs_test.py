# SPDX-License-Identifier: MIT
"""Keeps the man page, the READMEs, --help and --list from drifting apart."""

import os
import re
import shutil
import subprocess

import pytest

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
TOOL = os.path.abspath(
    os.environ.get("GPUREDUCE", os.path.join(ROOT, "build", "gpureduce")))
MAN_PAGE = os.path.join(ROOT, "man", "gpureduce.1")
DOCUMENTS = ["README.md", "samples/README.md", "man/gpureduce.1"]


def read(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        return file.read()


def tool(*arguments):
    run = subprocess.run([TOOL, *arguments], stdin=subprocess.DEVNULL,
                         stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                         text=True)
    assert (run.returncode, run.stderr) == (0, "")
    return run.stdout


def unroff(text):
    """Man page source without the escapes that the page uses."""
    return re.sub(r"\\f.|\\&", "", text).replace(r"\-", "-").replace(
        r"\e", "\\")


def section(name):
    return re.search(r"^\.SH %s\n(.*?)^\.SH " % name, read(MAN_PAGE),
                     re.M | re.S).group(1)


def man_headings(name):
    """The words of each bold .TP heading in a section, in order."""
    headings = re.findall(r"^\.TP\n\.BR? (.*)$", section(name), re.M)
    return [re.findall(r"[^\s\",]+", unroff(line)) for line in headings]


def man_options():
    """Each option with whether it takes a value: {"-o": True, ...}."""
    options = {}
    for words in man_headings("OPTIONS"):
        names = [word for word in words if word.startswith("-")]
        assert names, "an option's heading starts with its name"
        for name in names:
            assert name not in options, name + " has two headings"
            options[name] = len(words) > len(names)
    return options


def help_options(topic="options", after=""):
    """The same, from the first column of --help=topic."""
    options = {}
    text = tool("--help=" + topic)
    for line in text[text.index(after):].splitlines():
        heading = re.match(r"\s+(-\S.*?)(?:\s{2,}|$)", line)
        if not heading:
            continue
        names = re.findall(r"(?<![\w-])--?[A-Za-z][\w-]*", heading.group(1))
        rest = re.sub(r"(?<![\w-])--?[A-Za-z][\w-]*", "", heading.group(1))
        for name in names:
            options[name] = re.search(r"\w", rest) is not None
    return options


def listed(kind):
    """The names of one kind in --list with their descriptions, in order."""
    rows = [line.split("\t") for line in tool("--list").splitlines()]
    assert all(len(row) == 3 for row in rows)
    return [(name, about) for row_kind, name, about in rows
            if row_kind == kind]


def test_options_of_help_and_man_page_agree():
    assert help_options() == man_options()


def test_words_of_other_tools_are_in_the_man_page():
    body = section("OPTIONS").split(".SS Words of other tools\n")[1]
    text = unroff(body.split(".PP\n")[0])
    ours = {"--delimiter", "--header", "--columns", "--output-format",
            "--digits", "--nan"}
    words = set(re.findall(r"(?<!\w)--?[A-Za-z][\w-]*", text))
    others = help_options("all", "Words of other tools:\n")
    assert words - ours == set(others) and words >= ours


def test_short_help_is_part_of_the_whole():
    brief = help_options("short")
    whole = help_options()
    assert 10 < len(brief) < len(whole)
    assert all(whole[name] == takes for name, takes in brief.items())


def test_help_fits_a_terminal():
    for topic in "short", "ops", "text", "options", "all":
        text = tool("--help=" + topic).splitlines()
        assert max(map(len, text)) <= 80, topic
        assert topic != "short" or len(text) <= 45


def test_help_of_operations_names_those_that_are_several():
    assert {"summary", "all"} <= set(re.findall(r"^  (\w+) ", tool("--help=ops"),
                                                re.M))


def test_names_of_operations_in_list_and_man_page_agree():
    described = [[name] + [word for words in re.findall(r"\(also: (.*?)\)",
                                                        about)
                           for word in words.split(", ")]
                 for name, about in listed("op")]
    assert sorted(described) == sorted(man_headings("OPERATIONS"))


def test_names_of_types_in_list_and_man_page_agree():
    described = [[name, long_name] for name, long_name in listed("dtype")]
    assert described == man_headings("DATA TYPES")


def test_formats_of_help_and_man_page_agree():
    body = section("INPUT FORMATS")
    words = re.search(r"--format=FMT +auto, (.*?) \(",
                      tool("--help=options")).group(1)
    names = re.split(r", | or ", words)
    assert names == re.findall(r"^\.SS (.*)$", body, re.M)


def test_list_holds_nothing_else():
    kinds = {line.split("\t")[0] for line in tool("--list").splitlines()}
    assert kinds == {"op", "dtype"}


def test_aliases_of_operations_mean_their_operation():
    for name, *aliases in man_headings("OPERATIONS"):
        for alias in aliases:
            # Of two operations the output gives the names.
            output = tool("--op", "count," + alias, "-t", "u8", "/dev/null",
                          "--empty=identity")
            assert output.splitlines()[1].split("\t")[0] == name


def test_aliases_of_types_mean_their_type():
    path = os.path.join(ROOT, "samples", "wave.i16")
    for names in man_headings("DATA TYPES"):
        outputs = {tool("--op", "count,max", "--nan=skip", "--dtype", name,
                        path) for name in names}
        assert len(names) == 2 and len(outputs) == 1, names


def test_version_is_the_man_pages():
    version = re.search(r'^\.TH GPUREDUCE 1 \S+ "(.*?)"', read(MAN_PAGE),
                        re.M).group(1)
    assert tool("--version").splitlines()[0] == version


def test_man_page_is_clean():
    if not shutil.which("mandoc"):
        pytest.skip("mandoc is not installed: the man page is not checked")
    run = subprocess.run(["mandoc", "-Tlint", "-Wall", MAN_PAGE],
                         stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                         text=True)
    assert (run.returncode, run.stdout) == (0, "")


def test_error_of_the_man_page_is_what_is_said(tmp_path):
    error = re.search(r"^gpureduce: (\S+?):(\d+):(\d+): .*$",
                      unroff(section("TEXT")), re.M)
    name, line, column = error.group(1), *map(int, error.groups()[1:])
    text, field = re.search(r"'(.*)' \(column (.*)\)", error.group()).groups()
    rows = ["item," + field] + ["x,1"] * (line - 2)
    rows.append("x" * (column - 2) + "," + text)
    (tmp_path / name).write_text("\n".join(rows))
    run = subprocess.run([TOOL, "--columns", field, name], cwd=tmp_path,
                         stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                         stderr=subprocess.PIPE, text=True)
    assert (run.returncode, run.stdout) == (1, "")
    assert run.stderr.splitlines()[0] == error.group()


def examples(document):
    """Each "$ command" of a document with the output shown under it."""
    text = read(document)
    if document.endswith(".1"):
        blocks = re.findall(r"^\.EX\n(.*?)^\.EE$", unroff(text), re.M | re.S)
    else:
        blocks = re.findall(r"^```\S*\n(.*?)^```$", text, re.M | re.S)
    found = []
    for block in blocks:
        for part in re.split(r"^\$ ", block, flags=re.M)[1:]:
            command, _, output = part.partition("\n")
            command = command.split("&& ")[-1]
            command = command.replace("build/gpureduce", "gpureduce")
            found.append((command, output))
    return found


@pytest.mark.parametrize("document", DOCUMENTS)
def test_examples_show_the_known_answers(document):
    # samples_test.py has the tool print these answers.
    answers = dict(line.split("\t")
                   for line in read("samples/answers.tsv").splitlines())
    shown = examples(document)
    assert shown
    for command, output in shown:
        assert command in answers
        known = answers[command].replace(r"\t", "\t").replace(r"\n", "\n")
        assert output.rstrip("\n") == known.rstrip("\n"), command
