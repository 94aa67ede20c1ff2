# SPDX-License-Identifier: MIT
"""Good .npy files: versions, byte orders, memory orders, dimensions,
headers."""

import itertools

import numpy as np
import pytest

from harness import check, fails, gpus, ok, piped, value, values
from make import CODES, npy, npy_header, pack, random_raw, saved, swap
from oracle import ALL, DTYPES, OPS, decode

NUMPY_TYPES = list(CODES)


def file_of(raw, dtype, shape=None, order="<", **kw):
    size = DTYPES[dtype].size
    shape = f"({len(raw) // size},)" if shape is None else shape
    mark = "|" if size == 1 else order
    return npy(f"'{mark}{CODES[dtype]}'", shape, raw, **kw)


@pytest.mark.parametrize("dtype", NUMPY_TYPES)
@pytest.mark.parametrize("order", "<>")
@pytest.mark.parametrize("version", [1, 2, 3])
def test_versions_and_byte_orders(rng, put, dtype, order, version):
    raw = random_raw(rng, dtype, 333)
    elements = decode(raw, dtype)
    if order == ">":
        raw = swap(raw, dtype)
    path = put("a.npy", file_of(raw, dtype, order=order, version=version))
    assert len(np.load(path)) == 333
    check(elements, dtype, path, ops=ALL)


@pytest.mark.parametrize("dtype", NUMPY_TYPES)
def test_as_numpy_saves_it(rng, put, dtype):
    raw = random_raw(rng, dtype, 120)
    data = np.frombuffer(raw, "<" + CODES[dtype])
    check(decode(raw, dtype), dtype, put("a.npy", saved(data)), ops=ALL)
    check(decode(raw, dtype), dtype, put("b.npy", saved(data.reshape(4, 30))),
          ops=ALL)


@pytest.mark.parametrize("rank", range(6))
@pytest.mark.parametrize("fortran", [False, True])
def test_ranks(rng, put, rank, fortran):
    shape = tuple(range(2, 2 + rank))
    data = rng.permutation(int(np.prod(shape, dtype=int))).reshape(shape)
    data = np.array(data, "<i4", order="F" if fortran else "C")
    blob = saved(data)
    assert (b"'fortran_order': True" in blob) == (fortran and rank > 1)
    path = put("a.npy", blob)
    # the flat array in C order, as np.argmax and .ravel() use it
    check(data.ravel().tolist(), "i32", path, ops=ALL)


@pytest.mark.parametrize("shape", [(7, 5), (3, 4, 5), (1, 9), (9, 1),
                                   (2, 1, 3, 1, 4)])
def test_fortran_order_places(rng, put, shape):
    """arg* use NumPy's indexes, with ties and NaN, however the array is
    stored."""
    for data in (rng.integers(0, 6, shape).astype("<f8"),
                 np.where(rng.random(shape) < .2, np.nan, 1.0)):
        path = put("f.npy", saved(np.asfortranarray(data)))
        assert values("-o", "argmin,argmax", path) == {
            "argmin": str(np.argmin(data)), "argmax": str(np.argmax(data))}


def test_fortran_order_places_of_files(put):
    """The greatest is the first element of the second file, or a later one."""
    one = np.zeros((2, 3), order="F")
    for place, index in ((0, 0), 6), ((0, 1), 7), ((1, 2), 11):
        more = one.copy(order="F")
        more[place] = 1
        assert value("-o", "argmax", put("1.npy", saved(one)),
                     put("2.npy", saved(more))) == str(index)


