# SPDX-License-Identifier: MIT
"""Results by the keys of a second file: --keys. The oracle is a dict of the
values of each key, whose results are made in Python's integers and fractions
(oracle.py)."""

import json
import math
import struct

import numpy as np
import pytest

import make
import oracle
from harness import fails, gpus, ok, run

CODES = {"f32": "f", "f64": "d", "i8": "b", "u8": "B", "i16": "h", "i32": "i",
         "u32": "I", "i64": "q", "u64": "Q"}
EDGES = {"i64": [-2**63, 2**63 - 1, 2**53 + 1, 2**53, -2**53, -2**53 - 1],
         "u64": [2**64 - 1, 2**63, 2**63 - 1, 0], "i8": [-128, 127],
         "f32": [math.nan, -0.0, 0.0, math.inf, -math.inf, 0.10000000149011612],
         "f64": [math.nan, -0.0, 0.0, 0.1, 5e-324, -1.7976931348623157e308]}


def pack(dtype, values, order="<"):
    return struct.pack(f"{order}{len(values)}{CODES[dtype]}", *values)


def npy(dtype, values, order="<"):
    code = CODES[dtype]
    kind = "f" if code in "fd" else "u" if code.isupper() else "i"
    descr = f"{order}{kind}{struct.calcsize(code)}"
    head = (f"{{'descr': '{descr}', 'fortran_order': False, "
            f"'shape': ({len(values)},), }}").encode()
    head += b" " * (63 - (10 + len(head)) % 64) + b"\n"
    return (b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head
            + pack(dtype, values, order))


def draw_keys(rnd, dtype, n):
    few = EDGES.get(dtype, []) + [rnd.randrange(100) for _ in range(9)]
    many = [float(x) if dtype[0] == "f" else x for x in few]
    return [rnd.choice(many) for _ in range(n)]


def grouped(keys, values):
    """Returns the values and indexes of each key, in the order of the data."""
    groups = {}
    for i, (key, value) in enumerate(zip(keys, values)):
        key = "nan" if key != key else key + 0 if key else 0
        groups.setdefault(key, []).append((value, i))
    return groups


def ordered(groups):
    return sorted(groups, key=lambda key: (key == "nan", 0 if key == "nan" else key))


OPS = "rows count sum mean min max argmin argmax first last var l1 absmax".split()


@pytest.mark.parametrize("key_type, value_type, is_npy, options", [
    ("i64", "f32", False, []), ("u64", "f64", True, ["--order", "first"]),
    ("f32", "i16", False, []), ("f64", "i64", True, []),
    ("i8", "u32", True, []),
])
def test_keys(rnd, put, key_type, value_type, is_npy, options):
    n = 40_000
    keys = draw_keys(rnd, key_type, n)
    values = [rnd.randrange(-999, 999) / 8 for _ in range(n)]
    if value_type[0] != "f":
        low = 0 if value_type[0] == "u" else -30000
        values = [rnd.randrange(low, 30000) for _ in range(n)]
    if is_npy:
        order = rnd.choice("<>")
        key_path = put("k.npy", npy(key_type, keys, order))
        path = put("v.npy", npy(value_type, values, order))
    else:
        key_path = put(f"k.{key_type}", pack(key_type, keys))
        path = put(f"v.{value_type}", pack(value_type, values))
    args = ["--keys", key_path, "-o", ",".join(OPS), *options]
    out = ok(*args, "-j1", path)
    groups = grouped(keys, values)
    order = list(groups) if options else ordered(groups)
    lines = [line.split("\t") for line in out.splitlines()]
    assert lines[0] == ["key", *OPS]
    assert [line[0] if line[0] == "nan" else
            struct.unpack("f", struct.pack("f", float(line[0])))[0]
            if key_type == "f32" else
            float(line[0]) if key_type == "f64" else int(line[0])
            for line in lines[1:]] == order
    for key, line in zip(order, lines[1:]):
        of_key = [x for x, _ in groups[key]]
        want = oracle.reduce(of_key, value_type, "propagate",
                             [op for op in OPS if op != "rows"])
        want["rows"] = str(len(of_key))
        for op in ("argmin", "argmax"):
            want[op] = str(groups[key][int(want[op])][1])
        for op, have in zip(OPS, line[1:]):
            assert oracle.matches(have, str(want[op])), (key, op, have)
    for more in (["-j3", "--chunk-size", "4K"], ["--verify"]):
        assert ok(*args, *more, path) == out
    with open(path, "rb") as data:
        if is_npy:
            assert ok(*args, stdin=data.read()) == out


