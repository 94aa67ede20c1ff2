# SPDX-License-Identifier: MIT
"""What hostile input may cost: time in proportion to it, and little memory."""

import gzip
import io
import json
import os
import struct
import subprocess
import zipfile

import numpy as np
import pytest

from harness import BINARY, peak
from make import saved

MIB = 1 << 20


def columns(n):
    return ",".join(f"c{i}" for i in range(n)).encode()


def table(n):
    row = b",".join(b"%d" % i for i in range(n)) + b"\n"
    return columns(n) + b"\n" + row * 2


def keys(n):
    return b"k,x\n" + b"".join(b"%d,1\n" % i for i in range(n))


def npz(n):
    out, array = io.BytesIO(), saved(np.ones(3, "f4"))
    with zipfile.ZipFile(out, "w") as archive:
        for i in range(n):
            archive.writestr(f"a{i}.npy", array)
    return out.getvalue()


def tensors(n):
    header = json.dumps({f"t{i}": {"dtype": "U8", "shape": [1],
                                   "data_offsets": [i, i + 1]}
                         for i in range(n)}).encode()
    return struct.pack("<Q", len(header)) + header + bytes(n)


# What doubles: a number, the file of that size, and the arguments. Each takes
# 30 ms or more of processor time.
GROWTH = {
    "columns": (30_000, "a.csv", table, ["-o", "sum"]),
    "columns told": (6_000, "a.csv", table, ["-v", "--json", "-o", "argmax"]),
    "columns of one name": (30_000, "a.csv", lambda n: (b"x," * n + b"x\n")
                            + (b"1," * n + b"1\n") * 2, ["-o", "sum"]),
    "names": (9_000, "a.csv", table,
              lambda n: ["-o", "max", "-c", columns(n).decode()]),
    "names left out": (9_000, "a.csv", lambda n: table(2 * n),
                       lambda n: ["-o", "max", "-x", columns(n).decode()]),
    "columns of words": (50_000, "a.csv", lambda n: columns(n) + b",v\n"
                         + (b"w," * n + b"1\n") * 2, ["-o", "sum"]),
    "columns of amounts": (20_000, "a.csv", lambda n: columns(n) + b"\n"
                           + (b"1," + b"$5," * (n - 2) + b"$5\n") * 3,
                           ["-o", "sum"]),
    "keys": (100_000, "a.csv", keys, ["-o", "sum", "--by", "k"]),
    "keys with values": (60_000, "a.csv", keys,
                         ["-o", "median,nunique", "--by", "k"]),
    "texts": (400_000, "a.csv", keys, ["-o", "nunique", "-c", "k,k"]),
    "files": (3_000, "names", lambda n: b"one.u8\0" * n,
              ["-o", "sum", "--files0-from"]),
    "files by themselves": (1_500, "names", lambda n: b"one.u8\0" * n,
                            ["-o", "sum", "--per-file", "--files0-from"]),
    "members": (40_000, "a.u8.gz",
                lambda n: gzip.compress(b"\1") * n, ["-o", "sum"]),
    "empty members": (40_000, "a.u8.gz",
                      lambda n: gzip.compress(b"") * n, ["-o", "sum"]),
    "arrays": (2_500, "a.npz", npz, ["-o", "sum"]),
    "tensors": (4_000, "a.safetensors", tensors, ["-o", "sum"]),
    "quotes": (3_000_000, "a.csv", lambda n: b"x,y\n1,2\n" + b'1,"a""\n,"\n' * n,
               ["-o", "sum", "-c", "x"]),
    "cells of quotes": (8, "a.csv", lambda n: b"x,y\n1,2\n" +
                        (b'1,"' + b'""' * 500_000 + b'"\n') * n,
                        ["-o", "sum", "-c", "x", "--chunk-size", "4K"]),
    "blank lines": (4_000_000, "a.csv", lambda n: b"x\n" + b"\n" * n + b"1\n",
                    ["-o", "sum"]),
    "bad cells": (500_000, "a.csv", lambda n: b"x\n" + b"1\n" * 99
                  + b"z\n" * n, ["-o", "sum", "--bad", "skip"]),
}


def processor_time(args, folder):
    """Returns the seconds of processor time that the program takes."""
    proc = subprocess.Popen([BINARY, "--device", "cpu", "-j", "1", *args],
                            cwd=folder, stdout=subprocess.DEVNULL,
                            stderr=subprocess.PIPE,
                            env={**os.environ, "MALLOC_PERTURB_": "0"})
    with proc.stderr as stderr:
        said = stderr.read()
    _, status, usage = os.wait4(proc.pid, 0)
    proc.returncode = os.waitstatus_to_exitcode(status)
    assert proc.returncode == 0, said
    return usage.ru_utime + usage.ru_stime


@pytest.mark.parametrize("what", GROWTH)
def test_time_grows_in_proportion(tmp_path, what):
    """Twice as much takes at most four times as long. Other processes may
    disturb a measurement, so the best of several counts."""
    n, name, make, args = GROWTH[what]
    (tmp_path / "one.u8").write_bytes(b"\1")
    took = [9.0, 9.0]
    for _ in range(4):
        for i in range(2):
            (tmp_path / name).write_bytes(make(n << i))
            given = args(n << i) if callable(args) else args
            took[i] = min(took[i],
                          processor_time([*given, name], tmp_path))
        if took[1] < 3 * took[0]:
            break
    print(f"{what}: {took[0]:.3f} s, {took[1]:.3f} s")
    assert took[1] < 4 * took[0], took


