# SPDX-License-Identifier: MIT
"""samples/from-other-tools.md: every command prints what the page shows, and
where a block has another tool's command and ours, the answers agree."""

import math
import os
import re
import shutil
import subprocess
import sys

import pytest

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PAGE = os.path.join(ROOT, "samples", "from-other-tools.md")
TOOL = os.path.abspath(
    os.environ.get("GPUREDUCE", os.path.join(ROOT, "build", "gpureduce")))
OTHERS = {"datamash", "mlr", "awk", "python3", "duckdb"}
# The last digits differ between versions; awk prints six.
CLOSE = 1e-5
NUMBER = re.compile(r"(?<![\w.])-?\d+(?:\.\d+)?(?:e[+-]?\d+)?(?![\w.])")


def blocks():
    """Returns the commands of each block: [(command, the output shown),
    ...]."""
    with open(PAGE, encoding="utf-8") as file:
        texts = re.findall(r"^```\n(.*?)^```$", file.read(), re.M | re.S)
    return [[part.partition("\n")[::2]
             for part in re.split(r"^\$ ", text, flags=re.M)[1:]]
            for text in texts]


def tools_of(command):
    return {re.match(r"\S+", part)[0] for part in command.split(" | ")}


def numbers(text):
    return [float(number) for number in NUMBER.findall(text)]


def near(one, other):
    return math.isclose(one, other, rel_tol=CLOSE)


COMMANDS = [pair for block in blocks() for pair in block]


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    """A PATH with the binary under test and this Python, which has NumPy."""
    folder = tmp_path_factory.mktemp("bin")
    os.symlink(TOOL, folder / "gpureduce")
    python = folder / "python3"
    python.write_text('#!/bin/sh\nexec "%s" "$@"\n' % sys.executable)
    python.chmod(0o755)
    return "%s:%s" % (folder, os.environ["PATH"])


def test_the_page_has_all_tools():
    seen = set().union(*(tools_of(command) for command, _ in COMMANDS))
    assert seen == OTHERS | {"gpureduce"}


@pytest.mark.parametrize("command, shown", COMMANDS)
def test_command_prints_what_is_shown(command, shown, path):
    others = tools_of(command) - {"gpureduce"}
    for tool in others:
        if not shutil.which(tool, path=path):
            pytest.skip(tool + " is not installed")
    run = subprocess.run(["sh", "-c", command], cwd=ROOT,
                         env=dict(os.environ, PATH=path, LC_ALL="C"),
                         stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                         stderr=subprocess.PIPE, text=True)
    assert (run.returncode, run.stderr) == (0, "")
    if not others:
        assert run.stdout == shown
        return
    assert NUMBER.sub("#", run.stdout) == NUMBER.sub("#", shown)
    assert all(map(near, numbers(run.stdout), numbers(shown)))


def answers_of(block, ours):
    return [number for command, shown in block
            if ("gpureduce" in tools_of(command)) == ours
            for number in numbers(shown)]


@pytest.mark.parametrize("block", [block for block in blocks()
                                   if len(block) > 1])
def test_answers_agree(block):
    theirs, ours = answers_of(block, False), answers_of(block, True)
    assert theirs and ours
    for number in theirs:
        assert any(near(number, our) for our in ours), (number, ours)
