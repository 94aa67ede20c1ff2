# SPDX-License-Identifier: MIT
"""The program at a pseudo-terminal: what it writes there and when, and what
the screen shows."""

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


# Sequences for bold and colour, which screen() ignores.
COLOUR = re.compile(rb"\x1b\[[\d;]*m")


def wait_for(condition, seconds=60):
    """Returns the condition's value as soon as it is true. Fails after
    `seconds`."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        got = condition()
        if got:
            return got
        time.sleep(.005)
    raise AssertionError(f"waited {seconds} s in vain")


class Terminal:
    """Runs the program with standard error, and on demand its other streams,
    at a terminal that controls it. lead: a line of shell to run instead."""

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
        self.events = []        # those bytes, and the widths set between them
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
        """Changes the width while the program is stopped, so that the order of
        its output and of this change is known."""
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
        """Returns each text that follows a carriage return, without blanks
        around it. A final carriage return starts no text."""
        text = re.sub(rb"\x1b\[([JK]|[\d;]*m)", b"", self.written()).decode()
        text = text.replace("\r\r", "\r").removesuffix("\r")
        return [line.strip() for line in text.split("\r")[1:]]

    def screen(self, wraps=True):
        """Returns what the screen shows now, with the widths so far."""
        return screen(list(self.events), self.columns, wraps)

    def wait_line(self, condition=bool, seconds=60):
        """Returns the first line that meets the condition."""
        return wait_for(lambda: next(filter(condition, self.lines()), None),
                        seconds)

    def finish(self, seconds=60):
        """Waits for the end. Returns (status, stdout)."""
        out = self.process.stdout.read() if self.process.stdout else b""
        status = self.process.wait(seconds)
        self._drain()
        return status, out.decode()

    def hang_up(self):
        """Closes the terminal."""
        self._drain()
        os.close(self.slave)
        os.close(self.master)
        self.master = self.slave = -1


def screen(written, columns=80, wraps=True):
    """Returns the rows that the screen shows in the end. written: bytes, or
    pieces of them with numbers between, which are new widths of the window.
    Lines that are too long wrap, as in most terminals, or are cut. Fails on
    sequences that a bar must not write, and if a row is written to its last
    column."""
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
    """Carries out a character or an escape sequence. Returns the new place in
    the last line."""
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
