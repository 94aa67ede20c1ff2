# SPDX-License-Identifier: MIT
"""Distinct values where oracle.py is not enough: many values, hostile ones,
integers that f64 cannot hold, memory, and options that are refused."""

import json
import os
import struct
import subprocess
from collections import Counter
from decimal import Decimal

import numpy as np
import pytest

from harness import (BINARY, data_limit, fails, gpus, needs_memory_of_its_own, ok, run,
                     value, values)
from test_asked import FAKE

OPS = "nunique,mode,mode_count,mode_ties,approx_nunique"
# Their hashes are 0, which also marks free slots of a table: the seeds in hash.h.
ZERO, ZERO_32 = 0x9e3779b97f4a7c15, 0x9e3779b9


def near(got, want):
    """Returns whether got is within five standard errors of want."""
    return abs(int(got) - want) <= max(1, 0.041 * want)


@pytest.mark.parametrize("dtype,code,values_of", [
    ("u64", "Q", lambda r: [i << 44 for i in range(90000)] + [7 << 44]),
    ("u64", "Q", lambda r: [r.getrandbits(64) for _ in range(90000)]),
    ("i64", "q", lambda r: [-i for i in range(60000)] * 2 + [-5, -9]),
    ("u32", "I", lambda r: [i * 65536 % 2**32 + i // 65536
                            for i in range(90000)] + [0]),
    ("f64", "d", lambda r: [i * 0.5 for i in range(90000)] + [1e300, 3.5]),
    ("f32", "f", lambda r: [float(i) for i in range(90000)] + [-0.0]),
    ("i16", "h", lambda r: [i % 65536 - 32768 for i in range(150000)] + [77]),
    ("u8", "B", lambda r: [r.randrange(200) for _ in range(150000)]),
    ("i64", "q", lambda r: [int(r.paretovariate(0.4)) % 2**62
                            for _ in range(150000)]),
    ("u64", "Q", lambda r: list(range(300)) * 9 + [ZERO] * 90),
    ("u32", "I", lambda r: list(range(300)) * 9 + [ZERO_32] * 90),
    ("i64", "q", lambda r: [ZERO - 2**64] * 7),
])
def test_many(rnd, put, dtype, code, values_of):
    """More values than a worker's table and one table of a set hold, in
    several chunks and threads."""
    data = values_of(rnd)
    rnd.shuffle(data)
    path = put("d.bin", struct.pack(f"<{len(data)}{code}", *data))
    times = Counter(data)
    most = max(times.values())
    modes = [v for v in times if times[v] == most]
    args = ["-f", "raw", "-t", dtype, path]
    for way in (["-j1"], ["-j4", "--chunk-size", "64K"]):
        got = values(*way, "-o", OPS, *args)
        assert near(got.pop("approx_nunique"), len(times))
        assert {op: Decimal(x) for op, x in got.items()} == {
            "nunique": len(times), "mode": min(modes), "mode_count": most,
            "mode_ties": len(modes)}
    assert value("-j3", "-o", "nunique", *args) == str(len(times))


def test_many_texts(rnd, put):
    """Most words occur once, some often."""
    words = [f"word {rnd.randrange(10**7)}" * rnd.randrange(1, 4)
             for _ in range(60000)] + ["often"] * 70 + ["Often"] * 70
    rnd.shuffle(words)
    path = put("t.csv", "".join(f"{i},{w}\n" for i, w in enumerate(words))
               .encode())
    n = len(set(words))
    for way in ["-j1"], ["-j4", "--chunk-size", "100K"]:
        got = values("--header=no", "-c", "2", *way, "-o", OPS, path)
        assert near(got.pop("approx_nunique"), n)
        assert got == {"nunique": str(n), "mode": "Often", "mode_count": "70",
                       "mode_ties": "2"}


def test_long_texts(put):
    """They are kept in blocks of 256 bytes and more."""
    words = [c * n for n in (251, 252, 253, 900, 70000) for c in "ab"] * 2
    words.append("a" * 70000)
    path = put("t.csv", "".join(f"1,{word}\n" for word in words).encode())
    assert values("--header=no", "-c", "2", "-o", "nunique,mode,mode_count", path) == {
        "nunique": "10", "mode": "a" * 70000, "mode_count": "3"}


