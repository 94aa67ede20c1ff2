# SPDX-License-Identifier: MIT
"""gpureduce-mpi: the ranks of an MPI job print the bytes that one process
prints. Each command runs with few numbers of ranks, since mpirun starts
slowly."""

import csv
import gzip
import io
import json
import os
import pathlib
import shutil
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from harness import BINARY, assert_failed, needs_memory_of_its_own, ok, run

MPI = BINARY + "-mpi"
# Filling the memory of MPI's buffers takes most of a run.
ALLOWED = {"MALLOC_PERTURB_": "0",
           "OMPI_MCA_pml": "ob1", "OMPI_MCA_btl": "self,vader",
           "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
           "LSAN_OPTIONS": "detect_leaks=0", "ASAN_OPTIONS": "detect_leaks=0"}

pytestmark = pytest.mark.skipif(
    not os.path.exists(MPI) or not shutil.which("mpirun"),
    reason="no mpirun, or no MPI library when gpureduce was built")


def ranks(n, *args, program=(MPI,), **kw):
    return run("--oversubscribe", "-q", "-n", n, *program, *args,
               program=shutil.which("mpirun"), env=ALLOWED, **kw)


def same(n, *args, says=""):
    """Checks that n ranks and one process print the same, except that ranks
    may note `says`."""
    one, many = run(*args), ranks(n, *args)
    assert (one.rc, one.out) == (many.rc, many.out), (n, one, many)
    assert says in many.err, many
    notes = "".join(line for line in many.err.splitlines(True)
                    if not says or says not in line)
    assert notes == one.err or "-v" in args, (n, one, many)
    return many.out


OPS = ("rows,count,n_missing,n_nan,sum,min,max,mean,argmin,argmax,first,last,"
       "l1,linf,sumsq,var,skew,absmin,any,approx_nunique")
ROWS = [(f"{i % 7 * 1.1:.3f}" if i % 5 else "", str(i * i - 40),
         ['"a\nb"', "x", '"q,""u"', ""][i % 4], ["Rome", "", '"k\n1"', "12"][i % 4])
        for i in range(400)]
HEAD = "price,qty,note,key\n"


@pytest.fixture
def table(put):
    return put("a.csv", (HEAD + "".join(",".join(r) + "\n" for r in ROWS)).encode())


@pytest.mark.parametrize("n, options", [
    (2, ["-o", OPS, "-c", "price,qty"]),
    (7, ["-O", "json", "-o", "argmax,argmin,first,var", "-c", "price,qty"]),
    (3, ["-v", "-o", "argmax", "-c", "qty"]),
    (3, ["-o", "argmax", "-c", "qty", "--assert", "max < 5"]),
    (4, ["-c", "price,qty", "--by", "key,note", "-o", "rows,sum,min,argmax,var"]),
    (3, ["-c", "qty", "--by", "key", "--order", "first", "-O", "jsonl"]),
    (4, ["-e", "v=price*2", "--where", "qty > 3", "-O", "csv", "--digits", "3"]),
    (7, ["-c", "price,qty", "--by", "key", "-O", "json", "-o", "max,argmax"]),
    (2, ["-c", "price,qty", "--by", "note", "--where", "qty < 0", "-O", "csv"]),
    # No rank needs positions; of the second, only one has keys.
    (5, ["-c", "qty", "-t", "i64", "--by", "key", "-o", "sum", "-O", "csv"]),
    (3, ["-c", "qty", "-t", "i64", "--by", "key", "--where", "qty < 0",
         "-o", "sum", "-O", "csv"]),
    (1, ["-o", "median", "-c", "price"]),
], ids=lambda x: str(x)[:40])
def test_text(table, n, options):
    """Quotes hold line ends at places where parts are cut."""
    out = same(n, *options, table)
    assert out or "--by" not in options
    if OPS in options:
        head, _, qty = (line.split("\t") for line in out.splitlines())
        got = dict(zip(head, qty))
        assert got["rows"] == "400"
        assert got["sum"] == str(sum(int(r[1]) for r in ROWS))


