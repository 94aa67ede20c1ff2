# SPDX-License-Identifier: MIT
"""Pairs of columns: cov, corr, and --weights. The oracle is the definition in
fractions, with one division or one root at the end."""

import json
import math
import os
from fractions import Fraction

import pytest

import oracle
from harness import fails, ok, run
from test_digits import nearest_root, shown

WEIGHTED = "sum mean var std var_pop std_pop".split()
NAN, INF = math.nan, math.inf


def draw(rnd, kind):
    """Returns a cell's text and its value: a Fraction, NAN, an INF, or
    None."""
    if kind == "plain":
        text = rnd.choice([str(rnd.randrange(-99, 999)),
                           f"{rnd.uniform(-50, 50):.3f}",
                           repr(rnd.gauss(1e6, 1))])
    elif kind == "hostile":
        text = repr(math.ldexp(rnd.uniform(-1, 1), rnd.randrange(-1074, 500)))
    else:   # integers, also some that f64 cannot hold
        text = str(rnd.choice([-1, 1]) * rnd.getrandbits(rnd.randrange(1, 65)))
    wide = text.lstrip("-").isdigit() and abs(int(text)) > 2**53
    return text, Fraction(int(text) if wide else float(text))


GAPS = {"": None, "NA": None, "bad": None, "nan": NAN, "-inf": -INF, "inf": INF}


def column(rnd, kind, gaps, n):
    """gaps: how often a cell is one of certain texts."""
    cells = [draw(rnd, kind) for _ in range(n)]
    for i in range(n):
        if gaps and rnd.random() < gaps[0]:
            text = rnd.choice(gaps[1])
            cells[i] = text, GAPS[text]
    return cells


def write(put, columns, names, newline="\n"):
    rows = zip(*([text for text, _ in column] for column in columns))
    lines = [",".join(names)] + [",".join(row) for row in rows]
    return put("t.csv", (newline.join(lines) + newline).encode())


def complete(a, b):
    """Returns the values of the records that have both, and counts of the
    others."""
    pairs = [(x, y) for (_, x), (_, y) in zip(a, b)
             if x is not None and y is not None]
    bad = sum(s == "bad" or t == "bad" for (s, _), (t, _) in zip(a, b))
    return pairs, bad


def is_nan(pair):
    return any(isinstance(x, float) and math.isnan(x) for x in pair)


def is_inf(pair):
    return any(isinstance(x, float) and math.isinf(x) for x in pair)


def ratio(x):
    return oracle.divide(x.numerator, x.denominator)


def root(x):
    return oracle.root(x.numerator, x.denominator)


def spread(pairs):
    n = len(pairs)
    return (n * sum(x * y for x, y in pairs)
            - sum(x for x, _ in pairs) * sum(y for _, y in pairs))


def statistics(pairs, skip):
    """Returns cov and corr, None if there are no pairs."""
    if skip:
        pairs = [p for p in pairs if not is_nan(p)]
    if not pairs:
        return {"cov": None, "corr": None}
    if any(is_nan(p) or is_inf(p) for p in pairs) or len(pairs) < 2:
        return {"cov": NAN, "corr": NAN}
    n, cross = len(pairs), spread(pairs)
    both = spread([(x, x) for x, _ in pairs]) * spread([(y, y) for _, y
                                                        in pairs])
    corr = NAN
    if both:
        corr = math.copysign(root(cross * cross / both), cross)
    return {"cov": ratio(Fraction(cross, n * (n - 1))), "corr": corr}


def weighted(pairs, skip):
    if skip:
        pairs = [p for p in pairs if not is_nan(p)]
    if not pairs:
        return {op: 0.0 if op == "sum" else None for op in WEIGHTED}
    total = sum(w for _, w in pairs)
    if any(map(is_nan, pairs)):
        return dict.fromkeys(WEIGHTED, NAN)
    want = dict.fromkeys(WEIGHTED, NAN)
    infs = {NAN if w == 0 else x for x, w in pairs if isinstance(x, float)}
    if infs:
        want["sum"] = infs.pop() if len(infs) == 1 else NAN
        want["mean"] = want["sum"] if total else NAN
        return want
    first = sum(x * w for x, w in pairs)
    above = total * sum(x * x * w for x, w in pairs) - first * first
    want["sum"] = ratio(Fraction(first))
    if total:
        want["mean"] = ratio(Fraction(first) / total)
        want["var_pop"] = ratio(Fraction(above) / total**2)
        want["std_pop"] = root(Fraction(above) / total**2)
    if total > 1:
        want["var"] = ratio(above / (total * (total - 1)))
        want["std"] = root(above / (total * (total - 1)))
    return want


