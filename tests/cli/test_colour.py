# SPDX-License-Identifier: MIT
"""Messages have colour only at a terminal, and only if nothing forbids it."""

import subprocess

import pytest

from harness import BINARY, fails, run
from terminal import COLOUR, Terminal

RED = b"\x1b[1;31mgpureduce:\x1b[0m "
BOLD = b"\x1b[1mgpureduce:\x1b[0m "


def written(*args, **terminal):
    with Terminal(*args, **terminal) as t:
        t.finish()
        return t.written().replace(b"\r\n", b"\n")


def test_an_error_is_red():
    """Only the first word is red. The message and the hint are plain."""
    plain = fails(2, "-o", "summ", "/dev/null").encode()
    seen = written("-o", "summ", "/dev/null")
    assert seen == plain.replace(b"gpureduce: ", RED, 1)
    assert COLOUR.sub(b"", seen) == plain


def test_an_error_in_data_is_red(put):
    path = put("d.csv", b"a\n1\n1x\n")
    seen = written(path)
    assert seen == run(path).err.encode().replace(b"gpureduce: ", RED, 1)
    assert seen.count(b"\n") > 1


def test_a_note_is_bold(put):
    path = put("d.csv", b"a,b\n1,2\n3,4\n5,6x\n")
    plain = run(path).err.encode()
    assert plain.startswith(b"gpureduce: ") and b"\x1b" not in plain
    assert written(path) == plain.replace(b"gpureduce: ", BOLD)


@pytest.mark.parametrize("against", [
    {"term": "dumb"}, {"term": ""}, {"env": {"NO_COLOR": "1"}},
    {"env": {"NO_COLOR": "0"}}, {"lead": 'unset TERM; exec "$0" "$@"'}])
def test_settings_that_turn_colour_off(against, put):
    assert written("--zzz", **against) == fails(2, "--zzz").encode()
    path = put("d.csv", b"a,b\n1,2\n3,4\n5,6x\n")
    assert written(path, **against) == run(path).err.encode()


def test_only_at_a_terminal():
    """Standard error decides, whatever standard output is."""
    assert "\x1b" not in run("--zzz", env={"TERM": "xterm"}).err
    with Terminal("--zzz", lead='"$0" "$@" 2>&1 >/dev/null | cat') as t:
        assert "\x1b" not in t.finish()[1]
    for args in ["--help"], ["--list"], ["--version"]:
        out = subprocess.run([BINARY, *args], capture_output=True).stdout
        assert b"\x1b" not in out
