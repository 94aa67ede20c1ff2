# SPDX-License-Identifier: MIT
"""The generator makes exactly the samples, and the program gives the exact
answers of answers.tsv."""

import os
import re
import subprocess
import sys

import pytest

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SAMPLES = os.path.join(ROOT, "samples")
TOOL = os.path.abspath(
    os.environ.get("GPUREDUCE", os.path.join(ROOT, "build", "gpureduce")))


def unescape(text):
    return re.sub(r"\\(.)", lambda m: {"n": "\n", "t": "\t"}.get(
        m.group(1), m.group(1)), text)


def answers():
    with open(os.path.join(SAMPLES, "answers.tsv"), encoding="utf-8") as file:
        for line in file:
            command, output = line.rstrip("\n").split("\t")
            yield command, unescape(output)


@pytest.fixture(scope="module")
def path_with_tool(tmp_path_factory):
    """A PATH on which "gpureduce" is the binary under test."""
    assert os.access(TOOL, os.X_OK), TOOL + " is missing: build it first"
    folder = tmp_path_factory.mktemp("bin")
    os.symlink(TOOL, folder / "gpureduce")
    return "%s:%s" % (folder, os.environ["PATH"])


def test_files_are_what_the_generator_makes():
    run = subprocess.run(
        [sys.executable, os.path.join(SAMPLES, "make_samples.py"), "--check"],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    assert (run.returncode, run.stdout) == (0, "")


def test_samples_are_small():
    assert sum(entry.stat().st_size for entry in os.scandir(SAMPLES)
               if entry.is_file()) < 300 * 1000


@pytest.mark.parametrize("command, output", answers())
def test_answer(command, output, path_with_tool):
    run = subprocess.run(["sh", "-c", command], cwd=ROOT,
                         env=dict(os.environ, PATH=path_with_tool),
                         stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                         stderr=subprocess.PIPE, text=True)
    assert run.stderr == ""
    assert run.stdout == output
    assert run.returncode == 0
