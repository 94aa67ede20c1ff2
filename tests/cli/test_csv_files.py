# SPDX-License-Identifier: MIT
"""Several files: columns by name, indexes across files, a table for each
file."""

import itertools
import os

import pytest

import csv_make
import csv_oracle
from csv_check import arguments, assert_answer, rows_of
from csv_oracle import Options
from harness import Feeder, fails, ok, run

A = b"price,qty\n1,10\n,20\n4,30\n"
B = b"qty,name,price\n40,x,-2\n\n50,y,NA"
C = b"\xef\xbb\xbf\nprice\r\n8\r\n"


@pytest.fixture
def abc(put):
    return [put(f"{n}.csv", d) for n, d in zip("abc", (A, B, C))]


CUTS = [["--chunk-size", chunk, "-j", jobs]
        for chunk, jobs in itertools.product(("1", "3", "1M"), ("1", "4"))]


def same(*args):
    want = ok(*args)
    for cut in CUTS:
        assert ok(*args, *cut) == want, cut
    return want


def test_columns_are_found_by_name(abc):
    a, b, c = abc
    assert same("-c", "price", "-o", "sum", a, b, c) == "11\n"
    assert same("-c", "price", "-o", "sum", c, b, a) == "11\n"
    assert same("-c", "price,qty", "-o", "sum,count", a, b) == (
        "column\tsum\tcount\nprice\t3\t3\nqty\t150\t5\n")
    assert same("-c", "qty,price", "-o", "sum", b, a) == (
        "column\tsum\nqty\t150\nprice\t3\n")
    # if the files have headers, a number, too, selects a name
    assert same("-c", "1", "-o", "sum", a, b) == "3\n"
    assert same("-c", "1", "-o", "sum", b, a) == "150\n"


def test_the_same_names_in_other_places(put):
    first = put("a.csv", b"a,b,x\n1,2,3\n")
    for other in b"a,x,b\n4,9,8\n", b"x,b,a\n9,8,4\n", b"a,b,y\n4,8,9\n":
        assert ok("-c", "a,b", "-o", "sum", first, put("b.csv", other)) == (
            "column\tsum\na\t5\nb\t10\n")


def test_a_name_that_occurs_twice_keeps_its_place(put):
    files = put("a.csv", b"a,a,b\n1,2,3\n"), put("b.csv", b"a,b,a\n1,9,2\n")
    assert ok("-c", "1,3", "-o", "sum", *files) == "column\tsum\na\t2\nb\t12\n"
    fails(2, "-c", "2,3", "-o", "sum", *files, says="b.csv': column name 'a' is "
          "ambiguous; select it by number: 1 or 3\n")


def test_default_columns_are_those_of_the_first(abc):
    a, b, c = abc
    want = "column\tsum\tcount\nprice\t3\t3\nqty\t150\t5\n"
    assert same("-o", "sum,count", a, b) == want
    got = run("-o", "sum", c, a, b)
    assert (got.rc, got.out) == (0, "11\n")
    assert got.err.splitlines() == [
        f"gpureduce: {a}: column 'qty' is left out: the first file has no such column of "
        "numbers", "gpureduce: ... and 1 more file likewise"]


def test_a_file_is_counted_once_whatever_it_leaves_out(put):
    files = [put(f"{n}.csv", b"a,b,c\n1,2,3\n5,6x,7x\n8,9,1\n") for n in "xyz"]
    got = run("-o", "sum", "--per-file", *files)
    assert (got.rc, got.err.splitlines()) == (0, [
        f"gpureduce: {files[0]}: column '{name}' is left out: '{cell}' on line 3 is not "
        "a number" for name, cell in (("b", "6x"), ("c", "7x"))] + [
            "gpureduce: ... and 2 more files likewise"])


