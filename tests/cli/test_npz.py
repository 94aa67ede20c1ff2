# SPDX-License-Identifier: MIT
"""NumPy's .npz and other zip archives: good ones by NumPy and zipfile, bad
ones made by hand."""

import io
import json
import os
import struct
import zipfile
import zlib

import numpy as np
import pytest

from harness import assert_failed, fails, ok, run, value, values
from make import saved
from packed import Zip, deflate

OPS = "count,sum,max,argmin,argmax"


def want(a):
    return {"count": str(a.size), "sum": str(int(a.sum(dtype="i8"))),
            "max": str(a.max()), "argmin": str(a.argmin()),
            "argmax": str(a.argmax())}


def npz(compressed=False, **arrays):
    out = io.BytesIO()
    (np.savez_compressed if compressed else np.savez)(out, **arrays)
    return out.getvalue()


@pytest.mark.parametrize("compressed", [False, True])
@pytest.mark.parametrize("n", [1, 1000, 2000000])
def test_one_array(put, rng, n, compressed):
    a = rng.integers(-1000, 1000, n, "i4")
    path = put("a.npz", npz(compressed, a=a))
    for args in [], ["-j", "1"], ["-j", "7", "--chunk-size", "64K"], [
            "--verify"]:
        assert values("-o", OPS, *args, path) == want(a)
    with open(path, "rb") as file:
        assert values("-o", OPS, stdin=file) == want(a)
        assert file.read() == b""


@pytest.mark.parametrize("compressed", [False, True])
def test_named_arrays(put, rng, compressed):
    arrays = {"first": rng.integers(0, 99, 5000, "u2"),
              "a:b": rng.integers(0, 99, 70, "i8"),
              "x.npy": rng.integers(0, 99, 33, "i1"),
              "empty": np.zeros(0, "f4")}
    path = put("a.npz", npz(compressed, **arrays))
    for name, a in arrays.items():
        if not a.size:
            assert value("-o", "count", f"{path}:{name}") == "0"
            continue
        assert values("-o", OPS, f"{path}:{name}") == want(a)
        assert values("-o", OPS, f"{path}:{name}.npy") == want(a)
    assert ok("-o", "count", path) == "name\tcount\n" + "".join(
        f"{name}\t{a.size}\n" for name, a in arrays.items())
    fails(2, "--bad", "skip", path, says="--bad is for text")
    fails(2, path + ":second", says=["no 'second'", "'first'"])
    fails(2, path + ":", says="'first'")
    names = [f"{path}:first", f"{path}:a:b"]
    rows = ok("--per-file", "-o", "sum", names[0], names[0])
    assert rows.splitlines()[1] == f"{names[0]}\t{arrays['first'].sum()}"
    assert value("-o", "sum", names[1], names[1]) == str(
        2 * arrays["a:b"].sum())


def test_arrays_of_several_types_by_one_thread(put, rng):
    """A thread goes on from array to array, and must not take one for another."""
    types = ["u1", "?", "u1", "i1", "f4", "f4", "f8", "i8", "u8"]
    arrays = {f"a{i}": rng.integers(0, 2 if t == "?" else 99, 50 + i).astype(t)
              for i, t in enumerate(types)}
    arrays["a1"][7] = True
    path = put("a.npz", npz(**arrays))
    for threads in "1", "2":
        got = json.loads(ok("-j", threads, "-o", "sum,argmax", "--json", path))
        for a, element in zip(arrays.values(), got["results"]):
            assert int(element["sum"]) == a.sum(dtype="i8"), a.dtype
            assert element["argmax"]["index"] == a.argmax(), a.dtype
        assert got["run"]["device"] == "cpu"
        assert got["run"]["bytes"] == sum(a.nbytes for a in arrays.values())
    arrays["a1"].view("u1")[30] = 2
    fails(1, "-j", "1", "-o", "sum", put("b.npz", npz(**arrays)),
          says="element 30 is 2, but a bool is 0 or 1")


