# SPDX-License-Identifier: MIT
"""Bad .npy files: each is refused, with a reason."""

import io
import struct

import numpy as np
import pytest

import oracle
from harness import assert_failed, fails, run, value
from make import npy, npy_header, pack, saved

DATA = pack([1, 2, 3, 4], "i32")
GOOD = npy("'<i4'", "(4,)", DATA)


def refused(blob, put, says=()):
    """Exit 1 with the file's name, as a file and through a pipe, by magic and
    by -f npy."""
    path = put("bad.npy", blob)
    err = fails(1, path, says=["bad.npy", *says])
    fails(1, "-f", "npy", path, says=["bad.npy", *says])
    fails(1, "-f", "npy", stdin=blob, says=says)
    return err


@pytest.mark.parametrize("length", [6, 7, 8, 9, 10, 11, 40, len(GOOD) - 17,
                                    len(GOOD) - 16, len(GOOD) - 15,
                                    len(GOOD) - 4, len(GOOD) - 1])
def test_truncated(put, length):
    refused(GOOD[:length], put)


def test_truncated_under_each_version(put):
    for version in 1, 2, 3:
        blob = npy("'<i4'", "(4,)", DATA, version)
        refused(blob[:11], put)
        refused(blob[:-1], put)
        refused(blob[:-16], put)


@pytest.mark.parametrize("extra", [b"\0", b"\n", b"\0" * 4, b"x" * 70000])
def test_trailing_bytes(put, extra):
    refused(GOOD + extra, put)
    refused(npy("'<i4'", "(0,)", b"") + extra, put)


@pytest.mark.parametrize("descr,name", [
    ("'|O'", "|O"), ("'|b2'", "|b2"), ("'<c8'", "<c8"), ("'<c16'", "<c16"),
    ("'<U3'", "<U3"), ("'|S5'", "|S5"), ("'|V2'", "|V2"), ("'<f16'", "<f16"),
    ("'<M8[ns]'", "<M8[ns]"), ("'<m8[s]'", "<m8[s]"),
    ("[('a', '<i4'), ('b', '<f4')]", "<i4"), ("'<i3'", "<i3"),
    ("'<i16'", "<i16"), ("'<f9'", "<f9"), ("'<i44'", "<i44"), ("''", ""),
    ("'<'", "<"), ("'i'", "i"), ("None", ""), ("4", ""),
])
def test_unsupported_types(put, descr, name):
    refused(npy(descr, "(1,)", b"\0" * 16), put, says=[name])


def test_a_long_list_of_types_is_cut(put):
    descr = "[" + "('a', '<i4'), " * 9 + "('a', '<i4')]"
    err = refused(npy(descr, "(1,)", b"\0" * 40), put)
    assert descr[:127].replace("'", "\\'") + "'\n" in err, err


def test_types_as_numpy_saves_them(put):
    for data in (np.array(["abc"]),
                 np.array([1j]), np.array([(1, 2.0)], "i4,f8"),
                 np.array(["2024-01-01"], "M8[D]")):
        refused(saved(data), put)
    out = io.BytesIO()
    np.save(out, np.array([None, {}], object), allow_pickle=True)
    refused(out.getvalue(), put, says=["O"])


@pytest.mark.parametrize("shape", [
    "(-1,)", "(-4, -1)", "(1.5,)", "('4',)", "(4", "4,)", "[4]", "(4)", "4",
    "(,)", "(4,,)", "(4 4)", "None", "(None,)", "(4e0,)", "(True,)",
    "(18446744073709551616,)", "(18446744073709551617, 4)",
    "(4294967296, 4294967296)", "(4611686018427387904, 4)",
    "(9223372036854775807, 2)", "(4611686018427387905,)",
    "(1152921504606846976, 16)", "(5,)", "(3,)", "(4, 2)",
    "(" + "1, " * 20000 + "9)", "(4,), 'x': (4,)", "(4,), 'shape': (3,)",
])
def test_bad_shapes(put, shape):
    for data in DATA, b"":  # without data no other check refuses it
        refused(npy("'<i4'", shape, data, 1 if len(shape) < 60000 else 2), put)


@pytest.mark.parametrize("text", [
    "", " ", "{}", "{", "}", "None", "[]", "()", "{'descr': '<i4'}",
    "{'descr': '<i4', 'fortran_order': False}",
    "{'descr': '<i4', 'shape': (4,)}",
    "{'fortran_order': False, 'shape': (4,)}",
    "{'descr': '<i4', 'fortran_order': 0, 'shape': (4,)}",
    "{'descr': '<i4', 'fortran_order': 'False', 'shape': (4,)}",
    "{'descr': '<i4', 'fortran_order': Maybe, 'shape': (4,)}",
    "{'descr': '<i4', 'fortran_order': False, 'shape': (4,)",
    "{'descr': '<i4', 'fortran_order': False, 'shape': (4,)} x",
    "{'descr': '<i4', 'fortran_order': False, 'shape': (4,)}}",
    "{'descr': '<i4 'fortran_order': False, 'shape': (4,)}",
    "{'descr': '<i4', 'fortran_order': False, 'shape': (4,), 'more': 1}",
    "{'descr' '<i4', 'fortran_order': False, 'shape': (4,)}",
    "{descr: '<i4', 'fortran_order': False, 'shape': (4,)}",
    "{'descr': '<i4', 'fortran_order': False, 'shape': (4,), 'descr",
    "x = {'descr': '<i4', 'fortran_order': False, 'shape': (4,)}",
    "\0\0\0\0", "{'descr': '<i4\0', 'fortran_order': False, 'shape': (4,)}",
    "(" * 5000, "[" * 60000, "{'descr': " * 900, "'" + "a" * 9000,
    "{'descr': '" + "<" * 30000 + "i4', 'fortran_order': False}",
])
def test_garbage_headers(put, text):
    refused(npy_header(text) + DATA, put)


