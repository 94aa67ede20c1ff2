# SPDX-License-Identifier: MIT
"""Which record is the header, what columns are called, and which are used."""

import pytest

from csv_check import rows_of
from harness import fails, ok, run

TABLE = (b"price,qty,name,note,tax\n1,10,oak,,0.5\n2,20,elm,NA,0.25\n"
         b"4,NA,ash,,\n")


@pytest.fixture
def table(put):
    return put("table.csv", TABLE)


def rows(out):
    """Returns a table's rows: the name and the values as one text each."""
    head, *lines = out.splitlines()
    assert head.startswith("column\t"), out
    return [line.replace("\t", " ") for line in lines]


@pytest.mark.parametrize("first,header", [
    (b"a,b", True), (b'"a","b"', True), (b"a b,\xff", True), (b"a,1x", True),
    (b"a,1_0", True), (b"a,0x10", True), (b"a,--1", True), (b"na,null?", True),
    (b"a,1 2", True), (b"a,e5", True), (b"a,.", True), (b'a,"1"2', True),
    # a word over numbers, whatever is beside it
    (b"a,2", True), (b"1,b", True), (b'a,"2"', True), (b"a, 2 ", True),
    (b"a,2.", True), (b"a,1e5", True), (b"a,inf", True), (b"a,NaN", True),
    (b"a,", True), (b",b", True), (b'a,""', True), (b"a,NA", True),
    (b'a,"N/A"', True), (b"a,1e999", True), (b"a,-", True),
    # a quoted number over plain ones
    (b'"1","2"', True), (b'"2019",2020', True),
    # no words
    (b"7,5", False), (b"1,2.5", False), (b"5,", False), (b",", False),
    (b"2024-01-03,5", False), (b"-,5", False), (b"$5,6", False)], ids=repr)
def test_auto(put, first, header):
    """Whether the first of several records is a header, if the others are
    numbers."""
    path = put("t.csv", first + b"\n7,8\n9,10\n")
    result = run("-v", "-d", ",", "-c", "2", "--bad", "skip", "-o", "count",
                 path)
    assert result.rc == 0, result
    ((_, counts),) = rows_of(result.err).items()
    assert counts[0] == (2 if header else 3), result


NAMES = "the first record is taken for names"
DATA = "the first record is taken for data"


@pytest.mark.parametrize("data,op,says", [
    (b"country,2019,2020\nFR,5,6\nDE,7,8\n", "sum", NAMES),
    (b"0,1,2\n.5,.2,1\n", "sum", NAMES), (b"0,1,2\n5,9,1\n", "sum", DATA),
    (b"unknown,17\n404,3\n500,9\n", "rows", NAMES),
    (b"MT,5000\nX,300\n1,200\n2,100\n", "sum", None),
    (b"oak,5\n", "sum", DATA), (b"a\nb\n", "rows", DATA),
    (b"a,b\nc,d\n", "rows", NAMES), (b"a,b\nc,1\n", "rows", None),
    (b",a,b\nx,u,v\ny,w,z\n", "rows", DATA),
    (b",0,1,2\n0,.5,.2,1\n1,.3,.4,1\n", "sum", None),
    (b"c,id,2000,2010\nA,x,1,2\nB,y,4,5\n", "sum", DATA),
    (b"c,2021,2020\nA,1,2\nB,4,5\n", "sum", DATA),
    (b"c,2000,1990\nA,2001,1980\n", "sum", None),
    (b"c,2000,3\nA,1,2\n", "sum", None), (b"Al,1950,2010\nBo,1960,\n", "sum", None),
    (b"c,2000,1990\nA,,.5\n", "sum", DATA), (b"NA,5\n1,6\n2,5\n", "sum", None),
    (b",2024-01-01,5\n0,2024-01-02,6\n", "rows", None),
    (b"2021,2019\n1,2\n", "sum", None),
    (b",10,20\n0,1,2\n1,3,4\n", "sum", DATA), (b",10,20\n5,1,2\n", "sum", None),
    (b"FR,1.5,2\nDE,1.6,3\n", "rows", None), (b"1\n2\n3\n", "rows", None),
    (b"2024-01-03,5\n2024-01-04,6\n", "rows", None)], ids=repr)
