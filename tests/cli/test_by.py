# SPDX-License-Identifier: MIT
"""Results by key: --by. The oracle groups rows by a dict and reduces each
group's values by itself, in big integers (oracle.py)."""

import csv
import io
import json
import math
import os
import re
from fractions import Fraction

import numpy as np
import pytest

import oracle
from harness import fails, gpus, needs_memory_of_its_own, ok, run, shell
from test_asked import FAKE

OPS = ("rows count n_missing n_bad n_nan sum mean min max argmin argmax first "
       "last var std l1 l2 linf absmin absmax range any alltrue skew "
       "kurtosis").split()

# Texts of cells, and the key that each text means; None: missing.
KEYS = {"Rome": "Rome", '"Rome"': "Rome", "  Rome ": "Rome", "": None,
        '""': None, '"a,b"': "a,b", '"say ""x"""': 'say "x"', "NA": "NA",
        "Zürich": "Zürich", "1": "1", "01": "01", "1.0": "1.0", "-5": "-5",
        "1e3": "1e3", "nan": "nan", "NaN": "NaN", "inf": "inf", "-inf": "-inf",
        "10": "10", "9": "9", "+0": "+0", "-0": "-0", "0": "0",
        "a" * 16: "a" * 16, "a" * 17: "a" * 17,
        "a" * 16 + "b": "a" * 16 + "b", "a" * 40: "a" * 40, "x" * 300: "x" * 300,
        '"two\nlines"': "two\nlines", "9007199254740993": "9007199254740993",
        "9007199254740992": "9007199254740992"}
NUMBER = re.compile(rb"[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?|[-+]?inf|nan", re.I)


def order(key):
    """Returns the place of a text in the order of keys."""
    if key is None:
        return 3, 0, b""
    text = key.encode()
    if not NUMBER.fullmatch(text):
        return 2, 0, text
    value = float(key)
    if math.isnan(value):
        return 1, 0, text
    is_wide = abs(value) >= 2**53 and key.lstrip("+-").isdigit()
    return 0, int(key) if is_wide else value, text


def draw_key(rnd, kind):
    if kind == "odd":
        return rnd.choice(list(KEYS.items()))
    text = {"few": lambda: rnd.choice("abc"),
            "integers": lambda: str(rnd.randrange(200)),
            "words": lambda: "customer-%05d" % rnd.randrange(3000)}[kind]()
    return text, text


def draw_value(rnd, kind):
    """Returns a cell and its value; None: missing, "bad": not a number."""
    if kind == "cents":
        text = f"{rnd.randrange(-99999, 99999) / 100:.2f}"
    elif kind == "gaps":
        text = rnd.choice(["", "NA", "bad", "1.5", "-0", "0", "nan", "2", "inf"])
    elif kind == "hostile":
        text = rnd.choice([repr(math.ldexp(rnd.uniform(-1, 1),
                                           rnd.randrange(-1074, 1023))),
                           "1e300", "-1e300", "1e-300", "-0.0", "9007199254740991"])
    else:
        text = repr(rnd.uniform(-1, 1))
    if text in ("", "NA", "bad"):
        return text, "bad" if text == "bad" else None
    return text, float(text)


def expected(values, ops, positions):
    """Returns the text of each op of a group's column; "": no value."""
    present = [(x, i) for x, i in zip(values, positions)
               if isinstance(x, float)]
    want = oracle.reduce([x for x, _ in present], "f64", "propagate", ops)
    want = {op: "" if x is oracle.REFUSED else x for op, x in want.items()}
    want.update({op: str(present[int(want[op])][1])
                 for op in ("argmin", "argmax") if want.get(op)})
    want.update({"rows": str(len(values)), "count": str(len(present)),
                 "n_missing": str(sum(x is None for x in values)),
                 "n_bad": str(sum(x == "bad" for x in values))})
    return want


def parse(out):
    return list(csv.reader(io.StringIO(out, newline="")))


def check_table(rows, keys, columns, got, ops, is_first=False):
    """rows: (key texts, values), in the order of the file."""
    groups = {}
    for i, (key, values) in enumerate(rows):
        groups.setdefault(key, []).append((i, values))
    wanted = list(groups) if is_first else sorted(
        groups, key=lambda key: [order(k) for k in key])
    plain = [op for op in ops if op == "rows"]
    head = keys + plain + [f"{op}({c})" for c in columns for op in ops
                           if op not in plain]
    assert sorted(got[0]) == sorted(head)
    assert got[0][:len(keys)] == keys
    assert [tuple(k or None for k in line[:len(keys)])
            for line in got[1:]] == wanted
    for key, line in zip(wanted, got[1:]):
        cells = dict(zip(got[0], line))
        positions = [i for i, _ in groups[key]]
        for c, name in enumerate(columns):
            values = [v[c] for _, v in groups[key]]
            wants = expected(values, ops, positions)
            for op in ops:
                want = wants[op]
                have = cells[op if op in plain else f"{op}({name})"]
                assert oracle.matches(have, want) if want else have == "", \
                    (key, name, op, have, want)