def number(x):
    """Returns a value of JSON."""
    return float(x) if isinstance(x, str) else x


def same(got, want):
    if got is None or want is None:
        return got is want
    return got == want or (got != got and want != want)


def check_element(element, pairs, bad, rows, want):
    tallies = [element[k] for k in ("rows", "n", "n_bad", "n_missing", "n_nan")]
    assert tallies == [rows, len(pairs), bad, rows - len(pairs) - bad,
                       sum(map(is_nan, pairs))], element
    for op, value in want.items():
        assert same(number(element[op]), value), (op, value, element)


SHAPES = [  # kinds of columns, gaps, records
    (["plain"] * 3, None, 1500),
    (["plain", "plain", "wide"], (0.02, ["", "NA", "bad"]), 700),
    (["plain", "hostile", "wide"], (0.1, ["", "bad"]), 300),
    (["hostile"] * 3, None, 60),
    (["plain", "wide", "plain"], (0.02, ["nan", "", "inf", "-inf"]), 40),
    (["plain"] * 3, (0.5, ["nan", ""]), 3),
    (["plain"] * 3, (1, [""]), 4),
]
MODES = [["-j1"], ["-j3", "--chunk-size", "64", "--nan", "skip", "--verify"],
         # The third column is decoded for all records.
         ["-j2", "--chunk-size", "200", "--where",
          "ismissing($3) or index() % 3 != 1"]]


def chosen(mode, columns):
    """Returns the columns of the records that the options select."""
    if "--where" not in mode:
        return columns
    rows = [i for i, (_, x) in enumerate(columns[2]) if x is None or i % 3 != 1]
    return [[column[i] for i in rows] for column in columns]


@pytest.mark.parametrize("shape", SHAPES)
def test_covariance_and_correlation(put, rnd, shape):
    kinds, gaps, n = shape
    columns = [column(rnd, kind, gaps, n) for kind in kinds]
    columns.append([("7.5", Fraction(15, 2))] * n)      # a constant column
    names = ["a", "b", "c", "d"]
    path = write(put, columns, names, rnd.choice(["\n", "\r\n"]))
    for mode in MODES:
        left = chosen(mode, columns)
        out = run("-c", "1-", "-o", "cov,corr", "--bad=skip",
                  "-O", "jsonl", *mode, path)
        assert out.rc == 0, out
        elements = [json.loads(line) for line in out.out.splitlines()]
        want = [(i, j) for i in range(4) for j in range(i + 1, 4)]
        assert [e["columns"] for e in elements] == [
            [names[i], names[j]] for i, j in want]
        for element, (i, j) in zip(elements, want):
            pairs, bad = complete(left[i], left[j])
            check_element(element, pairs, bad, len(left[0]),
                          statistics(pairs, "skip" in mode))


@pytest.mark.parametrize("shape", SHAPES)
def test_weights(put, rnd, shape):
    kinds, gaps, n = shape
    columns = [column(rnd, kind, gaps, n) for kind in kinds]
    weights = [(text.lstrip("-"), value if value is None else abs(value))
               for text, value in columns[2]
               if value is None or math.isfinite(value)]
    weights += [("0.25", Fraction(1, 4))] * (n - len(weights))
    columns[2] = weights
    path = write(put, columns, ["x", "y", "w"])
    for mode in MODES:
        left = chosen(mode, columns)
        out = run("-c", "1,2", "--weights", "w", "-o", ",".join(WEIGHTED),
                  "--bad=skip", "-O", "jsonl", *mode, path)
        assert out.rc == 0, out
        elements = [json.loads(line) for line in out.out.splitlines()]
        assert [e["column"] for e in elements] == ["x", "y"]
        for element, values in zip(elements, left):
            pairs, bad = complete(values, left[2])
            check_element(element, pairs, bad, len(left[0]),
                          weighted(pairs, "skip" in mode))


