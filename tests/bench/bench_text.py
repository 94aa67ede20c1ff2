#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""CSV from a warm file: gpureduce on every device that it can use, and the
peers that can be imported, in one run.

    tests/bench/bench_text.py GPUREDUCE FOLDER [MIB]

Writes two files to FOLDER: five columns (id, category, price, quantity and a
measure of nine digits), of which two are reduced to sum, mean and max; and one
column of 17 digits. MIB is the size of each (default 16384); the peers and a
single thread get a file of a quarter of it. Rates are medians. The GPU's
start-up is that of a run over a few bytes; it is left out where the table says
so."""

import os
import statistics
import subprocess
import sys
import time

import numpy as np

from data import TABLE_HEADER, body_of_column, body_of_table, write

REPEAT = 3


def seconds(call):
    times = []
    for _ in range(REPEAT + 1):
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    return statistics.median(times[1:])


def run(program, *args):
    done = subprocess.run([program, *args], stdout=subprocess.PIPE, check=True)
    return done.stdout


def row(name, size, wall, start_up, peer):
    steady = size / (wall - start_up) / 1e9
    print("| %s | %.3f s | %.2f | %s | %s |"
          % (name, wall, size / wall / 1e9,
             "%.2f" % steady if start_up else "",
             "%.1f" % (size / (wall - start_up) / peer) if peer else ""),
          flush=True)


def duck(path, select):
    try:
        import duckdb
    except ImportError:
        return None
    con = duckdb.connect()
    query = "select %s from read_csv('%s')" % (select, path)
    return lambda: con.execute(query).fetchall()


def arrow(path, columns):
    try:
        import pyarrow.compute as pc
        import pyarrow.csv as csv
    except ImportError:
        return None

    def call():
        table = csv.read_csv(
            path, csv.ReadOptions(block_size=8 << 20),
            convert_options=csv.ConvertOptions(include_columns=columns))
        return [(pc.sum(table[c]).as_py(), pc.mean(table[c]).as_py(),
                 pc.max(table[c]).as_py()) for c in columns]
    return call


def peers(path, columns):
    select = ",".join("sum(%s),avg(%s),max(%s)" % (c, c, c) for c in columns)
    return ("DuckDB", duck(path, select)), ("pyarrow", arrow(path, columns))


def bench(program, paths, columns, small):
    """paths: the whole file and a quarter of it."""
    cores = len(os.sched_getaffinity(0))
    ops = ["-o", "sum,mean,max", "-c", ",".join(columns)]
    whole, quarter = paths
    size, part = (os.path.getsize(path) for path in paths)
    print("\n%s: %d bytes, columns %s\n"
          % (os.path.basename(whole), size, ",".join(columns)))
    print("| | wall | GB/s | less start-up | x DuckDB |\n"
          "| --- | --- | --- | --- | --- |")
    rate = 0
    for name, call in peers(quarter, columns):
        if call:
            wall = seconds(call)
            row(name, part, wall, 0, 0)
            rate = rate or part / wall
    wall = seconds(lambda: run(program, "--device", "cpu", "-j", "1", *ops,
                               quarter))
    row("gpureduce, cpu, 1 thread", part, wall, 0, rate)
    wall = seconds(lambda: run(program, "--device", "cpu", *ops, whole))
    row("gpureduce, cpu, %d threads" % cores, size, wall, 0, rate)
    answer = run(program, "--device", "cpu", *ops, whole)
    try:
        start_up = seconds(lambda: run(program, "--device", "gpu", small))
    except subprocess.CalledProcessError:
        return
    wall = seconds(lambda: run(program, "--device", "gpu", *ops, whole))
    row("gpureduce, gpu", size, wall, start_up, rate)
    same = run(program, "--device", "gpu", *ops, whole) == answer
    print("\nstart-up %.3f s; the GPU's answer %s the CPU's"
          % (start_up, "is" if same else "IS NOT"))


def bench_body(program, folder, name, header, body, columns, size):
    small = os.path.join(folder, "bench_small.csv")
    paths = [os.path.join(folder, "bench_%s%s.csv" % (name, end))
             for end in ("", "_quarter")]
    write(small, b"x\n", b"1\n", 2)
    write(paths[0], header, body, size)
    write(paths[1], header, body, size // 4)
    bench(program, paths, columns, small)
    for path in [small, *paths]:
        os.remove(path)


def main():
    program, folder = sys.argv[1:3]
    mib = int(sys.argv[3]) if len(sys.argv) > 3 else 16384
    rng = np.random.default_rng(7)
    bench_body(program, folder, "table", TABLE_HEADER,
               body_of_table(rng), ["price", "measure"], mib << 20)
    bench_body(program, folder, "column", b"x\n", body_of_column(rng), ["x"],
               mib << 20)


main()