@pytest.mark.parametrize("first, other, args, left", [
    (b"a,b\n1,2\n", b"b,c,a\n1,9,2\n", [], "'c' is"),
    (b"a,b\n1,2\n", b"d,b,c,a\n1,9,2,3\n", [], "'d' and others are"),
    (b"a,b\n1,2\n", b"b,c,a\n1,x,2\n", [], None),
    (b"a,b\n1,2\n", b"b,c,a\n1,9,2\n1,x,2\n1,y,2\n", [], None),
    (b"a,b\n1,2\n", b"b,c,a\n1,9,2\n", ["-c", "a"], None),
    (b"a,b\nfoo,2\n", b"a,b\n1,2\n3,4\n", [], "'a' is"),
    (b"a,b\nfoo,2\n", b"a,b\n1,2\n3,4\n", ["-x", "a"], None),
    (b"a,b\nfoo,2\n", b"a,b\n1,2\n3,4\n", ["--by", "a"], None),
    (b"a,b,c\n1,2,x\n", b"b,c,a\n1,9,2\n", ["-x", "b"], "'c' is"),
    (b",a\n0,5\n1,6\n", b",a\n0,7\n1,8\n", [], None),
    (b"1,2\n3,4\n", b"5,6,7\n", [], "'3' is"),
    (b"", b"5,6,7\n", [], None),
])
def test_columns_that_only_further_files_have(put, first, other, args, left):
    files = put("a.csv", first), put("b.csv", other)
    got = run("-o", "sum", *args, *files)
    assert got.rc == 0
    assert got.err == (f"gpureduce: {files[1]}: column {left} left out: the first file "
                       "has no such column of numbers\n" if left else "")


def test_a_first_file_without_columns_proves_no_header(put):
    files = put("a.csv", b"a,b\nx,y\n"), put("b.csv", b"5,6\n7,8\n")
    assert run("--map", "1", "-o", "sum", *files).out == "3\n"


def test_names_of_digits_are_a_header_where_the_first_file_has_them(put):
    a = put("a.csv", b"id,2019,2020\nx,1,2\ny,3,4\n")
    got = run("-q", "-o", "sum", a, put("b.csv", b"2019,2020\n5,6\n"))
    assert got.out == "column\tsum\n2019\t9\n2020\t12\n", got
    fails(2, "-q", "-o", "sum", a, put("c.csv", b"2019,2021\n5,6\n"),
          says="there is no column '2020' (it has 2 columns without a header)")


def test_a_name_that_is_not_there(abc):
    a, b, c = abc
    for files in (a, c), (a, b, c):
        result = run("-c", "qty", "-o", "sum", *files)
        assert result.rc in (1, 2) and result.out == "", result
        assert f"'{c}'" in result.err and "qty" in result.err, result


def test_indexes_continue_across_files(abc):
    """Records count with or without a value; headers and blank lines do
    not."""
    a, b, c = abc
    assert same("-c", "price", "-o", "argmin,argmax", a, b, c) == (
        "argmin\t3\nargmax\t5\n")
    assert same("-c", "price", "-o", "argmin,argmax", b, c, a) == (
        "argmin\t0\nargmax\t2\n")
    assert same("-c", "qty", "-o", "argmax", a, b) == "4\n"


def test_indexes_with_missing_and_bad_cells(put):
    a = put("a.csv", b"v,w\n,5\nx,6\nNA,7\n2,8\n")
    b = put("b.csv", b"v,w\ny,5\n\n,4\n1,9\n")
    args = ["--bad", "skip", "-c", "v,w", "-o", "argmin,argmax"]
    assert same(*args, a) == "column\targmin\targmax\nv\t3\t3\nw\t0\t3\n"
    assert same(*args, a, b) == "column\targmin\targmax\nv\t6\t3\nw\t5\t6\n"
    assert same(*args, b, a) == "column\targmin\targmax\nv\t2\t6\nw\t1\t2\n"
    assert same(*args, "--per-file", a, b) == (
        "file\tcolumn\targmin\targmax\n"
        f"{a}\tv\t3\t3\n{a}\tw\t0\t3\n{b}\tv\t2\t2\n{b}\tw\t1\t2\n")


