# SPDX-License-Identifier: MIT
"""gzip, BGZF and concatenated gzip around every format, from files and pipes:
the answer is that of the data which Python's gzip unpacks."""

import gzip
import os
import subprocess
import sys
import zlib

import numpy as np
import pytest

import oracle
from harness import BINARY, Feeder, check, fails, ok, piped, run, value, values
from make import random_raw, saved, swap
from packed import FEXTRA, FNAME, Zip, bgzf, member, split

OPS = "count,sum,max,argmin,argmax"


def whole_numbers(rng, n):
    """Returns whole numbers as f32, whose sum is exact in any order."""
    return rng.integers(-1000, 1000, n).astype("<f4")


def want(a, ops=OPS):
    """Returns NumPy's results for whole numbers, as they are printed."""
    expected = {"count": a.size, "sum": int(a.sum(dtype="f8")),
                "max": int(a.max()), "argmin": int(a.argmin()),
                "argmax": int(a.argmax())}
    return {op: str(expected[op]) for op in ops.split(",")}


def packings(data, rng):
    """Returns the same bytes, compressed in every way."""
    sizes = [int(n) for n in rng.integers(0, 300000, 7)]
    yield "one", gzip.compress(data, 6)
    yield "stored", member(data, None)
    yield "best", gzip.compress(data, 9)
    yield "bgzf", bgzf(data)
    yield "bgzf small", bgzf(data, 999, eof=not data)
    yield "members", split(data, sizes + [1])
    yield "tiny members", split(data, [0, 1, 2, 100, 4001], level=1)
    yield "stored members", split(data, [70000, 0, 5], level=None)
    yield "zeros behind", gzip.compress(data) + bytes(1000)
    yield "many zeros behind", bgzf(data) + bytes(1 << 20)


@pytest.mark.parametrize("n", [
    0, 1000, 150001, pytest.param(1, marks=pytest.mark.slow)])
def test_every_packing(put, rng, n):
    a = whole_numbers(rng, n)
    for name, blob in packings(a.tobytes(), rng):
        assert gzip.decompress(blob) == a.tobytes(), name
        path = put("a.f32.gz", blob)
        ops = OPS if n else "count,sum"
        right = want(a) if n else {"count": "0", "sum": "0"}
        for args in [], ["-j", "1"], ["-j", "3", "--chunk-size", "64K"]:
            assert values("-o", ops, *args, path) == right, (name, args)
            assert values("-o", ops, *args, "-t", "f32", stdin=blob) == right, (
                name, args)
        with open(path, "rb") as file:
            assert values("-o", ops, "-t", "f32", stdin=file) == right, name


def test_threads_and_chunks(put, rng):
    """The answer does not depend on how many threads inflate or where they
    start."""
    a = whole_numbers(rng, 700000)
    for name, blob in (("bgzf", bgzf(a.tobytes(), level=1)),
                       ("members", split(a.tobytes(), [50000, 900000, 10],
                                         level=1))):
        path = put("a.f32.gz", blob)
        for threads in 1, 2, 3, 5, 8:
            for size in "16K", "1M", "64M":
                assert values("-o", OPS, "-j", threads, "--chunk-size", size,
                              path) == want(a), (name, threads, size)


@pytest.mark.parametrize("piece", [1, 7, 4095])
def test_slow_pipes(rng, piece):
    a = whole_numbers(rng, 40 * piece + 3000)
    for blob in gzip.compress(a.tobytes()), split(a.tobytes(), [700, 1]):
        for threads in 1, 4:
            with piped(blob, piece) as reader:
                assert values("-o", OPS, "-t", "f32", "-j", threads,
                              stdin=reader) == want(a)


