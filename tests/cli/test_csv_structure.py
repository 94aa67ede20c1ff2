# SPDX-License-Identifier: MIT
"""Records and fields: quoting, line ends, blank lines, ragged records. The
expected results are made by hand."""

import re

import pytest

from csv_check import PLACE, parse, same_everywhere
from harness import assert_failed, fails, ok, run

CUTS = dict(cuts=("1", "2", "3", "7"), slow_pipe=False)


def sums(put, data, *args, name="t.csv"):
    """Returns 'count sum' of every column, after checking every way to read
    the file."""
    result = same_everywhere(put(name, data), data,
                             [*args, "-o", "count,sum"], **CUTS)
    assert (result.rc, result.err) == (0, ""), result
    return [f"{row['count']} {row['sum']}"
            for _, row in parse(result.out, ["count", "sum"])]


@pytest.mark.parametrize("data,want", [
    # line ends
    (b"1\n2\n", ["2 3"]), (b"1\n2", ["2 3"]), (b"1\r\n2\r\n", ["2 3"]),
    (b"1\r\n2", ["2 3"]), (b"1\r\n2\r", ["2 3"]), (b"1\n2\r\n3", ["3 6"]),
    (b"1", ["1 1"]), (b"1\r", ["1 1"]), (b"1,2\r", ["1 1", "1 2"]),
    # blank lines are not records, wherever they are
    (b"\n\n1\n\n\n2\n\n", ["2 3"]), (b"\r\n1\r\n\r\n2\r\n\r\n", ["2 3"]),
    (b"\n\r\n1,2\n\r\n\n3,4", ["2 4", "2 6"]), (b"1\n\r", ["1 1"]),
    # but a line with a field is one
    (b"1\n \n2\n", ["2 3"]), (b'1\n""\n2\n', ["2 3"]),
    (b"1\n\t\n", ["1 1"]),
    # the last field of the last line
    (b"1,2\n3,", ["2 4", "1 2"]), (b"1,2\n,", ["1 1", "1 2"]),
    (b"1,2\n3,4", ["2 4", "2 6"]), (b'1,2\n3,""', ["2 4", "1 2"]),
    # quotes
    (b'"1","2"\n', ["1 1", "1 2"]), (b'"1"\r\n"2"\r\n', ["2 3"]),
    (b'"1"\n"2"', ["2 3"]), (b'"1"\r', ["1 1"]),
    (b'1,"a,b",2\n3,"c\nd",4\n', ["2 4", "2 6"]),
    (b'1,"a\r\n,\n",2\n3,"",4\n', ["2 4", "2 6"]),
    (b'1,"say ""1,2""",2\n', ["1 1", "1 2"]),
    (b'1,"""",2\n3,"""""",4\n', ["2 4", "2 6"]),
    (b'1,"\n",2\n', ["1 1", "1 2"]),
    (b'1,"a""\n""b,",2\n', ["1 1", "1 2"]),
    # a quote that is not a field's first byte is data
    (b'1,a"b,2\n', ["1 1", "1 2"]), (b'1,a",2\n3,"b",4\n', ["2 4", "2 6"]),
    (b'1, "a,2\n', ["1 1", "1 2"]), (b'1,""",",2\n', ["1 1", "1 2"]),
    (b'1,5",2\n3,6",4\n', ["2 4", "2 6"]), (b"1,'a,2\n", ["1 1", "1 2"]),
    # text after a closing quote belongs to the field, without quotes
    (b'1,"a"b,2\n', ["1 1", "1 2"]), (b'1,"a" ,2\n', ["1 1", "1 2"]),
    (b'1,"a"b"c,2\n', ["1 1", "1 2"]), (b'1,"a"b"\n3,"c\nd"\n', ["2 4"]),
    (b'1,"a" "b,2\n', ["1 1", "1 2"]), (b'1,""b"",2\n', ["1 1", "1 2"]),
    # a CR elsewhere is data
    (b"1,a\rb,2\n", ["1 1", "1 2"]), (b"1,a\r\r\n3,b\n", ["2 4"]),
    (b'1,"a"\r,2\n', ["1 1", "1 2"]), (b"1,\r,2\n", ["1 1", "1 2"]),
    (b'1,"a\r","\r\n"\n2,b,c\n', ["2 3"]), (b"1,\ra\n", ["1 1"]),
    # all bytes can be data
    (b"1,\0,2\n", ["1 1", "1 2"]), (b"1,a\0b,2\n", ["1 1", "1 2"]),
    (b"1,\xff\xfe,2\n", ["1 1", "1 2"]), (b'1,"\xc3",2\n', ["1 1", "1 2"]),
    (b"1,\x1a,2\n3,\x04,4\n", ["2 4", "2 6"]),
    (b"1,\\,2\n", ["1 1", "1 2"]), (b'1,"\\",2\n', ["1 1", "1 2"]),
    (b"1,#a,2\n", ["1 1", "1 2"]), (b"1,\xe2\x80\xa8,2\n", ["1 1", "1 2"]),
    # a byte order mark is skipped, once
    (b"\xef\xbb\xbf1,2\n", ["1 1", "1 2"]), (b'\xef\xbb\xbf"1",2', [
        "1 1", "1 2"]), (b"\xef\xbb\xbf\n1\n", ["1 1"]),
], ids=repr)
def test_good(put, data, want):
    assert sums(put, data, "--header", "no") == want


