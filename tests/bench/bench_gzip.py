#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""gzip from a warm file, beside zlib's inflate of the same file, in one run.

    tests/bench/bench_gzip.py GPUREDUCE BENCH_INFLATE FOLDER [MIB]

MIB is the unpacked size of the data (default 512): f32 measurements and a CSV
table. Each is packed as one member, as consecutive members of 8 MiB, and as
BGZF. The peer is bench_inflate (beside this file): one thread that only
inflates, and as many such processes in parallel as there are cores. Runs take
turns; rates are medians, in GB/s of unpacked data."""

import os
import statistics
import struct
import subprocess
import sys
import time
import zlib

import numpy as np

REPEAT = 3
PIECE = 8 << 20
CORES = len(os.sched_getaffinity(0))


def measurements(rng):
    walk = np.cumsum(rng.standard_normal(PIECE // 4)) + 1000
    return (np.round(walk * 16) / 16).astype("<f4").tobytes()


def table(rng):
    n = 300000
    rows = zip(range(n), rng.integers(0, 1000, n), rng.lognormal(3, 1, n),
               rng.integers(1, 100, n))
    text = "".join("%d,c%d,%.2f,%d\n" % row for row in rows)
    return text[:text.rindex("\n", 0, PIECE) + 1].encode()


def member(deflated, data, extra=b""):
    head = struct.pack("<BBBBIBB", 31, 139, 8, 4 if extra else 0, 0, 0, 255)
    return head + extra + deflated + struct.pack(
        "<II", zlib.crc32(data), len(data) & 0xffffffff)


def deflate(data, end=zlib.Z_FINISH):
    c = zlib.compressobj(6, zlib.DEFLATED, -15)
    return c.compress(data) + c.flush(end)


def bgzf(data):
    out = []
    for i in range(0, len(data), 65280):
        piece = data[i:i + 65280]
        body = deflate(piece)
        out.append(member(body, piece, struct.pack(
            "<H2sHH", 6, b"BC", 2, len(body) + 25)))
    return b"".join(out)


def write(path, data, n, kind):
    """Writes the data n times. One member is a stream that is flushed after
    each copy."""
    with open(path, "wb") as file:
        if kind == "one":
            body, crc = deflate(data, zlib.Z_FULL_FLUSH), 0
            file.write(struct.pack("<BBBBIBB", 31, 139, 8, 0, 0, 0, 255))
            for _ in range(n):
                crc = zlib.crc32(data, crc)
                file.write(body)
            file.write(b"\3\0" + struct.pack("<II", crc,
                                             n * len(data) & 0xffffffff))
            return
        body = bgzf(data) if kind == "BGZF" else member(deflate(data), data)
        for _ in range(n):
            file.write(body)


def seconds(*commands):
    """Returns the seconds until all commands, started together, have ended."""
    start = time.perf_counter()
    running = [subprocess.Popen(c, stdout=subprocess.DEVNULL)
               for c in commands]
    if any([r.wait() for r in running]):
        sys.exit("failed: %s" % (commands,))
    return time.perf_counter() - start


def bench(program, peer, path, size, label, many):
    """Prints a line. One member has no line for the peer on all cores."""
    reduce = [program, "-o", "sum", "--device", "cpu", path]
    commands = [[reduce], [[peer, path]]] + [[[peer, path]] * CORES] * many
    times = [[seconds(*c) for c in commands] for _ in range(REPEAT + 1)]
    ours, alone, *rest = (size / statistics.median(t) / 1e9
                          for t in zip(*times[1:]))
    print("| %s | %.2f | %.2f | %.2f |" % (label, ours, alone, ours / alone),
          end="")
    if many:
        all_of = rest[0] * CORES
        print(" %.2f | %.2f | %.2f |"
              % (ours / alone / CORES, all_of, ours / all_of), flush=True)
    else:
        print(" | | |", flush=True)


def main(program, peer, folder, mib="512"):
    rng = np.random.default_rng(1)
    print("%d cores\n" % CORES)
    print("| | gpureduce | zlib, one thread | ratio | ratio / cores "
          "| zlib, all cores | ratio |\n|" + " --- |" * 7)
    for suffix, data in ("f32", measurements(rng)), ("csv", table(rng)):
        n = max(1, (int(mib) << 20) // len(data))
        for kind in "one", "members", "BGZF":
            path = os.path.join(folder, "bench.%s.gz" % suffix)
            write(path, data, n, kind)
            packed = os.path.getsize(path)
            bench(program, peer, path, n * len(data), "%s, %s (%.1f : 1)" % (
                suffix, kind, n * len(data) / packed), kind != "one")
            os.unlink(path)


if __name__ == "__main__":
    main(*sys.argv[1:])
