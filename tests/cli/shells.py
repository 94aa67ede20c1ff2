# SPDX-License-Identifier: MIT
"""Completion in bash, zsh and fish: a line that ends with a tab is typed at a
terminal. A program in place of gpureduce records its arguments, and asks
gpureduce for completions."""

import fcntl
import os
import pathlib
import pty
import select
import shlex
import shutil
import subprocess
import termios
import time

import pytest

from harness import BINARY, ROOT

SCRIPTS = ROOT / "completions"
STUB = """#!/bin/sh
if [ "$1" = --complete ]; then exec {binary} "$@"; fi
for word; do printf '%s\\0' "$word"; done > {record}.new
mv {record}.new {record}
"""
RC = {
    "bash": """PS1='rea''dy> '
bind 'set bell-style none'
bind 'set completion-query-items 0'
bind 'set page-completions off'
bind 'set enable-bracketed-paste off'
. {script}
""",
    "zsh": """PROMPT='rea''dy> '
LISTMAX=9999
fpath=({folder} $fpath)
autoload -Uz compinit
compinit -u -D
""",
    "fish": """function fish_prompt; echo -n 'rea''dy> '; end
function fish_greeting; end
source '{script}'
""",
}
START = {"bash": ["bash", "--noprofile", "--rcfile", "{rc}", "-i"],
         "zsh": ["zsh", "-d", "-i"],
         "fish": ["fish", "--private", "-C", "source '{rc}'"]}
SCRIPT = {"bash": "gpureduce.bash", "zsh": "_gpureduce",
          "fish": "gpureduce.fish"}


def need(shell):
    if not shutil.which(shell):
        pytest.skip(f"{shell} is not installed")


class Shell:
    """A shell in a folder of its own. The file `record` has the arguments that
    the program got."""

    def __init__(self, shell, folder):
        need(shell)
        self.folder = pathlib.Path(folder)
        home = self.folder / ".home"
        (home / "bin").mkdir(parents=True)
        # Without this folder fish reads all manual pages in the background.
        (home / "fish" / "generated_completions").mkdir(parents=True)
        self.record = home / "record"
        stub = home / "bin" / "gpureduce"
        stub.write_text(STUB.format(binary=shlex.quote(BINARY),
                                    record=shlex.quote(str(self.record))))
        stub.chmod(0o755)
        rc = home / ".zshrc"
        rc.write_text(RC[shell].format(script=SCRIPTS / SCRIPT[shell],
                                       folder=SCRIPTS))
        env = {**os.environ, "HOME": str(home), "ZDOTDIR": str(home),
               "XDG_CONFIG_HOME": str(home), "XDG_DATA_HOME": str(home),
               "PATH": f"{home}/bin:{os.environ['PATH']}", "TERM": "xterm",
               "LC_ALL": "C.UTF-8"}
        self.master, slave = pty.openpty()
        self.process = subprocess.Popen(
            [word.format(rc=rc) for word in START[shell]], stdin=slave,
            stdout=slave, stderr=slave, cwd=folder, env=env,
            start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0))
        os.close(slave)
        self.seen = b""
        self.read_until(lambda: b"ready> " in self.seen)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        os.close(self.master)

    def read_until(self, condition, seconds=20):
        end = time.monotonic() + seconds
        while not condition():
            assert time.monotonic() < end, self.seen
            if select.select([self.master], [], [], .01)[0]:
                self.seen += os.read(self.master, 1 << 16)

    def given(self, line):
        """Types the line, whose tab completes it, and returns the program's
        arguments."""
        os.write(self.master, line.encode() + b"\r")
        self.read_until(self.record.exists)
        words = self.record.read_bytes().split(b"\0")[:-1]
        self.record.unlink()
        return [os.fsdecode(word) for word in words]