def test_each_of_three_files_has_its_count_of_bad_cells(put):
    files = [put(f"{n}.csv", b"v\n1\n" + b"x\n" * n) for n in range(1, 6)]
    args = ["--bad", "skip", "-c", "v", "--per-file", "-o", "count"]
    err = run(*args, *files).err
    assert err == "".join(
        f"gpureduce: {file}: skipped {n} bad cell{'s'[:n > 1]}\n"
        for n, file in enumerate(files[:3], 1)) + (
            "gpureduce: ... and 2 more files likewise\n")
    assert run(*args, *files[:2]).err == "".join(err.splitlines(True)[:2])


def test_no_headers_goes_by_number(put):
    a, b = put("a.csv", b"1,2\n3,4\n"), put("b.csv", b"10,20\n30,40")
    assert same("-o", "sum", a, b) == "column\tsum\n1\t44\n2\t66\n"
    assert same("-c", "2", "-o", "sum,argmax", a, b) == "sum\t66\nargmax\t3\n"


def test_only_one_with_a_header_goes_by_number(put):
    a, b = put("a.csv", b"x,y\n1,2\n"), put("b.csv", b"10,20\n30,40\n")
    assert same("-c", "y", "-o", "sum", a, b) == "62\n"
    assert same("-c", "2", "-o", "sum", b, a) == "62\n"
    assert same("-o", "sum", a, b) == "column\tsum\nx\t41\ny\t62\n"


def test_files_may_differ_in_width_and_delimiter(put):
    a = put("a.csv", b"v,w\n1,2\n")
    b = put("b.tsv", b"u\tw\tt\tv\nx\t4\ty\t8\n")
    assert same("-c", "v,w", "-o", "sum", a, b) == "column\tsum\nv\t9\nw\t6\n"


def test_records_do_not_span_files(put):
    a, b = put("a.csv", b"1\n2"), put("b.csv", b"3\r"), 
    c, d = put("c.csv", b"\n\r\n4"), put("d.csv", b"\xef\xbb\xbf5")
    assert same("-o", "sum,count", a, b, c, d, a) == "sum\t18\ncount\t7\n"
    torn = put("open.csv", b'1\n"2'), put("closed.csv", b'x"\n3\n')
    fails(1, "-o", "sum", *torn, says=f"{torn[0]}:2:1: ")


def test_header_only_adds_nothing(put, abc):
    empty = put("h.csv", b"qty,price\n")
    assert same("-c", "price", "-o", "sum,argmax", abc[0], empty, abc[1],
                abc[2]) == "sum\t11\nargmax\t5\n"
    assert same("-c", "price", "-o", "sum", empty, abc[0]) == "5\n"


def test_errors_name_their_file_and_line(put, abc):
    bad = put("bad.csv", b"price\n1\nx\n")
    worse = put("worse.csv", b"price\ny\n")
    for files in ([bad], [abc[0], bad], [*abc, bad, worse],
                  [abc[0], bad, abc[1], worse]):
        for cut in [[], *CUTS]:
            fails(1, *cut, "-c", "price", "-o", "sum", *files, says=(
                f"gpureduce: {bad}:3:1: not a number: 'x' (column price)"))
    fails(1, "-c", "price", "-o", "sum", "--per-file", abc[0], bad,
          says=f"{bad}:3:1: ")
    assert same("-c", "price", "--bad=skip", "-o", "sum", bad, worse,
                abc[0]) == "6\n"


def test_standard_input_among_them(abc):
    a, b, c = abc
    for files in ([a, "-", c], ["-", c, a]):
        assert ok("-f", "csv", "-c", "price", "-o", "sum", *files,
                  stdin=B) == "11\n"
    assert ok("-f", "csv", "-c", "price", "-o", "sum", stdin=B) == "-2\n"