@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
@pytest.mark.parametrize("skipped", [b"", b"#1,2", b'#"', b"# a\n\n#"])
def test_first_cells_after_skipped_lines(put, skipped, end):
    """The first cell of a record starts after the lines between records."""
    lines = [b"1,2,7", skipped, b" -3 ,4,8", b'"5",6,"9"', skipped, skipped,
             b",0.5,1", skipped, b"2.25,,0"]
    data = b"".join(line + end for line in lines)
    args = ["--header", "no", *(["--comment", "#"] * (b"#" in skipped))]
    assert sums(put, data, *args) == ["4 5.25", "4 12.5", "5 25"]
    path = put("t.csv", data)
    assert ok(*args, "--by", "1", "-c", "3", "-o", "sum", path) == \
        "1\tsum(3)\n-3\t8\n1\t7\n2.25\t0\n5\t9\n\t1\n"
    assert ok(*args, "-c", "1", "-o", "sum,argmax", "--where", "$1 > 1",
              path) == "sum\t7.25\nargmax\t2\n"
    fails(1, *args, "-c", "1", put("u.csv", data + skipped + end + b"x1,1,1" + end),
          says=":%d:1: not a number: 'x1'" % (1 + (data + skipped + end).count(b"\n")))
    fails(1, *args, put("v.csv", data + b"1,2" + end), says="2 fields")


@pytest.mark.parametrize("delimiter", [";", "|", " ", "\x01", ":", "\\", "x",
                                       "0", "-", "'", "\x7f", "\udcff", "\t",
                                       "\\t"])
def test_delimiters(put, delimiter):
    """Any single byte can delimit; a comma is then ordinary."""
    byte = b"\t" if delimiter == "\\t" else delimiter.encode(
        "utf-8", "surrogateescape")
    data = byte.join([b"1", b'"2' + byte + b'"', b"a,b", b"4"]) + b"\n"
    data += byte.join([b"5", b"", b'","', b"8"]) + b"\n"
    for arg in ["-d", delimiter], ["--delimiter", delimiter]:
        assert sums(put, data, *arg, "--header", "no", "-c", "1,4") == [
            "2 6", "2 12"]
    tsv = put("t.tsv", data)
    assert ok("-d", delimiter, "--header", "no", "-c", "4", "-o", "sum",
              tsv) == "12\n"


