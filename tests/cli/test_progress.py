# SPDX-License-Identifier: MIT
"""--progress: what is drawn on standard error, when and how wide, and that it
is erased completely."""

import os
import re
import signal
import subprocess
import termios
import time

import numpy as np
import pytest

from harness import BINARY, fails, ok, run
from make import pack, saved
from terminal import COLOUR, Terminal, screen, wait_for

MIB = 1 << 20
STALL = 1.35        # long enough for a bar to appear
KNOWN = re.compile(r"(\d\.\d\d|\d\d\.\d|\d+) [kMG]?B +(\d+)% \[(=*>? *)\] +"
                   r"(\d\.\d\d|\d\d\.\d|\d+) [kMG]?B/s (\d+:\d\d|-:--) left")
UNKNOWN = re.compile(r"(\d\.\d\d|\d\d\.\d|\d+) [kMG]?B +"
                     r"(\d\.\d\d|\d\d\.\d|\d+) [kMG]?B/s")


def stalling(*args, data=b"", **kw):
    """A run on a pipe that brings the data and then stalls."""
    t = Terminal(*args, stdin=subprocess.PIPE, **kw)
    t.process.stdin.write(data)
    t.process.stdin.flush()
    return t


def feed(t, data=b""):
    t.process.stdin.write(data)
    t.process.stdin.close()


def ones(mib):
    """An array; its header says how long it is."""
    return saved(np.ones(mib * MIB, "u1"))


def test_bar_of_known_size():
    """A quarter of the data come, then the pipe stalls, then the rest
    comes."""
    data = ones(4)
    header = len(data) - 4 * MIB
    with stalling("-o", "sum", data=data[:header + MIB]) as t:
        first = t.wait_line()
        at = t.pieces[0][0]
        assert .95 < at < 6, at
        assert KNOWN.fullmatch(first), first
        assert first.startswith("1.05 MB  25% [=====") and len(first) == 79
        feed(t, data[header + MIB:])
        assert t.finish() == (0, f"{4 * MIB}\n")
        assert screen(t.written()) == []
        for line in t.lines():
            assert line == "" or KNOWN.fullmatch(line), line


def test_bar_of_a_pipe():
    with stalling("-t", "u8", "-o", "sum", data=b"\1" * 2 * MIB) as t:
        first = t.wait_line()
        assert UNKNOWN.fullmatch(first) and first.startswith("2.10 MB "), first
        time.sleep(.3)
        feed(t, b"\1" * 7)
        assert t.finish() == (0, f"{2 * MIB + 7}\n")
        assert screen(t.written()) == []
        drawn = t.pieces[-1][0] - t.pieces[0][0]
        assert 3 <= len(t.lines()) <= 5 + 10 * drawn, t.lines()


def test_rate_and_time_left():
    """Half of the data come in the first second, then nothing for six: the
    rate of the last five seconds is 0, and the time left is unknown."""
    data = ones(4)
    with stalling("-o", "sum", data=data[:-2 * MIB]) as t:
        line = t.wait_line()
        rate, left = re.search(r"([\d.]+) MB/s 0:(\d\d) left", line).groups()
        at = t.pieces[0][0]  # later on a busy machine
        assert 2 / at < float(rate) < 2.2 and 1 <= int(left) <= at + 1, line
        feed(t, data[-2 * MIB:])
        assert t.finish()[0] == 0


@pytest.mark.slow
def test_a_stall():
    data = ones(4)
    with stalling("-o", "sum", data=data[:-2 * MIB]) as t:
        line = t.wait_line(lambda line: "-:--" in line, 20)
        assert re.search(r"50% .*\] +0 B/s -:-- left", line), line
        assert t.pieces[-1][0] > 4.5
        feed(t, data[-2 * MIB:])
        assert t.finish()[0] == 0


def test_nothing_within_a_second(put):
    path = put("d.f64", pack([1, 2], "f64"))
    with Terminal("-o", "sum", path) as t:
        assert t.finish() == (0, "3\n")
        assert t.written() == b""


@pytest.mark.parametrize("args", [["--progress=never"], ["--quiet"],
                                  ["-q", "--progress", "always"]])
def test_never(args):
    with stalling(*args, "-t", "u8", "-o", "sum", data=b"\1" * MIB) as t:
        time.sleep(STALL)
        feed(t)
        assert t.finish() == (0, f"{MIB}\n")
        assert t.written() == b""


