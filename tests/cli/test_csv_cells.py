# SPDX-License-Identifier: MIT
"""The kinds of cells: missing, number, NaN, bad; and their counts."""

import pytest

import csv_make
from csv_check import check_table, rows_of
from csv_oracle import Options
from harness import fails, ok, run


def column(put, *cells, name="t.csv", head=b"v"):
    """Writes a file with this column and a column of text."""
    lines = [b"t," + head] + [b"x," + c for c in cells]
    return put(name, b"\n".join(lines) + b"\n")


def counts(*args):
    """Returns rows, used, missing and bad of column v."""
    result = run("-v", "-c", "v", "-o", "count", *args)
    assert result.rc == 0, result
    return rows_of(result.err)["v"]


MISSING = [b"", b'""', b" ", b"\t", b'" "', b"NA", b"N/A", b"null", b"NULL",
           b" NA ", b'"NA"', b'" null\t"', b"\tN/A", b"n/a", b"None",
           b"#N/A", b"<NA>", b"\\N", b'"NA" ', b' ""', b'"" ']
NOT_MISSING = [b"na", b"Na", b"Null", b"NaN/A", b"nil", b"none", b"-",
               b"?", b"NA.", b'"""NA"""',
               b"N A", b'"\n"', b'"NA\n"', b"\xc2\xa0", b"NULL\0"]


def test_missing(put):
    assert counts(column(put, *MISSING, b"1")) == (
        len(MISSING) + 1, 1, len(MISSING), 0)
    assert ok("-c", "v", "-o", "sum,count",
              column(put, *MISSING, b"1", *MISSING, b"2")) == (
                  "sum\t3\ncount\t2\n")


def test_not_missing(put):
    path = column(put, *NOT_MISSING, b"1")
    n = len(NOT_MISSING)
    assert counts("--bad", "skip", path) == (n + 1, 1, 0, n)
    assert counts("--bad=skip", "--missing=error", path) == (n + 1, 1, 0, n)


def test_missing_skip_is_the_default(put):
    path = column(put, b"1", b"", b"4")
    for args in [], ["--missing", "skip"], ["--missing=skip"]:
        assert ok(*args, "-c", "v", "-o", "mean", path) == "2.5\n"
        assert counts(*args, path) == (3, 2, 1, 0)


@pytest.mark.parametrize("cell", MISSING, ids=repr)
def test_missing_error(put, cell):
    path = column(put, b"1", b'"2"', cell, b"x")
    err = fails(1, "--missing", "error", "-c", "v", "-o", "sum", path)
    assert err.startswith(f"gpureduce: {path}:4:3: "), err
    assert "missing" in err and "column v" in err, err
    fails(1, "--missing", "error", "--bad", "skip", "-c", "v", "-o", "sum",
          path, says=":4:3: ")


def test_missing_error_looks_at_wanted_columns_only(put):
    path = put("t.csv", b"a,b\n1,2\n,3\n")
    assert ok("--missing", "error", "-c", "b", "-o", "sum", path) == "5\n"
    fails(1, "--missing", "error", "-c", "b,a", "-o", "sum", path,
          says=":3:1: ")
    assert ok("--missing", "error", "-c", "b", "-o", "rows", path) == "2\n"
    fails(1, "--missing", "error", "-c", "a", "-o", "rows", path, says=":3:1: ")


def test_missing_error_of_a_number_in_the_na_list(put):
    path = put("t.csv", b"a,b\n1,2\n9,3\n-999,4\n5,6\n")
    for option, line, rest in ("9", 3, -993), ("-999", 4, 15), ("-999,9.0", 4, 15):
        args = ["--na", option, "-c", "a", "-o", "sum"]
        assert ok(*args, path) == f"{rest}\n"
        fails(1, "--missing", "error", *args, path,
              says=f":{line}:1: missing value (column a)")


