# SPDX-License-Identifier: MIT
"""Columns of text: counts, ends and distinct texts, against Python's csv; and
cases in which a column must not be taken as text."""

import csv
import gzip
import io
import os
from collections import Counter

import pytest

from harness import fails, ok, run, value
from test_asked import FAKE
from test_json import strict

OPS = ("count,n_missing,rows,first,last,nunique,mode,mode_count,mode_ties,"
       "approx_nunique")
CELLS = ["Oslo", "New York", "", "  ", " a ", "\u00e9t\u00e9", 'say "hi"', "a,b",
         "x\ny", "NA", "null", "none", "-", "\\N", "a\tb", '"',
         "\\", "x" * 300]


def oracle(cells, words=()):
    """The expected results of a column by the contract: cells are trimmed;
    empty ones and the given words are missing."""
    there = [c.strip(" \t") for c in cells]
    there = [c for c in there if c and c not in words]
    times = Counter(there)
    most = max(times.values(), default=0)
    modes = [t for t in times if times[t] == most]
    return {"nunique": len(times), "mode_count": most, "mode_ties": len(modes),
            "mode": {"value": min(modes, key=str.encode), "count": most,
                     "ties": len(modes)} if modes else None,
            "approx_nunique": len(times),   # of few it is exact
            "count": len(there), "n_missing": len(cells) - len(there),
            "rows": len(cells), "first": there[0] if there else None,
            "last": there[-1] if there else None}


def drawn(rnd, rows):
    """A table with two columns of text around one of numbers: its contents and
    its bytes."""
    # A column with mostly numbers would be taken as numeric.
    few = rnd.sample(CELLS, rnd.randrange(2, len(CELLS))) + [
        "Oslo", "Lima", "", "", rnd.choice(["7", "1e5", "nan"])]
    table = [["Rome", 5, "Paris"]] * 4 + [
        [rnd.choice(few), rnd.choice(["", i]), rnd.choice(few)]
        for i in range(rows)]
    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator=rnd.choice(["\n", "\r\n"]),
                        quoting=rnd.choice([csv.QUOTE_ALL, csv.QUOTE_MINIMAL]))
    writer.writerows([["a", "n", "b"], *table])
    return list(csv.reader(io.StringIO(out.getvalue(), newline="")))[1:], \
        out.getvalue().encode()


def elements(*args, **kw):
    return [strict(line) for line in
            ok("-q", "-O", "jsonl", *args, "-o", OPS, **kw).splitlines()]


@pytest.mark.parametrize("part", range(8))
def test_tables(rnd, put, part):
    table, data = drawn(rnd, rnd.choice([0, 3, 60, 3000]))
    words = rnd.choice([(), ("NA", "none"), ("Oslo", "say")])
    path = put("t.csv", data)
    args = ["-c", "b,n,a"] + (["--na", ",".join(words)] if words else [])
    variants = [[path], ["--chunk-size", "1", "-j3", path],
            ["--chunk-size", "50", put("t.csv.gz", gzip.compress(data))]]
    for variant in variants[part % 3:part % 3 + 1] + [[path]]:
        b, n, a = elements(*args, *variant)
        for got, field in (b, 2), (a, 0):
            want = oracle([row[field] for row in table], words)
            ops = ("count first last nunique mode mode_count mode_ties "
                   "approx_nunique").split()
            assert {op: got[op] for op in ops} == {op: want[op] for op in ops}
            assert (got["rows"], got["n_missing"], got["n"], got["n_bad"],
                    got["n_nan"]) == (want["rows"], want["n_missing"],
                                      want["count"], 0, 0)
        numbers = [float(row[1]) for row in table if row[1]]
        assert (n["count"], n["first"], n["last"], n["nunique"],
                n["mode"]["value"]) == (
            len(numbers), numbers[0], numbers[-1], len(set(numbers)), 5)
    assert elements(*args, stdin=data) == [b, n, a]
    if os.path.exists(FAKE):
        fake = run("--device", "gpu", "-O", "jsonl", *args, "-o", OPS, path,
                   program=FAKE)
        assert [strict(line) for line in fake.out.splitlines()] == [b, n, a]