def test_every_header_field(put, rng):
    a = whole_numbers(rng, 5000)
    for flags in range(32):
        blob = b"".join(
            member(piece, flags=flags, extra=extra, name=name,
                   comment=b"c" * 300, mtime=int(rng.integers(1 << 32)),
                   xfl=int(rng.integers(256)), system=int(rng.integers(256)))
            for piece, extra, name in (
                (a.tobytes()[:7000], b"", b""),
                (a.tobytes()[7000:], b"x" * 65535, b"n" * 100000)))
        path = put("a.f32.gz", blob)
        assert values("-o", OPS, path) == want(a), flags
        assert values("-o", OPS, "-t", "f32", stdin=blob) == want(a), flags


# --- speculation -----------------------------------------------------------

def traps(rng):
    """Data whose compressed form contains whole gzip files: stored blocks,
    names and extra fields keep them unchanged. They must not be taken for
    members."""
    inner = gzip.compress(b"\1\2\3\4" * 100)
    noise = rng.integers(0, 256, 300000, "u1").tobytes()
    return {
        "one file": inner,
        "nothing but files": inner * 20000,
        "files and noise": b"".join(
            noise[i * 997:(i + 1) * 997] + inner * (i % 3)
            for i in range(300)) * 8,
        "headers alone": inner[:10] * 200000,
        "a truncated one": noise + inner[:30] + noise * 3,
        "BGZF": bgzf(noise * 8, level=1),
        "big": gzip.compress(noise * 10, 1),
        "in each other": member(member(member(noise * 4, None), None) * 3,
                                None),
        "a bomb": gzip.compress(bytes(30 << 20)) * 20,
    }


def test_headers_within_data(put, rng):
    for name, data in traps(rng).items():
        data += bytes(-len(data) % 4)
        a = np.frombuffer(data, "u1")
        for blob in (member(data, None), split(data, [333333, 1], level=None),
                     split(data, [40000], level=None),
                     member(data[:-4], None, flags=FNAME | FEXTRA,
                            name=data[:9000].replace(b"\0", b"x"),
                            extra=data[:65535]) + member(data[-4:])):
            path = put("a.u8.gz", blob)
            for threads in 2, 5:
                got = values("-f", "raw", "-o", "count,sum,argmax", "-j",
                             threads, path)
                assert got == {"count": str(a.size),
                               "sum": str(int(a.sum(dtype="u8"))),
                               "argmax": str(int(a.argmax()))}, name


def test_errors_after_headers_within_data(put, rng):
    """The first error of the file is reported, whatever is found ahead of
    it."""
    for name, data in traps(rng).items():
        good = member(data, None)
        bad = bytearray(good)
        bad[-8] ^= 1
        for blob, says in ((bytes(bad) + good, ["checksum", "byte 0 "]),
                           (good + bytes(bad), ["checksum",
                                                f"byte {len(good)} "]),
                           (good + good[:-1], ["truncated",
                                               f"byte {len(good)}"]),
                           (good + b"x" + good, ["follow", f"{len(good)},"])):
            for threads in 1, 2, 5:
                fails(1, "-f", "raw", "-j", threads, put("a.u8.gz", blob),
                      says=says)


def test_random_members(rnd, put):
    """Members of any size and kind, some with gzip files inside."""
    for _ in range(15):
        parts, data = [], b""
        for _ in range(rnd.randrange(1, 60)):
            piece = rnd.randbytes(rnd.choice((0, 1, 10, 1000, 60000)))
            if rnd.random() < .3:
                piece = gzip.compress(piece, 1) * rnd.randrange(1, 9)
            if rnd.random() < .1:
                piece += bytes(rnd.randrange(3000000))
            data += piece
            parts.append(member(piece, rnd.choice((None, None, 1, 6))))
        blob = b"".join(parts) + bytes(rnd.choice((0, 0, 1, 70000)))
        a = np.frombuffer(data, "u1")
        path = put("a.u8.gz", blob)
        threads, size = rnd.randrange(1, 9), rnd.choice(("4K", "100K", "9M"))
        for kw in ([path], {}), (["-t", "u8"], {"stdin": blob}):
            got = values("-f", "raw", "-o", "count,sum", "-j", threads,
                         "--chunk-size", size, *kw[0], **kw[1])
            assert got == {"count": str(a.size),
                           "sum": str(int(a.sum(dtype="u8")))}


