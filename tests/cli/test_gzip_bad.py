# SPDX-License-Identifier: MIT
"""Bad gzip files are refused, with the place of the fault."""

import gzip
import os
import re
import zlib

import pytest

from harness import Feeder, assert_failed, fails, run
from make import saved
from packed import FCOMMENT, FEXTRA, FHCRC, FNAME, bgzf, member, split

DATA = b"".join(b"%d,%d\n" % (i, i * 7919 % 1000) for i in range(40))
RIGHT = ["count\t40", f"sum\t{sum(i * 7919 % 1000 for i in range(40))}"]


def answer(blob, put):
    """Returns the answer, or None after an error in the contract's form.
    Reading the file and a pipe must agree."""
    all_args = ["--header", "no", "-c", "2", "-o", "count,sum"]
    result = run(*all_args, put("t.csv.gz", blob))
    piped = run(*all_args, "-f", "csv", stdin=blob)
    if result.rc == 0:
        assert result.err == "" and piped == result
        return result.out.splitlines()
    assert_failed(result, 1, says="t.csv.gz")
    assert piped.rc == 1 or blob[:2] != b"\x1f\x8b"
    return None


def small_files():
    return {"one": gzip.compress(DATA, mtime=1),
            "members": split(DATA, [100, 0, 120]),
            "stored": member(DATA, None),
            "fields": member(DATA, flags=FHCRC | FEXTRA | FNAME | FCOMMENT,
                             extra=b"BC\2\0\1\2", name=b"n", comment=b"c"),
            "BGZF": bgzf(DATA, 150)}


# The slow suite tests every byte, the others one in three.
EVERY = [3, pytest.param(1, marks=pytest.mark.slow)]


@pytest.mark.parametrize("step", EVERY)
@pytest.mark.parametrize("kind", small_files())
def test_truncated_at_every_byte(put, rnd, kind, step):
    blob = small_files()[kind]
    ends = {len(blob)}
    if kind in ("members", "BGZF"):
        # a file that ends after a member is a whole file with fewer members
        at = 0
        while at < len(blob):
            d = zlib.decompressobj(31)
            d.decompress(blob[at:])
            at = len(blob) - len(d.unused_data)
            ends.add(at)
    assert answer(blob, put) == RIGHT
    for n in range(rnd.randrange(step), len(blob), step):
        if n in ends:
            continue
        err = fails(1, "--header", "no", put("t.csv.gz", blob[:n]))
        if n >= 2:
            assert "truncated" in err and f"byte {n}," in err, (n, err)


@pytest.mark.parametrize("step", EVERY)
@pytest.mark.parametrize("kind", small_files())
def test_every_byte_corrupted(put, rnd, kind, step):
    """An error; or the same answer, for header fields without meaning."""
    blob = small_files()[kind]
    harmless = 0
    for at in range(rnd.randrange(step), len(blob), step):
        bad = bytearray(blob)
        bad[at] ^= rnd.choice((1, 2, 4, 8, 16, 32, 64, 128, 255))
        got = answer(bytes(bad), put)
        assert got in (None, RIGHT), (at, bad[at], got)
        harmless += got == RIGHT
    assert harmless < len(blob)


def test_trailing_garbage(put):
    """Zeros may follow. All other bytes are refused, with their offset."""
    good = gzip.compress(DATA)
    for junk in b"\0", bytes(511), bytes(100000):
        assert answer(good + junk, put) == RIGHT
    for junk in (b"x", b"\0x", bytes(5000) + b"\1", b"\xff" * 70000,
                 b"\n", bytes(70000) + good):
        for threads in 1, 3:
            fails(1, "-j", threads, put("t.csv.gz", good + junk),
                  says=["follow", f"byte {len(good)},"])
    # bytes that start like a member are a broken member
    fails(1, put("t.csv.gz", good + b"\x1f"), says="truncated")
    fails(1, put("t.csv.gz", good + b"\x1fx"), says=["corrupt",
                                                     f"byte {len(good)}"])


