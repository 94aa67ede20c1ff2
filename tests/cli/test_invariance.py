# SPDX-License-Identifier: MIT
"""The same bits for all chunks, threads, pipes, files and orders."""

import itertools

import numpy as np
import pytest

import oracle
from harness import ok, piped, values
from make import pack, random_raw
from oracle import DTYPES, FLOATS, MOST, decode

OPS = ["count", "sum", "mean", "var", "std", "l2", "prod", "min", "argmin",
       "argmax", "absmax", "range"]
CHUNKS = ["1", "3", "7", "4096", "4099", "1M", "64M"]


def factors(rng, dtype, n):
    """Data whose product is finite and rounds at every step, with ties for the
    arg ops; for integers the product is exact."""
    if dtype in FLOATS:
        logs = rng.uniform(-0.65, 0.65, n)
        data = np.exp(logs - logs.mean()) * rng.choice([-1, 1], n)
        data[rng.integers(0, n, 9)] = 1.96875
        return pack(data, dtype)
    data = np.ones(n, int)
    data[rng.integers(0, n, 60)] = 3
    return pack(data, dtype)


@pytest.mark.parametrize("dtype", DTYPES)
def test_chunks_and_threads(rng, put, dtype):
    raw = factors(rng, dtype, 70_001)
    args = ["-t", dtype, "-o", ",".join(OPS), put("d", raw)]
    want = ok(*args)
    assert not {"prod\tinf", "prod\t-inf", "prod\t0"} & {*want.splitlines()}
    for chunk, jobs in itertools.product(CHUNKS, (1, 2, 3, 8)):
        got = ok(*args, "--chunk-size", chunk, "-j", jobs)
        assert got == want, (chunk, jobs)


@pytest.mark.parametrize("dtype", [
    "f64", "f16", "u8", pytest.param("f32", marks=pytest.mark.slow),
    pytest.param("i32", marks=pytest.mark.slow)])
def test_a_few_megabytes(rng, put, dtype):
    """Large enough for default chunks to cut it, and small enough for the
    oracle, which takes microseconds an element."""
    size = DTYPES[dtype].size
    raw = factors(rng, dtype, max(700_001 // size, 300_001))
    args = ["-t", dtype, "-o", ",".join(OPS), put("d", raw)]
    want = values(*args)
    elements = decode(raw, dtype)
    exact = oracle.reduce(elements, dtype, ops=OPS)
    assert {op: v for op, v in want.items() if op != "prod"} == {
        op: exact[op] for op in OPS if op != "prod"}
    assert oracle.matches(want["prod"], exact["prod"])
    assert want["prod"] not in ("inf", "-inf", "0")
    for jobs in range(1, 9):
        assert values(*args, "-j", jobs) == want, jobs
    for chunk in "4096", "100003", "1M", "64M":
        assert values(*args, "--chunk-size", chunk) == want, chunk
        assert values(*args, "--chunk-size", chunk, "-j", "1") == want, chunk
    for piece in 4093, 1 << 20:
        with piped(raw, piece) as stdin:
            assert values(*args[:-1], stdin=stdin) == want, piece


@pytest.mark.parametrize("dtype", ["f64", "f32", "bf16", "i64", "u16"])
def test_split_over_files(rng, put, dtype):
    raw, size = factors(rng, dtype, 200_000), DTYPES[dtype].size
    args = ["-t", dtype, "-o", ",".join(OPS)]
    want = ok(*args, put("whole", raw))
    for pieces in 2, 3, 64:
        cuts = sorted(rng.integers(0, 200_001, pieces - 1).tolist())
        ends = zip([0, *cuts], [*cuts, 200_000])
        files = [put(f"{i}", raw[a * size:b * size])
                 for i, (a, b) in enumerate(ends)]
        assert ok(*args, *files) == want, cuts
        assert ok(*args, *files, "-j", "1", "--chunk-size", "1K") == want, cuts


@pytest.mark.parametrize("dtype", ["f64", "f32", "f16", "i64"])
def test_order_of_the_data(rng, put, dtype):
    """Results without positions are the same for every permutation."""
    raw = random_raw(rng, dtype, 60_000)
    ops = [op for op in MOST if not op.startswith("arg")
           and op not in ("first", "last")]
    args = ["-t", dtype, "-o", ",".join(ops)]
    data = np.frombuffer(raw, f"V{DTYPES[dtype].size}")
    want = ok(*args, put("d", raw))
    for order in (rng.permutation(len(data)), np.arange(len(data))[::-1],
                  np.argsort(decode(raw, dtype))):
        assert ok(*args, put("e", data[order].tobytes())) == want


@pytest.mark.parametrize("dtype", FLOATS)
def test_specials_under_every_cut(rng, put, dtype):
    """NaN and infinities anywhere: the fast paths must leave correctly."""
    data = rng.uniform(-2, 2, 80_000)
    data[rng.integers(0, 80_000, 99)] = np.nan
    data[rng.integers(0, 80_000, 99)] = np.inf
    raw = pack(data, dtype)
    want = oracle.reduce(decode(raw, dtype), dtype, "skip", MOST)
    for chunk, jobs in itertools.product(("256", "4096", "1M"), (1, 2, 8)):
        got = values("--nan", "skip", "-t", dtype, "-o", ",".join(MOST),
                     "--chunk-size", chunk, "-j", jobs, put("d", raw))
        assert got == {op: want[op] for op in MOST}, (chunk, jobs)


def test_product_is_not_merely_close(rng, put):
    """In other orders these products differ, so the tests of equal bits can
    fail."""
    data = np.exp(rng.uniform(-0.65, 0.65, 9001))
    products = {float(np.prod(rng.permutation(data))) for _ in range(20)}
    assert len(products) > 3


def test_zero_wins_over_a_product_too_large(put):
    """The zero and the overflow may come in any chunk, file or order."""
    big, zero = pack([2**62] * 3000, "i64"), pack([0], "i64")
    a, b = put("big", big), put("zero", zero)
    for files in ([a, b], [b, a], [a, b, a]):
        for extra in ([], ["--chunk-size", "1K", "-j", "4"]):
            assert ok("-t", "i64", "-o", "prod", *files, *extra) == "0\n"


def test_runs_repeat(rng, put):
    path = put("d.f64", random_raw(rng, "f64", 300_000))
    outs = {ok("-o", "sum,var,prod,l1", "--chunk-size", "16K", "-j", "8", path)
            for _ in range(10)}
    assert len(outs) == 1