# --- what is inside ----------------------------------------------------------

@pytest.mark.parametrize("dtype", ["f16", "bf16", "f32", "f64", "i8", "i16",
                                   "i32", "i64", "u8", "u16", "u32", "u64"])
def test_every_dtype_and_suffix(put, rng, dtype):
    raw = random_raw(rng, dtype, 3000)
    elements = oracle.decode(raw, dtype)
    for suffix in "gz", "bgz", "bgzf", "GZ":
        check(elements, dtype, put(f"a.{dtype}.{suffix}", gzip.compress(raw)),
              ops=["count", "sum", "min", "max", "sumsq"])


def test_big_endian(put, rng):
    raw = random_raw(rng, "i32", 100000)
    blob = gzip.compress(swap(raw, "i32"), 1)
    assert value("-o", "sum", "-t", ">i4", put("a.gz", blob)) == value(
        "-o", "sum", "-t", "i32", put("a", raw))


def test_npy(put, rng):
    a = rng.integers(-99, 99, (300, 500)).astype("i2")
    for array in a, np.asfortranarray(a), a.astype(">i4"), a[:0]:
        blob = gzip.compress(saved(array))
        ops = OPS if array.size else "count"
        right = want(array) if array.size else {"count": "0"}
        right["any"] = str(int(array.any()))
        for name in "a.npy.gz", "whatever.gz", "a.csv.gz":
            assert values("-o", ops + ",any", put(name, blob)) == right
        assert values("-o", ops + ",any", stdin=blob) == right
    fails(1, put("a.npy.gz", gzip.compress(saved(a)[:-1])), says="ended early")
    fails(1, put("a.npy.gz", gzip.compress(saved(a) + b"x")), says="follow")
    fails(1, put("a.npy.gz", gzip.compress(b"no array")), says="a.npy.gz")


def table(rnd, rows):
    return "id,price,\"na,me\"\r\n" + "".join(
        f"{i},{rnd.randrange(-9999, 9999) / 4},\"x\n{'y' * (i % 40)}\"\n"
        for i in range(rows))


def test_csv(put, rnd):
    text = table(rnd, 60000)
    plain = put("t.csv", text.encode())
    right = ok("-o", OPS, plain)
    tabs = text.replace(",", "\t").encode()
    for blob in (gzip.compress(text.encode()), bgzf(text.encode(), 9999),
                 split(text.encode(), [1, 70000])):
        for args in [], ["-j", "1"], ["-j", "4", "--chunk-size", "1K"]:
            assert ok("-o", OPS, *args, put("t.csv.gz", blob)) == right
            assert ok("-o", OPS, *args, "-f", "csv", stdin=blob) == right
            assert ok("-o", OPS, *args, "-f", "csv", put("t.gz",
                                                         blob)) == right
    assert ok("-o", OPS, put("t.tsv.bgz", bgzf(tabs))) == ok(
        "-o", OPS, put("t.tsv", tabs))


def test_csv_errors_keep_their_places(put, rnd):
    text = table(rnd, 3000) + "5,x,y\n6,7,8\n"
    plain = fails(1, "-c", "price", put("t.csv", text.encode()))
    for blob in gzip.compress(text.encode()), bgzf(text.encode()):
        assert fails(1, "-c", "price", put("t.csv.gz", blob)) == plain.replace(
            "t.csv", "t.csv.gz")