def test_integers_that_f64_cannot_hold(put):
    """Such integers stay different where f64 would round them to one number,
    and equal a float of the same value."""
    big = 2**60
    cells = [big, big + 1, big + 1, -big - 1, -big - 3, -big - 3, f"{big}.0",
             "1e3", 1000, 2**64 - 1]
    text = ("x\n" + "".join(f"{c}\n" for c in cells)).encode()
    path = put("t.csv", text)
    assert values("-o", OPS, path) == {
        "nunique": "6", "mode": str(-big - 3), "mode_count": "2",
        "mode_ties": "4",
        "approx_nunique": "6"}
    row = json.loads(ok("-O", "jsonl", "-j3", "--chunk-size", "20", "-o",
                        "mode,nunique", "-c", "x", path))
    assert (row["mode"], row["nunique"]) == (
        {"value": str(-big - 3), "count": 2, "ties": 4}, 6)
    # A note says if a product rounds them, or if they have over 64 bits.
    result = run("-o", "prod,nunique", path)
    assert "rounded 6 integers" in result.err, result
    result = run("-o", "nunique", put("u.csv", b"x\n%d\n%d\n" % (
        2**70, 2**70 + 1)))
    assert (result.out, "rounded 1 integer" in result.err) == ("1\n", True)


@pytest.mark.parametrize("sign,n", [("", 3), ("-", 2)])
def test_an_integer_whose_hash_is_0(put, sign, n):
    cells = [f"{sign}{ZERO}", ZERO, f"{sign}{ZERO}", f"{2**60}.0", 2**60]
    want = {"nunique": str(5 - n), "mode": f"{sign}{ZERO}", "mode_count": str(n),
            "mode_ties": str(4 - n)}
    path = put("t.csv", "".join(f"{c}\n" for c in cells).encode())
    assert values("-o", ",".join(want), path) == want
    state = put("s", b"")
    ok("-o", "mode,nunique", "--save-state", state, path)
    assert values("--merge", "-o", ",".join(want), state) == want


@pytest.mark.parametrize("args,text,out,err", [
    # A column of words alone has no header, and the note says so.
    (["-c", "1", "-o", "nunique"], "a\nb\na\n", "2\n", "taken for data"),
    (["-c", "1", "-o", "mode_count"], "a\nb\na\n", "2\n", "taken for data"),
    (["-c", "1", "-o", "sum"], "x\n1\n", "1\n", ""),
    (["-c", "x", "--missing", "error", "-o", "nunique"], "x,y\na,1\n,2\n", "",
     ":3:1: missing value (column x)"),
    (["-c", "x", "--bad", "skip", "-o", "nunique,mode"], "x\n1\nb\n2\n",
     "nunique\t2\nmode\t1\n", "skipped 1 bad cell"),
    (["--nan", "skip", "-o", OPS], "1.5\nnan\nnan\n",
     "nunique\t1\nmode\t1.5\nmode_count\t1\nmode_ties\t1\n"
     "approx_nunique\t1\n", ""),
    (["-o", OPS], "1.5\nnan\nnan\n",
     "nunique\t2\nmode\tnan\nmode_count\t2\nmode_ties\t1\n"
     "approx_nunique\t2\n", ""),
    (["-o", "mode,mode_ties"], "1.5\nnan\n", "mode\t1.5\nmode_ties\t2\n", ""),
    (["-o", "mode,mode_ties"], "nan\n9007199254740993\n",
     "mode\t9007199254740993\nmode_ties\t2\n", ""),
    (["-o", "mode,mode_ties"], "1e300\n9007199254740993\n",
     "mode\t9007199254740993\nmode_ties\t2\n", ""),
    (["-o", "mode,mode_ties"], "5\n9007199254740993\n",
     "mode\t5\nmode_ties\t2\n", ""),
    (["--nan", "skip", "-c", "x", "-o", "nunique"], "x,y\n,1\n", "0\n", ""),
    (["--nan", "error", "-o", "nunique"], "1\nnan\n", "", "element 1 is NaN"),
    (["--nan", "skip", "-o", "mode"], "nan\n", "", "--empty identity"),
    (["--digits", "2", "-o", "mode,nunique"], "0.1\n0.10\n2\n",
     "mode\t0.10\nnunique\t2\n", ""),
    (["-o", "mode", "--assert", "mode_count / count > 0.6 && nunique == 2"],
     "4\n4\n5\n", "4\n", ""),
    (["-c", "t", "-o", "mode", "--assert", "nunique == 1"], "t,n\na,1\nb,2\n",
     "a\n", "nunique is 2"),
    (["-c", "t", "-o", "mode", "--assert", "mode == 1"], "t,n\na,1\n", "",
     "mode: a column of text has no number for this"),
    (["-c", "x", "--weights", "w", "-o", "nunique"], "x,w\n1,2\n", "",
     "nunique takes no weights"),
    (["-o", "cov,mode"], "x,w\n1,2\n", "", "cannot be combined with operations on"),
])
def test_with_other_options(args, text, out, err):
    result = run("-f", "csv", *args, stdin=text.encode())
    assert result.out == out and err in result.err, result
    assert bool(result.err) == bool(err), result