def test_expressions_and_many_files(put):
    keys = put("k.bin", pack("u8", [1, 2, 1, 2, 3]))
    args = ["--keys", keys, "--keys-dtype", "u8"]
    a, b = put("a.i32", pack("i32", [5, 6])), put("b.i32", pack("i32", [7, 8, 9]))
    assert ok(*args, "-o", "sum", a, b) == "key\tsum\n1\t12\n2\t14\n3\t9\n"
    assert ok(*args, "--where", "x > 5", "-o", "sum,rows,argmin", a, b) == (
        "key\tsum\trows\targmin\n1\t7\t1\t2\n2\t14\t2\t1\n3\t9\t1\t4\n")
    assert ok(*args, "--map", "x * x", "-o", "sum", a, b) == (
        "key\tsum\n1\t74\n2\t100\n3\t81\n")
    assert ok(*args, "--map", "x / 2", "-o", "prod", a, b) == (
        "key\tprod\n1\t8.75\n2\t12\n3\t4.5\n")
    assert ok(*args, "-o", "rows", a, b) == "key\trows\n1\t2\n2\t2\n3\t1\n"
    assert ok(*args, "-o", "prod", "-O", "csv", a, b) == (
        "key,prod\n1,35\n2,48\n3,9\n")
    assert ok(*args, "-o", "median,nunique", a, b) == (
        "key\tmedian\tnunique\n1\t6\t2\n2\t7\t2\n3\t9\t1\n")
    parts = json.loads(ok(*args, "-o", "max", "--json", a, b))["results"]
    assert [(part["by"], part["max"]) for part in parts] == [
        ({"key": 1}, 7), ({"key": 2}, 8), ({"key": 3}, 9)]
    c, f = (put(f"{name}.npy", make.npy("'<f4'", "(2, 2)", pack("f32", range(4)),
                                        fortran=name == "f")) for name in "cf")
    fails(2, "--keys", put("k.u8", bytes(8)), "-o", "sum", c, f, says="f.npy': --keys "
          "with data in Fortran order is not available yet")
    assert f"keys\t'{keys}', u8" in ok(*args, "-o", "sum", "--explain", a, b)


def test_sums_of_every_exponent(put):
    """Of f32: a key for each."""
    values = [s * 1.5 * 2.0**e for e in range(-148, 127) for s in (1, -1)]
    keys = put("k.u32", pack("u32", range(len(values))))
    out = ok("--keys", keys, "-o", "sum", put("v.f32", pack("f32", values)))
    assert [float(line.split("\t")[1]) for line in out.splitlines()[1:]] == values


