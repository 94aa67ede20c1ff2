# SPDX-License-Identifier: MIT
"""Safetensors files and .npz archives: a row of results for each array."""

import gzip
import io
import json
import math
import os
import struct
from fractions import Fraction

import numpy as np
import pytest

from harness import fails, ok, run, shell, value

CODES = {"F64": "f8", "F32": "f4", "F16": "f2", "I8": "i1", "I16": "i2",
         "I32": "i4", "I64": "i8", "U8": "u1", "U16": "u2", "U32": "u4",
         "U64": "u8", "BOOL": "u1"}
CENSUS = "count,n_nan,n_inf,sum,mean,min,max,argmax"


def model(tensors, pad=0, metadata=None):
    """A file of {name: (type, shape, bytes)}, in this order."""
    head, blob = {}, b""
    if metadata:
        head["__metadata__"] = metadata
    for name, (kind, shape, data) in tensors.items():
        head[name] = {"dtype": kind, "shape": list(shape),
                      "data_offsets": [len(blob), len(blob) + len(data)]}
        blob += data
    head = json.dumps(head).encode() + b" " * pad
    return struct.pack("<Q", len(head)) + head + blob


def small_float(bits, exponent, fraction, has_inf):
    """Returns the value of a float of 8 or 16 bits, given by its bits."""
    e = bits >> fraction & (1 << exponent) - 1
    f = bits & (1 << fraction) - 1
    sign = -1 if bits >> fraction + exponent else 1
    most = (1 << exponent) - 1
    if e == most and (has_inf or f == (1 << fraction) - 1):
        return math.nan if f or not has_inf else sign * math.inf
    bias = (1 << exponent - 1) - 1
    f, e = (f, 1) if e == 0 else (f + (1 << fraction), e)
    return sign * float(Fraction(f) * Fraction(2) ** (e - bias - fraction))


def every_type(rng):
    """Returns {name: (type, shape, bytes)} and the values of each."""
    tensors, values = {}, {}
    for kind, code in CODES.items():
        if code[0] == "f":
            a = rng.normal(size=(7, 30)).astype(code)
        else:
            most = 1 if kind == "BOOL" else 99
            a = rng.integers(0, most + 1, (7, 30)).astype(code)
        tensors["of." + kind] = (kind, a.shape, a.tobytes())
        values["of." + kind] = [v.item() for v in a.ravel()]
    for kind, width, layout in (("BF16", 2, (8, 7, True)),
                                ("F8_E4M3", 1, (4, 3, False)),
                                ("F8_E5M2", 1, (5, 2, True))):
        bits = rng.integers(0, 256**width, 300).astype(f"u{width}")
        tensors["of." + kind] = (kind, (10, 1, 30), bits.tobytes())
        values["of." + kind] = [small_float(int(b), *layout) for b in bits]
    tensors["none"], values["none"] = ("F32", (0, 5), b""), []
    tensors["one"], values["one"] = ("I16", (), b"\5\0"), [5]
    return tensors, values


def check_row(got, values):
    """Compares an element of the JSON output with Python's results for the
    values."""
    real = [v for v in values if not math.isnan(v)]
    finite = [v for v in real if not math.isinf(v)]
    assert got["count"] == len(values)
    assert got["n_nan"] == len(values) - len(real)
    assert got["n_inf"] == len(real) - len(finite)
    if not values or len(finite) < len(values):
        return
    total = sum(map(Fraction, values))
    assert Fraction(got["sum"]) == (total if isinstance(values[0], int)
                                    else Fraction(float(total)))
    assert got["mean"] == float(total / len(values))
    assert got["min"] == min(values) or abs(got["min"] - min(values)) < 1e-3
    assert got["argmax"]["index"] == values.index(max(values))


def rows_of(*args, **kwargs):
    return {r.pop("name"): r for r in json.loads(
        ok("--json", "--empty", "identity", *args, **kwargs))["results"]}


@pytest.mark.parametrize("more", [[], ["-j", "1"], ["--verify", "-j", "5"]])
def test_every_type(put, rng, more):
    tensors, values = every_type(rng)
    blob = model(tensors, 3, {"format": "pt"})
    path = put("m.safetensors", blob)
    rows = rows_of("-o", CENSUS, *more, path)
    assert list(rows) == list(tensors)
    for name, got in rows.items():
        check_row(got, values[name])
        if values[name]:
            place = got["argmax"]
            assert place["file"] == path
            data = tensors[name][2]
            width = len(data) // len(values[name])
            at = width * place["index"]
            assert blob[place["offset"]:][:width] == data[at:at + width]
    if more:
        return
    for name in tensors:
        alone = json.loads(ok("--json", "--empty", "identity", "-o", CENSUS,
                              f"{path}:{name}"))["results"][0]
        got = dict(rows[name])
        for r in alone, got:
            r["argmax"].pop("file") if isinstance(r["argmax"], dict) else None
        assert alone == got