def test_none_without_a_terminal():
    reader, writer = os.pipe()
    feeder = subprocess.Popen(["sh", "-c", f"sleep {STALL}; echo"],
                              stdout=writer)
    os.close(writer)
    with os.fdopen(reader, "rb") as stdin:
        assert ok("-t", "u8", "-f", "raw", "-o", "sum",
                  stdin=stdin) == "10\n"
    assert feeder.wait() == 0


def always(*args, **kw):
    """Returns the texts of a run with --progress=always in a pipe, the last
    one first."""
    result = run("--progress=always", *args, **kw)
    assert result.rc == 0, result
    assert re.fullmatch("(\r[ -~]{1,79})+\n", result.err), result
    return result.out, [line.strip() for line in
                        result.err[1:].split("\r")[::-1]]


def test_always_without_a_terminal(put):
    out, lines = always("-o", "sum", put("d.u8", b"\1" * 123456))
    assert out == "123456\n"
    assert lines[0].startswith("123 kB 100% [==="), lines
    assert lines[-1].startswith("0 B   0% [> "), lines
    # The length of a pipe is known if its end was seen before the start.
    for data in b"\1" * 300, b"\1":
        out, lines = always("-t", "u8", "-o", "sum", stdin=data)
        assert out == f"{len(data)}\n"
        assert lines[0].startswith(f"{len(data)} B 100% [==="), lines


@pytest.mark.slow
def test_always_is_a_line_a_second():
    feeder = subprocess.Popen(
        ["sh", "-c", "head -c 1M /dev/zero; sleep 2.3; head -c 1M /dev/zero"],
        stdout=subprocess.PIPE)
    _, lines = always("-t", "u8", "-o", "sum", stdin=feeder.stdout)
    feeder.stdout.close()
    assert feeder.wait() == 0
    assert len(lines) == 4, lines
    for line in lines:
        assert UNKNOWN.fullmatch(line), line


def test_the_bar_delays_nothing(put):
    """A bar that is not woken at the end sleeps for up to a second."""
    path = put("d.u8", b"\1" * 1000)
    took = []
    for _ in range(15):
        start = time.monotonic()
        always("-o", "sum", path)
        took.append(time.monotonic() - start)
    assert sorted(took)[11] < .5, took


@pytest.mark.parametrize("lead", [None, 'setsid -w "$0" "$@"'])
def test_always_at_a_terminal(put, lead):
    """The bar appears immediately and is erased as usual, also if the terminal
    does not control the process."""
    path = put("d.u8", b"\1" * 1000)
    with Terminal("--progress=always", "-o", "sum", path, lead=lead) as t:
        assert t.finish() == (0, "1000\n")
        lines = [line for line in t.lines() if line]
        assert lines[0].startswith("0 B   0%"), lines
        assert lines[-1].startswith("1.00 kB 100%"), lines
        assert screen(t.written()) == []


def test_total_of_the_bar(put):
    """The total: every dataset, twice if it is read twice, without headers."""
    a, b = put("a.u8", b"\1" * 1000), put("b.u8", b"\1" * 2000)
    empty = put("empty.u8", b"")
    table = put("t.csv", b"a,b\n" + b"1,2\n" * 500)
    bare = put("bare.csv", b"a,b\n" + b"1,2\n" * 500 + b"3,4")
    for args, start in [((a, b), "3.00 kB 100%"),
                        (("--per-file", a, b), "3.00 kB 100%"),
                        (("--verify", a), "2.00 kB 100%"),
                        (("--verify", "--per-file", a, b), "6.00 kB 100%"),
                        (("--skip-bytes", 500, a, b), "2.00 kB 100%"),
                        (("--empty=identity", empty), "0 B 100%"),
                        ((a, empty), "1.00 kB 100%"),
                        ((table,), "2.00 kB 100%"),
                        (("--verify", table), "4.00 kB 100%"),
                        (("-j", 2, "--chunk-size", 100, table),
                         "2.00 kB 100%"),
                        ((bare,), "2.00 kB 100%")]:
        _, lines = always("-o", "max", *args)
        assert lines[0].startswith(start), (args, lines)
        assert lines[0].endswith("B/s 0:00 left"), (args, lines)


def test_total_of_quantiles(tmp_path):
    """A sample of a file in memory spares the second pass."""
    path = tmp_path / "zeros.f32"
    with open(path, "wb") as file:
        file.truncate(1 << 23)
    run("-o", "sum", path)  # loads it into the cache
    _, lines = always("-o", "median", path)
    assert lines[0].startswith("8.39 MB 100%"), lines
    # --verify takes no sample. Of the second passes it needs none either.
    _, lines = always("--verify", "-o", "median", path)
    assert lines[0].startswith("16.8 MB  66%"), lines


