# SPDX-License-Identifier: MIT
"""Quantiles against sorted data and fractions: files that are read again, and
pipes."""

import math
import resource
from fractions import Fraction

import numpy as np
import pytest

from harness import fails, gpus, needs_memory_of_its_own, ok, run, value
from make import CODES

OPS = "p0,q1,median,q3,p99.9,p100,iqr"
PERCENTS = {"q1": "25", "median": "50", "q3": "75"}


def quantile(data, percent, method):
    """Returns a quantile of sorted data: an element, or a fraction."""
    rank = Fraction(percent) / 100 * (len(data) - 1)
    low = math.floor(rank)
    part = rank - low
    if not part:
        return data[low]
    a, b = data[low], data[low + 1]
    if method == "nearest":
        return data[round(rank)]
    if method in ("lower", "higher"):
        return a if method == "lower" else b
    part = Fraction(1, 2) if method == "midpoint" else part
    return Fraction(a) + (Fraction(b) - Fraction(a)) * part


def want(data, op, method):
    if op == "iqr":
        return (Fraction(quantile(data, "75", method)) -
                Fraction(quantile(data, "25", method)))
    return quantile(data, PERCENTS.get(op, op[1:]), method)


def check(data, dtype, method, *args, stdin=b""):
    out = ok("-o", OPS, "--interpolation", method, *args, stdin=stdin)
    for line in out.splitlines():
        op, got = line.split("\t")
        wanted = want(data, op, method)
        narrow = np.dtype(CODES[dtype]).type
        if dtype in ("f16", "f32") and float(narrow(wanted)) == float(wanted):
            got = narrow(got)
        assert float(got) == float(wanted), (op, method, dtype)


