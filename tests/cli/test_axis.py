# SPDX-License-Identifier: MIT
"""Arrays reduced along axes: --axis, --shape, --keepdims, -O npy."""

import gzip
import io
import itertools
import json
import os
import math
import pathlib
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction

import numpy as np
import pytest

from harness import (BINARY, Feeder, data_limit, fails, needs_memory_of_its_own, ok,
                     run)
from make import saved


def array_of(*args, **kw):
    """Returns what -O npy prints, as NumPy reads it."""
    out = ok(*args, "-O", "npy", **kw)
    return np.load(io.BytesIO(out.encode("utf-8", "surrogateescape")))


@pytest.fixture
def cube(put):
    a = np.arange(24, dtype="f4").reshape(2, 3, 4)
    return a, put("cube.npy", saved(a))


def reference(op, a, axes):
    """Returns NumPy's result over a tuple of axes, which are joined to one."""
    kept = [d for d in range(a.ndim) if d not in axes]
    each = int(np.prod([a.shape[d] for d in axes]))
    flat = a.transpose(kept + sorted(axes)).reshape(
        [a.shape[d] for d in kept] + [each])
    if op == "count":
        return np.full(flat.shape[:-1], each)
    if op in ("sum", "mean") and a.dtype.kind == "f":
        flat = flat.astype("f8")
    return getattr(flat, op)(-1)


SHAPES = [
    ((7,), (0,)), ((1, 5), (0,)), ((5, 1), (1,)), ((4, 3), (0,)),
    ((4, 3), (-1,)), ((2, 3, 4), (0, 2)), ((2, 3, 4), (1,)),
    ((3, 4, 5, 2), (0, 2)), ((2, 1, 3, 2, 1, 2, 3, 2), (1, 3, 6)),
    ((2, 2, 3, 2, 2, 2, 2, 2), (0, 2, 4, 7)), ((300, 2), (0,)),
    ((2, 300), (1,)), ((40, 70), (1,)), ((17, 33), (0,))]


@pytest.mark.parametrize("shape, axes", SHAPES)
def test_as_numpy(rng, put, shape, axes):
    """Any shape, order, dtype and source gives NumPy's results."""
    op, dtype = rng.choice(["sum", "max", "argmin"]), rng.choice(
        ["f4", "f8", "i2", "u1", ">i4", "f2", "i8"])
    a = rng.integers(0, 50, shape).astype(dtype)
    a = np.asfortranarray(a) if rng.random() < 0.5 else a
    axes = tuple(d % a.ndim for d in axes)
    want = reference(str(op), a, axes)
    listed = ",".join(map(str, axes))
    path = put("a.npy", saved(a))
    for source in [path], ["-j", "3", path]:
        got = array_of("--axis", listed, "-o", op, *source)
        assert got.shape == want.shape and (got == want).all()
    kept = array_of("--axis", listed, "--keepdims", "-o", op, path)
    assert kept.shape == tuple(1 if d in axes else n
                               for d, n in enumerate(shape))
    with open(path, "rb") as file:
        got = array_of("--axis", listed, "-o", op, stdin=file.read())
    assert got.shape == want.shape and (got == want).all()


@pytest.mark.parametrize("dtype", ["i1", "i2", "f4", "f8", "i8"])
def test_narrow_columns(rng, put, dtype):
    """Columns so narrow that several rows are compared at once: the extremes
    are in the first, the last or any row, and the rows before the first are
    not read."""
    for columns in [*range(1, 10), 13, 16, 17, 24, 31, 32, 33]:
        for rows in (16, 33, 257) if columns % 2 else (32, 65):
            a = rng.integers(-100, 100, (rows, columns)).astype(dtype)
            a[rng.integers(0, rows)] = 120
            a[rng.integers(0, rows)] = -120
            path = put("a.npy", saved(a))
            for op in "max", "argmin":
                got = array_of("--axis", "0", "-j", "1", "-o", op, path)
                assert (got == reference(op, a, (0,))).all(), (op, a.shape)


def test_products_of_long_columns(put):
    """The columns have more rows than a thread multiplies at once."""
    a = np.ones((10000, 3), dtype="f4")
    a[::999] = 2
    path = put("a.npy", saved(a))
    assert (array_of("--axis", "0", "-o", "prod", path) == 2**11).all()


@pytest.mark.parametrize("rows", [700001, 16384])
@pytest.mark.parametrize("threads", ["1", "3", "16"])
def test_products_of_shared_columns(rng, put, threads, rows):
    """Products round in one order, that of a column alone, however many threads
    there are for few columns."""
    a = (1 + 1e-3 * rng.standard_normal((rows, 3))).astype("f4")
    asked = ["--axis", "0", "-j", threads, "-o", "prod"]
    got = array_of(*asked, put("a.npy", saved(a)))
    stream = array_of(*asked, "--shape=-1,3", "-t", "f32", stdin=a.tobytes())
    for i in range(3):
        column = put("column.npy", saved(np.ascontiguousarray(a[:, i])))
        assert got[i] == stream[i] == float(ok("-o", "prod", column))


@pytest.mark.parametrize("axis", [0, 1])
@pytest.mark.parametrize("columns", [2, 2000, 600000])
def test_large_files_are_as_streams(rng, put, axis, columns):
    """Files of over 1 MiB are mapped, and threads share them. The results are
    exact in any order."""
    rows = 600000 // columns * 2
    a = (rng.standard_normal((rows, columns)) *
         2.0 ** rng.integers(-30, 30, (rows, columns))).astype("f4")
    a[0, 1] = np.nan
    path = put("a.npy", saved(a.astype(">f4") if columns == 2000 else a))
    asked = ["--axis", axis, "-o", "sum"]
    got = array_of(*asked, "-j", "3", path)
    with open(path, "rb") as file:
        stream = array_of(*asked, "-j", "3", stdin=file.read())
    other = array_of(*asked, "-j", "2", "--chunk-size", "70000", path)
    assert got.tobytes() == stream.tobytes() == other.tobytes()
    fails(1, "--nan", "error", *asked, "-j", "3", path,
          says=f"output [{1 - axis}]: element {axis} is NaN")
    for i in rng.integers(0, len(got), 3):
        lane = a.take(i, 1 - axis)
        if np.isnan(lane).any():
            assert math.isnan(got[i])
        else:
            assert got[i] == math.fsum(lane.tolist())


@pytest.mark.parametrize("columns, rows", [(2500, 1300), (70, 9000)])
def test_long_columns(rng, put, columns, rows):
    """Columns of more rows than are summed plainly have exact sums."""
    a = (rng.standard_normal((rows, columns)) *
         2.0 ** rng.integers(-40, 40, (rows, columns))).astype("f4")
    path = put("a.npy", saved(a))
    asked = ["--axis", "0", "-o", "sum", path]
    want = [math.fsum(column) for column in a.T.tolist()]
    for threads in "1", "3", "16":
        assert array_of("-j", threads, *asked).tolist() == want
    swapped = put("b.npy", saved(a.astype(">f4")))
    assert array_of("-j", "3", *asked[:-1], swapped).tolist() == want