@pytest.mark.parametrize("op", ["sum", "median"])
def test_arrays_by_key(put, op):
    """Threads that take arrays of a file one after another keep no keys."""
    arrays = {c: np.arange(6.) * 10**i for i, c in enumerate("abcdef")}
    keys = put("k.i32", np.array([1, 2, 1, -1, 2, 1], "i4").tobytes())
    of_one = {-1: 3, 1: 7 if op == "sum" else 2, 2: 5 if op == "sum" else 2.5}
    out = ok("--keys", keys, "-o", op, put("a.npz", npz(**arrays)))
    assert out == f"name\tkey\t{op}\n" + "".join(
        f"{c}\t{key}\t{of_one[key] * 10**i:.9g}\n"
        for i, c in enumerate(arrays) for key in of_one)


@pytest.mark.parametrize("args, says", [
    (["p.npz"], "say which of this file: FILE:NAME"),
    (["bad.npz"], "the checksum (CRC)"),
    (["bits.npz:a", "--keys-dtype", "bool"], "key 1 is 2, but a bool is 0 or 1"),
    (["p.npz:a"], None)])
def test_keys_in_archives(put, args, says, monkeypatch):
    path = put("v.f32", bytes(8))
    monkeypatch.chdir(path.rsplit("/", 1)[0])
    keys = np.array([7, 9], "i4")
    put("p.npz", npz(a=keys, b=keys))
    put("bad.npz", npz(a=keys).replace(b"\7\0\0\0\t", b"\7\0\0\0\n"))
    put("bits.npz", npz(a=np.array([1, 2], "u1").view("?"),
                        b=keys))
    args = ["-o", "rows", "--keys", *args, path]
    if says:
        fails(2 if "p.npz" in args else 1, *args, says=says)
    else:
        assert ok(*args) == "key\trows\n7\t1\n9\t1\n"


def test_a_file_of_the_whole_name_comes_first(put):
    put("a.npz", npz(a=np.arange(3)))
    path = put("a.npz:a", saved(np.arange(100)))
    assert value("-o", "count", path) == "100"


def test_names_of_files_that_are_not_there(put, tmp_path):
    path = put("a.npz", npz(a=np.arange(3)))
    for name in (str(tmp_path / "b.npz:a"), str(tmp_path / ":a"),
                 str(tmp_path / "no:thing:at:all"), ":", "a:", "::"):
        fails(1, name, says="No such file")
    fails(2, put("a.f32", bytes(8)) + ":a", says="archive")
    fails(1, path + "/x", says="a.npz")


@pytest.mark.parametrize("name", ["x" * 300, "a:" + "x" * 300,
                                  "x" * 300 + ":b", "x/" * 3000 + "y"],
                         ids=["one", "behind", "before", "path"])
def test_members_with_longer_names_than_files_have(put, name):
    z = Zip().add(name, b"\1\2").add("other", b"\3").end()
    path = put("a.zip", z)
    assert value("-t", "u8", "-o", "sum", f"{path}:{name}") == "3"
    fails(2, f"{path}:{name}z", says="no 'x" if name[1] != ":" else "no 'a:x")
    fails(1, put("b", b"") + "c" + name, says="cannot be opened")


def test_orders_and_types(put, rng):
    a = rng.integers(-99, 99, (70, 50, 30)).astype("i2")
    for array in a, np.asfortranarray(a), a.astype(">i2"), a.astype(
            ">i8", order="F"):
        for compressed in False, True:
            path = put("a.npz", npz(compressed, a=array))
            assert values("-o", OPS, path) == want(array)
            assert values("-o", OPS, "--verify", path) == want(array)
    fails(2, "-t", "f32", path, says="header")
    for bad in np.array(["x"]), np.array([1j]):
        fails(1, put("b.npz", npz(a=bad)), says="not supported")