def test_files_and_verify(put):
    a = put("a.csv", b"n,t\n1,u\n2,v\n2,\n")
    b = put("b.csv", b"t,n\nu,2\nw,4\n")
    args = ["-c", "t,n", "-o", "nunique,mode,mode_count"]
    assert ok(*args, "--verify", a, b) == (
        "column\tnunique\tmode\tmode_count\nt\t3\tu\t2\nn\t3\t2\t3\n")
    assert ok(*args, "--per-file", a, b) == (
        "file\tcolumn\tnunique\tmode\tmode_count\n"
        f"{a}\tt\t2\tu\t1\n{a}\tn\t2\t2\t2\n{b}\tt\t2\tu\t1\n{b}\tn\t2\t2\t1\n")
    fails(2, "--compare", "-o", "nunique", a, b, says="exclude each other")


def limited(*args):
    """Runs the program with 80 MiB of memory, half of which the set may
    use."""
    needs_memory_of_its_own()
    return subprocess.run(
        [BINARY, *args], capture_output=True, text=True, timeout=60,
        preexec_fn=data_limit(80 << 20))


def test_a_limit_of_memory(put):
    path = put("d.u64", os.urandom(5 << 23))
    result = limited("-j2", "-o", "nunique", path)
    assert (result.returncode, result.stdout) == (1, ""), result
    assert "distinct values would take more than 40.0 MiB, half" in \
        result.stderr and "-o approx_nunique" in result.stderr, result
    result = limited("-j2", "-o", "approx_nunique", path)
    assert near(result.stdout, 5 << 20), result
    rows = "".join(",".join([str(i)] * 8000) + "\n" for i in range(400))
    wide = put("wide.csv", (",".join(f"c{i}" for i in range(8000)) + "\n"
                            + rows).encode())
    result = limited("-j1", "-o", "approx_nunique", wide)
    assert (result.returncode, len(result.stdout)) == (1, 0), result.stderr
    assert "estimating the distinct values of each column would take more than" in \
        result.stderr, result


def test_a_wide_table(put):
    """1000 columns of few values each take little memory."""
    rows = "".join(",".join(str((i * j) % 7) for j in range(1000)) + "\n"
                   for i in range(9))
    path = put("t.csv", ("\n".join([",".join(f"c{i}" for i in range(1000)),
                                    rows])).encode())
    result = limited("-j2", "-O", "jsonl", "-o", OPS, path)
    lines = [json.loads(line) for line in result.stdout.splitlines()]
    assert [line["nunique"] for line in lines] == [
        len({i * j % 7 for i in range(9)}) for j in range(1000)], result.stderr
    assert all(line["nunique"] == line["approx_nunique"] for line in lines)