def test_tsv(put):
    data = b'a\tb\n1\t"2\t"\n 3 \t4\n'
    assert sums(put, data, "-c", "a", name="t.tsv") == ["2 4"]
    assert ok("-f", "tsv", "-o", "sum", "-c", "a", put("t", data)) == "4\n"
    assert ok("-f", "csv", "-d", "\t", "-o", "sum", "-c", "a",
              put("t", data)) == "4\n"
    assert ok("-f", "csv", "-d", "\\t", "-o", "sum", "-c", "a",
              put("t.tsv", data)) == "4\n"


def test_blanks_between_delimiters_that_are_blanks(put):
    data = b"1  2\n3 x 4\n 5 \n"
    assert sums(put, data, "-d", " ", "--header", "no", "-c", "1,3") == [
        "2 4", "2 6"]


@pytest.mark.parametrize("text", ["  \n1 2\n3 4\n", "1 2\n \t\n3  4\n",
                                  " \r\n1 2\r\n \r\n3 4\r\n"])
@pytest.mark.parametrize("option", [[], ["-d", "blank"]])
def test_lines_of_blanks_are_blank_lines(put, text, option):
    assert ok("-f", "csv", *option, "-o", "sum", put("t.txt", text.encode())) == (
        "column\tsum\n1\t4\n2\t6\n")


def test_places_after_runs_of_blanks(put):
    """Columns count the bytes of the file, blanks too."""
    data = b"a  b\n1   2\n3      x\n"
    assert place(put, data, "-d", "blank", "-c", "b")[0] == "3:8"


# Errors and their places.

def place(put, data, *args, says=(), name="t.csv"):
    path = put(name, data)
    result = same_everywhere(path, data, [*args, "-o", "sum"], **CUTS)
    assert_failed(result, 1, says)
    match = PLACE.match(result.err)
    assert match and match[1] == path, result
    return f"{match[2]}:{match[3]}", match[4]


@pytest.mark.parametrize("data,line,got,want", [
    (b"1,2\n3\n", 2, 1, 2), (b"1,2\n3,4,5\n", 2, 3, 2), (b"1\n2,3", 2, 2, 1),
    (b"1,2\n\n\n3", 4, 1, 2), (b"1,2\n \n", 2, 1, 2), (b'1,2\n""', 2, 1, 2),
    (b"a,b\n1\n", 2, 1, 2), (b"1,2\n3,4,", 2, 3, 2),
    (b'1,"\n\n"\n2\n', 4, 1, 2), (b"1,2\r\n3\r\n4,5\r\n", 2, 1, 2),
    (b'1,2\n"x,4"\n', 2, 1, 2), (b'1,2\n"3"",4"\n', 2, 1, 2),
    (b"1,2\n3,4\r\r\n5\n", 3, 1, 2), (b"\n\n1,2\n3,4\n5,6,7\n", 5, 3, 2),
    (b"1,2\n3\r4,5,6\n", 2, 3, 2),
    (b"1," * 9 + b"1\n" + b"1," * 8 + b"1\n", 2, 9, 10)], ids=repr)
def test_ragged(put, data, line, got, want):
    """Ragged records are never shifted, padded or skipped, also not with --bad
    skip."""
    for args in [], ["--bad", "skip"], ["-c", "1"], ["-c1", "--bad=skip"]:
        at, text = place(put, data, *args)
        assert at.split(":")[0] == str(line), (at, text)
        for count in got, want:
            assert re.search(rf"\b{count}\b", text), text


def test_a_word_above_a_wider_table(put):
    """A title above a table. With -c its word is the first error. Without -c
    no column is numeric, and the ragged record explains why."""
    data, says = b"a\n1,2\n", "--skip-lines 1"
    for args in [], ["--bad", "skip"], ["-c1", "--bad=skip"]:
        assert place(put, data, *args, says=says)[0] == "2:None"
    assert place(put, data, "-c", "1", says=[says, "'a'"])[0] == "1:1"


