# SPDX-License-Identifier: MIT
"""tasks/tasks.toml: what a new user types for everyday tasks works at the
first try, or the message leads to what works. The examples of --help are among
them."""

import gzip
import os
import pathlib
import re
import subprocess
import tomllib

import numpy as np
import pytest

import harness

TABLE = tomllib.loads((pathlib.Path(__file__).parent / "tasks" / "tasks.toml")
                      .read_text(encoding="utf-8"))
TASKS = TABLE["task"]
KEYS = {"task", "run", "status", "out", "out_has", "any_order", "err",
        "try_next", "then"}


def array(name):
    file = TABLE["binary"][name]
    return np.array(file["values"], file["dtype"])


def write_files(folder):
    for name, text in TABLE["text"].items():
        (folder / name).write_bytes(text.encode())
    for name, file in TABLE["binary"].items():
        (folder / name).write_bytes(bytes(file.get("header", 0))
                                    + array(name).tobytes())
    for name, packed in TABLE["gzip"].items():
        data = (folder / packed).read_bytes()
        (folder / name).write_bytes(gzip.compress(data))
    for name, members in TABLE["archive"].items():
        np.savez(folder / name, **{k: array(v) for k, v in members.items()})


@pytest.fixture(scope="module")
def shell(tmp_path_factory):
    """Runs a line of shell in a folder with the files. `ps` prints one of
    them."""
    folder, programs = map(tmp_path_factory.mktemp, ("tasks", "bin"))
    write_files(folder)
    os.symlink(harness.BINARY, programs / "gpureduce")
    (programs / "ps").write_text("#!/bin/sh\ncat ps.txt\n")
    (programs / "ps").chmod(0o755)
    path = "%s:%s" % (programs, os.environ["PATH"])

    def run(line):
        return subprocess.run(["sh", "-c", line], cwd=folder, text=True,
                              env=dict(os.environ, PATH=path),
                              stdin=subprocess.DEVNULL, capture_output=True,
                              timeout=harness.TIMEOUT)
    return run


def has(text, piece):
    return any(part in text for part in piece.split(" || "))


def lines_of(text, task):
    return (sorted if task.get("any_order") else list)(text.split("\n"))


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task["task"])
def test_task(shell, task):
    result = shell(task["run"])
    assert result.returncode == task.get("status", 0), result
    if "out_has" in task:
        for piece in task["out_has"]:
            assert piece in result.stdout, result
    else:
        assert lines_of(result.stdout, task) == \
            lines_of(task.get("out", ""), task), result
    if "err" not in task:
        assert result.stderr == ""
    for piece in task.get("err", []):
        assert has(result.stderr, piece), (piece, result.stderr)
    if "try_next" in task:
        result = shell(task["try_next"])
        assert (result.returncode, result.stdout, result.stderr) == \
            (0, task["then"], "")


def test_every_task_can_fail():
    """Every task can fail: it has an expected output, or a status and a
    message."""
    assert len(TASKS) >= 40
    assert len({task["task"] for task in TASKS}) == len(TASKS)
    for task in TASKS:
        assert set(task) <= KEYS and ("try_next" in task) == ("then" in task)
        assert "out" in task or "out_has" in task or \
            task["status"] and task["err"], task


def test_examples_of_help_are_tasks():
    text = harness.ok("--help").split("Examples:\n")[1].split("\n\n")[0]
    examples = [re.split(r" {2,}", line.strip())[0]
                for line in text.splitlines()]
    assert examples == [task["run"] for task in TASKS[:len(examples)]]


def test_the_error_of_the_readme_is_that_of_a_task():
    readme = (harness.ROOT / "README.md").read_text(encoding="utf-8")
    shown = re.search(r"^```\n(gpureduce: .*?)^```$", readme, re.M | re.S)[1]
    assert [shown] in [task.get("err") for task in TASKS]
