# SPDX-License-Identifier: MIT
"""States that travel: --save-state, --merge and --part. Data are cut by Python,
and the results of all parts together must be those of one run over all data,
byte for byte. Python counts the records of parts."""

import csv
import gzip
import io
import json
import math
import os
import pathlib
import re
import resource
import shlex
import struct
import subprocess
import tempfile
import time

import numpy as np
import pytest

from harness import BINARY, ROOT, fails, ok, run, shell
from make import npy
from test_asked import FAKE

OPS = ("rows,count,n_missing,n_nan,n_inf,sum,min,max,mean,argmin,argmax,first,"
       "last,l1,linf,sumsq,var,std,skew,kurtosis,range,absmin,any,alltrue,"
       "approx_nunique")
VALUES = "nunique,mode,mode_count,median,q1,p90,iqr"
SAVED = ROOT / "tests" / "fuzz" / "corpus" / "states"


OLD = b"gpureduce-state\nold"


def merged(put, parts, options, merge=()):
    """Saves the states of each part and returns what --merge prints."""
    states = []
    for i, part in enumerate(parts):
        states.append(put(f"{i}.state", OLD))
        out = ok(*options, "-j", i % 3 + 1, "--chunk-size", "64" if i % 2 else
                 "1M", "--save-state", states[-1], *part)
        assert out == "" and not os.path.exists(states[-1] + ".XXXXXX")
    return ok("--merge", *merge, *states)


def without_lines(out):
    """Returns elements of JSON without line numbers, which states lack."""
    found = [json.loads(line) for line in out.splitlines()]
    for element in found:
        for value in element.values():
            if isinstance(value, dict) and "line" in value:
                value["line"] = None
    return found


def cut(rng, n, parts):
    return [0, *sorted(rng.integers(0, n + 1, parts - 1)), n]


@pytest.mark.parametrize("dtype", ["f4", "f8", "f2", "i1", "u8", "i4"])
@pytest.mark.parametrize("suffix", ["raw", "npy"])
def test_arrays(rng, put, dtype, suffix):
    values = np.frombuffer(rng.bytes(1000 * np.dtype(dtype).itemsize), dtype)
    ends = cut(rng, len(values), 4)
    parts = []
    for i in range(4):
        part, out = values[ends[i]:ends[i + 1]], io.BytesIO()
        np.save(out, part) if suffix == "npy" else out.write(part.tobytes())
        parts.append([put(f"{i}.{suffix}", out.getvalue())])
    options = ["-o", OPS + "," + VALUES] + (["-t", "<" + dtype] if suffix == "raw" else [])
    options += ["--nan", "skip"] if dtype == "f2" else []
    one = ok(*options, *[p[0] for p in parts])
    assert merged(put, parts, options) == one
    assert merged(put, parts, options, ["-o", "sum,argmax,p7"]) == ok(
        *options[2:], "-o", "sum,argmax,p7", *[p[0] for p in parts])
    assert merged(put, parts, options, ["-O", "jsonl"]) == ok(
        *options, "-O", "jsonl", *[p[0] for p in parts])


def array(values):
    out = io.BytesIO()
    np.save(out, values)
    return out.getvalue()


@pytest.mark.parametrize("shape, axes, order", [
    ((40,), "0", "C"), ((40, 6), "0", "C"), ((40, 6), "0,1", "C"),
    ((30, 3, 4), "0,2", "C"), ((30, 3, 4), "0,1", "C"), ((12, 5), "0", "F"),
    ((9, 4, 5), "0,2", "F"), ((2000, 40), "0", "C")])
def test_axes(rng, put, shape, axes, order):
    """Arrays are joined along axis 0. NumPy says what the greatest are."""
    values = rng.integers(-9, 9, shape).astype(rng.choice(["f4", "f8", "i2"]))
    if values.dtype.kind == "f":
        values.flat[rng.integers(values.size, size=3)] = [np.nan, -0.0, np.inf]
    ends = cut(rng, len(values), 4) if order == "C" else [0, len(values)]
    parts = [[put(f"{i}.npy", array(np.asarray(values[a:b], order=order)))]
             for i, (a, b) in enumerate(zip(ends, ends[1:]))]
    options = ["--axis", axes, "-o", OPS.replace("n_missing,", "") + "," + VALUES]
    for more in ([], ["--keepdims"], ["--nan", "skip"]):
        assert merged(put, parts, [*options, *more], ["-O", "jsonl"]) == ok(
            *options, *more, "-O", "jsonl", *[p[0] for p in parts])
    rows = ["--axis", axes, "-o", "rows"]
    assert merged(put, parts, rows, ["-O", "csv"]) == ok(
        *rows, "-O", "csv", *[p[0] for p in parts])
    found = merged(put, parts, options, ["-O", "npy", "-o", "max"])
    np.testing.assert_array_equal(
        np.load(io.BytesIO(found.encode("utf-8", "surrogateescape"))),
        values.max(axis=tuple(map(int, axes.split(",")))))


def test_keys(rng, put):
    """The keys are elements; a dict says what the sums are."""
    keys = rng.integers(-4, 4, 200).astype("i2")
    values = rng.integers(-2**40, 2**40, 200)
    ends, parts, want = cut(rng, 200, 4), [], {}
    for k, v in zip(keys, values):
        want[int(k)] = want.get(int(k), 0) + int(v)
    states = []
    for i, (a, b) in enumerate(zip(ends, ends[1:])):
        states.append(put(f"{i}.state", b""))
        ok("-o", "sum,min,argmax,mean", "--save-state", states[-1], "--keys",
           put(f"{i}.i16", keys[a:b].tobytes()),
           put(f"{i}.i64", values[a:b].tobytes()))
    one = ["--keys", put("k.i16", keys.tobytes()),
           put("v.i64", values.tobytes()), "-O", "csv"]
    for more in (["-o", "sum,min,argmax,mean"], ["-o", "max"],
                 ["-o", "sum", "--order", "first"]):
        assert ok("--merge", *more, "-O", "csv", *states) == ok(*one, *more)
    rows = ok("--merge", "-o", "sum", "-O", "csv", *states).split()[1:]
    assert rows == [f"{k},{want[k]}" for k in sorted(want)]


ROWS = [(f"{i % 7 * 1.1:.3f}" if i % 5 else "",
         str(9007199254740993 + i) if i % 9 == 0 else str(i - 40),
         ['"a\nb"', "x", '"q""u"', ""][i % 4],
         ["Rome", "", '"k\n1"', "12", "7.5", "a key of over sixteen bytes"][i % 6])
        for i in range(200)]
HEAD = "price,qty,note,key\n"

QUESTIONS = [
    ["-c", "price,qty", "-o", OPS],
    ["-c", "price,v", "-e", "v=price*2", "--where", "qty > 3"],
    ["-c", "price,qty", "-o", VALUES + ",mean"],
    ["-c", "qty", "-o", VALUES, "--nan", "skip"],
    ["-c", "note", "-o", "nunique,mode,mode_count"],
    ["-c", "note", "-o", "count,first,last,n_missing,approx_nunique"],
    ["-c", "price,qty", "-o", "cov,corr"],
    ["-c", "price", "--weights", "w", "-o", "mean,var,sum"],
    ["-o", "rows"],
    ["-o", "rows", "--by", "key"],
    ["-o", "rows", "--by", "key", "--nan", "skip"],
    ["-c", "price,qty", "--by", "key,note",
     "-o", "rows,count,sum,mean,var,min,argmax,first,last,approx_nunique"],
    ["-c", "note", "--by", "key", "-o", "first,last,count"],
    ["-c", "qty", "-t", "i64", "--by", "key", "-o", "sum,prod,max",
     "--where", "qty < 3 && qty > -3"],
]


@pytest.mark.parametrize("options", QUESTIONS, ids=lambda o: " ".join(o)[:40])
def test_text(rng, put, options):
    """Some files have only a header, others no value of a column."""
    text = [",".join(row) + "\n" for row in ROWS]
    head = HEAD
    if "--weights" in options:
        text = [line[:-1] + f",{i % 4}\n" for i, line in enumerate(text)]
        head = HEAD[:-1] + ",w\n"
    ends = cut(rng, len(text), 4) + [len(text)]
    parts = [[put(f"{i}.csv", (head + "".join(text[ends[i]:ends[i + 1]]))
                  .encode())] for i in range(5)]
    options = ["--header", "yes", "-d", ",", *options]
    files = [p[0] for p in parts]
    assert merged(put, parts, options) == run(*options, *files).out
    assert merged(put, parts, options, ["-O", "csv", "--digits", "2"]) == run(
        *options, *files, "-O", "csv", "--digits", "2").out
    for more, has in ((["--order", "first"], "--by" in options),
                      (["--interpolation", "lower"], VALUES in options)):
        assert not has or merged(put, parts, options, more) == run(
            *options, *files, *more).out
    json_out = merged(put, parts, options, ["-O", "jsonl"])
    assert without_lines(json_out) == without_lines(
        run(*options, *files, "-O", "jsonl").out)


