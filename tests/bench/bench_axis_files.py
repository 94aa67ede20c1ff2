#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Arrays of f32 in a warm file, reduced along either axis, beside the sum of
the whole file.

    bench_axis_files.py GPUREDUCE FOLDER [MIB [REPETITIONS]]

Runs alternate with sums of the whole file. Prints the processor time of the
sum divided by that of the reduction (medians; above 1: the reduction takes
less), and the most memory that a run used. Processor time of all threads
depends least on other work on the machine."""

import os
import shutil
import statistics
import subprocess
import sys

COLUMNS = [1, 2, 3, 7, 8, 31, 32, 100, 1000, 10**4, 10**6]
OPS = ["sum", "mean", "max", "argmax"]


def run(command):
    """Returns the processor seconds of a run and its peak memory in MiB."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    assert status == 0, command
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def measure(tool, path, shape, axis, op, times):
    whole, ours, memory = [], [], 0
    for _ in range(times):
        whole.append(run([tool, "-o", "sum", path])[0])
        seconds, mib = run([tool, f"--axis={axis}", f"--shape={shape}", "-o",
                            op, "-O", "npy", path])
        ours.append(seconds)
        memory = max(memory, mib)
    return statistics.median(whole) / statistics.median(ours), memory


# Runs in a process of its own, since a new process starts with the peak memory
# of its parent.
MAKE = """
import sys
import numpy as np
n = int(sys.argv[2])
np.random.default_rng(1).standard_normal(n, dtype="f4").tofile(sys.argv[1])
"""


def main(tool, folder, mib=256, times=5):
    whole, path = (os.path.join(folder, name)
                   for name in ("whole.f32", "axis.f32"))
    n = int(mib) << 18
    subprocess.run([sys.executable, "-c", MAKE, whole, str(n)], check=True)
    print("| columns | axis |", " | ".join(OPS), "| MiB |")
    print("| --- " * (3 + len(OPS)) + "|")
    for columns in COLUMNS:
        shutil.copyfile(whole, path)
        os.truncate(path, n // columns * columns * 4)
        for axis in 1, 0:
            got = [measure(tool, path, f"-1,{columns}", axis, op, int(times))
                   for op in OPS]
            print(f"| {columns} | {axis} |",
                  " | ".join(f"{ratio:.2f}" for ratio, _ in got),
                  f"| {max(mib for _, mib in got):.0f} |", flush=True)
    os.remove(path)
    os.remove(whole)


if __name__ == "__main__":
    main(*sys.argv[1:])