@pytest.mark.parametrize("note", [
    '"' + "5,5\n" * 40 + '"',        # records where they are none
    '"x ""1""\n2,y"', '"\n,"",\n"',  # quotes that may open or close
    '"' + "z" * 3000 + '\n"', "x",
], ids=["records", "doubled", "empty", "long", "none"])
def test_starts_of_parts_are_guessed(put, note):
    """If a guess is wrong, all parts are reduced once more."""
    rows = 3000
    data = put("a.csv", ("n,t\n" + "".join(
        f"{i},{note}\n" for i in range(rows))).encode())
    out = same(3, "-O", "json", "-c", "n", "-o", "rows,sum,argmax", data)
    line = 2 + (rows - 1) * (1 + note.count("\n"))
    assert f'"rows":{rows},' in out and f'"sum":{sum(range(rows))}.0,' in out
    assert f'"line":{line}}}' in out


def test_lines_of_several_files(put):
    """The places of a later FILE are not counted from an earlier one."""
    files = [put(name, ("n\n" + "".join(f"{i}\n" for i in range(first, end))).encode())
             for name, first, end in (("a.csv", 500, 900), ("b.csv", 0, 999))]
    out = same(3, "-O", "json", "-o", "argmin,argmax", *files)
    assert f'"file":"{files[1]}","line":2}}' in out
    assert f'"file":"{files[1]}","line":1000}}' in out


def test_keys_of_several_files(put):
    """A key's first record and its extremes are found in any of them. An integer
    that f64 cannot hold is in the last one alone, as is the only missing value."""
    parts = [(i, 1000 + i) for i in range(400)], [(i, i) for i in range(3, 300)]
    lines = ["".join(f"k{i % 7},{v}\n" for i, v in part) for part in parts]
    lines[1] += f"k1,{2**60 + 1}\nk1,{-2**60}\nk8,\n"
    files = [put(f"{i}.csv", ("k,v\n" + text).encode()) for i, text in enumerate(lines)]
    everything = [*parts[0], *parts[1]]
    greatest = [max((v, at) for at, (i, v) in enumerate(everything) if i % 7 == k)[1]
                for k in range(7)]
    greatest[1] = len(everything)
    out = same(3, "--by", "k", "--order", "first", "-O", "csv", "-o", "argmax,any",
               *files)
    assert out == "k,argmax(v),any(v)\n" + "".join(
        f"k{k},{at},1\n" for k, at in enumerate(greatest)) + "k8,,0\n"
    out = same(3, "--by", "k", "-O", "csv", "-o", "sum,n_missing", *files)
    total = 1 + sum(v for i, v in everything if i % 7 == 1)
    assert f"\nk1,{total},0\n" in out and out.endswith("\nk8,0,1\n")
    out = same(4, "--by", "k", *files)
    assert out.startswith("k\trows\tn_missing(v)\tsum(v)\t")


def test_bad_cells_are_skipped(put):
    """In all ranks; and each can read a list of FILEs."""
    lines = [f"{i}\n" for i in range(900)]
    lines[0] = lines[500] = lines[899] = "x\n"
    path = put("a.csv", ("n\n" + "".join(lines)).encode())
    files = put("a.list", os.fsencode(path) + b"\0")
    out = same(3, "--bad", "skip", "-o", "n_bad,sum", "--files0-from", files)
    assert out == f"n_bad\t3\nsum\t{sum(range(900)) - 500 - 899}\n"


def test_keys_with_nul(put):
    """Texts come in the order of their bytes, and before longer ones."""
    keys = ["a", "a\0", "a\0\0", "a\0b", "a\1", "ab", "b"]
    data = put("a.csv", ("k,v\n" + "".join(
        f"{k},{i}\n" for i, k in enumerate(keys[::-1] * 3))).encode())
    out = same(3, "-d", ",", "--by", "k", "-c", "v", "-o", "rows", "-O", "csv", data)
    assert out.replace('"', "") == "k,rows\n" + "".join(f"{k},3\n" for k in keys)


NAMES = ["{}", "key{}", '"a\n{}"', "{}.0", "{}e3", "-{}", '"x""{}"', "0{}"]


@pytest.mark.parametrize("n, options", [(3, ["-O", "csv"]),
                                        (4, ["-O", "jsonl", "--order", "first"])])
def test_many_keys(put, n, options):
    """Their lines travel in several blocks. Each key is in several parts."""
    keys = [NAMES[i % len(NAMES)].format(i % 9001) for i in range(40000)] + [""]
    sums = {}
    for i, key in enumerate(keys):
        sums[key] = sums.get(key, 0) + i
    data = put("a.csv", ("k,v\n" + "".join(
        f"{key},{i}\n" for i, key in enumerate(keys))).encode())
    out = same(n, "--by", "k", "-c", "v", "-o", "sum", *options, data)
    assert len(out) > 500_000
    if "csv" in options:
        rows = list(csv.reader(io.StringIO(out, newline="")))[1:]
        assert {key: float(total) for key, total in rows} == {
            key[1:-1].replace('""', '"') if key[:1] == '"' else key: x
            for key, x in sums.items()}
    else:
        found = [json.loads(line)["sum"] for line in out.splitlines()]
        assert found == list(sums.values())