def test_ends_of_two_columns_of_text(put):
    """In parts of different sizes, each reduced in several chunks."""
    rows = ["".join(chr(97 + (i >> 4 * k) % 16) for k in range(3)) for i in range(4000)]
    parts = [[put(f"{i}.csv", "".join(f"{a},{a[::-1]}\n" for a in rows[start:end]).encode())]
             for i, (start, end) in enumerate([(0, 100), (100, 3900), (3900, 4000)])]
    options = ["--header", "no", "--chunk-size", "1K", "-c", "1,2", "-o", "first,last"]
    assert merged(put, parts, options) == (
        "column\tfirst\tlast\n1\taaa\tpjp\n2\taaa\tpjp\n")


def test_text_of_which_no_record_is_selected(put):
    """A column without records does not show that it has texts, which have no
    NaN."""
    parts = [[put("a.csv", b"k,x\n")], [put("b.csv", b"k,x\nu,1\n")]]
    options = ["--header", "yes", "-c", "k", "-o", "mode,first"]
    empty = ["--empty", "identity"]
    for key, want in ("u", "u"), ("z", ""):
        for some in parts, parts[::-1]:
            select = [*options, "--where", f'k == "{key}"']
            assert merged(put, some, select, empty) == ok(
                *select, *empty, *[p[0] for p in some]) == (
                f"mode\t{want}\nfirst\t{want}\n")


def test_integers_above_2_to_53(rng, put):
    """Print in full, also those that f64 holds. 2^62 and 2^62 as a real are one
    value for nunique and mode."""
    values = [int(s) * (2**62 + int(k)) for s, k in zip(
        rng.choice([-1, 1], 60), rng.choice([0, 1, 512, 1024], 60))]
    cells = [f"{v}.0" if v == 2**62 and i % 2 else str(v)
             for i, v in enumerate(values)]
    parts = [[put(f"{i}.csv", ("n\n" + "".join(f"{c}\n" for c in cells[i::3]))
                  .encode())] for i in range(3)]
    mode = min(set(values), key=lambda v: (-values.count(v), v))
    ranked = sorted(values)
    want = (f"p10\t{ranked[5]}\nq3\t{ranked[44]}\nmode\t{mode}\n"
            f"mode_count\t{values.count(mode)}\nnunique\t{len(set(values))}\n")
    options = ["--header", "yes", "-o", "p10,q3,mode,mode_count,nunique",
               "--interpolation", "lower"]
    got = ok(*options, *(p[0] for p in parts))
    assert merged(put, parts, options[:-2], options[-2:]) == got
    assert got.splitlines()[2:] == want.splitlines()[2:]
    for line, wanted in zip(got.splitlines()[:2], want.splitlines()):
        assert line == wanted or float(line.split()[1]) == 2.0**62, line
    same = [[put(f"{i}.csv", b"n\n-4611686018427387904\n")] for i in range(3)]
    assert merged(put, same, ["-o", "median,mode,min"]) == (
        "median\t-4611686018427387904\nmode\t-4611686018427387904\n"
        "min\t-4611686018427387904\n")


@pytest.mark.parametrize("parts", [1, 2, 3, 7, 40])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_part_of_text(put, parts, end):
    """Each record is in the part in which its first byte lies, also if the
    cut is inside quotes, of which the text has newlines and commas."""
    body = (HEAD + "".join(",".join(row) + "\n" for row in ROWS))[:-1]
    body = body.replace("\n", end)
    data = put("a.csv", body.encode())
    first = len(HEAD) - 1 + len(end)
    all_bytes = len(body) - first
    starts, at = [], first
    for row in ROWS:
        starts.append(at - first)
        at += len((",".join(row) + "\n").replace("\n", end))
    for r in range(1, parts + 1):
        low, high = all_bytes * (r - 1) // parts, all_bytes * r // parts
        want = sum(low <= s < high for s in starts)
        assert ok("-o", "rows", "--part", f"{r}/{parts}", data) == f"{want}\n"
    for options in (["-c", "price,qty", "-o", OPS],
                    ["-c", "qty", "--by", "key", "-o", "sum,argmin"]):
        cuts = [["--part", f"{r}/{parts}", data] for r in range(1, parts + 1)]
        assert merged(put, cuts, options) == ok(*options, data)


def test_part_of_text_on_standard_input(put):
    """No file has the name that messages give it."""
    data = put("a.csv", b"x\n" + b"".join(b"%d\n" % i for i in range(99)))
    for part in "12":
        args = ["-f", "csv", "-o", "sum", "--part", part + "/2"]
        found = shell('exec "$0" "$@" <' + shlex.quote(data), *args)
        assert (found.rc, found.out) == (0, ok(*args, data)), found


def test_places_in_parts_and_files(put):
    """A message about an element names it in its file."""
    nan = put("n.f32", struct.pack("<3f", 1, math.nan, 3))
    bad = put("b.bool", bytes([0, 0, 1, 7])), put("a.bool", bytes(5))
    text = put("t.csv", b"v\n1\n2\nnan\n")
    for args, says in (
            (["--part", "2/2", "--nan", "error", nan],
             f"element 0 is NaN; --nan skip leaves NaN out\nIt is element 1 of '{nan}'.\n"),
            (["--part", "2/2", bad[0]], f"It is element 3 of '{bad[0]}'.\n"),
            ([*reversed(bad)], f"element 8 is 7, but a bool is 0 or 1; of raw data, "
             f"--dtype u8 reads other values\nIt is element 3 of '{bad[0]}'.\n"),
            (["--part", "2/2", "--nan", "error", text],
             f"It is element 0 of this part of '{text}'.\n")):
        assert fails(1, "-o", "sum", *args).endswith(says), args
    assert "\n" not in fails(1, "-o", "sum", bad[0])[:-1]


def test_part_of_arrays(put):
    """FILEs are cut as one sequence of elements."""
    values = np.arange(100, dtype="<i4") ** 2
    files = [put("a.i32", values[:37].tobytes()), put("b.i32", b""),
             put("c.i32", values[37:].tobytes())]
    for parts in (1, 3, 8, 150):
        for r in range(1, parts + 1):
            low, high = 100 * (r - 1) // parts, 100 * r // parts
            assert ok("-o", "sum", "--part", f"{r}/{parts}", *files) == (
                f"{values[low:high].sum()}\n")
    fails(1, "-t", "i32", "--part", "2/2", put("odd.raw", bytes(11)),
          says="its 11 bytes")
    fails(1, "-t", "i32", "--part", "1/2", put("odd.raw", bytes(3)), files[0],
          says="its 3 bytes")
    assert ok("-t", "i32", "-o", "sum", "--part", "2/2",
              put("odd.raw", bytes(11)), files[0]) == f"{values[17:37].sum()}\n"
    # Of several files a compressed one is in one part, after those before it.
    packed = [put(f"{i}.i32.gz", gzip.compress(values[i::9].tobytes()))
              for i in range(9)]
    sums, left = [int(values[i::9].sum()) for i in range(9)], list(range(9))
    for part in "123":
        got, here = int(ok("-o", "sum", "--part", part + "/3", *packed)), []
        while sum(here) < got:
            here.append(sums[left.pop(0)])
        assert sum(here) == got and 2 <= len(here) <= 4
    assert not left
    # A part ends where the middle of the first one begins.
    twins = [put(f"{i}.i32.gz", gzip.compress(values.tobytes())) for i in "ab"]
    assert [ok("-o", "sum", "--part", f"{part}/4", *twins) for part in "1234"] == [
        "0\n", f"{values.sum()}\n"] * 2
    fails(2, "--part", "1/2", packed[0], says="it is compressed")


def test_an_empty_array_in_fortran_order(put):
    """It has no places that its shape, or the number of its elements, could tell."""
    def array(shape, values):
        head = ("{'descr': '<f8', 'fortran_order': True, 'shape': %s, }"
                % (shape,)).ljust(117) + "\n"
        return b"\x93NUMPY\x01\x00" + struct.pack(
            f"<H118s{len(values)}d", 118, head.encode(), *values)
    parts = [[put("a.npy", array((0, 3), []))],
             [put("b.npy", array((2, 3), [1, 2, 3, 4, 9, 6]))]]
    for some in (parts, parts[::-1], parts[:1]):
        assert merged(put, some, ["-o", "sum,rows"]) == ok(
            "-o", "sum,rows", *[p[0] for p in some])
    assert merged(put, [[put("z.npy", array((3, 0, 2), []))]],
                  ["--axis", "0,1,2", "-o", "sum"]) == "0\n"


