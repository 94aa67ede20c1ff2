# SPDX-License-Identifier: MIT
"""NaN, infinities, signed zeros, and no data."""

import itertools

import numpy as np
import pytest

import oracle
from harness import check, fails, ok, run, value, values
from make import pack, saved
from oracle import (ALL, DTYPES, FLOATS, INF, MOST, NAN, OPS, SUMMARY, VALUELESS,
                    decode)

SIZELESS = [op for op in OPS if op not in VALUELESS]


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("nan", ["propagate", "skip"])
def test_specials_among_numbers(put, dtype, nan):
    """Every short mixture: rules that meet must combine correctly."""
    for mix in itertools.product([NAN, INF, -INF, -0.0, 1.5], repeat=3):
        if nan == "skip" and all(x != x for x in mix):
            continue                    # no data: see below
        raw = pack(mix, dtype)
        check(decode(raw, dtype), dtype, "-t", dtype, stdin=raw, nan=nan)


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("special", [NAN, INF, -INF])
def test_one_special_far_inside(rng, put, dtype, special):
    for at in 0, 1, 4094, 4999:
        data = rng.uniform(-2, 2, 5000)
        data[at] = special
        raw = pack(data, dtype)
        path = put("d", raw)
        check(decode(raw, dtype), dtype, "-t", dtype, path, ops=MOST)
        check(decode(raw, dtype), dtype, "-t", dtype, path, ops=MOST,
              nan="skip")


def test_every_nan_is_a_nan(put):
    """Quiet, signalling, negative, with any payload."""
    words = {"f64": [0x7ff8 << 48, 0x7ff0000000000001, 0xfff8 << 48,
                     2**64 - 1, 0xfff0000000000001],
             "f32": [0x7fc00000, 0x7f800001, 0xffc00000, 0xffffffff],
             "f16": [0x7e00, 0x7c01, 0xfe00, 0xffff],
             "bf16": [0x7fc0, 0x7f81, 0xffc0, 0xffff]}
    for dtype, bits in words.items():
        size = DTYPES[dtype].size
        for word in bits:
            raw = (pack([2, 1], dtype) + word.to_bytes(size, "little")
                   + pack([3], dtype))
            data = [2.0, 1.0, NAN, 3.0]
            check(data, dtype, "-t", dtype, stdin=raw)
            check(data, dtype, "-t", dtype, stdin=raw, nan="skip")
            fails(1, "-t", dtype, "--nan", "error", stdin=raw, says="2")


def test_infinity_is_not_nan(put):
    for dtype in FLOATS:
        raw = pack([1, INF, -INF, 2], dtype)
        ok("-t", dtype, "--nan", "error", "-o", "max", stdin=raw)


def test_first_nan_wins_arg(put):
    data = [5.0, NAN, -9.0, NAN, 99.0]
    path = put("d", pack(data, "f64"))
    assert values("-t", "f64", "-o", "argmin,argmax", path) == {
        "argmin": "1", "argmax": "1"}
    # skipped NaN still count for indexes
    assert values("-t", "f64", "-o", "argmin,argmax,count", "--nan", "skip",
                  path) == {"argmin": "2", "argmax": "4", "count": "3"}


def test_nan_error_names_the_first_index(put):
    a = put("a", pack([1.0] * 1000, "f64"))
    b = put("b", pack([1.0] * 234 + [NAN, 2.0, NAN], "f64"))
    for op in "sum", "max", "count", "alltrue", "argmin":
        err = fails(1, "-t", "f64", "--nan", "error", "-o", op, a, b,
                    says=["1234", "--nan skip"])
        assert "1236" not in err
    ok("-t", "f64", "--nan", "error", "-o", "sum", a)


def test_nan_error_is_the_first_for_every_plan(put):
    data = np.ones(300_000)
    data[[77_777, 77_778, 250_000, 299_999]] = NAN
    path = put("d", pack(data, "f64"))
    for jobs, chunk in itertools.product((1, 2, 8), ("1K", "4096", "1M")):
        fails(1, "-t", "f64", "--nan", "error", "-j", jobs, "--chunk-size",
              chunk, path, says="77777")


def test_nan_modes_leave_integers_alone(put):
    raw = b"\xff" * 64                  # a NaN's bits in any float type
    for dtype in "i8", "u16", "i32", "u64":
        for mode in "propagate", "skip", "error":
            check(decode(raw, dtype), dtype, "-t", dtype, "--nan", mode,
                  stdin=raw, ops=ALL)


