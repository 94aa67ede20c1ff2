# SPDX-License-Identifier: MIT
"""Keys that --let computes. The oracle computes them in Python and groups rows
by a dict."""

import json
import math

import pytest

from harness import fails, ok, run
from test_states import merged


def fmod(x):
    return math.nan if x != x else math.fmod(x, 7)


# Each expression, its value for cells x and y (None: missing) of record i.
FORMULAS = {
    "floor(x / 10)": lambda x, y, i: None if x is None else
    x if x != x else float(math.floor(x / 10)),
    "x > 5": lambda x, y, i: None if x is None else int(x > 5),
    "x * -1": lambda x, y, i: None if x is None else -x,
    "y % 7": lambda x, y, i: fmod(y),
    "x / 0 + y": lambda x, y, i: None if x is None else
    math.nan if not x or x != x else math.copysign(math.inf, x),
    "index() % 3 - 1": lambda x, y, i: i % 3 - 1,
    "index() % 4 * 2 + 9007199254740991": lambda x, y, i:
        i % 4 * 2 + 9007199254740991,
}
CELLS = ["", "NA", "0", "-0", "nan", "5", "5.5", "-12.25", "1e300", "99", "100.5"]


def key_of(value):
    """The value as a key: -0 is 0, and all NaN are one."""
    if value is None:
        return None
    return "nan" if value != value else value + 0


def order(key):
    """The place of a key in its column: numbers, NaN, texts, missing."""
    return ((3, 0) if key is None else (1, 0) if key == "nan" else
            (2, key) if isinstance(key, str) else (0, key))


def shown(key):
    """A key in JSON, with its type."""
    if isinstance(key, float) and math.isinf(key):
        return "inf" if key > 0 else "-inf"
    return str(key) if isinstance(key, int) and key > 2**53 else key


def drawn(rnd, n):
    return [(rnd.choice(["Oslo", "Rome", "7", ""]), rnd.choice(CELLS),
             rnd.randrange(-20, 20)) for _ in range(n)]


def table(rows):
    return ("city,x,y\n" + "".join(f"{c},{x},{y}\n" for c, x, y in rows)).encode()


def expected(rows, formula, with_text):
    groups = {}
    for i, (city, cell, y) in enumerate(rows):
        x = float(cell) if cell not in ("", "NA") else None
        key = key_of(FORMULAS[formula](x, float(y), i))
        whole = (key, city or None) if with_text else (key,)
        groups.setdefault(whole, []).append(y)
    names = ("key", "city") if with_text else ("key",)
    # The one number among the texts of city comes before them.
    place = {"7": (0, 7)}
    return [(dict(zip(names, map(shown, whole))), groups[whole])
            for whole in sorted(groups, key=lambda whole: [
                place.get(k) or order(k) for k in whole])]


@pytest.mark.parametrize("formula", FORMULAS)
@pytest.mark.parametrize("with_text", [False, True])
def test_against_python(rnd, put, formula, with_text):
    rows = drawn(rnd, 400)
    path = put("t.csv", table(rows))
    want = expected(rows, formula, with_text)
    args = ["-e", f"key={formula}", "--by", "key,city" if with_text else "key",
            "-c", "y", "-o", "sum,rows"]
    out = ok("-j1", *args, "-O", "jsonl", path)
    got = [json.loads(line) for line in out.splitlines()]
    assert [(e["by"], e["sum"], e["rows"]) for e in got] == [
        (by, sum(ys), len(ys)) for by, ys in want]
    assert [[type(k) for k in e["by"].values()] for e in got] == [
        [type(k) for k in by.values()] for by, _ in want]
    for more in (["-j3", "--chunk-size", "300"], ["--verify"]):
        assert ok(*more, *args, "-O", "jsonl", path) == out, more
    text = ok(*args, path).splitlines()
    for line, (by, ys) in zip(text[1:], want):
        for cell, key in zip(line.split("\t"), by.values()):
            assert cell == ("" if key is None else key if isinstance(key, str)
                            else str(key) if isinstance(key, int) else cell)
            assert not isinstance(key, float) or float(cell) == key
    if "index" in formula:      # states have no indexes
        return
    parts = [[put(f"{i}.csv", table(rows[i * 150:i * 150 + 150]))]
             for i in range(3)]
    assert ok("-O", "jsonl", *args, *(p[0] for p in parts)) == out
    assert merged(put, parts, args, ["-O", "jsonl"]) == out


def test_which_columns_are_reduced(put):
    """A computed key is reduced if --columns lists it, as other keys are."""
    path = put("t.csv", b"k,x,y\na,1,2\nb,3,4\n")
    let = ["-e", "h=x > 2", "-e", "z=x + y"]
    assert ok(*let, "--by", "h", "-o", "sum", path) == (
        "h\tsum(x)\tsum(y)\tsum(z)\n0\t1\t2\t3\n1\t3\t4\t7\n")
    assert ok(*let, "--by", "h,z", "-c", "h", "-o", "max", path) == (
        "h\tz\tmax(h)\n0\t3\t0\n1\t7\t1\n")
    assert ok(*let[:2], "--by", "2,h,1", "-o", "rows", path) == (
        "x\th\tk\trows\n1\t0\ta\t1\n3\t1\tb\t1\n")
    assert ok(*let[:2], "--by", "1-2,h", "-o", "rows", path) == (
        "k\tx\th\trows\na\t1\t0\t1\nb\t3\t1\t1\n")
    assert "key\t'h', computed\n" in ok(*let[:2], "--by", "h", "--explain", path)


