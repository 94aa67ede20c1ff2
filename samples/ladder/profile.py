#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The profiler's view of each rung, as a table.

    samples/ladder/profile.py LADDER [MIB]

Runs LADDER (the program) under ncu, which must be allowed to read the GPU's
counters, on MIB of data (default 256). The largest launch of each rung's
kernel counts. The columns:

- uniform branches: the share of branches that all threads of a warp take the
  same way (branch efficiency); none if the compiler has left no branch
- threads at work: how many of a warp's 32 threads the average instruction has
  active; threads that a predicate switches off are not counted
- instructions, loads: the number that a warp issues for 32 numbers; loads are
  those of global memory with an active thread
- bytes used: of the 32 bytes of each sector that a load of global memory
  touches
- memory traffic: bytes that the memory reads and writes, per byte of data"""

import csv
import subprocess
import sys

BRANCHES = "smsp__sass_branch_targets.sum"
DIVERGENT = "smsp__sass_branch_targets_threads_divergent.sum"
THREADS = "smsp__thread_inst_executed_pred_on_per_inst_executed.ratio"
INSTRUCTIONS = "smsp__inst_executed.sum"
LOADS = "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum"
USED = "smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.pct"
READ, WRITTEN = "dram__bytes_read.sum", "dram__bytes_write.sum"
METRICS = [BRANCHES, DIVERGENT, THREADS, INSTRUCTIONS, LOADS, USED, READ,
           WRITTEN]

# Kernels that do not have the name of their rung.
NAMES = {"exact_kernel": "production"}


def launches(text):
    """Returns a dictionary for every launch in ncu's raw page."""
    lines = text.splitlines()
    starts = [i for i, line in enumerate(lines) if line.startswith('"ID"')]
    if not starts:
        sys.exit("profile.py: no counters came back:\n" + text)
    rows = csv.reader(lines[starts[0]:])
    header = next(rows)
    next(rows)  # the units
    return [dict(zip(header, row)) for row in rows if len(row) == len(header)]


def kernel(launch):
    """The kernel's name without type, template and arguments."""
    return launch["Kernel Name"].split("(")[0].split("<")[0].split()[-1]


def blocks(launch):
    product = 1
    for size in launch["Grid Size"].strip("()").split(","):
        product *= int(size)
    return product


def number(launch, metric):
    return float(launch[metric].replace(",", ""))


def uniform(launch):
    branches = number(launch, BRANCHES)
    if branches == 0:
        return "none"
    return "%.0f" % (100 * (1 - number(launch, DIVERGENT) / branches))


def largest(rows):
    """Returns the largest launch of each kernel, in the order of the first
    launches."""
    found = {}
    for launch in rows:
        name = kernel(launch)
        if name not in found or blocks(launch) > blocks(found[name]):
            found[name] = launch
    return found


def main(arguments):
    if len(arguments) not in (1, 2):
        sys.exit(__doc__.strip())
    program, mib = arguments[0], int(arguments[1:] and arguments[1] or 256)
    run = subprocess.run(
        ["ncu", "--clock-control", "none", "--csv", "--page", "raw",
         "--print-units", "base", "--metrics", ",".join(METRICS),
         program, str(mib), "--runs", "0"],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if run.returncode:
        sys.exit("profile.py: ncu failed:\n" + run.stdout)
    print("| rung | uniform branches, % | threads at work | instructions "
          "| loads | bytes used, % | memory traffic |\n"
          "| --- | --- | --- | --- | --- | --- | --- |")
    for name, launch in largest(launches(run.stdout)).items():
        moved = number(launch, READ) + number(launch, WRITTEN)
        each = mib << 13  # Warp-wide groups of 32 numbers.
        print("| %s | %s | %.1f | %.1f | %.2f | %.0f | %.2f |" % (
            NAMES.get(name, name.replace("_", " ")), uniform(launch),
            number(launch, THREADS), number(launch, INSTRUCTIONS) / each,
            number(launch, LOADS) / each, number(launch, USED),
            moved / (mib << 20)))


if __name__ == "__main__":
    main(sys.argv[1:])