@pytest.mark.parametrize("data,low,high,total", [
    ([0.0, -0.0], "0", "0", "0"), ([-0.0, 0.0], "-0", "-0", "0"),
    ([-0.0, -0.0], "-0", "-0", "-0"), ([-0.0], "-0", "-0", "-0"),
    ([1.0, -0.0, 0.0], "-0", "1", "1"), ([-1.0, 0.0, -0.0], "-1", "0", "-1"),
    ([1.0, -1.0], "-1", "1", "0"), ([-1.0, 1.0, -0.0], "-1", "1", "0")])
def test_signed_zeros(put, data, low, high, total):
    for dtype in FLOATS:
        raw = pack(data, dtype)
        got = check(decode(raw, dtype), dtype, "-t", dtype, stdin=raw)
        assert (got["min"], got["max"], got["sum"]) == (low, high, total)
        assert (got["absmin"][0] != "-" and got["absmax"][0] != "-"
                and got["range"][0] != "-" and got["l1"][0] != "-")


def test_minus_zeros_across_files_and_chunks(put):
    path = put("z", pack([-0.0] * 5000, "f64"))
    for extra in ([], ["--chunk-size", "1K"], ["-j", "2"]):
        assert value("-t", "f64", "-o", "sum", path, path, *extra) == "-0"
    plus = put("p", pack([0.0], "f64"))
    assert value("-t", "f64", "-o", "sum", path, plus) == "0"
    # without data the sum is not negative, either
    empty = put("e", b"")
    assert value("-t", "f64", "-o", "sum", empty) == "0"
    assert value("-t", "f64", "-o", "sum", empty, path) == "-0"


def test_ties_go_to_the_first(put):
    for dtype in DTYPES:
        raw = pack([1, 3, 0, 3, 0, 3] * 500, dtype)
        assert values("-t", dtype, "-o", "argmin,argmax", "-j", "4",
                      "--chunk-size", "1K", put("t", raw)) == {
            "argmin": "2", "argmax": "1"}


def test_one_element(put):
    for dtype in DTYPES:
        raw = pack([3], dtype)
        got = check([3 if DTYPES[dtype].kind != "f" else 3.0], dtype, "-t",
                    dtype, "-f", "raw", stdin=raw)
        assert (got["var"], got["std"]) == ("nan", "nan")
        assert (got["var_pop"], got["std_pop"]) == ("0", "0")


@pytest.mark.parametrize("dtype,source", [
    (dtype, source) for dtype in DTYPES
    for source in ("raw", "npy", "pipe", "nan")
    if not (source == "npy" and dtype == "bf16"      # .npy has no bf16
            or source == "nan" and dtype not in FLOATS)])
def test_no_data(put, dtype, source):
    """No data in every form."""
    kw, args = {}, ["-t", dtype]
    if source == "raw":
        args += [put("e", b""), put("f", b"")]
    elif source == "pipe":
        kw = {"stdin": b""}
    elif source == "npy":
        args = [put("e.npy", saved(np.zeros((3, 0), np.dtype(
            {"f": "float", "i": "int", "u": "uint"}[DTYPES[dtype].kind]
            + str(8 * DTYPES[dtype].size)))))]
    else:
        args += ["--nan", "skip", put("e", pack([NAN] * 3, dtype))]
    want = {**oracle.reduce([], dtype), **oracle.identity(dtype)}
    if source == "nan":
        want["rows"] = want["n_nan"] = "3"
    assert values(*args, "-o", ",".join(SIZELESS), **kw) == {
        op: want[op] for op in SIZELESS}
    assert values(*args, "--empty", "identity", "-o", ",".join(OPS),
                  **kw) == {op: want[op] for op in OPS}


@pytest.mark.parametrize("op", VALUELESS)
def test_no_data_is_refused(put, op):
    path = put("e.f64", b"")
    says = [op, "--empty identity"]
    fails(1, "-o", op, path, says=says)
    fails(1, "-o", op, "--empty", "error", path, says=says)
    fails(1, "-o", "sum," + op + ",count", path, says=says)
    fails(1, "-o", op, "-t", "i8", says=says)


def test_no_data_and_no_op(put):
    out = ok("--empty", "identity", put("e.f64", b""))
    assert [line.split("\t")[0] for line in out.splitlines()] == SUMMARY
    result = run("-o", "all", put("e.f64", b""))
    assert result.rc == 0 and "--empty identity" in result.err, result
    assert result.out == "".join(
        f"{op}\t{'' if op in VALUELESS else oracle.reduce([], 'f64')[op]}\n"
        for op in ALL)