# Arguments, and which elements they leave of the flat array.
CHOICES = [
    (["--where", "x == 4"], lambda x, i: x == 4),
    (["--where", "x != 4"], lambda x, i: x != 4),
    (["--where", "i % 3 == 1"], lambda x, i: i % 3 == 1),
    (["--where", "x > 1 && index() >= 9"], lambda x, i: (x > 1) & (i >= 9)),
    # beyond i64, so evaluated element by element
    (["--where", "i + 9223372036854775807 > 9223372036854775811"],
     lambda x, i: i > 4),
    (["--map", "x == 4 ? x : missing"], lambda x, i: x == 4),
    (["--map", "i % 2 == 0 ? missing : x"], lambda x, i: i % 2 == 1),
    (["--map", "x", "--where", "i > 5"], lambda x, i: i > 5),
]


@pytest.mark.parametrize("args, choose", CHOICES)
def test_fortran_order_with_expressions(rng, put, args, choose):
    """Indexes are those of C order in expressions, too, and in results of some
    of the elements, with ties, in one file and in two."""
    for shape, files in ((7, 5), 1), ((3, 4, 5), 2), ((90, 200), 1):
        data = rng.integers(0, 6, shape).astype("<i4")
        path = put("f.npy", saved(np.asfortranarray(data)))
        flat = np.tile(data.ravel(), files)
        kept = np.flatnonzero(choose(flat, np.arange(len(flat))))
        x = flat[kept]
        assert values("-o", "argmin,argmax,first,last,sum", "-j", "3",
                      "--chunk-size", "4K", *args, *[path] * files) == {
            "argmin": str(kept[x.argmin()]), "argmax": str(kept[x.argmax()]),
            "first": str(x[0]), "last": str(x[-1]), "sum": str(x.sum())}


def test_fortran_order_of_computed_integers(put):
    """The greatest are beyond 2^53, so they are not kept as f64."""
    data = np.array([[0, 3, 9], [9, 1, 2]], "<i2", order="F")
    assert values("--map", "9007199254740993 + x", "-o",
                  "argmin,argmax,last", put("f.npy", saved(data))) == {
        "argmin": "0", "argmax": "2", "last": "9007199254740995"}


def test_fortran_order_in_errors(put):
    data = np.array([[1, 2, 3], [np.nan, 5, 6]], "<f8", order="F")
    path = put("f.npy", saved(data))
    fails(1, "-o", "sum", "--nan", "error", "--where", "i > 0", path,
          says="element 3 is NaN")
    fails(1, "-o", "sum", "--map", "isnan(x) ? 1 % 0 * i : x", path,
          says="element 3: --map: an integer has no remainder")


@pytest.mark.parametrize("shape", ["(0,)", "(3, 0)", "(0, 0, 5)"])
def test_empty_arrays(put, shape):
    path = put("e.npy", npy("'<f4'", shape, b""))
    assert values("-o", "count,sum", path) == {"count": "0", "sum": "0"}
    fails(1, "-o", "max", path, says="--empty identity")


def test_rank_zero(put):
    path = put("s.npy", npy("'<f8'", "()", pack([2.5], "f64")))
    check([2.5], "f64", path, ops=OPS)


def test_header_padded_far(put):
    """A writer may pad the header up to the limit."""
    for version in 2, 3:
        text = "{'descr': '<i2', 'fortran_order': False, 'shape': (3,), }"
        blob = npy_header(text + " " * 60000, version) + pack([1, 2, 3], "i16")
        check([1, 2, 3], "i16", put("a.npy", blob), ops=ALL)


@pytest.mark.parametrize("text", [
    "{'descr': '<i2', 'fortran_order': False, 'shape': (3,)}",
    "{'shape': (3,), 'fortran_order': False, 'descr': '<i2'}",
    "{'fortran_order':False,'shape':(3,),'descr':'<i2',}",
    "{ 'descr' : '<i2' , 'fortran_order' : False , 'shape' : ( 3 , ) , }",
    '{"descr": "<i2", "fortran_order": False, "shape": (3,), }',
    "{'descr': '<i2', 'fortran_order': True, 'shape': (3,), }",
    "{'descr': '<i2', 'fortran_order': False, 'shape': (1, 3), }",
    "{'descr': '<i2', 'fortran_order': False, 'shape': (1, 3, ), }",
    "{'descr': '=i2', 'fortran_order': False, 'shape': (3,), }",
])
def test_header_spellings(put, text):
    """Spellings that NumPy reads as the same array."""
    blob = npy_header(text) + pack([7, -8, 9], "i16")
    path = put("a.npy", blob)
    assert np.load(path).ravel().tolist() == [7, -8, 9]
    check([7, -8, 9], "i16", path, ops=ALL)


