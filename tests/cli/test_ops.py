# SPDX-License-Identifier: MIT
"""Every op on every dtype in both byte orders."""

import math

import numpy as np
import pytest

import oracle
from harness import check, fails, ok, run, value, values
from make import CODES, pack, random_raw, saved, swap
from oracle import (ALL, DTYPES, FLOATS, INTEGERS, MOST, OPS, SUMMARY,
                    decode)

CASES = [(dtype, order) for dtype in DTYPES for order in "<>"
         if dtype != "bf16" or order == "<"]


def option(dtype, order):
    return "bf16" if dtype == "bf16" else order + CODES[dtype]


@pytest.mark.parametrize("dtype,order", CASES)
@pytest.mark.parametrize("n", [1, 2, 3, 17, 1000, 4099])
def test_random_bits(rng, put, dtype, order, n):
    raw = random_raw(rng, dtype, n)
    if order == ">":
        raw = swap(raw, dtype)
    path = put("data", raw)
    # the product of so many numbers is 0 or inf; the next test covers it
    ops = OPS if n < 50 else MOST if n < 4000 else ALL
    check(decode(raw, dtype, order), dtype, "-f", "raw", "-t",
          option(dtype, order), path,
          ops=ops)


@pytest.mark.parametrize("dtype,order", CASES)
def test_small_values(rng, put, dtype, order):
    """Many ties and zeros, and small results."""
    low = 0 if DTYPES[dtype].kind == "u" else -9
    raw = pack(rng.integers(low, 10, 500), dtype, order)
    check(decode(raw, dtype, order), dtype, "-t", option(dtype, order),
          put("data", raw), ops=MOST)


@pytest.mark.parametrize("dtype", INTEGERS)
def test_limits(put, dtype):
    low, high = oracle.limits(dtype)
    for name, data in (("low", [low] * 300), ("high", [high] * 300),
                       ("both", [low, high] * 150), ("last", [low, high]),
                       ("off", [high, high - 1, low + 1, low])):
        check(data, dtype, "-f", "raw", "-t", dtype,
              put(name, pack(data, dtype)), ops=MOST)


def test_sums_beyond_64_bits(put):
    """2^18 times the largest u64: sums of 82 bits, squares of 146."""
    n, top = 2**18, 2**64 - 1
    path = put("big", pack(np.full(n, top, np.uint64), "u64"))
    got = values("-t", "u64", "-o", "sum,sumsq,l1,mean,var", path)
    assert got["sum"] == got["l1"] == str(n * top)
    assert got["sumsq"] == str(n * top * top)
    assert got["mean"] == "1.8446744073709552e+19"
    assert got["var"] == "0"


@pytest.mark.parametrize("twice,want", [
    (255, 0), (256, 0), (257, 256), (767, 256), (768, 512), (769, 512)])
def test_mean_of_integers_rounds_once(put, twice, want):
    """2^60 + twice / 2, on and beside the ties between multiples of 256."""
    path = put("tie", pack([2**60, 2**60 + twice], "i64"))
    assert float(value("-t", "i64", "-o", "mean", path)) == 2.0**60 + want
    path = put("minus", pack([-(2**60), -(2**60) - twice], "i64"))
    assert float(value("-t", "i64", "-o", "mean", path)) == -(2.0**60) - want


@pytest.mark.parametrize("data,want", [
    ([2] * 127, str(2**127)),
    ([2] * 127 + [1, -1], str(-(2**127))),
    ([-(2**32)] * 3 + [2**31], str(-(2**127))),
    ([2**63 - 1, 2**62, 7], str((2**63 - 1) * 2**62 * 7)),
    ([3] * 80, str(3**80)),
    ([-1] * 1001, "-1"),
    ([-5, 0, 7], "0"),
    ([2**62] * 50 + [0], "0"),
    ([0] + [-(2**63)] * 50, "0"),
])
def test_integer_products(put, data, want):
    assert value("-t", "i64", "-o", "prod", put("p", pack(data, "i64"))) == want


def test_integer_product_reaches_128_bits(put):
    path = put("p", pack([2**64 - 1, 2**64 - 1], "u64"))
    assert value("-t", "u64", "-o", "prod", path) == str((2**64 - 1)**2)
    path = put("q", pack([2**64 - 1, 2**64 - 1, 1, 1], "u64"))
    assert value("-t", "u64", "-o", "prod", path) == str((2**64 - 1)**2)


@pytest.mark.parametrize("dtype,data", [
    ("u64", [2**63] * 2 + [4]), ("i8", [2] * 128), ("i8", [-2] * 129),
    ("u8", [255] * 17), ("i64", [-(2**63)] * 3), ("i32", [3] * 81)])
