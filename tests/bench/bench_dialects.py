#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Text in other dialects against plain CSV of the same numbers, in one run.

    tests/bench/bench_dialects.py GPUREDUCE FOLDER [MIB]

One table of five columns is written in each dialect, MIB of it each (default
2048), of which two columns are reduced to sum, mean and max: on one thread, on
all, and on the GPU where there is one. A rate is bytes of the file by the
median time; the ratio is that rate by the plain file's, of runs in turns. The
GPU's start-up, that of a run over a few bytes, is left out. --thousands is held
to the same numbers without separators, in quotes as theirs."""

import os
import statistics
import subprocess
import sys
import time

import numpy as np

from data import write

ROWS = 500_000
REPEAT = 7
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


# Name, how a row is written, what is between names, the options, what it is
# held to.
DIALECTS = [
    ("plain", plain, ",", [], None),
    ("-d ';'", semicolon, ";", ["-d", ";"], "plain"),
    ("--decimal ,", comma, ";", ["-d", ";", "--decimal", ","], "plain"),
    ("-d blank", blank, " ", ["-d", "blank"], "plain"),
    ("quoted", quoted, ",", [], None),
    ("--thousands ,", thousands, ",", ["--thousands", ","], "quoted"),
]


def seconds(command):
    start = time.perf_counter()
    subprocess.run(command, stdout=subprocess.PIPE, check=True)
    return time.perf_counter() - start


def has_gpu(program, small):
    return subprocess.run([program, "--device", "gpu", small],
                          stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE).returncode == 0


def measure(program, paths, ways, start_up):
    """{(dialect, way): median seconds}, all in turns."""
    times = {}
    for turn in range(REPEAT + 1):
        for name, _, _, options, _ in DIALECTS:
            for way, flags in ways:
                wall = seconds([program, *flags, *options, "-f", "csv", "-o",
                                "sum,mean,max", "-c", "3,5", "--header", "yes",
                                paths[name]])
                if turn:
                    times.setdefault((name, way), []).append(
                        wall - (start_up if way == "GPU" else 0))
    return {key: statistics.median(value) for key, value in times.items()}


def main():
    program, folder = sys.argv[1:3]
    mib = int(sys.argv[3]) if len(sys.argv) > 3 else 2048
    rows = numbers()
    small = os.path.join(folder, "bench_dialect_small.csv")
    write(small, b"x\n", b"1\n", 2)
    paths = {}
    for k, (name, form, between, _, _) in enumerate(DIALECTS):
        paths[name] = os.path.join(folder, "bench_dialect_%d.csv" % k)
        write(paths[name], (between.join(NAMES) + "\n").encode(),
              body(form, rows), mib << 20)
    cores = len(os.sched_getaffinity(0))
    ways = [("1 thread", ["--device", "cpu", "-j", "1"]),
            ("%d threads" % cores, ["--device", "cpu"])]
    start_up = 0
    if has_gpu(program, small):
        ways.append(("GPU", ["--device", "gpu"]))
        start_up = statistics.median(
            seconds([program, "--device", "gpu", small]) for _ in range(5))
    times = measure(program, paths, ways, start_up)
    print("| dialect |" + "".join(" %s, GB/s | ratio |" % way
                                  for way, _ in ways))
    print("| --- |" + " --- | --- |" * len(ways))
    for name, _, _, _, base in DIALECTS:
        line = "| %s |" % name
        for way, _ in ways:
            rate = os.path.getsize(paths[name]) / times[name, way]
            line += " %.2f |" % (rate / 1e9)
            if base:
                least = os.path.getsize(paths[base]) / times[base, way]
                line += " %.2f |" % (rate / least)
            else:
                line += " |"
        print(line)
    for path in [small, *paths.values()]:
        os.remove(path)


main()
