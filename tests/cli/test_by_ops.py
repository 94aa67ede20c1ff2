# SPDX-License-Identifier: MIT
"""By key: histograms, texts, estimates, --reduce, pairs of columns and products.
The oracles are dicts of each key's values: bins, covariances and correlations
by fractions, texts by counting, trees of Python's numbers."""

import csv
import io
import itertools
import json
import math
import struct
from collections import Counter
from fractions import Fraction

import pytest

import test_pairs as pairs
from harness import fails, ok, run
from test_reduce import FLOATS, INTEGERS, same, tree

KEYS = ["a", "bb", "", '"x,y"', "9", "10", "k" * 30]
NAMES = {'"x,y"': "x,y"}
# Texts of cells, and the text that each means; None: missing.
TEXTS = {"Rome": "Rome", " Rome ": "Rome", '"say ""x"""': 'say "x"', "": None,
         "NA": "NA", "1": "1", "01": "01", "a" * 11: "a" * 11,
         "a" * 12: "a" * 12, "a" * 13: "a" * 13, "z" * 90: "z" * 90,
         "Zürich": "Zürich", '""': None, "B": "B"}


def table(out):
    lines = list(csv.reader(io.StringIO(out, newline="")))
    return lines[0], lines[1:]


def grouped(rows):
    groups = {}
    for key, value in rows:
        groups.setdefault(NAMES.get(key, key), []).append(value)
    return groups


def how(rnd):
    return ["-j", str(rnd.randrange(1, 5)), "--chunk-size",
            rnd.choice(["64", "700", "9K", "1M"])]


def draw_rows(rnd, n, draw):
    few = rnd.random() < 0.5
    return [(rnd.choice(KEYS if few else KEYS + list(map(str, range(300)))),
             draw()) for _ in range(n)]


def write(put, columns, rows, name="t.csv"):
    lines = [",".join(columns)] + [",".join(row) for row in rows]
    return put(name, "\n".join(lines + [""]).encode())


def bins_of(values, low, high, n):
    """Returns the counts below, in the bins, above, and of NaN, by exact
    edges."""
    low, high = Fraction(low), Fraction(high)
    if low == high:
        low, high = low - Fraction(1, 2), high + Fraction(1, 2)
    counts = [0] * (n + 3)
    for x in values:
        if x != x:
            counts[n + 2] += 1
        elif x == math.inf or (x != -math.inf and Fraction(x) > high):
            counts[n + 1] += 1
        elif x == -math.inf or Fraction(x) < low:
            counts[0] += 1
        else:
            at = (Fraction(x) - low) * n / (high - low)
            counts[1 + min(n - 1, math.floor(at))] += 1
    return counts


def draw_number(rnd, is_finite):
    return rnd.choice(
        ["", "nan", "-0", "0", "1", "0.1", "2.5", repr(rnd.uniform(-9, 9))] +
        ["9007199254740993", "-18446744073709551617"] +
        ["inf", "-inf", "1e300"] * (not is_finite))


def number(cell):
    return int(cell) if len(cell) > 15 and cell.lstrip("-").isdigit() \
        else float(cell)


def check_histogram(rnd, put, n):
    has_range = rnd.random() < 0.5
    bins = rnd.choice([1, 2, 7, 40])
    rows = draw_rows(rnd, n, lambda: draw_number(rnd, not has_range))
    path = write(put, "kx", rows)
    values = [number(x) for _, x in rows if x and x != "nan"]
    # A range found in the data covers all keys. A range without width is
    # widened.
    low, high = (rnd.choice([(-3, 4), (0, 1), (0.1, 0.7), (-1e300, 1e300)])
                 if has_range else (min(values), max(values)))
    args = ["--by", "k", "-c", "x", "-o", "histogram", "--bins", str(bins), path]
    if has_range:
        args += [f"--range={low!r},{high!r}"]
    out = run(*how(rnd), *args, "--json").out
    got = {e["by"]["k"] or "": e["histogram"]
           for e in json.loads(out)["results"]}
    groups = grouped(rows)
    assert set(got) == set(groups)
    for key, cells in groups.items():
        want = bins_of([number(x) for x in cells if x], low, high, bins)
        h = got[key]
        assert [h["below"], *h["counts"], h["above"], h["nan"]] == want, key
    head, lines = table(run(*how(rnd), "-O", "csv", *args).out)
    assert head == ["k", "low", "high", "count"]
    for key in groups:
        of_key = [int(line[3]) for line in lines if line[0] == key]
        h = got[key]
        assert of_key == ([h["below"]] * has_range + h["counts"] +
                          [h["above"]] * has_range + [h["nan"]][:h["nan"]])
    assert run(*how(rnd), *args, "--json", "--verify").out == out


