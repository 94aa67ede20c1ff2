# SPDX-License-Identifier: MIT
"""Options of CSV: which need text, bad values, formats."""

import gzip
import os
import re
import resource

import numpy as np
import pytest

from harness import Feeder, fails, gpus, locale_with_comma, ok, run, value
from make import pack, saved

ONLY_CSV = [["-c", "1"], ["--columns=1"], ["-d", ";"], ["--delimiter", ","],
            ["--header", "yes"], ["--header=auto"], ["--na", "NA"],
            ["--missing", "skip"], ["--missing=error"], ["--bad", "skip"],
            ["--bad=error"]]
LONG = {"-c": "--columns", "-d": "--delimiter"}


@pytest.mark.parametrize("args", ONLY_CSV)
def test_options_that_need_csv(put, args):
    """Options of text are refused by name for raw data and arrays, never
    ignored."""
    raw = put("d.f64", pack([1.5, 2], "f64"))
    npy = put("d.npy", saved(np.zeros(3)))
    name = args[0].split("=")[0]
    for files in ([raw], [npy], ["-f", "raw", put("t.csv", b"1\n2\n" * 8)],
                  ["-f", "npy", npy], ["-f", "raw", "-t", "u8", raw]):
        err = fails(2, *args, "-o", "max", *files)
        assert name in err or LONG.get(name, name) in err, err
    # these options say that a pipe is text, whatever it contains
    for feed in b"1\n2\n3\n", b"1\n2\n\xff\xff\n":
        both = args == ["--missing=error"]  # `rows` alone reads no cell
        result = run(*args, "--bad", "skip", "-o",
                     "rows,count" if both else "rows", stdin=feed)
        assert result.out.split()[both] == (
            "2" if args == ["--header", "yes"] else "3"), result
    assert ok(*args, "-f", "csv", "-o", "count", stdin=b"1\n2\n3\n") == (
        "2\n" if args == ["--header", "yes"] else "3\n")


