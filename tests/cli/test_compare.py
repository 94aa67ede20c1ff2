# SPDX-License-Identifier: MIT
"""--compare: the numbers, for every type and for two types."""

from fractions import Fraction

import numpy as np
import pytest

from comparison import (SMALL, check, float_of, is_root, refuses, report,
                        steps_of)
from make import CODES, saved


def floats(rng, dtype, n):
    """Returns elements as bytes and as Python floats, of all kinds."""
    if dtype in SMALL:
        width = 1 + sum(SMALL[dtype])
        bits = rng.integers(0, 1 << width, n).astype(f"u{width // 8}")
        return bits, [float_of(int(x), *SMALL[dtype]) for x in bits]
    size = 4 if dtype == "f32" else 8
    bits = rng.integers(0, 2**(8 * size), n, dtype=f"u{size}")
    return bits, [float(x) for x in bits.view(f"f{size}")]


@pytest.mark.parametrize("dtype", [*SMALL, "f32", "f64"])
def test_floats(rng, put, dtype):
    """Random bits of which few differ, and values that are close."""
    bits, a = floats(rng, dtype, 3000)
    other, b = floats(rng, dtype, 3000)
    rows = report(put("a.raw", bits.tobytes()), put("b.raw", other.tobytes()),
                  "-t", dtype, "-j", "2")
    check(rows, a, b, steps=steps_of(a, b, dtype))

    few = bits.copy()
    few[2047::900] = other[2047::900]
    b = [y if i >= 2047 and (i - 2047) % 900 == 0 else x
         for i, (x, y) in enumerate(zip(a, b))]
    rows = report(put("a.raw", bits.tobytes()), put("b.raw", few.tobytes()),
                  "-t", dtype, "--chunk-size", "1K", "--rtol", "0.25")
    check(rows, a, b, rtol=0.25, steps=steps_of(a, b, dtype))

    near = bits ^ rng.integers(0, 2, 3000).astype(bits.dtype)
    if dtype in SMALL:
        b = [float_of(int(x), *SMALL[dtype]) for x in near]
    else:
        b = [float(x) for x in near.view(bits.dtype.str.replace("u", "f"))]
    rows = report(put("a.raw", bits.tobytes()), put("b.raw", near.tobytes()),
                  "-t", dtype, "--atol", "1e-3")
    check(rows, a, b, atol=1e-3, steps=steps_of(a, b, dtype))


@pytest.mark.parametrize("dtype", [d for d in CODES if d[0] in "iu"])
def test_integers(rng, put, dtype):
    info = np.iinfo(CODES[dtype])
    a = rng.integers(info.min, info.max, 2500, CODES[dtype], endpoint=True)
    b = rng.integers(info.min, info.max, 2500, CODES[dtype], endpoint=True)
    a[5], b[5], b[6] = info.min, info.max, 0
    a[7:1200] = b[7:1200]
    b[1100] ^= b.dtype.type(1)
    lists = [int(x) for x in a], [int(x) for x in b]
    files = put("a." + dtype, a.tobytes()), put("b." + dtype, b.tobytes())
    rows = report(*files)
    check(rows, *lists, steps=int(info.max) - int(info.min))
    check(report(*files, "--atol", 3, "--rtol", ".5"), *lists, 3.0, .5)
    if info.bits == 64:
        # f64 holds neither number, so the distance is compared exactly.
        a[:], b[:] = 7, 7
        b[9] += b.dtype.type(2**53 + 1)
        files = put("a." + dtype, a.tobytes()), put("b." + dtype, b.tobytes())
        assert report(*files, "--atol", 2**53, rc=1)["max_abs"] == str(2**53 + 1)
        report(*files, "--atol", 2**53 + 2, rc=0)
        # With --rtol the limit is rounded, and so is the distance.
        a[9] = 0
        b[9] = 2**53 + 1
        files = put("a." + dtype, a.tobytes()), put("b." + dtype, b.tobytes())
        report(*files, "--rtol", 1, rc=0)
        report(*files, "--rtol", 1 - 2**-53, rc=1)
        a[9], b[9] = info.min, info.max
        files = put("a." + dtype, a.tobytes()), put("b." + dtype, b.tobytes())
        report(*files, "--atol", 2**64, rc=0)