def in_blocks(rnd, last):
    """2 MB of records of all lengths, with quoted line ends, CR LF, and a cell
    at the end."""
    parts, n = [], 0
    while n < 2000000:
        size = rnd.choice((0, 1, 30, 300, 15000, 17000, 300000 * (n > 10 ** 6)))
        parts.append(rnd.choice((
            "%d,%s\n", "%d,%s\r\n", "%d,\"\n%s\"\n", "\"%d\",\"%s\"\"\n\"\r\n"))
                     % (rnd.randrange(-999, 999), "y" * size))
        n += len(parts[-1])
    return "".join(parts) + last


@pytest.mark.parametrize("last", ["7,x\n", "7,x", "7,\"\nx\"", "x,1\n", "x",
                                  "7,\"open\n"])
def test_csv_cut_anywhere(put, rnd, last):
    """The answer and the errors, with lines and columns, are those of the
    text, however it is cut."""
    args = ["-o", "count,sum,min,argmax", "-c", "1", "--header", "no"]
    text = in_blocks(rnd, last).encode()
    right = run(*args, put("t.csv", text))
    assert (right.rc == 0) == last.startswith("7,") or "open" in last
    for blob in (member(text, level=1), bgzf(text, level=1),
                 split(text, [100000, 3, 400000], level=1)):
        path = put("t.csv.gz", blob)
        for more in (["-j", "1"], ["-j", "2"], ["-j", "7"],
                     ["-j", "3", "--chunk-size", "9K"],
                     ["-j", "3", "--chunk-size", "200K"],
                     ["-j", "2", "--chunk-size", "256K"],
                     ["-j", "5", "--chunk-size", "4M"]):
            got = run(*args, *more, path)
            assert got.rc == right.rc and got.out == right.out, more
            assert got.err.replace("t.csv.gz", "t.csv") == right.err, more


def test_csv_whose_first_record_is_longer_than_the_sample(put):
    text = ",".join(f"column number {i}" for i in range(40000)) + "\n" + (
        ",".join(map(str, range(40000))) + "\n") * 2
    path = put("t.csv.gz", gzip.compress(text.encode()))
    assert value("-c", "column number 39999", "-o", "sum", path) == "79998"


def test_skip_bytes_count_what_is_inside(put, rng):
    a = whole_numbers(rng, 200000)
    blobs = gzip.compress(a.tobytes(), 1), bgzf(a.tobytes())
    for skip in 4, 4096, 70000, 400000, 800000:
        for blob in blobs:
            right = values("-o", "count,sum", "--skip-bytes", skip,
                           put("a.f32", a.tobytes()))
            path = put("a.f32.gz", blob)
            assert values("-o", "count,sum", "--skip-bytes", skip,
                          path) == right
            assert values("-o", "count,sum", "-t", "f32", "--skip-bytes", skip,
                          stdin=blob) == right
    fails(1, "--skip-bytes", 800001, path, says=["800001", "800000"])


# --- several inputs, other options -----------------------------------------

def test_inputs_of_all_kinds(put, rng):
    parts = [whole_numbers(rng, n) for n in (100, 30000, 0, 70000, 5)]
    a = np.concatenate(parts)
    files = [put("a.f32", parts[0].tobytes()),
             put("b.f32.gz", gzip.compress(parts[1].tobytes())),
             put("c.f32.gz", gzip.compress(b"")), "-",
             put("e.npy", saved(parts[4]))]
    blob = bgzf(parts[3].tobytes())
    assert values("-o", OPS, *files, stdin=blob) == want(a)
    rows = ok("--per-file", "-o", "count,sum", *files, stdin=blob)
    assert rows.splitlines()[1:] == [
        "\t".join((name, str(x.size), str(int(x.sum()))))
        for name, x in zip(files, parts)]
    fails(2, *files[:2], put("t.csv.gz", gzip.compress(b"1,2\n")),
          stdin=b"", says="text")


def test_many_files(put, rng):
    """More files than descriptors; none of them keeps threads for long."""
    a = whole_numbers(rng, 40)
    path = put("a.f32.gz", gzip.compress(a.tobytes()))
    done = run("-o", "count", *[path] * 1500)
    assert done == (0, "60000\n", "")


