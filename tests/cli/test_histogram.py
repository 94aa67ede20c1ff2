# SPDX-License-Identifier: MIT
"""Histograms against exact edges."""

import json
import os
import pty
import subprocess
from fractions import Fraction

import numpy as np
import pytest

from harness import BINARY, fails, ok
from make import CODES


def test_a_column_without_values_has_a_line(put):
    path = put("h.csv", b"k,v,w\na,,1\nb,,2\n")
    args = ["-o", "histogram", "--bins", "2"]
    assert ok(*args, "-c", "v,w", path) == (
        "column\tlow\thigh\tcount\nv\t\t\t0\nw\t1\t1.5\t1\nw\t1.5\t2\t1\n")
    assert ok(*args, "-c", "v", path) == "low\thigh\tcount\n"
    assert ok(*args, "-c", "v", "--by", "k", "-O", "csv", path) == (
        "k,low,high,count\na,,,0\nb,,,0\n")
    assert ok(*args, "-c", "v", "--per-file", path) == (
        f"file\tlow\thigh\tcount\n{path}\t\t\t0\n")
    got = json.loads(ok(*args, "-c", "v", "--json", path))["results"][0]["histogram"]
    assert got == {"edges": [], "counts": [], "below": 0, "above": 0, "nan": 0}
    np.savez(path + ".npz", e=np.zeros(0), f=np.ones(1))
    assert ok(*args, "-O", "csv", path + ".npz") == (
        "name,low,high,count\ne,,,0\nf,0.5,1,0\nf,1,1.5,1\n")


def want(data, low, high, bins):
    """below, the counts, above."""
    counts = [0] * (bins + 2)
    for x in map(Fraction, data):
        at = (x - low) * bins // (high - low)
        counts[bins if x == high else max(-1, min(at, bins)) + 1] += 1
    return counts


@pytest.mark.parametrize("dtype,n,bins,span", [
    ("f64", 40000, 7, None), ("f32", 3000, 10, (-20, 20.1)), ("u8", 999, 300, None),
    ("i64", 2000, 3, (-7, 7)), ("f16", 400, 1, (0, 1)),
])
def test_random(rng, put, dtype, n, bins, span):
    numbers = np.dtype(CODES[dtype])
    data = (rng.normal(0, 20, n).astype(numbers) if numbers.kind == "f" else
            rng.integers(0, 90, n).astype(numbers))
    low, high = map(Fraction, span or (data.min().item(), data.max().item()))
    args = ["-o", "histogram", "--bins", bins, "-t", dtype, "-f", "raw", "--json"]
    if span:
        args.append("--range=%s,%s" % span)
    for source in [put("data", data.tobytes())], []:
        out = ok(*args, *source, stdin=data.tobytes())
        got = json.loads(out)["results"][0]["histogram"]
        assert ([got["below"], *got["counts"], got["above"]] ==
                want(data.tolist(), low, high, bins))
        assert list(map(float, got["edges"])) == [
            float(low + (high - low) * i / bins) for i in range(bins + 1)]


@pytest.mark.parametrize("span", [
    (0, 1), (-1, 1), (1e308, -1e308), (5e-324, 6e-323), (-1e-310, 1e300),
    (2**53 - 9, 2**53), (-2**31, 2**31 - 1), (1e5, 1e5 + 1e-9), (7, 7), (0, 255),
    (-128, 127), (-2**53, -2**53 + 5), (-0.25, 200)])