@pytest.mark.parametrize("later", [range(1100), [7] * 1100], ids=["both", "one"])
def test_keys_of_many_bytes(put, later):
    """Each rank, or one, sends more than one message of 4 MiB to another."""
    keys = [f"{i:07}" + "k" * 9993 for i in range(1100)]
    data = put("a.csv", ("k\n" + "".join(
        f"{keys[i]}\n" for i in [*range(1100), *later])).encode())
    many = ranks(2, "--by", "k", "-o", "rows", data)
    assert many.rc == 0 and many.out == "k\trows\n" + "".join(
        f"{key}\t{1 + list(later).count(i)}\n" for i, key in enumerate(keys))


def test_the_first_key_that_fails_is_reported(put):
    rows = [f"k{i % 300},{3 if i % 300 not in (7, 150, 151) else 2**40}\n"
            for i in range(1500)]
    data = put("a.csv", ("k,v\n" + "".join(rows)).encode())
    args = ["-t", "i64", "--by", "k", "-c", "v", "-o", "prod", data]
    many = assert_failed(ranks(4, *args), 1, "key 'k150'")
    assert many.err == run(*args).err


@pytest.mark.parametrize("name", ["k", "key"])
def test_keys_without_values_are_noted(put, name):
    """With how many there are in all ranks, and the first one's name, which the
    first rank need not have."""
    lines = [f"{name}{i % 100},{i if i % 100 == 50 else ''}\n" for i in range(500)]
    data = put("a.csv", ("k,v\n" + "".join(lines)).encode())
    args = ["--by", "k", "-c", "v", "-o", "mean,max", data]
    same(5, *args)
    assert run(*args).err.startswith(
        f"gpureduce: key '{name}0': mean and 197 other values")


def test_arrays(put, rng):
    values = rng.integers(-2**31, 2**31, 1000, dtype="<i4")
    npy = io.BytesIO()
    np.save(npy, values)
    files = [put("a.i32", values[:37].tobytes()), put("b.i32", b""),
             put("c.i32", values[37:].tobytes())]
    out = same(7, "-o", "sum,argmax,last", *files)
    assert out.startswith(f"sum\t{values.sum(dtype='i8')}\n"
                          f"argmax\t{values.argmax()}\n")
    assert same(4, "-O", "npy", "-o", "var",
                put("a.npy", npy.getvalue()))
    same(2, "--fast", "-o", "max", put("one.f32", b"\0\0\x80?"))
    packed = [put(f"{i}.i32.gz", gzip.compress(values[i * 99:i * 150 + 9].tobytes()))
              for i in range(6)]
    same(4, "-O", "json", "-o", "sum,argmax,last", *packed, *files)


@pytest.mark.parametrize("options", [
    ["-c", "price,qty", "-o", "var"], ["--by", "key", "-c", "qty", "-o", "sum"]])
def test_states(table, put, options):
    state = [put(f"{i}.state", b"") for i in range(2)]
    ok("--save-state", state[0], *options, table)
    assert ranks(3, "--save-state", state[1], *options, table).rc == 0
    assert ok("--merge", state[0]) == ok("--merge", state[1])


@pytest.mark.parametrize("options, says", [
    (["-o", "histogram", "-c", "price"], "what histogram needs"),
    (["--per-file", "-o", "histogram"], "exclude each other"),
    (["-c", "price", "--by", "key", "-o", "sum,prod"], "or pairs by key"),
    (["-e", "v=index()", "-c", "v", "-o", "sum"], "depends on index()"),
    (["--part", "1/2", "-c", "qty", "-o", "rows,sum"], "--part has no parts"),
    (["--bad", "skip", "--where", "note > 0", "-c", "qty", "-o", "rows,sum"],
     "one counts the bad cells that expressions read"),
])
def test_what_has_no_parts(table, options, says):
    """The first rank reduces it alone, and says so."""
    same(2, *options, table, says=says)


