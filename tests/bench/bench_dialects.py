#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Text in other dialects beside plain CSV of the same numbers, in one run.

    tests/bench/bench_dialects.py GPUREDUCE FOLDER [MIB]

Writes a table of five columns in each dialect, MIB of each (default 8192: a
GPU reads less in a fraction of its start-up), and reduces two columns to sum,
mean and max: on all threads, on the GPU if there is one, and on one thread,
which gets a file of an eighth. A rate is the bytes of the file divided by the
median time; the ratio compares it with the plain file's rate, from runs in
turns. The GPU's start-up (a run over a few bytes) is left out. --thousands is
compared with the same numbers without separators, in quotes as well."""

import collections
import os
import statistics
import subprocess
import sys
import time

import numpy as np

from data import CORES, write

ROWS = 500_000
REPEAT = 5
ONE = "1 thread"
NAMES = ["id", "category", "price", "qty", "measure"]


def numbers():
    rng = np.random.default_rng(11)
    price = np.round(rng.lognormal(8, 2, ROWS), 2)
    return list(zip(range(ROWS), rng.integers(0, 1000, ROWS), price,
                    rng.integers(1, 100, ROWS), rng.standard_normal(ROWS)))


def body(form, rows):
    return "".join(form(*row) for row in rows).encode()


def plain(i, c, p, q, m):
    return "%d,c%d,%.2f,%d,%.9f\n" % (i, c, p, q, m)


def semicolon(i, c, p, q, m):
    return plain(i, c, p, q, m).replace(",", ";")


def comma(i, c, p, q, m):
    return semicolon(i, c, p, q, m).replace(".", ",")


def blank(i, c, p, q, m):
    return "%8d c%-5d %12.2f %4d %13.9f\n" % (i, c, p, q, m)


def quoted(i, c, p, q, m):
    return '%d,c%d,"%.2f",%d,%.9f\n' % (i, c, p, q, m)


def thousands(i, c, p, q, m):
    return '%d,c%d,"%s",%d,%.9f\n' % (i, c, format(p, ",.2f"), q, m)


Dialect = collections.namedtuple("Dialect",
                                 "name form between options is_base")

# A dialect is compared with the last base before it, of the same numbers.
DIALECTS = [
    Dialect("plain", plain, ",", (), True),
    Dialect("-d ';'", semicolon, ";", ("-d", ";"), False),
    Dialect("--decimal ,", comma, ";", ("-d", ";", "--decimal", ","), False),
    Dialect("-d blank", blank, " ", ("-d", "blank"), False),
    Dialect("quoted", quoted, ",", (), True),
    Dialect("--thousands ,", thousands, ",", ("--thousands", ","), False),
]


def seconds(command):
    start = time.perf_counter()
    subprocess.run(command, stdout=subprocess.PIPE, check=True)
    return time.perf_counter() - start


def has_gpu(program, small):
    return subprocess.run([program, "--device", "gpu", small],
                          stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE).returncode == 0


def path_of(path, mode):
    return path + ".eighth" if mode == ONE else path


def measure(program, paths, modes, start_up):
    """Returns {(dialect, mode): median seconds} of two dialects that take
    turns."""
    times = {}
    for turn in range(REPEAT + 1):
        for dialect, path in paths.items():
            for mode, flags in modes:
                wall = seconds([program, *flags, *dialect.options, "-f", "csv",
                                "-o", "sum,mean,max", "-c", "3,5", "--header",
                                "yes", path_of(path, mode)])
                if turn:
                    times.setdefault((dialect, mode), []).append(
                        wall - (start_up if mode == "GPU" else 0))
    return {key: statistics.median(value) for key, value in times.items()}


def line(name, rates, ratios):
    cells = [cell for pair in zip(rates, ratios) for cell in pair]
    print("| %s | %s |" % (name, " | ".join(cells)), flush=True)


def compare(program, paths, modes, start_up):
    """Prints a line for a dialect, compared with its base."""
    base, dialect = paths
    times = measure(program, paths, modes, start_up)
    rate = {(key, mode): os.path.getsize(path_of(paths[key], mode)) / wall / 1e9
            for (key, mode), wall in times.items()}
    line(base.name, ["%.2f" % rate[base, mode] for mode, _ in modes],
         [""] * len(modes))
    line(dialect.name, ["%.2f" % rate[dialect, mode] for mode, _ in modes],
         ["%.2f" % (rate[dialect, mode] / rate[base, mode])
          for mode, _ in modes])


def main():
    program, folder = sys.argv[1:3]
    mib = int(sys.argv[3]) if len(sys.argv) > 3 else 8192
    rows = numbers()
    small = os.path.join(folder, "bench_dialect_small.csv")
    write(small, b"x\n", b"1\n", 2)
    modes = [(ONE, ["--device", "cpu", "-j", "1"]),
             ("%d threads" % CORES, ["--device", "cpu"])]
    start_up = 0
    if has_gpu(program, small):
        modes.append(("GPU", ["--device", "gpu"]))
        start_up = statistics.median(
            seconds([program, "--device", "gpu", small]) for _ in range(5))
    line("dialect", [mode + ", GB/s" for mode, _ in modes],
         ["ratio"] * len(modes))
    line("---", ["---"] * len(modes), ["---"] * len(modes))
    paths, base = {}, None
    for dialect in DIALECTS:
        if dialect.is_base:
            paths.clear()
            base = dialect
        path = os.path.join(folder, "bench_%s.csv" % (
            "base" if dialect is base else "other"))
        for share, name in [(1, path), (8, path_of(path, ONE))]:
            write(name, (dialect.between.join(NAMES) + "\n").encode(),
                  body(dialect.form, rows), (mib << 20) // share)
        paths[dialect] = path
        if dialect is not base:
            compare(program, paths, modes, start_up)
            del paths[dialect]
    for name in ["base.csv", "base.csv.eighth", "other.csv", "other.csv.eighth",
                 "dialect_small.csv"]:
        os.remove(os.path.join(folder, "bench_" + name))


main()