@pytest.mark.parametrize("dtype", ["f64", "f32", "f16", "i64", "u64", "i8", "u16"])
def test_values_beside_edges(put, dtype, span):
    """Each edge, and the numbers right below and above it, are in their bins,
    also where a range is narrow, wider than the dtype, or near 0."""
    numbers, bins = np.dtype(CODES[dtype]), 7
    low, high = sorted(map(Fraction, span))
    given = f"--range={float(low)!r},{float(high)!r}"
    if low == high:
        low, high = low - Fraction(1, 2), high + Fraction(1, 2)
    edges = [low + (high - low) * i / bins for i in range(bins + 1)]
    if numbers.kind == "f":
        with np.errstate(over="ignore"):
            near = np.array([float(x) for x in edges], "f8").astype(numbers)
        near = near[np.isfinite(near)]
        steps = [np.nextafter(near, numbers.type(to)) for to in (np.inf, -np.inf)]
        data = np.concatenate([near, *steps, np.array([0, -0.0], numbers)])
        data = data[np.isfinite(data)]
        special = np.array([np.inf, -np.inf, np.nan, -np.nan], numbers)
    else:
        special = np.array([], numbers)
        info = np.iinfo(numbers)
        whole = [x // 1 + k for x in edges for k in (-1, 0, 1, 2)]
        data = np.array([int(x) for x in whole if info.min <= x <= info.max]
                        + [info.min, info.max], numbers)
    out = ok("-o", "histogram", "--bins", bins, "-t", dtype, "-f", "raw", "--json",
             given, put("data", data.tobytes() + special.tobytes()))
    got = json.loads(out)["results"][0]["histogram"]
    below, *counts, above = want(data.tolist(), low, high, bins)
    infinite = len(special) // 4  # of each sign
    assert [got["below"], *got["counts"], got["above"], got["nan"]] == [
        below + infinite, *counts, above + infinite, 2 * infinite]


@pytest.mark.parametrize("name,data,more,rows", [
    ("z.f64", [0.0, -0.0], [], "-0.5,0,0\n0,0.5,2"),
    ("z.f64", [0.0, -0.0], ["--range=-0.0,0"],
     "-inf,-0.5,0\n-0.5,0,0\n0,0.5,2\n0.5,inf,0"),
    ("c.i16", [-7, -7, -7], [], "-7.5,-7,0\n-7,-6.5,3"),
    ("c.u8", [7, 8], ["--range", "7,7"], "-inf,6.5,0\n6.5,7,0\n7,7.5,1\n7.5,inf,1")])
def test_a_range_of_one_value(put, name, data, more, rows):
    """It is widened by a half at both ends. Zeros of both signs are one value."""
    path = put(name, np.array(data, CODES[name[2:]]).tobytes())
    assert ok("-o", "histogram", "--bins", "2", "-O", "csv", *more, path) == (
        f"low,high,count\n{rows}\n")


def test_tables(put):
    path = put("t.csv", b"a,b,c\n1,5,x\n2,,y\n9007199254740993,nan,z\n")
    assert ok("-o", "histogram", "--bins", "2", path) == (
        "column\tlow\thigh\tcount\n"
        "a\t1\t4503599627370497\t2\n"
        "a\t4503599627370497\t9007199254740992\t1\n"
        "b\t4.5\t5\t0\nb\t5\t5.5\t1\nb\tnan\tnan\t1\n")
    assert ok("-c", "a", "-o", "histogram", "--bins", "1", "--range", "0,3",
              "--digits", "1", "-O", "csv", "--verify", path) == (
        "low,high,count\n-inf,0.0,0\n0.0,3.0,2\n3.0,inf,1\n")
    assert ok("--by", "c", "-c", "a,b", "-o", "histogram", "--bins", "1",
              "-O", "csv", put("k.csv", b"a,b,c\n1,5,x\n3,6,x\n")) == (
        "c,column,low,high,count\nx,a,1,3,2\nx,b,5,6,2\n")
    np.savez(path + ".npz", b=np.ones(2), a=np.zeros(3))
    assert ok("-o", "histogram", "--bins", "1", "-O", "csv", path + ".npz") == (
        "name,low,high,count\nb,0.5,1.5,2\na,-0.5,0.5,3\n")
    assert ok("-o", "histogram", "/dev/null") == "low\thigh\tcount\n"


def test_keys_of_files_with_other_columns(put):
    """A header comes again where other keys follow, but not in csv and tsv."""
    one, two = put("1.csv", b"k,a\nx,1\n"), put("2.csv", b"k,a,b\nx,1,2\n")
    other = put("3.csv", b"l,a,b\ny,3,4\n")
    args = ["-o", "histogram", "--range", "0,9", "--bins", "1", "--per-file", "--by", "1"]
    lines = [f"{one},x,a,0,9,1", f"{two},x,a,0,9,1", f"{two},x,b,0,9,1"]
    for form, files, want in (
            ("csv", [one, two], ["file,k,column,low,high,count", *lines]),
            ("text", [one, two, other, one], [
                "file,k,column,low,high,count", *lines, "file,l,column,low,high,count",
                f"{other},y,a,0,9,1", f"{other},y,b,0,9,1",
                "file,k,column,low,high,count", lines[0]])):
        out = ok(*args, "-O", form, *files).replace("\t", ",")
        assert [line for line in out.splitlines() if "inf" not in line] == want
    fails(1, *args, "-O", "tsv", two, other,
          says=f"'{other}' has other keys than '{two}', but -O csv and tsv have one header\nTry")


def test_refused(put):
    for data in b"1\n-inf\n", b"1\ninf\n":
        path = put("t.csv", data)
        fails(1, "-o", "histogram", path, says="--range A,B")
    fails(2, "-o", "histogram,sum", path, says="other operations")
    for wide in "-9007199254740993,0", "9007199254740992,9007199254740993":
        fails(2, "-o", "histogram", f"--range={wide}", path,
              says="f64 cannot hold")
    fails(2, "-o", "sum", "--bins", "3", path, says="-o histogram")
    fails(2, "-o", "histogram", "--assert", "p99 < 3", path, says="a histogram")


@pytest.mark.parametrize("data, counts", [(b"1\n2\n2\n3\n", (1, 3)),
                                          (b"1\n3\n", (1, 1))])
def test_bars(put, data, counts):
    """The greatest count has a bar of 40."""
    path = put("t.csv", data)
    master, slave = pty.openpty()
    subprocess.run([BINARY, "-o", "histogram", "--bins", "2", path], check=True,
                   stdout=slave)
    os.close(slave)
    lines = os.read(master, 4096).decode().splitlines()
    os.close(master)
    assert lines == ["low\thigh\tcount", *(
        f"{low}\t{low + 1}\t{n}\t" + "#" * (40 * n // max(counts))
        for low, n in enumerate(counts, 1))]