def test_assumptions_are_noted(put, data, op, says):
    """The note is on stderr, names the option that decides otherwise, and
    --quiet suppresses it."""
    path = put("t.csv", data)
    result = run("-o", op, path)
    assert result.rc == 0, result
    if says is None:
        assert result.err == "", result
        return
    assert result.err.startswith(f"gpureduce: {path}: {says}"), result
    assert result.err.count("\n") == 1 and "--header" in result.err, result
    option = "no" if says is NAMES else "yes"
    assert f"--header {option}" in result.err, result
    assert run("-q", "-o", op, path).err == ""
    assert run("--header", "no", "-o", op, path).err == ""
    out = ok("--explain", "-o", op, path)
    assert out.count(says) == 1, out


@pytest.mark.parametrize("args,says", [
    (["--map", "len($1)", "-o", "sum"], NAMES), (["--map", "1"], NAMES),
    (["--where", "$2 != 'Oslo'", "-c", "1", "-o", "n_missing"], NAMES),
    (["-c", "1", "-o", "n_missing", "--json"], NAMES),
    (["-c", "1", "-o", "n_missing"], None),
    (["--map", "len(town)", "-o", "sum"], None)], ids=repr)
def test_an_assumed_header_is_noted_where_it_matters(put, args, says):
    """Two columns of words: an expression that counts them depends on it,
    unless it uses a name, and so does the number of rows in JSON."""
    path = put("t.csv", b"name,town\nAnn,Rome\nBob,Oslo\n")
    result = run(*args, path)
    want = f"gpureduce: {path}: {says}" if says else ""
    assert result.rc == 0 and result.err.startswith(want), result
    assert result.err.count("\n") == bool(says), result


def test_note_appears_once_for_many_files(put):
    paths = [put(f"{i}.csv", b"a\nb\n") for i in range(4)]
    result = run("--per-file", "-o", "rows", *paths)
    first, more = result.err.splitlines()
    assert DATA in first and more == "gpureduce: ... and 3 more files likewise"


def test_a_further_file_is_noted_if_its_header_differs(put):
    data = put("1.csv", b"5,6\n7,8\n")
    names, others = (put(name, b"x,y\nu,v\n") for name in ("2.csv", "3.csv"))
    words, more = (put(name, b"a\nb\n") for name in ("4.csv", "5.csv"))
    for files, says in ([data, names], f"{names}: {NAMES}"), (
            [names, others], f"{names}: {NAMES}"), ([data, others, data],
            f"{others}: {NAMES}"), ([words, more], f"{words}: {DATA}"):
        result = run("-o", "rows", *files)
        assert result.err.count("\n") == 1, result
        assert result.err.startswith(f"gpureduce: {says}"), result


def test_auto_is_a_word(table):
    assert ok("--header", "auto", "-c", "price", "-o", "sum", table) == "7\n"


def test_auto_minds_the_missing_list(put):
    path = put("t.csv", b"5,x\n1,2\n")
    result = run("-c", "2", "-o", "sum", path)
    assert result.out == "2\n" and NAMES in result.err, result
    assert ok("-c", "2", "--na", "x", "-o", "sum", path) == "2\n"
    assert ok("-c", "1", "--na", "x", "-o", "sum", path) == "6\n"
    # a name in -c implies a header
    path = put("t.csv", b"NA,7\n1,2\n")
    assert ok("-c", "NA", "-o", "sum", path) == "1\n"
    assert ok("-c", "7", "-o", "sum", path) == "2\n"


def test_blank_lines_before_it(put):
    for blank in b"\n\n", b"\r\n", b"\xef\xbb\xbf\n":
        path = put("t.csv", blank + TABLE)
        assert ok("-c", "price", "-o", "sum", path) == "7\n"


def test_yes_and_no(put):
    path = put("t.csv", b"2,1\n10,20\n30,40\n")
    table = ["-o", "sum,count", path]
    assert rows(ok("--header", "yes", *table)) == ["2 40 2", "1 60 2"]
    assert rows(ok("--header", "no", *table)) == ["1 42 3", "2 61 3"]
    assert rows(ok(*table)) == ["1 42 3", "2 61 3"]
    # a name wins over a number
    assert ok("--header", "yes", "-c", "1", "-o", "sum", path) == "60\n"
    assert ok("--header", "no", "-c", "1", "-o", "sum", path) == "42\n"
    path = put("t.csv", TABLE)
    fails(1, "--header", "no", "-c", "1", "-o", "sum", path,
          says=":1:1: not a number: 'price' (column 1)")
    fails(2, "--header", "no", "-c", "price", "-o", "sum", path, says="price")
    assert ok("--header", "no", "-c", "1", "--bad", "skip", "-o", "count",
              path) == "3\n"