def test_what_cannot_be_saved(put):
    path, state = put("a.csv", b"k,v,w\na,1,2\nb,2,3\n"), put("a.state", b"")
    for args, says in (
            (["--by", "k", "-o", "median"], "what median needs by key"),
            (["--by", "k", "-o", "prod"], "prod of f64 or pairs by key"),
            (["--by", "k", "-o", "cov"], "prod of f64 or pairs by key"),
            (["-o", "prod"], "depends on the order of the data; it can of integers: "
             "-t i64\n"),
            (["--map", "v*w", "-o", "prod"], "it can of integers\n"),
            (["--by", "k", "-o", "sum,nunique,max"], "what nunique needs by key"),
            (["--merge", "--empty", "identity"], "--save-state and --merge exclude"),
            *([args, f"--save-state and {args[0]} exclude each other: give it to "
               "--merge, which prints\n"] for args in [
                   ["--output-format", "csv"], ["--json"], ["--digits", "2"],
                   ["--empty", "identity"], ["--order", "first", "--by", "k"],
                   ["--interpolation", "lower", "-o", "median"]]),
            (["-o", "sum", "--verify"], "--verify exclude each other"),
            (["-e", "i=index()"], "cannot save what depends on index()")):
        fails(2, "--save-state", state, *args, path, says=says)
    fails(2, "--save-state", state, "-o", "prod", put("a.f64", bytes(8)),
          says="it can of integers\n")
    fails(2, "--part", "1/2", "-e", "i=index()", path, says="--part cannot compute")
    for other in ["--axis", "0"], ["--keys", path], ["--compare", path]:
        fails(2, "--part", "1/2", *other, path,
              says=f"--part and {other[0]} exclude each other\n")
    np.savez(path + ".npz", a=np.ones(2), b=np.ones(3))
    fails(2, "--save-state", state, path + ".npz", says="takes one array or table")
    # The others count NaN for JSON, whatever they have states for.
    nan = put("n.f64", np.array([1, np.nan, 3]).tobytes())
    for op in "sum", "first", "mode", "approx_nunique":
        ok("--save-state", state, "-o", op, nan)
        assert '"n_nan":1' in ok("--merge", "--json", state), op
    fails(2, "--save-state", state, "--merge", state,
          says="--save-state and --merge exclude each other")


def test_a_state_of_a_long_percentile(put):
    path, state = put("a.csv", b"x\n1\n2\n"), put("a.state", b"")
    op = "p99." + "0" * 35 + "1"
    ok("--save-state", state, "-o", op, path)
    assert ok("--merge", state) == ok("-o", op, path)


def test_own_words_are_another_reading(put):
    """They mean a missing value in texts, too."""
    path = put("a.csv", b"k,x\nNA,1\nfoo,2\n")
    default = r"NA,N/A,n/a,<NA>,#N/A,null,NULL,None,\N"
    states = [put(f"{i}.state", b"") for i in range(2)]
    for state, words in zip(states, (["--na", "foo"], ["--na-only", default + ",foo"])):
        ok("--save-state", state, "--by", "k", "-o", "sum", *words, path)
    fails(2, "--merge", *states, says="how text is read")


def test_other_operations_of_states(put):
    """States answer operations that were not asked for, as the data would, or
    say that they do not."""
    state = put("a.state", b"")
    for data, saved_ops, op in (
            (b"x,y\n1,u\n1e0,v\n", "first,mode", "mode,first,last"),
            (b"x,y\n1,\n2,\n", "sum", "mean"),
            (b"x,y\n1,2\n3,4\n", "rows,sum", "rows"),
            (b"x,y\n1,2\n1,4\n", "mode", "median")):
        path = put("a.csv", data)
        options = ["-c", "x,y"]
        ok("--save-state", state, *options, "-o", saved_ops, path)
        got, want = run("--merge", "-o", op, state), run(*options, "-o", op, path)
        assert (got.rc, got.out, got.err) == (0, want.out, want.err), op
    for data, saved_ops, op in ((b"x,y\n1,2\n", "rows", "count"),
                                (b"x,y\n1,\n", "rows", "n_missing"),
                                (b"x,y\n1,u\n", "mode", "median"),
                                (b"x,y\n1,2\n", "cov", "sum"),
                                (b"x,y\n1,2\n", "sum", "cov")):
        ok("--save-state", state, "-o", saved_ops, "-c", "x,y",
           put("a.csv", data))
        says = f"do not answer {op}; save"
        for more in ["-o", op], ["-o", op, "--json"]:
            fails(2, "--merge", *more, state, says=says)
        if "cov" not in (saved_ops, op):
            fails(2, "--merge", "--assert", f"{op} == 0", state, says=says)
    path = put("a.csv", b"x,y\n1,2\n3,4\n")
    for op in "summary", "summary,n_nan", "all", "describe":
        for options in ["-c", "x"], []:
            ok("--save-state", state, *options, "-o", op, path)
            assert ok("--merge", state) == ok(*options, "-o", op, path), op
    path = put("e.csv", b"x,y\n,2\n")
    ok("--save-state", state, "-c", "x", "-o", "all", path)
    got, want = run("--merge", state), run("-c", "x", "-o", "all", path)
    assert (got.rc, got.out) == (want.rc, want.out) and got.out
    array = io.BytesIO()
    np.save(array, np.ones((2, 2, 2, 2)))
    path = put("a.npy", array.getvalue())
    ok("--save-state", state, "--axis", "0", "-o", "sum", path)
    fails(2, "--merge", state, says="the result has 3 axes")


def test_line_of_a_part(put):
    """Errors name lines of the file, not of the part."""
    lines = ["a", *["1"] * 50, "bad", *["2"] * 10]
    data = put("a.csv", "\n".join(lines).encode())
    fails(1, "-o", "sum", "--part", "2/2", "-t", "f64", data, says="a.csv:52:")
    # Part 1 takes the whole cell of 9 MiB, although the program reads 4 MiB at a
    # time when it looks for the record that begins the next part.
    long = put("b.csv", b'a,b\n"' + b"\n" * (9 << 20) + b'",1\nu,2\nbad,v\n')
    assert ok("-o", "sum", "-c", "b", "--part", "1/3", long) == "1\n"
    fails(1, "-o", "sum", "-c", "b", "--part", "3/3", long,
          says=f"b.csv:{(9 << 20) + 4}:")


@pytest.mark.parametrize("options, says", [
    (["-o", "sum", "-c", "price"], "list of operations"),
    (["-c", "qty"], "list of columns"),
    (["-c", "price", "--nan", "skip"], "--nan"),
    (["-c", "price", "-t", "f32"], "type"),
    *((["-c", "price", option, word], "how text is read") for option, word in [
        ("--na", "-"), ("--strip", "$"), ("--strip", "()"), ("--thousands", "'"),
        ("--comment", "#"), ("--quote", "'"), ("--quote", "none"),
        ("--missing", "error"), ("--bad", "skip"), ("--ragged", "skip")]),
    (["-c", "price", "--where", "qty > 1"], "expressions"),
    (["-c", "price", "--by", "key"], "list of columns"),
    (["-c", "price", "--by", "key", "--where", "qty > 9e9"], "expressions"),
])
def test_other_questions(put, options, says):
    data = put("a.csv", (HEAD + ",".join(ROWS[1]) + "\n").encode())
    first, second = put("1", b""), put("2", b"")
    ok("-c", "price", "--save-state", first, data)
    ok(*options, "--save-state", second, data)
    fails(2, "--merge", first, second, says=[says, "another question"])


def test_other_weights(put):
    path, states = put("a.csv", b"a,b,c\n1,2,3\n4,5,6\n"), [put(s, b"") for s in "bc"]
    for state, weights in zip(states, "bc"):
        ok("-c", "1-", "--weights", weights, "-o", "sum", "--save-state", state, path)
    fails(2, "--merge", *states, says="the column of weights: 2, not 1")