@pytest.mark.parametrize("key_kinds, value_kinds, n, options", [
    (["odd"], ["cents", "gaps"], 700, []),
    (["odd", "few"], ["hostile"], 500, ["--order", "first"]),
    (["integers"], ["unit"], 800, []),
    (["words", "few", "odd"], ["gaps"], 1500, []),
])
def test_random_tables(rnd, put, key_kinds, value_kinds, n, options):
    rows, lines = [], []
    keys = [f"k{i}" for i in range(len(key_kinds))]
    names = [f"v{i}" for i in range(len(value_kinds))]
    for _ in range(n):
        drawn = [draw_key(rnd, kind) for kind in key_kinds]
        cells = [draw_value(rnd, kind) for kind in value_kinds]
        rows.append((tuple(k for _, k in drawn), [v for _, v in cells]))
        lines.append(",".join([t for t, _ in drawn] + [t for t, _ in cells]))
    path = put("t.csv", "\n".join([",".join(keys + names), *lines, ""])
               .encode())
    ops = OPS if n != 800 else "rows sum max".split()
    args = ["--by", ",".join(keys), "-c", ",".join(names), "-o", ",".join(ops),
            "-O", "csv", "--bad", "skip", "-q", *options, path]
    out = run("-j1", *args).out
    check_table(rows, keys, names, parse(out), ops, bool(options))
    for more in (["-j3", "--chunk-size", "700"], ["-j2", "--chunk-size", "9K"],
                 ["--verify"]):
        assert run(*more, *args).out == out, more


@pytest.mark.parametrize("ops, is_gap", [
    ("sum,rows,l1", lambda i: i % 5 == 0),
    # Only sums and counts: rows without a gap in their chunk wait in queues.
    ("sum,rows,mean", lambda i: i % 50_000 == 0)])
def test_many_keys(put, ops, is_gap):
    """More keys than a worker's own table holds: workers share the run's
    tables, which have locks."""
    n = 70_000
    values = [(i * 7919 % n, "" if is_gap(i) else i % 1000 / 8)
              for i in range(2 * n)]
    path = put("t.csv", b"id,x\n" + b"".join(
        b"%d,%s\n" % (k, str(x).encode()) for k, x in values))
    of_key = [[] for _ in range(n)]
    for k, x in values:
        of_key[k].append(x)
    present = [[x for x in xs if x != ""] for xs in of_key]
    sums = [sum(xs) for xs in present]      # eighths: no sum is rounded
    outs = [ok("--by", "id", "-o", ops, *more, path)
            for more in (["-j1"], ["-j3", "--chunk-size", "64K"])]
    assert outs[0] == outs[1]
    lines = [line.split("\t") for line in outs[0].splitlines()]
    assert lines[0] == ["id", "sum(x)", "rows", ops[9:] + "(x)"]
    assert [int(line[0]) for line in lines[1:]] == list(range(n))
    assert [float(line[1]) for line in lines[1:]] == sums
    assert [int(line[2]) for line in lines[1:]] == list(map(len, of_key))
    third = sums if ops.endswith("l1") else [
        s / len(xs) if xs else None for s, xs in zip(sums, present)]
    assert [float(line[3]) if xs or third is sums else None
            for line, xs in zip(lines[1:], present)] == third


@pytest.mark.parametrize("columns", [2, 3, 9])
def test_many_keys_and_columns(put, columns):
    """Few columns wait in queues, each row with the values of all."""
    n = 70_000
    i = np.arange(2 * n)
    keys = i * 7919 % n
    values = [(i * (c + 2) + c) % 1009 for c in range(columns)]
    form = ",".join(["%d"] * (columns + 1)) + "\n"
    rows = np.column_stack([keys, *values])
    path = put("t.csv", (",".join(["id", *(f"c{c}" for c in range(columns))]) + "\n"
                         + form * (2 * n) % tuple(rows.ravel().tolist())).encode())
    sums = np.column_stack([np.arange(n), *(
        np.bincount(keys, of_column).astype(int) for of_column in values)])
    want = form.replace(",", "\t") * n % tuple(sums.ravel().tolist())
    for more in ["-j1"], ["-j3", "--chunk-size", "64K"]:
        is_same = ok("--by", "id", "-o", "sum", *more, path).split("\n", 1)[1] == want
        assert is_same  # the difference of long texts takes minutes to print