def test_a_name_wins_over_a_range(put):
    path = put("t.csv", b"1-2,b,3-\n10,20,40\n")
    assert ok("-c", "1-2", "-o", "sum", path) == "10\n"
    assert ok("-c", "3-", "-o", "sum", path) == "40\n"
    for range_ in "2-3", "2-":
        assert rows(ok("--header", "yes", "-c", range_, "-o", "sum", path)) == [
            "b 20", "3- 40"]


@pytest.mark.parametrize("raw,asked,shown", [
    (b"unit price", "unit price", "unit price"), (b'"x,y"', '"x,y"', "x,y"),
    (b'"say ""hi"""', '"say ""hi"""', 'say "hi"'), (b'"plain"', "plain",
                                                    "plain"),
    (b"plain", '"plain"', "plain"), (b'"two\nlines"', '"two\nlines"',
                                     "two\\nlines"),
    (b"gr\xc3\xb6\xc3\x9fe", "gr\u00f6\u00dfe", "gr\u00f6\u00dfe"),
    (b"\xff", "\udcff", "\\xff"), (b"tab\there", "tab\there", "tab\\there"),
    (b"back\\slash", "back\\slash", "back\\\\slash"), (b"it's", "it's",
                                                       "it's"),
    (b"\x1b[31m", "\x1b[31m", "\\x1b[31m"), (b'a"b', 'a"b', 'a"b'),
    (b"1st", "1st", "1st"), (b"3 to 4", "3 to 4", "3 to 4"),
    (b"-x", "-x", "-x"), (b"A", "A", "A")], ids=repr)
def test_names(put, raw, asked, shown):
    path = put("t.csv", b"a,%s,c\n1,2,4\n8,16,x\n" % raw)
    assert ok("-c", asked, "-o", "sum", path) == "18\n"
    assert rows(ok("-o", "sum", path)) == ["a 9", f"{shown} 18"]
    assert rows(ok(f"--columns={asked},a", "-o", "sum", path)) == [
        f"{shown} 18", "a 9"]


def test_message_names_the_column(put):
    path = put("t.csv", b"a,unit price\n1,x\n")
    fails(1, "-c", "2", "-o", "sum", path,
          says=":2:3: not a number: 'x' (column unit price)\n")
    path = put("t.csv", b'a,"\x1b[31m\n"\n1,x\n')
    fails(1, "-c", "2", "-o", "sum", path, says="not a number: 'x'")


def test_lists(table):
    def sums(columns):
        return rows(ok("-c", columns, "-o", "sum", table))
    assert sums("price,tax") == ["price 7", "tax 0.75"]
    assert sums("tax,price") == ["tax 0.75", "price 7"]
    assert sums("5,1") == ["tax 0.75", "price 7"]
    assert sums("1-2") == ["price 7", "qty 30"]
    assert sums("tax,1-2") == ["tax 0.75", "price 7", "qty 30"]
    assert sums("2,price,5-") == ["qty 30", "price 7", "tax 0.75"]
    assert ok("-c", "5-", "-o", "sum", table) == "0.75\n"
    assert ok("-c", "2-2", "-o", "sum", table) == "30\n"
    # a column listed twice counts once, at its first place
    assert sums("qty,price,qty") == ["qty 30", "price 7"]
    assert sums("qty,1-2,2,price") == ["qty 30", "price 7"]
    assert ok("-c", "qty,2", "-o", "sum", table) == "30\n"


@pytest.mark.parametrize("columns,says", [
    ("prise", "price"), ("Price", "price"), ("nam", "name"), ("0", "0"),
    ("6", "6"), ("99", "99"), ("4-9", "9"), ("6-", "6"), ("0-2", "0"),
    ("", ""),
    ("price,", ""), ("price,,tax", ""), ("price,prise", "prise"),
    ("99999999999999999999", "99999999999999999999"), ("1.5", "1.5"),
    ("1-2-3", "1-2-3"), ("--5", "--5")])
def test_unknown(table, columns, says):
    err = fails(2, f"--columns={columns}", "-o", "sum", table)
    assert says in err, err


def test_unknown_on_standard_input(table):
    with open(table, "rb") as file:
        fails(2, "-f", "csv", "-c", "prise", "-o", "sum", stdin=file,
              says="price")