def test_what_is_printed(put):
    """A cell cannot break a table, and reads back unchanged."""
    cells = ["a,\"b\"\n\tc\\\x1b[31m", "caf\u00e9 \u202e", "plain"]
    out = io.StringIO(newline="")
    csv.writer(out).writerows([["x", "y", "z"], cells, ["1st", "2nd", "3rd"]])
    path = put("t.csv", out.getvalue().encode())
    args = ["-f", "csv", "-d", ",", "-c", "x,y,z", "-o", "first,last", path]
    rows = list(csv.reader(io.StringIO(ok("-O", "csv", *args), newline="")))
    assert [row[1] for row in rows] == ["first", *cells]
    text = ok(*args)
    assert ok("-O", "tsv", *args) == text
    assert text == ("column\tfirst\tlast\nx\ta,\"b\"\\n\\tc\\\\\\x1b[31m\t1st\n"
                    "y\tcaf\u00e9 \\xe2\\x80\\xae\t2nd\nz\tplain\t3rd\n")
    assert value("-c", "y", "-f", "csv", "-d", ",", "-o", "last", path) == "2nd"
    first = [strict(line)["first"] for line in ok("-O", "jsonl", *args)
             .splitlines()]
    assert first == cells


@pytest.mark.parametrize("text,args,want", [
    # Records out of order, and other delimiters.
    (b"x,y\nu,1\nv\nw,2\n", ["--ragged", "skip", "-c", "x"], ["2", "0", "u", "w"]),
    (b"x,y\nu,1\nv\n", ["--ragged", "pad", "-c", "y,x"], None),
    (b"k,t\n1,one\n2,\n3\n", ["--ragged", "pad", "-c", "t"],
     ["1", "2", "one", "one"]),
    (b"# no\nx,y\nu,1\n# v,2\n\nw,2\n", ["--comment", "#", "-c", "x"],
     ["2", "0", "u", "w"]),
    (b"k  t\n1  two words\n", ["-d", "blank", "--ragged", "pad", "-c", "t"],
     ["1", "0", "two words", "two words"]),
    (b"k t\n1  a  b \n2 a\tb\n3 a b\n4 \"c  d\" \n",
     ["-d", "blank", "--ragged", "pad", "-c", "t"],
     ["4", "0", "a  b", '"c  d"']),
    (b"x;y\n'a;b';1\n'it''s';2\n", ["-d", ";", "--quote", "'", "-c", "x"],
     ["2", "0", "a;b", "it's"]),
    (b'x,y\n"a"b,1\n "c" ,2\n', ["-c", "x"], ["2", "0", "ab", "c"]),
    (b"x\ty\n\"a\t1\n", ["-d", "\\t", "--quote", "none", "-c", "x"],
     ["1", "0", '"a', '"a']),
    (b"x\r\nu\r\n\r\nv\r\n", ["-c", "x"], ["2", "0", "u", "v"]),
    (b"a,b\r2,u\r3,v\r", ["-c", "b"], ["2", "0", "u", "v"]),
    (b"u,1\nv,2\n", ["--header", "no", "-c", "1"], ["2", "0", "u", "v"]),
    # Default missing-value words are text here; the given words are missing.
    (b"x,y\nNA,1\nnull,2\nu,3\n", ["-c", "x"], ["3", "0", "NA", "u"]),
    (b"x,y\nNA,1\n?,2\nu,3\n", ["--na", "?", "-c", "x"], ["2", "1", "NA", "u"]),
    (b"x,y\nNA,1\n?,2\nu,3\n", ["--na-only", "NA", "-c", "x"],
     ["2", "1", "?", "u"]),
    (b"d,y\n2024-01-31,1\n2024-02-01,2\n", ["-c", "d"],
     ["2", "0", "2024-01-31", "2024-02-01"]),
])
def test_dialects(put, text, args, want):
    path = put("t.csv", text)
    args = [*args, "-f", "csv", "-o", "count,n_missing,first,last", path]
    if want:
        out = run(*args).out
        assert [line.split("\t")[1] for line in out.splitlines()] == want
    else:
        assert ok(*args) == ("column\tcount\tn_missing\tfirst\tlast\n"
                             "y\t1\t1\t1\t1\nx\t2\t0\tu\tv\n")


