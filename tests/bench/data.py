# SPDX-License-Identifier: MIT
"""Files for benchmarks: made quickly, cut to a size, kept in the page
cache."""

import ctypes
import os
from concurrent.futures import ThreadPoolExecutor

import numpy as np

ROWS = 1_000_000
PIECE = 8 << 20
CORES = len(os.sched_getaffinity(0))

TABLE_HEADER = b"id,category,price,qty,measure\n"


def body_of_table(rng, rows=ROWS):
    """Five columns: id, category, price, quantity and a number of nine
    digits."""
    price = np.round(rng.lognormal(3, 1, rows), 2)
    quantity = rng.integers(1, 100, rows)
    measure = rng.standard_normal(rows)
    category = rng.integers(0, 1000, rows)
    lines = zip(range(rows), category, price, quantity, measure)
    return "".join("%d,c%d,%.2f,%d,%.9g\n" % line for line in lines).encode()


def body_of_column(rng, rows=ROWS):
    return "".join("%.17g\n" % x for x in rng.random(rows)).encode()


def body_of_raw(rng, count=16 << 20):
    """f32 above 0, so that a plain f32 sum of them is nearly right."""
    return rng.lognormal(0, 1, count).astype("<f4").tobytes()


def write(path, header, body, size):
    """Writes the header and whole bodies, at least one, up to size bytes."""
    with open(path, "wb") as f:
        f.write(header)
        for _ in range(max(1, size // len(body))):
            f.write(body)


def write_exactly(path, header, body, size):
    """Writes the header and then bodies, cut to the byte, on all cores, and
    syncs them to the disk: writing back later would disturb the timing."""
    fd = os.open(path, os.O_RDWR | os.O_CREAT | os.O_TRUNC, 0o644)
    view = memoryview(body)

    def put(at):
        part = view[:size - at]
        while part:
            done = os.pwrite(fd, part, at)
            part, at = part[done:], at + done

    try:
        os.pwrite(fd, header[:size], 0)
        with ThreadPoolExecutor(CORES) as pool:
            list(pool.map(put, range(len(header), size, len(body))))
        os.fsync(fd)
    finally:
        os.close(fd)


def cut(path, size, at_line_end):
    """Shortens a file to size bytes, or to the last line that ends within
    them."""
    with open(path, "r+b") as f:
        if at_line_end:
            start = max(0, size - (1 << 12))
            f.seek(start)
            size = start + f.read(size - start).rindex(b"\n") + 1
        f.truncate(size)


def prefix(path, other, size, at_line_end):
    """Copies the first bytes of a file, in pieces, since the file may be much
    longer."""
    with open(other, "rb") as source, open(path, "wb") as f:
        while size > 0 and (piece := source.read(min(PIECE, size))):
            f.write(piece)
            size -= len(piece)
    cut(path, os.path.getsize(path), at_line_end)


def warm(path):
    """Reads the whole file, on all cores."""
    fd = os.open(path, os.O_RDONLY)
    step = 32 * PIECE

    def read(start):
        buffer = bytearray(PIECE)
        for at in range(start, start + step, PIECE):
            os.preadv(fd, [buffer], at)

    try:
        with ThreadPoolExecutor(CORES) as pool:
            list(pool.map(read, range(0, os.path.getsize(path), step)))
    finally:
        os.close(fd)


def share_in_cache(path):
    """Returns the share of the file's pages that are cached, by mincore. A
    machine may report less memory than it has, or more than it lets a program
    keep."""
    view = np.memmap(path, dtype=np.uint8, mode="r")
    pages = np.zeros(-(-len(view) // os.sysconf("SC_PAGE_SIZE")), np.uint8)
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.mincore(ctypes.c_void_p(view.ctypes.data),
                    ctypes.c_size_t(len(view)),
                    ctypes.c_void_p(pages.ctypes.data)) != 0:
        raise OSError(ctypes.get_errno(), "mincore")
    return float((pages & 1).mean())