def test_fifos(tmp_path, rng):
    a = whole_numbers(rng, 90000)
    names = []
    for i in range(3):
        names.append(str(tmp_path / f"{i}.f32.gz"))
        os.mkfifo(names[-1])
        Feeder(names[-1], gzip.compress(a[i * 30000:(i + 1) * 30000].tobytes()))
    assert values("-o", OPS, *names) == want(a)


@pytest.mark.parametrize("args, skip", [
    ([], 0), (["-f", "raw"], 0), (["-f", "raw", "--skip-bytes", "999"], 999)])
@pytest.mark.parametrize("count", [1, 2])
def test_the_dtype_of_a_fifo_is_in_its_name(tmp_path, rng, args, skip, count):
    """The dtype is known from the name even before anything is read."""
    a = rng.integers(0, 256, 30000, "u1")
    names = [str(tmp_path / f"{i}.u8.gz") for i in range(count)]
    for name in names:
        os.mkfifo(name)
        Feeder(name, gzip.compress(a.tobytes()))
    assert values("-o", "count,sum", *args, *names) == {
        "count": str(count * (a.size - skip)),
        "sum": str(count * int(a[skip:].sum()))}


def test_a_header_that_changes_after_it_was_read(put, tmp_path):
    """The header changes in place after all files were opened, before this
    one's turn."""
    path = put("b.csv.gz", gzip.compress(b"a,b\n5,6\n"))
    fifo = str(tmp_path / "fifo.csv")

    def change():
        put("b.csv.gz", gzip.compress(b"b,a\n6,5\n"))

    for before, answer in (None, 0), (change, 1):
        os.mkfifo(fifo)
        Feeder(fifo, b"a,b\n3,4\n", before=before)
        result = run("-c", "a", "-o", "sum",
                     put("a.csv.gz", gzip.compress(b"a,b\n1,2\n")), fifo, path)
        assert result.rc == answer, result
        assert result.out == "9\n" or "changed while" in result.err, result
        os.unlink(fifo)


def test_verify(put, rng):
    a = whole_numbers(rng, 300000)
    path = put("a.f32.gz", bgzf(a.tobytes()))
    assert values("--verify", "-o", OPS, path) == want(a)
    assert values("--verify", "-o", OPS, "-t", "f32", path,
                  put("b.f32", b"")) == want(a)
    with open(path, "rb") as file:
        assert values("--verify", "-o", OPS, "-t", "f32",
                      stdin=file) == want(a)
    text = put("t.csv.gz", gzip.compress(b"a,b\n" + b"1,2\n" * 50000))
    assert value("--verify", "-c", "a", "-o", "sum", text) == "50000"
    fails(2, "--verify", "-t", "f32", stdin=gzip.compress(b""), says="twice")


def test_standard_input_that_was_read_from_before(put, rng):
    a = whole_numbers(rng, 100000)
    path = put("x", b"before" + gzip.compress(a.tobytes()))
    for more in [], ["-j", "1"], ["--verify"]:
        with open(path, "rb") as file:
            os.lseek(file.fileno(), 6, os.SEEK_SET)
            assert values("-o", OPS, "-t", "f32", *more,
                          stdin=file) == want(a)
            assert os.read(file.fileno(), 1) == b""


def test_explain(put):
    path = put("t.csv.gz", gzip.compress(b"name,price\nx,1\n"))
    out = ok("--explain", path)
    assert "compression\tgzip" in out and "csv" in out and "price" in out
    # The library that decodes is one of those that -V names.
    name = out.split("decoded by ", 1)[1].split("\n")[0]
    assert f"\n{name}: " in ok("-V", "-v")
    assert f"\ngzip decoded by {name} " in run("-v", path).err
    assert "compression" not in ok("--explain", put("t.csv", b"a\n1\n"))


