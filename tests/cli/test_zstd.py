# SPDX-License-Identifier: MIT
"""zstd around every format, from files and pipes. The frames are made by hand,
of raw blocks and runs, and by the zstd command where it is installed."""

import os
import shutil
import struct
import subprocess

import pytest

from harness import fails, needs_memory_of_its_own, ok, run, values
from make import saved

OPS = "count,sum,argmax"
SKIPPED = b"\x5a\x2a\x4d\x18\x04\0\0\0skip"

pytestmark = pytest.mark.skipif("\nlibzstd: " not in ok("-V", "-v"),
                                reason="a build without libzstd")


def block(size, kind, last, body):
    return struct.pack("<I", size << 3 | kind << 1 | last)[:3] + body


def frame(data, size=100000, length=True):
    """Returns a frame of raw blocks."""
    pieces = [data[i:i + size] for i in range(0, len(data), size)] or [b""]
    head = b"\x28\xb5\x2f\xfd"
    head += struct.pack("<BQ", 0xe0, len(data)) if length else b"\0\x38"
    return head + b"".join(
        block(len(p), 0, p is pieces[-1], p) for p in pieces)


def packings(data):
    """Returns the same bytes, compressed in every way."""
    cuts = [data[i:i + 20001] for i in range(0, len(data), 20001)]
    yield "one", frame(data)
    yield "no length", frame(data, length=False)
    yield "many", b"".join(map(frame, cuts)) + bytes(100)
    yield "skippable", SKIPPED + b"".join(frame(c) + SKIPPED for c in cuts)
    if shutil.which("zstd"):
        for level in "-1", "-9":
            yield level, subprocess.run(["zstd", "-qc", level], input=data,
                                        capture_output=True, check=True).stdout


def test_every_packing(put, rng):
    a = rng.integers(-1000, 1000, 100000).astype("<f4")
    text = "x\n" + "".join(f"{int(x)}\n" for x in a)
    right = values("-o", OPS, put("plain.f32", a.tobytes()))
    for suffix, data, told in ((".f32", a.tobytes(), ["-t", "f32"]),
                               (".npy", saved(a), []),
                               (".csv", text.encode(), ["-f", "csv"])):
        for name, blob in packings(data):
            path = put("a" + suffix + ".zst", blob)
            for args in ["-j", "1"], ["-j", "3", "--chunk-size", "64K"]:
                if args[1] == "1" and suffix == ".npy":
                    continue
                assert values("-o", OPS, *args, path) == right, (suffix, name)
            if name in ("one", "skippable"):
                assert values("-o", OPS, *told, stdin=blob) == right, name
            if name in ("one", "skippable") and suffix == ".f32":
                assert values("-o", OPS, "-f", "raw", *told, stdin=blob) == right
    twice = values("-o", "count,sum", path, path)
    assert twice["sum"] == str(2 * int(right["sum"]))
    out = ok("--explain", path)
    assert "compression\tzstd" in out and "decoded by libzstd" in out


def test_refused(put):
    good = frame(b"x\n1\n2\n")
    n = len(good)
    for blob, says in (
            (good[:-1], ["truncated zstd", f"byte {n - 1},"]),
            (good + b"x", ["follow", f"byte {n},"]),
            (good + b"\x28x", ["no zstd header", f"byte {n}:"]),
            (good + b"\x28\xb5\x2f\xfd\x21\5\0", ["dictionary", "-D", str(n)]),
            (good + b"\x28\xb5\x2f\xfd\0\xa0", ["1024 MiB", "--long=31"]),
            (frame(bytes(9))[:13] + block(9, 3, 1, bytes(9)), ["corrupt zstd"]),
            (b"\x28\xb5\x2f\xfd\x20\x05\1\0\0", ["the length", "is wrong"])):
        for threads in "1", "3":
            fails(1, "-j", threads, put("t.csv.zst", blob), says=says)
        fails(1, "-f", "csv", stdin=blob, says=says)
    for name in "not.zst", "NOT.ZSTD":
        fails(1, put(name, b"x\n1\n"), says="has the name of zstd data")
    fails(2, put("a.zst", good) + ":x", says=["no", "member"])
    fails(2, put("b.zst", frame(good)), says="holds zstd data")


def test_first_fault_is_reported(put):
    """The first error is reported, also if a later frame is decoded ahead."""
    rows = b"7,8\n" * 50000
    parts = [frame(rows) for _ in range(40)]
    parts[30] = parts[30][:5] + b"\1" + parts[30][6:]
    path = put("t.csv.zst", b"".join(parts))
    at = 30 * len(parts[0])
    for threads in "1", "2", "5":
        fails(1, "--header", "no", "-j", threads, path,
              says=["zstd", f"starts at byte {at}"])


@pytest.mark.parametrize("log, frames, threads, most", [
    (26, 4, "4", 64 + 36), (23, 20, "16", 64 + 12)])
def test_a_bomb_takes_no_memory(put, rng, log, frames, threads, most):
    """Frames of 64 MiB of one byte. Those that ask for a window of 64 MiB take
    one in turn, and so do those that ask for 8 MiB, on any number of threads.
    Each frame is large enough to be a job."""
    needs_memory_of_its_own()
    noise = rng.integers(0, 256, 20000, "u1").tobytes()
    runs = b"".join(block(131072, 1, i == 511, b"\0") for i in range(512))
    path = put("bomb.u8.zst", frames * (
        b"\x28\xb5\x2f\xfd\0" + bytes([(log - 10) << 3])
        + block(20000, 0, 0, noise) + runs))
    code = ("import resource, subprocess, sys; subprocess.run(sys.argv[1:]);"
            "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)")
    out = subprocess.run(
        ["python3", "-c", code, os.environ["GPUREDUCE"], "-j", threads,
         "-o", "count", path], capture_output=True, text=True).stdout.split()
    assert out[0] == str(frames * (20000 + 512 * 131072))
    assert int(out[1]) < most << 10