def test_verbose_counts(abc):
    result = run("-v", "-c", "price,qty", "-o", "sum", *abc[:2])
    assert result.rc == 0, result
    assert rows_of(result.err) == {"price": (5, 3, 2, 0),
                                   "qty": (5, 5, 0, 0)}
    result = run("-v", "-c", "1", "-o", "sum", "--bad=skip", "--header=no",
                 abc[0])
    assert rows_of(result.err) == {"1": (4, 2, 1, 1)}


def test_a_first_file_without_records(put, abc, tmp_path):
    """The first file that has records decides the columns."""
    empty = put("e.csv", b"\n")
    want = ok("-o", "sum,rows", *abc[:2])
    assert same("-o", "sum,rows", empty, *abc[:2], empty) == want
    assert same("-o", "rows,sum", empty, empty) == "rows\t0\nsum\t0\n"
    result = run("-o", "sum,rows", "--per-file", empty, abc[2])
    assert result.out.splitlines()[1] == f"{empty}\t0\t0"
    # also if that file is a FIFO opened at its turn
    fifo = str(tmp_path / "f.csv")
    os.mkfifo(fifo)
    fails(1, "-o", "sum", empty, fifo, says=[empty, fifo, "after the pipe"])
    # a file with only names does not decide which columns are numeric
    names = put("n.csv", b"a,b\n")
    fails(1, "-o", "sum", names, fifo, says=[names, fifo, "after the pipe"])
    # columns that are asked for are known anyway
    Feeder(fifo, b"b,a\nx,2\ny,4\n")
    assert ok("-o", "mean", "-c", "a", names, fifo) == "3\n"


def test_an_empty_first_file(put):
    """Columns are found in the first file that has a record, wherever it is."""
    a = put("a.csv", b"a,b\n5,x\n1,y\n")
    for none in put("0.csv", b""), put("1.csv", b"\n"):
        for args, out in ((["-c", "a", "-o", "sum"], "6\n"),
                          (["--by", "b", "-o", "sum"], "b\tsum(a)\nx\t5\ny\t1\n"),
                          (["--where", "a > 1", "-o", "rows"], "1\n"),
                          (["--weights", "a", "-c", "a", "-o", "sum"], "26\n"),
                          (["-x", "b", "-o", "sum"], "column\tsum\na\t6\n")):
            for files in [none, a], [a, none], [none, none, a, none]:
                assert ok(*args, *files) == out, (args, files)
        fails(2, "-c", "a", "-o", "sum", none, none, says="no column 'a'")
        head = put("h.csv", b"a,b\n")
        for args in (["--weights", "a", "-c", "b", "-o", "sum"], ["--by", "a", "-o",
                     "rows"], ["-c", "b,a", "-o", "sum"], ["--json", "-c", "a"]):
            assert run(*args, none, head).out.replace('"files":2', '"files":1'
                ).replace('"bytes":1', '"bytes":0') == run(*args, head).out
        fails(2, "--per-file", "-c", "a", "-o", "sum", none, a, says="no column 'a'")


def test_a_column_with_values_in_a_later_file_only(put):
    a, b = put("a.csv", b"a,b\n1,\n2,\n"), put("b.csv", b"a,b\n3,4\n")
    got = run("-o", "sum", a, b)
    assert got.out == "column\tsum\na\t6\n"
    assert "column 'b' is left out: the first 2 records have no value" in got.err
    assert ok("-o", "sum", b, a) == "column\tsum\na\t6\nb\t4\n"
    assert run("-o", "sum", a).err == ""