V = ["v.f32"]
# Arguments, status, and a part of the message.
REFUSED = [
    (["--keys", "k.u8"], 1,
     "'k.u8': it has 3 keys, but the data have 4 elements"),
    (["--keys", "empty.u8"], 1, "it has 0 keys, but the data have 4 elements"),
    (["--keys", "k.bin"], 2, "give --keys-dtype"),
    (["--keys", "k.csv"], 2, "but this is text"),
    (["--keys", "odd.i32"], 1, "its 5 bytes are not a whole number of i32"),
    (["--keys", "none.u8"], 1, "cannot be opened"),
    (["--keys", "four.u8", "-o", "cov"], 2, "cov and corr need two columns"),
    (["--keys", "four.u8", "--by", "k"], 2, "--by and --keys exclude"),
    (["--keys", "four.u8", "--per-file"], 2, "--keys and --per-file exclude"),
    (["--keys", "four.u8", "--axis", "0"], 2, "--keys and --axis exclude"),
    (["--keys", "four.u8", "-t", "f8e4m3"], 2, "--map x reads them as f64"),
    (["--keys", "four.u8", "-t", "f8e4m3", "--where", "x > 0"], 2,
     "--map x reads them as f64"),
    (["--keys", "four.u8", "-t", "bool"], 1, "but a bool is 0 or 1"),
    (["--keys", "four.u8", "-t", "bool", "-o", "rows"], 1, "but a bool is 0 or 1"),
    (["--keys", "four.u8", "-o", "rows", "--nan", "error"], 1, "element 3 is NaN"),
    (["--keys-dtype", "u8"], 2, "--keys-dtype is the type of --keys FILE"),
]


@pytest.mark.parametrize("args, rc, says", REFUSED)
def test_refused(put, args, rc, says, monkeypatch):
    path = put("v.f32", pack("f32", [1, 2, 3, math.nan]))
    if "f8e4m3" in args or "bool" in args:
        path = put("v.raw", bytes([1, 2, 1, 1]))
    put("k.u8", bytes(3))
    put("four.u8", bytes(4))
    put("empty.u8", b"")
    put("k.bin", bytes(4))
    put("k.csv", b"k\n1\n2\n")
    put("odd.i32", bytes(5))
    monkeypatch.chdir(path.rsplit("/", 1)[0])
    fails(rc, *args, *([] if "-o" in args else ["-o", "sum"]), path, says=says)


@pytest.mark.parametrize("dtype, byte, key", [
    ("f8e4m3", 0xf3, "-176"), ("f8e4m3", 0xfe, "-448"), ("f8e4m3", 0xf1, "-144"),
    ("f8e5m2", 0xfb, "-57344"), ("f8e5m2", 0xb6, "-0.375")])
def test_keys_of_8_bit_floats(put, dtype, byte, key):
    """They are printed as f32, as elements are: -176 was -180."""
    keys, state = put("k", bytes([byte])), put("s", b"")
    args = ["--keys", keys, "--keys-dtype", dtype, "-t", "u8", "-f", "raw"]
    assert ok(*args, "-o", "sum", put("v", b"\5")) == f"key\tsum\n{key}\t5\n"
    ok(*args, "-o", "sum", "--save-state", state, put("v", b"\5"))
    assert ok("--merge", state) == f"key\tsum\n{key}\t5\n"
    assert ok("-f", "raw", "-t", dtype, "-o", "max", keys) == key + "\n"


def test_keys_of_bools(put):
    data = put("v.u8", bytes(range(1, 8)))
    keys = put("k.npy", make.npy("'|b1'", "(7,)", bytes([1, 0, 1, 1, 0, 0, 1])))
    assert ok("--keys", keys, "-o", "sum", data) == "key\tsum\n0\t13\n1\t15\n"
    bad, long = put("k.raw", bytes(39_999) + b"\3"), put("l.u8", bytes(40_000))
    fails(1, "--keys", bad, "--keys-dtype", "bool", "-o", "sum", "--chunk-size", "4K",
          long, says=f"'{bad}': key 39999 is 3, but a bool is 0 or 1; of raw data")
    none = put("none.u8", b"")
    assert ok("--keys", none, "--keys-dtype", "u8", "-o", "sum", none) == "key\tsum\n"
    fails(1, "--keys", none, "--keys-dtype", "u8", "-o", "sum", data,
          says="it has 0 keys, but the data have 7 elements")


