# SPDX-License-Identifier: MIT
"""--digits: the exact result is rounded to decimals once, ties to even. The
oracle is the definition of each operation in fractions, rounded by Python's
round(); for roots it compares squares."""

import math
from fractions import Fraction

import numpy as np
import pytest

from harness import fails, ok, run, value, values
from make import CODES, pack, random_raw

OPS = ("sum mean var std var_pop std_pop skew kurtosis sumsq rms l1 l2 min max absmin absmax "
       "range first last linf").split()
ROOTS = {"std": "var", "std_pop": "var_pop", "l2": "sumsq", "rms": "meansq"}


def exact(data):
    """Returns each operation in fractions; roots as squares."""
    n, total = len(data), sum(data)
    squares = sum(x * x for x in data)
    spread = squares - total * total / n
    mags = [abs(x) for x in data]
    want = {"sum": total, "mean": total / n, "sumsq": squares,
            "meansq": squares / n, "l1": sum(mags), "min": min(data),
            "max": max(data), "absmin": min(mags), "absmax": max(mags),
            "range": max(data) - min(data), "first": data[0],
            "last": data[-1], "linf": max(mags), "var_pop": spread / n}
    if n > 1:
        want["var"] = spread / (n - 1)
    if n > 100:     # fractions of many digits are slow
        return want
    m2, m3, m4 = (sum((x - total / n)**k for x in data) for k in (2, 3, 4))
    if n > 2:       # of the root; it has the sign of m3
        size = n * n * (n - 1) * m3**2 / ((n - 2)**2 * m2**3) if m2 else 0
        want["skew"] = (Fraction(size), m3 < 0)
    if n > 3:
        want["kurtosis"] = Fraction((n - 1) * (
            n * (n + 1) * m4 / m2**2 - 3 * (n - 1)), (n - 2) * (n - 3)
        ) if m2 else Fraction(0)
    return want


def nearest_root(x, digits):
    """Returns the integer nearest to the root of x * 100^digits."""
    x *= Fraction(100)**digits
    k = math.isqrt(math.floor(x))
    half = Fraction(2 * k + 1, 2)**2
    return k + (x > half or (x == half and k % 2))


def shown(units, digits, negative):
    text = str(units).rjust(digits + 1, "0")
    text = text[:len(text) - digits] + "." * (digits > 0) + (
        text[len(text) - digits:] if digits else "")
    return "-" * negative + text


def decimals(op, want, digits):
    if op in ROOTS:
        return shown(nearest_root(want[ROOTS[op]], digits), digits, False)
    x = want[op]
    if op == "skew":
        square, negative = x
        return shown(nearest_root(square, digits), digits, negative)
    return shown(round(abs(x) * 10**digits), digits, x < 0)


def check(data, digits, *args, ops=OPS, **kw):
    want = exact(data)
    ops = [op for op in ops if ROOTS.get(op, op) in want]
    got = values("--digits", digits, "-o", ",".join(ops), *args, **kw)
    wrong = {op: (got[op], decimals(op, want, digits)) for op in ops
             if got[op] != decimals(op, want, digits)}
    assert not wrong, f"{digits} digits: op: (got, want): {wrong}"


def test_oracle_knows_decimals():
    assert shown(5, 2, True) == "-0.05" and shown(45, 0, False) == "45"
    assert shown(nearest_root(Fraction(2), 20), 20, False) == (
        "1.41421356237309504880")
    assert nearest_root(Fraction(1, 4), 0) == 0 and nearest_root(
        Fraction(9, 4), 0) == 2


@pytest.mark.parametrize("digits", [0, 1, 2, 3, 7, 18, 19, 20, 40, 300, 1074])
@pytest.mark.parametrize("dtype", ["f16", "f32", "f64"])
def test_random_floats(rng, put, dtype, digits):
    for n, scale in (1, 1), (2, 1e-3), (7, 1e4), (1000, 1), (3, 0):
        data = rng.normal(0, scale or 1, n)
        if scale == 0:
            raw = random_raw(rng, dtype, n)
            data = np.frombuffer(raw, "<" + CODES[dtype])
            if dtype == "f64":     # squares that f64 can hold
                data = np.ldexp(np.frexp(data)[0], rng.integers(-500, 500, n))
        data = data.astype("<" + CODES[dtype])
        data = data + data.dtype.type(0)        # no -0, which has a sign
        check([Fraction(float(x)) for x in data], digits, "-f",
              "raw", put(f"d.{dtype}", data.tobytes()))


@pytest.mark.parametrize("digits", [0, 2, 25])
def test_integers_are_left_alone(rng, put, digits):
    data = [int(x) for x in rng.integers(-1000, 1000, 50)]
    path = put("d.i32", pack(data, "i32"))
    check([Fraction(x) for x in data], digits, path,
          ops=["mean", "std", "var", "l2", "rms"])
    got = values("--digits", digits, "-o", "sum,min,max,count,argmin,range,l1",
                 path)
    assert all("." not in text for text in got.values()), got
    assert got["sum"] == str(sum(data))