def test_digits_are_those_of_the_exact_value(put, rnd):
    a, b = (column(rnd, "plain", None, 30) for _ in range(2))
    path = write(put, [a, b], ["a", "b"])
    pairs, _ = complete(a, b)
    cross, both = spread(pairs), (spread([(x, x) for x, _ in pairs])
                                  * spread([(y, y) for _, y in pairs]))
    corr = shown(nearest_root(cross * cross / both, 60), 60, cross < 0)
    units = round(abs(Fraction(cross, 30 * 29)) * 10**60)
    assert ok("-c", "a,b", "-o", "corr,cov", "--digits", "60", path) == (
        f"corr\t{corr}\ncov\t{shown(units, 60, cross < 0)}\n")


TABLE = b"a,b,c,w\n1,2,9,1\n2,4,1,2\n3,6,NA,3\n4,8,4,0\n"


@pytest.mark.parametrize("args,out", [
    ("-c a,b -o corr", "1\n"),
    ("-c b,a -o corr", "1\n"),
    ("-c 1-2 -o cov,corr", "cov\t3.3333333333333335\ncorr\t1\n"),
    ("-c 1-3 -o cov --digits 2",
     "column\ta\tb\tc\na\t1.67\t3.33\t-2.83\nb\t3.33\t6.67\t-5.67\n"
     "c\t-2.83\t-5.67\t16.33\n"),
    ("-c 1-3 -o corr,cov --digits 1",
     "op\tcolumn\ta\tb\tc\ncorr\ta\t1.0\t1.0\t-0.5\ncorr\tb\t1.0\t1.0\t-0.5\n"
     "corr\tc\t-0.5\t-0.5\t1.0\ncov\ta\t1.7\t3.3\t-2.8\ncov\tb\t3.3\t6.7\t"
     "-5.7\ncov\tc\t-2.8\t-5.7\t16.3\n"),
    ("-c 1-3 -o cov,corr --digits 1 -O csv",
     "column,with,cov,corr\na,b,3.3,1.0\na,c,-2.8,-0.5\nb,c,-5.7,-0.5\n"),
    ("-c a,b -o corr -O tsv", "corr\n1\n"),
    ("-c a --weights w -o mean", "2.3333333333333335\n"),
    ("--weights w", "op\ta\tb\tc\nsum\t14\t28\t11\nmean\t2.3333333333333335\t"
     "4.666666666666667\t3.6666666666666665\nstd\t0.816496580927726\t"
     "1.632993161855452\t4.618802153517006\n"),
    ("-x c --weights 4 -o var,var_pop -O csv",
     "column,var,var_pop\na,0.6666666666666666,0.5555555555555556\n"
     "b,2.6666666666666665,2.2222222222222223\n"),
    ("-c w --weights w -o sum -t i64", "14\n"),
    ("-c a,w --weights w -o sum --where a>0", "column\tsum\na\t14\nw\t14\n"),
    ("-c a --weights w -o sum,mean -t i64", "sum\t14\nmean\t"
     "2.3333333333333335\n"),
])
def test_text(put, args, out):
    assert ok(*args.split(), put("t.csv", TABLE)) == out


def test_weights_of_any_column_are_reduced_if_listed(put):
    names = [f"v{i}" for i in range(70)]
    path = put("t.csv", "\n".join([",".join(names), ",".join(["2"] * 70), ""]).encode())
    for name in names:
        assert ok("-c", name, "--weights", name, "-o", "sum", path) == "4\n"


def test_one_weighted_column_has_a_name_beside_others(put):
    args = ["--weights", "w", "-o", "sum"]
    assert ok(*args, put("2.csv", b"x,w\n3,2\n")) == "6\n"
    three = put("3.csv", b"k,x,w\nu,3,2\n")
    assert ok(*args, three) == "column\tsum\nx\t6\n"
    assert ok(*args, "-c", "x", three) == "6\n"