@pytest.mark.parametrize("align", [1, 16, 64])
def test_alignment_of_old_and_new_writers(put, align):
    blob = npy_header("{'descr': '<f8', 'fortran_order': False, "
                      "'shape': (2,), }", align=align) + pack([1, 2], "f64")
    check([1.0, 2.0], "f64", put("a.npy", blob), ops=ALL)


def test_found_by_magic_not_by_name(rng, put):
    raw = random_raw(rng, "f64", 50)
    blob = file_of(raw, "f64")
    check(decode(raw, "f64"), "f64", put("no-suffix", blob), ops=ALL)
    check(decode(raw, "f64"), "f64", put("odd.i16", blob), ops=ALL)
    check(decode(raw, "f64"), "f64", "-f", "npy", put("x.bin", blob), ops=ALL)


@pytest.mark.parametrize("piece", [1, 7, 65537])
def test_from_a_pipe(rng, piece):
    raw = random_raw(rng, "f32", 700)
    for extra in ([], ["-f", "npy"], ["-"]):
        with piped(file_of(raw, "f32", "(70, 10)"), piece) as stdin:
            check(decode(raw, "f32"), "f32", *extra, stdin=stdin, ops=ALL)


def test_forced_raw(put):
    """-f raw reads all bytes, header included."""
    blob = file_of(b"\1\2\3", "u8")
    check(list(blob), "u8", "-f", "raw", "-t", "u8", put("a.npy", blob),
          ops=ALL)


def test_dtype_option_that_agrees(rng, put):
    raw = random_raw(rng, "i32", 20)
    path = put("a.npy", file_of(raw, "i32"))
    for name in "i32", "int32", "<i4":
        check(decode(raw, "i32"), "i32", "-t", name, path, ops=ALL)
    big = put("b.npy", file_of(swap(raw, "i32"), "i32", order=">"))
    check(decode(raw, "i32"), "i32", "-t", "i32", big, ops=ALL)


@pytest.mark.parametrize("other", ["f32", "i16", "u32", "i64"])
def test_dtype_option_that_disagrees(put, other):
    path = put("a.npy", file_of(b"\0" * 40, "i32"))
    fails(2, "-t", other, path, says=["a.npy", "i32"])


def test_several_as_one(rng, put):
    """Arrays of both byte orders and raw data make one dataset."""
    parts = [random_raw(rng, "f64", n) for n in (31, 1, 500, 8)]
    files = [put("a.npy", file_of(parts[0], "f64")),
             put("b.npy", file_of(swap(parts[1], "f64"), "f64", order=">")),
             put("c.f64", parts[2]),
             put("d.npy", file_of(parts[3], "f64", "(2, 2, 2)", version=2))]
    for order in itertools.permutations(range(4)):
        check(decode(b"".join(parts[i] for i in order), "f64"), "f64",
              *(files[i] for i in order), ops=ALL)


def test_types_must_agree(put):
    a = put("a.npy", file_of(b"\0" * 16, "i32"))
    b = put("b.npy", file_of(b"\0" * 16, "i64"))
    raw = put("c.f32", b"\0" * 16)
    fails(2, a, b, says=["a.npy", "b.npy"])
    fails(2, a, raw, says=["a.npy", "c.f32"])
    fails(2, raw, a, says=["a.npy", "c.f32"])
    assert value("-o", "count", a, a) == "8"