def test_other_columns_of_which_not_all_can_be_shown(put):
    # 1018 bytes of them fit.
    for last in "j" * 117, "j" * 118, "j" * 200, "j" * 200 + ",k":
        names = ",".join([*(c * 99 for c in "abcdefghi"), last])
        row = "1" + ",1" * names.count(",")
        paths = [put(f"{i}.csv", f"{names[i:]}\n{row}\n".encode()) for i in (0, 1)]
        states = put("1", b""), put("2", b"")
        for state, path in zip(states, paths):
            ok("-c", "1-", "--save-state", state, path)
        shown = [n if len(n) <= 1018 else n[:1018] + "..." for n in (names[1:], names)]
        err = fails(2, "--merge", *states)
        assert f"the list of columns: '{shown[0]}', not '{shown[1][:200]}" in err, last


def test_a_part_whose_cells_are_all_bad(put):
    """Another part may have numbers."""
    parts = [[put(f"{i}.csv", f"x,y\n{i},{x}\n".encode())] for i, x in enumerate("q7")]
    args = ["-c", "y", "--bad", "skip", "-q"]
    assert merged(put, parts, [*args, "-o", "sum,n_bad"], ["-q"]) == (
        "sum\t7\nn_bad\t1\n")
    state = put("q", b"")
    ok(*args, "--save-state", state, "-o", "sum", *parts[0])
    fails(1, "--merge", state, says="each of its 1 cells is bad")


def test_other_questions_of_which_no_record_is_selected(put):
    """Another reading of the cells may be why there is none."""
    one = put("1.csv", b"a,b\n1.500,1\n2.000,2\n")
    two = put("2.csv", b"a,b\n1.700,3\n")
    states = put("1", b""), put("2", b"")
    args = ["--where", "a > 1000", "-c", "a", "-o", "sum,rows"]
    dots = ["--thousands", ".", "--decimal", ";"]
    for way in dots, []:
        ok(*args, *dots, "--save-state", states[0], one)
        ok(*args, *way, "--save-state", states[1], two)
        if way:
            assert ok("--merge", *states) == ok(*args, *dots, one, two) == (
                "sum\t5200\nrows\t3\n")
        else:
            fails(2, "--merge", *states, says="how text is read")
    fails(2, "--merge", "-o", "prod", states[0], says="no states answer prod")


def test_keys_in_another_notation(put):
    """The keys of states are sorted as those of a run."""
    path = put("k.csv", b"k;a\n10,5;1\n9,5;2\n$-3;3\nnan;4\n1.000;5\n(2);6\n")
    args = ["--header", "yes", "-d", ";", "--decimal", ",", "--thousands", ".",
            "--strip", "$()", "--by", "k", "-o", "sum"]
    out = ok(*args, path)
    assert [line.split("\t")[0] for line in out.splitlines()] == [
        "k", "$-3", "(2)", "9,5", "10,5", "1.000", "nan"]
    ok(*args, "--save-state", put("s", b""), path)
    assert ok("--merge", put("s", open(path[:-5] + "s", "rb").read())) == out
    # A sign in parentheses alone; a mark and characters as long as may be.
    for way, keys in [
            (["--strip", "()"], ["(10)", "(5)", "3", "20"]),
            (["--thousands", "\U0001f600", "--strip", "".join(map(chr, range(97, 123)))
              + "$_:;!?"], ["3", "20", "1\U0001f600000"])]:
        path = put("k.csv", "\n".join(["k,a", *(f"{k},1" for k in keys[::-1]), ""])
                   .encode())
        ok(*way, "--by", "k", "-o", "rows", "--save-state", put("t", b""), path)
        assert ok("--merge", path[:-5] + "t").splitlines()[1:] == [
            f"{k}\t1" for k in keys]
    state, args = put("t", b""), ["--strip", "$", "--by", "k", "-o", "rows"]
    ok(*args, "--save-state", state, put("d.csv", b"k,a\n$10,1\n$9,2\n"))
    assert ok("--merge", state) == "k\trows\n$9\t1\n$10\t1\n"


def test_a_damaged_byte_is_refused_with_a_reason(put, rnd):
    """Unless the file still answers a question. Several places check its texts and
    numbers."""
    state, path = put("s", b""), put("d.csv", b"k,x,y\n1,2.5,3\n2,3,4.5\n")
    for options in ["-o", "all"], ["--by", "k", "-o", "sum,max"], ["-o", "corr"]:
        ok("--strip", "$", "--thousands", "'", *options, "-e", "z=x+y",
           "--save-state", state, path)
        data = open(state, "rb").read()
        for _ in range(120):
            at, byte = rnd.randrange(24, 700), rnd.choice([0, 1, 47, 48, 57, 128, 255])
            bad = put("bad", mended(data[:at] + bytes([byte]) + data[at + 1:]))
            got = run("--merge", bad)
            if got.rc != 0:
                assert got.rc in (1, 2) and got.out == "", (at, byte, got)
                assert re.match("gpureduce: .*\\w", got.err), (at, byte, got)


@pytest.mark.parametrize("none", [b"", b"\n", b"# only\n", b"x,y\n", b"x,y\n# z\n"])
@pytest.mark.parametrize("options", [
    [], ["--by", "x", "-c", "y"], ["--where", "x > 1"], ["-e", "h=x > 1", "--by", "h"],
    ["--weights", "y", "-c", "x"]])
def test_states_without_a_record(put, none, options):
    """Merge with any, as the file does in one run."""
    options = [*options, "-f", "csv", "--comment", "#", "-o", "sum"]
    if none[:1] != b"x" and options[0] != "-f":
        return      # no columns to name
    data = [put("n.csv", none), put("d.csv", b"x,y\n1,2\n2,3\n")]
    states = put("1", b""), put("2", b"")
    for file, state in zip(data, states):
        ok(*options, "--save-state", state, file)
    want = ok(*options, *data[::-1])
    assert ok("--merge", *states) == ok("--merge", *states[::-1]) == want


def test_rows_of_states(put):
    """Are counted once for all columns, as in a run."""
    path, state = put("a.csv", b"k,x,y\na,1,2\na,3,\nb,5,6\n"), put("s", b"")
    for options in ["-c", "x,y"], ["--by", "k", "-c", "x,y"], ["-c", "k,x"]:
        op = "count" if "k,x" in options else "sum"
        ok(*options, "-o", op, "--save-state", state, path)
        for form in "text", "jsonl", "csv":
            assert ok("--merge", "-o", "rows", "-O", form, state) == ok(
                *options, "-o", "rows", "-O", form, path)


def test_conditions_on_states_of_which_rows_are_printed(put):
    path, state = put("a.csv", b"a,b\n1,2\n3,4\n"), put("s", b"")
    ok("-c", "a,b", "-o", "rows,max", "--save-state", state, path)
    assert ok("--merge", "-o", "rows", "--assert", "max(a) < 5", state) == "2\n"
    got = run("--merge", "-o", "rows", "--assert", "max < 2", state)
    assert (got.rc, got.out) == (4, "2\n") and "column 'a'" in got.err


def test_numbers_of_columns_in_conditions_on_states(put):
    """Without a header the numbers are the names; with one they are not saved."""
    path, state = put("a.csv", b"1,10,100\n2,20,200\n"), put("s", b"")
    ok("-c", "2,3", "-o", "max", "--save-state", state, path)
    for column, most in (2, 20), (3, 200):
        for args in [["-c", "2,3", "-o", "max", path], ["--merge", state]]:
            ok("--assert", f"max(${column}) == {most}", *args)
            assert run("--assert", f"max(${column}) > {most}", *args).rc == 4
    fails(2, "--merge", "--assert", "max($1) > 0", state, says="not one of those reduced")
    ok("-c", "1-", "-o", "max", "--save-state", state, put("a.csv", b"k,v,v\n1,2,3\n"))
    fails(2, "--merge", "--assert", "max($2) > 0", state, says="say max(NAME)")
    fails(2, "--merge", "--assert", "max(v) > 0", state, says="several columns")


@pytest.mark.parametrize("args", [["--where", "$1 > 0", "-c", "b"],
                                  ["--where", "$2 > 0", "-c", "a"],
                                  ["--let", "d = $2 * 10", "-c", "d"]])
def test_numbers_of_columns_in_expressions(put, args):
    """Over all data $2 is the column of that name in every file."""
    files = [put("1.csv", b"a,b\n5,-7\n6,1\n"), put("2.csv", b"b,a\n1,-2\n-5,9\n")]
    states = [put(str(i), b"") for i in range(2)]
    for state, path in zip(states, files):
        ok(*args, "-o", "sum", "--save-state", state, path)
    fails(2, "--merge", *states, says="the expressions")
    same = put("2.csv", b"a,b\n-2,1\n9,-5\n")
    ok(*args, "-o", "sum", "--save-state", states[1], same)
    assert ok("--merge", *states) == ok(*args, "-o", "sum", files[0], same)


