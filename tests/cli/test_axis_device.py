# SPDX-License-Identifier: MIT
"""--axis on a device: the tests' fake device, which reports some sums as
doubtful, and a GPU if there is one. NumPy is the oracle."""

import io
import json
import math
import os

import numpy as np
import pytest

from harness import BINARY, fails, gpus, ok, run
from make import saved

FAKE = {"program": os.environ["GPUREDUCE_FAKE"]}
DEVICES = [["fake", FAKE]] + [["cuda", {"program": BINARY}]] * bool(gpus())

# Shape, axes, dtype, whether in Fortran order; the chunks have 8192 elements.
# Rows are short and long, columns come in whole rows and in panels, some
# results are added up from several chunks by one worker, and some are merged
# from several tasks.
ARRAYS = [
    ((7, 1), "0", "f4", False),
    ((1, 7), "1", "u1", False),
    ((5, 401, 17), "1", "i2", False),
    ((20, 30, 20), "2", "f8", True),
    ((30, 50, 20), "0,1", "i8", True),
    ((3, 5000), "0", "f4", False),
    ((3, 9000), "1", "f4", False),
    ((20000, 3), "0", "f2", False),
    ((3000, 3), "1", "i4", False),
    ((6, 9000), "0", "u8", False),
    ((70, 301), "0", "f8", True),
    ((60001,), "0", "f4", False),
    ((90, 40, 7), "1", "f4", False)]