def test_types_that_differ(rng, put, tmp_path):
    """Values are compared exactly, even if no type holds both."""
    big = [2**53 + 1, -2**63, 2**63 - 1, 2**62 + 1, 3, 0, -7, 2**54 + 2]
    real = [2.0**53, -2.0**63, 2.0**63, 2.0**62, 2.5, -0.0, -7.0, 0.75]
    cases = [("i8", big, "f8", real),
             ("u8", [abs(x) for x in big], "f4", real),
             ("i8", big, "u8", [2**64 - 1, 0, 5, 2**63, 3, 0, 7, 2**54]),
             ("f4", real, "f8", [x + 1e-9 for x in real]),
             ("i2", [1, -2, 3], "f2", [1.0, -2.5, 3.0]),
             ("u1", [255, 0], "i4", [-255, 2**31 - 1]), (">f8", real, "<f4", real)]
    for type_a, a, type_b, b in cases:
        arrays = np.array(a, type_a), np.array(b, type_b)
        for name, array in zip("ab", arrays):
            np.save(tmp_path / (name + ".npy"), array)
        rows = report(tmp_path / "a.npy", tmp_path / "b.npy")
        pairs = [(Fraction(x.item()), Fraction(y.item()))
                 for x, y in zip(*arrays)]
        d = [float(abs(x - y)) for x, y in pairs]
        assert float(rows["max_abs"]) == max(d), (type_a, type_b)
        far = [x != y for x, y in pairs]
        assert int(rows["mismatches"]) == sum(far)
        assert (rows["max_ulp"] == "") == ("f" in type_a + type_b)
        if any(far):
            assert rows["argmax_abs"] == str(d.index(max(d)))
            assert rows["first_mismatch"] == str(far.index(True))
        assert is_root(float(rows["rms"]),
                       sum(Fraction(x) ** 2 for x in d) / len(d))
    np.save(tmp_path / "b.npy", np.zeros(3))
    files = put("a.raw", bytes(24)), tmp_path / "b.npy"
    for pair in files, files[::-1]:
        refuses(*pair, says=[f"'{files[1]}' is f64, and nothing says the type "
                             f"of '{files[0]}'\n", "--dtype"])
    report(put("a.raw", bytes(24)), tmp_path / "b.npy", "-t", "f64", rc=0)


def test_matches_as_allclose_does(rng, put):
    a = rng.normal(size=4000)
    a[::97], a[1::97], a[2::97], a[3::97] = np.nan, np.inf, -np.inf, 0
    b = a * (1 + 1e-6 * rng.normal(size=4000))
    b[::500] = np.nan
    b[1::700] = 5
    files = put("a.f64", a.tobytes()), put("b.f64", b.tobytes())
    for atol, rtol in (0, 0), (1e-6, 0), (0, 1e-6), (1e-7, 5e-7), (1, 1):
        rows = report(*files, "--atol", atol, "--rtol", rtol)
        close = np.isclose(a, b, rtol, atol, equal_nan=True)
        assert int(rows["mismatches"]) == (~close).sum()
        assert rows["first_mismatch"] == str(np.argmin(close))
    report(files[0], files[0], rc=0)


