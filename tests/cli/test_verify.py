# SPDX-License-Identifier: MIT
"""--verify, and what --fast may change."""

import math
import random
from fractions import Fraction

import numpy as np
import pytest

from harness import fails, ok, run


def f64(put, values, name="d.f64"):
    return put(name, np.array(values, "<f8").tobytes())


@pytest.mark.parametrize("dtype", ["f16", "f32", "f64", "i16", "u64"])
def test_verify_prints_what_a_plain_run_prints(put, dtype):
    rng = np.random.default_rng(7)
    data = put("d." + dtype, rng.integers(0, 97, 100003).astype(
        {"f16": "<f2", "f32": "<f4", "f64": "<f8", "i16": "<i2",
         "u64": "<u8"}[dtype]).tobytes())
    plain = ok("--op", "all", data)
    assert ok("--verify", "--op", "all", data) == plain
    assert ok("--verify", "--op", "all", "-j", "3", "--chunk-size", "64K",
              data) == plain


def test_verify_computes_twice_in_different_ways(put):
    data = f64(put, range(300000))
    report = run("--verify", "-v", "--op", "sum", data)
    assert report.rc == 0 and float(report.out) == 299999 * 150000
    assert report.err.count("wall") == 2


def test_verify_needs_seekable_input(put):
    fails(2, "--verify", "--op", "sum", stdin=b"\0" * 8, says=["--verify"])
    assert ok("--verify", "--op", "sum", f64(put, [])) == "0\n"
    fails(2, "--verify", "--fast", "--op", "sum", f64(put, [1.0]),
          says=["--verify", "--fast"])


def test_verify_of_redirected_file(put):
    data = f64(put, [1.5, 2.5])
    with open(data, "rb") as file:
        assert ok("--verify", "-t", "f64", "--op", "sum", stdin=file) == "4\n"


def test_fast_and_deterministic_exclude_each_other(put):
    fails(2, "--fast", "--deterministic", f64(put, [1.0]))


def test_fast_keeps_its_error_bound(put):
    rng = random.Random(11)
    values = [rng.uniform(-1, 1) * 2.0 ** rng.randrange(-300, 300)
              for _ in range(200001)]
    whole = [int(math.ldexp(v, 500)) for v in values]  # exact
    exact = Fraction(sum(whole), 2**500)
    magnitudes = Fraction(sum(map(abs, whole)), 2**500)
    got = Fraction(float(ok("--fast", "--op", "sum", f64(put, values))))
    assert abs(got - exact) <= 272 * magnitudes / 2**53 + abs(exact) / 2**53
    squares = Fraction(sum(n * n for n in whole), 2**1000)
    got = Fraction(float(ok("--fast", "--op", "sumsq", f64(put, values))))
    assert abs(got - squares) <= 275 * squares / 2**53


def test_fast_does_not_overflow_on_the_way(put):
    values = [1e308, 1e308, -1e308] * 1000 + [-1e308] * 999
    assert float(ok("--fast", "--op", "sum", f64(put, values))) == 1e308
    values += [math.inf]
    assert ok("--fast", "--op", "sum", f64(put, values)) == "inf\n"
    values += [-math.inf]
    assert ok("--fast", "--op", "sum", f64(put, values)) == "nan\n"


def test_fast_leaves_variance_exact(put):
    rng = np.random.default_rng(5)
    data = f64(put, 1e9 + rng.standard_normal(50000) * 1e-3)
    for op in "var", "std", "var_pop", "std_pop", "var,sum":
        assert ok("--fast", "--op", op, data) == ok("--op", op, data)


def test_fast_leaves_integers_exact(put):
    data = put("d.i64", np.full(9999, 2**62 + 1, "<i8").tobytes())
    assert ok("--fast", "--op", "sum", data) == f"{9999 * (2**62 + 1)}\n"
