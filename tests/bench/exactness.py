#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""One dataset, summed by common tools in three orders, beside the exact sum.

    GPUREDUCE=build/gpureduce tests/bench/exactness.py

The data are a million f64: amounts in cents, and among them large ones that
cancel. Prints a table; tools that are not installed are left out."""

import math
import os
import random
import shutil
import subprocess
import sys
import tempfile
from array import array
from fractions import Fraction

TOOL = os.environ.get("GPUREDUCE", "build/gpureduce")
SEED = 20261120


def dataset():
    rng = random.Random(SEED)
    data = [rng.randrange(-10**7, 10**7) / 100 for _ in range(800000)]
    for _ in range(100000):
        large = rng.uniform(1, 10) * 10 ** rng.randrange(8, 20)
        data += [large, -large]
    rng.shuffle(data)
    return data


def command(*args, text=None, file=None):
    done = subprocess.run(args, input=text, stdin=file, text=True,
                          capture_output=True, check=True)
    return float(done.stdout.split()[0])


def tools():
    """Returns names, each with a function of (values, raw file, text file)."""
    rows = [("gpureduce (CPU)", lambda v, raw, text:
             command(TOOL, "--device", "cpu", "--op", "sum", raw))]
    probe = subprocess.run([TOOL, "--device", "gpu", "--op", "sum", "-t", "u8",
                            sys.argv[0]], capture_output=True)
    if probe.returncode == 0:
        rows.append(("gpureduce (GPU)", lambda v, raw, text:
                     command(TOOL, "--device", "gpu", "--op", "sum", raw)))
    for awk in "mawk", "gawk":
        if shutil.which(awk):
            rows.append((awk, lambda v, raw, text, awk=awk: command(
                awk, '{ s += $1 } END { printf "%.17g\\n", s }', text)))
    if shutil.which("datamash"):
        rows.append(("datamash", lambda v, raw, text: command(
            "datamash", "-R", "9", "sum", "1", file=open(text))))
    rows.append(("Python sum", lambda v, raw, text:
                 sum(v) if sys.version_info < (3, 12) else math.nan))
    try:
        import numpy
        rows.append(("NumPy sum", lambda v, raw, text:
                     float(numpy.fromfile(raw).sum())))
    except ImportError:
        pass
    try:
        import duckdb
        rows.append(("DuckDB sum", lambda v, raw, text: duckdb.sql(
            f"select sum(x) from read_csv('{text}', header=false, "
            "columns={'x': 'DOUBLE'})").fetchall()[0][0]))
    except ImportError:
        pass
    return rows


def main():
    data = dataset()
    exact = sum(map(Fraction, data))
    print("exact sum, rounded: %.17g\n" % float(exact))
    orders = {"as it comes": data, "reversed": data[::-1],
              "sorted": sorted(data)}
    print("| tool | " + " | ".join(orders) + " | worst error |")
    print("| --- |" + " --- |" * (len(orders) + 1))
    with tempfile.TemporaryDirectory() as folder:
        files = {}
        for name, values in orders.items():
            raw = os.path.join(folder, name + ".f64")
            text = os.path.join(folder, name + ".txt")
            with open(raw, "wb") as file:
                array("d", values).tofile(file)
            with open(text, "w", encoding="ascii") as file:
                file.writelines("%r\n" % x for x in values)
            files[name] = (values, raw, text)
        for name, tool in tools():
            sums = [tool(*files[order]) for order in orders]
            worst = max(abs(Fraction(s) - exact) if s == s else 0
                        for s in sums)
            print("| %s | %s | %.2g |" % (
                name, " | ".join("%.17g" % s for s in sums), float(worst)))


if __name__ == "__main__":
    main()
