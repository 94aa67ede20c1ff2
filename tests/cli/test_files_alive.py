# SPDX-License-Identifier: MIT
"""Files that differ from what stat says: of size 0 in /proc, sparse, growing,
shrinking or removed while they are read; and signals."""

import os
import signal
import subprocess
import threading
import time

import pytest

from harness import BINARY, Feeder, check, peak, run, value, values
from make import pack

BIG = 1 << 29


def sparse(path, size, tail=b""):
    with open(path, "wb") as out:
        out.truncate(size)
        if tail:
            out.seek(size - len(tail))
            out.write(tail)
    return str(path)


def test_proc_files_of_size_zero():
    assert os.stat("/proc/version").st_size == 0
    with open("/proc/version", "rb") as file:
        data = file.read()
    check(list(data), "u8", "-f", "raw", "-t", "u8", "/proc/version")
    with open("/proc/version", "rb") as stdin:
        check(list(data), "u8", "-f", "raw", "-t", "u8", stdin=stdin)


def test_proc_file_of_its_own_command_line():
    args = ["-f", "raw", "-t", "u8", "-o", "count,sum", "/proc/self/cmdline"]
    line = b"".join(os.fsencode(arg) + b"\0" for arg in [BINARY, *args])
    assert values(*args) == {"count": str(len(line)), "sum": str(sum(line))}


def test_proc_file_beside_others(put):
    with open("/proc/version", "rb") as file:
        data = file.read()
    path = put("d.u8", b"\1\2\3")
    check([1, 2, 3, *data, 1, 2, 3], "u8", "-f", "raw", "-t", "u8", path,
          "/proc/version", path)


def test_sysfs_file_larger_than_its_content():
    """sysfs reports 4096 bytes and has a few: no data are lost."""
    name = "/sys/kernel/mm/transparent_hugepage/enabled"
    if not os.access(name, os.R_OK):
        pytest.skip("no such sysfs file here")
    with open(name, "rb") as file:
        data = file.read()
    result = run("-f", "raw", "-t", "u8", "-o", "sum", name)
    # either all that can be read, or an error: the file ended early
    assert (result.rc, result.out) in ((0, f"{sum(data)}\n"), (1, "")), result


def test_sparse_file(tmp_path):
    path = sparse(tmp_path / "d.f64", 1 << 26, pack([2.0, 3.0, 1.0], "f64"))
    n = (1 << 26) // 8
    assert values("-o", "count,sum,argmax,any,alltrue", path) == {
        "count": str(n), "sum": "6", "argmax": str(n - 2), "any": "1",
        "alltrue": "0"}


@pytest.mark.slow
def test_more_than_4_gib(tmp_path):
    size = 2**32 + 5
    path = sparse(tmp_path / "huge.u8", size, b"\1\7\0\7\2")
    assert values("-o", "count,sum,argmax,argmin,max,mean", path,
                  timeout=300) == {
        "count": str(size), "sum": "17", "argmax": str(2**32 + 1),
        "argmin": "0", "max": "7", "mean": repr(17 / size)}
    assert value("--skip-bytes", 2**32 + 1, "-o", "sum", path) == "16"


def while_reading(path, act, delay):
    """Runs the program on path and calls act after `delay` seconds: before,
    during or after reading. The output must be right for some moment."""
    timer = threading.Timer(delay, act)
    timer.start()
    try:
        return run("-o", "count,sum", path)
    finally:
        timer.join()


def test_file_that_grows_while_read(tmp_path):
    """Zeros, with ones appended: the sum shows how much was read."""
    path = tmp_path / "log.u8"

    def grow():
        with open(path, "ab") as out:
            for _ in range(50):
                out.write(b"\1" * 40_000)
                out.flush()

    for delay in 0, .003, .01, .03:
        sparse(path, BIG // 4)
        result = while_reading(path, grow, delay)
        assert result.rc == 0 and result.err == "", result
        count, total = (int(line.split("\t")[1])
                        for line in result.out.splitlines())
        assert BIG // 4 <= count <= BIG // 4 + 2_000_000, result
        assert total == count - BIG // 4, result


def test_file_that_shrinks_while_read(tmp_path):
    """Either an error with nothing on stdout, or the answer for a moment when
    the file was whole. Never a crash, and never a partial sum."""
    path = tmp_path / "cut.u8"
    failed = 0
    for delay in 0, .002, .005, .01, .02, .04:
        sparse(path, BIG, b"\1\2\3")
        result = while_reading(path, lambda: os.truncate(path, 1000), delay)
        if result.rc == 0:
            assert result.out in (f"count\t{BIG}\nsum\t6\n",
                                  "count\t1000\nsum\t0\n"), result
            assert result.err == "", result
        else:
            failed += 1
            assert result.rc == 1 and result.out == "", result
            assert "cut.u8" in result.err, result
    print(f"{failed} of 6 runs met the cut")


@pytest.mark.parametrize("change", ["grow", "shrink", "gone"])
def test_file_changed_before_its_turn(tmp_path, change):
    """The first file is a FIFO that is fed after the second file has changed.
    So the change always falls between start and reading."""
    fifo, path = str(tmp_path / "first.u8"), tmp_path / "second.u8"
    os.mkfifo(fifo)
    path.write_bytes(b"\1" * 100_000)

    def act():
        time.sleep(.05)         # the program has opened the FIFO and waits
        if change == "grow":
            with open(path, "ab") as out:
                out.write(b"\1" * 50_000)
        elif change == "shrink":
            os.truncate(path, 10_000)
        else:
            os.unlink(path)

    Feeder(fifo, b"\1" * 10, before=act)
    result = run("-o", "sum", fifo, str(path))
    if result.rc == 0:
        true = {"grow": ("100010\n", "150010\n"), "shrink": ("10010\n",),
                "gone": ("100010\n",)}[change]
        assert result.out in true and result.err == "", result
    else:
        assert change != "grow", result
        assert (result.rc, result.out) == (1, ""), result
        assert "second.u8" in result.err, result


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM,
                                    signal.SIGHUP])
def test_a_signal_kills(number):
    """While it waits for data, the program dies of the signal and prints
    nothing."""
    proc = subprocess.Popen([BINARY, "-o", "sum"], stdin=subprocess.PIPE,
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    proc.stdin.write(b"\0" * 4096)
    proc.stdin.flush()
    time.sleep(.1)
    assert proc.poll() is None
    proc.send_signal(number)
    proc.wait(10)
    assert proc.returncode == -number
    assert proc.stdout.read() == b""
    for stream in proc.stdin, proc.stdout, proc.stderr:
        stream.close()


def test_a_long_pipe_takes_bounded_memory():
    """1 GiB through a pipe takes far less than half of that."""
    feed = subprocess.Popen(["head", "-c", "1G", "/dev/zero"],
                            stdout=subprocess.PIPE)
    out, memory = peak("-o", "count", "-f", "raw", "-t", "u8", "-j", "2",
                       stdin=feed.stdout)
    feed.stdout.close()
    feed.wait()
    assert out == b"1073741824\n"
    assert memory < 400 << 20
