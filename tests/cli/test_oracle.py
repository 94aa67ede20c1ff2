# SPDX-License-Identifier: MIT
"""Tests of the oracle against math, numpy and repr where these are right: fsum
is correctly rounded; repr and numpy print the shortest digits."""

import math
import struct
from decimal import Decimal, getcontext
from fractions import Fraction

import numpy as np
import pytest

import oracle


def f64_bits(rng, n):
    """Finite doubles of every exponent."""
    raw = rng.integers(0, 2**64, n, dtype=np.uint64).view(np.float64)
    return raw[np.isfinite(raw)]


def test_sum_is_fsum(rng):
    for scale in 0, 5, 300:
        data = rng.standard_normal(2000) * 10.0**rng.uniform(-scale, scale,
                                                             2000)
        got = oracle.reduce(data.tolist(), "f64")["sum"]
        assert float(got) == math.fsum(data)


def test_root_against_decimal(rng):
    getcontext().prec = 60
    for x in np.abs(f64_bits(rng, 300)).tolist():
        num, den = x.as_integer_ratio()
        want = float((Decimal(num) / Decimal(den)).sqrt())
        assert oracle.root(num, den) == want == math.sqrt(x)


def test_root_at_a_tie():
    # (2^53 + 1)/2^53 is halfway between two doubles. The root of its square is
    # exactly that tie, and a tiny change decides either way.
    n = (2**53 + 1)**2
    assert oracle.root(n, 2**106) == 1.0
    assert oracle.root(n * 2**300 + 1, 2**406) == 1.0 + 2**-52
    n = (2**53 + 3)**2
    assert oracle.root(n * 2**300 - 1, 2**406) == 1.0 + 2**-52
    assert oracle.root(n, 2**106) == 1.0 + 2**-51


def test_divide_edges():
    assert oracle.divide(2**1024, 1) == math.inf
    assert oracle.divide(-(2**1024) + 2**970, 1) == -math.inf
    assert oracle.divide(2**1024 - 2**970 - 1, 1) == np.finfo("f8").max
    assert oracle.divide(1, 2**1075) == 0.0
    assert oracle.divide(1 + 2**60, 2**1135) == 5e-324
    assert oracle.divide(3, 2**1075) == 1e-323


def test_variance_against_numpy(rng):
    data = rng.standard_normal(500)
    got = oracle.reduce(data.tolist(), "f64")
    for op, want in (("var", data.var(ddof=1)), ("std_pop", data.std()),
                     ("rms", np.sqrt(np.mean(data**2))),
                     ("l2", np.linalg.norm(data)), ("mean", data.mean())):
        assert math.isclose(float(got[op]), want, rel_tol=1e-12)


def test_moments_against_their_definition(rng):
    """The moments as pandas and SciPy (bias=False) define them, in f64."""
    data = rng.standard_normal(300)**2
    n, off = len(data), data - data.mean()
    m2, m3, m4 = (np.mean(off**k) for k in (2, 3, 4))
    skew = math.sqrt(n * (n - 1)) / (n - 2) * m3 / m2**1.5
    kurtosis = (n - 1) / ((n - 2) * (n - 3)) * (
        (n + 1) * m4 / m2**2 - 3 * (n - 1))
    got = oracle.reduce(data.tolist(), "f64", ops=oracle.OPS)
    assert math.isclose(float(got["skew"]), skew, rel_tol=1e-12)
    assert math.isclose(float(got["kurtosis"]), kurtosis, rel_tol=1e-12)
    # pandas.Series([1, 2, 3, 10]).skew() and .kurt(), exact to the last digit.
    got = oracle.reduce([1, 2, 3, 10], "i32", ops=oracle.OPS)
    assert float(got["skew"]) == pytest.approx(1.763632614803888, rel=1e-15)
    assert got["kurtosis"] == "3.228"
    got = oracle.reduce([-5, -5, -5, -5], "i32", ops=oracle.OPS)
    assert (got["skew"], got["kurtosis"]) == ("0", "0")


