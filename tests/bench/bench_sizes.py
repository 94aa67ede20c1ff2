#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Time against size: whole processes on a warm file, on every device and with
auto, beside the peers that are installed.

    tests/bench/bench_sizes.py GPUREDUCE FOLDER [--max SIZE] [--out OUTDIR]

Writes a raw file of f32 (sum) and then a table of five columns (sum, mean and
max of two) to FOLDER in the largest size, and cuts the file from size to size.
--max defaults to the memory that the system reports; name it if there is more.
--all adds the whole summary of the raw file, from 1 GiB on.

The devices take turns, forth and back. The first round is dropped, and the
results are medians. auto is compared with the better device run by run, since
machines drift. A GPU's start-up is part of its time. A peer's run of a few
seconds is not repeated, and one of over 20 seconds is not started. Prints
tables, writes time_vs_size_*.tsv and, with matplotlib, .svg to OUTDIR. Exits 1
if answers differ."""

import argparse
import math
import os
import subprocess
import sys
import tempfile
import time
from statistics import median
from typing import Callable, NamedTuple

import numpy as np

import data
import peers
import sizes_report

SIZES = [(1 << 10, "1 KiB"), (1 << 20, "1 MiB"), (16 << 20, "16 MiB"),
         (100 << 20, "100 MiB"), (1 << 30, "1 GiB"), (4 << 30, "4 GiB"),
         (16 << 30, "16 GiB"), (32 << 30, "32 GiB")]
ROUNDS = 4, 20      # at least, at most; without the dropped one
# If the fastest device takes less than SHORT, it and those about as fast take
# TURNS turns a round, the first of which is not counted: right after a GPU's
# 0.3 s the same program took 5 to 15 % longer.
SHORT = 0.05
TURNS = 10
PEER_SECONDS = 3    # for a peer at one size, if a run takes less than half
PEER_LONGEST = 20
SAMPLE = 128 << 20  # a peer's rate is estimated from this many bytes
ENVIRONMENT = {**os.environ, "LC_ALL": "C"}     # datamash's decimal point


def timed(command, timeout=None):
    """Returns (seconds, standard output)."""
    start = time.perf_counter()
    done = subprocess.run(command, stdout=subprocess.PIPE, check=True,
                          timeout=timeout, env=ENVIRONMENT)
    return time.perf_counter() - start, done.stdout


def usable_devices(program):
    """Returns cpu, gpu if there is one, and auto."""
    with tempfile.NamedTemporaryFile(suffix=".f32") as file:
        file.write(bytes(1024))
        file.flush()
        code = subprocess.run([program, "--device", "gpu", file.name],
                              stdout=subprocess.DEVNULL).returncode
    if code not in (0, 3):
        sys.exit("gpureduce on the GPU: exit status %d" % code)
    return ["cpu", "gpu", "auto"] if code == 0 else ["cpu", "auto"]


def short_ones(times):
    """Returns the fastest device, if it is short enough, and those about as
    fast."""
    firsts = {name: t[0] for name, t in times.items() if t}
    fastest = min(firsts.values(), default=SHORT)
    return [name for name, first in firsts.items()
            if fastest < SHORT and first < 3 * fastest]


def one_round(order, times, answers):
    short = short_ones(times)
    turns = [item for item in order if item[0] not in short]
    turns += TURNS * [item for item in order if item[0] in short]
    seen = set(times) - set(short)
    for name, command in turns:
        seconds, answer = timed(command)
        answers += [] if answer in answers else [answer]
        if name in seen:
            times[name].append(seconds)
        seen.add(name)


def run_devices(commands, spend):
    """Returns ({device: seconds of its runs}, [every answer, the first one
    first]).

    Goes forth and back, so that each device follows every other equally
    often."""
    times, answers = {name: [] for name in commands}, []
    order = list(commands.items())
    one_round(order, times, answers)
    start = time.perf_counter()
    for rounds in range(0, ROUNDS[1], 2):
        if rounds < ROUNDS[0] or time.perf_counter() - start < spend:
            one_round(order[::-1], times, answers)
            one_round(order, times, answers)
    return {name: t[1:] for name, t in times.items()}, answers


def run_peer(command):
    """Returns (median, answer)."""
    seconds, answer = timed(command, PEER_LONGEST)
    if seconds > PEER_SECONDS / 2:
        return seconds, answer
    count = math.ceil(min(ROUNDS[0], PEER_SECONDS / seconds))
    return median(timed(command)[0] for _ in range(count)), answer


def estimate_peers(path, job, text):
    """Estimates {name: (seconds of start-up, seconds a byte)} from parts of
    the file."""
    sample = path.replace("bench_", "bench_sample_")
    guesses = {}
    for size in 1024, SAMPLE:
        data.prefix(sample, path, size, text)
        for name, command in job.peers_of(sample).items():
            seconds = timed(command, PEER_LONGEST)[0]
            start = guesses.get(name, (seconds, 0))[0]
            guesses[name] = start, max(0, seconds - start) / size
    os.remove(sample)
    return guesses


def explanation_of_auto(command):
    """Returns what --explain says about the device, or about each of several
    devices."""
    lines = timed(command + ["--explain"])[1].decode().splitlines()
    return [line.partition("\t")[2] for line in lines
            if line.startswith("device\t")]


class Point:
    """All measurements at one size."""

    def __init__(self, options, job, path, name, guesses):
        self.name, self.bytes = name, os.path.getsize(path)
        commands = {d: [options.program, "--device", d, *job.ops, path]
                    for d in options.devices}
        self.rounds, self.answers = run_devices(
            commands, options.seconds)
        self.seconds = {"gpureduce " + d: median(t)
                        for d, t in self.rounds.items()}
        self.said = explanation_of_auto(commands["auto"])
        self.notes = []
        for peer, command in job.peers_of(path).items():
            start, rate = guesses[peer]
            if start + rate * self.bytes < 1.5 * PEER_LONGEST:
                self.run_peer(peer, command, job.sum_at)
        print("%s, %s: %s" % (job.name, name, ", ".join(
            "%s %.4f" % item for item in self.seconds.items())),
            file=sys.stderr, flush=True)

    def run_peer(self, peer, command, sum_at):
        """Compares sums roughly, since peers round during the summation."""
        try:
            seconds, answer = run_peer(command)
        except subprocess.SubprocessError as error:
            self.notes.append("%s: %s: %s" % (self.name, peer, (
                "over %d s" % PEER_LONGEST if isinstance(
                    error, subprocess.TimeoutExpired) else "fails")))
            return
        self.seconds[peer] = seconds
        theirs = answer.replace(b",", b" ").split()[0]
        ours = self.answers[0].split()[sum_at]
        if not math.isclose(float(theirs), float(ours), rel_tol=1e-3):
            self.notes.append("%s: %s says %s, gpureduce %s" % (
                self.name, peer, theirs.decode(), ours.decode()))

    def better(self):
        return min((d for d in self.rounds if d != "auto"),
                   key=lambda d: median(self.rounds[d]))

    def auto_to_better(self):
        return median(a / b for a, b in zip(self.rounds["auto"],
                                            self.rounds[self.better()]))


class Job(NamedTuple):
    """A kind of file, its least size, and what is computed."""
    name: str
    title: str
    ops: list
    peers_of: Callable      # path -> {name: command}
    sum_at: int  # index of the word in our answer that the peers print first
    least: int = 0


RAW = [Job("raw", "Raw f32, sum", ["-o", "sum"], peers.of_raw, 0)]
RAW_ALL = [Job("raw_all", "Raw f32, the whole summary", ["-o", "all"],
               lambda path: {}, 0, 1 << 30)]
CSV = [Job("csv", "CSV, five columns: sum, mean and max of two",
           ["-o", "sum,mean,max", "-c", "price,measure"], peers.of_table, 5)]


def fits(path, name):
    share = data.share_in_cache(path)
    if share < 0.999:
        print("%s is left out: %.1f %% of it stay in the page cache"
              % (name, 100 * share), flush=True)
    return share >= 0.999


def measure(options, path, jobs):
    """Returns {name of job: points, least first} of one file, cut from size to
    size."""
    text = path.endswith(".csv")
    points = {job.name: [] for job in jobs}
    guesses = {job.name: estimate_peers(path, job, text) for job in jobs}
    for size, name in reversed(options.sizes):
        data.cut(path, size, text)
        data.warm(path)
        if not fits(path, name):
            continue
        for job in jobs:
            if size >= job.least:
                points[job.name].insert(0, Point(
                    options, job, path, name, guesses[job.name]))
    return points


def bench(options, name, header, body, jobs):
    """Returns whether all answers agree."""
    path = os.path.join(options.folder, name)
    start = time.perf_counter()
    try:
        data.write_exactly(path, header, body, options.sizes[-1][0])
        written = time.perf_counter()
        points = measure(options, path, jobs)
    finally:
        os.remove(path)
    for job in jobs:
        if points[job.name]:
            sizes_report.print_table(job, points[job.name])
            sizes_report.draw(job, points[job.name], options.out)
    print("\n%s: %.0f s, of which %.0f to write it"
          % (name, time.perf_counter() - start, written - start), flush=True)
    return all(len(p.answers) == 1 for some in points.values() for p in some)


def bytes_of(text):
    number = text.rstrip("kKmMgGtTiB")
    unit = text[len(number):].upper()[:1]
    return int(number) << {"": 0, "K": 10, "M": 20, "G": 30, "T": 40}[unit]


def sizes_up_to(limit, folder):
    """Returns the sizes that were asked for or fit into memory, and that fit
    on the disk."""
    disk = os.statvfs(folder)
    memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    most = min(limit or 0.7 * memory, 0.95 * disk.f_bavail * disk.f_frsize)
    kept = [size for size in SIZES if size[0] <= most]
    if most != limit:
        for _, name in SIZES[len(kept):]:
            print("%s is left out: no room" % name, flush=True)
    return kept or sys.exit("bench_sizes.py: no room for 1 KiB")


def parse(argv):
    parser = argparse.ArgumentParser(prog="bench_sizes.py")
    parser.add_argument("program", metavar="GPUREDUCE")
    parser.add_argument("folder", metavar="FOLDER")
    parser.add_argument("--max", type=bytes_of, metavar="SIZE")
    parser.add_argument("--out", default=".", metavar="OUTDIR")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--seconds", type=float, default=5,
                        help="for the devices at one size; default 5")
    return parser.parse_args(argv)


def main():
    options = parse(sys.argv[1:])
    options.sizes = sizes_up_to(options.max, options.folder)
    options.devices = usable_devices(options.program)
    os.makedirs(options.out, exist_ok=True)
    rng = np.random.default_rng(7)
    most = options.sizes[-1][0]
    raw = data.body_of_raw(rng, min(16 << 20, most // 4))
    same = bench(options, "bench_sizes.f32", b"", raw,
                 RAW + RAW_ALL * options.all)
    table = data.body_of_table(rng, min(data.ROWS, most // 24))
    same = bench(options, "bench_sizes.csv", data.TABLE_HEADER, table,
                 CSV) and same
    sys.exit(0 if same else 1)


if __name__ == "__main__":
    main()