# --- what is compressed, and what is not -------------------------------------

def test_formats_are_of_what_is_inside(put, rng):
    """--format=raw unpacks too: the option describes the unpacked data."""
    a = whole_numbers(rng, 1000)
    blob = gzip.compress(a.tobytes())
    assert values("-f", "raw", "-t", "f32", "-o", OPS,
                  put("d.gz", blob)) == want(a)
    assert values("-f", "raw", "-t", "f32", "-o", OPS, stdin=blob) == want(a)
    # raw reads the packed bytes themselves, as the manual says
    packed = np.frombuffer(blob, "u1")
    assert value("-t", "u8", "-o", "sum", "--skip-bytes", 1,
                 stdin=b"\0" + blob) == str(int(packed.sum(dtype="u8")))


def test_raw_data_that_start_like_gzip(put):
    assert value("-f", "raw", "-t", "u8", "-o", "count",
                 put("x", b"\x1f\x8b\x07\0")) == "4"
    assert value("-f", "raw", "-t", "u8", "-o", "count", stdin=b"\x1f\x8b") == "2"
    fails(1, "-f", "raw", "-t", "u8", stdin=b"\x1f\x8b\x08", says="truncated gzip")
    fails(1, "-t", "u8", put("x", b"\x1f\x8b\x07\0"), says="deflate")
    assert value("-t", "u8", "-o", "sum", put("one", b"\x1f")) == "31"
    fails(1, "-t", "u8", put("x", b"\x1f\x8b"), says="truncated")


def test_gz_names_of_files_that_are_not_gzip(put):
    """An incomplete download is not an empty dataset."""
    for name in "a.f32.gz", "a.csv.bgz", "a.bgzf", "a.npz", "a.zip":
        for blob in b"", b"\x1f", bytes(100), b"1,2\n" * 50:
            for more in [], ["-f", "raw", "-t", "u8"]:
                fails(1, *more, put(name, blob), says=[name, "name"])
    path = put("a.u8.gz", bytes(100))
    with open(path, "rb") as file:
        assert value("-t", "u8", "-o", "count", stdin=file) == "100"


def test_packed_twice(put):
    for inner in gzip.compress(b"x" * 100), Zip().add("a", b"x").end():
        blob = gzip.compress(inner)
        for args in ["-t", "u8"], []:
            fails(2, *args, put("a.gz", blob), says=["holds ", "unpack"])
            fails(2, *args, stdin=blob, says="holds ")
    fails(2, put("a.gz", gzip.compress(b"\x28\xb5\x2f\xfd" + bytes(50))),
          says="zstd")


# Runs a command; prints its output and its peak memory in KiB.
PEAK = """
import resource, subprocess, sys
sys.stdout.buffer.write(subprocess.run(sys.argv[1:],
                                       capture_output=True).stdout)
sys.stdout.flush()
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
"""


def test_a_bomb_takes_no_memory(tmp_path):
    """256 MiB of zeros in one member and in many takes less than 64 MiB and what
    a pipe of zeros takes (12 MB with 16 threads)."""
    pack = zlib.compressobj(9, zlib.DEFLATED, -15)
    mib = pack.compress(bytes(1 << 20)) + pack.flush(zlib.Z_FULL_FLUSH)
    end = pack.flush()
    for n in 1, 8:
        path = str(tmp_path / "bomb.u8.gz")
        with open(path, "wb") as file:
            file.write(member(bytes(256 // n << 20),
                              body=mib * (256 // n) + end) * n)
        for threads in "1", "2", "16":
            peak = subprocess.run(
                [sys.executable, "-c", PEAK, BINARY, "-o", "count,sum",
                 "--device", "cpu", "-j", threads, path],
                capture_output=True, text=True, timeout=120).stdout.split()
            assert peak[:4] == ["count", str(256 << 20), "sum", "0"]
            assert int(peak[4]) < (64 + 12) << 10, peak