def check_texts(rnd, put, n):
    # With few rows, most cells could be numbers, and the column would not be
    # text.
    rows = draw_rows(rnd, max(n, 60), lambda: rnd.choice(list(TEXTS)))
    path = write(put, "ksx", [(k, s, str(len(s))) for k, s in rows])
    ops = ["nunique", "mode", "mode_count", "mode_ties", "first", "last",
           "count", "rows", "n_missing", "approx_nunique"]
    args = ["--by", "k", "-c", "s", "-o", ",".join(ops), "-O", "csv", "-q", path]
    wheres = rnd.random() < 0.3
    if wheres:
        args += ["--where", "x > 1"]
        rows = [(k, s) for k, s in rows if len(s) > 1]
    out = run(*how(rnd), *args).out
    head, lines = table(out)
    groups = grouped(rows)
    assert sorted(line[0] for line in lines) == sorted(groups)
    for line in lines:
        cells = [TEXTS[s] for s in groups[line[0]]]
        texts = [s for s in cells if s is not None]
        count = Counter(texts)
        most = max(count.values(), default=0)
        modes = [s.encode() for s in count if count[s] == most]
        want = {"nunique": len(count),
                "mode": min(modes, default=b"").decode(),
                "mode_count": most or "", "mode_ties": len(modes) or "",
                "first": texts[0] if texts else "",
                "last": texts[-1] if texts else "", "count": len(texts),
                "rows": len(cells), "n_missing": len(cells) - len(texts)}
        have = dict(zip(head[1:], line[1:]))
        if not texts:       # 0 or empty, as of columns
            want["mode_count"] = have["mode_count(s)"]
            want["mode_ties"] = have["mode_ties(s)"]
        for op in want:
            assert have.get(f"{op}(s)", have.get(op)) == str(want[op]), op
        assert abs(int(have["approx_nunique(s)"]) - len(count)) <= 1
    assert run(*how(rnd), *args, "--verify").out == out
    # Alone, the first and the last text are of each worker's own table.
    ends = run(*how(rnd), *args[:5], "first,last", *args[6:]).out
    at = [head.index(f"{op}(s)") for op in ("first", "last")]
    assert table(ends)[1] == [[line[0], *(line[i] for i in at)] for line in lines]


def check_estimates(rnd, put, n):
    """Estimates are near the exact numbers; the standard error is 0.81 %."""
    rows = [(rnd.choice("abc"), repr(rnd.randrange(3 * n) / 4))
            for _ in range(n)] + [(str(i), "7") for i in range(500)]
    path = write(put, "kx", rows)
    out = run(*how(rnd), "--by", "k", "-o", "approx_nunique", "-O", "csv",
              path).out
    for key, have in table(out)[1]:
        count = len({x for k, x in rows if k == key})
        assert abs(int(have) - count) <= max(2, 0.05 * count), (key, have)
    assert run(*how(rnd), "--by", "k", "-o", "approx_nunique", "-O", "csv",
               path).out == out


def check_reduce(rnd, put, n):
    """Rows without a value count as the identity, as they do without keys."""
    text, option, identity, combine = rnd.choice(FLOATS)
    rows = draw_rows(rnd, n, lambda: rnd.choice(
        ["", repr(rnd.uniform(-3, 3)), repr(rnd.gauss(0, 1))]))
    path = write(put, "kx", rows)
    args = ["--by", "k", "-c", "x", "--reduce", text, "--identity", option,
            "-O", "csv", path]
    groups = grouped(rows)
    out = run(*how(rnd), *args).out
    head, lines = table(out)
    assert head == ["k", "reduce(x)"] and len(lines) == len(groups)
    for key, have in lines:
        values = [float(x) if x else identity for x in groups[key]]
        assert same(have, tree(values, combine)), (text, key, have)
    for more in ["--verify"], ["--commutative"]:
        assert run(*how(rnd), *more, *args).out == out