def test_notation_is_that_of_cells_alone(put):
    """Computed keys have points, whatever the cells have."""
    path = put("t.csv", b"k;x\n2,5;1,5\n10;-0,5\n1.000;20\n3;19\n")
    args = ["--decimal", ",", "--thousands", ".", "-o", "sum", path]
    assert ok("-e", "h=x / 2", "--by", "h", *args) == (
        "h\tsum(k)\tsum(x)\n-0.25\t10\t-0.5\n0.75\t2.5\t1.5\n9.5\t3\t19\n"
        "10\t1000\t20\n")
    assert ok("--na", "0", "-e", "h=x > 5", "--by", "h", *args) == (
        "h\tsum(k)\tsum(x)\n0\t12.5\t1\n1\t1003\t39\n")
    both = put("b.csv", b"k;x\n10;20\n10;1,5\n1.000;1\n2,5;20\n2,5;-0,5\n")
    out = ok("-e", "h=x / 2", "--by", "k,h", *args[:-2], "rows", both)
    assert [line.split("\t")[:2] for line in out.splitlines()[1:]] == [
        ["2,5", "-0.25"], ["2,5", "10"], ["10", "0.75"], ["10", "10"], ["1.000", "0.5"]]


def test_what_is_left_out(put):
    path = put("t.csv", b"k,x\na,1\nb,\nc,x\n")
    args = ["-f", "csv", "-e", "h=x + 1", "--by", "h"]
    got = run(*args, "--bad", "skip", "-o", "rows", path)
    assert got.out == "h\trows\n2\t1\n\t2\n", got
    assert "skipped 1 bad cell" in got.err
    fails(1, *args, "-o", "rows", path, says=":4:3: not a number: 'x'")
    assert ok(*args, "--where", 'k != "c"', "-o", "rows", path) == (
        "h\trows\n2\t1\n\t1\n")
    some = ["-e", 'h=k == "b" ? missing : 1', "--by", "h", "-o", "rows",
            "--missing", "error", path]
    fails(1, *some, says=[":3: missing value of the key 'k ==", "without --missing error"])
    assert ok("--where", 'k != "b"', *some) == "h\trows\n1\t2\n"
    lets = [x for i in range(17) for x in ("-e", f"h{i}=x")]
    fails(2, *lets, "--by", ",".join(f"h{i}" for i in range(17)), "-o", "rows", path,
          says="--by takes at most 16 columns, not 17")
    assert ok(*lets[:32], "--by", ",".join(f"h{i}" for i in range(16)), "-o", "rows",
              "--where", "k == 'a'", put("n.csv", b"k,x\na,7\nb,8\n")).endswith(
                  "\n" + "7\t" * 16 + "1\n")


def test_tables_without_a_record(put):
    d = put("d.csv", b"a,b\n1,2\n")
    for none in b"", b"\n", b"a,b\n":
        args = ["-e", "h=1", "--by", "h", "-f", "csv", "-o", "rows"]
        path = put("e.csv", none)
        assert ok(*args, path) == ok(*args, path, path) == "h\trows\n"
        assert ok("--header", "yes", *args, path, d) == "h\trows\n1\t1\n"
        assert json.loads(ok(*args, "--json", path))["results"] == []
        assert ok("--per-file", *args, d, path, d) == (
            f"file\th\trows\n{d}\t1\t1\n{d}\t1\t1\n")
        assert "key\t'h', computed\n" in ok(*args, "--explain", path)


def test_the_first_error_is_reported(put):
    """Whatever the chunks: a missing key comes before a later wrong one."""
    path = put("t.csv", b"x\n" + b"".join(b"%d\n" % i for i in range(1, 200)))
    args = ["-t", "i64", "-e", "h=x == 10 ? missing : 5 % (x == 100 ? 0 : 1)",
            "--by", "h", "-o", "rows", path]
    for size in "64", "512K":
        fails(1, "--chunk-size", size, "--missing", "error", *args,
              says=":11: missing value of the key")
        fails(1, "--chunk-size", size, *args, says=":101: --let: an integer has no")


def test_the_first_error_beside_a_missing_text(put):
    """The rows before the missing cell keep their texts."""
    path = put("t.csv", b"k,a\n" + b"x,1\n" * 99 + b"x,bad\n" + b"x,1\n" * 49 + b",1\nx,1\n")
    for size in "64", "512", "4K":
        args = ["--missing", "error", "--chunk-size", size, path, "-o"]
        fails(1, *args, "rows", "-e", "n=len(k)", "--by", "n",
              says=":151:1: missing value (column k)")
        fails(1, *args, "sum", "--where", 'text(k) != "q"', "-c", "a",
              says=":101:3: not a number: 'bad' (column a)")