@pytest.mark.parametrize("columns", ["x", "xy"])
def test_many_keys_of_wide_integers(put, columns):
    """Of integers that f64 cannot hold, too, workers find the keys in the run's
    tables."""
    n = 20_000
    cells = [[2**53 + 1 + 2 * k if k % 50 == 0 else k for k in range(n)],
             [-2**53 - 3 - 2 * k if k % 40 == 0 else -1 for k in range(n)]]
    path = put("t.csv", b"id,x,y\n" + b"".join(
        b"%d,%d,%d\n" % (k, x, -x) for of_pass in cells for k, x in enumerate(of_pass)))
    out = ok("--by", "id", "-c", ",".join(columns), "-o", "min,max,count", "-j2",
             "--chunk-size", "16K", path)
    want = "id" + "".join(f"\tmin({c})\tmax({c})\tcount({c})" for c in columns) + "\n"
    for k, (most, least) in enumerate(zip(*cells)):
        of_column = {"x": f"\t{least}\t{most}\t2", "y": f"\t{-most}\t{-least}\t2"}
        want += str(k) + "".join(of_column[c] for c in columns) + "\n"
    is_same = out == want
    assert is_same


@pytest.mark.parametrize("options, form", [
    (["-o", "rows,sum", "--order", "first"], "%d"),
    (["-o", "rows", "--where", "x > 0"], "%d"),
    (["-o", "rows,sum", "-t", "f32"], "%d"),
    (["-o", "rows,sum"], "%d-of-more-than-16-bytes")])
def test_many_keys_of_rows_that_do_not_wait(put, options, form):
    """They are left out, or have positions, short values or long keys."""
    n = 27_000
    rows = [(form % (i * 7919 % n), i % 8 + 1) for i in range(n)]
    rows += [(key, i % 2) for i, (key, _) in enumerate(rows)]
    of_key = {}
    for key, x in rows:
        if x or "--where" not in options:
            of_key.setdefault(key, []).append(x)
    if "first" not in options:
        of_key = dict(sorted(of_key.items(), key=lambda item: (
            int(item[0]) if item[0].isdigit() else -1, item[0])))
    want = ["\t".join(map(str, (key, len(xs), sum(xs))[:2 + ("," in options[1])]))
            for key, xs in of_key.items()]
    path = put("t.csv", "\n".join(["id,x", *("%s,%d" % row for row in rows), ""])
               .encode())
    out = ok("--by", "id", "-j1", "--chunk-size", "16K", *options, path)
    is_same = out.splitlines()[1:] == want
    assert is_same


def test_one_wide_integer_of_each_column(put):
    """Products keep the columns of a chunk: x until y is decoded."""
    path = put("t.csv", b"k,x,y\na,9007199254740993,9007199254740997\n")
    assert run("--by", "k", "-o", "prod,max", path).out == (
        "k\tprod(x)\tmax(x)\tprod(y)\tmax(y)\n"
        f"a\t{2**53}\t{2**53 + 1}\t{2**53 + 4}\t{2**53 + 5}\n")


def test_sums_are_exact(rnd, put):
    """Sums that exceed the 128 bits of a narrow sum, also of integers that f64
    cannot hold."""
    cells = ["9007199254740993", "-18446744073709551615", "1e17", "4503599627370497",
             "1e-30", "-1e300", "0.1", "5e-324"]
    rows = [(rnd.choice("ab"), rnd.choice(cells)) for _ in range(4000)]
    rows += [("ones", "4503599627370495.5")] * 3000
    path = put("t.csv", b"k,x\n" + b"".join(
        b"%s,%s\n" % (k.encode(), x.encode()) for k, x in rows))
    for more in (["-j1"], ["-j3", "--chunk-size", "512"]):
        out = ok("--by=k", "-o", "sum,max,count", *more, path)
        for line in out.splitlines()[1:]:
            key, total, most, count = line.split("\t")
            of_key = [x for k, x in rows if k == key]
            exact = sum(Fraction(int(x) if x.lstrip("-").isdigit()
                                 else float(x)) for x in of_key)
            assert float(total) == oracle.divide(exact.numerator,
                                                 exact.denominator)
            assert float(most) == max(map(float, of_key))
            assert int(count) == len(of_key)


def test_integers(put):
    path = put("t.csv", b"k,x\na,9223372036854775807\na,9223372036854775807\n"
                        b"b,-3\nb,-7\n")
    assert ok("-t", "i64", "--by", "k", "-o", "sum,prod,min,sumsq", path) == (
        "k\tsum(x)\tprod(x)\tmin(x)\tsumsq(x)\n"
        f"a\t{2 * (2**63 - 1)}\t{(2**63 - 1)**2}\t{2**63 - 1}\t"
        f"{2 * (2**63 - 1)**2}\n"
        "b\t-10\t21\t-7\t58\n")