@pytest.mark.parametrize("piped", [False, True])
def test_a_last_line_that_is_not_ended(put, piped):
    """Only bytes that exist are counted."""
    data = b"a,b\n1,2\n3,4"
    where = {"stdin": data} if piped else {}
    result = run("-v", "-o", "sum", "-f", "csv",
                 *([] if piped else [put("bare.csv", data)]), **where)
    assert result.rc == 0
    assert re.search(r"^device .*, 7 bytes\b", result.err, re.M), result.err


@pytest.mark.parametrize("columns", [1, 2, 5, 10, 20, 33, 34, 80, 200, 1000])
def test_never_wider_than_the_window(columns):
    data = ones(2)
    with stalling("--progress=always", "-o", "sum", data=data[:-MIB],
                  columns=columns) as t:
        wait_for(lambda: len(t.lines()) >= 4)
        feed(t, data[-MIB:])
        assert t.finish() == (0, f"{2 * MIB}\n")
        assert screen(t.written(), columns) == []
        widest = max(map(len, t.lines()))
        if columns < 5:
            assert widest == 0
        elif columns >= 80:
            assert widest == min(columns - 1, 255)


@pytest.mark.parametrize("wraps", [True, False])
def test_window_that_changes(wraps):
    """Nothing is left of the wider bar, and earlier text stays."""
    data = ones(2)
    with stalling("--progress=always", "-o", "sum", data=data[:-MIB]) as t:
        t.wait_line(lambda line: len(line) >= 78)
        t.resize(30)
        t.wait_line(lambda line: 1 < len(line) < 30)
        seen = t.screen(wraps)
        assert len(seen) == 1 and seen[0].startswith(" 50% "), seen
        t.resize(120)
        t.wait_line(lambda line: len(line) >= 118)
        t.resize(50)
        feed(t, data[-MIB:])
        assert t.finish()[0] == 0
        assert t.screen(wraps) == []


@pytest.mark.parametrize("wraps", [True, False])
def test_error_after_a_window_that_changes(wraps):
    with stalling("-t", "f32", "-o", "sum", data=b"\1" * (MIB + 3), lead=
                  'echo before >&2; exec "$0" --progress=always "$@"') as t:
        t.wait_line(lambda line: re.match("1.05 MB .*B/s", line))
        t.resize(15)
        t.wait_line(lambda line: line == "1.05 MB")
        t.resize(200)
        feed(t)
        assert t.finish() == (1, "")
        seen = t.screen(wraps)
        assert [row.split()[0] for row in seen] == [
            "before", "gpureduce:", "Try"], seen


def test_window_without_a_size():
    with stalling("--progress=always", "-o", "sum", data=ones(2)[:-MIB],
                  columns=0) as t:
        t.wait_line(lambda line: line.startswith("1.05 MB") and
                    len(line) == 79)


@pytest.mark.parametrize("term", ["dumb", ""])
def test_no_bar_at_a_dumb_terminal(term):
    with stalling("-t", "u8", "-o", "sum", data=b"\1" * 2 * MIB,
                  term=term) as t:
        time.sleep(1.3)
        t.process.stdin.close()
        assert t.finish() == (0, f"{2 * MIB}\n")
        assert t.written() == b""


def test_the_bar_has_no_colour():
    with stalling("-t", "u8", "-o", "sum", data=b"\1" * 2 * MIB) as t:
        t.wait_line()
        t.process.stdin.close()
        assert t.finish()[0] == 0
        assert not COLOUR.search(t.written())


@pytest.mark.parametrize("term", ["dumb", ""])
def test_dumb_terminal(term):
    with stalling("--progress=always", "-t", "u8", "-o", "sum",
                  data=b"\1" * 2 * MIB, term=term) as t:
        t.wait_line(lambda line: line.startswith("2.10 MB"))
        t.process.stdin.close()
        assert t.finish() == (0, f"{2 * MIB}\n")
        assert b"\x1b" not in t.written()
        assert screen(t.written()) == []