def test_columns_of_files_larger_than_memory(rng, put):
    """Without room for all pages, pieces of rows are mapped one by one."""
    needs_memory_of_its_own()
    a = rng.integers(0, 256, (530, 132000), dtype="u1")
    path = put("a.npy", saved(a))
    args = "--device", "cpu", "-j", "2", "--axis", "0", "-o", "sum"
    got = array_of(*args, path, preexec_fn=data_limit(100 << 20))
    assert (got == a.sum(0)).all()


def test_streams_of_long_rows(rng):
    """All threads share the pieces of rows of over 16 MiB."""
    a = rng.integers(-9, 9, (2, 2100000)).astype("f8")
    want = a.sum(0)
    a[1, ::4001] = np.inf
    want[::4001] = np.inf
    for op, result in ("sum", want), ("n_inf", np.isinf(a).sum(0)):
        got = array_of("-j", "3", "--axis", "0", "--shape=-1,2100000", "-t",
                       "f64", "-o", op, stdin=a.tobytes())
        assert np.array_equal(got, result)


def test_streams_of_slabs_of_long_rows():
    """A slab ends with its last row, though a row is added in pieces."""
    a = np.zeros((2, 2, 70000, 240), "u1")
    a[0, 1, 5, 7], a[1, 0, 5, 9], a[1, 1, -1, -1] = 3, 4, 5
    got = array_of("-j", "2", "--axis", "1,3", "--shape=-1,2,70000,240", "-t",
                   "u8", "-o", "sum", stdin=a.tobytes())
    want = np.zeros((2, 70000))
    want[0, 5], want[1, 5], want[1, -1] = 3, 4, 5
    assert np.array_equal(got, want)


@pytest.mark.parametrize("dtype, threads", [
    ("u1", 1), ("u4", 1), ("u8", 1), ("i2", 3), ("i8", 1), ("f8", 3)])