def test_other_archives(put, rng):
    """Members that are not arrays are recognised by their name and magic."""
    text = b"name,price\n" + b"x,1.5\n" * 1000
    for method in zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED:
        out = io.BytesIO()
        with zipfile.ZipFile(out, "w", method) as archive:
            archive.mkdir("folder") if hasattr(archive, "mkdir") else None
            archive.writestr("folder/prices.csv", text)
            archive.writestr("log.i16", np.arange(100, dtype="i2").tobytes())
        path = put("t.zip", out.getvalue())
        assert value("-c", "price", "-o", "sum",
                     path + ":folder/prices.csv") == "1500"
        assert value("-o", "sum", path + ":log.i16") == "4950"
        assert value("-t", "u8", "-o", "count", path + ":log.i16") == "200"
        fails(2, path, says=["'folder/prices.csv'", "'log.i16'"])


def test_members_side_by_side(put, rng):
    """Stored members are read in place, up to their end and no further."""
    parts = [rng.integers(-99, 99, n, "i2") for n in (1500000, 40000, 3, 0, 9)]
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as archive:
        for i, a in enumerate(parts):
            archive.writestr(f"{i}.i16", a.tobytes())
        archive.writestr("torn.i16", bytes(70001))
        archive.writestr("last.i16", bytes(70000))
    path = put("t.zip", out.getvalue())
    names = [f"{path}:{i}.i16" for i in range(5)]
    for more in [], ["-j", "1"], ["--verify"], ["--chunk-size", "16K"]:
        for a, name in zip(parts, names):
            if a.size:
                assert values("-o", OPS, *more, name) == want(a)
        assert values("-o", OPS, *more, *names) == want(np.concatenate(parts))
        assert values("-o", "count,sum", *more, "--skip-bytes", 6,
                      *names[:2]) == {"count": "1539994", "sum": str(
                          sum(int(a[3:].sum()) for a in parts[:2]))}
    fails(1, path + ":torn.i16", says="1 trailing byte")
    fails(1, "--skip-bytes", 7, names[2], says="--skip-bytes 7")


def test_pipes_are_refused(tmp_path):
    blob = npz(a=np.arange(3))
    for args in [], ["-f", "npy"]:
        fails(2, *args, stdin=blob, says=["pipe", "file"])


