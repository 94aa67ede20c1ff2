# SPDX-License-Identifier: MIT
"""Files that differ from what stat says: of size 0 in /proc, sparse, growing,
shrinking or removed while they are read; and signals."""

import fcntl
import gzip
import mmap
import os
import signal
import subprocess
import threading
import time

import numpy as np
import pytest

from harness import (BINARY, EMULATED, Feeder, assert_failed, check, peak, run,
                     value, values)
from make import pack, saved

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


@pytest.mark.skipif(EMULATED, reason="qemu opens a file of its own here")
def test_proc_file_of_its_own_command_line():
    args = ["-f", "raw", "-t", "u8", "-o", "count,sum", "/proc/self/cmdline"]
    line = b"".join(os.fsencode(arg) + b"\0" for arg in [BINARY, *args])
    got = values(*args, own_start=True)
    assert got == {"count": str(len(line)), "sum": str(sum(line))}


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


def test_keys_that_change_while_read(tmp_path):
    """The program opens the keys, then waits for the data of a pipe."""
    keys, data = tmp_path / "k.u8", tmp_path / "v"
    keys.write_bytes(bytes(1000))
    os.mkfifo(data)

    def change():
        with open(data, "wb") as out:
            time.sleep(.05)
            keys.write_bytes(b"\1" * 1000)
            out.write(bytes(1000))

    writer = threading.Thread(target=change)
    writer.start()
    result = run("-t", "u8", "-o", "sum", "--keys", keys, data)
    writer.join()
    assert_failed(result, 1, "k.u8': changed while it was read")


@pytest.mark.parametrize("first, size, later, is_told", [
    (1000, 1000, 0, False), (1000, 1001, 0, True), (1000, 0, 0, True),
    (1000, 1000, 1, True), (1000, 1000, 10**9, True), (0, 0, 10**9, False)])
def test_size_and_time_of_a_file_that_was_read(tmp_path, first, size, later, is_told):
    """The run fails if the size has changed, or the time by a nanosecond. The time of
    an empty file does not count."""
    path, fifo = tmp_path / "d.u8", tmp_path / "v"
    path.write_bytes(bytes(first))
    os.mkfifo(fifo)
    before = os.stat(path)

    def change():
        with open(fifo, "wb") as out:
            time.sleep(.05)
            os.truncate(path, size)
            os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns + later))
            out.write(bytes(1000))

    writer = threading.Thread(target=change)
    writer.start()
    result = run("-t", "u8", "-o", "count", path, fifo)
    writer.join()
    if is_told:
        assert_failed(result, 1, "d.u8': changed while it was read")
    else:
        assert result == (0, f"{first + 1000}\n", "")