WIDE = 2**53 + 1
SPECIAL = [  # records of a value and its weight, options, sum and mean
    (f"inf,{WIDE} 1,2", "", "inf inf"),
    (f"-inf,{WIDE} 1,2", "", "-inf -inf"),
    (f"inf,{WIDE} -inf,1", "", "nan nan"),
    (f"-inf,2 -{WIDE},2", "", "-inf -inf"),
    ("inf,3", "", "inf inf"),
    ("-inf,3 1,0", "", "-inf -inf"),
    ("inf,0 1,2", "", "nan nan"),
    ("nan,3", "", "nan nan"),
    ("nan,3 inf,1", "--nan=skip", "inf inf"),
    ("nan,3 5,1", "--nan=skip", "5 5"),
    ("nan,3 -1,0", "--nan=skip", "0 nan"),
    ("-1,0 -2,0", "", "0 nan"),
    (f"-{WIDE},0", "", "0 nan"),
    ("-0.0,2 -1,0", "", "-0 -0"),
    (f"-0.0,{WIDE}", "", "-0 -0"),
    (f"0.0,{WIDE}", "", "0 0"),
    (f"{WIDE},1 4,3 -{WIDE + 2},1", "--dtype=i64", "10 2"),
    (f"{2**64 - 1},1 5,1", "--dtype=u64", "18446744073709551620 9.223372036854776e+18"),
    # Sums of integers are exact: negative, of zeros below, and of 126 bits.
    ("-3,5 1,1", "-t i64", "-14 -2.3333333333333335"),
    (f"{-2**62},4", "-t i64", f"{-2**64} {-2.0**62}"),
    (f"{2**63 - 1},{2**63 - 1}", "-t i64", f"{(2**63 - 1)**2} {2.0**63}"),
    ("-5,1 5,1", "-t i64", "0 0"),
]


@pytest.mark.parametrize("records,args,out", SPECIAL)
def test_special_values_and_weights(put, records, args, out):
    path = put("t.csv", "\n".join(["v,w", *records.split(), ""]).encode())
    assert ok("--weights", "w", "-o", "sum,mean", *args.split(), path) == (
        "sum\t{}\nmean\t{}\n".format(*out.split()))


def test_infinity_beside_wide_integers(put):
    path = put("t.csv", f"a,b\ninf,{WIDE}\n1,2\n3,-{WIDE}\n".encode())
    assert ok("-o", "cov,corr", path) == "cov\tnan\ncorr\tnan\n"
    path = put("w.csv", f"v,w\ninf,{WIDE}\n1,2\n".encode())
    assert ok("--weights", "w", "-o", "var,std_pop", path) == (
        "var\tnan\nstd_pop\tnan\n")


def test_weights_of_1_in_all_or_less(put):
    """var divides by W (W - 1), of which nothing is left; var_pop by W^2."""
    for weight, pop in ("0.5", 1), ("0.25", 1):
        path = put("t.csv", f"v,w\n1,{weight}\n3,{weight}\n".encode())
        assert ok("--weights", "w", "-o", "var,std,var_pop,std_pop", path) == (
            f"var\tnan\nstd\tnan\nvar_pop\t{pop}\nstd_pop\t{pop}\n")


@pytest.mark.parametrize("gap", ["x", ""])
def test_pairs_without_a_record_in_common(put, gap):
    """The result is empty, whatever excludes the records."""
    text = "a,b,c\n1,?,3\n2,5,?\n3,?,4\n9,8,?\n".replace("?", gap)
    out = run("-c", "1-", "-o", "cov", "--bad=skip", put("t.csv",
                                                         text.encode()))
    assert out.rc == 0 and "columns 'b' and 'c': cov is undefined" in out.err
    assert out.out == ("column\ta\tb\tc\na\t12.916666666666666\t10.5\t1\n"
                       "b\t10.5\t4.5\t\nc\t1\t\t0.5\n")


def test_columns_without_a_record(put):
    path = put("t.csv", b"a,b,c\n1,x,3\n2,x,4\n")
    fails(1, "-c", "1-", "-o", "cov", "--bad=skip", path,
          says="'b': no record is left: 2 have a bad cell and 0 a missing one\n")
    path = put("w.csv", b"a,b\n1,x\n?,2\n3,\n")
    for args, whose, what in (("-c a,b -o cov", "'a' and 'b'", "cell"),
                              ("-c a -o sum --weights b", "'a'", "cell or weight")):
        fails(1, *args.split(), "--bad=skip", path, says=(
            f"{whose}: no record is left: 2 have a bad {what} and 1 a missing one\n"))


