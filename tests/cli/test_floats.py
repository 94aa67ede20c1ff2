# SPDX-License-Identifier: MIT
"""Floats chosen to break sums that round more than once."""

import math
import struct

import numpy as np
import pytest

import oracle
from harness import check, ok, value, values
from make import pack, random_raw
from oracle import ALL, EXACT, FLOATS, decode

TINY, HUGE, EPS = 5e-324, 1.7976931348623157e308, 2.0**-52
NORMAL = 2.0**-1022


def f64(put, data, ops=ALL, name="data"):
    return check([float(x) for x in data], "f64", "-t", "f64",
                 put(name, pack(data, "f64")), ops=ops)


@pytest.mark.parametrize("data,want", [
    ([1e16, 1, -1e16], "1"),
    ([1e308, 1e308, -1e308], "1e+308"),
    ([1e308] * 3 + [-1e308] * 3, "0"),
    ([HUGE, HUGE, -HUGE, -HUGE, TINY], "5e-324"),
    ([1e308, 1, 1e308, -1e308, -1e308], "1"),
    ([0.1] * 10, "1"),
    ([TINY] * 3, "1.5e-323"),
    ([1e100, 1e-100, -1e100], "1e-100"),
    ([2.0**53, 1, 1], "9007199254740994"),
    ([HUGE, HUGE], "inf"),
    ([-HUGE, -HUGE, 1], "-inf"),
])
def test_known_sums(put, data, want):
    assert f64(put, data)["sum"] == want


def test_overflow_is_decided_once(put):
    """Half an ulp above the largest double is inf; anything less is not."""
    half = 2.0**970
    assert f64(put, [HUGE, half])["sum"] == "inf"
    assert f64(put, [HUGE, half, -TINY])["sum"] == "1.7976931348623157e+308"
    assert f64(put, [-HUGE, -half])["sum"] == "-inf"
    assert f64(put, [HUGE, half / 2, half / 4])["sum"] == \
        "1.7976931348623157e+308"


@pytest.mark.parametrize("base", [1.0, -1.0, 2.0**500, 1.5, NORMAL * 2**54,
                                  1.0 + EPS])
@pytest.mark.parametrize("nudge", [0, 1, -1])
def test_ties(put, base, nudge):
    """base + half an ulp goes to even; the least bit more or less decides."""
    half = math.ulp(base) / 2
    f64(put, [base, half, nudge * TINY])
    f64(put, [base, -half, nudge * TINY])
    f64(put, [nudge * TINY] + [half / 64] * 64 + [base])
    f64(put, [base / 2, nudge * 2.0**-1000, half, base / 2])


def test_subnormals(rng, put):
    words = rng.integers(0, 2**52, 700, dtype=np.uint64)
    words |= rng.integers(0, 2, 700, dtype=np.uint64) << np.uint64(63)
    f64(put, words.view(np.float64))
    f64(put, [TINY] * 7, name="few")  # the mean rounds below TINY, too
    f64(put, [TINY, -TINY, TINY, 0], name="quarter")
    f64(put, [NORMAL, -TINY], name="border")
    f64(put, [NORMAL - TINY, TINY], name="border2")


@pytest.mark.parametrize("dtype", ["f16", "bf16", "f32"])
def test_subnormals_of_narrow_types(rng, put, dtype):
    size = oracle.DTYPES[dtype].size
    digits = oracle.DTYPES[dtype].digits
    words = rng.integers(0, 2**(digits - 1), 600, dtype=np.uint64)
    words |= rng.integers(0, 2, 600, dtype=np.uint64) << np.uint64(
        8 * size - 1)
    raw = words.astype(f"<u{size}").tobytes()
    check(decode(raw, dtype), dtype, "-t", dtype, put("d", raw))


@pytest.mark.parametrize("spread", [3, 60, 300, 1000, 2000])
def test_random_exponents(rng, put, spread):
    """Cancelling pairs with exponents from ranges of each width."""
    exponents = rng.integers(max(-1074, -spread), min(970, spread), 1500)
    data = np.ldexp(rng.uniform(-1, 1, 1500), exponents)
    data = np.concatenate([data, -data[:1200]])
    rng.shuffle(data)
    f64(put, data)


@pytest.mark.parametrize("exponents", [(-600, -480), (480, 520), (-550, -530),
                                       (-1074, -1000), (1000, 1020)])
def test_squares_over_the_edges(rng, put, exponents):
    """Squares over- or underflow f64, but rms and l2 need not."""
    data = np.ldexp(rng.uniform(-1, 1, 800), rng.integers(*exponents, 800))
    got = f64(put, data)
    assert got["rms"] not in ("0", "inf")
    assert got["l2"] not in ("0", "inf")


@pytest.mark.parametrize("centre", [1e9, -1e15, 1e100, 3e307, 0.1])
def test_variance_without_cancellation(rng, put, centre):
    noise = rng.integers(-8, 9, 999) * math.ulp(centre)
    got = f64(put, centre + noise)
    ratio = float(got["std_pop"]) / math.ulp(centre)
    assert 4 < ratio < 6            # uniform over +-8 has 4.9


def test_variance_of_a_constant_is_zero(put):
    for x in 0.1, 1e9 + 0.1, HUGE, TINY:
        got = f64(put, [x] * 1001, ops=EXACT)
        assert {got[op] for op in ("var", "std", "var_pop", "std_pop")} == {"0"}
        assert float(got["mean"]) == x


def test_mean_of_what_overflows(put):
    got = f64(put, [HUGE] * 5)
    assert got["sum"] == "inf" and float(got["mean"]) == HUGE
    assert got["sumsq"] == "inf" and float(got["rms"]) == HUGE