WIDE = ["-18446744073709551615", "-18446744073709551614", "-9007199254740993",
        "-9007199254740992", "9007199254740992", "9007199254740993",
        "09007199254740994", "9007199254740994", "9007199254740995",
        "9999999999999999999", "10000000000000000001", "18446744073709551615"]


@pytest.mark.parametrize("options", [
    [], ["-t", "i64"], ["-j1"], ["--thousands", "_"]])
def test_order_of_integers_that_f64_cannot_hold(tmp_path, rnd, put, options):
    path = put("t.csv", "\n".join(["k,x", *(
        f"{k},{x}" for k in rnd.sample(WIDE, len(WIDE)) for x in "12"),
        ""]).encode())
    want = "k\trows\n" + "".join(f"{k}\t2\n" for k in WIDE)
    assert ok("--by", "k", "-o", "rows", *options, path) == want
    states = tmp_path / "s"
    ok("--by", "k", "-o", "rows", *options, "--save-state", states, path)
    assert ok("--merge", "-o", "rows", states) == want
    pairs = ok("--by", "x,k", "-o", "rows", *options, path)
    assert pairs == "x\tk\trows\n" + "".join(
        f"{x}\t{k}\t1\n" for x in "12" for k in WIDE)


def test_order_of_keys_in_the_notation_of_the_table(put):
    keys = ["-3.000", "1,5", "12", "900", "1.200", "2.000,5", "NA"]
    path = put("t.csv", "".join(
        ["k;x\n", *(f"{k};1\n" for k in sorted(keys))]).encode())
    got = ok("--by", "k", "-d", ";", "--thousands", ".", "--decimal", ",", "-o", "rows",
             path)
    assert [line.split("\t")[0] for line in got.splitlines()[1:]] == keys


def test_order_beside_truth_values(put):
    """The type is that of the values; keys sort as numbers all the same."""
    assert ok("-t", "bool", "--by", "k", "-o", "sum",
              put("t.csv", b"k,x\n10.5,1\n9.5,0\n10.5,1\n")) == (
        "k\tsum(x)\n9.5\t0\n10.5\t2\n")


def test_order_of_quoted_digits(put):
    """A quote that the key has makes it a text, which follows all numbers."""
    assert ok("--by", "k", "-o", "rows",
              put("t.csv", b'k,x\n"""5""",1\n10,2\n')) == (
        'k\trows\n10\t1\n"5"\t1\n')


def test_keys_of_one_place_in_a_table(put):
    """Two numbers, and two texts that begin alike, have the same 39 bits of their
    hashes, which tell their table and tag."""
    keys = ["4366184", "5039916", "customer0041630", "customer0377682"]
    rows = [(key, 2**i) for i, key in enumerate(keys * 3)]
    path = put("t.csv", "\n".join(["k,x", *(f"{k},{x}" for k, x in rows), ""]).encode())
    want = "k\tsum(x)\trows\n" + "".join(
        f"{key}\t{273 * 2**i}\t3\n" for i, key in enumerate(keys))
    for more in [], ["-j2", "--chunk-size", "64"], ["--where", "x > 0"]:
        assert ok("--by", "k", "-o", "sum,rows", *more, path) == want


SALES = ('"shop, town",item,price,qty\nRome,nut,1.5,2\n"Oslo",nut,,4\n'
         ",bolt,3,5\nRome,bolt,4,1\n")

# Arguments, and the expected standard output.
TABLES = [
    (["--by", "2", "-o", "rows"], "item\trows\nbolt\t2\nnut\t2\n"),
    (["-g", "item", "-c", "qty", "-o", "sum"],
     "item\tsum(qty)\nbolt\t6\nnut\t6\n"),
    (["--group-by", "item", "-c", "price", "-o", "rows,sum,mean", "-O", "csv"],
     "item,rows,sum(price),mean(price)\nbolt,2,7,3.5\nnut,2,1.5,1.5\n"),
    (["--by", 'item,"shop, town"', "-o", "sum", "-O", "csv"],
     'item,"shop, town",sum(price),sum(qty)\nbolt,Rome,4,1\nbolt,,3,5\n'
     'nut,Oslo,0,4\nnut,Rome,1.5,2\n'),
    (["--by", "1", "-c", "qty,price", "-o", "max,rows,sum", "-O", "tsv",
      "--digits", "2", "--order", "first"],
     "shop, town\tmax(qty)\trows\tsum(qty)\tmax(price)\tsum(price)\n"
     "Rome\t2.00\t2\t3.00\t4.00\t5.50\nOslo\t4.00\t1\t4.00\t\t0.00\n"
     "\t5.00\t1\t5.00\t3.00\t3.00\n"),
    (["-g", "item", "-c", "price", "-o", "sum", "--digits", "0"],
     "item\tsum(price)\nbolt\t7\nnut\t2\n"),
    (["--by", "qty", "-c", "qty", "-o", "sum"],
     "qty\tsum(qty)\n1\t1\n2\t2\n4\t4\n5\t5\n"),
]