def test_na_list(put):
    path = column(put, b"1", b"-999", b"-999.0", b" -999 ", b'"-999"', b"",
                  b"0999")
    assert counts("--na", "-999", path) == (7, 3, 4, 0)
    assert counts("--na=-999", path) == (7, 3, 4, 0)
    assert ok("--na", "-999", "-c", "v", "-o", "sum", path) == "1\n"
    path = column(put, b"1", b"$999", b'"$999"', b"999 $", b"-$999", b"$NA",
                  b"$1")
    assert counts("--strip", "$", "--na", "999", path) == (7, 3, 4, 0)
    path = column(put, b"1", b"NA", b"null", b"a", b"b c", b"B", b"", b"0")
    # --na adds to the words, --na-only replaces them
    assert counts("--bad=skip", "--na", "a,b c", path) == (8, 2, 5, 1)
    assert counts("--bad=skip", "--na-only", "a,b c", path) == (8, 2, 3, 3)
    assert counts("--bad=skip", "--na-only", "0", path) == (8, 1, 2, 5)
    assert counts("--bad=skip", "--na-only", "", path) == (8, 2, 1, 5)
    fails(1, "--na-only", "", "-c", "v", "-o", "sum", path,
          says=":3:3: not a number: 'NA' (column v)")
    fails(1, "--na-only", "NA", "-c", "v", "-o", "sum", path, says="'null'")


@pytest.mark.parametrize("cell", [b"-NA", b"(NA", b"(NA)", b"+NA"])
def test_a_missing_value_has_no_sign(put, cell):
    args = ["--strip", "$()", "-o", "count"]
    assert counts("--strip", "$()", column(put, b"$NA", b"5")) == (2, 1, 1, 0)
    fails(1, *args, "-c", "v", "-t", "f64", column(put, b"5", cell),
          says=f":3:3: not a number: '{cell.decode()}'")


def test_na_numbers_and_words_of_numbers(put):
    path = column(put, b"nan", b"inf", b"1", b"NaN", b"-9", b"9")
    assert counts("--na", "nan,inf,-9", path) == (6, 3, 3, 0)
    assert ok("--na", "nan,NaN,-9,inf", "-c", "v", "-o", "sum",
              path) == "10\n"
    path = column(put, b"\xff", "\u00fc".encode(), b"1", b"n.a.")
    assert counts("--na", "\udcff,\u00fc,n.a.", path) == (4, 1, 3, 0)


def test_missing_changes_which_columns_are_numeric(put):
    path = put("t.csv", b"a,b\n1,-\n2,7\n")
    assert ok("-o", "sum", path) == "column\tsum\na\t3\n"
    assert ok("--na", "-", "-o", "sum", path) == (
        "column\tsum\na\t3\nb\t7\n")


def test_bad(put):
    cells = [c for c in csv_make.BAD if b"," not in c or c[:1] == b'"']
    path = column(put, b"1", *cells, b"2")
    n = len(cells)
    assert counts("--bad", "skip", path) == (n + 2, 2, 0, n)
    assert ok("--bad=skip", "-c", "v", "-o", "sum", path) == "3\n"
    for args in [], ["--bad", "error"]:
        fails(1, *args, "-c", "v", "-o", "sum", path,
              says=f"gpureduce: {path}:3:3: not a number: 'n/a?' (column v)")


@pytest.mark.parametrize("cell", [c for c in csv_make.BAD if b"," not in c],
                         ids=repr)
def test_each_bad_cell_is_one(put, cell):
    """A bad cell alone in its column is reported at the oracle's place."""
    data = b"7," + cell + b",8\n\n9,10," + cell + b"\n"
    for columns in [1], [2, 0]:
        check_table(put, csv_make.Table(data, b",", Options(
            header="no", columns=columns)), cuts=("1", "5"), slow_pipe=False)


def test_all_skipped_is_refused(put):
    path = column(put, b"x", b"", b"y")
    for op in "sum", "count", "max":
        fails(1, "--bad", "skip", "-c", "v", "-o", op, path,
              says=["column 'v'", "2 cells is bad"])


def test_all_missing_is_no_data(put):
    path = column(put, b"", b"NA")
    assert counts("--bad", "skip", path) == (2, 0, 2, 0)
    assert ok("-c", "v", "-o", "sum,prod,count", path) == (
        "sum\t0\nprod\t1\ncount\t0\n")
    fails(1, "-c", "v", "-o", "max", path, says="--empty identity")
    assert ok("-c", "v", "-o", "max", "--empty", "identity",
              path) == "-inf\n"


