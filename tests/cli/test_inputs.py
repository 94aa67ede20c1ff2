# SPDX-License-Identifier: MIT
"""Inputs: files, standard input, pipes, FIFOs, several together, and skipped
bytes."""

import gzip
import os

import pytest

from harness import (Feeder, check, fails, ok, piped, run, shell, value,
                     values)
from make import pack, random_raw
from oracle import ALL, DTYPES, decode

ODD_PIECES = [1, 3, 65537]
FEW = ["count", "sum", "min", "argmax", "var"]


@pytest.mark.parametrize("piece", ODD_PIECES)
@pytest.mark.parametrize("dtype", ["u8", "i16", "f32", "f64"])
def test_pipe_in_odd_pieces(rng, dtype, piece):
    n = 1500 if piece < 10 else 200_000 // DTYPES[dtype].size
    raw = random_raw(rng, dtype, n)
    with piped(raw, piece) as stdin:
        got = check(decode(raw, dtype), dtype, "-t", dtype, stdin=stdin, ops=ALL)
    for extra in ["-"], ["-j", "3", "--chunk-size", "1000"]:
        with piped(raw, piece) as stdin:
            assert got == values("-t", dtype, "-o", ",".join(got), *extra,
                                 stdin=stdin)


@pytest.mark.parametrize("piece", ODD_PIECES)
def test_fifo_by_name(rng, tmp_path, piece):
    raw = random_raw(rng, "f64", 600 if piece < 10 else 40_000)
    fifo = str(tmp_path / "fifo.f64")
    os.mkfifo(fifo)
    Feeder(fifo, raw, piece)
    check(decode(raw, "f64"), "f64", fifo, ops=ALL)


def test_pipe_that_ends_inside_an_element(rng):
    raw = random_raw(rng, "f64", 100)
    for cut in 1, 4, 7:
        for piece in ODD_PIECES:
            with piped(raw[:-cut], piece) as stdin:
                fails(1, "-t", "f64", stdin=stdin)


@pytest.mark.parametrize("dtype", ["i16", "f32", "f64"])
def test_file_that_ends_inside_an_element(rng, put, dtype):
    raw = random_raw(rng, dtype, 100)
    for cut in range(1, DTYPES[dtype].size):
        path = put("ragged", raw[:-cut])
        fails(1, "-t", dtype, path, says="ragged")
        fails(1, "-t", dtype, "-o", "count", path, says="ragged")
        fails(1, "-t", dtype, put("tiny", raw[:cut]), says="tiny")


def test_standard_input_from_an_offset(rng, put):
    """`{ read header; gpureduce; } <file`: bytes that the shell has read are
    not read again."""
    raw = random_raw(rng, "f32", 5000)
    path = put("d.f32", raw)
    for skipped in 0, 4, 400, 4096, len(raw) - 4, len(raw):
        for extra in ([], ["-j", "4", "--chunk-size", "1K"]):
            with open(path, "rb") as file:
                os.lseek(file.fileno(), skipped, os.SEEK_SET)
                check(decode(raw[skipped:], "f32"), "f32", *extra, stdin=file,
                      ops=["count", "sum", "l1"])
    with open(path, "rb") as file:
        os.lseek(file.fileno(), 4000, os.SEEK_SET)
        check(decode(raw[4040:], "f32"), "f32", "--skip-bytes", "40",
              stdin=file, ops=FEW)
        assert file.read() == b""


def test_standard_input_beyond_its_end(put):
    with open(put("d.f32", b"\0" * 40), "rb") as file:
        os.lseek(file.fileno(), 400, os.SEEK_SET)
        assert value("-o", "count", stdin=file) == "0"


def test_redirected_file_keeps_no_suffix(rng, put):
    """Standard input has no name and so no suffix: f32 by default."""
    raw = random_raw(rng, "u8", 64)
    with open(put("d.u8", raw), "rb") as file:
        assert value("-o", "count", stdin=file) == "16"


@pytest.mark.parametrize("suffix, size", [
    ("f64", 8), ("F64", 8), ("float64", 8), ("Double", 8), ("float", 4), ("int16", 2),
    ("UINT8", 1), ("bool", 1), ("bfloat16", 2), ("<f8", 4), ("f80", 4),
    ("s16", 4), ("f32be", 4), ("dat", 4), ("1", 4), ("mp3", 4), ("v2", 4),
    ("float24", 4), ("s16LE", 4), ("i128", 4), ("s136", 4), ("f0", 4), ("signed16", 4),
    ("s16xe", 4)])
def test_suffixes(put, suffix, size):
    """Each name of a type is one; others are f32, with a note if they look like
    one."""
    noted = suffix in ("f80", "s16", "f32be", "float24", "s16LE", "i128")
    for name, data in (suffix, bytes(64)), (suffix + ".gz", gzip.compress(bytes(64))):
        path = put("d." + name, data)
        found = run("-o", "count", path)
        assert (found.rc, found.out) == (0, f"{64 // size}\n")
        assert found.err == (f"gpureduce: {path}: its elements are read as f32: "
                             f"'{suffix}' is no type; say -t\n" if noted else "")
    assert ok("-o", "count", put("e." + suffix, b"")) == "0\n"