def test_files(put):
    """As one dataset, one by one, and with columns matched by name."""
    one, two = put("1.csv", TABLE), put("2.csv", b"b,a\n1,2\n-3,4\n")
    assert ok("-c", "a,b", "-o", "cov", one, two) == "0.4\n"
    assert ok("-c", "a,b", "-o", "cov", "--per-file", one, two) == (
        f"file\tcov\n{one}\t3.3333333333333335\n{two}\t-4\n")
    one = put("3.csv", b"a,b,c\n1,2,9\n2,4,1\n3,6,NA\n4,8,4\n")
    assert ok("-o", "corr", "--per-file", "--digits", "1", one, two) == (
        f"file\tcolumn\ta\tb\tc\n{one}\ta\t1.0\t1.0\t-0.5\n{one}\tb\t1.0\t1.0"
        f"\t-0.5\n{one}\tc\t-0.5\t-0.5\t1.0\nfile\tcolumn\tb\ta\n{two}\tb\t\t"
        f"-1.0\n{two}\ta\t-1.0\t\n")


def test_notes_of_keys(put):
    """They count what is printed: no column with itself."""
    path = put("k.csv", b"k,a,b,c\nx,1,2,3\nx,4,5,6\ny,,,1\ny,,,2\n")
    assert "cov and 2 other values are undefined" in run("--by", "k", "-o", "cov",
                                                         path).err


def test_notes(put):
    path = put("w.csv", b"w,x,y\n99999999999999999999,1,2\n2,1,3\n")
    out = run("-c", "y", "-o", "sum", "--weights", "w", path)
    assert "that f64 cannot hold; " in out.err, out
    path = put("t.csv", b"a,b,w\n1,x,1\n2,4,y\n3,,1\n5,6,1\n"
                        b"7,100000000000000000001,1\n")
    out = run("-c", "a,b", "-o", "cov", "--bad=skip", path)
    assert out.rc == 0 and "left out 1 pair with a bad cell\n" in out.err
    assert "rounded 1 integer" in out.err
    out = run("-o", "cov", "--bad=skip", path)
    assert ("skipped 2 bad cells: 1 in column 'b', 1 in column 'w'\n"
            in out.err), out
    read = put("e.csv", b"a,b,c\n1,2,3\n4,x,6\n7,8,1\n")
    out = run("-e", "y=a+b", "-c", "a,c,y", "-o", "cov", "--bad=skip", read)
    assert out.err == (f"gpureduce: {read}: skipped 1 bad cell that expressions read "
                       "in column 'b'\n")
    out = run("-c", "a,b", "-o", "mean", "--weights", "w", "--bad=skip", path)
    assert ("left out 3 values for a bad cell or weight: 1 in column 'a', "
            "2 in column 'b'\n"
            in out.err), out
    out = run("--explain", "-o", "corr", path, "--bad=skip")
    assert "\npairs\t3 (of 3 columns)\n" in out.out
    out = run("--explain", "--weights", "w", path, "--bad=skip")
    assert "\nweights\t3 'w'\n" in out.out and "  columns\t2 " in out.out


@pytest.mark.parametrize("rc,args,says", [
    (2, "-o corr,mean", "mean needs one column"),
    (2, "-o mean --assert corr>0", "--assert: corr needs two columns"),
    (2, "-o corr --assert corr(a)>0", "say corr alone"),
    (2, "-c a -o corr", "'a' is the only one"),
    (2, "-o cov --device fake", "computed on the CPU alone"),
    (2, "--weights w -o count", "count takes no weights"),
    (2, "--weights w -o summary,max", "max takes no weights"),
    (2, "--weights w -o corr", "corr takes no weights"),
    (2, "--weights w --assert count>0", "--assert: count takes no weights"),
    (2, "--weights w --device fake", "computed on the CPU alone"),
    (2, "--weights z", "no column 'z'"),
    (2, "--weights=", "--weights takes the name"),
    (2, "--weights 1-2", "--weights takes one column"),
    (2, "-c w -x w --weights w", "besides that of --weights"),
    (2, "--weights w --assert mean(w)>0", "not one of those reduced"),
    (1, "--weights c -c a --missing error", ":4:5: missing value"),
    (1, "-c a,c -o corr --missing error", ":4:5: missing value"),
    (4, "-c 1-3 -o corr --assert corr>0", "columns 'a' and 'c': --assert is "
     "false"),
    (4, "-c a --weights w -o mean --assert sum<14", "sum is 14"),
])
def test_refusals(put, rc, args, says):
    path = put("t.csv", TABLE)
    if "fake" in args:
        fails(rc, *args.split(), path, says=says,
              program=os.environ["GPUREDUCE_FAKE"])
    elif rc == 4:
        out = run(*args.split(), path)
        assert out.rc == 4 and says in out.err, out
    else:
        fails(rc, *args.split(), path, says=says)


