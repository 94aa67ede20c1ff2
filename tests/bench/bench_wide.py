#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""CSV of few and of many columns, of which one or all are reduced.

    tests/bench/bench_wide.py GPUREDUCE FOLDER [MIB] [auto]

Tables of 1 to 3000 columns, MIB of each (default 3072), are reduced to sum,
mean and max: on one thread, on all, on the GPU if there is one, and with auto.
Prints the rates, the gain of all threads over one, and auto's time beside the
better device's, also for processes limited to 1 to 16 processors; with `auto`
only the latter. All answers are compared. The GPU's start-up (a run over a few
bytes) is left out of its rate, but not of auto's comparison."""

import os
import statistics
import subprocess
import sys
import time

import numpy as np

from data import CORES, write

COLUMNS = [1, 4, 19, 100, 1000, 3000]
CELLS = 2_000_000
REPEAT = 3
TURNS = 5


def body(rng, columns):
    cells = ["%.6f" % x for x in rng.standard_normal(20_000)]
    pick = rng.integers(0, len(cells), (max(20, CELLS // columns), columns))
    return "".join(",".join([cells[i] for i in row]) + "\n"
                   for row in pick.tolist()).encode()


def once(program, path, flags, processors=CORES):
    """Returns the seconds of a run and its output."""
    command = ["taskset", "-c", "0-%d" % (processors - 1), program, *flags,
               "-f", "csv", "--header", "yes", "-o", "sum,mean,max", path]
    start = time.perf_counter()
    out = subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout
    return time.perf_counter() - start, out


def timed(program, path, flags):
    """Returns the median seconds of a run and its output."""
    walls = []
    for _ in range(REPEAT + 1):
        wall, out = once(program, path, flags)
        walls.append(wall)
    return statistics.median(walls[1:]), out


def has_gpu(program, small):
    return subprocess.run([program, "--device", "gpu", small],
                          stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE).returncode == 0


def rates(program, path, devices, start_up, name, wanted):
    """Prints a line of rates in GB/s."""
    size = os.path.getsize(path) / 1e9
    one, answer = timed(program, path, ["--device", "cpu", "-j", "1", *wanted])
    answers, cells = {answer}, ["%.2f" % (size / one)]
    for device in devices:
        wall, answer = timed(program, path, ["--device", device, *wanted])
        answers.add(answer)
        if device == "cpu":
            cells += ["%.2f" % (size / wall), "%.1f" % (one / wall)]
        else:
            cells += ["%.2f" % (size / (wall - start_up))]
    print("| %s | %s | %s |" % (name, " | ".join(cells),
                                "yes" if len(answers) == 1 else "NO"),
          flush=True)


def choices(program, path, name, wanted):
    """Prints a line of auto's time divided by the better device's, for each
    number of processors: medians of runs in turns."""
    cells = []
    for n in [p for p in (1, 2, 4, 8, 16) if p <= CORES]:
        walls = {"cpu": [], "gpu": [], "auto": []}
        for _ in range(TURNS):
            for device, took in walls.items():
                took += [once(program, path,
                              ["--device", device, *wanted], n)[0]]
        cpu, gpu, auto = map(statistics.median, walls.values())
        cells.append("%.2f" % (auto / min(cpu, gpu)))
    return "| %s | %s |" % (name, " | ".join(cells))


def main():
    program, folder = sys.argv[1:3]
    mib = int(sys.argv[3]) if len(sys.argv) > 3 else 3072
    only_auto = sys.argv[4:] == ["auto"]
    rng = np.random.default_rng(5)
    path = os.path.join(folder, "bench_wide.csv")
    write(path, b"x\n", b"1\n", 2)
    devices = ["cpu", "gpu"] if has_gpu(program, path) else ["cpu"]
    start_up = timed(program, path, ["--device", "gpu"])[0] \
        if "gpu" in devices else 0
    chosen = []
    if not only_auto:
        print("| columns reduced | 1 thread, GB/s | %d threads | gain |%s same |"
              % (CORES, " GPU |" if "gpu" in devices else ""))
        print("|" + " --- |" * (5 + ("gpu" in devices)))
    for columns in COLUMNS:
        header = ",".join("c%d" % i for i in range(columns)) + "\n"
        write(path, header.encode(), body(rng, columns), mib << 20)
        for wanted in [["-c", "c0"]] * (columns > 1) + [[]]:
            name = "%d of %d" % (1 if wanted else columns, columns)
            if not only_auto:
                rates(program, path, devices, start_up, name, wanted)
            if "gpu" in devices:
                chosen.append(choices(program, path, name, wanted))
            if only_auto:
                print(chosen[-1], flush=True)
    os.remove(path)
    if chosen and not only_auto:
        print("\nauto / the better device, by processors:\n")
        print("\n".join(chosen))


main()