def test_text_is_recognised(put):
    """Text is recognised by its bytes, in pipes and under any name."""
    for name in "t.txt", "t.dat", "t", "SALES.CSV", "t.csv.x":
        path = put(name, b"1\n2\n3\n4\n")
        assert value("-o", "sum", path) == "10"
        assert value("-t", "i64", "-o", "sum", path) == "10"
        with open(path, "rb") as file:
            assert value("-o", "sum", stdin=file) == "10"
    assert value("-o", "sum", stdin=b"1\n2\n") == "3"
    assert value("-o", "sum", stdin=b"5") == "5"
    assert value("-o", "sum", stdin=gzip.compress(b"1\n2\n")) == "3"
    assert value("-o", "sum", put("x.dat.gz", gzip.compress(b"7\n"))) == "7"
    # also with a few bytes that are not UTF-8
    assert value("-c", "a", "-o", "sum", stdin=b"a,\xc3\xa4\n1,\xff\n") == "1"
    for data in b"1\n\0\0", b"\x01\n1\x02", b"\xff" * 65540:
        assert value("-o", "count", stdin=data) == str(len(data) // 4)


def test_conflict_of_text_and_bytes(put):
    """The name or the type says bytes, but the data look like text."""
    for name in "t.f32", "t.bin", "t.raw", "T.I16":
        path = put(name, b"1\n2\n3\n4\n")
        fails(2, "-o", "sum", path, says=["reads as text", "-f csv", "-f raw"])
        fails(2, "--header", "no", "-o", "sum", path, says="header")
        assert value("-f", "csv", "-o", "sum", path) == "10"
        assert value("-f", "raw", "-t", "u8", "-o", "count", path) == "8"
        assert value("-t", "i16", "-o", "count", path) == "4"
    for dtype in "u8", "i8":
        fails(2, "-t", dtype, "-o", "sum", stdin=b"1\n2\n",
              says=["-f raw", "-f csv"])
        assert value("-t", dtype, "-f", "raw", "-o", "count",
                     stdin=b"1\n2\n") == "4"
        assert value("-t", dtype, "-f", "csv", "-o", "sum",
                     stdin=b"1\n2\n") == "3"
    assert value("-f", "tsv", "-o", "sum", "-c", "2", "-",
                 stdin=b"1\t5\n2\t6") == "11"


@pytest.mark.parametrize("codec, mark", [("UTF-32LE", ""), ("UTF-32BE", "\ufeff")])
def test_utf32_is_refused(put, codec, mark):
    path = put("t.txt", (mark + "a;b\n1;2\n").encode(codec))
    for args in [], ["-f", "csv"]:
        fails(1, *args, "-o", "sum", path, says=[
            "is UTF-32, which is not supported\n", f"Try iconv -f {codec} -t UTF-8 "])
    assert ok("-f", "raw", "-o", "count", path) == f"{8 + len(mark)}\n"


def test_text_without_a_line_end_is_no_raw_data(put):
    """As `seq -s ' '` writes it. Read as f32 it would be a number, but
    nonsense."""
    data = b"1 2 " * 20_000
    for args, how in ([], {"stdin": data}), ([put("t.txt", data)], {}):
        fails(2, "-o", "sum", *args, **how,
              says=["no line end", "tr ", "-f csv", "-f raw"])
    assert value("-t", "u8", "-o", "count", stdin=data) == "80000"
    assert value("-f", "raw", "-o", "count", stdin=data) == "20000"


def test_the_order_of_reading(put):
    data = b"\xef\xbb\xbfReport\n#x\nsep=;\na;b\n1;2\n3;4\n"
    path = put("t.txt", data)
    args = ["--skip-lines", "1", "--comment", "#"]
    want = "column\tsum\na\t4\nb\t6\n"
    assert ok(*args, "-o", "sum", path) == want
    assert ok(*args, "-o", "sum", put("t.csv", data.replace(
        b"\n", b"\r\n"))) == want
    assert ok(*args, "-o", "sum", put("t.csv", data.replace(
        b"\n", b"\r"))) == want
    err = fails(1, *args, "-c", "a", "-o", "sum", put("t.csv", data + b"x;1\n"))
    assert ":7:1: not a number: 'x'" in err, err


@pytest.mark.parametrize("data", [
    b"a;b\n1;2\n3;4\n", b"a\tb\n1\t2\n3\t4\n", b"a|b\n1|2\n3|4\n",
    b"a,b\n1,2\n3,4\n", b"a b\n1 2\n3 4\n", b"  a  b\n  1\t 2 \n3 4\n"],
    ids=repr)
def test_delimiters_are_found(put, data):
    want = "column\tsum\na\t4\nb\t6\n"
    assert ok("-o", "sum", put("t.txt", data)) == want
    assert ok("-o", "sum", stdin=data) == want


@pytest.mark.parametrize("option", ["--quote", "--comment"])
@pytest.mark.parametrize("byte, data", [
    (",", b"a,b\n,2\n3,4\n"), (";", b"sep=;\na;b\n;2\n3;4\n"),
    (" ", b"1 2\n3 4\n"), ("\t", b"1\t2\n3\t4\n")])
def test_a_byte_with_another_meaning_delimits_nothing(put, option, byte, data):
    """Such a byte would make every record a comment, or open quotes
    everywhere."""
    for name in "t.txt", "t.csv":
        fails(1, option, byte, "-o", "sum", put(name, data), says="no column")
    for blank in " ", "\t":
        fails(2, option, blank, "-d", "blank", put("t.txt", b"1 2\n"),
              says=f"{option} and --delimiter cannot be the same character")
    assert value("--quote", "none", "-d", "blank", "-o", "sum", "-c", "2",
                 put("t.txt", b"1 2\n")) == "2"


def test_one_parenthesis_is_no_sign(put):
    """Both of them make a number negative; one alone is dropped."""
    path = put("t.csv", b"a\n(1\n5\n")
    assert ok("--strip", "(", "-o", "sum", path) == "6\n"
    assert ok("--strip", "()", "-o", "sum", put("u.csv", b"a\n(1)\n5\n")) == "4\n"


@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
def test_cells_with_and_without_stripped_characters(put, end):
    """Both mix in a column; 2x, 3$4 and - are bad."""
    cells = (b'5', b'-5', b'+5', b'$5', b'-$5', b'$-5', b'5$', b'- 5', b' 7 ',
             b'"8"', b'"$9"', b'-1.5', b'.5', b'5.', b'2x', b'3$4', b'-')
    groups = b'"1,234"', b'"$1,234"', b'"-1,234.5"', b'"1,2,3"', b'"$1,234,567.25"'
    args = "--strip", "$", "--bad", "skip", "-q", "-o", "sum,n_bad", "-c"
    for column in "a", "b":
        path = put("t.csv", b"a,b" + end + b"".join(
            c + b"," + c + end for c in cells * 20))
        assert ok(*args, column, path) == "sum\t560\nn_bad\t60\n"
        path = put("u.csv", b"a,b" + end + b"".join(
            c + b"," + c + end for c in (cells + groups) * 20))
        assert ok(*args, column, "--thousands", ",", path) == (
            "sum\t24716575\nn_bad\t80\n")


@pytest.mark.parametrize("option", ["--decimal", "--thousands"])
def test_a_comma_in_names_and_numbers_is_asked_about(option):
    """1,200 below two names must not be read as one number without a
    message."""
    for data in b"a,b\n1,200\n3,400\n", b"item,price\nfoo,10\nbar,20\n":
        fails(1, option, ",", "-o", "sum", stdin=data,
              says=["one name or several", option, "-d ';'"])
    assert ok("--thousands", ",", "-d", ",", "-o", "sum",
              stdin=b"a,b\n1,200\n3,400\n") == "column\tsum\na\t4\nb\t600\n"
    assert ok("--decimal", ",", "-d", ";", "-o", "sum",
              stdin=b"a, b\n1,5\n") == "1.5\n"


def test_thousands_do_not_delimit():
    data = b"1 234\n5 678\n"
    assert ok("--thousands", " ", "-o", "sum", stdin=data) == "6912\n"
    assert ok("-o", "sum", stdin=data) == "column\tsum\n1\t6\n2\t912\n"


def test_a_decimal_comma_is_no_answer(put):
    for data in b"1,5;2\n3,5;4\n", b'a,b\n"1,5",2\n', b"x\ty\n1,5\t2\n":
        fails(1, "-o", "sum", put("t.txt", data), says="--decimal ,")
    fails(1, "-o", "sum", stdin=b"Datum;Betrag\n03.01.24;1.234,56\n",
          says="--decimal , --thousands .")
    assert ok("--decimal", ",", "-o", "sum", stdin=b"1,5;2\n3,5;4\n") == (
        "column\tsum\n1\t5\n2\t6\n")


def test_exclude(put):
    path = put("t.csv", b"a,b,c,d\n1,2,3,x\n4,5,6,y\n")
    assert ok("-x", "b", "-o", "sum", path) == "column\tsum\na\t5\nc\t9\n"
    assert ok("-x", "2-", "-o", "sum", path) == "column\tsum\na\t5\n"
    assert ok("-c", "a-", "-x", "b", "-o", "sum", put(
        "u.csv", b"a-,b\n1,2\n")) == "1\n"
    fails(2, "-x", "e", "-o", "sum", path, says="'e'")
    fails(2, "-x", "1-", "-o", "sum", path, says="--exclude")
    # notes do not mention excluded columns
    path = put("t.csv", b"a,b\n1,2\n-,3\n5,6\n")
    assert ok("-x", "a", "-o", "sum", path) == "column\tsum\nb\t11\n"


def test_row_numbers_are_left_out(put):
    for head in b",price,qty\n0,10.5,1\n1,20,2\n", \
            b'"","price","qty"\n"1",10.5,1\n"2",20,2\n':
        path = put("t.csv", head)
        assert ok("-o", "sum", path) == (
            "column\tsum\nprice\t30.5\nqty\t3\n")
        assert ok("-c", "price", "-o", "sum", path) == "30.5\n"
        assert ok("-c", "1", "-o", "max", path) in ("1\n", "2\n")


def cpu_seconds():
    """Returns the processor time of all children that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def test_40000_columns(put):
    """Matching names in another order, or listing all, takes less than a
    second."""
    names = [b"c%d" % i for i in range(40000)]
    row = b",".join([b"1"] * 40000) + b"\n"
    a = put("a.csv", b",".join(names) + b"\n" + row)
    b = put("b.csv", b",".join(names[::-1]) + b"\n" + row)
    wanted = b",".join(names[:9000]).decode()
    start = cpu_seconds()
    assert ok("-o", "sum", a, b).count("\n") == 40001
    assert ok("-c", wanted, "-o", "sum", a, b).count("\n") == 9001
    assert cpu_seconds() - start < 10


def test_formats(put):
    data = b"1,2\n3,4\n"
    csv, tsv = put("t.csv", data), put("t.tsv", data.replace(b",", b"\t"))
    want = ok("-o", "sum", csv)
    assert want == "column\tsum\n1\t4\n2\t6\n"
    assert ok("-o", "sum", tsv) == want
    assert ok("-f", "auto", "-o", "sum", csv) == want
    assert ok("-f", "csv", "-o", "sum", put("t.f32", data)) == want
    assert ok("-f", "csv", "-o", "sum", put("t.bin", data)) == want
    assert ok("-f", "tsv", "-o", "sum", put("t.dat", data.replace(
        b",", b"\t"))) == want
    assert ok("-f", "raw", "-t", "u8", "-o", "count", csv) == "8\n"
    # the delimiter is detected
    assert ok("-f", "csv", "-o", "sum", tsv) == want
    assert value("-o", "sum", put("a.csv", saved(np.arange(4.0)))) == "6"
    fails(2, "-f", "cvs", csv, says="csv")
    fails(2, "-f", "csv", "--skip-bytes", "4", csv, says="skip-bytes")


@pytest.mark.parametrize("bad", ["", ",,", "ab", '"', "\n", "\r", "\\n",
                                 "\\r", "\\x", "\\t\\t", "\u00fc",
                                 "\\0", "tabs"])
def test_bad_delimiters(put, bad):
    path = put("t.csv", b"1,2\n")
    fails(2, "-d", bad, "-o", "sum", path, says="delimiter")
    fails(2, f"--delimiter={bad}", "-o", "sum", path, says="delimiter")


@pytest.mark.parametrize("option,bad,good", [
    ("--header", "yess", "yes"), ("--header", "on", "no"),
    ("--header", "atuo", "auto"), ("--missing", "skp", "skip"),
    ("--missing", "eror", "error"), ("--bad", "skipp", "skip"),
    ("--bad", "errors", "error"), ("--header", "", "auto"),
    ("--missing", "", "skip"), ("--bad", "", "error"),
    ("--bad", "ignore", "skip"), ("--missing", "zero", "skip")])
def test_unknown_values(put, option, bad, good):
    err = fails(2, option, bad, "-o", "sum", put("t.csv", b"1\n"),
                says=[option.lstrip("-"), f"'{bad}'"])
    assert re.search(rf"\b{good}\b", err), err


@pytest.mark.parametrize("option", ["-c", "--columns", "-d", "--delimiter",
                                    "--header", "--na", "--missing", "--bad"])
def test_missing_argument(put, option):
    fails(2, put("t.csv", b"1\n"), option)


@pytest.mark.parametrize("columns", ['"a', '"a"b', 'a,"'])
def test_column_lists_with_open_quotes(put, columns):
    fails(2, "-c", columns, "-o", "sum", put("t.csv", b"a,b\n1,2\n"))


@pytest.mark.parametrize("words, total, missing", [
    ('"-99,9"', 14, 1), ('x,"-99,9"', 14, 1), ("-99, 9", "-94.9", 1), ("5", "-90.9", 1),
    ("x,9", "-94.9", 1), ("-99,9", None, 0), ("x,-99,9", None, 0)])
@pytest.mark.parametrize("option", ["--na", "--na-only"])
def test_missing_numbers_with_a_decimal_comma(put, option, words, total, missing):
    path = put("t.csv", b"v;w\n-99,9;1\n9;2\n5;3\n")
    args = ["--decimal", ",", f"{option}={words}", "-c", "v", "-o", "sum,n_missing", path]
    if total is None:
        fails(2, *args, says="one number or a list")
    else:
        assert ok(*args) == f"sum\t{total}\nn_missing\t{missing}\n"


def test_words_with_a_mark_match_no_other_number(put):
    """With a decimal comma, the word 1.5 is not 1,5, nor is 1,5 a cell 1.5."""
    text = b"v;w\n" + b"9;2\n" * 40
    args = ["--decimal", ",", "-c", "v", "-o", "sum,n_missing"]
    path = put("t.csv", text + b"1,5;1\n1.5;1\n" * 20)
    assert ok(*args, "--na", "1.5", path) == "sum\t390\nn_missing\t20\n"
    path = put("u.csv", text + b"1,5;1\n" * 20 + b"1.5;1\n" * 20)
    fails(1, *args, "--na", '"1,5"', path, says=f"{path}:62:1: not a number: '1.5'")


@pytest.mark.parametrize("codec", ["utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("text", ["a,b\n1,2\n", "1\n", ""])
def test_utf16_is_refused(put, codec, text):
    data = ("\ufeff" + text).encode(codec)
    path = put("t.csv", data)
    for args in [], ["-c", "1"], ["--header", "no"], ["--chunk-size", "1"]:
        err = fails(1, *args, "-o", "count", path, says="UTF-16")
        assert f"'{path}'" in err, err
    fails(1, "-f", "csv", "-o", "count", stdin=data, says="UTF-16")


@pytest.mark.parametrize("codec", ["utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("name", ["t.txt", "data", "t.csv"])
def test_utf16_without_a_mark_is_not_raw_data(put, codec, name):
    """The data have 28 bytes, 7 floats."""
    data = "id;größ€\n1;20\n".encode(codec)
    path = put(name, data)
    command = f"iconv -f {codec.upper().replace('-LE', 'LE').replace('-BE', 'BE')}"
    fails(1, "-o", "sum", path, says=["UTF-16", command])
    fails(1, "-o", "sum", stdin=data, says=["UTF-16", command])
    if name == "t.csv":
        return
    assert ok("-t", "u16", "-o", "count", path) == "14\n"
    assert ok("-f", "raw", "-o", "count", path) == "7\n"
    assert ok("-o", "count", put("x", b"1\0\0\0\2\0\0\0")) == "2\n"


def test_colours_are_not_raw_data(put):
    data = b"\x1b[32m12\x1b[0m 5\n\x1b[31m13\x1b[0m 6\n"
    assert len(data) % 4 == 0
    path = put("t.log", data)
    fails(2, "-o", "sum", path, says=["control characters", "sed"])
    fails(2, "-o", "sum", stdin=data, says="control characters")
    fails(2, "-o", "sum", stdin=b"\x1b(B12 5\n13 6\n", says="[[(][0-9;?]*")
    assert ok("-t", "f32", "-o", "count", path) == f"{len(data) // 4}\n"
    assert ok("-f", "csv", "-c", "2", "-o", "sum", path) == "11\n"


@pytest.mark.parametrize("data", [
    b"a,b\n1,2\n3,45\n\x1a", b"1\n2\n\0004\n5\n", b"12\n\x1a",
    b"10\r20\r30\r7\x1a", "гор,сумма\nМосква,10\n\x1a".encode()])
def test_text_with_control_characters_is_not_raw_data(put, data):
    data = data.ljust(-(-len(data) // 4) * 4, data[-1:])
    fails(2, "-o", "sum", stdin=data, says=["control characters", "tr -d"])
    assert ok("-t", "f32", "-o", "count", stdin=data) == f"{len(data) // 4}\n"


def test_control_characters_that_separate_fields(put):
    data = b"10\x01200\n30\x01400\n.."
    fails(2, "-o", "sum", stdin=data, says="-d $'\\x01'")
    assert ok("-d", "\x01", "-c", "1", "-o", "sum", stdin=data[:-2]) == "40\n"


def test_utf16_mark_elsewhere_is_data(put):
    assert ok("-t", "i16", "-o", "max", stdin="\ufeff12".encode("utf-16-le")) == (
        f"{ord('2')}\n")
    for data in b"1\n\xff\xfe\n", b"1\n\xfe\xff\n", b"1,\xff\xfe\n":
        assert ok("--header", "no", "-c", "1", "--bad", "skip", "-o", "sum",
                  put("t.csv", data)) == "1\n"
    assert ok("--header", "no", "--bad", "skip", "-c", "1", "-o", "count",
              put("t.csv", b"\xff1\n2\n")) == "1\n"


def test_explain(put):
    path = put("t.csv", b"name,price,qty\nx,1,2\n")
    out = ok("--explain", path)
    for word in "csv", "f64", "price", "qty", "cpu":
        assert word in out, out
    out = ok("--explain", "-t", "i32", "-c", "qty", path)
    assert "i32" in out and "qty" in out, out
    out = ok("--explain", "-d", " ", put("s.csv", b"a b\n1 2\n"))
    assert "\n  delimiter\t' ' (as asked)\n" in out, out
    for byte in "\1", "\x1f":
        odd = put("c.csv", f"a{byte}b\n1{byte}2\n".encode())
        assert (f"\n  delimiter\t'\\x{ord(byte):02x}' (as asked)\n"
                in ok("--explain", "-d", byte, odd))
    assert ("\n  delimiter\tnone (nothing splits the first records alike)\n"
            in ok("--explain", stdin=b"1\n2\n"))
    fails(2, "--explain", "-c", "qyt", path, says="qty")


def test_help_names_the_options():
    out = ok("--help=text")
    for name in ("columns", "exclude", "weights", "delimiter", "header", "decimal",
                 "thousands", "strip", "comment", "skip-lines", "quote", "na",
                 "na-only", "missing", "bad", "ragged"):
        assert f"--{name}=" in out, name
    out = ok("--help=options")
    assert "csv" in out and "tsv" in out


def test_names_never_reach_the_terminal_raw(put):
    name = "esc\x1b[31m.csv"
    path = put(name, b"1\nx\n")
    err = fails(1, "-o", "sum", "--header", "no", "-c", "1", path)
    assert "esc\\x1b[31m.csv:2:1: " in err, err
    assert run("-v", "--bad=skip", "-c", "1", "--header=no", path).rc == 0


def test_files_that_cannot_be_read(put, tmp_path):
    good = put("a.csv", b"1\n")
    for bad in tmp_path / "none.csv", tmp_path:
        for files in ([bad], [good, bad], [bad, good]):
            fails(1, "-f", "csv", "-o", "sum", *files, says=f"'{bad}'")


def test_locale_changes_nothing(put, tmp_path):
    """In particular the meaning of a comma."""
    env, comma = locale_with_comma(tmp_path)
    print(f"a locale with a decimal comma is there: {comma}")
    path = put("t.csv", b"a;b\n1.5;1,5\n2.5;2,5\n1;1\n")
    args = ["-d", ";", "-c", "a,b", "--bad=skip", "-o", "sum,count", path]
    assert ok(*args, env=env) == "column\tsum\tcount\na\t5\t3\nb\t1\t1\n"
    for c in "C", "C.UTF-8":
        assert ok(*args, env={"LC_ALL": c}) == ok(*args, env=env)


def test_a_fifo(tmp_path):
    """A FIFO is read once and keeps its name in messages."""
    path = str(tmp_path / "t.csv")
    os.mkfifo(path)
    for piece in 1, 5, 1000:
        Feeder(path, b'a,b\n1,"x\n"\n3,y\n' * 9, piece)
        assert ok("-c", "1", "--bad", "skip", "-o", "sum,count", "--header", "yes",
                  path, timeout=20) == "sum\t36\ncount\t18\n"
        Feeder(path, b"a,b\n1,2\n3,x\n", piece)
        err = fails(1, "-c", "b", "-o", "sum", path, timeout=20)
        assert f"{path}:3:3: not a number: 'x'" in err, err


@pytest.mark.skipif(gpus(), reason="there is a GPU")
def test_missing_gpu(put):
    path = put("t.csv", b"1\n")
    fails(3, "--device", "gpu", "-o", "sum", path)
    assert ok("--device", "auto", "-o", "sum", path) == "1\n"