def test_a_name_that_occurs_twice(put):
    path = put("t.csv", b"a,a,b\n1,2,4\n8,16,32\n")
    fails(2, "-c", "a", "-o", "sum", path, says=["a", "number"])
    fails(2, "-c", "b,a", "-o", "sum", path, says="a")
    assert ok("-c", "b", "-o", "sum", path) == "36\n"
    assert rows(ok("-c", "2,1", "-o", "sum", path)) == ["a 18", "a 9"]
    assert rows(ok("-o", "sum", path)) == ["a 9", "a 18", "b 36"]


def test_numeric_columns_are_the_default(put, table):
    assert rows(ok("-o", "sum,count", table)) == [
        "price 7 3", "qty 30 2", "tax 0.75 2"]
    # one bad cell, or only missing ones, excludes a column
    path = put("t.csv", b"a,b,c,d\n1,x,,2\n3,4,NA,x\n")
    assert ok("-o", "sum", path) == "column\tsum\na\t4\n"
    path = put("t.csv", b"a,b\nx,\ny,\n")
    fails(1, "-o", "sum", path, says="column")
    path = put("t.csv", b"a,b,c\nx,nan,inf\ny,,-1\n")
    assert rows(ok("-o", "count", path)) == ["b 1", "c 2"]


def test_default_columns_are_judged_on_a_sample(put):
    """The 64 KiB after the header decide. A bad cell after them is an
    error."""
    line = b"1,%s,3\n"
    early = b"a,b,c\n" + line % b"2" * 1000 + line % b"x" + line % b"2" * 20000
    late = b"a,b,c\n" + line % b"2" * 20000 + line % b"x"
    result = run("-o", "count", path := put("t.csv", early))
    assert rows(result.out) == ["a 21001", "c 21001"]
    assert result.err == (f"gpureduce: {path}: column 'b' is left out: 'x' on "
                          "line 1002 is not a number\n")
    err = fails(1, "-o", "count", put("t.csv", late), says="(column b)")
    assert ":20002:3: not a number: 'x'" in err
    for chunk in "1K", "1M":
        assert fails(1, "-o", "count", "--chunk-size", chunk,
                     put("t.csv", late)) == err
    assert rows(ok("-o", "count", "--bad", "skip", put("t.csv", late))) == [
        "a 20001", "b 20000", "c 20001"]


@pytest.mark.parametrize("lines", [9_000, 14_000, 30_000])
def test_a_column_that_is_empty_at_first_is_noted(put, lines):
    """Its values begin after the 64 KiB that are looked at, in files of 75, 120
    and 290 KiB."""
    text = b"".join(b"%d,2,%s\n" % (i, b"5" if i > 8_500 else b"")
                    for i in range(lines))
    result = run("-o", "sum", path := put("t.csv", b"a,b,late\n" + text))
    assert len(rows(result.out)) == 2
    assert f"gpureduce: {path}: column 'late' is left out" in result.err


def test_a_long_first_record_is_the_sample(put):
    """The sample has at least one whole record; one is enough."""
    wide = b'a,b,c\n1,"' + b"y" * 100_000 + b'",2\n3,4,x\n'
    path = put("t.csv", wide)
    fails(1, "-o", "sum", path, says=":3:5: not a number: 'x' (column c)")
    assert rows(ok("--bad", "skip", "-o", "sum", path)) == ["a 4", "c 2"]


def test_one_column_stands_alone(table, put):
    """One column prints as raw data does: the value, or op and value."""
    assert ok("-c", "price", "-o", "max", table) == "4\n"
    assert ok("-c", "price", "-o", "max,sum", table) == "max\t4\nsum\t7\n"
    path = put("one.csv", b"7\n8\n")
    assert ok("-o", "max", path) == "8\n"
    assert ok("-c", "price,tax", "-o", "max,argmax", table) == (
        "column\tmax\targmax\nprice\t4\t2\ntax\t0.5\t0\n")


def test_the_summary_of_a_table(put, table):
    """One op a line, with each column's name: for several columns, and for one
    that was not asked for."""
    from oracle import SUMMARY
    head, *lines = ok("-c", "1,2", table).splitlines()
    assert head.split("\t") == ["op", "price", "qty"]
    assert [line.split("\t")[0] for line in lines] == [
        "rows", "n_missing", *SUMMARY[1:]]
    assert all(len(line) < 80 for line in lines)
    path = put("t.csv", b"name,price\nx,1\ny,2\n")
    head, *lines = ok(path).splitlines()
    assert head == "op\tprice" and lines[:2] == ["rows\t2", "sum\t3"]
    assert ok("-c", "price", path).startswith("rows\t2\nsum\t3\n")
    assert ok("-o", "sum,max", path) == "column\tsum\tmax\nprice\t3\t2\n"
    assert ok("-o", "sum", "-c", "2", path) == "3\n"