def test_extremes_and_ends_of_long_streams(rng, dtype, threads):
    """Several chunks have elements of an output. The greatest integers of a
    type have the highest bit set, and chunks have numbers of one sign."""
    if dtype == "f8":
        a = rng.integers(-99, 99, (360000, 3)).astype(dtype)
    else:
        info = np.iinfo(dtype)
        a = rng.integers(info.min, info.max, (360000, 3), dtype, endpoint=True)
    if dtype[0] != "u":
        a[:150000, 0] = abs(a[:150000, 0] // 2)
        a[150000:, 1] = abs(a[150000:, 1] // 2)
    got = json.loads(ok(
        "-j", threads, "--axis", "0", "--shape=-1,3", "-t",
        f"{dtype[0]}{8 * a.itemsize}", "-o", "min,max,argmin,argmax,first,last",
        "--json", stdin=a.tobytes()))["results"][0]
    want = {"min": a.min(0), "max": a.max(0), "argmin": a.argmin(0),
            "argmax": a.argmax(0), "first": a[0], "last": a[-1]}
    for op, values in want.items():
        assert list(map(int, got[op])) == values.tolist(), op


def test_means_are_rounded_once(rng, put):
    a = rng.standard_normal((40, 30)) * 2.0 ** rng.integers(-60, 60, (40, 30))
    got = array_of("--axis", "1", "-o", "mean", put("a.npy", saved(a)))
    assert got.tolist() == [float(sum(map(Fraction, row)) / 30)
                            for row in a.tolist()]


# Their sum lies a little above the middle between two f64, or the sum of their
# squares does. The last two cancel large numbers.
NEAR_TIES = [[1, 2**-53, 2**-110], [1, 2**-27, 2**-27, 2**-55],
             [2**60, 1, -2**60, 2**-53, 2**-110], [1, 2**53, -2**53, 2**-110]]


def near_ties(rng, n, dtype):
    """Returns n elements, most of them 0, whose sum or mean is hard to round.
    Threads, vectors and panels of rows end before the last one."""
    lane, kind = np.zeros(n, "f8"), rng.integers(0, len(NEAR_TIES) + 1)
    if kind < len(NEAR_TIES):
        some = np.array(NEAR_TIES[kind], "f8")[:n]
        some[-1] *= rng.choice([-1, 1])
    else:
        k = rng.integers(1, min(n, 40) + 1)
        some = rng.standard_normal(k) * 2.0 ** rng.integers(-60, 60, k)
    scale = rng.choice([1, n, -1, 3]) * 2.0 ** rng.choice(
        [0, -480, -940, -1010] if dtype == "f8" else [0, -100])
    places = np.r_[0, n - 1, 1:n - 1] if rng.integers(2) else rng.permutation(n)
    lane[places[:len(some)]] = some * scale
    return lane.astype(dtype)


# Narrow and wide columns, short, plain and long rows.
LANES = [(0, 300, 3), (0, 301, 31), (0, 9, 70), (0, 100, 40), (0, 1300, 50),
         (0, 70000, 2), (1, 5, 70), (1, 15, 17), (1, 40, 50), (1, 701, 20),
         (1, 33000, 3)]


@pytest.mark.parametrize("dtype", ["f4", "f8"])
@pytest.mark.parametrize("axis, steps, lanes", LANES)
def test_sums_beside_ties(rng, put, dtype, axis, steps, lanes):
    """A sum that was rounded twice, or whose rounding error was lost, differs
    from the exact one rounded once."""
    a = np.array([near_ties(rng, steps, dtype) for _ in range(lanes)])
    path = put("a.npy", saved(np.ascontiguousarray(a.T) if axis == 0 else a))
    exact = [[Fraction(float(x)) for x in lane[lane != 0]] for lane in a]
    want = {"sum": [float(sum(x)) for x in exact],
            "mean": [float(sum(x) / steps) for x in exact],
            "l1": [float(sum(map(abs, x))) for x in exact],
            "sumsq": [float(sum(v * v for v in x)) for x in exact]}
    for threads, asked in (1, "sum"), (3, "mean"), (3, "sum,mean,l1,sumsq"), (
            2, "sum,l1,sumsq,max,nunique"):
        args = ["--axis", axis, "-j", threads, "-o", asked, "--json"]
        found = [ok(*args, path)]
        if axis == 0:  # from a stream, in states
            found.append(ok(*args, f"--shape=-1,{lanes}", "-t", f"f{a.itemsize * 8}",
                            stdin=a.T.tobytes()))
        for got in found:
            got = json.loads(got)["results"][0]
            for op in set(asked.split(",")) & set(want):
                assert got[op] == want[op], (asked, op)


@pytest.mark.parametrize("axis, steps, lanes", LANES)
def test_operations_of_lanes(rng, put, axis, steps, lanes):
    """These need no state of an output. Sums are exact."""
    types = ["f2", "f4", "f8", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8"]
    first = LANES.index((axis, steps, lanes))
    for dtype in types[first:] + types[:first]:
        if types.index(dtype) % 3 != first % 3 and dtype != "f8":
            continue
        a = rng.integers(0 if dtype[0] == "u" else -50, 50, (lanes, steps))
        path = put("a.npy", saved(np.ascontiguousarray(
            (a.T if axis == 0 else a).astype(dtype))))
        want = {"count": [steps] * lanes, "rows": [steps] * lanes,
                "n_nan": [0] * lanes, "n_inf": [0] * lanes, "sum": a.sum(1),
                "mean": a.sum(1) / steps, "l1": abs(a).sum(1),
                "sumsq": (a * a).sum(1), "min": a.min(1), "max": a.max(1),
                "argmin": a.argmin(1), "argmax": a.argmax(1), "first": a[:, 0],
                "last": a[:, -1]}
        for asked in ",".join(want), "sum,mean,min,argmax,count", "max,argmin":
            got = json.loads(ok("--axis", axis, "-j", "3", "-o", asked, "--json",
                                path))["results"][0]
            for op in asked.split(","):
                assert got[op] == list(want[op]), (dtype, asked, op)


def test_text_and_tables(cube):
    _, path = cube
    assert ok("--axis", "0,2", "-o", "sum", path) == "60\n92\n124\n"
    assert ok("--axis", "0", "-o", "max", path) == (
        "12\t13\t14\t15\n16\t17\t18\t19\n20\t21\t22\t23\n")
    assert ok("--axis", "1,2", "-o", "count,argmax", path) == (
        "axis0\tcount\targmax\n0\t12\t11\n1\t12\t11\n")
    assert ok("--axis", "0,1,2", "-o", "min,max", path) == "min\t0\nmax\t23\n"
    assert ok("--axis", "2", "-O", "csv", "-o", "sum", path).splitlines()[:2] == [
        "axis0,axis1,sum", "0,0,6"]
    assert ok("--axis", "2", path).startswith("axis0\taxis1\tcount\tsum\tmean")
    fails(2, "--axis", "2", "--keepdims", "-o", "sum", path, says="-O json")


def test_json(cube, put):
    a, path = cube
    got = json.loads(ok("--axis", "1", "-o", "sum,argmax", "--json", path))
    element, = got["results"]
    assert element["shape"] == [2, 4] and element["n"] == 24
    assert element["sum"] == a.sum(1).tolist()
    assert element["argmax"] == a.argmax(1).tolist()
    empty = put("e.npy", saved(np.zeros((2, 0, 3))))
    got = json.loads(ok("--axis", "2", "-o", "sum", "--json", empty))
    assert got["results"][0]["sum"] == [[], []]
    lines = ok("--per-file", "--axis", "0", "-o", "sum", "-O", "jsonl", path,
               empty).splitlines()
    assert [json.loads(line)["shape"] for line in lines] == [[3, 4], [0, 3]]


def test_raw_and_joined(put):
    a = np.arange(12, dtype="f4")
    path, more = put("a.f32", a.tobytes()), put("b.f32", a[:6].tobytes())
    both = np.concatenate([a, a[:6]]).reshape(-1, 3)
    for axis in 0, 1:
        got = array_of("--axis", axis, "--shape=-1,3", "-o", "sum", path, more)
        assert got.tolist() == both.sum(axis).tolist()
        got = array_of("--axis", axis, "--shape=-1,3", "-t", "f32", "-o", "sum",
                       path, "/dev/stdin", stdin=a[:6].tobytes())
        assert got.tolist() == both.sum(axis).tolist()
    packed = put("c.f32.gz", gzip.compress(a.tobytes()))
    got = array_of("--axis", "1", "--shape=-1,3", "-o", "sum", packed)
    assert got.tolist() == [3, 12, 21, 30]
    assert ok("--axis", "0", "--shape=-1,6", "-t", "f32", "-o", "first",
              stdin=a.tobytes()) == "0\n1\n2\n3\n4\n5\n"


def test_joined_files_that_are_mapped(rng, put):
    """Files of 1 MiB and more are mapped unless an operation needs all elements
    of an output in one file, or the outputs have one element each."""
    a = rng.uniform(0.9, 1.1, (16385, 40)).astype("f4")
    parts = [put(f"{i}.npy", saved(x)) for i, x in enumerate((a[:8000], a[8000:]))]
    assert np.array_equal(array_of("--axis", "0", "-o", "median", *parts),
                          np.median(a.astype("f8"), 0))
    args = ["--axis", "0", "-o", "prod"]
    assert ok(*args, "-j", 3, *parts) == ok(*args, put("a.npy", saved(a)))
    b = rng.integers(0, 99, (3, 1200000)).astype("u2")
    b[:, 1100000] = 99
    rows = [put(f"row{i}.npy", saved(x)) for i, x in enumerate(np.split(b, 3))]
    tall = [put(f"tall{i}.npy", saved(np.ascontiguousarray(x)))
            for i, x in enumerate(np.split(b.T, [300000, 900000]))]
    for jobs, op in itertools.product("13", ["sum", "argmax"]):
        for axis, paths in ("1", rows), ("0", tall):
            got = array_of("--axis", axis, "-j", jobs, "-o", op, *paths)
            assert np.array_equal(got, reference(op, b, (1,))), (op, axis)
    a = a.reshape(-1, 1)
    parts = [put(f"{i}.npy", saved(x)) for i, x in enumerate(np.split(a, 2))]
    assert np.array_equal(array_of("--axis", "1", "-o", "sum", *parts), a[:, 0])
    fails(1, "--axis", "0", "--shape=-1,2", put("a.f32", a.tobytes() + b"x"),
          says="1 trailing byte")
    # One without elements is read if it is compressed, since more may follow.
    more = put("c.npy.gz", gzip.compress(saved(a[:0]) + rng.bytes(1 << 20)))
    fails(1, "--axis", "0", parts[0], more, says="bytes follow the array")


def test_more_files_than_are_mapped_at_a_time(put):
    paths = [put(f"{i}.u1", bytes([i, 1])) for i in range(40)]
    assert ok("--axis", "0", "--shape=-1,2", "-t", "u8", "-o", "sum", *paths) == (
        "780\n40\n")


@pytest.mark.parametrize("order", "CF")
def test_the_place_of_an_error(put, order):
    """Outputs, and the elements of each, count in C order."""
    a = np.zeros((3, 4, 2, 5), order=order)
    a[1, 2, 1, 3] = np.nan
    asked = ["--axis", "1,3", "--nan", "error", "-o", "sum"]
    path = put("a.npy", saved(a))
    says = "output [1, 1]: element 13 is NaN"
    assert says in fails(1, *asked, path)
    assert says in fails(1, *asked, "--shape=-1,4,2,5", "-t", "f64",
                         stdin=a.tobytes())


@pytest.mark.parametrize("axes", [
    (0,), (1,), (2,), (0, 1), (0, 2), (1, 2), (0, 1, 2)])
def test_open_streams_along_any_axes(rng, axes):
    """The axis whose length is not known lies beside one of its kind, or not."""
    for shape in (5, 3, 4), (6, 1, 1), (1, 5, 1):
        a = rng.integers(0, 99, shape, "i2")
        got = array_of("--axis", ",".join(map(str, axes)), "-o", "sum", "-t", "i16",
                       f"--shape=-1,{shape[1]},{shape[2]}", stdin=a.tobytes())
        assert np.array_equal(got, a.sum(axes)), shape


def test_an_error_of_the_only_output(put):
    path = put("a.npy", saved(np.array([[0, 1], [2, np.nan]])))
    assert fails(1, "--axis", "0,1", "--nan", "error", "-o", "sum", path).startswith(
        f"gpureduce: '{path}': element 3 is NaN")


def test_the_first_of_several_errors(put):
    """Threads find one each."""
    a = np.zeros((60000, 3))
    a[100::900, 1] = np.nan
    asked = ["--axis", "1", "--nan", "error", "-o", "sum", "-j", "3", "--shape=-1,3"]
    says = "output [100]: element 1 is NaN"
    assert says in fails(1, *asked, put("a.f64", a.tobytes()))
    assert says in fails(1, *asked, "-t", "f64", stdin=a.tobytes())


def test_an_empty_file_is_no_stream(put):
    path = put("empty.f32", b"")
    for shape in "5,-1", "5,0":
        assert ok("--axis", "1", "--shape=" + shape, "-o", "sum", path) == "0\n" * 5


@pytest.mark.parametrize("axes, shape, op, says, size", [
    ("1,3", "2,2,2,200000000", "sum",
     "a stream of this shape would be kept in pieces of 1600000000 bytes; reduce "
     "it from a file\n", 16),
    ("0", "2,100000000000", "sum",
     "100000000000 outputs of a stream stay open until its end and would take more "
     "than ", 16),
    ("0", "1,1", "sum", "there are more elements than --shape says\n", 16),
    ("0", "0,1", "sum", "there are more elements than --shape says\n", 16),
    ("1", "1,0", "sum", "there are more elements than --shape says\n", 16),
    ("0", "2,1", "min", "there are more elements than --shape says\n", 24),
    ("1", "1,2", "min", "there are more elements than --shape says\n", 24),
    ("0", "3,1", "median",
     "the data end early: by --shape 3 elements belong together, and 2 are there\n", 16),
    ("0", "-1,3", "median",
     "the data end early: by --shape 3 elements belong together, and 2 are there\n", 16),
])
def test_messages_of_streams(axes, shape, op, says, size):
    err = fails(1, "-t", "f64", "-o", op, "--axis", axes, f"--shape={shape}",
                stdin=bytes(size))
    assert err.startswith("gpureduce: " + says), err


@pytest.mark.parametrize("shape", [(3, 4), (2, 4), (6,), (1, 2, 3), (2, 3, 1)])
def test_a_pipe_of_another_shape(put, shape):
    """Its shape is known only when its turn comes."""
    first, pipe = put("a.npy", saved(np.ones((2, 3)))), put("b.npy", b"")
    os.remove(pipe)
    os.mkfifo(pipe)
    with ThreadPoolExecutor() as pool:
        pool.submit(pathlib.Path(pipe).write_bytes, saved(np.ones(shape)))
        err = fails(2, "--axis", "0", "-o", "sum", first, pipe)
    assert err == (f"gpureduce: '{pipe}': its shape does not agree with that of the "
                   "FILEs before it, except on the first axis\n"
                   "Try 'gpureduce --help' for more information.\n")


def test_sizes_of_streams(put):
    """Each FILE has whole places of the first axis, and the size of --shape."""
    asked = ["-t", "f64", "-o", "sum", "--axis", "1"]
    a, b = (put(f"{n}.gz", gzip.compress(bytes(8 * n))) for n in (4, 2))
    assert fails(1, *asked, "--shape=-1,3", a, b) == (
        f"gpureduce: '{a}': its 4 elements are not a whole number of places of the "
        "first axis, which have 3 each (--shape)\n")
    assert fails(1, *asked, "--shape=4,2", a) == (
        f"gpureduce: '{a}': it has 4 elements, and --shape says 8\n")
    fails(2, *asked, "--shape=3037000500,3037000500", a, says="the shape is too large")


def test_shapes_at_their_limits(put):
    """Of 8 axes, without elements, of more elements than 2^64, of one axis."""
    eight = put("8.npy", saved(np.arange(6).reshape((1,) * 6 + (2, 3))))
    assert ok("--axis", "0,1,2,3,4,5,6", "-o", "sum", eight) == "3\n5\n7\n"
    assert ok("--axis", "0,1,2,3,4,5,6,7", "-o", "sum", eight) == "15\n"
    raw, none = put("a.u8", bytes(6)), put("b.u8", b"")
    for rc, says, *args in [
            (2, "it has 9 axes; --axis takes arrays of up to 8\n",
             put("9.npy", saved(np.zeros((1,) * 9)))),
            (2, "it is a single value, without axes\n",
             put("0.npy", saved(np.float64(3)))),
            (2, "--axis -2: it has 1 axis, numbered from 0 (or from -1, the last)\n",
             "--axis=-2", put("1.npy", saved(np.zeros(3)))),
            (2, "--axis 2: it has 2 axes, numbered", "--axis=2", "--shape=2,3", raw),
            (2, "the shape is too large\n", "--shape=4294967296,4294967296", none),
            (1, "its 6 elements do not fill --shape -1,0\n", "--shape=-1,0", raw),
            (2, "--save-state: the array has no outputs\n", "--save-state",
             none + ".state", put("e.npy", saved(np.zeros((3, 0, 2)))))]:
        fails(rc, "--axis", "0", "-o", "sum", *args, says=says)
    assert '"shape":[0],' in ok("--axis", "1", "--shape=-1,0", "-t", "u8", "-o",
                                "count", "--json", stdin=b"")


@pytest.mark.parametrize("axis, output, element, value", [
    (0, 1, 2, 3), (1, 1, 1, 2)])
def test_a_bool_is_0_or_1(put, axis, output, element, value):
    """Of several FILEs, no name is in the message."""
    data, none = put("a.bool", bytes([0, 1, 1, 2, 0, 3])), put("b.bool", b"")
    asked = ["--axis", axis, "--shape=-1,2", "-o", "sum"]
    says = (f"output [{output}]: element {element} is {value}, but a bool is 0 or 1; "
            "of raw data, --dtype u8 reads other values\n")
    assert fails(1, *asked, data) == f"gpureduce: '{data}': {says}"
    assert fails(1, *asked, data, none) == f"gpureduce: {says}"
    assert fails(1, *asked, "-t", "bool", stdin=open(data, "rb")) == \
        f"gpureduce: 'standard input': {says}"


def test_open_streams_of_quantiles(rng):
    """The data are kept until they end, in a buffer that grows."""
    a = rng.integers(0, 255, (500001, 3), "u1")
    got = ok("-j", "1", "--axis", "0", "--shape=-1,3", "-t", "u8", "-o", "median",
             stdin=a.tobytes())
    assert got == "".join(f"{x:.0f}\n" for x in np.median(a, 0))


def test_memory_of_results(tmp_path):
    """15 MiB hold 1,747,626 values of 9 bytes. JSON has two for each output."""
    needs_memory_of_its_own()
    data = tmp_path / "a.u8"
    asked = ["-j", "1", "--device", "cpu", "--axis", "1", "--shape=-1,1", "-o",
             "sum"]
    files = ["--per-file", "-O", "jsonl", data]
    for outputs, more, is_few in (
            (1747626, [data], True), (1747627, [data], False),
            (600000, files, True), (600000, [*files, data], False)):
        with open(data, "wb") as file:
            file.truncate(outputs)
        got = run(*asked, *more, preexec_fn=data_limit(30 << 20))
        assert (got.rc, got.err) == ((0, "") if is_few else (
            1, "gpureduce: the results of so many outputs would take more than "
            "15.0 MiB, half of the memory that there is\n")), (outputs, more)


def test_memory_of_open_streams(put):
    needs_memory_of_its_own()
    asked = ["-j", "1", "--device", "cpu", "--axis", "0", "--shape=-1", "-t", "u8",
             "-o", "median"]
    large = put("large.gz", gzip.compress(bytes(34 << 20), 1))
    assert fails(1, *asked, large, preexec_fn=data_limit(64 << 20)).startswith(
        "gpureduce: keeping the values whose quantiles are asked for would take "
        "more than 32.0 MiB, half of the memory that there is\n")
    # A FILE takes 3 MiB for its buffer to grow and 14.5 MiB for its keys, and
    # then leaves both to the next one.
    small = put("small.gz", gzip.compress(bytes(1900000), 1))
    got = ok("--per-file", "-O", "jsonl", *asked, small, small,
             preexec_fn=data_limit(40 << 20))
    assert [json.loads(line)["median"] for line in got.splitlines()] == [0, 0]
    # The state of a sum takes more than 10 bytes.
    wide = ["--axis", "0", "--shape=2,100000000", "-t", "u8", "-o", "sum"]
    assert fails(1, *wide, stdin=bytes(16), preexec_fn=data_limit(2 << 30)) == (
        "gpureduce: 100000000 outputs of a stream stay open until its end and would "
        "take more than 1.0 GiB, half of the memory that there is\nFrom an "
        "uncompressed file they are reduced a part at a time.\n")


def test_streams_that_do_not_fit(put):
    stream = ["-t", "f32", "-o", "sum", "--axis"]
    fails(1, *stream, "1", "--shape=-1,3", stdin=bytes(16), says="end early: by --shape 3 e")
    for shape in "2,1", "-1,0":
        fails(1, *stream, "1", f"--shape={shape}", stdin=bytes(16),
              says="more elements")
    fails(1, *stream, "0", "--shape=8,1", stdin=bytes(16), says="end early")
    fails(2, *stream, "0", "--shape=2,-1", stdin=bytes(16), says="first size")


def test_nan_and_nothing(put):
    a = np.array([[1, np.nan], [-0.0, -0.0], [np.inf, 2]], "f8")
    path = put("a.npy", saved(a))
    asked = ["--axis", "1", "-o", "sum", path]
    assert ok(*asked) == "nan\n-0\ninf\n"
    assert ok("--nan", "skip", *asked) == "1\n-0\ninf\n"
    for more in [], ["first"], ["count"], ["rows", "n_missing"]:
        ops = ",".join(["n_nan", *more])
        got = ok("--axis", "1", "-o", ops, "-O", "csv", path).splitlines()[1:]
        assert [row.split(",")[1] for row in got] == ["1", "0", "0"], ops
    assert "output [0]: element 1 is NaN" in fails(1, "--nan", "error", *asked)
    empty = put("e.npy", saved(np.zeros((2, 0))))
    assert ok("--axis", "1", "-o", "sum", empty) == "0\n0\n"
    fails(1, "--axis", "1", "-o", "max", empty, says="output [0]: max is un")
    assert ok("--axis", "1", "-o", "max", "--empty", "identity",
              empty) == "-inf\n-inf\n"
    assert ok("--axis", "1", "-o", "sum", "--digits", "1", path) == (
        "nan\n-0.0\ninf\n")


def test_checks(cube):
    _, path = cube
    got = run("--axis", "1,2", "--assert", "max < 20", "-o", "sum", path)
    assert (got.rc, got.out) == (4, "66\n210\n")
    assert "output [1]: --assert is false: max < 20\n  max is 23" in got.err
    assert ok("--verify", "--axis", "0,2", "-o", "std", path).count("\n") == 3
    explained = ok("--explain", "--axis", "1", path)
    assert "\nshape\t(2, 3, 4), C order\n" in explained
    assert explained.count("(2, 4)\n") == 1


# Arguments after the file, and a part of the message.
WRONG = [
    (["--axis", "3"], "numbered from 0"), (["--axis", "0,-3"], "twice"),
    (["--axis", "x"], "--axis takes"), (["--axis", "0,"], "--axis takes"),
    (["--shape", "2,3"], "--shape is for --axis"), (["--keepdims"], "--axis"),
    (["--axis", "0", "--shape", "24"], "raw data"),
    (["--axis", "0", "--shape=-1,-1"], "--shape takes"),
    (["--axis", "0", "--compare"], "exclude"),
    (["--axis", "0", "--per-file"], "-O json"),
    (["--axis", "0", "-c", "a"], "is for text"),
    (["-O", "npy"], "one operation"),
    (["-O", "npy", "-o", "sum", "--digits", "2"], "exclude")]


def test_wrong_usage(cube, put):
    _, path = cube
    for arguments, says in WRONG:
        fails(2, path, *arguments, says=says)
    fails(2, put("a.csv", b"a,b\n1,2\n"), "--axis", "0", says="is text")
    raw = put("a.f32", bytes(40))
    fails(2, raw, "--axis", "0", says="say --shape")
    for shape in "-1,3", "0,-1":
        fails(1, raw, "--axis", "0", f"--shape={shape}",
              says=f"its 10 elements do not fill --shape {shape}")
    row = put("row.npy", saved(np.zeros(3)))
    fails(2, "--axis", "0", row, put("two.npy", saved(np.zeros((2, 2)))), says=(
        "its shape is (2, 2), which cannot be joined along axis 0 with the (3,) of"))
    fails(2, path, put("b.npy", saved(np.zeros((2, 3, 5), "f4"))), "--axis",
          "0", says="cannot be joined")


@pytest.mark.parametrize("at", [0, 32767, 32768, 32769, 40000])
def test_npy_checks_every_value(put, at):
    """Values are checked 32768 at a time, if all of these fit."""
    array = np.ones((40001, 2), "u8")
    array[at, 0] = 2**63
    fails(1, "--axis", "1", "-o", "sum", "-O", "npy", put("a.npy", saved(array)),
          says="-O npy: sum is 9223372036854775809, which an array of signed integers cannot")
    array[at, 0] = 2**63 - 2
    got = array_of("--axis", "1", "-o", "sum", put("a.npy", saved(array)))
    assert (got == array.sum(1)).all()


def test_npy_of_whole_data(put):
    table = put("t.csv", b"a,b\n1,5\n3,6\n")
    assert array_of("-o", "mean", table).tolist() == [2, 5.5]
    got = array_of("-o", "max", "-c", "a", table)
    assert got.shape == () and got == 3
    large = put("u.npy", saved(np.full(2, 2**63, "u8")))
    assert array_of("-o", "max", large) == 2**63
    fails(1, "-O", "npy", "-o", "sum", large, says="18446744073709551616")
    # A value whose low 128 bits are 0.
    fails(1, "-O", "npy", "-o", "sumsq", put("s.npy", saved(np.full(4, 2**63, "u8"))),
          says=f"sumsq is {2**128}, ")
    least = np.array([-2**62, -2**62], "i8")
    assert array_of("-o", "sum", put("l.npy", saved(least))) == -2**63
    fails(1, "-O", "npy", "-o", "sum", put("l.npy", saved(np.append(least, -1))),
          says="sum is -9223372036854775809, ")
    for x in -3, -2**54:
        path = put("n.npy", saved(np.array([x], "i8")))
        assert array_of("--map", "x", "-o", "max", path) == x
    assert array_of("-o", "any", large).dtype == bool
    for op in "mode_count", "mode_ties", "nunique":
        assert array_of("-o", op, large).dtype == np.int64
    odd = np.array([2**53 + 1], "i8")
    for options, says in ((["-o", "median"], 1),
                          (["--map", "x", "-o", "max"], 1), (["-o", "max"], 0)):
        for data, inexact in (odd, says), (odd - 1, 0):
            path = put("o.npy", saved(data))
            if inexact:
                fails(1, *options, "-O", "npy", path, says="is 9007199254740993, ")
            else:
                assert array_of(*options, path) == data[0]
    table = put("m.csv", b"a,b,c\n1,2,3\n4,5,6\n7,8,10\n")
    assert array_of("-o", "cov", table).tolist() == [
        [9, 9, 10.5], [9, 9, 10.5], [10.5, 10.5, 37 / 3]]
    assert array_of("-c", "a,c", "-o", "cov", table) == 10.5
    least = put("l.i8", b"\x80\1")
    for op, want in (("max", np.int8(1)), ("min", np.int8(-128)),
                     ("absmax", np.uint8(128))):
        got = array_of("-o", op, least)
        assert got.dtype == want.dtype and got == want
    for dtype, data in ("bf16", b"\x80\x3f"), ("f8e4m3", b"\x38"), ("f8e5m2", b"\x3c"):
        for op in "max", "absmax":
            got = array_of("-f", "raw", "-o", op, put("o." + dtype, data))
            assert got.dtype == np.float32 and got == 1
    bools = put("b.npy", saved(np.array([False, True])))
    assert array_of("-o", "max", bools).dtype == bool
    assert array_of("-o", "max", "--map", "x + 1", bools) == 2
    for dtype in "f2", "f4", "f8":
        got = array_of("-o", "max", put("f.npy", saved(np.array([-1, .1], dtype))))
        assert got.dtype == dtype and got == np.array(.1, dtype)
    master, slave = os.openpty()
    fails(2, "-O", "npy", "-o", "max", table, says="output is a terminal",
          stdout=slave)
    assert run("--explain", "-O", "npy", "-o", "max", table,
               stdout=slave).rc == 0
    os.close(master)
    os.close(slave)


@pytest.mark.parametrize("chosen", ["a,y", "y,a"])
def test_npy_of_columns_of_several_types(put, chosen):
    """The array holds the elements of all: it is of f64."""
    table, state = put("t.csv", b"a,b\n1.1,5\n"), put("s", b"")
    args = ["-t", "f32", "--let", "y = a * 1e300", "-c", chosen, "-o", "max"]
    want = {"a": np.float64(np.float32("1.1"))}
    want["y"] = want["a"] * 1e300
    got = array_of(*args, table)
    assert got.dtype == np.float64 and got.tolist() == [want[c] for c in chosen.split(",")]
    ok(*args, "--save-state", state, table)
    assert array_of("--merge", state).tolist() == got.tolist()
    args[1] = "i64"
    args[3] = "y = b - 1"
    assert array_of(*args, put("u.csv", b"a,b\n3,5\n")).tolist() == (
        [3, 4] if chosen == "a,y" else [4, 3])


ANY = ["f4", "f8", "i2", "u1", ">i4", "f2", "i8"]
QUANTILES = [("median", 50), ("q1", 25), ("p99.9", 99.9), ("p0", 0)]


@pytest.mark.parametrize("shape, axes, types", [
    ((40, 70), (0,), ANY), ((40, 70), (1,), ANY), ((3, 4, 5, 2), (0, 2), ANY),
    ((5, 1), (1,), ANY), ((2000, 300), (0,), ANY), ((150, 3), (0,), ["f2"]),
    ((3, 150), (1,), ["f2"])])
def test_quantiles_as_numpy(rng, put, shape, axes, types):
    """Quantiles by the methods that return an element, and medians: from
    files, on several threads and through a pipe."""
    dtype = rng.choice(types)
    a = rng.integers(-90, 90, shape).astype(dtype)
    a = np.asfortranarray(a) if rng.random() < 0.5 else a
    path = put("a.npy", saved(a))
    listed = ["--axis", ",".join(map(str, axes))]
    for op, percent in QUANTILES:
        method = str(rng.choice(["lower", "higher", "nearest"]))
        got = array_of(*listed, "-j", "3", "-o", op, "--interpolation", method,
                       path)
        want = np.percentile(a, percent, axis=axes, method=method)
        assert got.dtype == "f8" and (got == want).all(), (op, dtype, method)
    with open(path, "rb") as file:
        got = array_of(*listed, "-o", "median", stdin=file.read())
    assert (got == np.median(a.astype("f8"), axis=axes)).all()
    assert (array_of(*listed, "-o", "nunique", path) == np.apply_along_axis(
        lambda x: len(np.unique(x)), -1, a.transpose(
            [d for d in range(a.ndim) if d not in axes] + list(axes)).reshape(
                [n for d, n in enumerate(shape) if d not in axes] + [-1]))).all()


def test_quantiles_and_others(put):
    a = np.array([[3, np.nan, -5], [-3, -4, -5], [np.nan] * 3], "f4")
    path = put("a.npy", saved(a))
    asked = ["--axis", "1", "-o", "median,mean,iqr", "-O", "csv", path]
    assert ok(*asked) == ("axis0,median,mean,iqr\n0,nan,nan,nan\n"
                          "1,-4,-4,1\n2,nan,nan,nan\n")
    got = run("--nan", "skip", *asked)
    assert got.out == "axis0,median,mean,iqr\n0,-1,-1,4\n1,-4,-4,1\n2,,,\n"
    assert "output [2]: median and 2 other" in got.err
    assert "output [0]: element 1 is NaN" in fails(1, "--nan", "error", *asked)
    described = ok("--axis", "0", "-o", "describe", "-O", "csv", path)
    assert described.splitlines()[0] == "axis1,count,mean,std,min,q1,median,q3,max"
    assert described.splitlines()[3] == "2,3,nan,nan,nan,nan,nan,nan,nan"
    empty = put("e.npy", saved(np.zeros((2, 0))))
    fails(1, "--axis", "1", "-o", "median", empty, says="output [0]: median is")
    assert ok("--axis", "0", "-o", "median", empty) == ""


@pytest.mark.parametrize("shape, axes", [
    ((40, 70), (0,)), ((40, 70), (1,)), ((3, 4, 5, 2), (0, 2)), ((900,), (0,)),
    ((2, 2, 2, 2, 2, 2, 2, 30), (7,)), ((60000, 3), (0,)), ((0, 4), (0,))])
def test_histograms_as_numpy(rng, put, shape, axes):
    """The axis of bins comes last, and stderr counts the values outside all
    bins. The edges are exact in NumPy, too."""
    a = np.round(rng.normal(0, 40, shape)).clip(-120, 120).astype(
        rng.choice(["f4", "f8", "i2", "i1", ">i4", "f2", "i8"]))
    if a.dtype.kind == "f" and a.size:
        a.reshape(-1)[:3] = np.nan, -np.inf, -0.0
    a = np.asfortranarray(a) if rng.random() < 0.5 else a
    bins, low, high = [(8, -64, 64), (3, -30, 30), (1, 5, 5)][rng.integers(3)]
    kept = [d for d in range(a.ndim) if d not in axes]
    flat = a.astype("f8").transpose(kept + list(axes)).reshape(
        [shape[d] for d in kept] + [-1])
    want = np.apply_along_axis(
        lambda x: np.histogram(x, bins, (low, high))[0], -1, flat) \
        if a.size else np.zeros((4, bins))
    path = put("a.npy", saved(a))
    asked = ["--axis", ",".join(map(str, axes)), "-o", "histogram", "--bins",
             bins, "--range", f"{low},{high}", "-O", "npy"]
    with open(path, "rb") as file:
        data = file.read()
    for how in ([path], ["-j", "3", "--chunk-size", "1K", path], [path, "--verify"],
                ["--keepdims", path], [put("a.npy.gz", gzip.compress(data))]):
        got = run(*asked, *how)
        result = np.load(io.BytesIO(got.out.encode("utf-8", "surrogateescape")))
        assert result.dtype == "i8" and (result.squeeze() == want.squeeze()).all()
        nans, outside = np.isnan(flat).sum(), flat.size - want.sum()
        assert (f"in no bin: {outside - nans:.0f} outside of --range, {nans} NaN"
                in got.err) == (outside > 0), got.err
    assert result.shape == want.shape
    assert np.load(io.BytesIO(run(*asked, "--keepdims", path).out.encode(
        "utf-8", "surrogateescape"))).shape == tuple(
            1 if d in axes else n for d, n in enumerate(shape)) + (bins,)


def test_histograms_as_text(put):
    path = put("a.npy", saved(np.array([[1, 2, np.nan], [3, 4, 50]], "f4")))
    asked = ["--axis", "1", "-o", "histogram", "--range", "0,4", "--bins", "2"]
    got = run(*asked, path)
    assert got.out == "1\t1\n0\t2\n" and got.err.endswith(
        "in no bin: 1 outside of --range, 1 NaN\n")
    assert run(*asked, "-O", "csv", path).out == (
        "axis0,bin,histogram\n0,0,1\n0,1,1\n1,0,0\n1,1,2\n")
    got = json.loads(run(*asked, "--json", path).out)["results"][0]
    assert got["shape"] == [2, 2] and got["histogram"] == [[1, 1], [0, 2]]
    assert got["n_nan"] == 1
    got = run(*asked, "--verify", path, path)
    assert got.out == "1\t1\n0\t2\n" * 2 and got.err == (
        "gpureduce: values in no bin: 2 outside of --range, 2 NaN\n")
    fails(1, *asked, "--nan", "error", path,
          says=f"gpureduce: '{path}': output [0]: element 2 is NaN")
    fails(1, *asked, "--nan", "error", path, path,
          says="gpureduce: output [0]: element 2 is NaN")
    bools = np.array([[1, 2]], "u1").view("?")
    fails(1, *asked, put("b.npy", saved(bools)),
          says="element 1 is 2, but a bool is 0 or 1")
    fails(2, "--axis", "0,1", *asked[2:], "-o", "sum", path, says="combined")


# What --axis refuses, and why; every other operation works along axes.
REFUSED = {"histogram": "needs --range A,B", "cov": "two columns",
           "corr": "two columns", "reduce": "--identity"}


def test_many_results_of_an_array_in_fortran_order(rng, put):
    """Its outputs end in another order than they are printed in."""
    a = rng.integers(-9, 9, (1000, 600, 2)).astype("f4")
    path = put("a.npy", saved(np.asfortranarray(a)))
    for jobs in "1", "3":
        assert (array_of("--axis", "2", "-j", jobs, "-o", "max", path)
                == a.max(2)).all()


def test_a_condition_on_what_an_output_lacks(put):
    path = put("a.npy", saved(np.array([[1, np.nan], [3, np.nan]], "f4")))
    args = ["--axis", "0", "--nan", "skip"]
    got = run(*args, "-o", "sum", "--assert", "min > 0", path)
    assert (got.rc, got.out) == (4, "4\n0\n")
    assert "output [1]: --assert is missing: min > 0" in got.err
    assert run(*args, "-o", "sum", "--assert", "n_nan < 2", path).err.endswith(
        "output [1]: --assert is false: n_nan < 2\n  n_nan is 2\n")
    assert ok(*args, "-o", "sum", "--assert", "count < 3", path) == "4\n0\n"
    fails(1, *args, "-o", "min", "--assert", "min > 0", path, says="undefined")


def test_an_output_without_a_value(put):
    """A list of numbers has no place for it; each table has."""
    path = put("a.npy", saved(np.array([[1, np.nan], [3, np.nan]], "f4")))
    args = ["--axis", "0", "--nan", "skip", "-o", "min"]
    fails(1, *args, path, says="output [1]: min is undefined for empty input")
    for form, want in (("csv", '0,min\n0,1\n1,\n'), ("tsv", "0\tmin\n0\t1\n1\t\n")):
        got = run(*args, "-O", form, path)
        assert got.rc == 0 and got.out.splitlines()[1:] == want.splitlines()[1:]
        assert "output [1]: min is undefined" in got.err
    assert json.loads(run(*args, "--json", path).out)["results"][0]["min"] == [1, None]
    for dtype in "f2", "f4", "f8":
        got = run(*args, "-O", "npy", put("n.npy", saved(
            np.array([[1.5, np.nan], [3, np.nan]], dtype))))
        assert "undefined for empty input and NaN in the array" in got.err
        found = np.load(io.BytesIO(got.out.encode("utf-8", "surrogateescape")))
        assert found.dtype == dtype
        np.testing.assert_array_equal(found, [1.5, np.nan])
    whole = put("b.npy", saved(np.zeros((0, 2), "i4")))
    fails(1, *args, "-O", "npy", whole, says="an array of signed integers cannot hold")


def test_shapes_of_streams_among_files(put, tmp_path):
    """Each has the sizes of --shape, as a file must."""
    a = put("a.i32", np.arange(6, dtype="i4").tobytes())
    fifo = str(tmp_path / "f.i32")
    os.mkfifo(fifo)
    for axis in "0", "1":
        Feeder(fifo, np.arange(9, dtype="i4").tobytes())
        fails(1, "--axis", axis, "--shape", "2,3", "-t", "i32", "-o", "sum", a, fifo,
              says=f"'{fifo}': it has 9 elements, and --shape says 6")
    Feeder(fifo, np.arange(9, dtype="i4").tobytes())
    assert ok("--axis", "0", "--shape=-1,3", "-t", "i32", "-o", "sum", a, fifo) == (
        "12\n17\n22\n")
    array = put("d.npy", saved(np.arange(6, dtype="i4").reshape(2, 3)))
    Feeder(fifo, np.arange(9, dtype="i4").tobytes())
    fails(2, "--axis", "0", "-t", "i32", "-o", "sum", array, fifo,
          says=f"'{fifo}': raw data have no shape")
    big = put("b.npy", b"\x93NUMPY\1\0\x76\0" + (
        b"{'descr': '<f4', 'fortran_order': False, 'shape': (%d, 0, 3), }" % 2**62
        ).ljust(117) + b"\n")
    fails(2, "--axis", "0", "-o", "sum", *[big] * 4, says="the shape is too large")


def test_every_operation(rng, put):
    """Each output is what the operation gives for its elements alone."""
    names = [line.split("\t")[1] for line in ok("--list").splitlines()
             if line.startswith("op\t")]
    asked = ",".join(name for name in names if name not in REFUSED)
    a = np.round(rng.normal(0, 5, (3, 400))).astype("f4")
    path = put("a.npy", saved(a))
    tall = put("b.npy", saved(np.asfortranarray(a.T)))
    rows = [json.loads(ok("-o", asked, "--json", put("r.npy", saved(row))))
            ["results"][0] for row in a]
    for got in (ok("--axis", "1", "-o", asked, "--json", path),
                ok("--axis", "0", "-o", asked, "--json", tall)):
        got = json.loads(got)["results"][0]
        for name in asked.split(","):
            want = [row[name] for row in rows]
            want = [x.get("index", x["value"]) if isinstance(x, dict) else x
                    for x in want]
            assert got[name] == want, name
    for name, says in REFUSED.items():
        fails(2, "--axis", "1", "-o", name, path, says=says)


def test_many_results_leave_as_they_are_finished(rng, put):
    """Over 2^19 results, printed in parts as they are finished, equal NumPy's,
    also if one is NaN or infinite."""
    a = rng.integers(-9, 9, (1 << 19, 3)).astype("f4")
    a[rng.integers(0, len(a), 9), 1] = [np.nan, np.inf, -np.inf] * 3
    path = put("a.npy", saved(a))
    for op in "sum", "max", "argmin":
        got = array_of("--axis", "1", "-j", "3", "-o", op, path)
        want = getattr(a, op)(1)
        assert got.dtype == ("i8" if op == "argmin" else
                             "f4" if op == "max" else "f8")
        assert np.array_equal(got, want, equal_nan=True)
    asked = ["--axis", "1", "-o", "sum", "-O", "npy", path]
    for more in ["-v"], ["--verify"], ["--assert", "sum != 99"]:
        assert run(*more, *asked).out == ok(*asked)
    fails(1, "--nan", "error", *asked, says="NaN")


def test_values_wait_for_a_slow_reader(rng, put):
    """Threads that are too far ahead wait, and overwrite no values."""
    a = rng.integers(-9, 9, (1 << 19, 3)).astype("f4")
    path = put("a.npy", saved(a))
    with subprocess.Popen([BINARY, "-j", "3", "--chunk-size", "8K", "--axis", "1",
                           "-o", "sum", "-O", "npy", path],
                          stdout=subprocess.PIPE) as proc:
        time.sleep(0.1)
        got = np.load(io.BytesIO(proc.communicate()[0]))
    assert np.array_equal(got, a.sum(1))


@pytest.mark.parametrize("axis", [0, 1])
@pytest.mark.parametrize("threads, said", [(1, "1 thread"), (3, "3 threads")])
def test_what_is_said_of_a_run(put, axis, threads, said):
    """Of a mapped FILE, of a stream and of a small FILE."""
    data = bytes(3_600_000)
    asked = ["-v", "-j", threads, "--axis", axis, "--shape=-1,3", "-t", "f32", "-o",
             "sum", "--json"]
    for got, n, who in (
            (run(*asked, put("a.f32", data)), 900000, said),
            (run(*asked, stdin=data), 900000, said),
            (run(*asked, put("b.f32", data[:1200])), 300, "1 thread")):
        doc = json.loads(got.out)
        assert doc["results"][0]["rows"] == doc["results"][0]["n"] == n
        assert doc["input"]["records"] == n and doc["run"]["bytes"] == 4 * n
        assert got.err.startswith(f"device cpu, {who}, {4 * n} bytes, "), got


def test_progress(put):
    """Of mapped FILEs and of streams."""
    data = bytes(3_000_000)
    asked = ["--progress=always", "--axis", "0", "-t", "f32", "-o", "sum",
             "--shape=-1,3"]
    got = run(*asked, put("a.f32", data)).err.split("\r")[-1].split()
    assert got[:3] == ["3.00", "MB", "100%"]
    assert run(*asked, stdin=data).err.split("\r")[-1].split()[:2] == ["3.00", "MB"]


def test_text_of_many_results(rng, put):
    """Blocks of rows are printed in parallel."""
    a = rng.integers(0, 99, (2, 3, 210, 210)).astype("u1")
    path = put("a.npy", saved(a))
    want = a.sum(0, dtype="i8")
    asked = ["-j", "3", "--axis", "0", "-o"]
    flat = ok(*asked, "sum", put("b.npy", saved(a.reshape(2, 3, -1))))
    assert flat == "".join("\t".join(map(str, row)) + "\n"
                           for row in want.reshape(3, -1))
    got = json.loads(ok(*asked, "sum", "--json", path))["results"][0]
    assert got["sum"] == want.tolist()
    assert ok(*asked, "sum,max", "-O", "csv", path) == (
        "axis1,axis2,axis3,sum,max\n" + "".join(
            f"{i},{j},{k},{want[i, j, k]},{a[:, i, j, k].max()}\n"
            for i, j, k in np.ndindex(want.shape)))
    with open("/dev/full", "wb") as full:
        assert subprocess.run([BINARY, *asked, "sum", "--json", path],
                              stdout=full, stderr=subprocess.PIPE).returncode == 1


def test_whole_numbers_of_64_bits(rng, put):
    a = rng.integers(-2**63, 2**63 - 1, (7, 40, 3), dtype="i8")
    for data in a, a.view("u8"):
        path = put("a.npy", saved(data))
        for axis in 0, 1, 2:
            got = json.loads(ok("--axis", axis, "-o", "sum", "--json", path))
            assert (np.array(got["results"][0]["sum"]).astype(str) ==
                    data.astype(object).sum(axis).astype(str)).all()


def test_threads_keep_sums_of_over_64_bits(put):
    a = np.full((4, 1 << 19), 2**63 - 1)
    got = ok("--axis", "0", "-j", "8", "-o", "sum", put("a.npy", saved(a)))
    assert set(got.split()) == {str(4 * (2**63 - 1))}


@pytest.mark.parametrize("ops", ["n_inf", "n_inf,max", "n_inf,min,count",
                                 "median,absmin,n_inf", "sum,n_inf"])
def test_infinities_of_each_sign(put, ops):
    lanes = list(itertools.product([np.inf, -np.inf, -0.0, 1, np.nan], repeat=3))
    want = [str(np.isinf(lane).sum()) for lane in lanes]
    for dtype in "f2", "f4", "f8":
        path = put("a.npy", saved(np.array(lanes, dtype).T.copy()))
        got = ok("--axis", "0", "-O", "csv", "-o", ops, path).splitlines()
        column = got[0].split(",").index("n_inf")
        assert [line.split(",")[column] for line in got[1:]] == want


def test_no_outputs(put):
    for shape in (3, 0), (2, 0, 3):
        path = put("a.npy", saved(np.zeros(shape)))
        assert array_of("--axis", "0", "-o", "sum", path).shape == shape[1:]
    table = "axis0,axis2,sum,max\n"
    path = put("a.npy", saved(np.zeros((3, 2, 0))))
    assert ok("--axis", "1", "-O", "csv", "-o", "sum,max", path) == table
    assert ok("--axis", "1", "-o", "sum,max", path) == table.replace(",", "\t")
    assert ok("--axis", "1", "-o", "sum", path) == ""