def test_integer_types_that_differ(put):
    """The greatest difference is an exact integer up to 64 bits, above that a
    real."""
    cases = [("i64", [2**63 - 1, 5], "u16", [6, 5], 0),
             ("i64", [-2**63, 2**63 - 1], "u32", [2**32 - 1, 0], 0),
             ("i64", [2**62 + 1, 7], "i8", [-128, 7], 0),
             ("u64", [2**64 - 2, 2**64 - 1, 2**53], "i8", [0, 0, -1], 1),
             ("i64", [-1, 5], "u64", [2**64 - 1, 0], 0),
             ("i64", [-2**63, 1], "u64", [2**63, 0], 0),
             ("i64", [5, -2**63, 1], "u64", [0, 2**64 - 1, 1], 1)]
    for type_a, a, type_b, b, index in cases:
        files = [(t, put(f"{n}.{t}", np.array(x, CODES[t]).tobytes()))
                 for n, t, x in (("a", type_a, a), ("b", type_b, b))]
        arrays = [put(t + n + ".npy", saved(np.fromfile(path, CODES[t])))
                  for n, (t, path) in zip("ab", files)]
        d = max(abs(x - y) for x, y in zip(a, b))
        want = str(d) if d < 2**64 else repr(float(d))
        for pair in arrays, arrays[::-1]:
            rows = report(*pair, rc=1)
            assert (rows["max_abs"], rows["max_ulp"], rows["argmax_abs"]) == (
                want, want, str(index)), (type_a, type_b)


def test_nan_beside_integers_of_64_bits(put):
    real, whole = [1.0, np.nan, 3.0, np.nan, -5.5] * 5, [1, 2, 4, 4, -5] * 5
    real[20] = 7.0
    for dtype in "i8", "u8":
        lists = real, [abs(x) for x in whole] if dtype == "u8" else whole
        files = [put(n + ".npy", saved(np.array(x, t)))
                 for n, x, t in zip("ab", lists, ["f8", dtype])]
        check(report(*files), *lists)
        check(report(*files[::-1]), *lists[::-1])
    files = [put(n + ".npy", saved(np.array(x))) for n, x in (
        ("a", [1.0, np.nan]), ("b", [1, 2]))]
    check(report(*files, rc=1), [1.0, np.nan], [1, 2])


KINDS = {"zeros": [0, 0, 1], "near": [7, 36, 43], "nan": [1, np.nan, 2],
         "inf": [1, np.inf, -np.inf]}


@pytest.mark.parametrize("types", ["f8 f8", "f4 f4", "f2 f2", "f4 f8", "i8 i8",
                                   "u8 u8", "i4 i4", "i8 u8", "f8 i8"])
@pytest.mark.parametrize("kind", KINDS)
def test_first_of_equals_in_fortran_order(rng, put, types, kind):
    """Few pairs differ, by equal amounts, and the first by its index is seldom
    the first in the file. 36 and 7 differ by 4.142857142857143 * 7, which is
    above 29."""
    type_a, type_b = types.split()
    if kind in ("nan", "inf") and set(types) & set("iu"):
        return
    for _ in range(2):
        b = rng.choice(KINDS[kind], (7, 600)).astype(type_b)
        a = b.astype(type_a)
        for at in rng.integers(0, b.size, 6):
            a.flat[at] = KINDS[kind][1 + at % 2]
        files = [put(n + ".npy", saved(np.asfortranarray(x)))
                 for n, x in (("a", a), ("b", b))]
        lists = [x.ravel().tolist() for x in (a, b)]
        check(report(*files, "-j", 1), *lists)
        check(report(*files, "-j", 3, "--chunk-size", "2K", "--atol", 1),
              *lists, atol=1.0)


def test_quotients_of_integers_that_are_close(put):
    """The second quotient is the next float above the first, 1/2."""
    for dtype in "i8", "u8":
        b = np.array([2**62] * 3, dtype)
        a = b + np.array([2**61, 2**61 + 2**9, 2**61], dtype)
        rows = report(*(put(n + ".npy", saved(x)) for n, x in (("a", a),
                                                                ("b", b))))
        assert rows["argmax_rel"] == "1"
        assert float(rows["max_rel"]) == np.nextafter(.5, 1)


def test_rms_is_of_the_pairs_without_nan(put):
    a = np.array([np.nan, 3, 1, 1.0])
    b = np.array([1, 1, np.nan, 1.0])
    rows = report(put("a.f64", a.tobytes()), put("b.f64", b.tobytes()))
    assert float(rows["rms"]) == 2**.5 and rows["mismatches"] == "3"
    rows = report(put("a.f64", a[:1].tobytes()), put("b.f64", b[:1].tobytes()))
    assert [rows[op] for op in ("max_abs", "max_rel", "max_ulp", "rms")] == [""] * 4