@pytest.mark.parametrize("dtype", FLOATS)
def test_whole_range_of_each_type(rng, put, dtype):
    raw = random_raw(rng, dtype, 3000)
    check(decode(raw, dtype), dtype, "-t", dtype, put("d", raw))


@pytest.mark.parametrize("dtype", ["f16", "bf16"])
def test_every_finite_value(put, dtype):
    """All 2^16 patterns except inf and nan: the sum cancels to zero."""
    words = np.arange(2**16, dtype="<u2")
    mask = 0x7c00 if dtype == "f16" else 0x7f80
    raw = words[words & mask != mask].tobytes()
    got = check(decode(raw, dtype), dtype, "-t", dtype, put("d", raw))
    assert got["sum"] == "0"


@pytest.mark.parametrize("dtype", FLOATS)
def test_text_of_each_value(rng, put, dtype):
    """min of one element prints the shortest digits of the data's own type."""
    size, digits = oracle.DTYPES[dtype].size, oracle.DTYPES[dtype].digits
    one = {"f16": 0x3c00, "bf16": 0x3f80, "f32": 0x3f800000,
           "f64": 0x3ff << 52}[dtype]
    top = {"f16": 0x7bff, "bf16": 0x7f7f, "f32": 0x7f7fffff,
           "f64": (0x7ff << 52) - 1}[dtype]
    words = [0, 1, 2, 3, one, one + 1, one - 1, top, top - 1,
             1 << (digits - 1), (1 << (digits - 1)) - 1]
    words += [int(w) for w in rng.integers(1, top, 25)]
    for word in words:
        raw = word.to_bytes(size, "little")
        check(decode(raw, dtype), dtype, "-t", dtype, "-f", "raw",
              put("d", raw), ops=["min", "max", "absmin", "linf"])


@pytest.mark.parametrize("x,want", [
    (0.1, "0.1"), (1e-5, "0.00001"), (1.5e-7, "1.5e-07"), (3.0, "3"),
    (9.5e-6, "9.5e-06"), (123456789.125, "123456789.125"),
    (1e15, "1000000000000000"), (9999999999999998.0, "9999999999999998"),
    (1e16, "1e+16"), (1e22, "1e+22"), (1.25e100, "1.25e+100"),
    (-0.0, "-0"), (-2.5, "-2.5"), (TINY, "5e-324"),
    (HUGE, "1.7976931348623157e+308"), (2.0**-1074 * 3, "1.5e-323")])
def test_text_by_hand(put, x, want):
    got = values("-t", "f64", "-o", "sum,max", put("d", pack([x], "f64")))
    assert got == {"sum": want, "max": want}


def test_f32_prints_its_own_digits_and_sums_in_f64(put):
    path = put("d.f32", pack([0.1], "f32"))
    assert value("-o", "max", path) == "0.1"
    assert value("-o", "sum", path) == repr(
        struct.unpack("<f", struct.pack("<f", 0.1))[0])


@pytest.mark.parametrize("data", [
    [1e300] * 10 + [1e-300] * 10, [1e-300] * 10 + [1e300] * 10,
    [HUGE] * 3 + [TINY] * 3, [2.0**1000] * 1000 + [2.0**-1000] * 1000,
    [TINY] * 20 + [HUGE] * 21])
def test_product_never_passes_through_inf_or_zero(put, data):
    got = f64(put, data, ops=["prod"])["prod"]
    assert got not in ("0", "inf")


@pytest.mark.parametrize("data,want", [
    ([1e200, 1e200], "inf"), ([-1e200, 1e200], "-inf"),
    ([1e-200, -1e-200], "-0"), ([1e-200] * 4, "0"), ([0.0, -3.0], "-0"),
    ([2.0] * 1023, repr(2.0**1023)), ([2.0] * 1024, "inf"),
    ([0.5] * 1074, "5e-324"), ([-0.5] * 1074, "5e-324"),
    ([0.5] * 1076, "0"), ([-1.0] * 77, "-1"), ([3.0] * 20, "3486784401")])
def test_products_at_the_ends(put, data, want):
    assert f64(put, data, ops=["prod"])["prod"] == want


def test_fast_does_not_stall(put):
    """Ones beyond 2^24 for f32 and 2^11 for f16, where sums would stop
    growing."""
    for dtype, n in (("f32", 2**24 + 4096), ("f16", 200_000)):
        path = put("ones", np.ones(n, {"f32": "<f4", "f16": "<f2"}[dtype])
                   .tobytes())
        for mode in "--fast", "--deterministic":
            got = values(mode, "-t", dtype, "-o", "count,sum,mean,sumsq", path)
            assert got == {"count": str(n), "sum": str(n), "mean": "1",
                           "sumsq": str(n)}


def test_fast_is_close(rng, put):
    data = rng.standard_normal(100_000)
    path = put("d", pack(data, "f64"))
    got = values("--fast", "-t", "f64", "-o", "sum,std,l2,max", path)
    want = oracle.reduce(data.tolist(), "f64")
    assert got["max"] == want["max"]
    for op in "sum", "std", "l2":
        assert math.isclose(float(got[op]), float(want[op]), rel_tol=1e-9)


@pytest.mark.parametrize("dtype", ["f64", "f32"])
@pytest.mark.parametrize("op", ["var", "std_pop", "skew", "sum,var"])
def test_fast_keeps_small_differences_of_large_sums(rng, put, dtype, op):
    data = (2**20 + rng.random(50_000)).astype("<f" + str(int(dtype[1:]) // 8))
    args = ["-t", dtype, "-o", op, put("d", data.tobytes())]
    assert ok("--fast", *args) == ok(*args)