def test_file_that_grows_while_read(tmp_path):
    """Zeros, with ones appended. Either the answer before they came, or an
    error."""
    path = tmp_path / "log.u8"

    def grow():
        with open(path, "ab") as out:
            for _ in range(50):
                out.write(b"\1" * 40_000)
                out.flush()

    for delay in 0, .003, .01, .03:
        sparse(path, BIG // 4)
        result = while_reading(path, grow, delay)
        if result.rc != 0:
            assert_failed(result, 1, "log.u8': changed while it was read")
            continue
        count, total = (int(line.split("\t")[1])
                        for line in result.out.splitlines())
        assert BIG // 4 <= count <= BIG // 4 + 2_000_000, result
        assert total == count - BIG // 4 and result.err == "", result


def overwrite(path):
    with open(path, "r+b") as file:
        file.seek(-2, os.SEEK_END)
        file.write(b"9")


def map_and_write(path):
    with open(path, "r+b") as file, mmap.mmap(file.fileno(), 0) as data:
        data[-2] = 57
        data.flush()


def append(path):
    with open(path, "ab") as file:
        file.write(b"1\n")


def write_again(path):
    with open(path, "rb") as file:
        data = file.read()
    with open(path, "wb") as file:
        file.write(data)


def replace(path):
    with open(path + ".new", "wb") as file:
        file.write(b"7\n" * 9)
    os.rename(path + ".new", path)


def look_at(path):
    os.chmod(path, 0o640)
    with open(path, "rb") as file:
        file.read()


# What another program does, and whether the bytes may then be other ones.
CHANGES = [(overwrite, True), (map_and_write, True), (append, True),
           (write_again, True), (lambda path: os.truncate(path, 1), True),
           (replace, False), (os.unlink, False), (look_at, False)]
DIGITS = b"1\n2\n3\n4\n"
ARRAY = saved(np.frombuffer(b"\1\2\3\4", "u1"))
# Name, contents, the FIFO's contents, arguments, output.
READERS = [
    ("d.u8", b"\1\2\3\4", b"\5", ["-o", "sum"], "15\n"),
    ("d.npy", ARRAY, ARRAY, ["-o", "sum"], "20\n"),
    ("d.csv", DIGITS, b"5\n", ["-f", "csv", "-o", "sum"], "15\n"),
    ("d.csv.gz", gzip.compress(DIGITS), b"5\n", ["-o", "sum"], "15\n"),
    ("-", DIGITS, b"5\n", ["-f", "csv", "-o", "sum"], "15\n"),
    ("by.csv", b"k,x\na,1\nb,2\n", b"k,x\na,3\n", ["--by", "k", "-o", "sum"],
     "k\tsum(x)\na\t4\nb\t2\n"),
    ("c.u8", b"\1\2\3\4", b"\1\2\3\4", ["--compare"], None),
    ("s.u8", b"\1\2\3\4", b"\5", ["-o", "sum", "--save-state", "STATE"], ""),
]


@pytest.mark.parametrize("name,data,later,args,want", READERS,
                         ids=[row[0] for row in READERS])
def test_file_changed_in_place(tmp_path, name, data, later, args, want):
    """The FIFO is fed after the file, which was read before, has changed."""
    state = tmp_path / "state"
    args = [str(state) if arg == "STATE" else arg for arg in args]
    for n, (change, is_other) in enumerate(CHANGES):
        path = str(tmp_path / ("d.txt" if name == "-" else name))
        fifo = str(tmp_path / f"fifo{n}.{name.split('.')[-1]}")
        if name.endswith("gz"):
            fifo = fifo[:-2] + "csv"
        os.mkfifo(fifo)
        with open(path, "wb") as file:
            file.write(data)
        os.utime(path, (10**9, 10**9))
        Feeder(fifo, later, before=lambda: change(path))
        with open(path, "rb") as stdin:
            result = run(*args, "-" if name == "-" else path, fifo,
                         stdin=stdin, timeout=20)
        if "--compare" in args and change in (replace, os.unlink):
            continue  # it opens the file after the FIFO
        if not is_other:
            assert (result.rc, result.err) == (0, ""), (change, result)
            assert want in (None, result.out), (change, result)
            state.unlink(missing_ok=True)
            continue
        if "--compare" in args:
            assert result.rc == 2, (change, result)
            result = result._replace(rc=1)
        assert_failed(result, 1, "standard input" if name == "-" else path)
        assert not state.exists(), change


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


@pytest.mark.parametrize("args", [["-t", "u8", "-f", "raw"], ["-f", "csv"]])
def test_standard_input_that_does_not_block(args):
    """The pipe is empty most of the time; the program waits."""
    reader, writer = os.pipe()
    os.set_blocking(reader, False)
    data = b"1\n" * 70_000
    Feeder(writer, data, 9000, before=lambda: time.sleep(.05))
    want = sum(data) if "raw" in args else 70_000
    with os.fdopen(reader, "rb") as stdin:
        assert value(*args, "-o", "sum", stdin=stdin) == str(want)


def test_standard_output_that_does_not_block(tmp_path):
    """A pipe of 4 KiB is full most of the time; the program waits."""
    path = tmp_path / "d.u8"
    path.write_bytes(bytes(i % 251 for i in range(60_000)))
    reader, writer = os.pipe()
    fcntl.fcntl(writer, fcntl.F_SETPIPE_SZ, 4096)
    os.set_blocking(writer, False)
    proc = subprocess.Popen([BINARY, "-o", "sum", "--axis", "1", "--shape",
                             "-1,1", str(path)], stdout=writer)
    os.close(writer)
    time.sleep(.05)
    with os.fdopen(reader, "rb") as out:
        rows = out.read().split()
    assert proc.wait() == 0
    assert rows == [b"%d" % (i % 251) for i in range(60_000)]