def test_kinds_of_columns_are_those_of_the_first_file(put):
    """With --per-file, too: else bad cells would become texts, in silence."""
    a, b = put("a.csv", b"c,v\n1,1\n2,2\n"), put("b.csv", b"v,c\n3,abc\n4,NA\n")
    for more in [], ["--per-file"]:
        fails(1, *more, "-c", "c", "-o", "count,n_missing", a, b,
              says=":2:3: not a number: 'abc' (column c)")
    a = put("a.csv", b"c,v\nA1,1\nB2,2\nC3,3\n")
    b = put("b.csv", b"c,v\n01,1\n1,2\n1.0,5\n")
    args = ["-c", "c", "-o", "nunique,mode,first"]
    assert ok("--per-file", *args, a, b) == (
        f"file\tnunique\tmode\tfirst\n{a}\t3\tA1\tA1\n{b}\t3\t01\t01\n")
    twice = put("t.csv", b"a,a\nx,01\ny,1\nz,1.0\n")
    assert ok("--per-file", "-c", "1,2", "-o", "nunique", twice, twice) == (
        "file\tcolumn\tnunique\n" + f"{twice}\ta\t3\n{twice}\ta\t1\n" * 2)
    headless = put("h.csv", b"x,1\ny,2\n"), put("i.csv", b"7,1\n07,2\n")
    assert ok("--per-file", "--header", "no", "-c", "1", "-o", "nunique",
              *headless).endswith("\t2\n")


def test_pipes_have_the_columns_of_the_first(put, tmp_path):
    """This holds if the first file has only names, and if each pipe is opened
    late."""
    first = put("n.csv", b"a,b,c\n")
    for head, says in ((b"c,b\n1,2\n", "'a'"), (b"a,b\n1,2\n", "'c'")):
        fifo = str(tmp_path / "f.csv")
        os.mkfifo(fifo)
        Feeder(fifo, head)
        fails(2, "-o", "sum", "-c", "1-", first, fifo, says=[fifo, says])
        os.unlink(fifo)
    fifos = [str(tmp_path / name) for name in ("p.csv", "q.csv")]
    for fifo, text in zip(fifos, (b"b,c,a\n1,2,x\n", b"a,b,c\n4,8,16\n")):
        os.mkfifo(fifo)
        Feeder(fifo, text)
    assert ok("-o", "sum", "-c", "b,c", first, *fifos) == \
        "column\tsum\nb\t9\nc\t18\n"


def test_per_file_with_pipes(put, tmp_path):
    """Each pipe is opened, and may be refused, when its turn comes."""
    first, raw = put("a.csv", b"a,b\n1,2\n"), put("a.f64", bytes(16))
    pipe = str(tmp_path / "pipe")
    os.mkfifo(pipe)
    Feeder(pipe, b"c,a\n5,7\n9,1\n")
    assert ok("--per-file", "-o", "sum", first, pipe) == (
        f"file\tcolumn\tsum\n{first}\ta\t1\n{first}\tb\t2\n"
        f"{pipe}\tc\t14\n{pipe}\ta\t8\n")
    for args, data, says in [
            (["--skip-bytes", "8", "-o", "sum", raw], b"a\n1\n2\n",
             "--skip-bytes is for raw data"),
            (["-o", "cov", first], bytes(8), "cov and corr need two columns"),
            (["--axis", "0", "--shape", "2", "-O", "json", "-o", "sum", raw],
             b"a\n1\n2\n", "--axis is for arrays, and this is text"),
            (["--assert", "max(b) < 9", "-o", "sum", first], b"c\n1\n",
             "max(b): this column is not one of those reduced")]:
        Feeder(pipe, data)
        fails(2, "--per-file", *args, pipe, says=[pipe, says])