@pytest.mark.parametrize("args, want", TABLES)
def test_tables(put, args, want):
    assert run(*args, put("t.csv", SALES.encode())).out == want


@pytest.mark.parametrize("rows", [b",b\n,a\nx,\n,c\n", b",c\n,\n,b\nx,\n,a\n"])
def test_order_beside_missing_keys(put, rows):
    """By the next column."""
    keys = sorted((line.split(",") for line in rows.decode().splitlines()),
                  key=lambda row: [(not key, key) for key in row])
    assert ok("--by", "k,l", "-o", "rows", put("t.csv", b"k,l\n" + rows)) == (
        "k\tl\trows\n" + "".join(f"{k}\t{l}\t1\n" for k, l in keys))


def test_json(put):
    path = put("t.csv", SALES.encode())
    lines = [json.loads(line) for line in ok(
        "--by", "1", "-c", "qty", "-o", "argmax", "-O", "jsonl",
        path).splitlines()]
    name = "shop, town"
    assert [line["by"] for line in lines] == [{name: "Oslo"}, {name: "Rome"},
                                              {name: None}]
    assert lines[1] == {
        "by": {name: "Rome"}, "column": "qty", "rows": 2, "n": 2,
        "n_missing": 0, "n_bad": 0, "n_nan": 0,
        "argmax": {"index": 0, "value": 2.0, "file": path, "line": 2}}
    whole = json.loads(ok("--by", "item", "-o", "rows", "--json", path))
    assert [e["rows"] for e in whole["results"]] == [2, 2]
    assert "column" not in whole["results"][0]
    assert whole["input"]["records"] == 4
    whole = json.loads(ok("--by", "k", "-o", "max", "--json",
                          put("nan.csv", b"k,x\na,nan\nb,1\na,nan\n")))
    assert [e["n_nan"] for e in whole["results"]] == [2, 0]
    gaps = put("gaps.csv", b"k,x,y\n1,5,1\n1,,2\n2,NA,3\n2,6,\n,7,4\n3,8,5\n")
    result = run("--by", "k", "--where", "y < 5", "-o", "count", "--json", "-v",
                 gaps)
    whole = json.loads(result.out)
    assert [(e["rows"], e["n_missing"]) for e in whole["results"]
            if e["column"] == "x"] == [(2, 1), (1, 1), (1, 0)]
    assert whole["input"]["records"] == 4
    assert "column y: 4 rows = 4 used + 0 missing" in result.err
    assert "column x: 4 rows = 2 used + 2 missing" in result.err


@pytest.mark.parametrize("options", [
    ["-o", "sum"], ["-o", "sum", "--by", "k"], ["-o", "cov"],
    ["-o", "prod", "--by", "k"]])
def test_counts_of_columns(put, options):
    """Integers that f64 cannot hold are used, too; those of over 64 bits are
    rounded, and by products all are."""
    path = put("t.csv", b"k,x,y\na,9007199254740993,1\na,5,\nb,-9007199254740995,"
                        b"18446744073709551617\nb,,bad\nb,1,3\n")
    err = run(*options, "-c", "x,y", "-v", "--bad", "skip", path).err
    if "cov" in options:
        assert "rounded 1 integer that f64 cannot hold; " in err
        return
    assert ("rounded 3 integers that f64 cannot hold: 2 in column 'x', 1 in column "
            "'y'; " if "prod" in options else
            "rounded 1 integer that f64 cannot hold in column 'y'\n") in err
    assert "column x: 5 rows = 4 used + 1 missing + 0 bad\n" in err
    assert "column y: 5 rows = 3 used + 1 missing + 1 bad\n" in err


def test_as_sort_and_uniq(rnd, put):
    words = [rnd.choice("a to be or not".split()) for _ in range(999)]
    path = put("words.txt", "\n".join(words + [""]).encode())
    want = shell('LC_ALL=C sort "$1" | uniq -c | awk \'{print $2 "\\t" $1}\'',
                 path).out
    got = ok("-f", "csv", "--header", "no", "--by", "1", "-o", "rows", path)
    assert got == "1\trows\n" + want


