#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""CSV from a warm file: gpureduce on every device it can use, and the peers
that can be imported, in one run.

    tests/bench/bench_text.py GPUREDUCE FOLDER [MIB]

Two files are written to FOLDER: five columns (id, category, price, quantity
and a measure of nine digits), of which two are reduced to sum, mean and max,
and one column of 17 digits. MIB is the size of the first (default 16384); the
second has a quarter of it. Rates are medians. The GPU's start-up is that of a
run over a few bytes, and is left out where it says so."""

import os
import statistics
import subprocess
import sys
import time

import numpy as np

REPEAT = 5
ROWS = 1_000_000


def body_of_table(rng):
    price = np.round(rng.lognormal(3, 1, ROWS), 2)
    quantity = rng.integers(1, 100, ROWS)
    measure = rng.standard_normal(ROWS)
    category = rng.integers(0, 1000, ROWS)
    rows = zip(range(ROWS), category, price, quantity, measure)
    return "".join("%d,c%d,%.2f,%d,%.9g\n" % row for row in rows).encode()


def body_of_column(rng):
    return "".join("%.17g\n" % x for x in rng.random(ROWS)).encode()


def write(path, header, body, size):
    with open(path, "wb") as f:
        f.write(header)
        for _ in range(max(1, size // len(body))):
            f.write(body)
    return os.path.getsize(path)


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
             "%.1f" % (peer / (wall - start_up)) if peer else ""),
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


def bench(program, path, size, columns, small):
    cores = len(os.sched_getaffinity(0))
    ops = ["-o", "sum,mean,max", "-c", ",".join(columns), path]
    print("\n%s: %d bytes, columns %s, %d threads\n"
          % (os.path.basename(path), size, ",".join(columns), cores))
    print("| | wall | GB/s | less start-up | x DuckDB |\n"
          "| --- | --- | --- | --- | --- |")
    peer = 0
    select = ",".join("sum(%s),avg(%s),max(%s)" % (c, c, c) for c in columns)
    for name, call in (("DuckDB", duck(path, select)),
                       ("pyarrow", arrow(path, columns))):
        if call:
            wall = seconds(call)
            row(name, size, wall, 0, 0)
            peer = peer or wall
    for threads in (1, cores):
        wall = seconds(lambda: run(program, "--device", "cpu", "-j",
                                   str(threads), *ops))
        row("gpureduce, cpu, %d threads" % threads, size, wall, 0, peer)
    answer = run(program, "--device", "cpu", *ops)
    try:
        start_up = seconds(lambda: run(program, "--device", "gpu", small))
    except subprocess.CalledProcessError:
        return
    wall = seconds(lambda: run(program, "--device", "gpu", *ops))
    row("gpureduce, gpu", size, wall, start_up, peer)
    same = run(program, "--device", "gpu", *ops) == answer
    print("\nstart-up %.3f s; the GPU's answer %s the CPU's"
          % (start_up, "is" if same else "IS NOT"))


def main():
    program, folder = sys.argv[1:3]
    mib = int(sys.argv[3]) if len(sys.argv) > 3 else 16384
    rng = np.random.default_rng(7)
    small = os.path.join(folder, "bench_small.csv")
    write(small, b"x\n", b"1\n", 2)
    table = os.path.join(folder, "bench_table.csv")
    size = write(table, b"id,category,price,qty,measure\n",
                 body_of_table(rng), mib << 20)
    bench(program, table, size, ["price", "measure"], small)
    os.remove(table)
    column = os.path.join(folder, "bench_column.csv")
    size = write(column, b"x\n", body_of_column(rng), mib << 18)
    bench(program, column, size, ["x"], small)
    os.remove(column)


main()