def test_names_of_keys_in_json(put):
    path, state = put("a.csv", b"a,a,b\nx,1,2\n"), put("s", b"")
    ok("--by", "1,2", "-o", "sum", "--save-state", state, path)
    fails(2, "--merge", "--json", state, says="two columns of --by have the name 'a'")
    assert ok("--merge", state) == "a\ta\tsum(b)\nx\t1\t2\n"


def test_nan_error_does_not_wait_for_the_merge(put):
    state = put("s", OLD)
    path = put("a.csv", b"a,b\n1,2\nnan,3\n")
    fails(1, "--nan", "error", "-o", "max", "--save-state", state, path,
          says=f"'{path}': column 'a': element 1 is NaN")
    with open(state, "rb") as file:
        assert file.read() == OLD
    ok("--nan", "error", "-c", "b", "-o", "max", "--save-state", state, path)
    array = put("a.npy", npy("'<f4'", "(2, 2)", bytes(12) + b"\0\0\xc0\x7f"))
    fails(1, "--nan", "error", "--axis", "0", "-o", "max", "--save-state", state,
          array, says=f"'{array}': output [1]: element 1 is NaN")
    ok("--nan", "skip", "--axis", "0", "-o", "max", "--save-state", state, array)


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
@pytest.mark.parametrize("column, header", [("a", (b"a\n", b"a,b\n")), ("1", (b"", b""))])
def test_files_may_have_other_columns_or_none(put, order, column, header):
    parts = [[put("one.csv", header[0] + b"1\n")], [put("two.csv", header[1] + b"2,3\n")]]
    parts = [parts[i] for i in order]
    for more in [], ["--json"]:
        whole = ok("-c", column, "-o", "sum,last", *more, *sum(parts, []))
        assert merged(put, parts, ["-c", column, "-o", "sum,last"], more) == whole


def test_a_damaged_bool_does_not_wait_for_the_merge(put):
    state = put("s", b"")
    array = put("a.npy", npy("'|b1'", "(2, 2)", b"\1\0\1\2"))
    for more in [], ["--axis", "0"]:
        fails(1, *more, "-o", "sum", "--save-state", state, array,
              says="is 2, but a bool is 0 or 1")


@pytest.mark.parametrize("parts, says", [
    ("1/3 2/3 3/3", ""), ("1/3 2/3 3/3 1/2 2/2", ""), ("1/1", ""),
    ("1/2 2/2 1/2 2/2", ""), ("1/3 3/3", "part 2 of 3 is missing"),
    ("2/3 3/3", "part 1 of 3 is missing"), ("1/3 2/3", "part 3 of 3 is missing"),
    ("1/3 2/3 3/3 1/2", "part 2 of 2 is missing"),
    ("1/3 2/3 3/3 2/3 3/3", "part 1 of 3 is missing"),
    ("2/2 1/2", "not in order"), ("1/3 3/3 2/3", "not in order"),
    ("1/2 1/3 2/2 2/3 3/3", "not in order"), ("77777/99999", "part 1 of 99999 ")])
def test_parts_that_are_missing(put, parts, says):
    """All parts count, however often each number is there; two inputs of other
    values, so that no two files are the same."""
    states = []
    for i, part in enumerate(parts.split()):
        data = put(f"{i}.u8", bytes([i, i + 1, i + 2, i + 3]))
        states.append(put(f"{i}.state", b""))
        ok("-t", "u8", "-o", "sum", "--part", part, "--save-state", states[-1], data)
    err = run("--merge", *states).err
    assert says in err and bool(says) == bool(err), err


def test_a_pipe_that_does_not_block(put):
    """States go to it in full, although a write may find it full."""
    path = put("k.csv", b"k,x\n" + b"".join(b"%d,1\n" % i for i in range(20000)))
    end, start = os.pipe()
    os.set_blocking(start, False)
    child = subprocess.Popen([BINARY, "--by", "k", "-o", "sum", "--save-state",
                              "-", path], stdout=start, stderr=subprocess.PIPE)
    os.close(start)
    time.sleep(0.3)
    with open(end, "rb") as file:
        state = put("k.state", file.read())
    assert child.communicate() == (None, b"") and child.returncode == 0
    assert ok("--merge", state) == ok("--by", "k", "-o", "sum", path)


ALL = "rows,count,n_missing,n_bad,n_nan,sum,mean,std,min,max,argmin,argmax"


@pytest.mark.parametrize("data, empty, options, others, says", [
    (b"k,v\na,1\n", b"k,v\n", ["-c", "v"], ["--where", "v > 1"],
     "the expressions: '--where,v > 1', not none"),
    (b"k,v\na,1\n", b"k,v\n", ["-c", "v"], ["--nan", "skip"],
     "--nan: 'skip', not 'propagate'"),
    (b"k,v\na,1\n", b"k,v\n", ["-c", "v", "-o", "max"], ["-o", "sum"],
     "the list of operations: 'max,sum', not 'max'"),
    (b"k,v\na,1\n", b"k,v\n", ["-c", "v", "-o", "sum"], ["--by", "k"],
     "the columns of the keys: 'k', not none"),
    (b"k,v\na,1\n", b"k,v\n", ["-c", "v"], ["-o", ALL],
     "which group of operations is asked: 0, not 1"),
    (b"k,v\na,1\n", b"k,v\n", ["-c", "v", "-o", "summary"], ["-o", "n_nan"],
     "which operations are named\n"),
    (bytes(8), b"", ["-t", "f64"], ["-t", "f32"], "the type: 'f32', not 'f64'"),
    (b"1\n", b"", ["-t", "f64", "-f", "csv", "-o", "sum"], ["-f", "raw"],
     "the kind of data: 'binary', not 'text'"),
    (array(np.ones((2, 3))), array(np.ones((0, 4))), ["--axis", "0", "-o", "sum"], [],
     "the array and its axes: 'any reduced,4 kept', not 'any reduced,3 kept'"),
], ids=lambda x: str(x)[:20] if isinstance(x, list) else "")
def test_other_questions_of_no_rows(put, data, empty, options, others, says):
    """A file without rows may differ in its columns, but not in the question."""
    first, second = put("1", b""), put("2", b"")
    ok(*options, "--save-state", first, put("a", data))
    ok(*options, *others, "--save-state", second, put("e", empty))
    err = fails(2, "--merge", first, second)
    assert err.startswith(
        f"gpureduce: '{second}': its states answer another question than those of "
        f"'{first}': {says}"), err
    fails(2, "--merge", second, first, says="another question")


def test_counts_of_all_states(put):
    """Records that were skipped, and bytes."""
    files = [put("a.csv", b"a,b\n1,2\n3\n5,6\n"), put("b.csv", b"a,b\n1,2\n3\n7\n")]
    states = [put(f"{i}.state", b"") for i in range(2)]
    options = ["--ragged", "skip", "-c", "b", "-o", "sum"]
    for state, file in zip(states, files):
        assert run(*options, "--save-state", state, file).rc == 0
    result = run("--merge", "--json", *states)
    assert result.err == ("gpureduce: skipped 3 records with another number of "
                          "fields\n")
    assert result.out == run(*options, "--json", *files).out
    end = json.loads(result.out)
    assert end["input"] == {"files": 2, "records": 6, "rejected": 3}
    assert end["run"]["bytes"] == 18


def test_keys_of_several_states(put):
    """Of a key: the sum outgrows 128 bits, each state's does not; the integers
    that f64 cannot hold, and -0, are in several states."""
    cells = [b"4503599627370495.5", b"1", b"-0"], [
        b"4503599627370495.5", b"9007199254740993", b"-0"], [
        b"4503599627370495.5", b"-9007199254740995", b"-0"]
    parts = [[put(f"{i}.csv", b"k,x\n" + b"".join(
        b"%s,%s\n" % row for row in zip((b"a", b"b", b"c"), of_part)))]
        for i, of_part in enumerate(cells)]
    options = ["--by", "k", "-o", "sum,min,max,argmin,argmax"]
    out = ("k\tsum(x)\tmin(x)\tmax(x)\targmin(x)\targmax(x)\n"
           f"a\t{3 * (2.0**52 - 0.5)}\t{2**52 - 0.5}\t{2**52 - 0.5}\t0\t0\n"
           f"b\t-1\t{-2**53 - 3}\t{2**53 + 1}\t7\t4\n"
           "c\t-0\t-0\t-0\t2\t2\n")
    assert merged(put, parts, options) == out
    assert ok(*options, *(p[0] for p in parts)) == out