def test_files(put):
    """Columns are found by name in each file; --per-file prints results for
    each file."""
    a = put("a.csv", b"k,x\na,1\nb,2\n")
    b = put("b.csv", b"x,k\n5,b\n7,c\n")
    assert ok("--by", "k", "-o", "sum", a, b) == (
        "k\tsum(x)\na\t1\nb\t7\nc\t7\n")
    assert ok("--by", "k", "-o", "sum", "--per-file", a, b) == (
        f"file\tk\tsum(x)\n{a}\ta\t1\n{a}\tb\t2\n{b}\tb\t5\n{b}\tc\t7\n")
    c = put("c.csv", b"k,y\nc,8\n")
    assert ok("--by", "k", "-o", "sum", "--per-file", a, c).endswith(
        f"{a}\tb\t2\nfile\tk\tsum(y)\n{c}\tc\t8\n")
    d = put("d.csv", b"k,x,y\nd,1,2\n")
    assert ok("--by", "k", "-o", "sum", "--per-file", a, d).endswith(
        f"{a}\tb\t2\nfile\tk\tsum(x)\tsum(y)\n{d}\td\t1\t2\n")
    assert ok("--by", "k", "-o", "sum", "--per-file", d, a).endswith(
        f"{d}\td\t1\t2\nfile\tk\tsum(x)\n{a}\ta\t1\n{a}\tb\t2\n")
    e = put("e.csv", b"k,x,z\ne,1,2\n")
    assert ok("--by", "k", "-o", "count", "--per-file", d, e, e) == (
        f"file\tk\tcount(x)\tcount(y)\n{d}\td\t1\t1\n"
        f"file\tk\tcount(x)\tcount(z)\n{e}\te\t1\t1\n{e}\te\t1\t1\n")
    for other in c, d:
        fails(1, "--by", "k", "-o", "sum", "--per-file", "-O", "tsv", a, other,
              says=f"'{other}' has other columns than '{a}'")


def test_pairs_of_files(put):
    """A header comes again where a column has another name."""
    xyz, xya = (put(f"{c}.csv", f"k,x,y,{c}\nr,1,2,3\nr,2,4,9\n".encode())
                for c in "za")
    head, row = "file\tk\tcov(x,y)\tcov(x,{0})\tcov(y,{0})\n", "{}\tr\t1\t3\t6\n"
    assert ok("--by", "k", "-o", "cov", "--per-file", xyz, xya, xya) == (
        head.format("z") + row.format(xyz) + head.format("a") + row.format(xya) * 2)


# Arguments, status, and a part of the message.
REFUSED = [
    (["--by", "k", "-o", "cov", "--nan", "error"], 2, "cov with --by"),
    (["--by", "k", "--weights", "x"], 2, "--by and --weights exclude"),
    (["--by", "k", "--assert", "sum > 1"], 2, "--by and --assert exclude"),
    (["--by", "k", "-o", "sum", "-O", "npy"], 2, "--by and -O npy exclude"),
    (["--by", "none", "-o", "sum"], 2, "no column 'none'"),
    (["--by", "", "-o", "sum"], 2, "--by takes the names or numbers"),
    (["--by", "k,x", "-o", "sum"], 2, "To count records, say -o rows"),
    (["--order", "first", "-o", "sum"], 2, "--order is for the keys of --by"),
    (["--by", "k", "--missing", "error", "-o", "rows"], 1, ":4:1: "),
    (["--by", "k", "-c", "x", "-o", "sum", "--nan", "error"], 1,
     "key 'b': element 1 is NaN"),
    (["-e", "h=1", "--by", "k,x,h", "-c", "x", "-o", "sum", "--nan", "error"], 1,
     "column 'x': key 'b', 'nan', '1': element 1 is NaN"),
    (["--by", "x", "-c", "k", "-o", "sum", "--bad", "skip"], 1,
     "column 'k': each of its 3 cells is bad: not a number of this type"),
]


@pytest.mark.parametrize("args, rc, says", REFUSED)
def test_refused(put, args, rc, says):
    fails(rc, *args, put("t.csv", b"k,x\na,1\nb,nan\n,3\nb,nan\n"), says=says)


def test_missing_is_error_where_no_key_is_missing(put):
    path = put("t.csv", b"k,x\na,1\nb,2\na,\n")
    args = ["--missing", "error", "--by", "k", "-o"]
    assert ok(*args, "rows", path) == "k\trows\na\t2\nb\t1\n"
    fails(1, *args, "sum", "-c", "x", path, says=":4:3: missing value (column x)")


@pytest.mark.skipif(not gpus(), reason="no GPU")
@pytest.mark.parametrize("key_kinds, n", [(["few"], 30000), (["odd", "few"], 900),
                                          (["words", "integers"], 20000)])
