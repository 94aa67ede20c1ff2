# SPDX-License-Identifier: MIT
"""Signals end the program immediately, whatever it does: it dies of them, with
nothing on standard output and no bar left at the terminal."""

import os
import signal
import subprocess
import termios
import time

import numpy as np
import pytest

from harness import BINARY
from make import saved
from terminal import Terminal, screen

MIB = 1 << 20
ENDING = [signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGPIPE]
BAR = "--progress=always"


def dies(t, number):
    """Sends the running program a signal. It must die of it within a
    second."""
    assert t.process.poll() is None
    sent = time.monotonic()
    t.process.send_signal(number)
    status, out = t.finish()
    took = time.monotonic() - sent
    assert (status, out) == (-number, ""), signal.Signals(-status)
    assert took < 1, took
    assert screen(t.written()) == []


@pytest.fixture
def fifo(tmp_path):
    path = str(tmp_path / "fifo.u8")
    os.mkfifo(path)
    return path


@pytest.fixture
def big(tmp_path):
    """A file that takes seconds."""
    path = str(tmp_path / "big.f32")
    with open(path, "wb") as out:
        out.truncate(4 << 30)
    return path


def stalling(*args, data=b"\1" * 2 * MIB, **kw):
    t = Terminal("-t", "u8", "-o", "sum", *args, stdin=subprocess.PIPE, **kw)
    t.process.stdin.write(data)
    t.process.stdin.flush()
    return t


@pytest.mark.parametrize("number", ENDING)
def test_while_opening_a_fifo(number, fifo):
    with Terminal("-o", "sum", fifo) as t:
        time.sleep(.1)
        dies(t, number)


@pytest.mark.parametrize("number", ENDING)
@pytest.mark.parametrize("size", [1, 2 * MIB])
def test_while_a_pipe_stalls(number, size):
    with stalling(data=b"\1" * size) as t:
        time.sleep(.1)
        dies(t, number)
        assert t.written() == b""


@pytest.mark.parametrize("number", ENDING)
def test_while_busy(number, big):
    with Terminal("-o", "sum,prod", big) as t:
        time.sleep(.1)
        dies(t, number)


@pytest.mark.parametrize("number", ENDING)
@pytest.mark.parametrize("term", ["xterm", "dumb"])
def test_bar_over_a_pipe_that_stalls(number, term):
    with stalling(BAR, term=term) as t:
        t.wait_line(lambda line: line.startswith("2.10 MB"))
        dies(t, number)


@pytest.mark.parametrize("number", ENDING)
def test_bar_over_a_fifo_that_is_opened(number, fifo, put_bytes):
    """A FIFO whose turn comes later; a thread of the engine opens it."""
    with Terminal(BAR, "-o", "sum", put_bytes, fifo) as t:
        t.wait_line(lambda line: line.startswith("1.05 MB"))
        dies(t, number)


@pytest.fixture
def put_bytes(put):
    return put("first.u8", b"\1" * MIB)


@pytest.mark.parametrize("number", ENDING)
def test_bar_over_work(number, big):
    with Terminal(BAR, "-o", "sum,prod", big) as t:
        t.wait_line(lambda line: " 0%" not in line)
        dies(t, number)


def test_bar_after_a_second():
    with stalling() as t:
        t.wait_line()
        dies(t, signal.SIGTERM)
        assert t.written().endswith(b"\r\x1b[K\r")


def test_at_any_moment(rnd, big):
    """Also while the bar is drawn: nothing is drawn after it was erased."""
    for i in range(40):
        with Terminal(BAR, "-o", "sum,prod", big) as t:
            t.wait_line()
            time.sleep(rnd.random() * .11)
            dies(t, rnd.choice(ENDING))


def of_known_size(*args, **kw):
    """Half of what the header promises is there, and the bar has its full
    width."""
    t = Terminal("-o", "sum", *args, stdin=subprocess.PIPE, **kw)
    t.process.stdin.write(saved(np.ones(2 * MIB, "u1"))[:-MIB])
    t.process.stdin.flush()
    t.wait_line(lambda line: " 50% [==" in line)
    return t


@pytest.mark.parametrize("start", [stalling, of_known_size])
@pytest.mark.parametrize("term", ["xterm", "dumb"])
def test_ctrl_c(start, term):
    """Typed. Its echo must not begin another row."""
    with start(BAR, term=term) as t:
        t.wait_line()
        os.write(t.master, b"\x03")
        assert t.finish() == (-signal.SIGINT, "")
        assert b"^C" in t.written()
        assert screen(t.written()) == []