def test_error_after_the_bar():
    """The message is the same as without a bar."""
    data = b"\1" * (MIB + 3)
    with stalling("-t", "f32", "-o", "sum", data=data) as t:
        t.wait_line()
        feed(t)
        assert t.finish() == (1, "")
        shown = screen(t.written(), 999)
    assert shown == fails(1, "-t", "f32", "-o", "sum",
                          stdin=data).splitlines()
    assert b"\r\x1b[K\r\x1b[1;31mgpureduce:\x1b[0m " in t.written()


def test_times_after_the_bar(put):
    """-v reports a dataset while the bar of all datasets continues."""
    a = put("a.u8", b"\1" * MIB)
    args = ["-v", "--per-file", "-t", "u8", "-o", "sum", "-", a]
    plain = run(*args, stdin=b"\1" * MIB).err.splitlines()
    with stalling(*args, data=b"\1" * MIB) as t:
        t.wait_line()
        feed(t)
        status, out = t.finish()
        assert (status, out) == (
            0, f"file\tsum\n-\t{MIB}\n{a}\t{MIB}\n")
        shown = screen(t.written())
    first_words = [line.split()[0] for line in plain]
    assert "device" in first_words and "reduce" in first_words, plain
    assert [line.split()[0] for line in shown] == first_words, shown


def test_results_after_the_bar():
    """All go to one terminal."""
    with stalling("-t", "u8", "-o", "sum", data=b"\1" * 2 * MIB,
                  stdout=None, setup=lambda: os.dup2(2, 1)) as t:
        t.wait_line()
        feed(t)
        assert t.finish() == (0, "")
        assert screen(t.written()) == [str(2 * MIB)]


def tostop(fd):
    """A terminal that stops processes which write from the background."""
    attributes = termios.tcgetattr(fd)
    attributes[3] |= termios.TOSTOP
    termios.tcsetattr(fd, termios.TCSANOW, attributes)


@pytest.mark.parametrize("setting", [None, tostop])
@pytest.mark.parametrize("when", ["auto", "always"])
def test_background(tmp_path, setting, when):
    fifo = str(tmp_path / "f.u8")
    os.mkfifo(fifo)
    with Terminal(f"--progress={when}", "-o", "sum", fifo, setting=setting,
                  lead='set -m; "$0" "$@" & wait $!') as t:
        with open(fifo, "wb") as out:
            out.write(b"\1" * MIB)
            out.flush()
            time.sleep(STALL)
        assert t.finish() == (0, f"{MIB}\n")
        assert t.written() == b""


def test_brought_to_the_foreground(tmp_path):
    fifo = str(tmp_path / "f.u8")
    os.mkfifo(fifo)
    with Terminal("-o", "sum", fifo,
                  lead='set -m; "$0" "$@" & sleep 1.5; fg >/dev/null') as t:
        with open(fifo, "wb") as out:
            out.write(b"\1" * MIB)
            out.flush()
            t.wait_line(UNKNOWN.fullmatch)
            assert t.pieces[0][0] > 1.4
        assert t.finish() == (0, f"{MIB}\n")
        assert [] == [line for line in screen(t.written()) if "MB" in line]


def test_stopped_and_continued():
    """Bar and result are the same, and the time in between is not counted."""
    data = ones(4)
    with stalling("-o", "sum", data=data[:-2 * MIB]) as t:
        t.wait_line()
        t.process.send_signal(signal.SIGSTOP)
        time.sleep(.2)
        before = len(t.lines())
        time.sleep(.3)
        assert len(t.lines()) == before
        t.process.send_signal(signal.SIGCONT)
        wait_for(lambda: len(t.lines()) > before)
        feed(t, data[-2 * MIB:])
        assert t.finish() == (0, f"{4 * MIB}\n")
        assert screen(t.written()) == []


def test_standard_error_that_cannot_be_written(put):
    """A bar that cannot be written is not an error."""
    path = put("d.u8", b"\1" * 10)
    for target in "/dev/full", "/dev/null":
        with open(target, "wb") as stderr:
            done = subprocess.run(
                [BINARY, "--progress=always", "-o", "sum", path],
                stdout=subprocess.PIPE, stderr=stderr)
        assert (done.returncode, done.stdout) == (0, b"10\n")
    # The program does not wait for a full pipe that nobody reads.
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    try:
        while True:
            os.write(writer, b"x" * 4096)
    except BlockingIOError:
        pass
    os.set_blocking(writer, True)
    done = subprocess.run([BINARY, "--progress=always", "-o", "sum", path],
                          stdout=subprocess.PIPE, stderr=writer, timeout=10)
    assert (done.returncode, done.stdout) == (0, b"10\n")
    os.close(reader), os.close(writer)