def test_on_the_gpu(rnd, put, key_kinds, n):
    """One GPU gives the CPU's results: for values that the device leaves to
    the host, for missing ones, and for chunks that it leaves to the CPU."""
    keys = [f"k{i}" for i in range(len(key_kinds))]
    lines = [",".join([draw_key(rnd, kind)[0] for kind in key_kinds] +
                      [draw_value(rnd, kind)[0]
                       for kind in ("cents", "hostile", "unit")] +
                      [rnd.choice(["", "-0", "inf", "nan", "2"])])
             for _ in range(n)]
    path = put("t.csv", "\n".join([",".join(keys + list("abcd")), *lines, ""])
               .encode())
    args = ["--by", ",".join(keys), "-c", "a,b,c,d", "-q", path]
    for ops in ("sum,mean,min,argmax,count,rows,n_nan", "var,l2", "min", "skew"):
        for more in [], ["--order", "first", "--chunk-size", "64K"]:
            want = run(*more, "--device", "cpu", "-o", ops, *args)
            got = run(*more, "--device", "gpu", "-o", ops, *args)
            assert got.out == want.out and got.rc == want.rc == 0, got.err


def test_more_keys_than_a_gpu_takes(rnd, put):
    if not gpus():
        pytest.skip("no GPU")
    path = put("t.csv", b"k,x\n" + b"".join(
        b"%d,%d\n" % (rnd.randrange(10**6), i) for i in range(300_000)))
    args = ["--by", "k", "-o", "sum,argmin", "--chunk-size", "256K", path]
    assert ok("--device", "gpu", *args) == ok("--device", "cpu", *args)


@pytest.mark.parametrize("least, most, n", [
    (-10**9, 10**9, 40_000), (-10**9, 0, 0), (1, 10**9, 0), (2**20, 2**21, 0)])
def test_order_of_many_keys(rnd, put, least, most, n):
    """Threads share the sorting of over 32,768 keys: numbers, then texts. 0 is
    far from all other numbers. As f64, 2^21 is 2^52 places after 2^20."""
    numbers = sorted({0, least, most, *rnd.sample(range(least, most), 40_000)})
    texts = sorted({"part-%x" % rnd.getrandbits(48) for _ in range(n)})
    keys = [*map(str, numbers), *texts]
    data = "\n".join(["k", *rnd.sample(keys, len(keys)), ""]).encode()
    path = put("t.csv", data)
    for threads in "1", "4":
        out = ok("--by", "k", "-o", "rows", "-j", threads, path)
        assert out == "k\trows\n" + "".join(f"{key}\t1\n" for key in keys)


@pytest.mark.skipif(not os.path.exists(FAKE), reason="no gpureduce_fake")
def test_a_device_without_keys(put):
    """A device without keys is not used, and --explain says why."""
    args = ["--by", "k", "-o", "sum", "--device", "gpu",
            put("t.csv", b"k,x\na,1\nb,2\na,3\n")]
    assert run(*args, program=FAKE).out == "k\tsum(x)\na\t4\nb\t2\n"
    assert "device\tcpu (--by runs on the CPU)\n" in \
        run("--explain", *args, program=FAKE).out


def test_raw_data_have_no_keys(put):
    fails(2, "--by", "k", "-o", "sum", put("t.f64", bytes(64)),
          says="--by is for text")


def test_memory_is_refused_before_it_is_taken(put):
    needs_memory_of_its_own()
    path = put("t.csv", b"k\n" + b"".join(b"%d\n" % i for i in range(1_000_000)))
    limited = shell('ulimit -v 150000; "$0" -j1 --by k -o rows "$1"', path)
    assert limited.rc == 1 and limited.out == "", limited
    assert "grouping by so many keys would take more than" in limited.err
    assert "at a time, by --where" in limited.err
    path = put("u.csv", b"k,x\n" + b"1,2\n2,3\n" * 2_500_000)
    limited = shell('ulimit -v 150000; "$0" -j1 --by k -o median "$1"', path)
    assert limited.rc == 1 and limited.out == "", limited
    assert "keeping the values of each key would take more than" in limited.err


def quantile(values, percent):
    """Returns the exact quantile of finite numbers, by NumPy's method
    linear."""
    place = Fraction(percent) / 100 * (len(values) - 1)
    low, high = (Fraction(values[i]) for i in (math.floor(place),
                                               math.ceil(place)))
    return low + (high - low) * (place - math.floor(place))