def test_types_of_no_rows(put):
    """A table without rows does not show what its columns hold."""
    first, second = put("1", b""), put("2", b"")
    ok("-c", "v", "-o", "sum", "--save-state", first, put("a.csv", b"k,v\na,1\n"))
    ok("-c", "v", "-o", "sum", "-t", "f32", "--save-state", second,
       put("e.csv", b"k,v\n"))
    assert ok("--merge", first, second) == ok("--merge", second, first) == "1\n"


def test_names_of_no_rows(put):
    """Of two tables without rows, a header knows the names of the columns."""
    first, second = put("1", b""), put("2", b"")
    options = ["-f", "csv", "--header", "yes", "-o", "mean"]
    files = put("e.csv", b"a,b\n"), put("z.csv", b"")
    for path, state in zip(files, (first, second)):
        ok(*options, "--save-state", state, path)
    for args in ["--merge", first, second], ["--merge", second, first], [
            *options, *files]:
        assert run(*args)[:2] == (0, "column\tmean\na\t\nb\t\n")


def test_keys_of_no_rows(put):
    """A table without rows does not tell which keys are those of --by 1."""
    first, second = put("1", b""), put("2", b"")
    options = ["--header", "yes", "--by", "1", "-o", "sum"]
    ok(*options, "--save-state", first, put("e.csv", b"x,y\n"))
    ok(*options, "--save-state", second, put("d.csv", b"y,x\n1,2\n"))
    for pair in (first, second), (second, first):
        assert ok("--merge", *pair) == "y\tsum(x)\n1\t2\n"


def test_a_failed_run_keeps_the_old_file(put, tmp_path):
    state = put("s", OLD)
    data = put("a.csv", b"a\n" + b"1\n" * 40000 + b"x\n")
    fails(1, "--save-state", state, data, says="not a number")
    assert open(state, "rb").read() == OLD
    good = put("b.csv", b"a\n1\n2\n")
    fails(1, "--save-state", tmp_path / "no" / "s", good,
          says="cannot be written")
    fails(1, "--save-state", state, good, says="File too large",
          preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0)))
    if os.path.exists("/dev/full"):
        fails(1, "--save-state", "/dev/full", good, says="cannot be written")
    assert sorted(os.listdir(tmp_path)) == ["a.csv", "b.csv", "s"]
    saved = run("--save-state", "-", good).out
    assert saved.startswith("gpureduce-state\n")
    ok("-o", "sum", "--save-state", state, good)
    assert ok("--merge", "-", stdin=open(state, "rb")) == "3\n"


@pytest.mark.parametrize("mask", [0o22, 0o77, 0])
def test_who_may_read_states(put, tmp_path, mask):
    """As of any new file, the umask says it; a file that is there keeps its
    mode."""
    state, data = tmp_path / "new", put("a.csv", b"a\n1\n")
    ok("--save-state", state, data, preexec_fn=lambda: os.umask(mask))
    assert state.stat().st_mode & 0o777 == 0o666 & ~mask
    for mode in 0o600, 0o664:
        state.chmod(mode)
        ok("--save-state", state, data, preexec_fn=lambda: os.umask(mask))
        assert state.stat().st_mode & 0o777 == mode


@pytest.mark.parametrize("folder", ["/tmp", "/dev/shm"])
def test_other_data_are_not_replaced(put, folder):
    """In `--save-state *.csv` the first file of data is the name. In /dev it is no
    device: the first data in /dev/shm were replaced."""
    if not os.access(folder, os.W_OK):
        pytest.skip(f"no {folder}")
    for data in b"a\n1\n", b"x", b"g", b"gpureduce-stat\n" + b"1\n" * 9:
        with tempfile.NamedTemporaryFile(dir=folder, suffix=".csv") as file:
            file.write(data)
            file.flush()
            for more in put("b.csv", b"a\n1\n"), file.name:
                fails(2, "-o", "sum", "--save-state", file.name, more,
                      says="does not replace it: it has other data than states")
            assert pathlib.Path(file.name).read_bytes() == data


def test_links(put, tmp_path):
    """Links stay, and the file they lead to is written."""
    data, target = put("a.csv", b"a\n1\n"), tmp_path / "target"
    (tmp_path / "sub").mkdir()
    links = [tmp_path / "link", tmp_path / "sub" / "next"]
    links[0].symlink_to("sub/next")
    links[1].symlink_to("../target")
    for there in False, True:
        if there:
            target.write_bytes(OLD)
        ok("-o", "sum", "--save-state", links[0], data)
        assert ok("--merge", target) == "1\n"
        assert links[0].is_symlink() and links[1].is_symlink()
    assert sorted(os.listdir(tmp_path)) == ["a.csv", "link", "sub", "target"]
    (tmp_path / "loop").symlink_to("loop")
    bad = put("bad.csv", b"a\n" + b"1\n" * 40000 + b"x\n")
    for rows in data, bad:      # before any are read
        fails(1, "--save-state", tmp_path / "loop", rows, says="symbolic links")


def test_a_named_pipe(put, tmp_path):
    """It stays, and its reader gets the states."""
    pipe, state = tmp_path / "pipe", tmp_path / "state"
    os.mkfifo(pipe)
    got = shell('timeout 20 cat "$1" > "$2" & timeout 20 "$0" -o sum --save-state "$1" '
                '"$3"; wait', pipe, state, put("a.csv", b"a\n1\n"))
    assert got.rc == 0 and pipe.is_fifo(), got
    assert ok("--merge", state) == "1\n"


def test_files_that_a_shell_has_opened(put, tmp_path):
    """As /dev/stdout does, the link leads to a link in /proc."""
    data, target = put("a.csv", b"a\n1\n"), put("target", b"")
    link = tmp_path / "link"
    link.symlink_to("/proc/self/fd/1")
    for name, to in (link, ">"), ("/dev/fd/3", "3>"):
        got = shell(f'exec "$0" -o sum --save-state "$1" "$2" {to} "$3"', name,
                    data, target)
        assert got.rc == 0, got
        assert ok("--merge", target) == "1\n"
    assert link.is_symlink()
    state = open(target, "rb").read()
    for name in "/dev/fd/3", "/proc/self/fd/3":
        got = shell('exec 3>>"$3"; "$0" -o sum --save-state "$1" "$2"; echo end >&3',
                    name, data, target)
        assert got.rc == 0 and open(target, "rb").read() == state + b"end\n", got


def test_a_file_twice(put):
    data = [put(f"{i}.csv", b"a\n%d\n" % i) for i in range(3)]
    states = [put(f"{i}.st", b"") for i in range(3)]
    for of, state in zip(data, states):
        ok("-o", "sum", "--save-state", state, of)
    assert ok("--merge", *states) == "3\n"
    twice = run("--merge", *states, states[1])
    assert (twice.rc, twice.out) == (0, "4\n")
    assert twice.err == (f"gpureduce: {states[1]}: it is the same as "
                         f"'{states[1]}'; both are counted\n")


def test_states_from_a_pipe(put):
    state = put("s", b"")
    ok("-o", "sum", "--save-state", state, put("a.csv", b"a\n1\n"))
    with open(state, "rb") as file:
        got = run("--merge", state, "-", stdin=file.read())
    assert got.out == "2\n"
    assert got.err == f"gpureduce: standard input: it is the same as '{state}'; both are counted\n"


def test_not_states(put):
    state = put("s", (SAVED / "raw").read_bytes())
    fails(1, "--merge", put("x", b"1\n2\n"), says="--save-state wrote")
    fails(2, state, says="gpureduce --merge")
    fails(2, "--merge", "-o", "p50", state,
          says="do not answer median; save them with -o median")
    fails(2, "--save-state", state, "-e", "v=index()", "-c", "v",
          put("a.csv", b"a\n1\n2\n"), says="depends on index()")
    for end in (20, 100):
        short = put("short", (SAVED / "raw").read_bytes()[:-end])
        fails(1, "--merge", short, says="cut short")
    # Integers are little-endian on every machine, the version too.
    whole = (SAVED / "raw").read_bytes()
    number = struct.unpack("<I", whole[16:20])[0]
    big = put("big", whole[:16] + struct.pack(">I", number) + whole[20:])
    fails(1, "--merge", big, says=f"version {number << 24}, and this")


def mended(data):
    """Returns the bytes of a file of states with the right checksum."""
    data, total = data[:-8], len(data) - 8
    for i in range(0, len(data), 8):
        total ^= int.from_bytes(data[i:i + 8], "little")
        total = total * 0x9e3779b97f4a7c15 & (1 << 64) - 1
        total ^= total >> 32
    return data + total.to_bytes(8, "little")