@pytest.mark.parametrize("version", [0, 4, 9, 255])
def test_unknown_versions(put, version):
    for at in (6, 7) if version else (6,):     # numpy has no version 1.4
        blob = bytearray(GOOD)
        blob[at] = version
        refused(bytes(blob), put, says=["version"])


def test_header_length_that_lies(put):
    text = "{'descr': '<i4', 'fortran_order': False, 'shape': (4,), }"
    for version, lengths in ((1, (0, 1, 10, 56, 65535)),
                             (2, (0, 9, 65537, 2**31, 2**32 - 1))):
        for length in lengths:
            refused(npy_header(text, version, length=length) + DATA, put)


def test_header_over_the_cap(put):
    """65536 bytes of header are read; one block more is refused."""
    text = "{'descr': '<i4', 'fortran_order': False, 'shape': (4,), }"
    at_cap = npy_header(text + " " * (65536 - len(text) - 1), 2, align=1)
    assert struct.unpack("<I", at_cap[8:12]) == (65536,)
    assert value("-o", "sum", put("cap.npy", at_cap + DATA)) == "10"
    over = npy_header(text + " " * (65536 - len(text)), 2, align=1)
    refused(over + DATA, put)
    # the claimed length allocates no memory
    refused(npy_header(text, 2, length=2**32 - 1), put)


def test_claims_of_huge_data_cost_nothing(put):
    for shape in "(1099511627776,)", "(2305843009213693951,)":
        refused(npy("'<f4'", shape, b"\0" * 64), put)


def test_control_bytes_of_a_header_stay_off_the_terminal(put):
    for junk in "\x1b[31m", "\a\b\r", "\x9b2J", "\x7f":
        refused(npy(f"'<i4{junk}'", "(4,)", DATA), put)
        refused(npy_header(junk * 20) + DATA, put)
        refused(npy("'<i4'", f"(4,), '{junk}': 1", DATA), put)


@pytest.mark.parametrize("blob", [b"", b"\x93", b"\x93NUMP", b"NUMPY\1\0",
                                  b"\x93NUMPX\1\0", b"\0" * 64])
def test_no_magic_under_forced_npy(put, tmp_path, blob):
    put(".npy", blob)
    fails(1, ".npy", cwd=tmp_path, says="'.npy'")   # no more than the suffix
    fails(1, "-f", "npy", put("x.bin", blob), says="x.bin")
    fails(1, put("x.npy", blob), says="x.npy")      # the suffix says npy
    fails(1, "-f", "npy", stdin=blob)


def test_one_bad_file_spoils_all(put):
    good, bad = put("good.npy", GOOD), put("bad.npy", GOOD[:-1])
    for files in ((good, bad), (bad, good), (good, bad, good)):
        fails(1, *files, says="bad.npy")
        fails(1, "--per-file", *files, says="bad.npy")


EDITS = [("<i4", ">i4"), ("<i4", "<u4"), ("<i4", "<f4"), ("<i4", "<i2"),
         ("(4,)", "(2, 2)"), ("(4,)", "(4, )"), ("(4,)", "(1, 4, 1)"),
         ("False", "True"), (": ", ":"), (", ", " ,"), ("'", '"'),
         ("(4,)", "(8,)"), ("(4,)", "(3,)"), (", }", "}")]


def mutant(rnd):
    """A header with plausible edits, then with bytes changed, dropped or
    doubled."""
    text = "{'descr': '<i4', 'fortran_order': False, 'shape': (4,), }"
    for old, new in rnd.sample(EDITS, rnd.randrange(4)):
        text = text.replace(old, new)
    blob = bytearray(npy_header(text, rnd.choice((1, 1, 2, 3))))
    for _ in range(rnd.choice((0, 1, 1, 2))):
        at = rnd.randrange(len(blob))
        kind = rnd.random()
        if kind < .6:
            blob[at] = rnd.choice(b"{}()[],:'\"\\ 0123456789<>|=iufbO\0\n"
                                  + bytes([rnd.randrange(256)]))
        elif kind < .8:
            del blob[at]
        else:
            blob.insert(at, blob[at])
    return bytes(blob) + DATA


def test_mutated_headers(rnd, put):
    """Refused, or the array that NumPy finds in the same bytes. Never a crash
    or another answer."""
    accepted = 0
    for _ in range(500):
        blob = mutant(rnd)
        path = put("m.npy", blob)
        result = run("-f", "npy", "-o", "count,sum,argmax", path)
        if result.rc != 0:
            assert_failed(result, 1, says="m.npy")
            continue
        accepted += 1
        with open(path, "rb") as file:
            data = np.lib.format.read_array(file)
            assert file.read() == b"", blob
        dtype = f"{data.dtype.kind}{8 * data.dtype.itemsize}"
        want = oracle.reduce(data.ravel().tolist(), dtype)
        assert result.out == "".join(
            f"{op}\t{want[op]}\n" for op in ("count", "sum", "argmax")), blob
    print(f"{accepted} of 500 accepted")
    assert accepted > 50        # otherwise only refusals are tested