def elements(rng, shape, dtype):
    """Draws integers, whose sums are exact; a few floats are special."""
    a = rng.integers(0, 100, shape).astype(dtype)
    if np.dtype(dtype).kind == "f":
        flat = a.reshape(-1)
        for x in -0.0, np.inf, np.nan:
            flat[rng.integers(0, a.size, a.size // 5000 + 1)] = x
    return a


def expected(a, op):
    """Returns the expected results over the last axis."""
    with np.errstate(invalid="ignore"):
        if op in ("sum", "mean"):
            return getattr(a.astype("f8"), op)(-1)
        if op == "l1":
            return np.abs(a.astype("f8")).sum(-1)
        return getattr(a, op)(-1)


def same(got, want):
    """Compares values of JSON, in which NaN and infinities are texts or
    null."""
    got = np.array([math.nan if x is None else float(x) for x in got])
    want = np.asarray(want, "f8").reshape(-1)
    return np.array_equal(got, want, equal_nan=True)


def flat(values):
    return np.array(values, dtype=object).reshape(-1)


# What else devices compute, as on the CPU.
MORE = ["sumsq", "n_inf,n_nan,alltrue", "min,absmin", "sum,count,absmax"]


@pytest.mark.parametrize("device, kw", DEVICES)
def test_as_numpy(rng, put, device, kw):
    for shape, axes, dtype, fortran in ARRAYS:
        a = elements(rng, shape, dtype)
        path = put("a.npy", saved(np.asfortranarray(a) if fortran else a))
        reduced = [int(d) for d in axes.split(",")]
        kept = [d for d in range(a.ndim) if d not in reduced]
        lanes = a.transpose(kept + reduced).reshape(
            [a.shape[d] for d in kept] + [-1])
        ops = ["sum", "mean", "l1", "any"] + ["max", "argmax"] * (axes != "0,1")
        args = ["--axis", axes, "-o", ",".join(ops), "-O", "json", path]
        out = ok("--device", device, "--chunk-size", "8KiB", "-j", 3, *args,
                 **kw)
        other = ok("--device", "cpu", *args, **kw)
        assert out.split('"run":')[0] == other.split('"run":')[0]
        whole = ok("--device", device, *args, **kw)  # more outputs at a time
        assert whole.split('"run":')[0] == other.split('"run":')[0]
        result, = json.loads(out)["results"]
        for op in ops:
            assert same(flat(result[op]), expected(lanes, op)), (shape, op)
        for ops in MORE:
            args[3] = ops
            out = ok("--device", device, "--chunk-size", "8KiB", "-j", 2, *args,
                     **kw)
            other = ok("--device", "cpu", *args, **kw)
            assert out.split('"run":')[0] == other.split('"run":')[0], ops


EXACT = {
    "sum": sum, "min": min, "max": max,
    "l1": lambda lane: sum(map(abs, lane)),
    "absmin": lambda lane: min(map(abs, lane)),
    "absmax": lambda lane: max(map(abs, lane)),
    "mean": lambda lane: sum(lane) / len(lane)}     # rounded once


@pytest.mark.parametrize("device, kw", DEVICES)
@pytest.mark.parametrize("dtype", ["i1", "i4", "i8", "u8"])
@pytest.mark.parametrize("ops", ["sum,l1", "min,max", "absmin,absmax", "mean"])
def test_all_integers(rng, put, device, kw, dtype, ops):
    """Negative sums, and those of over 64 bits. Column 2 is least throughout."""
    low, high = np.iinfo(dtype).min, np.iinfo(dtype).max
    a = rng.integers(low, high, (300, 70), dtype, endpoint=True)
    a[:, 2] = low
    path = put("a.npy", saved(a))
    for axis in 0, 1:
        lanes = np.moveaxis(a, axis, 1).tolist()
        table = ok("--device", device, "--axis", axis, "-o", ops, "-O", "csv", path,
                   **kw).splitlines()[1:]
        _, *columns = zip(*(line.split(",") for line in table))
        for op, texts in zip(ops.split(","), columns, strict=True):
            kind = float if op == "mean" else int
            assert list(map(kind, texts)) == list(map(EXACT[op], lanes)), (axis, op)


@pytest.mark.parametrize("device, kw", DEVICES)
def test_nan_modes(put, device, kw):
    a = np.array([[1, np.nan], [-0.0, -0.0], [np.nan, np.nan]], "f4")
    a = np.tile(a, (50, 1))
    path = put("a.npy", saved(a))
    asked = ["--device", device, "--axis", "1", "--nan", "skip", path]
    assert ok("-o", "sum", *asked, **kw) == "1\n-0\n0\n" * 50
    assert ok("-o", "min", "--empty", "identity", *asked,
              **kw) == "1\n-0\ninf\n" * 50
    for op in "mean", "min":
        assert "output [2]: " in fails(1, "-o", op, *asked, **kw)
    got = run("-o", "sum,absmax", *asked, **kw)
    assert got.out.startswith("axis0\tsum\tabsmax\n0\t1\t1\n1\t-0\t0\n2\t0\t\n")
    assert "output [2]: absmax and 49 other values are undefined" in got.err
    asked[5] = "error"
    for op in "sum", "min", "sum,absmax":
        assert "output [0]: element 1 is NaN" in fails(1, "-o", op, *asked, **kw)


@pytest.mark.parametrize("device, kw", DEVICES)
def test_progress(put, device, kw):
    path = put("a.f32", bytes(3_000_000))
    got = run("--progress=always", "--device", device, "--chunk-size", "64KiB",
              "--axis", "1", "--shape=-1,3", "-o", "sum", "-O", "npy", path, **kw)
    assert got.err.split("\r")[-1].split()[:3] == ["3.00", "MB", "100%"]


@pytest.mark.parametrize("device, kw", DEVICES)
def test_several_files(rng, put, device, kw):
    a = rng.integers(0, 100, (3000, 5)).astype("i2")
    paths = [put(f"{i}.npy", saved(part))
             for i, part in enumerate((a[:17], a[17:17], a[17:]))]
    args = ["--axis", "1", "-o", "sum", "--chunk-size", "8KiB", *paths]
    assert "reduced, on the CPU" not in ok("--explain", "--device", device,
                                           *args, **kw)
    for name in device, "cpu":
        assert ok("--device", name, *args, **kw).split() == [
            str(x) for x in a.sum(1)]


@pytest.mark.parametrize("device, kw", DEVICES)
def test_json_names_the_device(rng, put, device, kw):
    path = put("a.f32", rng.normal(size=(6, 5)).astype("f4").tobytes())
    args = ["--axis", "0", "--shape", "6,5", "-o", "sum", "-O", "json", path]
    for name in device, "cpu":
        said = json.loads(ok("--device", name, *args, **kw))
        assert said["run"]["device"] == name


@pytest.mark.parametrize("device, kw", DEVICES)
def test_many_values_in_order(rng, put, device, kw):
    """Values of 2^19 outputs or more are written task by task."""
    a = elements(rng, (2**19 + 77, 2), "f4")
    path = put("a.npy", saved(a))
    out = ok("--device", device, "--chunk-size", "64KiB", "-j", 3, "--axis",
             "1", "-o", "sum", "-O", "npy", path, **kw)
    got = np.load(io.BytesIO(out.encode("utf-8", "surrogateescape")))
    assert np.array_equal(got, expected(a, "sum"), equal_nan=True)


# Operations that a device leaves to the CPU, and why.
LEFT = [
    ((4, 5, 6, 7), "i4", ["--axis", "0,2", "-o", "sum"], "neighbours"),
    ((4, 5, 6), "i4", ["--axis", "0,2", "-o", "sum"], "neighbours"),
    ((4, 6), ">i4", ["--axis", "0", "-o", "sum"], "or big-endian"),
    ((4, 6), "i4", ["--axis", "0", "-o", "sum", "{}"], "the FILEs are joined"),
    ((4, 6), "f4", ["--axis", "0", "-o", "sum,var"], "no kernels"),
    ((4, 6), "i8", ["--axis", "0", "-o", "sumsq"], "this type"),
    ((4, 0), "f4", ["--axis", "1", "-o", "sum"], "not empty"),
    ((4, 6), "f4", ["--axis", "1", "-o", "sum", "--digits", "2"],
     "no kernels"),
    ((4, 6), "?", ["--axis", "1", "-o", "sum"], "no kernels")]


def test_left_to_the_cpu(put, tmp_path):
    for shape, dtype, args, why in LEFT:
        a = np.arange(np.prod(shape)).reshape(shape).astype(dtype)
        path = put("a.npy", saved(a))
        args = ["--device", "fake", *(x.format(path) for x in args), path]
        if len(shape) > 3:
            args += ["-O", "json"]
        explained = ok("--explain", *args, **FAKE)
        assert "reduced, on the CPU" in explained and why in explained, shape
        got = run("-v", *args, **FAKE)
        assert got.rc == 0 and why in got.err, got
        args[1] = "cpu"
        assert got.out == ok(*args, **FAKE)
    args = ["--axis", "0", "-o", "sum"]
    got = run("-v", "--device", "fake", *args, stdin=saved(a), **FAKE)
    assert "or big-endian" in got.err and got.out == ok(*args, path)
    for op in "sum", "var":
        fails(3, "--device", "fake:1", "--axis", "0", "-o", op, path, **FAKE)
    args = ["--explain", "--device", "fake"]
    ties = ("in Fortran order, ties of extremes along several axes are broken by C "
            "order")
    for shape, axes, op, why in (((2, 3, 4), "0,1", "max", ties),
                                 ((2, 3, 4), "0,1", "sum", None),
                                 ((2, 3, 4), "0", "max", None),
                                 ((1, 3, 4), "0,1", "max", None)):
        ordered = put("f.npy", saved(np.zeros(shape, order="F")))
        explained = ok(*args, "-o", op, "--axis", axes, ordered, **FAKE)
        assert ("reduced, on the CPU" in explained) == bool(why), (shape, axes, op)
        assert not why or why in explained
    for rows in 2**32 - 1, 2**32 - 2:
        os.truncate(put("long.u8", b""), rows)
        explained = ok(*args, "-o", "max", "--axis", "0", "--shape=-1",
                       tmp_path / "long.u8", **FAKE)
        assert ("an axis is empty, or longer than 4294967294" in explained) == (
            rows == 2**32 - 1)
    auto = ok("--explain", "--axis", "0", path, **FAKE)
    assert "reads as fast as the GPU bus" in auto


@pytest.mark.parametrize("device, kw", DEVICES)
def test_auto_measures_the_cpu(tmp_path, device, kw):
    """The CPU keeps a state for each of these outputs, which takes long, so a
    device pays. On a machine with other work its threads may seem too idle for
    a device to be started."""
    size = 4 if device == "cuda" else 8  # a GPU pays for many outputs only
    path = tmp_path / f"zeros.i{8 * size}"
    path.write_bytes(b"\1")
    os.truncate(path, 128 << 20)
    asked = ["--axis", "1", "--shape=-1,4", "-o", "any", path]
    assert "instead\t" in ok("--explain", *asked, **kw)
    assert "instead\t" not in ok("--explain", "--device", "cpu", *asked, **kw)
    assert "instead\t" not in ok("--explain", "--axis", "1", "--shape=-1,4",
                                 "-o", "median", path, **kw)
    for env in [{}] + [{"FAKE_MEMORY": "1000"}] * (device == "fake"):
        got = run("-v", "-j", "1", *asked, "-O", "npy", env=env, **kw)
        values = got.out.encode("utf-8", "surrogateescape")[-(32 // size << 20):]
        assert not any(values[1:]) and values[0] == 1, got.err
        assert "GB/s on 1 threads: " in got.err and got.err.count("device ") == 1
        if env and "no memory" in got.err:
            assert "restarting on the CPU" in got.err
            assert "device cpu, 1 thread, 134217728 bytes" in got.err
    if device != "fake":
        assert "device cuda" in got.err


@pytest.mark.parametrize("memory, axis, says", [
    (64 << 20, 0, " 2 threads, 33554432 bytes, host"),  # 4 MiB: 3 for each
    (64 << 20, 1, " 4 threads, 33554432 bytes, host"),  # 2 for each
    (26 << 20, 1, " 3 threads, 33554432 bytes, host"),
    (10 << 20, 0, " 33554432 bytes, short of memory: chunks of "),
    (10 << 20, 1, " 1 thread, 33554432 bytes, host"),
    (5 << 20, 1, " 1 thread, 33554432 bytes, short of memory: chunks of 2097152"),
    (1 << 20, 0, " 1 thread, 33554432 bytes, short of memory: chunks of 262144"),
    (500 << 10, 0, None), (500 << 10, 1, None)])
def test_a_device_short_of_memory(rng, tmp_path, memory, axis, says):
    """Workers without memory leave the tasks to the others. If one lacks memory
    later, or all do, the run is restarted with smaller chunks."""
    path = tmp_path / "a.npy"
    np.save(path, rng.integers(-99, 99, (1 << 12, 1 << 10)).astype("f8"))
    args = ["-j", "4", "--axis", str(axis), "-o", "sum,argmax", path]
    how = {"env": {"FAKE_MEMORY": str(memory)}, **FAKE}
    if says is None:
        fails(3, "--device", "fake", *args, **how, says="injected: no memory")
        return
    got = run("-v", "--device", "fake", *args, **how)
    assert got.out == ok("--device", "cpu", *args)
    assert says in got.err, got.err