def test_nan(put):
    path = column(put, b"3", b"", b"nan", b"-5", b"x", b"NaN", b"7")
    args = ["--bad", "skip", "-c", "v", path]
    assert ok("-o", "sum,min,argmin,argmax,count", *args) == (
        "sum\tnan\nmin\tnan\nargmin\t2\nargmax\t2\ncount\t5\n")
    assert ok("--nan", "skip", "-o", "sum,min,argmin,argmax,count,mean",
              *args) == ("sum\t5\nmin\t-5\nargmin\t3\nargmax\t6\ncount\t3\n"
                         "mean\t1.6666666666666667\n")
    assert counts("--nan=skip", "--bad=skip", path) == (7, 5, 1, 1)
    err = fails(1, "--nan", "error", "-o", "sum", *args, says="--nan skip")
    assert "NaN" in err and path in err, err
    for chunk in "1", "7", "1M":
        assert fails(1, "--nan", "error", "-o", "sum", "--chunk-size", chunk,
                     "-j", "4", *args) == err
    assert ok("--nan", "error", "-o", "sum", "-c", "v",
              column(put, b"1", b"", b"2")) == "3\n"


@pytest.mark.parametrize("word", [b"nan", b"NAN", b"NaN", b"-nan", b"+nAn",
                                  b'"nan"', b" nan\t"])
def test_words_for_nan(put, word):
    assert ok("-c", "v", "-o", "sum", column(put, word)) == "nan\n"
    fails(1, "-c", "v", "-t", "i32", "-o", "sum", column(put, word),
          says=":2:3: ")


@pytest.mark.parametrize("dtype,good,bad", [
    ("i8", [-128, 127], [-129, 128]), ("u8", [0, 255], [-1, 256]),
    ("i16", [-2**15, 2**15 - 1], [-2**15 - 1, 2**15]),
    ("u16", [0, 2**16 - 1], [-1, 2**16]),
    ("i32", [-2**31, 2**31 - 1], [-2**31 - 1, 2**31]),
    ("u32", [0, 2**32 - 1], [-1, 2**32]),
    ("i64", [-2**63, 2**63 - 1], [-2**63 - 1, 2**63, 2**64 + 1, 10**40]),
    ("u64", [0, 2**64 - 1], [-1, 2**64, 2**64 + 5, 10 * 2**64, 10**30])])
def test_integers(put, dtype, good, bad):
    good = [str(n).encode() for n in good] * 3
    same = [b"+7", b"-0", b"0007", b" 7 ", b'"7"', b"-000", b"+0",
            b"0" * 500 + b"7"]
    bad = [str(n).encode() for n in bad] + [
        b"1.0", b"1.", b".0", b"1e3", b"1e0", b"inf", b"nan", b"0x1", b"1_0",
        b"--1", b"+", b"-", b"1 0", b'"1"0', b"-0.0", b"0" * 40 + b"x"]
    path = column(put, *good, *same)
    total = 3 * sum(map(int, good[:2])) + 35
    assert ok("-t", dtype, "-c", "v", "-o", "sum", path) == f"{total}\n"
    assert ok("-t", dtype, "-c", "v", "-o", "min,max", path) == (
        f"min\t{good[0].decode()}\nmax\t{good[1].decode()}\n")
    path = column(put, *good, *bad)
    assert counts("-t", dtype, "--bad", "skip", path) == (
        6 + len(bad), 6, 0, len(bad))
    for cell in bad[:4]:
        text = cell.decode()
        err = fails(1, "-t", dtype, "-c", "v", "-o", "sum",
                    column(put, b"1", cell))
        assert ":3:3: " in err and f"'{text}' (column v)" in err, err


def test_integer_sums_are_exact(put):
    path = column(put, *[b"9223372036854775807"] * 1000)
    assert ok("-t", "i64", "-c", "v", "-o", "sum", path) == \
        f"{1000 * (2**63 - 1)}\n"
    assert ok("-c", "v", "-o", "sum", path) == "9.223372036854776e+21\n"


@pytest.mark.parametrize("dtype", ["f16", "bf16", "float16", "<f2"])
def test_types_that_text_is_not_read_as(put, dtype):
    fails(2, "-t", dtype, "-o", "sum", column(put, b"1"))
    fails(2, "-t", dtype, "-f", "csv", stdin=b"1\n")