def test_per_file(put, abc):
    a, b, c = abc
    assert same("--per-file", "-c", "price", "-o", "sum,argmax", a, b, c) == (
        f"file\tsum\targmax\n{a}\t5\t2\n{b}\t-2\t0\n{c}\t8\t0\n")
    assert same("--per-file", "-c", "qty,price", "-o", "sum", a, b) == (
        f"file\tcolumn\tsum\n{a}\tqty\t60\n{a}\tprice\t5\n"
        f"{b}\tqty\t90\n{b}\tprice\t-2\n")
    # a single file is named, too
    assert ok("--per-file", "-c", "price", "-o", "sum", a) == (
        f"file\tsum\n{a}\t5\n")
    assert ok("-o", "sum", a) == "column\tsum\nprice\t5\nqty\t60\n"
    # the summary: a line for each op, and the names again where they change
    lines = ok("--per-file", a, b, c).splitlines()
    heads = [line for line in lines if line.startswith("file")]
    assert heads == ["file\top\tprice\tqty", "file\top\tqty\tprice",
                     "file\top\tprice"]
    assert lines[1] == f"{a}\trows\t3\t3" and len(lines) == 30
    lines = ok("--per-file", a, a).splitlines()
    assert lines[0] == heads[0] and len(lines) == 19
    d = put("d.csv", b"price,weight\n1,2\n")
    lines = ok("--per-file", a, d).splitlines()
    assert lines[0] == heads[0] and "file\top\tprice\tweight" in lines


def test_per_file_of_other_headers(put):
    """Without -c each file has its own columns."""
    x, y, xz = (put(name, data) for name, data in (
        ("x.csv", b"x\n1\n2\n"), ("y.csv", b"y\n3\n"),
        ("xz.csv", b"z,x\n1,2\n")))
    rows = {x: f"{x}\tx\t3\n", y: f"{y}\ty\t3\n",
            xz: f"{xz}\tz\t1\n{xz}\tx\t2\n"}
    for files in itertools.permutations(rows):
        assert same("--per-file", "-o", "sum", *files) == \
            "file\tcolumn\tsum\n" + "".join(map(rows.get, files))
    fails(2, "-o", "sum", x, y, says=["y.csv", "no column 'x'"])


def test_per_file_is_all_or_nothing(put, abc):
    bad = put("bad.csv", b"price\n1,2\n")
    for files in ([abc[0], bad], [bad, abc[0]], [*abc, bad]):
        fails(1, "--per-file", "-c", "price", "-o", "sum", *files,
              says=f"{bad}:2")


@pytest.mark.parametrize("n", range(6))
def test_drawn_files_as_one(put, n):
    """One dataset, cut into files with a header each, gives the same
    result."""
    rnd = csv_make.rnd_of("files", n)
    kinds, args = "nnn", ["count", "sum", "min", "argmin", "argmax", "prod"]
    options = Options(columns=[2, 0], header="yes", bad="skip")
    files, answers = [], []
    for k in range(4):
        table = [[b"a", b"b", b"c"]]
        table += [csv_make.row(rnd, kinds, (9, 0, 2, 2, 0), b",")
                  for _ in range(rnd.randrange(1, 9))]
        data = csv_make.lines(rnd, table, b",")
        files.append(put(f"{k}.csv", data))
        answers.append(csv_oracle.evaluate(data, options))
    answer = csv_oracle.join(answers)
    command = [*arguments(options), "-o", ",".join(args), *files]
    for cut in [[], *CUTS]:
        assert_answer(run(*command, *cut), answer, options, args)


@pytest.mark.parametrize("data", [b"1\r2\r3\n", b"v\r1\r2\r3\r\n", b"a\r\r\n"])
def test_a_header_alone_with_cr(data):
    """One LF after lines that end with CR makes all of them one header."""
    for args in ["-o", "sum"], ["-o", "rows"], ["-c", "1", "-o", "sum"], ["-c", "x"]:
        fails(1, *args, stdin=data, says="its only record has a CR")


def test_a_header_alone_below_a_comment(put):
    path = put("a.csv", b"# c\ra,b\r")
    assert ok("--comment", "#", "-o", "sum", path) == "column\tsum\na\t0\nb\t0\n"


@pytest.mark.parametrize("args", [["--by", "1", "-o", "sum"], ["--by", "1", "-o", "rows"],
                                  ["-c", "a"]])
def test_raw_data_have_no_columns(put, args):
    """That they are not text says more than that a column is missing."""
    fails(1, *args, put("b.dat", b"\0\0\x80?" * 2), says="is not text")
