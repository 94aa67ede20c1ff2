# SPDX-License-Identifier: MIT
"""The longest field and the longest record."""

import pytest

from csv_check import PLACE
from harness import assert_failed, fails, ok, run

MIB = 1 << 20
CHUNKS = ["4096", "100003", "1M", "16M"]


def refused(path, place, *args):
    """The error is the same for all chunk sizes. place: the text after the
    name."""
    seen = set()
    for chunk in CHUNKS:
        result = run(*args, "--chunk-size", chunk, "-o", "sum", path)
        assert_failed(result, 1)
        seen.add(result.err)
    assert len(seen) == 1, seen
    err = seen.pop()
    assert err.startswith(f"gpureduce: {path}:{place}"), err[:300]
    assert PLACE.match(err) and len(err) < 2000, err[:300]
    return err


def number(size):
    """A number of this many bytes: 7, with zeros before it."""
    return b"0" * (size - 1) + b"7"


@pytest.mark.parametrize("size", [MIB - 1, MIB])
def test_a_field_of_a_mebibyte(put, size):
    path = put("t.csv", b"a,b\n1," + number(size) + b"\n2,3\n")
    for chunk in CHUNKS:
        assert ok("-c", "b", "-o", "sum", "--chunk-size", chunk,
                  path) == "10\n"
    assert ok("-c", "b", "-t", "i64", "-o", "sum", path) == "10\n"


def test_a_field_of_one_byte_more(put):
    path = put("t.csv", b"a,b\n1," + number(MIB + 1) + b"\n2,x\n")
    for args in [], ["--bad", "skip"], ["-t", "i64"]:
        refused(path, "2:3: ", "-c", "b", *args)
    with open(path, "rb") as file:
        fails(1, "-f", "csv", "-c", "b", "-o", "sum", stdin=file,
              says="gpureduce: standard input:2:3: ")
    # a column that nobody reads may have longer fields
    for chunk in CHUNKS:
        assert ok("-c", "a", "-o", "sum", "--chunk-size", chunk,
                  path) == "3\n"


def test_its_quotes_and_blanks_count(put):
    for cell in (b'"' + number(MIB - 1) + b'"', b" " * MIB + b"7"):
        path = put("t.csv", b"1,2\n3,4\n5," + cell + b"\n")
        refused(path, "3:3: ", "-c", "2")
    for cell in (b'"' + number(MIB - 2) + b'"', b" " * (MIB - 1) + b"7"):
        path = put("t.csv", b"1,2\n3,4\n5," + cell + b"\r\n")
        assert ok("-c", "2", "-o", "sum", path) == "13\n"


def test_an_earlier_error_is_reported_first(put):
    path = put("t.csv", b"a,b\nx," + number(MIB + 1) + b"\n")
    refused(path, "2:1: ", "-c", "a,b")
    path = put("t.csv", b"a,b\ny,1\n1," + number(MIB + 1) + b"\n")
    refused(path, "2:1: ", "-c", "a,b")


def test_many_long_fields(put):
    cells = [number(MIB // 2)] * 9
    path = put("t.csv", b",".join(cells) + b"\n" + b",".join(cells))
    out = ok("--header=no", "-o", "sum", "-c", "1-", path)
    assert out.count("\t14\n") == 9, out


def record(path, size):
    """A file (mostly a hole) whose second record has this many bytes."""
    with open(path, "wb") as out:
        out.write(b"a,b\n1,2\n3,")
        out.seek(size - 2, 1)
        out.write(b"\n4,5\n")
    return path


def test_a_record_below_64_mib(tmp_path):
    path = record(tmp_path / "t.csv", 64 * MIB - 64)
    for args in [], ["--chunk-size", "1M"], ["-j", "1"]:
        assert ok("-c", "a", *args, "-o", "sum", path) == "8\n"


def test_a_record_over_64_mib(tmp_path):
    path = record(tmp_path / "t.csv", 64 * MIB + 64)
    seen = set()
    for args in [], ["--chunk-size", "1M"], ["-j", "1"], ["--bad", "skip"]:
        err = fails(1, "-c", "a", *args, "-o", "sum", path)
        assert err.startswith(f"gpureduce: {path}:3:"), err[:300]
        seen.add(err)
    assert len(seen) == 1, seen


@pytest.mark.parametrize("rows", [8000, 17000])
def test_the_bytes_after_a_long_header_that_tell_of_numbers(put, rows):
    """They are 64 KiB, 16384 of these rows, however long the header is."""
    path = put("t.csv", b"a," + b"b" * 100000 + b"\n" + b"1,2\n" * rows + b"1,x\n")
    if rows == 8000:
        result = run("-o", "sum", path)
        assert (result.rc, result.out) == (0, "column\tsum\na\t8001\n")
    else:
        fails(1, "-o", "sum", path, says=":17002:3: not a number: 'x'")


@pytest.mark.parametrize("size", [200000, 5000000])
@pytest.mark.parametrize("args, out", [
    ([], "column\tsum\nprice\t11\n"), (["-c", "price"], "11\n"), (["-c", "2"], "11\n")])
def test_a_long_second_record(put, size, args, out):
    path = put("t.csv", b"name,price\n" + b"x" * size + b",5\ny,6\n")
    result = run("-o", "sum", *args, path)      # a long field is left out with a note
    assert (result.rc, result.out) == (0, out)


@pytest.mark.parametrize("end", [b"", b"\n"])
def test_skipping_all_lines(put, end):
    path = put("t.csv", b"a\n1\n2" + end)
    assert ok("--skip-lines", "3", "-o", "rows", path) == "0\n"
    fails(1, "--skip-lines", "4", "-o", "rows", path, says="more than its 3 lines")


def test_a_byte_order_mark_alone(put):
    path = put("t.csv", b"\xef\xbb\xbf")
    fails(2, "-c", "1", "-o", "sum", path, says="it has 0 columns")
