# SPDX-License-Identifier: MIT
"""--files0-from: names that end with NUL, from a file or standard input."""

import os

import pytest

from harness import fails, ok, run, value
from make import pack

# Names that a line or a shell cannot hold, one of them not UTF-8.
NAMES = [b"a", b"two\nlines", b" b ", b"$(c)", b"-x", b"\xff\xfe", b"e'e"]


@pytest.fixture
def folder(tmp_path):
    for i, name in enumerate(NAMES):
        with open(os.path.join(os.fsencode(tmp_path), name), "wb") as out:
            out.write(pack([10 ** i], "i32"))
    return tmp_path


ARGS = ["-t", "i32", "-o", "sum"]
SUM = "1111111\n"


@pytest.mark.parametrize("end", [b"", b"\0"])
def test_names(folder, end):
    """From a file, through a pipe, and from a file as standard input."""
    names = b"\0".join(NAMES) + end
    (folder / "list").write_bytes(names)
    for option in ["--files0-from", "list"], ["--files0-from=list"]:
        assert ok(*ARGS, *option, cwd=folder) == SUM
    assert ok(*ARGS, "--files0-from", "-", stdin=names, cwd=folder) == SUM
    assert ok(*ARGS, "--files0-from=/dev/stdin", stdin=names,
              cwd=folder) == SUM
    assert ok("-t", "i32", "-o", "argmax", "--files0-from=list",
              cwd=folder) == "6\n"


def test_each_file_by_itself(folder):
    out = ok(*ARGS, "--per-file", "--files0-from=-", stdin=b"a\0two\nlines\0",
             cwd=folder)
    assert out == "file\tsum\na\t1\ntwo\\nlines\t10\n"
    assert "\nfile\t'a'\n" in ok("--explain", "-t", "i32", "--files0-from=-",
                                stdin=b"a", cwd=folder)


def test_many_names(put, tmp_path):
    """More names than a command line takes, in any chunks of the list."""
    name = put("n" * 200 + ".u8", b"\1")
    names = os.fsencode(name) + b"\0"
    count = (3 << 20) // len(names)
    put("list", names * count)
    assert value("-o", "sum", "--files0-from", tmp_path / "list") == str(count)


def test_standard_input_among_them(folder):
    (folder / "list").write_bytes(b"a\0-\0")
    assert ok(*ARGS, "--files0-from=list", stdin=pack([5], "i32"),
              cwd=folder) == "6\n"
    (folder / "list").write_bytes(b"-\0-\0")
    fails(2, *ARGS, "--files0-from=list", cwd=folder, says="only once")
    fails(1, *ARGS, "--files0-from=-", stdin=b"a\0-\0", cwd=folder,
          says=["'standard input'", "file name 2 is '-'"])


@pytest.mark.parametrize("names,number", [
    (b"\0", 1), (b"\0a\0", 1), (b"a\0\0", 2), (b"a\0a\0\0a\0", 3)])
def test_empty_names_by_their_number(folder, names, number):
    (folder / "list").write_bytes(names)
    fails(1, *ARGS, "--files0-from=list", cwd=folder,
          says=f"'list': file name {number} is empty")


def test_the_list_is_no_data(folder):
    for lists, name in ("-", "-"), ("-", "/dev/stdin"), ("/dev/stdin", "-"):
        fails(1, *ARGS, "--files0-from", lists, stdin=name.encode(),
              says=f"file name 1 is '{name}', but standard input is the list")


def test_no_names(folder):
    fails(1, *ARGS, "--files0-from=/dev/null", says="lists no file names")
    fails(1, *ARGS, "--files0-from=-", stdin=b"",
          says="'standard input': lists no file names")
    fails(1, "--merge", "-", stdin=b"", says="'standard input': it is not a file of states")


def test_lines_are_no_list(folder):
    """The remedy in the message works as printed. A name may contain a
    newline, though."""
    (folder / "b").write_bytes(pack([4], "i32"))
    (folder / "LIST").write_bytes(b"a\nb\n")
    err = fails(1, *ARGS, "--files0-from=LIST", cwd=folder, says="with newlines")
    command = err.splitlines()[1].removeprefix("Try ").replace(
        "gpureduce", '"$0" "$@"')
    from harness import shell
    assert shell(command, *ARGS, cwd=folder).out == "5\n"
    assert ok(*ARGS, "--files0-from=-", stdin=b"two\nlines",
              cwd=folder) == "10\n"


def test_what_cannot_be_read(folder):
    fails(1, *ARGS, "--files0-from=none", cwd=folder, says="'none'")
    fails(1, *ARGS, "--files0-from=.", cwd=folder, says="'.'")
    (folder / "list").write_bytes(b"a\0none\0")
    fails(1, *ARGS, "--files0-from=list", cwd=folder, says="'none'")
    fails(2, *ARGS, "--files0-from", says="needs a value")


def test_no_file_beside_it(folder):
    (folder / "list").write_bytes(b"a\0")
    for name in "a", "-":
        fails(2, *ARGS, "--files0-from=list", name, cwd=folder,
              says=[f"'{name}'", "--files0-from"])


def test_list_is_as_before():
    assert run("--list", "--files0-from=none").out == ok("--list")


@pytest.mark.parametrize("count", [
    10_000, pytest.param(1_000_000, marks=pytest.mark.slow)])
def test_many_files(tmp_path, count):
    """With ten thousand files that exist once each."""
    for i in range(10_000):
        (tmp_path / f"{i}.u8").write_bytes(bytes([i % 7]))
    names = b"".join(b"%d.u8\0" % i for i in range(10_000))
    total = sum(i % 7 for i in range(10_000)) * (count // 10_000)
    (tmp_path / "list").write_bytes(names * (count // 10_000))
    assert ok("-o", "sum,count,argmax", "--files0-from=list",
              cwd=tmp_path) == f"sum\t{total}\ncount\t{count}\nargmax\t6\n"