def test_messages_name_the_places(put):
    good = gzip.compress(DATA, mtime=0)
    n = len(good)
    bad = bytearray(good)
    bad[-8] ^= 1
    for threads in 1, 4:
        for before in b"", good, good * 300, good * 20000:
            at = len(before)
            path = put("t.csv.gz", before + bytes(bad) + good)
            fails(1, "-j", threads, path, says=[
                "t.csv.gz", "checksum", f"starts at byte {at} ",
                f"ends at {at + n}"])
            wrong = bytearray(good)
            wrong[-1] ^= 1
            fails(1, "-j", threads, put("t.csv.gz", before + bytes(wrong)),
                  says=["length", f"starts at byte {at} "])
            wrong = bytearray(good)
            wrong[10] |= 6          # a reserved block type
            fails(1, "-j", threads, put("t.csv.gz", before + bytes(wrong)),
                  says=["corrupt", "invalid block type",
                        f"at byte {at + 10} ", f"starts at byte {at}"])
            fails(1, "-j", threads, put("t.csv.gz", before + good[:-3]),
                  says=["truncated", f"byte {at + n - 3},",
                        f"starts at byte {at}"])


@pytest.mark.parametrize("body, says", [
    (b"\x07", "(invalid block"),             # a type that is reserved
    (b"\x03\x02\0", "(invalid distance"),    # 3 bytes from before the start
    (b"\x1b\x03", "code), in the member")])  # code 286: no length has it
def test_reasons_of_a_fault_in_a_pipe(body, says):
    """No second look finds another reason."""
    for threads in 1, 4:
        fails(1, "-t", "u8", "-j", threads, stdin=member(b"", body=body),
              says=["corrupt gzip data at byte 1", says, "that starts at byte 0"])


def test_reserved_flags_and_methods(put):
    good = bytearray(gzip.compress(DATA))
    for flag in 0x20, 0x40, 0x80:
        bad = bytearray(good)
        bad[3] |= flag
        fails(1, put("t.csv.gz", bytes(bad)), says="reserved")
    bad = bytearray(good)
    bad[2] = 7
    fails(1, put("t.csv.gz", bytes(bad)), says="deflate")
    bad = bytearray(member(DATA, flags=FHCRC))
    bad[10] ^= 1
    fails(1, put("t.csv.gz", bytes(bad)), says="header's checksum")


def test_faults_far_into_a_large_file(put, rng):
    """Faults in members that are inflated ahead of their turn are reported,
    always the first one and with its place."""
    raw = rng.integers(0, 50, 2 << 20, "u1").tobytes()
    for blob in (bgzf(raw, level=1), gzip.compress(raw, 1),
                 split(raw, [200000], level=1)):
        for at in rng.integers(20, len(blob) - 20, 6):
            bad = bytearray(blob)
            bad[at] ^= 0x10
            bad[min(at + 300000, len(blob) - 1)] ^= 0x10
            path = put("a.u8.gz", bytes(bad))
            result = run("-o", "sum", "-j", "1", path)
            for threads in 2, 3, 8:
                assert run("-o", "sum", "-j", threads, path) == result
            if result.rc:
                places = [int(x) for x in re.findall(r"byte (\d+)", result.err)]
                assert places and min(places) <= at + 1, (at, result.err)
        path = put("a.u8.gz", blob[:-1])
        for threads in 1, 2, 3, 8:
            fails(1, "-j", threads, path,
                  says=["truncated", f"byte {len(blob) - 1},"])


def test_npy_inside_that_is_whole_while_its_gzip_is_not(put, rng):
    """The array is complete, but the rest of the compressed file must be
    right, too."""
    blob = gzip.compress(saved(rng.integers(0, 9, 5000)))
    for bad in blob[:-1], blob[:-8], blob[:-4] + b"\0\0\0\0", blob + b"x":
        fails(1, put("a.npy.gz", bad), says="a.npy.gz")
        fails(1, stdin=bad)


