# SPDX-License-Identifier: MIT
"""What CSV shares with raw data: products in element order, --verify, --fast,
and the same answers for the same values."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest

from csv_check import same_everywhere
from harness import fails, gpus, ok, run, values
from make import pack
from oracle import MOST, OPS


def factors(rng, n):
    """Numbers whose product is finite and rounds at every step."""
    logs = rng.uniform(-0.65, 0.65, n)
    return (np.exp(logs - logs.mean()) * rng.choice([-1, 1], n)).tolist()


def table(data, every=0):
    """One column of data and one of text. every: a missing cell after this
    many."""
    lines = ["v,t"]
    for i, x in enumerate(data):
        lines.append(f'{x!r},"{i},"')
        if every and i % every == 0:
            lines.append("NA,")
    return "\n".join(lines).encode() + b"\n"


@pytest.mark.parametrize("n", [1, 2, 1000, 30_000])
def test_same_answers_as_for_binary_data(rng, put, n):
    data = factors(rng, n)
    want = ok("-o", ",".join(OPS), put("d.f64", pack(data, "f64")))
    path = put("t.csv", table(data))
    args = ["-c", "v", "-o", ",".join(OPS)]
    for chunk, jobs in itertools.product(
            (["7"] if n < 2000 else []) + ["1000", "4096", "64K", "8M"],
            (1, 2, 4)):
        assert ok(*args, "--chunk-size", chunk, "-j", jobs, path) == want
    with open(path, "rb") as file:
        assert ok("-f", "csv", *args, stdin=file) == want
    if gpus():
        assert ok("--device", "gpu", *args, path) == want


# An empty name is none.
SETS = ["", "base", "neon", "avx2", "avx512", "avx512vbmi2"]


def lacks_set(result):
    """Whether the processor lacks the set that the run asked for."""
    return result.rc == 2 and "this processor does not run" in result.err


def test_every_instruction_set_gives_the_same(rng, put):
    """Numbers of every length, quoted, missing and with exponents, so that
    batches of each width begin and fail."""
    data = factors(rng, 3000)
    formats = "%.2f", "%.6f", "%.17g", "%.6e", '"%.3f"', "%.0f", ""
    lines = [",".join((f % x if f and i % 9 else "") for f in formats)
             for i, x in enumerate(data)]
    text = "a,b,c,d,e,f,g\n" + "\n".join(lines) + "\n"
    path = put("t.csv", text.encode())
    args = ["-j1", "-v", "-o", "sum,min,max,count", "-c", "1-6", path]
    out = {}
    for name in SETS:
        result = run(*args, env={"GPUREDUCE_CPU": name})
        if lacks_set(result):
            continue
        assert f", instructions of {name}" in result.err, result.err
        out[name] = result.out
    rows = [line.split("\t") for line in out["base"].splitlines()[1:]]
    for row, cells in zip(rows, zip(*(line.split(",") for line in lines))):
        used = [Fraction(float(x.strip('"'))) for x in cells if x]
        want = [float(sum(used)), float(min(used)), float(max(used)), len(used)]
        assert [float(x) for x in row[1:]] == want
    assert len(rows) == 6
    assert len(set(out.values())) == 1, out


@pytest.mark.parametrize("dtype", ["f32", "i8", "i64", "u16", "u64"])
def test_other_types_same_as_for_binary_data(rng, put, dtype):
    data = rng.integers(0 if dtype[0] == "u" else -9, 10, 5000)
    ops = ",".join(MOST)
    want = ok("-o", ops, put("d." + dtype, pack(data, dtype)))
    lines = b"\n".join(b"%d" % x for x in data) + b"\n"
    for chunk in "100", "4096", "1M":
        assert ok("-t", dtype, "-o", ops, "--chunk-size", chunk,
                  put("t.csv", lines)) == want


def test_product_over_files(rng, put):
    data = factors(rng, 9000)
    want = ok("-o", "prod,sum,argmax", put("d.f64", pack(data, "f64")))
    for cuts in ([3000], [1, 4096, 4097], [8999]):
        ends = zip([0, *cuts], [*cuts, len(data)])
        files = [put(f"{i}.csv", table(data[a:b]))
                 for i, (a, b) in enumerate(ends)]
        for cut in [], ["--chunk-size", "1K", "-j", "4"]:
            assert ok("-c", "v", "-o", "prod,sum,argmax", *cut,
                      *files) == want, cuts


@pytest.mark.parametrize("every", [1, 3, 1000])
def test_product_with_missing_cells(rng, put, every):
    """The same under every cut, and right to the last few digits."""
    data = factors(rng, 5000)
    content = table(data, every)
    result = same_everywhere(
        put("t.csv", content), content, ["-c", "v", "-o", "prod"],
        cuts=("100", "999", "4096", "64K"), slow_pipe=False)
    assert result.rc == 0, result
    exact = Fraction(1)
    for x in data:
        exact *= Fraction(x)
        exact = Fraction(round(exact * 2**200), 2**200)
    assert math.isclose(float(result.out), exact, rel_tol=1e-12)
    assert ok("-c", "v", "-o", "prod", "--verify",
              put("t.csv", content)) == result.out


def test_verify(rng, put):
    path = put("t.csv", table(factors(rng, 3000), 7))
    plain = ok("-o", ",".join(OPS), path)
    for args in [], ["-j", "3"], ["--chunk-size", "1000"]:
        assert ok("--verify", *args, "-o", ",".join(OPS), path) == plain
    two = put("u.csv", b"a,b\n1,2\n3,x\n,4\n")
    args = ["--bad=skip", "-c", "a,b", "-o", "sum,argmax,prod", two, two]
    assert ok("--verify", *args) == ok(*args)
    fails(2, "--verify", "-f", "csv", "-o", "sum", stdin=b"1\n",
          says="--verify")
    with open(path, "rb") as file:
        assert ok("--verify", "-f", "csv", "-o", ",".join(OPS),
                  stdin=file) == plain
    fails(1, "--verify", "-c", "2", "-o", "sum", two, says=":3:3: ")


def test_fast_keeps_its_error_bound(rng, put):
    data = (rng.uniform(-1, 1, 20_000)
            * 2.0 ** rng.integers(-300, 300, 20_000)).tolist()
    exact = sum(map(Fraction, data))
    size = sum(abs(Fraction(x)) for x in data)
    path = put("t.csv", table(data, 5))
    got = Fraction(float(ok("--fast", "-c", "v", "-o", "sum", path)))
    assert abs(got - exact) <= 272 * size / 2**53 + abs(exact) / 2**53
    assert ok("--fast", "-o", "max,argmin,count", path) == \
        ok("-o", "max,argmin,count", path)


def test_special_values(put):
    rows = [(b"inf", "inf"), (b"-inf", "-inf"), (b"-0", "-0"), (b"1e400",
            "inf"), (b"-1e-400", "-0"), (b"nan", "nan")]
    for cell, want in rows:
        path = put("t.csv", b"v\n" + cell + b"\n\nNA\n")
        assert ok("-o", "sum", path) == f"{want}\n", cell
        assert ok("-o", "min", path) == f"{want}\n", cell
    path = put("t.csv", b"v\n-0\n\n-0\n")
    assert values("-o", "sum,min,absmin", path) == {
        "sum": "-0", "min": "-0", "absmin": "0"}


def test_a_few_megabytes(rng, put):
    """Large enough for default chunks to cut it."""
    data = rng.integers(-10**6, 10**6, 200_000)
    other = rng.uniform(-1, 1, 200_000)
    lines = [b'%d,"a ""b""\n%d",%.17g' % (x, i, y)
             for i, (x, y) in enumerate(zip(data.tolist(), other.tolist()))]
    path = put("t.csv", b"\n".join(lines) + b"\n")
    ops = "count,sum,min,max,argmin,argmax,prod,var"
    want = []
    for number, column in ("1", data), ("3", other):
        raw = put("d.f64", pack(column.astype(float), "f64"))
        row = [v.split("\t")[1] for v in ok("-o", ops, raw).splitlines()]
        want.append("\t".join([number, *row]))
    want = "\n".join(["column\t" + ops.replace(",", "\t"), *want, ""])
    for cut in [], ["-j", "1"], ["-j", "3"], ["--chunk-size", "1M"], [
            "--chunk-size", "64K", "-j", "4"]:
        assert ok("-o", ops, *cut, path) == want, cut


LOG = b'h1 200 10 "-"\nh2 200 20 "http://a"\nh3 404 30 "-"\nh4 200 40 -\n'
BLANK = ["-d", "blank", "--header", "no"]
# Text that one reader might take in another way than the others.
CORNERS = [
    # A word of --na with a quote, where quotes are data.
    (LOG, [*BLANK, "--na", '"-"', "--by", "4", "-c", "3", "-o", "sum"],
     '4\tsum(3)\n"http://a"\t20\n-\t40\n\t40\n'),
    (b'v\n"5"\n7\n"8"\n', ["--quote", "none", "--strip", '"', "--na", '"5"', "-f",
                           "csv", "-o", "sum,n_missing"], "sum\t15\nn_missing\t1\n"),
    # Blanks between a CR and its LF.
    (b"1 x\n2 x\r \n3 y\n", [*BLANK, "--by", "2", "-c", "1", "-o", "sum"],
     "2\tsum(1)\nx\t3\ny\t3\n"),
    (b"1 5\r \n2 6\r\t\r\n3 7\n", [*BLANK, "-c", "1", "-o", "sum"], "6\n"),
    (b"1 5\r \n2 6\n3 7\n", [*BLANK, "-c", "2", "-o", "sum,count"],
     "sum\t18\ncount\t3\n"),
    (b"1 5\r \n2 6\r \n3 x\r \n", ["-d", "blank", "-c", "2", "--bad", "skip", "-o",
                                   "sum,n_bad"], "sum\t11\nn_bad\t1\n"),
    # A CR that --strip leaves at the end of a cell is data.
    (b"a,b\n1,7%\n1,5\r%\n1,9%\n", ["--strip", "%", "-c", "b", "--bad", "skip", "-o",
                                    "sum,n_bad"], "sum\t16\nn_bad\t1\n"),
    # So many blanks that a GPU does not look for the start of their line.
    (b"1 2 3\n4 5 6\n" + b" " * 5000 + b"7 8\n9 10 11\n",
     [*BLANK, "--ragged", "pad", "-c", "2,3", "-o", "sum"],
     "column\tsum\n2\t25\n3\t20\n"),
    (b"1 2\n" + b" " * 5000 + b"3 4\n5 6" + b" " * 5000 + b"\n",
     [*BLANK, "-o", "sum"], "column\tsum\n1\t9\n2\t12\n"),
]


@pytest.mark.parametrize("text, args, want", CORNERS)
def test_corners_are_read_in_one_way(put, text, args, want):
    path = put("t.txt", text)
    ways = [{}, *({"env": {"GPUREDUCE_CPU": name}} for name in SETS[1::2])]
    for more, kw in itertools.product(
            (["-j1"], ["-j3", "--chunk-size", "16"]), ways):
        result = run(*more, *args, path, **kw)
        if lacks_set(result):
            continue
        assert (result.rc, result.out) == (0, want), (more, kw, result)
    if gpus():
        result = run("--device", "gpu", *args, path)
        assert (result.rc, result.out) == (0, want), result
