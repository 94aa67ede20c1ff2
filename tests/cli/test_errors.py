# SPDX-License-Identifier: MIT
"""Inputs that cannot be read: exit 1, a message with the file's name, and
nothing on stdout, whatever the other files contain."""

import os
import socket

import pytest

from harness import fails, run, shell
from make import pack


@pytest.fixture
def good(put):
    return put("good.f32", pack(range(5000), "f32"))


def everywhere(bad, good, says, *args):
    for files in ([bad], [good, bad], [bad, good], [good, bad, good]):
        fails(1, *args, *files, says=says)
        fails(1, *args, "-o", "count", *files, says=says)
        fails(1, *args, "-j", "4", "--chunk-size", "1K", *files, says=says)


def test_missing(good, tmp_path):
    everywhere(tmp_path / "missing.f32", good,
               [f"'{tmp_path}/missing.f32'", "No such file"])
    everywhere("", good, ["''", "No such file"])
    everywhere(good + "/below", good, [f"'{good}/below'", "Not a directory"])


def test_two_bad_files_the_first_is_named(good, tmp_path):
    err = fails(1, good, tmp_path / "one", tmp_path / "two", says="one'")
    assert "two'" not in err


def test_directory(good, tmp_path):
    everywhere(tmp_path, good, [f"'{tmp_path}'", "irectory"])
    everywhere(tmp_path, good, [f"'{tmp_path}'", "irectory"], "-f", "raw",
               "-t", "f32")
    everywhere(tmp_path, good, [f"'{tmp_path}'", "irectory"], "--per-file")
    with_suffix = tmp_path / "dir.f32"
    with_suffix.mkdir()
    everywhere(with_suffix, good, [f"'{with_suffix}'", "irectory"])
    (tmp_path / "sum").mkdir()
    assert fails(1, "sum", cwd=tmp_path) == "gpureduce: 'sum': is a directory\n"


def test_directory_on_standard_input(tmp_path):
    result = shell('exec "$0" -o sum <"$1"', tmp_path)
    assert result.rc == 1 and result.out == "", result
    assert "irectory" in result.err, result


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads everything")
def test_unreadable(good, put):
    path = put("secret.f32", b"\0" * 4)
    os.chmod(path, 0)
    everywhere(path, good, ["secret.f32'", "Permission denied"])


def test_socket(good, tmp_path):
    path = str(tmp_path / "socket.f32")
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(path)
        everywhere(path, good, "socket.f32'")


def test_loop_of_links(good, tmp_path):
    path = tmp_path / "loop.f32"
    path.symlink_to(path)
    everywhere(path, good, ["loop.f32'", "symbolic links"])


def test_read_error(good):
    """A file that opens but fails to read (address 0 of a process)."""
    everywhere("/proc/self/mem", good, "/proc/self/mem'", "-f", "raw", "-t",
               "f32")


def test_standard_input_that_fails(tmp_path):
    result = shell('exec "$0" -o sum 0>"$1"', tmp_path / "write-only")
    assert result.rc == 1 and result.out == "", result
    assert result.err.startswith("gpureduce: "), result


def test_ragged_among_good(good, put):
    ragged = put("ragged.f32", b"\0" * 4001)
    for files in ([ragged], [good, ragged]):
        fails(1, *files, says="ragged.f32'")
        fails(1, *files, "-j", "4", "--chunk-size", "64", says="ragged.f32'")


def test_name_too_long(good):
    fails(1, good, "x" * 5000, says="File name too long")


def test_the_error_is_the_same_for_every_plan(good, tmp_path):
    """Threads and chunks do not change the reported error."""
    ragged = tmp_path / "r.f32"
    ragged.write_bytes(b"\0" * 400_003)
    seen = {run(good, ragged, tmp_path / "none", "-j", jobs, "--chunk-size",
                chunk) for jobs in (1, 2, 8) for chunk in ("1K", "64K", "8M")}
    assert len(seen) == 1 and seen.pop().rc == 1


def test_open_files_run_out(good):
    """1500 names work with a limit of 64 descriptors."""
    result = shell('ulimit -n 64; exec "$0" -o count "$@"',
                   *[good] * 1500)
    assert (result.rc, result.out) == (0, "7500000\n"), result.err
