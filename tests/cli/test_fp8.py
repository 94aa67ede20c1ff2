# SPDX-License-Identifier: MIT
"""The 8-bit floats against their definition (OCP's OFP8), in fractions."""

import fractions
import math
from collections import Counter

import numpy as np
import pytest

from harness import fails, gpus, ok

FORMATS = {"f8e4m3": (3, 7, False), "f8e5m2": (2, 15, True)}
MODES = [["--device", "cpu"], ["--device", "cpu", "-j", "3", "--chunk-size",
                              "8192"]] + [["--device", "gpu"]] * bool(gpus())


def value(dtype, code):
    """Returns the value of a byte: a Fraction, or a float inf or nan."""
    fraction, bias, has_inf = FORMATS[dtype]
    sign = -1 if code & 0x80 else 1
    field, low = (code & 0x7f) >> fraction, code & ((1 << fraction) - 1)
    top = 0x7f >> fraction
    if field == top and (has_inf or low == (1 << fraction) - 1):
        return sign * math.inf if has_inf and low == 0 else math.nan
    exponent = max(field, 1) - bias - fraction
    if field:
        low += 1 << fraction
    return sign * low * fractions.Fraction(2) ** exponent


def read(text):
    return {k: v for k, v in (line.split("\t") for line in text.splitlines())}


@pytest.mark.parametrize("dtype", FORMATS)
def test_every_byte(put, dtype):
    """Each byte alone: its value, and its digits, which are those of f32."""
    paths = [put("%02x.%s" % (code, dtype), bytes([code]))
             for code in range(256)]
    table = ok("--per-file", "-f", "raw", "-o", "max,n_nan,n_inf,sum",
               "--nan", "skip", "--empty", "identity", *paths)
    numbers = [value(dtype, code) for code in range(256)]
    for code, line in enumerate(table.splitlines()[1:]):
        want = numbers[code]
        most, nans, infs, total = line.split("\t")[1:]
        assert (int(nans), int(infs)) == (want != want, abs(want) == math.inf)
        if want != want:
            continue
        assert float(total) == float(want), (code, line)
        assert np.float32(most) == np.float32(float(want)), (code, line)


@pytest.mark.parametrize("dtype", FORMATS)
def test_medians_along_an_axis(put, rng, dtype):
    """Of an odd number of elements: the one in the middle."""
    numbers = [value(dtype, code) for code in range(256)]
    finite = [c for c in range(256) if abs(numbers[c]) < math.inf]
    codes = rng.choice(np.array(finite, dtype="u1"), (3, 151))
    want = [np.float32(float(sorted(numbers[c] for c in row)[75])) for row in codes]
    for axis, array in (1, codes), (0, codes.T.copy()):
        got = ok("-f", "raw", "--axis", axis, "--shape",
                 ",".join(map(str, array.shape)), "-o", "median",
                 put("x." + dtype, array.tobytes()))
        assert list(map(np.float32, got.split())) == want


@pytest.mark.parametrize("dtype", FORMATS)
@pytest.mark.parametrize("n", [1, 255, 8192, 100003, 1 << 20])
def test_random_bytes(put, rng, dtype, n):
    codes = rng.integers(0, 256, n, dtype="u1")
    path = put("x." + dtype, codes.tobytes())
    numbers = [value(dtype, code) for code in range(256)]
    finite = [c for c in range(256) if abs(numbers[c]) < math.inf]
    counts = np.bincount(codes, minlength=256)
    for mode in MODES:
        got = read(ok(*mode, "-f", "raw", "-o", "count,n_nan,n_inf", path,
                      "--nan", "skip"))
        assert int(got["n_nan"]) == sum(
            counts[c] for c in range(256) if numbers[c] != numbers[c])
        assert int(got["n_inf"]) == sum(
            counts[c] for c in range(256) if abs(numbers[c]) == math.inf)
    codes = rng.choice(np.array(finite, dtype="u1"), n)
    path = put("y." + dtype, codes.tobytes())
    counts = [int(c) for c in np.bincount(codes, minlength=256)]
    there = [c for c in range(256) if counts[c]]

    def total(of):
        return float(sum(counts[c] * of(numbers[c]) for c in there))

    def first(choose):
        most = choose(numbers[c] for c in there)
        return int(np.isin(codes, [c for c in there if numbers[c] == most])
                   .argmax())

    for mode in MODES:
        got = read(ok(*mode, "-f", "raw", "-o", "sum,l1,sumsq,argmin,argmax",
                      path))
        assert float(got["sum"]) == total(lambda v: v)
        assert float(got["l1"]) == total(abs)
        assert float(got["sumsq"]) == total(lambda v: v * v)
        assert int(got["argmin"]) == first(min)
        assert int(got["argmax"]) == first(max)
    times = Counter()  # of values: 0 has two codes
    for c in there:
        times[numbers[c]] += counts[c]
    most = max(times.values())
    for mode in MODES:
        got = read(ok(*mode, "-f", "raw", "-o", "nunique,mode,mode_count", path))
        assert (int(got["nunique"]), int(got["mode_count"])) == (len(times), most)
        assert float(got["mode"]) == float(np.float32(float(min(
            v for v in times if times[v] == most))))


def npy(descr, data):
    header = "{'descr': '%s', 'fortran_order': False, 'shape': (%d,), }" % (
        descr, len(data))
    header += " " * (117 - len(header)) + "\n"
    return b"\x93NUMPY\1\0" + len(header).to_bytes(2, "little") + \
        header.encode() + data


def test_npy(put):
    """Arrays as ml_dtypes writes them: NumPy has a name for only one of the
    types."""
    data = bytes([0x38, 0x40, 0xb8])
    assert ok("-o", "sum", put("a.npy", npy("<f1", data))) == "2\n"
    opaque = put("b.npy", npy("<V1", data))
    assert ok("-t", "f8e4m3", "-o", "sum", opaque) == "2\n"
    fails(1, "-o", "sum", opaque, says="<V1")
    for dtype in "bf16", "u8", "i8", "bool":  # another size; not opaque in NumPy
        fails(1, "-t", dtype, "-o", "sum", opaque, says="<V1")
    brain = put("c.npy", npy("<V2", b"\x80\x3f\x00\x40\x40\x40")
                .replace(b"(6,)", b"(3,)"))
    assert ok("-t", "bf16", "-o", "sum", brain) == "6\n"
    fails(1, "-t", "bf16", "-o", "sum", put("d.npy", npy("<V2x", b"\x80\x3f")),
          says="<V2x")


def test_text_cannot_be_read_as_fp8(put):
    fails(2, "-t", "f8e5m2", "-f", "csv", put("a.csv", b"a\n1\n"),
          says="text cannot be read as f8e5m2")