def test_integer_product_too_large(put, dtype, data):
    """Refused, alone or beside ops that have a value."""
    assert oracle.reduce(data, dtype)["prod"] is oracle.OVERFLOW
    path = put("p", pack(data, dtype))
    fails(1, "-t", dtype, "-o", "prod", path, says="prod")
    fails(1, "-t", dtype, "-o", "sum,prod,max", path, says="prod")
    check(data, dtype, "-t", dtype, path, ops=ALL)      # `all` has no prod


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("n", [1, 2, 5, 64, 1000, 3001])
def test_float_products(rng, put, dtype, n):
    """Signed factors near one, so that the product stays in range."""
    data = rng.uniform(0.5, 1.9, n) * rng.choice([-1, 1], n)
    raw = pack(data, dtype)
    check(decode(raw, dtype), dtype, "-t", dtype, put("p", raw), ops=["prod"])


def test_all_leaves_out_costly_operations(put):
    path = put("d.i16", pack([3, -4, 5], "i16"))
    out = ok("--op", "all", path)
    assert [line.split("\t")[0] for line in out.splitlines()] == ALL
    check([3, -4, 5], "i16", path, ops=ALL)
    for more in "sum", "summary", "alltrue":
        fails(2, "-o", "all," + more, path, says=["summary", "alltrue"])
        fails(2, "-o", more, "-o", "all", path, says=["summary", "alltrue"])


def test_the_summary_is_the_default(put):
    path = put("d.i16", pack([3, -4, 5], "i16"))
    out = ok(path)
    want = oracle.reduce([3, -4, 5], "i16")
    assert out == ok("--op", "summary", path) == "".join(
        f"{op}\t{want[op]}\n" for op in SUMMARY)


def test_the_summary_counts_what_there_is(put):
    nan = put("d.f32", pack([1, math.nan, 3], "f32"))
    assert [*values(nan)] == ["count", "n_nan", *SUMMARY[1:]]
    assert values("--nan", "skip", nan)["count"] == "2"
    text = put("t.csv", b"x\n1\n\"\"\n3\n")
    assert values(text)["n_missing"] == "1"
    assert [*values(text)] == ["rows", "n_missing", *SUMMARY[1:]]
    # Operations that are asked for by name are always printed.
    assert [*values("-o", "summary,n_bad,prod,rows", nan)] == [
        "rows", "count", "n_bad", "n_nan", *SUMMARY[1:], "prod"]


def test_the_summary_of_nothing(put):
    """Counts and the sum are 0, the other values empty, and one note says
    so."""
    for name, first in ("e.f32", "count"), ("e.csv", "rows"):
        result = run(put(name, b""))
        assert result.rc == 0, result
        assert result.out == f"{first}\t0\nsum\t0\n" + "".join(
            op + "\t\n" for op in SUMMARY[2:])
        assert result.err == (
            "gpureduce: mean and 5 other values are undefined for empty input "
            "and left empty; --empty identity prints the identity\n")
        assert run("-q", put(name, b"")).err == ""
        want = oracle.identity("f64")
        assert ok("--empty", "identity", "-t", "f64", put(name, b"")) == (
            f"{first}\t0\nsum\t0\n" + "".join(
                f"{op}\t{want[op]}\n" for op in SUMMARY[2:]))
    fails(1, "-o", "mean", put("e.f32", b""),
          says="mean is undefined for empty input; --empty identity prints "
               "its identity")


@pytest.mark.parametrize("dtype,data,nan,want", [
    ("f32", [2, 0, 5], "propagate", "2 5"),
    ("f64", [math.nan, 7, -0.0], "propagate", "nan -0"),
    ("f64", [math.nan, 7, -0.0, math.nan], "skip", "7 -0"),
    ("i8", [-128, 4], "propagate", "-128 4"), ("u64", [2**64 - 1], "skip",
    f"{2**64 - 1} {2**64 - 1}")])
def test_first_and_last(put, dtype, data, nan, want):
    path = put("d", pack(data, dtype))
    got = values("-t", dtype, "--nan", nan, "-o", "first,last", path)
    assert [got["first"], got["last"]] == want.split()


def test_first_and_last_over_chunks_files_and_text(put, rng):
    data = rng.normal(size=70000)
    data[:5000] = data[-9000:] = math.nan
    cut = [put(f"{i}.f64", pack(part, "f64")) for i, part in enumerate(
        np.array_split(data, 3))]
    text = put("t.csv", b"x,y\n" + b"".join(
        b"%r,NA\n" % v for v in data.tolist()))
    want = [oracle.text(float(data[i])) for i in (5000, -9001)]
    for jobs in 1, 4:
        for args in cut, ["-c", "x", text]:
            got = ok("--nan", "skip", "-j", jobs, "--chunk-size", "64K", "-o",
                     "first,last", *args)
            assert got == "first\t{}\nlast\t{}\n".format(*want)


def test_rows_need_no_number(put):
    text = put("t.csv", b'name,x\na,"1\n2"\n\nb,--\n')
    assert value("-o", "rows", "-c", "x,name", text) == "2"
    # Only words: a note says whether the first record is counted.
    for files in [text], [text, text]:
        result = run("-o", "rows", *files)
        assert (result.rc, result.out) == (0, f"{2 * len(files)}\n")
        assert result.err.startswith(
            f"gpureduce: {text}: the first record is taken for names")
        assert result.err.count("\n") == 1
    assert value("--header", "yes", "-o", "rows", text, text) == "4"
    assert value("--header", "no", "-o", "rows", text) == "3"
    assert value("-o", "rows", put("d.f32", bytes(12))) == "3"
    fails(2, "-o", "rows", "-c", "y", text, says="'y'")
    fails(1, "-o", "rows", put("r.csv", b"a,b\n1\n"), says=":2:")