@pytest.mark.parametrize("dtype, raw, out", [
    ("f32", b"fff?" * 9, None), ("f64", b"abcdefgh", None), ("i16", b"ab", None),
    ("f32", b"333?fff?", None), ("f32", b"id,v", None),
    ("f32", b"12345678", "12345678\n"), ("f32", b"ab\n1", "1\n"),
    ("f32", b"a,b", "column\tsum\na\t0\nb\t0\n"),
    ("f64", b"1,nan,22", "column\tsum\n1\t1\n2\tnan\n3\t22\n"),
    ("f64", b"\xef\xbb\xbf12345", "12345\n"), ("f32", b"ab\r1", "1\n"),
    ("f32", b"\xef\xbb\xbf7", "7\n"), ("f32", b"7,ab", "column\tsum\n1\t7\n"),
    ("f32", b"1;;5", "column\tsum\n1\t1\n3\t5\n")])
def test_one_line_that_may_be_elements(put, dtype, raw, out):
    """All elements are 0.9, whose f32 are letters: a header without data."""
    path = put("d.dat", raw)
    args = ["-t", dtype, "-o", "sum"]
    if out:
        found = run(*args, path)
        assert (found.rc, found.out) == (0, out), found
        return
    for kw in ({"stdin": raw}, {}):
        fails(2, *args, *([] if kw else [path]), **kw,
              says=f"{dtype} could mean its bytes or its numbers")
    assert run(*args, "-f", "csv", path).rc == 0
    assert ok(*args, "-f", "raw", path) == ok(*args, put("d." + dtype, raw))


@pytest.mark.parametrize("first", [0x88b1f, 0x4034b50])
@pytest.mark.parametrize("skip", [0, 4])
def test_raw_data_that_start_like_compressed_data(put, first, skip):
    """The command in the message reads them, unless their name says that they
    are compressed."""
    raw = pack([first, 100, 200], "i32")
    path, args = put("d.i32", raw), ["-f", "raw", "-t", "i32"]
    for given in [path], []:
        err = run(*args, "--skip-bytes", skip, *given, stdin=raw).err
        command = err[err.index("{ printf"):].split("\n")[0]
        for word, by in ("gpureduce", '"$0"'), ("TYPE", "i32"), ("FILE", '"$1"'):
            command = command.replace(word, by)
        assert shell(command + " -o sum", path).out == (
            "300\n" if skip else f"{first + 300}\n")
    assert "printf" not in fails(1, *args, put("d.GZ", raw))
    assert "printf" not in run(put("d", raw) + ":x", *args).err


def test_no_data_on_standard_input():
    assert value("-o", "count") == "0"          # /dev/null
    assert value("-o", "count", stdin=b"") == "0"
    assert value("-o", "count", "/dev/null") == "0"


def test_standard_input_closed():
    result = shell('"$0" -o count <&-')
    assert result.rc == 1 and result.out == "" and result.err, result
    # with a file, standard input is not needed
    result = shell('"$0" -o count "$@" <&-', "/dev/null")
    assert (result.rc, result.out) == (0, "0\n"), result


def test_several_files_are_one_dataset(rng, put):
    sizes = [7, 0, 1, 4096, 333, 0, 5001, 1]
    parts = [random_raw(rng, "f64", n) for n in sizes]
    files = [put(f"{i}.f64", part) for i, part in enumerate(parts)]
    whole = decode(b"".join(parts), "f64")
    for extra in ([], ["-j", "1"], ["--chunk-size", "4096", "-j", "8"]):
        check(whole, "f64", *files, *extra, ops=ALL)


def test_one_file_twice(put):
    path = put("d.i32", pack([4, 9, -1], "i32"))
    assert values("-o", "count,sum,argmax,argmin,prod", path, path) == {
        "count": "6", "sum": "24", "argmax": "1", "argmin": "2",
        "prod": str(36**2)}


def test_many_files(put):
    files = [put(f"{i}.u16", pack([i, 2 * i], "u16")) for i in range(1500)]
    assert values("-o", "count,sum,argmax", *files) == {
        "count": "3000", "sum": str(3 * sum(range(1500))), "argmax": "2999"}


@pytest.mark.parametrize("cut", [1, 3, 4, 5, 7, 401, 402, 403])
def test_boundary_inside_an_element(rng, put, cut):
    """A dataset cut inside an element is joined as cat would, or refused with
    the name of the file that ends early. Elements are never made of other
    bytes."""
    raw = random_raw(rng, "f32", 300)
    a, b = put("a.f32", raw[:cut]), put("b.f32", raw[cut:])
    result = run("-o", "sum", a, b)
    want = value("-o", "sum", put("whole.f32", raw))
    if result.rc == 0:
        assert result.out == want + "\n"
    else:
        fails(1, "-o", "sum", a, b, says="a.f32")
    assert result.rc == 0 or cut % 4 != 0