def test_other_modes_have_no_parts(table, put):
    """Nor has a list of FILEs that is read only once."""
    state, pipe = put("a.state", b""), put("a.list", b"")
    ok("--save-state", state, "-c", "qty", "-o", "sum", table)
    same(2, "--merge", state, says="--merge has no parts")
    same(2, "--compare", "-c", "qty", table, table, says="--compare has no parts")
    os.remove(pipe)
    os.mkfifo(pipe)
    with ThreadPoolExecutor() as pool:
        pool.submit(pathlib.Path(pipe).write_bytes, os.fsencode(table) + b"\0")
        got = ranks(2, "--files0-from", pipe, "-c", "qty", "-o", "sum")
    assert (got.rc, got.out) == (0, ok("-c", "qty", "-o", "sum", table))
    assert got.err == ("gpureduce: rank 0 reduces all data alone: "
                       "only one can read --files0-from\n")


def test_standard_input_is_read_by_one_rank(put):
    data = np.arange(1000, dtype="<u2").tobytes()
    got = ranks(3, "-t", "u16", "-o", "sum", stdin=data)
    assert (got.rc, got.out) == (0, "499500\n")
    assert "is not a regular file" in got.err


def test_progress_is_the_sum(put):
    data = put("a.f32", bytes(3_000_000))
    got = ranks(3, "--progress=always", "-o", "sum", data)
    assert (got.rc, got.out) == (0, "0\n")
    assert [line.split()[:3] for line in got.err.split("\r")[1:]] == [
        ["0", "B", "0%"], ["3.00", "MB", "100%"]]


def test_the_first_error_in_the_data_is_reported_once(put):
    lines = [f"{i},1\n" for i in range(1000)]
    lines[990] = lines[600] = lines[700] = "x,1\n"
    data = put("a.csv", ("a,b\n" + "".join(lines)).encode())
    one = run("-c", "a", "-o", "sum", data)
    many = assert_failed(ranks(4, "-c", "a", "-o", "sum", data), 1, "a.csv:602:1")
    assert many.err == one.err
    # The second part starts with record 51, which is not the second of all.
    odd = put("odd.csv", b"1,2\n" * 52 + b"1,2,3\n" + b"1,2\n" * 47)
    args = ["-t", "f64", "--header", "no", "-o", "sum", odd]
    assert_failed(ranks(2, *args), 1, "has 2\nTry --ragged skip")
    values = np.full(1000, 2**62, dtype="<i8")
    values[:900] = 1
    raw = put("a.i64", values.tobytes())
    args = ["--map", "value * 4", "-t", "i64", "-o", "sum", raw]
    assert ranks(3, *args).err == run(*args).err
    assert_failed(ranks(2, "-c", "nowhere", data), 2, "nowhere")
    assert_failed(ranks(2, "--no-such-option"), 2, "unknown option")


def test_a_rank_that_dies_ends_all(table):
    script = ('[ "$OMPI_COMM_WORLD_RANK" != 1 ] || kill -9 $$; exec "$@"')
    got = ranks(3, "-o", "sum", "-c", "qty", table,
                program=("sh", "-c", script, "sh", MPI))
    assert got.rc not in (0, 1, 2, 3) and got.out == ""


@pytest.mark.parametrize("rank", [1, 2])
def test_a_rank_that_cannot_read_its_command_line(table, rank):
    """The other ranks do not wait for it for ever."""
    script = f'[ "$OMPI_COMM_WORLD_RANK" != {rank} ] || set -- "$1" --nowhere; exec "$@"'
    got = ranks(4, "-o", "sum", "-c", "qty", table,
                program=("sh", "-c", script, "sh", MPI))
    assert_failed(got, 2, "unknown option '--nowhere'")


def test_every_rank_heeds_gpureduce_cpu(table):
    script = '[ "$OMPI_COMM_WORLD_RANK" != 1 ] || export GPUREDUCE_CPU=z80; exec "$@"'
    got = ranks(2, "-o", "sum", "-c", "qty", table,
                program=("sh", "-c", script, "sh", MPI))
    assert_failed(got, 2, "'z80' is not an")


def test_a_rank_without_memory(put):
    script = ('[ "$OMPI_COMM_WORLD_RANK" != 1 ] || ulimit -v 300000; exec "$@"')
    needs_memory_of_its_own()
    got = ranks(3, "-j1", "--chunk-size", "400M", "-o", "sum",
                put("a.f32", bytes(1 << 20)),
                program=("sh", "-c", script, "sh", MPI))
    assert_failed(got, 1, "out of memory")