def test_columns_in_other_places(tmp_path):
    """Each column is found among those of an earlier file."""
    names = columns(30_000)
    (tmp_path / "a.csv").write_bytes(table(30_000))
    (tmp_path / "b.csv").write_bytes(b"z," + names + b"\n" + (b"1," * 30_000 + b"1\n") * 2)
    args = ["-o", "sum", "-c", "1-", "--per-file", "a.csv"]
    same, other = (min(processor_time([*args, name], tmp_path) for _ in range(3))
                   for name in ("a.csv", "b.csv"))
    assert other < 4 * same, (same, other)


def numbers(n):
    return b"k,v\n" + b"".join(b"%d,%d.5\n" % (i % 7919, i) for i in range(n))


LIST = ",".join(f"'{i}'" for i in range(8000))

# What is compared: a file, its bytes, arguments, cheap ones that take as long or
# nearly so, and how many times as long the former may take.
RATIO = {
    "long list": ("a.csv", lambda: numbers(300_000),
                  ["-c", "v", "-o", "sum", "--where", f"k in ({LIST})"],
                  ["-c", "v", "-o", "sum", "--where", "k in ('1','2')"], 20),
    "bins of columns": ("a.csv", lambda: table(10_000), ["-o", "histogram"],
                        ["-o", "sum,median"], 9),
    "formulas of formulas": ("a.csv", lambda: numbers(400_000), [
        "-o", "sum", "-e", "w0=v", *(x for i in range(1, 60) for x in (
            "-e", f"w{i}=w{i - 1}+w0"))], [
        "-o", "sum", "-e", "w0=v", *(x for i in range(1, 60) for x in (
            "-e", f"w{i}=v+{i}"))], 4),
    "nothing to strip": ("a.csv", lambda: b"a,b\n" + b"-123.45,678\n" * 2_000_000,
                         ["--strip", "$", "-o", "sum"], ["-o", "sum"], 4.5),
    "comments": ("a.csv", lambda: b"a,b\n" + b"# some words\n12345,678.25\n"
                 * 2_000_000, ["-c", "a", "--comment", "#", "-o", "sum"],
                 ["-c", "b", "--comment", "#", "-o", "sum"], 2.5),
}


@pytest.mark.parametrize("what", RATIO)
def test_time_is_near_that_of_less(tmp_path, what):
    name, make, args, less, most = RATIO[what]
    (tmp_path / name).write_bytes(make())
    took = [9.0, 9.0]
    for _ in range(4):
        for i, given in enumerate((less, args)):
            took[i] = min(took[i], processor_time([*given, name], tmp_path))
        if took[1] < most / 2 * took[0]:
            break
    print(f"{what}: {took[0]:.3f} s, {took[1]:.3f} s")
    assert took[1] < most * took[0], took


# A file, its bytes, arguments, and the most MiB that the program may take.
MEMORY = [
    ("a.csv", lambda: b"1," * 999 + b"1\n", ["-o", "all", "--header", "no"], 24),
    ("a.csv", lambda: b"1," * 999 + b"1\n", ["-j", "256", "-o", "nunique,median",
                                            "--header", "no"], 32),
    ("a.csv", lambda: columns(400) + b"\n" + (b"1," * 399 + b"1\n") * 2,
     ["-o", "corr"], 64),
    ("a.csv", lambda: keys(400), ["--by", "k", "-o", "approx_nunique"], 32),
    ("a.csv", lambda: keys(400), ["--by", "k", "-o", "nunique,median,p1"], 32),
    ("a.u8", lambda: b"\1\xff" * 1000, ["-j", "1024", "-o", "nunique"], 32),
    ("a.csv", lambda: b'x,y\n1,"' + b'""' * 500_000 + b'"\n', ["-o", "sum"], 32),
    ("a.csv.gz", lambda: gzip.compress(b"x\n" + b"1\n" * (60 * MIB), 1),
     ["-j", "16", "-o", "sum,median"], 256),
    ("a.u8.gz", lambda: gzip.compress(bytes(200 * MIB), 1),
     ["-j", "2", "-o", "sum,nunique"], 64),
    ("a.csv", lambda: b"1," * (20 * MIB) + b"1\n",
     ["-o", "sum", "-c", "1", "--header", "no"], 128),
    # What columns take, as gpureduce-text(7) says.
    ("a.csv", lambda: b"1," * (MIB - 1) + b"1\n",
     ["-o", "sum", "--header", "no"], 64 + 150),
    ("a.csv", lambda: b"1," * (20_000 - 1) + b"1\n",
     ["-o", "median", "--header", "no"], 64 + 16),
    *(("a.csv", lambda: b"".join(b"%d," % i * 19_999 + b"%d\n" % i
                                 for i in range(60)),
       ["-j", "1", "-o", op, "--header", "no"], 80) for op in ("median", "nunique")),
]


@pytest.mark.parametrize("n", range(len(MEMORY)))
def test_memory_is_bounded(put, n):
    name, make, args, most = MEMORY[n]
    out, memory = peak("--device", "cpu", *args, put(name, make()))
    print(f"{memory / MIB:.0f} MiB")
    assert out and memory < most * MIB, memory / MIB


def test_memory_of_keys_of_many_files(put):
    """What is kept of a FILE for printing is in proportion to its keys."""
    path = put("a.csv", b"k,v\n" + b"x,1\ny,2\n" * 50)
    names = put("names", (str(path) + "\0").encode() * 4000)
    out, memory = peak("--device", "cpu", "--per-file", "--by", "k", "-o", "sum",
                       "--files0-from", names)
    print(f"{memory / MIB:.0f} MiB")
    assert out.count(b"\t50") == out.count(b"\t100") == 4000
    assert memory < 64 * MIB, memory / MIB