def test_columns_of_no_text(put):
    """If a number could be meant, or an option asks for numbers."""
    path = put("t.csv", b"c,price,eu,id,city\nu,$5,\"1,5\",7,Rome\nv,$6,\"2,5\",8,"
               b"Bonn\n,$7,\"3,5\",x9,Oslo\n")
    for column, says in (("price", "--strip '$'"), ("eu", "--decimal ,"),
                         ("id", "not a number: 'x9'")):
        fails(1, "-c", column, "-o", "count", path, says=says)
    says = ["2:14: not a number: 'Rome' (column city)",
            "takes only rows, count, n_missing, first, last, nunique"]
    for args in (["-o", "sum"], ["-o", "count,max"], [], ["-o", "all"],
                 ["-o", "n_bad"], ["-t", "f64", "-o", "count"],
                 ["-t", "i32", "-o", "first"]):
        err = fails(1, "-c", "city", *args, path)
        assert says[1] in err and (says[0] in err or "i32" in args), err
    err = fails(1, "-c", "id", "-o", "sum", path)
    assert "takes only rows" not in err
    # By default such columns are left out.
    assert ok("-o", "count", put("u.csv", b"c,n\nu,1\nv,2\n")) == \
        "column\tcount\nn\t2\n"
    fails(1, "-c", "c", "--missing", "error", "-o", "count", path,
          says=":4:1: missing value (column c)")
    fails(2, "-c", "c", "-o", "count", "--assert", "first == 1", path,
          says="first: a column of text has no number for this")
    fails(2, "-c", "c,city", "-o", "count", "--assert", "max(c) < 1", path,
          says="max(c): a column of text")
    both = put("u.csv", b"n,c\n1,u\n2,v\n")
    ok("-c", "n,c", "-o", "count", "--assert", "max(n) == 2", both)
    fails(2, "-c", "n,c", "-o", "count", "--assert", "max > 0", both,
          says="max: a column of text")
    assert ok("-c", "c", "-o", "last", "--assert", "count == 2 && "
              "n_missing < 2 && rows(c) == 3 && n_nan + n_bad == 0",
              path) == "v\n"
    # --bad skip asks for numbers.
    assert ok("-c", "id", "--bad", "skip", "-o", "count,last", path) == \
        "count\t2\nlast\t8\n"
    fails(1, "-c", "id,c", "--bad", "skip", "-o", "count", path,
          says=["column 'c': each of its 2 cells is bad",
                "(not with --dtype or --bad skip)"])


@pytest.mark.parametrize("cells", [["USD001", "USD002", "EUR001"], ["5 EUR", "6 EUR", "7 EUR"],
                                   ["Rome", "EUR1", "CHF2"]])
def test_letters_of_currencies_are_text(put, cells):
    """At most a note says that they might be amounts."""
    path = put("t.csv", b"c,n\n" + b"".join(b"%s,1\n" % c.encode() for c in cells))
    assert ok("-c", "c", "-o", "nunique,first", path) == f"nunique\t3\nfirst\t{cells[0]}\n"


def test_a_mixed_column_is_noted(put):
    path = put("t.csv", b"x,y\nA1,1\n7,2\nNA,3\nB2,4\n")
    result = run("-c", "x", "-o", "count,n_missing,last", path)
    assert (result.rc, result.out) == (0, "count\t4\nn_missing\t0\nlast\tB2\n")
    assert result.err == (f"gpureduce: {path}: column 'x' is read as text: 1 of "
                          "its first cells is a number, 2 are not\n")
    bare = put("b.csv", b"1,A1\n2,7\n3,B2\n")
    assert run("-c", "2", "-o", "count", bare).err == (
        f"gpureduce: {bare}: column 2 is read as text: 1 of its first cells is a "
        "number, 2 are not\n")
    # Of further files the kinds are known.
    assert run("-c", "x", "-o", "count", path, put(
        "w.csv", b"x,y\nA1,1\n7,2\nB2,4\n")).err == result.err
    path = put("v.csv", b"x,y\n1,A1\n2,7\n3,8\n4,A2\n")
    assert "column 'y' is read as text: 2 of its first cells are numbers, 2 are " \
        "not\n" in run("-c", "y", "-o", "count", path).err
    # Nor is a column of decimal commas alone read as text.
    path = put("c.txt", b"x\n1,5\n2,5\n")
    fails(1, "-c", "x", "-o", "count", path, says=":2:1: not a number: '1,5'")
    # In a column of numbers and words, the missing values depend on the
    # reading.
    path = put("u.csv", b"x\nNA\n5\n6\n")
    assert ok("-c", "x", "-o", "count,n_missing", path) == \
        "count\t2\nn_missing\t1\n"