def test_cells_without_a_value_are_empty(put):
    """Only in tables; the note appears once."""
    path = put("t.csv", b"a,b,c\n1,NA,2\n")
    result = run("-c", "a,b,c", "-o", "sum,min", path)
    assert result.out == "column\tsum\tmin\na\t1\t1\nb\t0\t\nc\t2\t2\n"
    assert result.err == ("gpureduce: column 'b': min is undefined for empty "
                          "input and left empty; --empty identity prints the "
                          "identity\n")
    assert run("-q", "-c", "b,a", "-o", "min", path).err == ""
    assert ok("-c", "b,a", "-o", "min", "--empty", "identity", path) == (
        "column\tmin\nb\tinf\na\t1\n")
    fails(1, "-c", "b", "-o", "min", path, says="min is undefined")


def test_skipped_cells_are_noted(put):
    path = put("t.csv", b"a,b,c\n1,x,2\n2,3,y\nz,w,7\n,NA,1\n")
    args = ["--bad", "skip", "-o", "sum", "-c"]
    note = f"gpureduce: {path}: skipped "
    for columns, want in [
            ("a", "1 bad cell in column 'a'"),
            ("a,b,c", "4 bad cells: 1 in column 'a', 2 in column 'b', "
                      "1 in column 'c'")]:
        assert run(*args, columns, path).err == note + want + "\n"
        assert run("--verify", *args, columns, path).err == (
            note + want + "\n")
        assert run("-q", *args, columns, path).err == ""
    one = put("one.csv", b"5\nx\n")
    assert run("--bad", "skip", "-c", "1", one, one).err == (
        "gpureduce: skipped 2 bad cells\n")
    many = put("m.csv", b"1,2,3,4,5,6,7,8,9,10\n" + b",".join(
        [b"x"] * 10) + b"\n\n")
    err = run("--bad", "skip", "--header", "no", "-c", "1-", many).err
    assert err.count("column") == 8 and err.count("\n") == 1
    assert err.endswith("1 in column '8' and others in 2 more\n"), err


def test_a_column_of_bad_cells_is_an_error(put):
    path = put("t.csv", b"a,b\n1,x\n2,y\n3,\n")
    for ops in "sum", "count,n_bad", "summary":
        fails(1, "--bad", "skip", "-c", "a,b", "-o", ops, path,
              says=[path, "column 'b'", "2 cells is bad"])


def test_bool_hides_no_column_of_numbers(put):
    """It fails at the first number; a column of text is left out."""
    path = put("t.csv", b"a,b,c\ntrue,2,x\nfalse,3,y\n")
    fails(1, "-t", "bool", "-o", "any", path, says=":2:6: not a truth value: '2'")
    assert "a\t1\n" in run("-t", "bool", "-o", "any", put(
        "u.csv", b"a,c\ntrue,x\nfalse,y\n")).out


@pytest.mark.parametrize("data,want,noted", [
    (b"y,n\n1,0\n0,0\n", ["y 2 1", "n 2 0"], False),
    (b"no,x\n1,yes\n0,no\n", ["no 2 1", "x 2 1"], False),
    (b"t,f\nf,t\n", ["1 2 1", "2 2 1"], False),
    (b"y,n\ny,0\n1,n\n", ["1 3 3", "2 3 0"], False),
    (b"id,y\nA,yes\nB,no\n", ["2 3 2"], True),
    (b"id, y \nA,yes\nB,no\n", ["2 3 2"], True),
    (b"id,yes\nA,yes\nB,no\n", ["2 3 2"], False),
    (b"id,y,1\nA,yes,0\nB,no,1\n", ["2 3 2", "3 3 2"], False),
    (b",a\n0,yes\n1,no\n2,yes\n", ["a 3 2"], False),
    (b"true,0\nfalse,1\n", ["1 2 1", "2 2 1"], False)], ids=repr)
def test_bool_takes_a_word_over_digits_for_a_name(put, data, want, noted):
    """A truth word over 0 and 1 is the name of a column, but over other words
    it is a value, with a note on a letter beside a word."""
    path = put("t.csv", data)
    found = run("-t", "bool", "-o", "rows,sum", path)
    assert (found.rc, rows(found.out)) == (0, want)
    assert found.err == (
        f"gpureduce: {path}: the first record is taken for data (its truth values "
        "could be names); if it holds names, say --header yes\n" if noted else "")