def kept(values, skips_nan):
    """Returns the expected results of the ops that keep all values of a key;
    None: no value."""
    numbers = sorted(x + 0 if x else 0.0 for x in values if x == x)
    nans = len(values) - len(numbers)
    n = nans + len(numbers) if not skips_nan else len(numbers)
    if n == 0:
        return {"median": None, "p99.5": None, "iqr": None, "nunique": 0,
                "mode": None, "mode_count": 0, "mode_ties": 0}
    count = {x: numbers.count(x) for x in numbers}
    most = max(count.values(), default=0)
    modes = [x for x in count if count[x] == most]
    mode = min(modes, default=math.nan)
    ties = len(modes) + (nans == most and not skips_nan)
    if not skips_nan and nans > most:
        most, mode, ties = nans, math.nan, 1
    got = {"nunique": len(count) + (nans > 0 and not skips_nan),
           "mode_count": most, "mode": mode, "mode_ties": ties}
    if nans and not skips_nan:
        return {**got, "median": math.nan, "p99.5": math.nan, "iqr": math.nan}
    q = {p: quantile(numbers, p) for p in ("25", "50", "75", "99.5")}
    return {**got, "median": q["50"], "p99.5": q["99.5"],
            "iqr": q["75"] - q["25"]}


@pytest.mark.parametrize("skips_nan, options", [
    (False, []), (True, ["--nan", "skip", "--order", "first"])])
def test_values_that_are_kept(rnd, put, skips_nan, options):
    cells = ["1.5", "-0", "0", "0.1", "1e300", "-7", "12345.678", "", "5e-324"]
    lines, groups = ["k,x,y"], {}
    for i in range(3000):
        key = rnd.choice(["a", "b", "c"] + [str(i) for i in range(400)])
        x = rnd.choice(cells + ["nan"] * (key == "b"))
        if i < 5:   # as many NaN as 2; one NaN; no value
            key, x = [("d", "nan"), ("d", "2"), ("d", ""), ("e", "nan"), ("f", "")][i]
        y = "%d" % rnd.randrange(50)
        lines.append(f"{key},{x},{y}")
        of_key = groups.setdefault(key, ([], []))
        of_key[1].append(float(y))
        if x:
            of_key[0].append(float(x))
    path = put("t.csv", "\n".join(lines + [""]).encode())
    ops = ["median", "sum", "p99.5", "iqr", "nunique", "mode", "mode_count",
           "mode_ties"]
    args = ["--by", "k", "-o", ",".join(ops), "-O", "csv", "-q", *options, path]
    out = run("-j1", *args).out
    got = {line[0]: line[1:] for line in parse(out)}
    assert len(got) == len(groups) + 1
    for key, columns in groups.items():
        for c, values in enumerate(columns):
            want = kept(values, skips_nan)
            for op, have in zip(ops, got[key][c * len(ops):]):
                if op != "sum":
                    assert (have == "" if want[op] is None else
                            have == "nan" if want[op] != want[op] else
                            float(have) == float(want[op])), (key, op, have)
    for more in (["-j3", "--chunk-size", "700"], ["--verify"]):
        assert run(*more, *args).out == out, more


# 2^62 + 5.75, rounded to f64.
BIG = "4.611686018427388e+18"


def test_values_of_integers(put):
    big = 2**62
    path = put("t.csv", b"k,x\n" + b"".join(
        b"%s,%d\n" % (k, big + i) for k, i in
        [(b"a", 3), (b"b", 5), (b"a", 1), (b"a", 3), (b"b", 6)]))
    assert ok("-t", "i64", "--by", "k", "-o", "mode,nunique,q3", path) == (
        f"k\tmode(x)\tnunique(x)\tq3(x)\na\t{big + 3}\t2\t{big + 3}\n"
        f"b\t{big + 5}\t2\t{BIG}\n")
    fails(1, "--by", "k", "-o", "median", path, says="say -t i64, or -t u64")


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("text", [
    "k,v\nA,1\n\tA,2\n A,4\nA\t,8\nA ,16\n",
    "v,k\n1,A\n2,\tA\n4, A\n8,A\t\n16,A \n"], ids=["first", "last"])
def test_blanks_around_keys_do_not_count(put, text, end):
    path = put("t.csv", text.replace("\n", end).encode())
    assert ok("--by", "k", "-o", "sum", path) == "k\tsum(v)\nA\t31\n"


def test_keys_of_words_and_numbers_are_not_noted(put):
    result = run("--by", "k", "-c", "v", "-o", "last",
                 put("t.csv", b"k,v\n5,1\nA1,2\nB2,3\n"))
    assert (result.out, result.err) == ("k\tlast(v)\n5\t1\nA1\t2\nB2\t3\n", "")


def test_keys_of_joined_words_keep_their_blanks(put):
    """With --ragged pad, blanks delimit no words inside the last column."""
    path = put("t.txt", b"n name\n1 a  b\n2 a b\n3 a\tb\n4  a b \r\n5 c\n6\n")
    out = ok("-f", "csv", "-d", "blank", "--ragged", "pad", "--by", "name",
             "-o", "rows", path)
    assert out == "name\trows\na\\tb\t1\na  b\t1\na b\t2\nc\t1\n\t1\n"