def test_names(put, rng):
    a = {n: ("U8", (2,), bytes([i, 1])) for i, n in enumerate(
        ["w.0", "w.1", "b:c", "\u00e9\n", "*", "", "\U0001f600\U0010ffff"])}
    path = put("m.safetensors", model(a))
    for i, name in enumerate(a):
        assert value("-o", "sum", f"{path}:{name}") == str(i + 1)
    assert ok("-o", "sum", path + ":w*") == "name\tsum\nw.0\t1\nw.1\t2\n"
    assert ok("-o", "sum", path).splitlines()[4] == "\u00e9\\n\t4"
    assert value("-o", "sum", path + ":w.0", path + ":w.1") == "3"
    put("m.safetensors:w.1", struct.pack("<f", 7))
    assert value("-f", "raw", "-o", "sum", path + ":w.1") == "7"
    fails(2, path + ":v*", says=["no array 'v*'", "'w.0'"])
    fails(2, path + ":v", says=["no array 'v'", "'w.0'"])


@pytest.mark.parametrize("pattern, fit", [
    ("a[0].*", "a[0].x"), ("*?*", "?"), ("\\*", "\\"), ("*b*b", "abab bb"),
    ("ab*", "abab"), ("*ab", "abab"), ("*aba*", "abab"), ("b*b", "bb"),
    ("**b**a**", "abab"), ("?*", "?"),
    ("*a" * 12 + "*", "a" * 300)])
def test_patterns(put, pattern, fit):
    """Only * is special. Many of them take no longer than a few."""
    names = "a[0].x a0.x abab bb ? \\".split() + ["a" * 300]
    path = put("m.safetensors", model({n: ("U8", (1,), b"\1") for n in names}))
    assert set(rows_of("-o", "sum", f"{path}:{pattern}")) == set(fit.split())
    fails(2, f"{path}:{pattern}" + "*a" * 12 + "*z", says="no array")


def test_files(put, rng):
    one = put("a.safetensors", model({"x": ("U8", (2,), b"\1\2")}))
    two = put("b.st", model({"x": ("U8", (1,), b"\3"),
                             "y,z": ("I8", (1,), b"\4")}))
    want = f"{one}\tx\t3\n{two}\tx\t3\n{two}\ty,z\t4\n"
    assert ok("-o", "sum", one, two) == "file\tname\tsum\n" + want
    assert ok("-o", "sum", "--per-file", one, two) == "file\tname\tsum\n" + want
    assert ok("-o", "sum", "-O", "csv", two) == 'name,sum\nx,3\n"y,z",4\n'
    assert ok("-o", "sum", one) == "name\tsum\nx\t3\n"
    with open(one, "rb") as file:
        assert ok("-o", "sum", stdin=file) == "name\tsum\nx\t3\n"
    table = put("t.csv", b"a,b\n1,2\n")
    rows = ok("-o", "sum", "--per-file", one, table).splitlines()
    assert rows == ["file\tname\tcolumn\tsum", f"{one}\tx\t\t3",
                    f"{table}\t\ta\t1", f"{table}\t\tb\t2"]
    fails(2, one, table, says=["--per-file", "FILE:NAME"])
    packed = put("a.safetensors.gz", gzip.compress(open(one, "rb").read()))
    fails(2, packed, says="compressed data")
    fails(2, stdin=open(one, "rb").read(), says="a pipe")
    result = run("--assert", "max < 3", "-o", "sum", two)
    assert result.rc == 4 and "b.st:x" in result.err and "y,z" in result.out


def test_axes(put, rng):
    a = rng.integers(-9, 9, (4, 5), "i4")
    b = rng.integers(-9, 9, (3, 2, 2), "i4")
    path = put("m.safetensors", model({"a": ("I32", a.shape, a.tobytes()),
                                       "b": ("I32", b.shape, b.tobytes())}))
    rows = rows_of("-o", "sum", "--axis", "-1", path)
    assert rows["a"]["sum"] == a.sum(-1).tolist()
    assert rows["b"]["sum"] == b.sum(-1).tolist()
    out = ok("-o", "sum", "--axis", "0", path + ":a")
    assert out.split() == [str(x) for x in a.sum(0)]
    fails(2, "--axis", "0", "-o", "sum", path, says="-O json")


def test_many_tensors(put, rng):
    """More tensors than are reduced together, of sizes near those of
    chunks."""
    sizes = [int(n) for n in rng.integers(0, 300, 1200)]
    sizes[5], sizes[700], sizes[701] = 1100001, 70000, 65536
    arrays = [rng.integers(-1000, 1000, n, "i2") for n in sizes]
    tensors = {f"t{i}": ("I16", a.shape, a.tobytes())
               for i, a in enumerate(arrays)}
    path = put("m.safetensors", model(tensors, 1))
    want = "name\tcount\tsum\n" + "".join(
        f"t{i}\t{a.size}\t{a.sum(dtype='i8')}\n" for i, a in enumerate(arrays))
    for more in [], ["-j", "1"], ["-j", "9", "--chunk-size", "64K"]:
        assert ok("-o", "count,sum", *more, path) == want
    median = ok("-o", "median", path + ":t7*").splitlines()[1:]
    assert median == [f"t{i}\t{np.median(a):g}" for i, a in enumerate(arrays)
                      if str(i)[0] == "7"]