@pytest.mark.parametrize("numbers,digits,want", [
    ([0.125], 2, "0.12"), ([0.375], 2, "0.38"), ([2.5], 0, "2"),
    ([3.5], 0, "4"), ([-2.5], 0, "-2"), ([-0.125], 2, "-0.12"),
    # The f64 sum would be a tie; the exact sum is just above or below.
    ([0.125, 2.0**-80], 2, "0.13"), ([0.375, -2.0**-80], 2, "0.37"),
    ([2.5, 2.0**-70, -2.0**-90], 0, "3"),
    # f64 cannot hold 1e16 + 0.3.
    ([1e16, 0.3], 3, "10000000000000000.300"),
    ([0.1, 0.2], 40, "0.3000000000000000166533453693773481063545"),
    ([1e22, 1.0, -1e22], 5, "1.00000"), ([-0.001], 2, "-0.00"),
    ([-0.0], 1, "-0.0"), ([0.0], 3, "0.000"), ([9.999], 2, "10.00"),
    ([99999999999999999999.0], 0, "100000000000000000000"),
    ([2.0**1023], 1, str(2**1023) + ".0"),
    ([5e-324], 1074, "0." + str(5**1074).rjust(1074, "0"))])
def test_known_sums(put, numbers, digits, want):
    path = put("d.f64", pack(numbers, "f64"))
    assert value("--digits", digits, "-o", "sum", path) == want
    for chunk in 1, 8:
        assert value("--digits", digits, "-o", "sum", "--chunk-size", chunk,
                     "-j", 3, path) == want


def test_range_of_subnormals(put):
    data = [3 * 2.0**-1074, 2.0**-1074, 2.0**-1060]
    check(list(map(Fraction, data)), 1074, put("d.f64", pack(data, "f64")),
          ops=["range", "max"])


def test_values_without_decimals(put):
    path = put("d.f64", pack([1e308, 1e308, float("nan")], "f64"))
    got = values("--digits", 2, "--nan", "skip", "-o", "sum,sumsq,max,count",
                 path)
    assert (got["sum"], got["sumsq"], got["count"]) == ("inf", "inf", "2")
    assert got["max"] == f"{int(1e308)}.00"
    assert value("--digits", 2, "-o", "sum", path) == "nan"
    assert run("--digits", 1, "-o", "sum,mean", "-O", "csv", "--empty",
               "identity", "-t", "f32", "/dev/null").out == (
        "sum,mean\n0.0,nan\n")


def test_text_and_tables(put):
    path = put("a.csv", b"x,y\n1,0.005\n2,0.115\n4,\n")
    assert ok("--digits", 2, "-o", "sum,mean,count", path) == (
        "column\tsum\tmean\tcount\nx\t7.00\t2.33\t3\ny\t0.12\t0.06\t2\n")
    assert ok("-R", 0, "-O", "csv", "-o", "max", path) == (
        "column,max\nx,4\ny,0\n")
    assert '"max":4.0}' in ok("--round", 0, "-O", "jsonl", "-o", "max", path)
    assert '"max":4.000}' in ok("--digits=3", "-O", "jsonl", "-o", "max", path)
    # An integer that f64 cannot hold stays an exact integer.
    path = put("b.csv", b"9007199254740993\n0.5\n")
    assert ok("--digits", 1, "-o", "sum,max,range,min", path) == (
        "sum\t9007199254740993.5\nmax\t9007199254740993\n"
        "range\t9007199254740992.5\nmin\t0.5\n")


def test_many_decimals_in_many_columns(rnd, put):
    """So many decimals that their text grows piece by piece."""
    cells = [rnd.random() * 10**rnd.randrange(-300, 300) for _ in range(500)]
    names = ",".join(f"c{i}" for i in range(500))
    path = put("w.csv", f"{names}\n{','.join(map(repr, cells))}\n".encode())
    rows = ok("--digits", 30, "-o", "max", "-O", "tsv", path).splitlines()
    want = [decimals("max", exact([Fraction(x)]), 30) for x in cells]
    assert [row.split("\t")[1] for row in rows[1:]] == want


def test_verify_and_fast(put, rng):
    path = put("d.f64", rng.normal(size=10000).tobytes())
    assert ok("--verify", "--digits", 30, path) == ok("--digits", 30, path)
    assert len(value("--fast", "--digits", 3, "-o", "sum", path)) > 4


@pytest.mark.parametrize("bad", ["", "x", "-1", "1075", "2.5", "1e3", " 1",
                                 "99999999999999999999"])
def test_wrong_digits(bad):
    fails(2, "--digits", bad, "/dev/null",
          says=["--digits takes a number from 0 to 1074", f"'{bad}'"])