def test_kinds_of_archives(put, rng):
    """Comments, zip64, data descriptors, extra fields, many members."""
    a = rng.integers(0, 99, 3000, "i4")
    one = saved(a)
    for method in 0, 8:
        for comment in b"", b"c" * 65535, b"PK\5\6" * 9:
            for zip64 in False, True:
                blob = Zip().add("a.npy", one, method, extra=b"\7\0\1\0x",
                                 local_extra=bytes(9)).end(comment,
                                                           zip64=zip64)
                assert values("-o", OPS, put("a.npz", blob)) == want(a)
    sizes = struct.pack("<HHQQQ", 1, 24, len(one), len(deflate(one)), 0)
    blob = Zip().add("a.npy", one, extra=sizes, packed=0xffffffff,
                     size=0xffffffff, offset=0xffffffff).end()
    assert values("-o", OPS, put("a.npz", blob)) == want(a)
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name in "ab":
            info = zipfile.ZipInfo(name + ".npy")
            info.comment = b"of a member"
            archive.writestr(info, one)
    assert values("-o", OPS, put("a.npz", out.getvalue()) + ":b") == want(a)
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        with archive.open("a.npy", "w", force_zip64=True) as file:
            file.write(one)
    assert values("-o", OPS, put("a.npz", out.getvalue())) == want(a)

    class NoSeek(io.RawIOBase):
        """Cannot seek, so that zipfile writes data descriptors."""
        def __init__(self):
            self.data = b""

        def writable(self):
            return True

        def write(self, piece):
            self.data += bytes(piece)
            return len(piece)

    out = NoSeek()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a.npy", one)
    assert values("-o", OPS, put("a.npz", out.data)) == want(a)
    for suffix, wanted in (".npy", "x*"), ("", "x"):
        z = Zip()
        for i in range(25):
            z.add(f"{i:0150}" + suffix, one, 0)
        err = fails(2, put("long.npz", z.end()) + ":" + wanted)
        shown = err.count("0" * 140)
        assert 5 < shown < 20 and f"' and {25 - shown} more.\n" in err, err
    z = Zip()
    for i in range(5000):
        z.add(f"{i:04}.npy", saved(np.array([i])), 0)
    path = put("many.npz", z.end())
    assert value("-o", "sum", path + ":4711") == "4711"
    for name in "x", "x*":
        fails(2, f"{path}:{name}", says=["no ", f"'{name}'", "and 4980 more"])
    assert ok("-o", "sum", path + ":47*1").splitlines()[1:] == [
        f"47{i}1\t47{i}1" for i in range(10)]
    assert ok("-o", "sum", put("one.npz", npz(a=np.ones(3))) + ":*") == (
        "name\tsum\na\t3\n")
    z = Zip().add("a.npy", one).add("b.npy", one)
    half = len(z.directory) // 2
    z.directory = z.directory[half:] + z.directory[:half]
    assert ok("-o", "count", put("turned.npz", z.end())) == (
        "name\tcount\nb\t3000\na\t3000\n")
    for members in [("a.npy", one), ("b.csv", b"v\n1\n")], [
            ("b.csv", b"v\n1\n"), ("a.npy", one)]:
        z = Zip()
        for member in members:
            z.add(*member)
        fails(2, put("mixed.npz", z.end()), says=["has 2 members", "'b.csv'"])
    z = Zip().add("a.npy", one).add(".npy", one)     # no array without a name
    fails(2, put("mixed.npz", z.end()), says="2 members\nGive FILE:NAME, where NAME "
          "is one of 'a', '.npy'.")
    path = put("twice.npz", npz(**{"a": np.ones(1), "a.npy": np.ones(2)}))
    assert ok("-o", "sum", path) == "name\tsum\na\t1\na.npy\t2\n"
    fails(1, path + ":a.npy", says="two members may be meant by 'a.npy'")
    assert value("-o", "sum", path + ":a.npy.npy") == "2"
    assert value("-o", "sum", path + ":a") == "1"
    bare = put("w.zip", Zip().add("w", b"5\n").add("w.npy", one).end())
    assert value("-o", "sum", bare + ":w") == "5"
    assert value("-o", "count", bare + ":w.npy") == "3000"
    fails(2, "--save-state", "state", path,
          says=f"'{path}': --save-state takes one array or table")
    book = Zip().add("[Content_Types].xml", b"1\n2\n", 0)
    path = put("a.xlsx", book.end())
    fails(2, path, says="Excel workbook")
    for more in [path + ":[Content_Types].xml"], ["--format", "csv", path]:
        assert value("-o", "sum", *more) == "3"


# --- archives that lie -------------------------------------------------------

ONE = saved(np.arange(50, dtype="i4"))
SUM = str(sum(range(50)))


def refused(put, blob, says=(), rc=1, member=""):
    path = put("bad.npz", blob)
    for threads in 1, 3:
        err = fails(rc, "-j", threads, path + member, says=["bad.npz", says]
                    if isinstance(says, str) else says)
    return err


@pytest.mark.parametrize("more, says", [
    ({"method": 12, "body": ONE}, "'b.npy' is compressed by method 12, which"),
    ({"flags": 1}, "'b.npy' is encrypted")])
def test_a_kind_of_member_that_is_not_read(put, more, says):
    two = Zip().add("a.npy", ONE).add("b.npy", ONE, **more).end()
    assert ok("-o", "sum", put("two.npz", two) + ":a") == SUM + "\n"
    for member in "", ":b":
        refused(put, two, says, member=member)
    refused(put, Zip().add("b.npy", ONE, **more).end(), says)


def test_checksums_and_lengths(put):
    for method in 0, 8:
        refused(put, Zip().add("a.npy", ONE, method, crc=1).end(), "checksum")
        refused(put, Zip().add("a.npy", ONE, method, size=len(ONE) + 1,
                               packed=len(ONE) + 1 if method == 0 else None)
                .end())
        refused(put, Zip().add("a.npy", ONE, method, size=len(ONE) - 1,
                               packed=len(ONE) - 1 if method == 0 else None)
                .end())
    refused(put, Zip().add("a.npy", ONE, 0, size=len(ONE) - 1).end(),
            "sizes of a stored member differ")
    body = deflate(ONE)
    refused(put, Zip().add("a.npy", ONE, 8, packed=len(body) - 1).end(),
            "truncated")
    refused(put, Zip().add("a.npy", ONE, 8, body=body + b"x").end(), "follow")
    refused(put, Zip().add("a.npy", ONE, 8, body=b"\7" + body).end(),
            "invalid block type")
    # the array is complete, but bytes follow that its header does not mention
    more = ONE + bytes(3)
    for method in 0, 8:
        refused(put, Zip().add("a.npy", more, method).end(), "follow")
        refused(put, Zip().add("a.npy", ONE[:-1], method).end())