@pytest.mark.parametrize("number", ENDING)
def test_in_a_window_that_became_narrow(number):
    """Before the bar is drawn again, or after."""
    with of_known_size(BAR) as t:
        t.resize(30)
        t.process.send_signal(number)
        assert t.finish() == (-number, "")
        assert t.screen() == []


def test_terminal_that_hangs_up():
    with stalling() as t:
        t.wait_line()
        t.hang_up()
        assert t.finish() == (-signal.SIGHUP, "")


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_terminal_that_is_stopped(number):
    """Ctrl-S: nothing can be written, not even to erase the bar."""
    with stalling(BAR) as t:
        t.wait_line(lambda line: line.startswith("2.10 MB"))
        termios.tcflow(t.slave, termios.TCOOFF)
        time.sleep(.3)
        sent = time.monotonic()
        t.process.send_signal(number)
        assert t.process.wait(10) == -number
        assert time.monotonic() - sent < 1
        assert t.process.stdout.read() == b""


def test_background_bar_is_not_erased(fifo):
    """Another process owns the text that is on the terminal then."""
    with Terminal(BAR, "-o", "sum", fifo,
                  lead='set -m; "$0" "$@" & echo $!; wait $!; kill -l $?') as t:
        with open(fifo, "wb") as out:
            out.write(b"\1" * MIB)
            out.flush()
            time.sleep(.2)
            os.kill(int(t.process.stdout.readline()), signal.SIGTERM)
            assert t.finish() == (0, "TERM\n")
        assert b"\x1b[K" not in t.written()


@pytest.mark.parametrize("number", ENDING)
@pytest.mark.parametrize("args", [[BAR], ["--progress=never"]])
def test_ignored_signals_stay_ignored(number, args):
    """As under nohup."""
    def ignore():
        signal.signal(number, signal.SIG_IGN)

    with stalling(*args, setup=ignore) as t:
        if BAR in args:
            t.wait_line(lambda line: line.startswith("2.10 MB"))
        else:
            time.sleep(.1)
        t.process.send_signal(number)
        time.sleep(.1)
        t.process.stdin.close()
        assert t.finish() == (0, f"{2 * MIB}\n")
        assert screen(t.written()) == []


def test_blocked_signals_stay_blocked():
    """A signal that the caller blocked stays blocked."""
    def block():
        signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGTERM])

    with stalling(BAR, setup=block) as t:
        t.wait_line(lambda line: line.startswith("2.10 MB"))
        t.process.send_signal(signal.SIGTERM)
        time.sleep(.1)
        t.process.stdin.close()
        assert t.finish() == (0, f"{2 * MIB}\n")


@pytest.mark.parametrize("args", [[], [BAR]])
def test_nobody_reads_the_results(args, put_bytes):
    """Dies of SIGPIPE as cat does; an error if the signal is ignored."""
    for action, status in ((signal.SIG_DFL, -signal.SIGPIPE),
                           (signal.SIG_IGN, 1)):
        reader, writer = os.pipe()
        os.close(reader)
        with Terminal(*args, "-o", "sum", put_bytes, stdout=writer,
                      setup=lambda: signal.signal(signal.SIGPIPE,
                                                  action)) as t:
            os.close(writer)
            assert t.finish()[0] == status
            shown = screen(t.written())
        assert shown == (["gpureduce: write error: Broken pipe"]
                         if status == 1 else [])


def test_nobody_reads_the_bar(put_bytes):
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run([BINARY, BAR, "-o", "sum", put_bytes],
                          stdout=subprocess.PIPE, stderr=writer)
    os.close(writer)
    assert (done.returncode, done.stdout) == (-signal.SIGPIPE, b"")


@pytest.mark.parametrize("number", ENDING)
def test_without_a_terminal(number):
    """With the bar in a pipe the signal ends the program, and nothing is
    added."""
    with subprocess.Popen([BINARY, BAR, "-t", "u8", "-o", "sum"],
                          stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE) as proc:
        proc.stdin.write(b"\1" * MIB)
        proc.stdin.flush()
        time.sleep(.1)
        proc.send_signal(number)
        assert proc.wait(1) == -number
        assert proc.stdout.read() == b""
        assert b"\x1b" not in proc.stderr.read()