@pytest.mark.parametrize("data,at", [
    (b'1\n"', "2:1"), (b'1,2\n3,"', "2:3"), (b'1,2\n3,"4\n5,6\n', "2:3"),
    (b'1,2\n3,"4""', "2:3"), (b'1\n"\n\n\n', "2:1"), (b'1\n"2""\n', "2:1"),
    (b'1,"\n"\n3,"x', "3:3"), (b'"\n\n",1\r\n"a\nb","2', "5:4"),
    (b'"', "1:1"), (b'\xef\xbb\xbf"', "1:1"), (b'1,"a\r', "1:3"),
    (b'1,2\n"a""b""', "2:1"), (b'1\n\n\n"2\r\n', "4:1")], ids=repr)
def test_open_quote(put, data, at):
    for args in [], ["--bad", "skip"], ["--header", "no"]:
        assert place(put, data, *args, says="quote")[0] == at


@pytest.mark.parametrize("data,at,text,column", [
    (b"1\nx\n", "2:1", "x", 1), (b"1,2\n3,x\n", "2:3", "x", 2),
    (b"1,2\r\n3,x\r\n", "2:3", "x", 2), (b'1,2\n3,"x"\n', "2:3", "x", 2),
    (b'1,2\n"\n",x\n', "2:1", "\\n", 1), (b'1\n"a""b"\n', "2:1", 'a"b', 1),
    (b"1\n  x \t\n", "2:1", "x", 1), (b'1\n" x "\n', "2:1", "x", 1),
    (b'"1\n1"\n', "1:1", "1\\n1", 1),
    (b'"","1\n",2\n3,x,4', "1:4", "1\\n", 2),
    (b'"","\n\n",2\n3,4,x', "1:4", "\\n\\n", 2),
    (b'"\n","\n",2\n3,4,x', "1:1", "\\n", 1),
    (b'"1"2\n', "1:1", '"1"2', 1), (b'"1"""\n', "1:1", '1"', 1),
    (b'""""\n', "1:1", '"', 1), (b'""1\n', "1:1", '""1', 1),
    (b'"1"2"3"\n', "1:1", '"1"2"3"', 1), (b"1\r2\n", "1:1", "1\\x0d2", 1),
    (b"1\n2\r\r\n", "2:1", "2\\x0d", 1), (b"1\n2\r3", "2:1", "2\\x0d3", 1),
    (b"1\0\n", "1:1", "1\\x00", 1), (b"\xff\n", "1:1", "\\xff", 1),
    (b"gr\xc3\xbc\xc3\x9f\n", "1:1", "gr\u00fc\u00df", 1),
    (b"\xef\xbb\xbfx\n", "1:1", "x", 1), (b"\xef\xbb\xbf1,x", "1:3", "x", 2),
    (b"\xef\xbb\xbf\xef\xbb\xbf1\n", "1:1", "\ufeff1", 1),
    (b"\xef\xbb\xbf1\n2\nx\n", "3:1", "x", 1),
    (b"\n\r\n\nx\n", "4:1", "x", 1), (b"it's\n", "1:1", "it\\'s", 1),
    (b"1\n\x1b[31mred\n", "2:1", "\\x1b[31mred", 1),
    (b"1,5;2\n", "1:1", "1,5", 1),
    (b"1,\xc3\xbc,x", "1:3", "\u00fc", 2), (b"\xc3\xbc\n", "1:1", "\u00fc", 1),
    (b'"\xc3\xbc",1\n"","2\r"\n', "1:1", "\u00fc", 1),
    (b'"",1\n"","2\r"\n', "2:4", "2\\x0d", 2),
    (b"1,2\n3\r,4\n", "2:1", "3\\x0d", 1), (b'2,3\n "a,b"\n', "2:1", '"a', 1),
    ], ids=repr)
def test_bad_cell(put, data, at, text, column):
    got, message = place(put, data, "--header", "no", "-c", "1-")
    assert got == at, message
    message = message.replace(" ' (", "' (")  # a blank may be why
    assert message == f"not a number: '{text}' (column {column})"