def test_files_pipes_and_fifos_mixed(rng, put, tmp_path):
    parts = [random_raw(rng, "i32", n) for n in (500, 3, 70_001, 9)]
    whole = decode(b"".join(parts), "i32")
    for round_ in range(4):
        fifo = str(tmp_path / f"fifo{round_}.i32")
        os.mkfifo(fifo)
        Feeder(fifo, parts[2], 4093)
        with piped(parts[1], 5) as stdin:
            check(whole, "i32", "-t", "i32", put("a.i32", parts[0]), "-",
                  fifo, put("b.i32", parts[3]), "-j", 1 + round_,
                  stdin=stdin, ops=ALL)


def test_two_fifos_are_read_in_turn(rng, tmp_path):
    """The second FIFO's writer may start only after the first is done."""
    parts = [random_raw(rng, "f32", n) for n in (30_000, 20_000)]
    fifos = [str(tmp_path / name) for name in ("a.f32", "b.f32")]
    for fifo in fifos:
        os.mkfifo(fifo)
    first = Feeder(fifos[0], parts[0], 8191)
    Feeder(fifos[1], parts[1], 8191, before=first.join)
    check(decode(b"".join(parts), "f32"), "f32", *fifos, ops=FEW, timeout=10)


def test_dash_and_double_dash(put, tmp_path):
    path = put("-x.u8", b"\1\2\3")
    assert ok("-o", "sum", "--", "-x.u8", cwd=tmp_path) == "6\n"
    assert ok("-o", "sum", "./-x.u8", cwd=tmp_path) == "6\n"
    put("-", b"\7")
    assert ok("-t", "u8", "-o", "sum", "./-", cwd=tmp_path) == "7\n"
    assert ok("-t", "u8", "-o", "sum", "--", "-", stdin=b"\5",
              cwd=tmp_path) == "5\n"
    assert ok("-o", "argmax", path, "-", "-t", "u8", stdin=b"\x08") == "3\n"
    fails(2, "-t", "u8", "-", "-", stdin=b"\1", says="-")
    fails(2, "-t", "u8", "-", path, "-", stdin=b"\1")


@pytest.mark.parametrize("skip,n", [("0", 0), ("4", 4), ("10", 10),
                                    ("1K", 1024), ("1k", 1024),
                                    ("2KiB", 2048), ("4000", 4000)])
def test_skip_bytes(rng, put, skip, n):
    """Bytes are skipped at the start of each raw file, seekable or not."""
    head, raw = bytes(rng.bytes(n)), random_raw(rng, "f32", 900)
    a, b = put("a.f32", head + raw), put("b.f32", head[::-1] + raw[:400])
    check(decode(raw, "f32"), "f32", "--skip-bytes", skip, a, ops=ALL)
    check(decode(raw + raw[:400], "f32"), "f32", "--skip-bytes", skip, a, b,
          ops=ALL)
    for piece in ODD_PIECES:
        with piped(head + raw, piece) as stdin:
            check(decode(raw, "f32"), "f32", "--skip-bytes", skip,
                  stdin=stdin, ops=FEW)
    with piped(head + raw[:40], 7) as stdin:
        check(decode(raw + raw[:40], "f32"), "f32", "--skip-bytes", skip, a,
              "-", stdin=stdin, ops=FEW)


def test_skip_bytes_to_and_past_the_end(put):
    path = put("d.f32", b"\0" * 40)
    assert value("--skip-bytes", "40", "-o", "count", path) == "0"
    assert value("--skip-bytes", "40", "-o", "count", stdin=b"\0" * 40) == "0"
    fails(1, "--skip-bytes", "41", "-o", "count", path, says="d.f32")
    fails(1, "--skip-bytes", "1G", "-o", "count", path, says="d.f32")
    fails(1, "--skip-bytes", "15T", "-o", "count", path, says="d.f32")
    fails(1, "--skip-bytes", "41", "-o", "count", stdin=b"\0" * 40)
    fails(1, "--skip-bytes", "39", "-o", "count", path, says="d.f32")


def test_skip_bytes_over_a_foreign_header(put):
    """-f raw: read as raw, whatever the bytes look like."""
    for magic in b"\x93NUMPY\1\0", b"\x1f\x8b\x09\0\0\0\0\0":
        path = put("d.bin", magic + pack([1, 2], "f32"))
        assert value("-f", "raw", "--skip-bytes", "8", "-o", "sum",
                     path) == "3"


def test_a_path_through_links(put, tmp_path):
    path = put("d.i8", b"\1\2")
    os.symlink(path, tmp_path / "link.i8")
    assert value("-o", "sum", tmp_path / "link.i8") == "3"


def test_dev_stdin(rng):
    raw = random_raw(rng, "f32", 5000)
    check(decode(raw, "f32"), "f32", "/dev/stdin", stdin=raw, ops=FEW)


def test_a_file_that_is_standard_input_has_a_name(put):
    """It can be read as often as it is named."""
    for name in "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0":
        with open(put("a.u8", b"\1\2"), "rb") as file:
            assert value("-t", "u8", "-o", "sum", name, name, stdin=file) == "6"