@pytest.mark.parametrize("more", [1000, 50000, 100000, 200000])
def test_what_is_beyond_the_length_is_not_read(put, rng, more):
    """However many extra bytes zlib produces in one call."""
    good = b"".join(b"%d\n" % i for i in rng.integers(0, 10**6, 60000))
    text = good + good[:more] + b"x\n" * 1000 + good
    path = put("a.zip", Zip().add("a.csv", text, size=len(good)).end())
    for threads in 1, 4:
        for size in "4K", "500K", "32M":
            fails(1, "--header", "no", "-j", threads, "--chunk-size", size,
                  path, says=f"has more than the {len(good)} bytes")


def test_a_long_member_is_checked(put, rng):
    """In pieces, by several threads."""
    one = saved(rng.integers(0, 9, 3 << 20, "u1"))
    for method in 0, 8:
        for at in 200, 1500000, len(one) - 1:
            bad = bytearray(one)
            bad[at] ^= 1
            refused(put, Zip().add("a.npy", bytes(bad), method,
                                   crc=zlib.crc32(one)).end(), "checksum")


def test_places_outside(put):
    far = (1 << 31, 0xfffffffe, 60000)
    for offset in far:
        refused(put, Zip().add("a.npy", ONE, offset=offset).end())
        refused(put, Zip().add("a.npy", ONE).end(offset=offset), "outside the file")
    for size in far:
        refused(put, Zip().add("a.npy", ONE).end(size=size), "outside the file")
    refused(put, Zip().add("a.npy", ONE).end(size=20))
    for method in 0, 8:
        refused(put, Zip().add("a.npy", ONE, method, packed=len(ONE) + 500,
                               size=len(ONE) + 500).end(), "directory")
    huge = struct.pack("<HHQQQ", 1, 24, 1 << 63, 1 << 63, 0)
    refused(put, Zip().add("a.npy", ONE, 0, packed=0xffffffff, extra=huge,
                           size=0xffffffff, offset=0xffffffff).end())
    huge = struct.pack("<HHQQQ", 1, 24, len(ONE), len(ONE), (1 << 64) - 5)
    refused(put, Zip().add("a.npy", ONE, 0, packed=0xffffffff, extra=huge,
                           size=0xffffffff, offset=0xffffffff).end())
    short = struct.pack("<HHQ", 1, 8, len(ONE))
    refused(put, Zip().add("a.npy", ONE, 0, packed=0xffffffff, extra=short,
                           size=0xffffffff).end(), "zip64")
    good = Zip().add("a.npy", ONE)
    for where in 0, 1 << 40, (1 << 64) - 1, (1 << 64) - 56:
        end = bytearray(good.end(zip64=True))
        end[-22 - 20 + 8:-22 - 20 + 16] = struct.pack("<Q", where)
        refused(put, bytes(end))


def test_a_directory_of_over_64_mib(put):
    """Of zeros that take no room on the disk."""
    for more in 0, 1:
        size = (64 << 20) + more
        path = put("a.npz", Zip().add("a.npy", ONE).data)
        end = Zip().end(size=size, offset=os.path.getsize(path))
        os.truncate(path, os.path.getsize(path) + size)
        with open(path, "ab") as out:
            out.write(end)
        fails(1, path + ":a", says="is larger than 64 MiB" if more else "signature")