def test_only_the_last_cell_goes_to_the_end_of_a_record_of_blanks(put):
    args = ["-d", "blank", "--header", "yes", "--ragged", "pad", "-c"]
    for column, text in ("1", "x"), ("2", "y z"):
        assert place(put, b"a b\n1 2\nx  y z\n", *args, column, name="t.txt")[1] == (
            f"not a number: '{text}' (column {'ab'[int(column) - 1]})")


@pytest.mark.parametrize("quote", ["none", "'"])
def test_other_quotes_are_data(put, quote):
    path = put("t.csv", b"1,2\n" * 60 + b'3,"5"\n' * 40)
    fails(1, "--quote", quote, "-c", "2", "-t", "f64", "-o", "sum", path,
          says=f"{path}:61:3: not a number: '\"5\"' (column 2)")


def test_the_first_of_many(put):
    """First in the file, not in the list of columns and not by kind of
    error."""
    data = b"a,b\n1,2\n3,x\ny,4\n5\n6,\"\n"
    assert place(put, data, "-c", "a,b")[0] == "3:3"
    assert place(put, data, "-c", "b,a")[0] == "3:3"
    assert place(put, data, "-c", "a")[0] == "4:1"
    assert place(put, data, "--bad", "skip", "-c", "a")[0].startswith("5:")
    assert place(put, data.replace(b"5\n", b""), "--bad", "skip", "-c",
                 "a")[0] == "5:3"
    both = b"a,b\n1,2\nx,y\n"
    assert place(put, both, "-c", "b,a")[0] == "3:1"
    ragged = b"a,b\n1,2\nx,y,z\n"
    assert "not a number" not in place(put, ragged, "-c", "a")[1]


def test_long_text_is_cut(put):
    message = place(put, b"x" * 50000 + b"\n", "--header", "no", "-c", "1")[1]
    assert len(message) < 1200 and "..." in message, message
    for n, end in (80, ""), (81, "..."):
        message = place(put, b"x" * n + b"\n", "--header", "no", "-c", "1")[1]
        assert message == f"not a number: '{'x' * 80}'{end} (column 1)"
    # Quotes are undone, even where the text is cut before the last one.
    data = b'a,b\n"  ' + b'a"",' * 100 + b'",1\n3,4\n'
    shown = ('a",' * 27)[:80]
    assert place(put, data, "-c", "1") == (
        "2:1", f"not a number: '{shown}'... (column a)")


def test_unwanted_columns_are_not_judged(put):
    data = b'a,b\n1,x\n2,"1"9\n3,\xff\n'
    assert sums(put, data, "-c", "a", "--missing", "error") == ["3 6"]


@pytest.mark.parametrize("data", [b"", b"\n", b"\r\n\n", b"\r",
                                  b"\xef\xbb\xbf", b"\xef\xbb\xbf\n"])
def test_empty_files(put, data):
    """Without records nothing is counted."""
    for op in "rows", "count", "sum":
        result = same_everywhere(put("t.csv", data), data, ["-o", op], **CUTS)
        assert (result.rc, result.out) == (0, "0\n"), result
    fails(1, "-o", "max", put("t.csv", data), says="--empty identity")
    result = run("-c", "price", "-o", "count", put("t.csv", data))
    assert_failed(result, 2 if result.rc == 2 else 1)


def test_header_only(put):
    for data in b"a,b\n", b"a,b", b"a,b\r\n\r\n", b"\xef\xbb\xbfa,b\n":
        path = put("t.csv", data)
        assert ok("-c", "b", "-o", "count", path) == "0\n"
        assert ok("-c", "b", "-o", "sum", path) == "0\n"
        assert ok("-o", "rows", path) == "0\n"
        assert ok("-o", "sum", path) == "column\tsum\na\t0\nb\t0\n"
        fails(1, "-c", "b", "-o", "max", path, says="--empty identity")
        assert ok("-c", "a", "-o", "max", "--empty", "identity",
                  path) == "-inf\n"
