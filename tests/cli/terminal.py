# SPDX-License-Identifier: MIT
"""The program at a terminal: a pseudo-terminal of its own, what it wrote
there and when, and what one would see of it."""

import fcntl
import os
import pty
import select
import struct
import subprocess
import termios
import threading
import time

from harness import BINARY


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
                 stdout=subprocess.PIPE, setup=None, setting=None):
        self.master, self.slave = pty.openpty()
        self.resize(columns)
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
            preexec_fn=own_terminal, env={**os.environ, "TERM": term})
        self.pieces = []        # (seconds since the start, bytes)
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

    def _drain(self):
        self.over = True
        self.reader.join(10)

    def written(self):
        return b"".join(data for _, data in list(self.pieces))

    def lines(self):
        """Each text that a carriage return started, blanks around it off."""
        return [line.replace(b"\x1b[K", b"").decode().strip()
                for line in self.written().split(b"\r")[1:]]

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


def screen(data, columns=80):
    """The rows that one sees in the end. Fails on what a bar has no business
    to write, and where a row is written to its last column."""
    rows, x = [[]], 0
    at = 0
    while at < len(data):
        if data.startswith(b"\x1b[K", at):
            del rows[-1][x:]
            at += 3
            continue
        c = chr(data[at])
        if c == "\r":
            x = 0
        elif c == "\n":
            rows.append([" "] * x)
        else:
            assert c.isprintable(), (at, data)
            rows[-1][x:x + 1] = c
            x += 1
            assert x < columns, (x, data)
        at += 1
    return [text for text in ("".join(row).rstrip() for row in rows) if text]