@pytest.mark.parametrize("op,arrays", [("sum", "xy"), ("median", "xy"), ("sum", "x")])
def test_open_files_run_out(put, op, arrays):
    """100 files of arrays work with a limit of 64 descriptors."""
    value = {"x": 1, "y": 2}
    blob = model({a: ("U8", (1,), bytes([value[a]])) for a in arrays})
    paths = [put(f"{i}.st", blob) for i in range(100)]
    result = shell(f'ulimit -n 64; exec "$0" -o {op} "$@"', *paths)
    assert result.rc == 0, result.err
    assert result.out.split("\n")[1:-1] == [
        f"{path}\t{a}\t{value[a]}" for path in paths for a in arrays]


@pytest.mark.parametrize("length", [0, 1, 100000001])
def test_raw_data_with_a_similar_start(put, length):
    """A header has 2 to 100,000,000 bytes."""
    data = struct.pack("<Q", length) + b'{"a": 1}' * 4
    assert ok("-o", "sum", put("d.u8", data)) == f"{sum(data)}\n"


@pytest.mark.parametrize("text", [b"{", b'{"', b"{}", b"{\t", b"{ ", b"{ \n"])
def test_integers_with_a_similar_start(put, text):
    """A header is JSON, which has no NUL, and one without tensors ends the file."""
    n = int.from_bytes(text, "little")
    for count in 2, 3, 5, 50, 51, 1 << 20:
        for more in [], [7], [7, 8, 9, 10, 11]:
            path = put("d.i64", struct.pack(f"<{2 + len(more)}q", count, n, *more))
            assert ok("-o", "sum", path) == f"{count + n + sum(more)}\n"


@pytest.mark.parametrize("metadata", [None, {"format": "pt"}])
@pytest.mark.parametrize("pad", [0, 6, 100])
def test_no_tensors(put, metadata, pad):
    path = put("d", model({}, pad, metadata))
    fails(1, path, says="holds no arrays")


def test_the_shortest_header(put):
    head = b'{"":{"dtype":"U8","shape":[],"data_offsets":[0,1]}}'
    path = put("d", struct.pack("<Q", len(head)) + head + b"\5")
    assert ok("-o", "sum", path) == "name\tsum\n\t5\n"
    # No header is shorter. What looks like one, with more after it, is raw data.
    path = put("e", struct.pack("<Q", len(head) - 1) + head + b"\5")
    assert ok("-t", "u8", "-o", "rows", path) == f"{len(head) + 9}\n"


def test_bad_bools(put):
    path = put("m.safetensors", model({"a": ("U8", (1,), b"\2"),
                                       "b": ("BOOL", (2,), b"\1\2"),
                                       "c": ("BOOL", (2,), b"\1\3")}))
    fails(1, "-o", "sum", path, says=["m.safetensors:b", "element 1 is 2"])


def test_a_member_of_what_is_no_safetensors(put):
    path = put("d.f32", bytes(8))
    fails(2, path + ":x", says="is neither an .npz archive nor safetensors, so it has")
    fails(1, "-f", "safetensors", path + ":x", says="malformed safetensors header")


def test_file_that_was_cut(put):
    """A file that lacks its last byte is refused."""
    path = put("m.safetensors", model({"a": ("U8", (9,), bytes(9))}))
    os.truncate(path, os.path.getsize(path) - 1)
    fails(1, path, says="truncated: 8 of the tensors' 9")


@pytest.mark.parametrize("save", [np.savez, np.savez_compressed])
def test_npz(put, rng, save):
    arrays = {"x": rng.integers(-9, 9, 5000, "i4"),
              "y": rng.normal(size=(3, 4)).astype(">f8"),
              "z": np.asfortranarray(rng.integers(0, 9, (30, 20), "u2"))}
    out = io.BytesIO()
    save(out, **arrays)
    path = put("a.npz", out.getvalue())
    for name in path, path + ":*":
        rows = rows_of("-o", CENSUS, name)
        assert list(rows) == list(arrays)
        for key, a in arrays.items():
            check_row(rows[key], [v.item() for v in a.ravel()])
    assert list(rows_of("-o", "sum", path + ":*x*")) == ["x"]
    fails(2, "-o", "sum", path + ":v*", says=["no array 'v*'", "'x'"])
    with open(path, "rb") as file:
        assert list(rows_of("-o", "sum", stdin=file)) == list(arrays)
    out = io.BytesIO()
    save(out, **{f"a{i}": np.array([i]) for i in range(100)})
    result = shell('ulimit -n 64; exec "$0" -o sum "$@"',
                   put("many.npz", out.getvalue()))
    assert result.out == "name\tsum\n" + "".join(
        f"a{i}\t{i}\n" for i in range(100)), result.err
    out = io.BytesIO()
    a = np.array([[3, 1, 2], [6, 9, 5]])
    save(out, c=a, f=np.asfortranarray(a), d=a)
    assert ok("-j", "1", "-o", "argmin,argmax",
              put("orders.npz", out.getvalue())) == (
        "name\targmin\targmax\nc\t1\t4\nf\t1\t4\nd\t1\t4\n")
