# SPDX-License-Identifier: MIT
"""bench_sizes.py runs without a GPU and without peers, and reports it when the
devices disagree. No test asserts a time."""

import importlib.util
import os
import re
import subprocess
import sys

import pytest

HERE = os.path.dirname(os.path.abspath(__file__))
TOOL = os.path.abspath(os.environ.get("GPUREDUCE") or
                       os.path.join(HERE, "..", "..", "build", "gpureduce"))


def bench(folder, program, *options):
    (folder / "files").mkdir()
    return subprocess.run(
        [sys.executable, os.path.join(HERE, "bench_sizes.py"), str(program),
         str(folder / "files"), "--out", str(folder / "out"), "--max", "1M",
         "--seconds", "0", *options], capture_output=True, text=True)


def program_whose_gpu(folder, does):
    """Makes a program that differs from the real one only with --device
    gpu."""
    path = folder / "gpureduce"
    path.write_text('#!/bin/sh\ncase "$*" in *"--device gpu "*) %s ;; esac\n'
                    'exec %s "$@"\n' % (does, TOOL))
    path.chmod(0o755)
    return path


def test_without_a_gpu(tmp_path):
    program = program_whose_gpu(tmp_path, "exit 3")
    done = bench(tmp_path, program, "--all")
    assert done.returncode == 0, done.stderr
    assert "gpureduce gpu" not in done.stdout
    assert re.search(r"^\| 1 KiB .* \| cpu[^|]* \|$", done.stdout, re.M)
    assert re.search(r"^auto, 1 KiB.*: cpu \(", done.stdout, re.M)
    assert os.listdir(tmp_path / "files") == []
    for name in "raw", "csv":
        rows = (tmp_path / "out" / ("time_vs_size_%s.tsv" % name)
                ).read_text().splitlines()
        assert rows[0].startswith("bytes\tgpureduce cpu\tgpureduce auto")
        sizes = [int(row.split("\t")[0]) for row in rows[1:]]
        assert all(most - 64 < size <= most
                   for size, most in zip(sizes, (1 << 10, 1 << 20)))
        assert len(sizes) == 2
        picture = tmp_path / "out" / ("time_vs_size_%s.svg" % name)
        if importlib.util.find_spec("matplotlib"):
            assert "gpureduce auto" in picture.read_text()
        else:
            assert not picture.exists() and f"no {picture}: " in done.stdout


@pytest.mark.parametrize("answer, status", [("", 0), ("echo 1; exit", 1)])
def test_answers_are_compared(tmp_path, answer, status):
    program = program_whose_gpu(
        tmp_path, answer or 'shift 2; exec %s --device cpu "$@"' % TOOL)
    done = bench(tmp_path, program)
    assert done.returncode == status, done.stderr
    assert ("ANSWERS DIFFER" in done.stdout) == (status == 1)
    assert re.search(r"\| size \| gpureduce cpu \| gpureduce gpu \|",
                     done.stdout)