@pytest.mark.skipif(not gpus(), reason="no GPU")
@pytest.mark.parametrize("dtype", ["u8", "i16", "bf16", "f16", "f8e4m3", "u32",
                                   "f32", "i64", "f64"])
def test_on_the_gpu(rnd, put, dtype):
    """One GPU gives the CPU's results, in many chunks on many streams, also
    for values that occur many times."""
    path = put("d.bin", rnd.randbytes(3 << 20) * 2 + bytes(1 << 16))
    args = ["-f", "raw", "-t", dtype, path]
    for ops in OPS, "approx_nunique", "sum,nunique":
        for more in [], ["--skipna"], ["--chunk-size", "64K"]:
            want = run(*more, "--device", "cpu", "-o", ops, *args)
            got = run(*more, "--device", "gpu", "-o", ops, *args)
            assert got.out == want.out and got.rc == 0, got.err
    assert "distinct\testimated on the device, counted on the CPU" in \
        ok("--device", "gpu", "--explain", "-o", OPS, *args)


@pytest.mark.skipif(not os.path.exists(FAKE), reason="no gpureduce_fake")
def test_a_sample_decides(tmp_path):
    """A file of zeros is counted sooner than a GPU starts. Only the CPU counts
    how often each value occurs."""
    path = tmp_path / "zeros.f32"
    with open(path, "wb") as file:
        file.truncate(128 << 20)
    says = "distinct\ton a fake GPU alone, if a sample of data in memory shows"
    for ops, is_said in ("nunique", 1), ("nunique,sum", 1), ("nunique,mode", 0):
        got = run("--explain", "-o", ops, path, program=FAKE)
        assert (says in got.out) == is_said, got
    ok("-o", "sum", path)  # loads it into the cache
    got = run("-v", "-o", "nunique", path, program=FAKE)
    assert got.out == "1\n" and "device cpu" in got.err
    assert "about 1 different values: estimated" in got.err


@pytest.mark.skipif(not os.path.exists(FAKE), reason="no gpureduce_fake")
def test_neighbours_are_cheap(rng, tmp_path):
    """The CPU is expected to count integers near each other sooner."""
    path, seconds = tmp_path / "ids.u32", []
    ids = rng.integers(0, 10**5, 1 << 20, dtype="u4")
    want, ids = len(np.unique(ids)), np.tile(ids, 32)
    for step in 1, 1000:
        (ids * step).tofile(path)
        got = run("-v", "-j", "1", "-o", "nunique", path, program=FAKE)
        assert got.out == f"{want}\n"
        seconds.append(float(
            got.err.split("estimated ")[1].split(" s on the CPU")[0]))
    assert seconds[0] < seconds[1] / 2, seconds


def test_gpu_takes_over(rng, tmp_path):
    if not gpus():
        pytest.skip("no GPU")
    path = tmp_path / "random.u32"
    data = rng.integers(0, 1 << 32, 1 << 25, dtype="u4")
    data.tofile(path)
    got = run("-v", "-j", "1", "-o", "nunique", path)
    assert got.out == f"{len(np.unique(data))}\n" and "device cuda" in got.err


@pytest.mark.skipif(not os.path.exists(FAKE), reason="no gpureduce_fake")
@pytest.mark.parametrize("ops,name,says", [
    ("nunique", "d.f64", "on the device"),
    ("approx_nunique,mode", "d.f64",
     "estimated on the device, counted on the CPU"),
    ("nunique,mode", "d.f64", "on the CPU, which counts how often each comes"),
    ("nunique", "d.csv", "on the CPU, as for all text"),
    ("sum", "d.f64", None)])
def test_explain_says_where(put, ops, name, says):
    path = put(name, b"1\n2\n" if name == "d.csv" else bytes(16))
    got = run("--device", "gpu", "--explain", "-o", ops, path, program=FAKE)
    lines = [x for x in got.out.splitlines()
             if x.startswith("distinct\t")]
    assert lines == ([f"distinct\t{says}"] if says else []), got.err
