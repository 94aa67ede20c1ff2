# SPDX-License-Identifier: MIT
"""The program at a terminal: a pseudo-terminal of its own, what it wrote
there and when, and what one would see of it."""

import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import termios
import threading
import time

from harness import BINARY


# Sets of bold and colours, which the screen does not keep.
COLOUR = re.compile(rb"\x1b\[[\d;]*m")


def wait_for(condition, seconds=10):
    """What the condition gives, once that is true; fails where it is late."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        got = condition()
        if got:
            return got
        time.sleep(.005)
    raise AssertionError(f"waited {seconds} s in vain")


class Terminal:
    """Runs the program with standard error, and on demand more, at a terminal
    that controls it. lead: a shell's line that is run in its place."""

    def __init__(self, *args, columns=80, term="xterm", stdin=None, lead=None,
                 stdout=subprocess.PIPE, setup=None, setting=None, env=()):
        self.master, self.slave = pty.openpty()
        self.columns = columns
        self._set_columns(columns)
        if setting:
            setting(self.slave)
        command = [BINARY, *map(str, args)]
        if lead:
            command = ["sh", "-c", lead, *command]

        def own_terminal():
            fcntl.ioctl(2, termios.TIOCSCTTY, 0)
            if setup:
                setup()

        self.started = time.monotonic()
        self.process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL if stdin is None else stdin,
            stdout=stdout, stderr=self.slave, start_new_session=True,
            preexec_fn=own_terminal, env={**os.environ, "NO_COLOR": "", "TERM": term, **dict(env)})
        self.pieces = []        # (seconds since the start, bytes)
        self.events = []        # those bytes, and widths that were set between
        self.over = False
        self.reader = threading.Thread(target=self._read, daemon=True)
        self.reader.start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        self._drain()
        for stream in self.process.stdin, self.process.stdout:
            if stream:
                stream.close()
        for fd in self.master, self.slave:
            if fd >= 0:
                os.close(fd)

    def resize(self, columns):
        """While the program is stopped, so that the order of what it writes
        and of this is known."""
        self.process.send_signal(signal.SIGSTOP)
        time.sleep(.1)
        self._set_columns(columns)
        self.events.append(columns)
        self.process.send_signal(signal.SIGCONT)

    def _set_columns(self, columns):
        fcntl.ioctl(self.slave, termios.TIOCSWINSZ,
                    struct.pack("HHHH", 24, columns, 0, 0))

    def _read(self):
        while True:
            ready = select.select([self.master], [], [], .02)[0]
            if not ready and self.over:
                return
            if ready:
                data = os.read(self.master, 1 << 16)
                self.pieces.append((time.monotonic() - self.started, data))
                self.events.append(data)

    def _drain(self):
        self.over = True
        self.reader.join(10)

    def written(self):
        return b"".join(data for _, data in list(self.pieces))

    def lines(self):
        """Each text that a carriage return started, blanks around it off; the
        carriage return after it starts none."""
        text = re.sub(rb"\x1b\[([JK]|[\d;]*m)", b"", self.written()).decode()
        text = text.replace("\r\r", "\r").removesuffix("\r")
        return [line.strip() for line in text.split("\r")[1:]]

    def screen(self, wraps=True):
        """What one sees now, with the windows that it had."""
        return screen(list(self.events), self.columns, wraps)

    def wait_line(self, condition=bool, seconds=10):
        """The first line that meets the condition."""
        return wait_for(lambda: next(filter(condition, self.lines()), None),
                        seconds)

    def finish(self, seconds=10):
        """(status, stdout) once it has ended."""
        out = self.process.stdout.read() if self.process.stdout else b""
        status = self.process.wait(seconds)
        self._drain()
        return status, out.decode()

    def hang_up(self):
        """The terminal goes away."""
        self._drain()
        os.close(self.slave)
        os.close(self.master)
        self.master = self.slave = -1


def screen(written, columns=80, wraps=True):
    """The rows that one sees in the end. written: bytes, or pieces of them with
    numbers between, the columns that the window then has. Lines that are too
    long then wrap, in most terminals, or are cut. Fails on what a bar has no
    business to write, and where a row is written to its last column."""
    lines, at = [[]], 0     # the cursor is in the last line
    for piece in [written] if isinstance(written, bytes) else written:
        piece = COLOUR.sub(b"", piece) if isinstance(piece, bytes) else piece
        if isinstance(piece, int):
            columns = piece
            if not wraps:
                lines = [line[:columns] for line in lines]
                at = min(at, columns - 1)
            continue
        for word in re.findall(rb"\x1b\[[JK]|[^\x1b]", piece, re.S):
            at = put(lines, at, word, columns)
    rows = ["".join(line[i:i + columns]).rstrip() for line in lines
            for i in range(0, len(line), columns)]
    return [row for row in rows if row]


def put(lines, at, word, columns):
    """Carries out a character or an escape sequence: the new place in the last
    line."""
    line, row = lines[-1], at // columns * columns
    if word == b"\r":
        return row
    if word == b"\x1b[J":
        del line[at:]
    elif word == b"\x1b[K":
        end = min(row + columns, len(line))
        line[at:end] = " " * (end - at if end < len(line) else 0)
    elif word == b"\n":
        lines.append([" "] * (at - row))
        return at - row
    else:
        assert word.decode().isprintable(), word
        line[at:at + 1] = word.decode()
        at += 1
        assert at % columns, (at, lines)
    return at