@pytest.mark.parametrize("key, at, byte", [
    ("a", 21, 0), ("c", 49, 1), ("d", 41, 2), ("d", 49, 1), ("d", 65, 1),
    ("e", 41, 5), ("f", 49, 2), ("f", 65, 0), ("g", 21, 0), ("g", 41, 1), ("g", 49, 1),
    ("g", 65, 0)])
def test_sums_that_no_values_have(put, key, at, byte):
    """Sums by key of test_files_of_version_3: of no values, of more NaN or
    infinities than values, and of values that are and are not all -0."""
    data = bytearray((SAVED / "sums").read_bytes())
    data[data.index(b"\1\0\0\0" + key.encode(), 150) + at] = byte
    fails(1, "--merge", put("x", mended(data)), says="it is damaged")
    fails(1, "--merge", SAVED / "minus", says="it is damaged")


def test_a_nan_that_no_value_becomes():
    """It comes with the distinct values 1 and 2; all NaN are one of them. The
    median of 1, 2 and two such NaN was 513."""
    fails(1, "--merge", SAVED / "nan", says="it is damaged")


def test_states_of_no_input(put, tmp_path):
    path, state = put("d.u8", b"\1\2"), tmp_path / "state"
    ok("-o", "sum", "-f", "raw", "--save-state", state, path)
    data = state.read_bytes()
    name = struct.pack("<I", len(path)) + path.encode()
    at = data.index(struct.pack("<Q", 1) + name)
    rest = data[at + 8 + len(name) + 20:]  # its offset, elements and rank
    none = put("none", mended(data[:at] + bytes(8) + rest))
    fails(1, "--merge", none, says="it is damaged")


TEXTS = "data type nan where reading names is_text keys ops monoids axes".split()
NUMBERS = ("groups columns paired pairing weight is_table has_header is_named "
           "rows_only asked shown text_ends by_columns by_bad by_texts "
           "elements skipped bytes part parts").split()


def places(data):
    """Returns where a file of states has its texts and numbers; at "rest" are the
    states."""
    at, place = 20, {"version": 16}

    def text():
        return at + 4 + struct.unpack_from("<I", data, at)[0]
    for name in TEXTS:
        place[name], at = at, text()
    for name in NUMBERS:
        place[name], at = at, at + 8
    at = text()     # the backends
    place["inputs"], at = at, at + 8
    place["rank"] = text() + 16     # after the first input's name
    return {**place, "rest": place["rank"] + 4}


def changed(data, new):
    """Returns the file with other texts and numbers of its question."""
    for name, value in new.items():
        at, end = places(data)[name], places(data)[name] + 8
        if name in TEXTS:
            value, end = struct.pack("<I", len(value)) + value, end - 4 + len(
                data[at + 4:at + 4 + struct.unpack_from("<I", data, at)[0]])
        else:
            value = numbers(value)
        data = data[:at] + value + data[end:]
    return mended(data)


def numbers(*values):
    return b"".join(struct.pack("<Q", x) for x in values)


@pytest.mark.parametrize("options, new", [
    ("-c x -o sum", {"weight": 2**33}), ("-c x -o sum", {"paired": 2**33}),
    ("-c x -o sum", {"pairing": 4, "paired": 1}),
    ("-c x,y -o corr", {"columns": 2**33}), ("-c x,y -o corr", {"paired": 3}),
    ("-c x -o mean --weights y", {"paired": 0}),
    ("-c x -o sum", {"monoids": b"3:sum,3:sum,4:wide,"}),
    ("-c x -o sum", {"monoids": b"4:wide,3:sum,"}),
    ("-c x -o sum", {"monoids": b"3:sum,4:wide,x"}),
    ("-c x,y -o sum", {"type": b"3:f64,3:f64,3:f64,x"}),
    ("-o rows --by x", {"keys": b"1:x,x"}), ("-o rows --by x", {"keys": b"1:x,1:"}),
    ("-o sum --by x -c y --where x>9", {"by_columns": 2}),
    ("-o sum --by x -c y --where x>9", {"pairing": 1, "paired": 2}),
    ("-o sum --by x -c y --where x>9", {"monoids": b"3:sum,4:wide,8:distinct,"}),
    ("-o sum --by x -c y --where x>9", {"keys": b"1:x," * 17})])
def test_questions_that_contradict_themselves(put, tmp_path, options, new):
    state = tmp_path / "state"
    path = put("d.csv", b"x,y\n1,2\n4,5\n")
    ok(*options.split(), "--save-state", state, path)
    fails(1, "--merge", put("x", changed(state.read_bytes(), new)), says="damaged")
    same = put("x", changed(state.read_bytes(), {"groups": 2 if "x,y -o sum" in options
                                                 else 1}))
    assert ok("--merge", same) == ok(*options.split(), path)


def test_keys_of_sixteen_columns(put):
    """There may be no more."""
    path, state = put("d.csv", b"\n".join([b"1," * 15 + b"2"] * 3)), put("s", b"")
    args = ["--header", "no", "--by", "1-16", "-o", "rows"]
    ok(*args, "--save-state", state, path)
    assert ok("--merge", state) == ok(*args, path)


@pytest.mark.parametrize("new, says", [
    ({}, ""), ({"names": b"1:y,"}, "the list of columns: 'x', not 'y'")])
@pytest.mark.parametrize("count, skipped", [(1, 0), (0, 1)])
def test_files_that_do_not_count_records(put, tmp_path, new, says, count, skipped):
    """As versions before 4 wrote, which count them in sums and skipped ones alone:
    they answer the whole question."""
    state = tmp_path / "state"
    ok("-c", "x", "-o", "sum", "--save-state", state, put("d.csv", b"x,y\n7,8\n"))
    whole = state.read_bytes()
    ok("-c", "x", "-o", "sum", "--header", "yes", "--save-state", state, put(
        "d.csv", b"x,y\n7,8\n" if count else b"x,y\n"))
    data = changed(state.read_bytes(), {"elements": 0, "skipped": skipped, **new})
    at = places(data)["part"]
    old = put("old", mended(data[:16] + b"\3\0\0\0" + data[20:at] + data[at + 16:]))
    if says:
        fails(2, "--merge", old, put("new", whole), says=says)
        fails(2, "--merge", put("new", whole), old, says="the list of columns")
    else:
        for pair in (old, put("new", whole)), (put("new", whole), old):
            assert run("--merge", *pair).out == f"{7 + 7 * count}\n"


@pytest.mark.parametrize("place, bytes_there, new, says", [
    ("version", 4, bytes(4), "have version 0, and"),
    ("version", 4, b"\5\0\0\0", "have version 5, and"),
    ("elements", 8, numbers(1), "damaged"),   # argmax is 1
    ("part", 16, numbers(2, 1), "damaged"), ("part", 16, numbers(0, 1), "damaged"),
    ("part", 16, numbers(1, 0), "damaged"), ("part", 16, numbers(1, 1), ""),
    ("rank", 4, b"\x40\0\0\0" + numbers(2, *[1] * 63), ""),
    ("rank", 4, b"\x41\0\0\0" + numbers(2, *[1] * 64), "damaged"),
    ("rank", 4, b"\2\0\0\0" + numbers(0, 2), "damaged"),
    ("rank", 4, b"\2\0\0\0" + numbers(2, 0), "damaged"),
    ("rank", 4, b"\2\0\0\0" + numbers(2**32, 2**32), "damaged"),
    ("rest", 0, b"\0", "damaged")])
def test_numbers_that_no_file_has(put, tmp_path, place, bytes_there, new, says):
    state = tmp_path / "state"
    ok("-o", "argmax", "-f", "raw", "--save-state", state, put("d.u8", b"\1\2"))
    data = state.read_bytes()
    at = places(data)[place] if place != "rest" else len(data) - 8
    x = put("x", mended(data[:at] + new + data[at + bytes_there:]))
    if says:
        fails(1, "--merge", x, says=says)
    else:
        assert ok("--merge", x) == "1\n"


@pytest.mark.parametrize("at, new, says", [
    (5, numbers(0), "damaged"), (5, numbers(1 << 62), "damaged"),
    (5, numbers(1 << 61), ""), (13, numbers(2), "damaged"), (13, numbers(1), ""),
    (21, numbers(2), "damaged"), (29, numbers(1), "damaged"), (4, b"b", "damaged"),
    (29, numbers(2**64 - 1), "damaged")])