@pytest.mark.parametrize("name,op", [("nansum", "sum"), ("nanmean", "mean"),
                                     ("nanmax", "max"), ("nanstd", "std_pop")])
def test_words_of_numpy(name, op):
    fails(2, "-o", name, "/dev/null", says="--nan skip -o " + op)


def test_bools(put):
    data = [True, False, True, True]
    raw = bytes(data)
    for args in (["-t", "bool", put("d", raw)], [put("d.bool", raw)],
                 [put("D.BOOL", raw)],
                 ["-t", "|b1", put("e", raw)],
                 ["-t", "bool", put("t.txt", b"1\n0\n1\n1\n")],
                 [put("a.npy", saved(np.array(data)))],
                 ["-t", "bool", put("b.npy", saved(np.array(data)))]):
        assert values("-o", "sum,min,max,any,alltrue,mean,first", *args) == {
            "sum": "3", "min": "0", "max": "1", "any": "1", "alltrue": "0",
            "mean": "0.75", "first": "1"}
    fails(2, "-t", "u8", put("a.npy", saved(np.array(data))), says="bool")
    fails(2, put("d.bool", raw), put("d.u8", raw), says=["bool", "u8"])
    assert "dtype\tbool" in ok("--explain", put("d.bool", raw))
    assert value("-t", "bool", "-o", "min", "--empty", "identity",
                 put("e", b"")) == "1"


def test_bytes_that_are_not_bools(put):
    npy = saved(np.array([True] * 5000))
    for args in (["-t", "bool", put("d", b"\1\0\x02\xff")],
                 [put("a.npy", npy[:-3] + b"\x02" + npy[-2:])]):
        for op in "sum", "count", "any", "summary":
            fails(1, "-o", op, *args, says=["element", args[-1], "0 or 1"])


def test_order_asked_for_aliases_and_repeats(put):
    path = put("d.f32", pack([1, 2, 4], "f32"))
    assert ok("-o", "max,min", "-o", "avg", "-o", "max,stddev,norm", path) == (
        "max\t4\nmin\t1\nmean\t2.3333333333333335\n"
        "std\t1.5275252316519468\nl2\t4.58257569495584\n")
    assert ok("-o", "mean,avg", path) == "2.3333333333333335\n"
    for alias, op in (("avg", "mean"), ("stddev", "std"), ("norm", "l2")):
        assert ok("-o", alias, path) == ok("-o", op, path)


def test_any_and_all(put):
    for data, any_, all_ in (([0, 0], 0, 0), ([0, 1], 1, 0), ([2, 1], 1, 1)):
        for dtype in "u8", "i64", "f16", "f64":
            path = put("d", pack(data, dtype))
            assert values("-t", dtype, "-o", "any,alltrue", path) == {
                "any": str(any_), "alltrue": str(all_)}


@pytest.mark.parametrize("name,dtype,order", [
    (long, short, "<") for long, short in (
        ("float16", "f16"), ("bfloat16", "bf16"), ("float32", "f32"),
        ("float64", "f64"), ("int8", "i8"), ("int16", "i16"),
        ("int32", "i32"), ("int64", "i64"), ("uint8", "u8"),
        ("uint16", "u16"), ("uint32", "u32"), ("uint64", "u64"))
] + [("|u1", "u8", "<"), ("|i1", "i8", "<"), ("<u1", "u8", "<"),
     ("=f8", "f64", "<"), ("=i2", "i16", "<"), (">i8", "i64", ">"),
     ("<i8", "i64", "<"), ("i8", "i8", "<"), ("u8", "u8", "<")])
def test_dtype_names(rng, put, name, dtype, order):
    """Long names, and NumPy's codes: codes count bytes, plain names bits."""
    raw = random_raw(rng, dtype, 24)
    check(decode(raw, dtype, order), dtype, "-t", name, put("d.bin", raw),
          ops=["count", "sum", "min", "max", "argmin"])


@pytest.mark.parametrize("dtype", DTYPES)
def test_suffix_gives_dtype(rng, put, dtype):
    raw = random_raw(rng, dtype, 40)
    check(decode(raw, dtype), dtype, put("d." + dtype, raw), ops=ALL)
    other = "u8" if dtype != "u8" else "i8"
    check(decode(raw, other), other, "-t", other, put("d." + dtype, raw),
          ops=["count", "sum"])


def test_default_dtype_is_f32(rng, put):
    raw = random_raw(rng, "f32", 100)
    check(decode(raw, "f32"), "f32", put("data.bin", raw), ops=ALL)
    check(decode(raw, "f32"), "f32", stdin=raw, ops=ALL)