def test_lengths_of_pipes(put):
    data = pack("f32", [1, 2, 3, 4])
    for n, has in ((3, "more"), (5, "4")):
        for more in [], ["--save-state", put("state", b"")]:
            fails(1, "-t", "f32", "-o", "sum", "--keys", put("k.u8", bytes(n)),
                  *more, stdin=data,
                  says=f"{n} keys, but the data have {has} elements")
    fails(2, "-o", "sum", "--keys", put("k.u8", bytes(2)),
          put("t.csv", b"x\n1\n"), says="say --by COLUMNS")


@pytest.mark.skipif(not gpus(), reason="no GPU")
@pytest.mark.parametrize("key_type, value_type", [
    ("i64", "f64"), ("f32", "i16"), ("u8", "f32"), ("f64", "u64"),
    ("i16", "i8"), ("u64", "i64")])
def test_on_the_gpu(rnd, put, key_type, value_type):
    """One GPU gives the CPU's results, for values that the device can add and
    for those that it leaves to the host."""
    n = 300_000
    keys = draw_keys(rnd, key_type, n)
    if value_type[0] == "f":
        odd = [x for x in EDGES[value_type] if x == x]
        values = [rnd.choice(odd) if i % 50 == 0 else rnd.gauss(0, 9)
                  for i in range(n)]
    else:
        low, high = {"i16": (-2**15, 2**15), "i8": (-128, 128),
                     "u64": (0, 2**64), "i64": (-2**63, 2**63)}[value_type]
        values = [rnd.randrange(low, high) for _ in range(n)]
    args = ["--keys", put(f"k.{key_type}", pack(key_type, keys))]
    path = put(f"v.{value_type}", pack(value_type, values))
    for ops in ("sum,mean,min,argmin,max,argmax,count,rows", "first", "median"):
        for more in [], ["--order", "first", "--chunk-size", "64K"]:
            want = ok("--device", "cpu", "-o", ops, *args, *more, path)
            assert ok("--device", "gpu", "-o", ops, *args, *more, path) == want


@pytest.mark.skipif(not gpus(), reason="no GPU")
def test_more_keys_than_a_gpu_takes(rnd, put):
    keys = [rnd.randrange(200_000) for _ in range(400_000)]
    args = ["--keys", put("k.u32", pack("u32", keys)), "-o", "sum,argmin",
            put("v.i32", pack("i32", [i % 977 - 400 for i in range(400_000)]))]
    assert ok("--device", "gpu", *args) == ok("--device", "cpu", *args)
    assert "device\tcuda:0" in ok("--device", "gpu", "--explain", *args)


def test_standard_input_cannot_be_keys_and_data():
    for files in [], ["-"]:
        fails(2, "--keys", "-", "--keys-dtype", "u8", "-t", "u8", *files,
              stdin=b"\0\1\1", says="standard input ('-') can be read only once")


def test_shapes(put):
    """Keys of a transposed array would be those of other elements."""
    data = put("d.npy", make.saved(np.arange(6).reshape(2, 3)))
    keys = np.array([0, 1, 0, 0, 1, 1], "u1")
    out = "key\tsum\n0\t5\n1\t10\n"
    for shape in (2, 3), (6,):
        path = put("k.npy", make.saved(keys.reshape(shape)))
        assert ok("--keys", path, "-o", "sum", data) == out
    for shape in (3, 2), (1, 6), (2, 3, 1):
        path = put("k.npy", make.saved(keys.reshape(shape)))
        fails(2, "--keys", path, "-o", "sum", data, says="not that of the data")
    # Elements of one axis, or of several FILEs, have no shape to agree with.
    path = put("k.npy", make.saved(keys.reshape(3, 2)))
    flat = put("f.npy", make.saved(np.arange(6)))
    assert ok("--keys", path, "-o", "sum", flat) == out
    parts = [put(f"{n}.npy", make.saved(np.arange(n, n + 3).reshape(1, 3)))
             for n in (0, 3)]
    assert ok("--keys", path, "-o", "sum", *parts) == out