def check_reduce_elements(rnd, put, n):
    text, option, identity, combine = rnd.choice(INTEGERS)
    keys = [rnd.randrange(-4, 40) for _ in range(n)]
    values = [rnd.randrange(-500, 500) for _ in range(n)]
    path = put("v.i64", struct.pack(f"<{n}q", *values))
    args = ["--keys", put("k.i16", struct.pack(f"<{n}h", *keys)), "--reduce",
            text, "--identity", option, path]
    out = ok(*how(rnd), *args)
    groups = grouped(zip(keys, values))
    lines = [line.split("\t") for line in out.splitlines()[1:]]
    assert [int(key) for key, _ in lines] == sorted(groups)
    for key, have in lines:
        assert same(have, tree(groups[int(key)], combine)), (text, key)
    assert ok(*how(rnd), *args) == out


def check_pairs(rnd, put, n):
    """Of each key, the complete pairs of each two columns."""
    gaps, kind = (0.2, ["", "NA", "bad"]), "plain"
    if n > 60:
        gaps, kind = rnd.choice([(None, "plain"), (
            (0.1, ["nan", "inf", "-inf", ""]), "hostile")])
    columns = [pairs.column(rnd, k, gaps, n) for k in ("plain", kind, "plain")]
    columns = columns[:rnd.choice([2, 3])]
    keys = [rnd.choice(KEYS) for _ in range(n)]
    path = write(put, "k" + "abc"[:len(columns)],
                 zip(keys, *([text for text, _ in c] for c in columns)))
    mode = rnd.choice([[], ["--nan", "skip"], ["--verify"]])
    out = run("--by", "k", "-c", ",".join("abc"[:len(columns)]), "-o",
              "cov,corr", "--bad=skip", "-O", "jsonl", *how(rnd), *mode, path)
    got = {}
    for line in out.out.splitlines():
        e = json.loads(line)
        got[e["by"]["k"] or "", *e["columns"]] = e
    groups = grouped(zip(keys, range(n)))
    count = 0
    for key, rows in groups.items():
        for i in range(len(columns)):
            for j in range(i + 1, len(columns)):
                both, bad = pairs.complete([columns[i][r] for r in rows],
                                           [columns[j][r] for r in rows])
                pairs.check_element(got[key, "abc"[i], "abc"[j]], both, bad,
                                    len(rows), pairs.statistics(
                                        both, "skip" in mode))
                count += 1
    assert len(got) == count, out


def test_pairs_of_a_long_key(rnd, put):
    """Pairs of a key are added 4096 at a time; a few lack a value."""
    rows = [(rnd.randrange(3) > 0, rnd.randrange(-99, 99), rnd.randrange(-99, 99))
            for _ in range(15_000)]
    cells = [[str(int(i)) for i in row] for row in rows]
    for i in range(5, 15_000, 11):
        cells[i][1 + i % 2] = ""
    path = write(put, "kxy", cells)
    rows = [row for row, texts in zip(rows, cells) if "" not in texts]
    lines = [line.split("\t") for line in ok(
        "--by", "k", "-o", "cov", *how(rnd), path).splitlines()[1:]]
    want = []
    for key in False, True:
        n, x, y, both = (sum(f) for f in zip(*(
            (1, x, y, x * y) for k, x, y in rows if k == key)))
        want.append(float(Fraction(n * both - x * y, n * (n - 1))))
    assert [float(line[-1]) for line in lines] == want, lines


def product(values):
    """The product in the tree of reduce/prod.h, as a float."""
    def times(a, b):
        m, e = math.frexp(a[0] * b[0])
        return m, e + a[1] + b[1]

    def halves(nodes):
        return [times(*(nodes[i:i + 2] + [(1.0, 0)])[:2])
                for i in range(0, len(nodes), 2)]

    nodes = [math.frexp(x) for x in values]
    nodes += [(1.0, 0)] * (-len(nodes) % 256)
    groups = []
    for at in range(0, len(nodes), 256):
        lanes = nodes[at:at + 32]
        for row in range(1, 8):
            lanes = [times(a, b) for a, b in
                     zip(lanes, nodes[at + 32 * row:at + 32 * row + 32])]
        while len(lanes) > 1:
            half = len(lanes) // 2
            lanes = [times(a, b) for a, b in zip(lanes[:half], lanes[half:])]
        groups += lanes
    while len(groups) > 1:
        groups = halves(groups)
    return math.ldexp(*groups[0]) if groups else 1.0