def test_variance_by_hand():
    got = oracle.reduce([1, 2, 3, 4], "i32")
    assert got["var"] == oracle.text(5 / 3)
    assert got["var_pop"] == "1.25"
    assert got["mean"] == "2.5"
    assert got["prod"] == "24"
    assert oracle.reduce([2**62] * 9 + [0], "i64")["prod"] == "0"
    assert oracle.reduce([2**62] * 9, "i64")["prod"] is oracle.OVERFLOW
    assert oracle.reduce([], "f32")["prod"] == "1"


def test_extremes_against_numpy(rng):
    data = rng.integers(-50, 50, 400)
    got = oracle.reduce(data.tolist(), "i64")
    assert got["argmin"] == str(np.argmin(data))
    assert got["argmax"] == str(np.argmax(data))
    assert got["range"] == str(np.ptp(data))


@pytest.mark.parametrize("dtype", ["f16", "f32", "f64"])
def test_shortest_against_numpy(rng, dtype):
    size = oracle.DTYPES[dtype].size
    bits = rng.integers(1, 2**(8 * size - 1), 3000, dtype=np.uint64)
    edges = [1, 2, 3, 2**(8 * size - 2), 2**(8 * size - 2) - 1]
    bits = np.concatenate([bits, np.array(edges, np.uint64)])
    data = bits.astype(f"u{size}").view(f"f{size}")
    for x in data[np.isfinite(data) & (data > 0)]:
        want = np.format_float_scientific(x, unique=True, trim="-")
        digits, point = oracle.shortest_by_search(float(x), dtype)
        assert oracle.shortest(float(x), dtype) == (digits, point)
        tail = "." + digits[1:] if digits[1:] else ""
        assert f"{digits[0]}{tail}e{point - 1:+03d}" == want


def test_text_against_repr(rng):
    for x in f64_bits(rng, 1000).tolist() + [1e22, 9e15, 0.1, 123456.75]:
        assert float(oracle.text(x)) == x
        if not 1e-5 <= abs(x) < 1e-4:
            assert oracle.text(x) == repr(x).removesuffix(".0")
    assert oracle.text(0.00001) == "0.00001"
    assert oracle.text(0.0000099) == "9.9e-06"
    assert oracle.text(1e16) == "1e+16"
    assert oracle.text(1e15) == "1000000000000000"
    assert oracle.text(-0.0) == "-0"


def test_bf16_text_reads_back():
    # For every finite bf16: rounding the decimal to 8 bits gives it back.
    for word in range(1, 0x7f80, 7):
        x, = struct.unpack("<f", struct.pack("<I", word << 16))
        got = Fraction(oracle.text(x, "bf16"))
        e = max(math.frexp(x)[1] - 8, -133)
        assert round(got / Fraction(2)**e) * Fraction(2)**e == x


def test_decode():
    assert oracle.decode(b"\x80\x3f\x80\xbf", "bf16") == [1.0, -1.0]
    assert oracle.decode(b"\x3f\x80", "bf16", ">") == [1.0]
    assert oracle.decode(b"\x3c\x00", "f16", ">") == [1.0]
    assert oracle.decode(b"\xff\xfe", "i16", "<") == [-257]


def test_matches_products():
    near = oracle.Near(Fraction(1, 3))
    assert oracle.matches("0.3333333333333333", near)
    assert not oracle.matches("0.33333333333", near)
    assert not oracle.matches("0.33333333333333330", near)
    assert oracle.matches("inf", oracle.Near(Fraction(10)**309))
    assert not oracle.matches("1e+308", oracle.Near(Fraction(10)**309))
    assert oracle.matches("-0", oracle.Near(-Fraction(1, 10**400)))
    assert not oracle.matches("0", oracle.Near(-Fraction(1, 10**400)))