def test_keys_that_no_data_have(put, tmp_path, at, new, says):
    """The rows of the key a, its first row, and the count of values and of bad
    cells of its column; and a key that is there twice."""
    state, op = tmp_path / "state", "sum" if at > 13 else "rows"
    ok("--by", "k", "-c", "x", "-o", op, "--save-state", state,
       put("d.csv", b"k,x\na,1\nb,3\n"))
    data = state.read_bytes()
    start = data.index(b"\1\0\0\0a", places(data)["rest"]) + at
    x = put("x", mended(data[:start] + new + data[start + len(new):]))
    if says:
        fails(1, "--merge", x, says=says)
    else:
        assert ok("--merge", x) == f"k\trows\na\t{1 << 61 * (at == 5)}\nb\t1\n"


@pytest.mark.parametrize("dtype, key, is_one", [
    ("i8", 2**63 - 128, True), ("i8", 2**63 - 129, False), ("i8", 2**63 + 127, True),
    ("i8", 2**63 + 128, False), ("u8", 255, True), ("u8", 256, False),
    ("u16", 2**16 - 1, True), ("u16", 2**16, False), ("i64", 0, True),
    ("i64", 2**63, True), ("f32", 0xbff0000000000000, True),
    ("f32", 0xbff0000000000001, False), ("f64", 2**63, True),
    ("f64", 2**63 - 1, False), ("f64", 2**64 - 1, True), ("f64", 2**64 - 2, False)])
def test_keys_that_no_element_has(put, tmp_path, dtype, key, is_one):
    """Keys of integers are their places in the order of their type's 64-bit
    one; those of floats the bits of an f64 in its order. -0 and other NaN have
    no key."""
    state = tmp_path / "state"
    ok("--keys", put("k." + dtype, bytes(8)[:int(dtype[1:]) // 8]), "-o", "sum",
       "--save-state", state, put("d.u8", b"\5"))
    data = state.read_bytes()
    at = data.index(b"\x08\0\0\0", places(data)["rest"] + 24) + 4
    x = put("x", mended(data[:at] + struct.pack(">Q", key) + data[at + 8:]))
    if is_one:
        assert ok("--merge", x).endswith("\t5\n")
    else:
        fails(1, "--merge", x, says="damaged")


@pytest.mark.parametrize("count", range(3))
def test_counts_that_no_data_have(put, tmp_path, count):
    """Of values, missing and bad cells. Sums of two such counts have over 64 bits."""
    state = tmp_path / "state"
    ok("-o", "rows", "-f", "raw", "--save-state", state, put("d.u8", bytes(77777)))
    data = state.read_bytes()
    at = data.rindex(struct.pack("<QQQ", 77777, 0, 0)) + 8 * count

    def crafted(bits):
        number = struct.pack("<Q", 1 << bits)
        return put(f"{bits}", mended(data[:at] + number + data[at + 8:]))

    assert int(ok("--merge", crafted(61))) >= 1 << 61
    for bits in 62, 63:
        fails(1, "--merge", crafted(bits), says="it is damaged")


def test_more_pairs_than_64_bits_count(put, tmp_path):
    """Of n columns, n (n + 1) / 2 = 6: that has two solutions in 64 bits."""
    state = tmp_path / "state"
    ok("-o", "corr", "--save-state", state, put("t.csv", b"a,b,c\n1,2,4\n2,3,7\n"))
    data = state.read_bytes()
    at = data.index(struct.pack("<3Q", 6, 3, 3)) + 16
    crafted = data[:at] + struct.pack("<q", -4) + data[at + 8:]
    fails(1, "--merge", put("x", mended(crafted)), says="it is damaged")


def test_bad_cells_of_binary_data():
    """A crafted file claims them, although only text has bad cells: the error
    must not look for a column of text."""
    fails(1, "--merge", SAVED / "bad", says="cells is bad: not a number")


AXES = "11:any reduced,6:3 kept,"


@pytest.mark.parametrize("name, old, new", [
    ("axes", AXES, "11:any reduced,6000:" + "3" * 6000 + ","),
    ("axes", AXES, AXES + "x"),
    ("axes", AXES, AXES + "5:1 red,"),
    ("axes", AXES, AXES.replace("3", "4")),
    ("axes", AXES, AXES.replace("6:3 kept", "5: kept")),
    ("axes", AXES, AXES.replace("any", "two")),
    ("axes", AXES, "11:any reduced," + "6:1 kept," * 99),
    ("texts", "1", "11"), ("texts", "4:note,", "4:note,x"),
    ("texts", "7:nunique,", "7:uniques,"), ("texts", "7:nunique,", "7:nunique,x"),
    ("texts", "7:nunique,", ""),
    ("texts", "7:nunique,", "40:" + "u" * 40 + ","),
    ("texts", "7:nunique,", "3:sum," * 99)],
    ids=lambda x: x[:30])
def test_questions_without_meaning(put, name, old, new):
    def text(x):
        return struct.pack("<I", len(x)) + x.encode()
    data = (SAVED / name).read_bytes()
    assert data.count(text(old)) == 1
    changed = put("x", mended(data.replace(text(old), text(new))))
    fails(1, "--merge", changed, says="its question has no meaning")


def test_files_of_version_1():
    """Files that version 1 wrote are read by every later one."""
    assert run("--merge", SAVED / "raw", SAVED / "raw", "-o",
               "n_nan,min,argmin,first,absmax").out == (
        "n_nan\t2\nmin\t-7.25\nargmin\t5\nfirst\t1.5\nabsmax\tinf\n")
    assert ok("--merge", SAVED / "columns", "-O", "csv",
              "-o", "count,n_missing,max,argmax,last") == (
        "column,count,n_missing,max,argmax,last\n"
        "price,5,0,nan,3,-1e+300\nqty,4,1,9007199254740993,2,-7\n")
    table = list(csv.reader(io.StringIO(run(
        "--merge", SAVED / "by", SAVED / "by", "-O", "csv", "-o",
        "sum,argmax").out)))
    assert table[0] == ["city", "day", "sum(price)", "argmax(price)",
                        "sum(qty)", "argmax(qty)"]
    assert table[3] == ["Rome", "1\n2", "25", "0", "6", "0"]
    assert [row[0] for row in table[1:]] == [
        "Oslo", "Rome", "Rome", "a city with a long name", ""]


@pytest.mark.skipif(not os.path.exists(FAKE), reason="no gpureduce_fake")
def test_the_devices_that_reduced(put, tmp_path):
    """--merge says whose states they are."""
    data, cpu, fake = put("d.u8", b"\1\2"), tmp_path / "cpu", tmp_path / "fake"
    for state in cpu, fake:
        ok("--device", state.name, "-o", "sum", "-f", "raw", "--save-state", state,
           data, program=FAKE)
    for states, device in (([cpu], "cpu"), ([fake], "fake"), ([cpu, cpu], "cpu"),
                           ([cpu, fake], "cpu+fake"), ([fake, cpu], "cpu+fake"),
                           ([cpu, cpu, fake], "cpu+fake")):
        out = run("--merge", *states, "--json", "-o", "sum", program=FAKE).out
        assert json.loads(out)["run"]["device"] == device, states


@pytest.mark.parametrize("name, options, out", [
    ("ranks", ["-o", "median,nunique,mode"],
     "column,median,nunique,mode\nprice,nan,4,1.5\nqty,4,4,4\n"),
    ("texts", [], "3\n"),
    ("axes", [], "axis1,sum,argmax,mode\n0,11,1,1.5\n1,nan,1,-2\n2,12,0,3\n"),
    ("elements", [], "key,sum,argmin\n-1,18,1\n3,10,2\n")])
def test_files_of_version_2(name, options, out):
    """Each is merged with itself. price is 1.5, -0, 1.5, nan, 1e300; the axes
    have the array [[1.5, -2, 3], [4, nan, 3]]; the elements 7, 9, -2 have the
    keys 3, -1, 3."""
    found = run("--merge", *options, *(["-O", "csv"] if "," in out else []),
                SAVED / name, SAVED / name)
    assert (found.rc, found.out) == (0, out)


def test_files_of_version_3():
    """Sums by key that a record holds and others: a has 1.5 and 0.1; b 1e300,
    -1e300 and 2.25; c -0; d nan; e no value; f inf; g 1e-30; h 2^53 + 1; and i
    that integer and its negative. The file is merged with itself."""
    assert run("--merge", SAVED / "sums", SAVED / "sums", "-O", "csv").out == (
        "k,sum(v)\na,3.2\nb,4.5\nc,-0\nd,nan\ne,0\nf,inf\ng,2e-30\n"
        "h,1.8014398509481984e+16\ni,0\n")


def test_files_of_version_4():
    """The second half of the elements 1, 2, 3 and 4."""
    found = run("--merge", SAVED / "part")
    assert (found.rc, found.out) == (0, "4\n")
    assert found.err.startswith("gpureduce: part 1 of 2 is missing")