def check_product(rnd, put, n):
    """Of each key, the values in the order of the file, without gaps."""
    rows = draw_rows(rnd, n, lambda: rnd.choice(
        ["", repr(rnd.uniform(-3, 3)), repr(1 + rnd.gauss(0, .1))]))
    path = write(put, "kx", rows)
    args = ["--by", "k", "-c", "x", "-o", "prod,count", "--empty", "identity",
            "-O", "csv", path]
    out = run("-q", *how(rnd), *args).out
    groups = grouped(rows)
    head, lines = table(out)
    assert head == ["k", "prod(x)", "count(x)"] and len(lines) == len(groups)
    for key, have, count in lines:
        values = [float(x) for x in groups[key] if x]
        assert float(have) == product(values) and int(count) == len(values), key
    assert run("-q", *how(rnd), "--verify", *args).out == out


def check_product_elements(rnd, put, n):
    keys = [rnd.randrange(3) for _ in range(4 * n)]
    values = [rnd.gauss(1, .05) for _ in keys]
    path = put("v.f64", struct.pack(f"<{4 * n}d", *values))
    out = ok(*how(rnd), "--keys", put("k.u8", bytes(keys)), "-o", "prod", path)
    groups = grouped(zip(keys, values))
    assert [tuple(map(float, line.split("\t"))) for line
            in out.splitlines()[1:]] == [(k, product(groups[k]))
                                         for k in sorted(groups)]


CHECKS = [check_histogram, check_texts, check_estimates, check_reduce,
          check_reduce_elements, check_pairs, check_product,
          check_product_elements]


@pytest.mark.parametrize("check", CHECKS)
@pytest.mark.parametrize("n", [60, 9000])
def test_random(rnd, put, check, n):
    check(rnd, put, n)


def test_chunks_without_texts(put):
    """Rows without a value in a column do not get another row's value."""
    path = put("t.csv", b"k,s\n" + b"a,x\nb,\na,\nb,\na,\nb,\nb,y\n")
    want = "k\tcount(s)\tnunique(s)\tfirst(s)\na\t1\t1\tx\nb\t1\t1\ty\n"
    for size in "4", "8", "1K":
        assert run("-q", "--by", "k", "-c", "s", "-o", "count,nunique,first",
                   "--chunk-size", size, "-j2", path).out == want


@pytest.mark.parametrize("texts", itertools.permutations(["b", "aa", "ab", "aab"]))
def test_the_first_of_texts_that_tie(put, texts):
    """By their bytes, whichever is longer or comes first."""
    path = put("t.csv", "\n".join(["k,s", *(f"x,{s}" for s in texts * 2), ""]).encode())
    assert run("--by", "k", "-c", "s", "-o", "mode,mode_ties", path).out == (
        "k\tmode(s)\tmode_ties(s)\nx\taa\t4\n")


def test_long_keys_of_reduce(rnd, put):
    """A key has more rows than a block of the tree."""
    rows = [("a" if i % 3 else "b", repr(rnd.uniform(-1, 1)) if i % 17 else "")
            for i in range(14_000)]
    path = write(put, "kx", rows)
    args = ["--by", "k", "--reduce", "a - 2 * b", "--identity", "0", "-O", "csv"]
    groups = grouped(rows)
    for line in table(ok(*how(rnd), *args, path))[1]:
        values = [float(x or 0) for x in groups[line[0]]]
        assert same(line[1], tree(values, lambda a, b: a - 2 * b))
    # If all rows have the same key, the result is the one without --by.
    one = write(put, "kx", [("a", x) for _, x in rows] + [("a", "")], "one.csv")
    assert ok(*args, one).split(",")[-1] == ok(
        "-c", "x", "--reduce", "a - 2 * b", "--identity", "0", one)


