# SPDX-License-Identifier: MIT
"""Ten million random elements of every type, against math.fsum and
integers."""

import math
import shutil
import subprocess

import numpy as np
import pytest

from harness import ok

N = 10**7
GPU = shutil.which("nvidia-smi") and subprocess.run(
    ["nvidia-smi"], capture_output=True).returncode == 0
DEVICES = ["cpu"] + (["gpu"] if GPU else [])

pytestmark = pytest.mark.slow


def integer_sum(x):
    """Returns the exact sum of a 64-bit integer array."""
    low = int((x & np.uint64(0xffffffff)).astype(np.uint64).sum()) \
        if x.dtype.kind == "u" else int((x & 0xffffffff).sum())
    return int((x >> x.dtype.type(32)).sum()) * 2**32 + low


def square_parts(x):
    """Returns doubles with the same sum as the squares: x*x and its error
    (Dekker). |x| must be 0 or from 2^-400 to 2^400."""
    high = x * 134217729.0
    high = high - (high - x)
    low = x - high
    square = x * x
    error = ((high * high - square) + 2 * high * low) + low * low
    return square, error


def floats(dtype, rng):
    """Returns raw bits and the values as f64."""
    if dtype == "f64":
        bits = rng.integers(0, 2**64, N, np.uint64)
        exponent = rng.integers(1023 - 400, 1023 + 400, N).astype(np.uint64)
        bits = (bits & np.uint64(0x800fffffffffffff)) | \
            (exponent << np.uint64(52))
        return bits, bits.view("<f8")
    if dtype == "f32":
        bits = rng.integers(0, 2**32, N, np.uint32)
        bits[bits & 0x7f800000 == 0x7f800000] &= 0x8fffffff
        return bits, bits.view("<f4").astype("<f8")
    inf = {"f16": 0x7c00, "bf16": 0x7f80}[dtype]
    bits = rng.integers(0, 2**16, N, np.uint16)
    bits[bits & inf == inf] &= 0x83ff
    if dtype == "f16":
        return bits, bits.view("<f2").astype("<f8")
    return bits, (bits.astype("<u4") << 16).view("<f4").astype("<f8")


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("dtype", ["f16", "bf16", "f32", "f64"])
def test_float_draws(put, dtype, device):
    bits, x = floats(dtype, np.random.default_rng(20261120))
    assert np.isfinite(x).all()
    path = put("d." + dtype, bits.tobytes())
    got = dict(line.split("\t") for line in ok(
        "--device", device, "--op", "sum,l1,sumsq,mean,min,max,argmin,argmax",
        path, timeout=60).splitlines())
    square, error = square_parts(x)
    total = math.fsum(x)
    assert float(got["sum"]) == total
    assert float(got["l1"]) == math.fsum(np.abs(x))
    # fsum over both lists: two correctly rounded sums must not be added.
    assert float(got["sumsq"]) == math.fsum(np.concatenate([square, error]))
    # The expected quotient is rounded twice: one unit in the last place.
    assert abs(float(got["mean"]) - total / N) <= math.ulp(total / N)
    assert int(got["argmin"]) == x.argmin()
    assert int(got["argmax"]) == x.argmax()


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("dtype", ["i8", "i16", "i32", "i64",
                                   "u8", "u16", "u32", "u64"])
def test_integer_draws(put, dtype, device):
    code = "<" + dtype[0] + str(int(dtype[1:]) // 8)
    rng = np.random.default_rng(20261120)
    x = np.frombuffer(rng.bytes(N * np.dtype(code).itemsize), code)
    path = put("d." + dtype, x.tobytes())
    got = dict(line.split("\t") for line in ok(
        "--device", device, "--op", "sum,min,max,argmin,argmax", path,
        timeout=60).splitlines())
    wide = x.astype("<" + dtype[0] + "8")
    assert int(got["sum"]) == integer_sum(wide)
    assert int(got["min"]) == x.min() and int(got["max"]) == x.max()
    assert int(got["argmin"]) == x.argmin()
    assert int(got["argmax"]) == x.argmax()