def test_skip_bytes_is_for_raw(put):
    path = put("a.npy", file_of(b"\0" * 16, "i32"))
    fails(2, "--skip-bytes", "4", path, says="skip-bytes")
    fails(2, "--skip-bytes", "4", "-f", "npy", path, says="skip-bytes")
    assert value("--skip-bytes", "16", "-f", "raw", "-t", "u8", "-o", "count",
                 path) == "128"


def test_larger_array(rng, put):
    data = rng.standard_normal((1500, 101)).astype("<f4")
    for blob in saved(data), saved(np.asfortranarray(data)):
        path = put("a.npy", blob)
        got = values("-j", "4", "--chunk-size", "64K", "-o",
                     "sum,argmax,argmin,max", path)
        assert got["argmax"] == str(np.argmax(data))
        assert got["argmin"] == str(np.argmin(data))
        assert got["sum"] == value("-t", "f32", "-o", "sum",
                                   put("raw", data.tobytes()))
        assert float(got["max"]) == float(str(data.max()))
    assert ok("-o", "count", path) == "151500\n"


@pytest.mark.parametrize("code", ["i2", "f4", "u8"])
@pytest.mark.parametrize("order, other", ["<>", "><"])
def test_an_order_that_the_header_denies(put, code, order, other):
    path = put("a.npy", saved(np.ones(2, order + code)))
    name = {"<": "little-endian", ">": "big-endian"}
    fails(2, "-t", other + code, "-o", "sum", path,
          says=f"are {name[order]}, but --dtype says {name[other]}")
    assert ok("-t", order + code, "-o", "sum", path) == "2\n"


def test_bytes_have_no_order(put):
    for order in "<>":
        path = put("a.npy", saved(np.array([1, -2], "i1")))
        assert ok("-t", order + "i1", "-o", "sum", path) == "-1\n"


@pytest.mark.parametrize("elements, args, want", [
    ([0, 1, 1], ["--map", "x ? 5 : 2", "-o", "sum,max"], "sum\t12\nmax\t5\n"),
    ([0, 1, 1], ["--map", "x", "-o", "sum"], "2\n"),
    ([0, 1, 1], ["--where", "x", "-o", "rows"], "2\n"),
    ([0, 2, 1], ["--map", "-x", "-o", "min"], None),
    ([0, 2, 1], ["--where", "x", "-o", "rows"], None),
    ([0, 2, 1], ["--reduce", "a || b", "--identity", "false"], None)])
def test_expressions_of_bools(put, elements, args, want):
    path = put("a.npy", saved(np.array(elements, "u1").view("?")))
    for device in [[], ["--device", "cuda"]][:1 + (gpus() > 0
                                                   and "--reduce" not in args)]:
        if want:
            assert ok(*args, *device, path) == want
        else:
            fails(1, *args, *device, path,
                  says=["element 1", "is 2, but a bool is 0 or 1"])


@pytest.mark.parametrize("large", [2**63, 2**63 + 1, 2**64 - 2])
def test_expressions_of_integers_beyond_63_bits(put, large):
    path = put("a.npy", saved(np.array([4, large], "u8")))
    assert ok("--where", "x > 5", "-o", "argmax,max", path) == \
        f"argmax\t1\nmax\t{large}\n"


def test_no_bools(put):
    """The least of none is the greatest bool."""
    path = put("a.npy", saved(np.array([], "?")))
    assert ok("-o", "min,max,absmin,absmax", "--empty", "identity", path) == (
        "min\t1\nmax\t0\nabsmin\t1\nabsmax\t0\n")


def test_bool_and_u8_are_two_types(put):
    a, b = put("a.npy", saved(np.ones(2, "u1"))), put("b.npy", saved(np.ones(2, "?")))
    assert fails(2, "-o", "sum", a, b) == (
        f"gpureduce: '{a}' is u8 but '{b}' is bool\n"
        "Give --dtype, or --per-file for a result each.\n"
        "Try 'gpureduce --help' for more information.\n")