def test_each_file_has_the_kinds_of_the_first_with_records(put):
    none, text = put("n.csv", b"t,u\n"), put("t.csv", b"t,u\nx,1\ny,2\n")
    assert ok("--per-file", "--header", "yes", "-c", "t", "-o", "nunique", none,
              text) == f"file\tnunique\n{none}\t0\n{text}\t2\n"
    # A column that the first does not have is of its own kind in each.
    a, b = put("a.csv", b"t,z\n1,7\n"), put("b.csv", b"t,z\n5,x\n")
    assert ok("--per-file", "--header", "yes", "-c", "1-", "-o", "first", text, a,
              b).splitlines()[3:] == [f"{a}\tt\t1", f"{a}\tz\t7", f"{b}\tt\t5",
                                      f"{b}\tz\tx"]


def test_several_files_and_explain(put):
    a = put("a.csv", b"n,t\n1,u\n2,\n")
    b = put("b.csv", b"t,n\n7,3\nw,4\n,5\n")
    assert ok("-c", "t", "-o", "count,first,last", a, b) == \
        "count\t3\nfirst\tu\nlast\tw\n"
    assert run("-c", "t,n", "-o", "last", "--per-file", a, a).out \
        .splitlines()[:2] == ["file\tcolumn\tlast", f"{a}\tt\tu"]
    out = ok("--explain", "-c", "t,n", "-o", "first", a)
    assert "  column\t2 't', text\n  column\t1 'n'\n" in out
    assert "columns of text are read one by one, on the CPU" in out
    assert ", text" not in ok("--explain", "-c", "t,n", "-o", "sum", a)
    assert ok("-c", "t", "-o", "first,last", "--verify", a, b) == \
        "first\tu\nlast\tw\n"
    # By name where both files have names, else by number: NA is a text there.
    for first, second, want in (
            (b"n,t\n1,u\n2,v\n", b"5,7\n6,NA\n", ["1\t2", "2\t2"]),
            (b"5,u\n6,v\n", b"n,t\n1,7\n2,NA\n", ["n\t2", "t\t2"]),
            (b"n,t\n1,u\n2,v\n", b"t,c\n7,u\nNA,v\n", ["t\t2", "c\t2"]),
            (b"n,t\n1,u\n2,v\n", b"t,n\n7,5\nNA,NA\n", ["t\t2", "n\t1"])):
        out = run("-q", "-c", "1-", "-o", "count", "--per-file", put("1.csv", first),
                  put("2.csv", second)).out
        assert [line.split("\t", 1)[1] for line in out.splitlines()[3:]] == want
    # Without texts: nothing, or the empty text.
    none = put("c.csv", b"n,t\n")
    assert ok("-c", "t", "-o", "count", a, none) == "1\n"
    two = ["-c", "t", "-o", "first", "--per-file", a, none]
    assert run(*two).out == f"file\tfirst\n{a}\tu\n{none}\t\n"


def test_a_cell_of_megabytes(put):
    """A cell is kept whole, quoted or not. Memory does not grow with the
    records."""
    big = "\u00e6" * 1_500_000
    quoted = '"' + "a\"\"b" * 700_000 + '"'
    path = put("t.csv", f"t,n\n{big},1\nu,2\n{quoted},3\n".encode())
    got, = elements("-c", "t", path)
    assert got["first"] == big
    assert got["last"] == 'a"b' * 700_000
    assert (got["count"], got["n_missing"]) == (3, 0)