@pytest.mark.parametrize("dtype,n,method", [
    ("f64", 40000, "linear"), ("f32", 70000, "midpoint"), ("f16", 999, "lower"),
    ("i64", 40000, "nearest"), ("u8", 5000, "linear"), ("i32", 2, "higher"),
    ("u8", 8, "nearest"), ("i16", 10, "nearest"),
])
def test_files_and_pipes(rng, put, dtype, n, method):
    numbers = np.dtype(CODES[dtype])
    data = (rng.normal(0, 50, n).astype(numbers) if numbers.kind == "f" else
            rng.integers(0, 250, n).astype(numbers))
    if n > 10:
        data[n // 3:n // 2] = 7  # most of a bin is one value
    raw = data.tobytes()
    exact = sorted(data.tolist())
    args = "-t", dtype, "-f", "raw", "--chunk-size", "64K"
    check(exact, dtype, method, *args, put("data", raw))
    check(exact, dtype, method, *args, stdin=raw)


def test_samples_bound_the_ranks(rng, tmp_path):
    """Files are read once if a sample bounds the ranks, and again if it
    misleads."""
    n = (2 << 20) + 9000
    data = rng.normal(0, 50, n).astype("<f4")
    data[::1000] = np.nan
    hidden = np.where(np.arange(n) % 4096 < 4000, 0, data).astype("<f4")
    for name, numbers in (("random", data), ("hidden", hidden),
                          ("sorted", np.sort(data)[:n - n // 500]),
                          ("two", np.where(data > 0, 1, 2).astype("<f4"))):
        path = tmp_path / f"{name}.f32"
        numbers.tofile(path)
        ordered = np.sort(numbers[~np.isnan(numbers)]).astype("f8")
        for device in ["cpu"] + ["cuda"] * bool(gpus()):
            done = run("-v", "--nan", "skip", "--device", device, "-o",
                       "median,iqr,p99.9", path)
            lines = dict(x.split("\t") for x in done.out.splitlines())
            for op in "median", "iqr", "p99.9":
                exact = np.float32(float(want(ordered, op, "linear")))
                assert np.float32(lines[op]) == exact, (name, op, device)
            assert "for the ranks" not in done.err or name == "hidden", (name, device)


def test_text(put):
    path = put("t.csv", b"a,b,c\n1,1152921504606846977,x\n,3,y\n4,"
               b"1152921504606846979,z\n9,NA,x\n")
    assert ok("-o", "median,iqr", path) == (
        "column\tmedian\tiqr\na\t4\t4\nb\t1152921504606846977\t"
        "5.764607523034235e+17\n")
    assert ok("-o", "describe", "-c", "a", path).splitlines() == [
        "count\t3", "mean\t4.666666666666667", "std\t4.041451884327381",
        "min\t1", "q1\t2.5", "median\t4", "q3\t6.5", "max\t9"]
    assert value("-c", "a", "-o", "p12.5", "--digits", "3", path) == "1.750"
    assert value("-c", "a", "-o", "mean", "--assert", "p90 < 9", path)
    for cell, want in (2**53, "9007199254740992.0"), (2**53 + 1, "9007199254740993"):
        path = put("w.csv", f"{cell}\n".encode())
        assert value("-t", "i64", "-o", "median", "--digits", "1", path) == want


def test_special(put):
    nan, inf = np.nan, np.inf
    path = put("x.f64", np.array([nan, inf, 1, -inf, inf]).tobytes())
    assert value("-o", "median", path) == "nan"
    assert ok("-o", "p0,p10,median,p90,iqr", "--nan", "skip", path).split() == [
        "p0", "-inf", "p10", "-inf", "median", "inf", "p90", "inf", "iqr", "inf"]
    fails(1, "-o", "median", "--nan", "error", path, says="element 0 is NaN")
    fails(1, "-o", "median", "/dev/null", says="median is undefined for empty")
    zeros = put("z.f64", np.array([-0.0, -0.0]).tobytes())
    assert value("-o", "median", "--verify", zeros) == "0"


def test_what_does_not_go_together(put):
    path = put("w.csv", b"x,w\n1,2\n3,4\n")
    fails(2, "-o", "median", "--weights", "w", path, says="takes no weights")
    fails(2, "-o", "median,cov", path, says="operations on two")
    lower = ["-c", "x", "-o", "mean", "--interpolation", "lower", path]
    fails(2, *lower, says="quantiles")
    assert ok("--assert", "median == 1", *lower) == "2\n"
    many = ",".join("p%d" % i for i in range(60))
    fails(2, "-o", many, path, says="at most 56 operations")
    many = " + ".join("p0.%03d" % i for i in range(1, 130)) + " > 0"
    fails(2, "-o", "max", "--assert", many, path,
          says="--assert: at most 128 percentiles in one run\n")


def limit():
    resource.setrlimit(resource.RLIMIT_AS, (80 << 20, 80 << 20))


def test_memory(put):
    """Too many values from a pipe are refused before they fill the machine's
    memory."""
    needs_memory_of_its_own()
    # The limit leaves no room for a GPU's driver.
    args = "--device", "cpu", "-j", "1", "-o", "median", "-t", "f64"
    raw = np.arange(7 << 20, dtype=np.float64).tobytes()
    result = run(*args, stdin=raw, preexec_fn=limit)
    assert result.rc == 1 and "would take more than" in result.err, result.err
    path = put("x.f64", raw)
    assert value(*args, path, preexec_fn=limit) == "3670015.5"


@pytest.mark.parametrize("columns", ["a,d", "d,a"])
def test_computed_columns_beside_narrow_ones(rng, columns):
    """The first column's type has few values, but a pipe is read only once."""
    data = sorted(rng.integers(0, 200, 3001).tolist())
    text = "a\n" + "".join(f"{x}\n" for x in rng.permutation(data))
    out = ok("-t", "u8", "-c", columns, "-e", "d=a*3.5", "-o", "median",
             stdin=text.encode())
    want = {"a": data[1500], "d": 3.5 * data[1500]}
    assert [line.split("\t") for line in out.splitlines()[1:]] == [
        [name, f"{want[name]:g}"] for name in columns.split(",")]


def test_percent_of_many_digits(put):
    percent = "12." + "3" * 38
    assert float(value("-o", "p" + percent, put("d.u8", b"\1\2\3\4"))) == float(
        1 + 3 * Fraction(percent) / 100)
    fails(2, "-o", f"p{percent}3", says="with at most 40 digits")