def test_members_that_overlap(put):
    z = Zip().add("a.npy", ONE, 0)
    whole = z.end()
    inside = Zip().add("a.npy", ONE, 0)
    inside.add("b.npy", ONE, 0, offset=5, body=b"")
    refused(put, inside.end(), "overlap", member=":a")
    twice = Zip().add("a.npy", ONE, 0).add("b.npy", ONE, 0, offset=0,
                                           body=b"")
    refused(put, twice.end(), member=":b")
    refused(put, twice.end(), "overlap", member=":a")
    two = Zip().add("b.npy", ONE, 0).add("c.npy", ONE, 0).data
    within = Zip().add("a.npy", two, 0)
    for name, offset in ("b.npy", 35), ("c.npy", 35 + len(two) // 2):
        within.add(name, ONE, 0, offset=offset, body=b"", packed=len(ONE))
    for name in "abc":
        refused(put, within.end(), "overlap", member=f":{name}*")
    assert value("-o", "sum", put("good.npz", whole)) == SUM


def test_headers_that_disagree(put):
    for lie in ({"local_name": b"b.npy"}, {"local_name": b"a.npy2"},
                {"local_method": 0}, {"local_magic": 0}):
        blob = Zip().add("b.npy", ONE).add("a.npy", ONE, **lie).end()
        refused(put, blob, "where", member=":a")


def test_unsupported_kinds(put):
    for flags in 1, 1 << 6, 1 << 13:
        refused(put, Zip().add("a.npy", ONE, flags=flags).end(), "encrypted")
    for method in 1, 9, 12, 14, 93, 99:
        refused(put, Zip().add("a.npy", ONE, method).end(), f"{method}")
    refused(put, Zip().end(), "empty")
    refused(put, Zip().add("folder/", b"", 0).end(), "empty")
    two = Zip().add("a.npy", ONE).add("a.npy", ONE).end()
    refused(put, two, "several", member=":a")
    three = Zip().add("a", ONE).add("a", ONE).add("a.npy", ONE).end()
    refused(put, three, "has several members 'a'", member=":a")
    one = Zip().add("a", ONE, 0).end()
    assert value("-o", "sum", put("a.npz", one)) == SUM


def test_cut_anywhere(put):
    blob = npz(True, a=np.arange(9), b=np.arange(4))
    for n in range(len(blob)):
        fails(1, put("a.npz", blob[:n]) + (":a" if n >= 4 else ""),
              says="a.npz")


@pytest.mark.parametrize("compressed", [False, True])
def test_every_byte_corrupted(put, rnd, compressed):
    """An error; or the same answer, for bytes without meaning here."""
    blob = npz(compressed, a=np.arange(50, dtype="i4"))
    same = 0
    for at in range(len(blob)):
        bad = bytearray(blob)
        bad[at] ^= rnd.choice((1, 2, 4, 8, 16, 32, 64, 128, 255))
        path = put("a.npz", bytes(bad))
        result = run("-o", "sum", path)
        if result.rc == 0:
            assert result == (0, SUM + "\n", ""), (at, bad[at])
            same += 1
        else:
            assert_failed(result, 1, says="a.npz")
    assert 0 < same < len(blob)     # dates, versions and the like


def test_random_damage(put, rnd):
    for _ in range(400):
        z = Zip()
        for i in range(rnd.randrange(1, 4)):
            z.add(f"{i}.npy", ONE, rnd.choice((0, 8)))
        blob = bytearray(z.end(zip64=rnd.random() < .5))
        for _ in range(rnd.randrange(1, 4)):
            at = len(blob) - 1 - int(rnd.random() ** 2 * (len(blob) - 1))
            blob[at] = rnd.choice((0, 1, 255, rnd.randrange(256)))
        result = run("-o", "sum", put("a.npz", bytes(blob)) + ":0")
        if result.rc == 0:
            assert result == (0, SUM + "\n", "")
        else:
            assert_failed(result, result.rc, says="a.npz")
            assert result.rc in (1, 2)


def test_names_stay_off_the_terminal(put):
    z = Zip().add(b"\x1b[31m\n.npy", ONE).add(b"\xff\0'.npy", ONE)
    path = put("a.npz", z.end())
    err = fails(2, path + ":x", says=["\\x1b[31m\\n", "\\xff"])
    assert "\x1b" not in err + ok("-o", "count", path)