def test_a_byte_behind_the_array_of_a_broken_file(put, rng):
    """Of two errors the first one is reported, whichever thread inflates."""
    blob = bytearray(member(saved(rng.integers(0, 256, 300000, "u1")) + b"x"))
    blob[-8] ^= 1
    path = put("a.npy.gz", bytes(blob))
    for threads in 1, 4:
        fails(1, "-j", threads, path, says="bytes follow the array")
        fails(1, "-j", threads, stdin=bytes(blob), says="bytes follow")


def test_one_bad_file_spoils_all(put):
    good = put("good.u8.gz", gzip.compress(bytes(1000)))
    bad = put("bad.u8.gz", gzip.compress(bytes(1000))[:-1])
    for files in ((good, bad), (bad, good), (good, bad, good)):
        for more in [], ["--per-file"]:
            fails(1, *more, *files, says="bad.u8.gz")


@pytest.mark.parametrize("threads", [1, 4])
def test_an_error_does_not_wait_for_the_rest_of_a_pipe(threads):
    """The pipe's writer stays open."""
    n = len(member(b"x" * 1000))
    for members in 7, 1700:
        bad = bytearray(split(b"x" * 3000000, [1000]))
        bad[n * members - 8] ^= 0xff
        reader, writer = os.pipe()
        os.write(writer, bytes(bad[:60000]))
        result = run("-t", "u8", "-j", threads, stdin=reader, timeout=20)
        os.close(writer)
        os.close(reader)
        assert_failed(result, 1, says=f"ends at {n * members}")


@pytest.mark.parametrize("threads", [1, 4])
def test_an_error_in_the_last_bytes_of_a_pipe_that_is_not_closed(threads):
    """The error is reported although no more bytes arrive and the pipe stays
    open."""
    good = member(bytes(1000), None) * 300
    bad = bytearray(member(b"x" * 1000))
    bad[-8] ^= 1
    assert 0x1f not in bad[-9:]
    reader, writer = os.pipe()
    Feeder(os.dup(writer), good + bytes(bad))
    result = run("-t", "u8", "-j", threads, stdin=reader, timeout=20)
    os.close(writer)
    os.close(reader)
    assert_failed(result, 1, says=f"starts at byte {len(good)} ")


@pytest.mark.parametrize("threads", [1, 4])
@pytest.mark.parametrize("last, says", [
    (b"junk", "but bytes other than zero follow"),
    (b"\x1fx", "no gzip header"),
    (b"\x1f\x8bx", "its method is not deflate"),
    (b"\x1f\x8b\x08\xff", "reserved flags are set")])
def test_garbage_at_the_end_of_an_open_pipe(threads, last, says):
    """All bytes but the last could be the start of a member."""
    good = member(bytes(1000), None) * 300
    reader, writer = os.pipe()
    Feeder(os.dup(writer), good + last)
    result = run("-t", "u8", "-j", threads, stdin=reader, timeout=20)
    os.close(writer)
    os.close(reader)
    assert_failed(result, 1, says=says)


@pytest.mark.parametrize("pack", [gzip.compress, bgzf])
def test_the_first_fault_is_reported(put, pack):
    """A bad cell before a fault of the file, in the same chunk or not; and one
    after the fault, which is never reached."""
    good = b"".join(b"%d,%d\n" % (i, i * 7919 % 1000) for i in range(150000))
    text = b"a,b\n" + good + b"1,x\n" + b"2,3\n" * 5 + good
    blob = bytearray(pack(text))
    blob[-200000] ^= 0x40
    path = put("t.csv.gz", bytes(blob))
    late = pack(b"a,b\n" + good * 2 + b"1,x\n")
    other = put("u.csv.gz", late[:len(late) // 2])
    for threads in 1, 4:
        for size in "4K", "300K", "32M":
            args = ["-j", threads, "--chunk-size", size, "-c", "b"]
            fails(1, *args, path, says="t.csv.gz:150002:3: not a number: 'x'")
            fails(1, *args, other, says=["truncated",
                                         f"byte {len(late) // 2},"])