def test_bad_weights(put):
    for cell in ["-1", "nan", "inf", "-9007199254740993"]:
        path = put("t.csv", f"x,w\n1,1\n2,0\n3,{cell}\nz,1\n".encode())
        for more in [], ["-t", "f32"]:
            fails(1, "-c", "x", "--weights", "w", "-o", "sum", *more, path, says=[
                ":4:3: a weight must be a finite number, 0 or more, not", cell])
    # The first bad one, whatever is missing or wide before it.
    for cells in (["2", "", "-1"], ["-2", "-9007199254740993"],
                  ["9007199254740993", "-9007199254740993", "-1"],
                  ["1"] * 63 + ["-1"], ["1"] * 64 + ["-1"], ["1"] * 65 + ["-1"]):
        path = put("t.csv", ("x,w\n" + "".join(f"1,{w}\n" for w in cells)).encode())
        line = 2 + [w.startswith("-") for w in cells].index(True)
        fails(1, "-c", "x", "--weights", "w", "-o", "sum", path,
              says=f"{path}:{line}:3: a weight must be")
    fails(1, "-c", "x", "--weights", "w", "-o", "sum", put("t.csv", (
        b"x,w\n1,1\nz,1\n2,-1\n")), says=":3:1: not a number: 'z'")


def test_data_without_columns(put):
    fails(2, "-o", "corr", put("a.f64", bytes(80)), says="cov and corr need "
          "two columns")
    fails(2, "--weights", "w", put("a.f64", bytes(80)),
          says="--weights is for text")
    fails(1, "-c", "a,b", "-o", "corr", put("e.csv", b"a,b\n"),
          says="corr is undefined for empty input")
    none = put("none.csv", b"")
    fails(1, "-o", "corr", none, says="corr is undefined for empty input")
    assert ok("-o", "cov", "--empty", "identity", none) == "nan\n"
    wide = b",".join(b"1" for _ in range(4097)) + b"\n"
    fails(2, "-o", "cov", put("w.csv", wide), says=(
        "cov and corr take at most 4096 columns, not 4097; choose some"))
    fails(1, "--nan", "error", "-c", "a,b", "-o", "cov", put("n.csv", (
        b"a,b\n1,2\nnan,\n3,nan\n")), says="element 2 is NaN")


def test_wide_integers_of_selected_records(put):
    """--where keeps integers that f64 cannot hold in their records."""
    pairs = [(43, 2**64 - 1), (4, 5), (7, 1 - 2**63), (9, 2**53 + 1)]
    n = len(pairs)
    means = [Fraction(sum(column), n) for column in zip(*pairs)]
    cov = sum((a - means[0]) * (b - means[1]) for a, b in pairs) / (n - 1)
    lines = ["a,b", "-1,2"] + [f"{a},{b}\n-1,{2**60}" for a, b in pairs]
    data = put("a.csv", "\n".join(lines).encode())
    assert float(ok("-c", "a,b", "-o", "cov", "--where", "a > 0",
                    data)) == float(cov)


def test_verbose_counts_pairs_or_columns(put):
    path = put("t.csv", b"a,b,c\n1,2,3\n,3,4\n5,,6\n7,8,\n9,10,11\n")
    for columns, said in (("a,b", ["pairs: 5 rows = 3 used + 2 missing + 0 bad"]),
                          ("1-3", [f"column {c}: 5 rows = 4 used + 1 missing + 0 bad"
                                   for c in "abc"])):
        lines = run("-v", "-o", "cov", "-c", columns, path).err.splitlines()
        assert [line for line in lines if "rows = " in line] == said