def test_histogram_of_keys_without_numbers(put):
    path = put("k.csv", b"k,v\na,nan\na,nan\nb,nan\nb,\nc,\n")
    args = ["--by", "k", "-c", "v", "-o", "histogram", path]
    got = json.loads(ok(*args, "--json"))["results"]
    assert [e["histogram"] for e in got] == [
        {"edges": [], "counts": [], "below": 0, "above": 0, "nan": n}
        for n in (2, 1, 0)]
    assert ok(*args, "-O", "csv") == (
        "k,low,high,count\na,nan,nan,2\nb,nan,nan,1\nc,,,0\n")


def test_histograms_of_keys_of_elements(rnd, put):
    keys = [rnd.randrange(9) for _ in range(5000)]
    values = [rnd.choice([math.nan, -0.0, rnd.gauss(0, 1)])
              for _ in range(5000)]
    path = put("v.f64", struct.pack("<5000d", *values))
    args = ["--keys", put("k.u8", bytes(keys)), "-o", "histogram", "--bins",
            "6", "--json", path]
    finite = [x for x in values if x == x]
    for more, low, high in (([], min(finite), max(finite)),
                            (["--range=-1,0.5"], -1, 0.5)):
        got = json.loads(ok(*args, *more, "-j3", "--chunk-size", "4K"))
        for e in got["results"]:
            h = e["histogram"]
            assert [h["below"], *h["counts"], h["above"], h["nan"]] == bins_of(
                [x for k, x in zip(keys, values) if k == e["by"]["key"]],
                low, high, 6)


def test_counts_of_special_values(put):
    """NaN is not 0, and -0 is."""
    path = put("k.csv", b"k,v\na,inf\na,1\na,0\na,-inf\nb,nan\nb,2\nb,3\n"
               b"c,0\nc,-0\n")
    assert ok("--by", "k", "-c", "v", "-o", "n_nan,n_inf,any,alltrue", "-O",
              "csv", path).split()[1:] == ["a,0,2,1,0", "b,1,0,1,1", "c,0,0,0,0"]


@pytest.mark.parametrize("nan, want", [
    ("propagate", "a,nan\nb,nan\nc,nan\nd,inf\ne,-inf\nf,nan\n"),
    ("skip", "a,-0\nb,0\nc,1\nd,inf\ne,-inf\nf,nan\n")])
def test_special_sums(put, nan, want):
    """Without a NaN, a sum of -0 alone is -0; also if it was saved."""
    path = put("k.csv", b"k,v\na,-0\na,nan\na,-0\nb,-0\nb,nan\nb,0\nc,nan\nc,1\n"
                        b"d,inf\nd,1\ne,1\ne,-inf\nf,inf\nf,-inf\n")
    args = ["--by", "k", "-o", "sum", "--nan", nan]
    state, more = put("a.state", b""), put("b.state", b"")
    assert ok(*args, "-O", "csv", path) == "k,sum(v)\n" + want
    ok(*args, "--save-state", state, path)
    ok(*args, "--save-state", more, put("b.csv", b"k,v\na,-0\nb,-0\nd,-5\n"))
    for states in [state], [state, more], [more, state]:
        assert ok("--merge", "-O", "csv", *states) == "k,sum(v)\n" + want
    ok(*args, "--save-state", more, put("c.csv", b"k,v\na,0\n"))
    for states in [state, more], [more, state]:
        assert ok("--merge", "-O", "csv", *states) == \
            "k,sum(v)\n" + want.replace("-0", "0")


def test_what_cannot_be(put):
    data = "k,x\na,1\nb,inf\na,9223372036854775809\n"
    path = put("t.csv", data.encode())
    by = ["--by", "k", "-c", "x"]
    fails(1, *by, "-o", "histogram", path, says="say --range A,B")
    fails(2, *by, "-o", "histogram", stdin=data.encode(),
          says="it cannot be read twice, first for the range of the bins")
    fails(1, *by, "--reduce", "a + b", "--identity", "0", path,
          says="--reduce by key are not available of integers beyond 2^53")
    fails(2, *by, "-o", "cov", path, says="need two columns or more, and 'x'")
    fails(2, "--by", "k", "-o", "cov", "--nan", "error", path,
          says="cannot say where a NaN is")
    fails(1, "--by", "k", "-c", "x", "-t", "i64", "--reduce", "a * b",
          "--identity", "1", put("u.csv", b"k,x\na,5000000000\na,9000000000\n"
                                 b"a,9000000000\n"),
          says="key 'a': of the key, those 0 to ")
