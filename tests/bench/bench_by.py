#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Results by key on the CPU, of few keys and of many, beside DuckDB and polars
where they can be imported.

    tests/bench/bench_by.py GPUREDUCE FOLDER [ROWS [KEYS...]]

Writes a CSV file of five columns and ROWS rows (default 64 million, 2.1 GB).
Reduces it by 1000 texts (sum, mean and maximum) and by each number of KEYS
(default 1 1000 1000000 10000000), integers in random order (sum). Prints the
best of three times of each program, measured in turns, gpureduce's rate, and
its gain over the better peer. All must find the same number of keys. A peer's
start-up is left out; gpureduce's is counted."""

import os
import subprocess
import sys
import time

import numpy as np

PIECE = 1_000_000
TURNS = 3
HEADER = b"user,category,price,qty,measure\n"


def write(path, rows, keys):
    """All pieces have the same prices; with up to 10^6 keys also the same
    keys."""
    rng = np.random.default_rng(7)
    price = rng.lognormal(3, 1, PIECE)
    qty, text = rng.integers(1, 100, PIECE), rng.integers(0, 1000, PIECE)
    measure = rng.standard_normal(PIECE)
    with open(path, "wb") as file:
        file.write(HEADER)
        for at in range(0, rows, PIECE):
            n = min(PIECE, rows - at)
            if at == 0 or keys > PIECE or n < PIECE:
                user = (rng.integers(0, keys, PIECE) if keys > PIECE
                        else rng.permutation(PIECE) % keys)
                line = "%d,c%d,%.2f,%d,%.9g\n"
                lines = map(line.__mod__, zip(user[:n], text, price, qty, measure))
                body = "".join(lines).encode()
            file.write(body)


def ours(program, path, key, query):
    def run():
        out = subprocess.run([program, "--device", "cpu", "-g", key, *query, path],
                             stdout=subprocess.PIPE, check=True).stdout
        return out.count(b"\n") - 1
    return run


def peers(path, key, is_long):
    """Returns a function for each peer that computes the same and returns the
    number of keys."""
    found = {}
    try:
        import duckdb
        con = duckdb.connect()
        con.execute("set enable_progress_bar=false")
        more = ",avg(measure),max(measure)" if is_long else ""
        query = f"select {key},sum(price){more} from '{path}' group by {key}"
        found["DuckDB"] = lambda: len(con.execute(query).fetchnumpy()[key])
    except ImportError:
        pass
    try:
        import polars as pl
        c = pl.col
        more = [c("measure").mean(), c("measure").max().alias("m")]
        lazy = pl.scan_csv(path).group_by(key).agg(
            c("price").sum(), *(more if is_long else []))
        found["polars"] = lambda: lazy.collect(engine="streaming").height
    except ImportError:
        pass
    return found


def shape(program, path, name, key, query):
    runs = {"gpureduce": ours(program, path, key, query),
            **peers(path, key, "," in query[1])}
    best, counts = dict.fromkeys(runs, 1e9), set()
    for _ in range(TURNS):
        for who, call in runs.items():
            start = time.perf_counter()
            counts.add(call())
            best[who] = min(best[who], time.perf_counter() - start)
    if len(counts) != 1:
        sys.exit(f"{name}: the programs find {counts} keys")
    own = best.pop("gpureduce")
    print(f"| {name} | {os.path.getsize(path) / own / 1e9:.2f} | {own:.3f} |",
          ", ".join(f"{who} {s:.3f}" for who, s in best.items()) or "none", "|",
          f"{min(best.values()) / own:.1f} |" if best else "|", flush=True)


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    program, folder = os.path.abspath(sys.argv[1]), sys.argv[2]
    rows = int(sys.argv[3]) if len(sys.argv) > 3 else 64_000_000
    keys = [int(k) for k in sys.argv[4:]] or [1, 1000, 10**6, 10**7]
    path = os.path.join(folder, "bench_by.csv")
    print("| by | GB/s | s | peers, s | gain |")
    print("| --- | --- | --- | --- | --- |")
    try:
        for i, n in enumerate(sorted(keys)):
            write(path, rows, n)
            if i == 0:
                shape(program, path, "1000 texts: sum, mean, max", "category",
                      ["-c", "price,measure", "-o", "sum,mean,max"])
            shape(program, path, f"{n} integers: sum", "user",
                  ["-c", "price", "-o", "sum"])
    finally:
        if os.path.exists(path):
            os.remove(path)


if __name__ == "__main__":
    main()
