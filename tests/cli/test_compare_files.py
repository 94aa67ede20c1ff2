# SPDX-License-Identifier: MIT
"""--compare: shapes, streams, text, formats, and exit statuses as those of
cmp."""

import gzip
import json
import os
import pathlib
import re
import signal
import subprocess
import tempfile
from fractions import Fraction

import numpy as np
import pytest

from comparison import check, is_root, refuses, report, steps_of
from harness import BINARY, fails, peak, run, shell
from make import saved


def test_threads_and_chunks_leave_no_trace(rng, put):
    a = np.repeat(rng.normal(size=20000), 3)
    b = np.roll(a, 1)
    files = put("a.f64", a.tobytes()), put("b.f64", b.tobytes())
    text = [put(name, b"x,y\n" + b"".join(b"%r,%d\n" % (x, i % 7)
                                         for i, x in enumerate(data[:6000])))
            for name, data in (("a.csv", a), ("b.csv", b))]
    for pair in files, text:
        outs = {run("--compare", *pair, *args).out for args in (
            [], ["-j", 1], ["-j", 5, "--chunk-size", 100],
            ["-j", 3, "--chunk-size", "20K"], ["-j", 2, "--chunk-size", 997])}
        assert len(outs) == 1 and len(outs.pop()) > 50


def test_shapes(put, tmp_path):
    x = np.arange(12.0)
    paths = {}
    for name, array in {"34": x.reshape(3, 4), "43": x.reshape(4, 3), "12": x,
                        "34f": np.asfortranarray(x.reshape(3, 4)),
                        "0d": np.array(1.0), "1": np.ones(1)}.items():
        paths[name] = put(name + ".npy", saved(array))
    refuses(paths["34"], paths["43"], says=["(3, 4)", "(4, 3)"])
    refuses(paths["34"], paths["12"], says="(12,)")
    refuses(paths["0d"], paths["1"], says="()")
    for pair in ("34", "34f"), ("34f", "34"):
        refuses(*(paths[name] for name in pair),
                says=f"'{paths['34f']}' is in Fortran order, but "
                f"'{paths['34']}' is in C order")
    report(paths["34"], put("x.f64", x.tobytes()), rc=0)
    refuses(put("x.f64", x.tobytes()), put("y.f64", x[:5].tobytes()),
            says=["12 elements", "has 5"])
    # Known before reading; but that a file is cut goes first.
    refuses("--explain", put("x.f64", x.tobytes()), put("y.f64", bytes(8)),
            says=["12 elements", "has 1\n"])
    for sizes in (15, 24), (24, 15):
        refuses(*(put(f"{n}.f64", bytes(n)) for n in sizes), says="trailing")
    # The index follows the array's order, and so does the first of equal
    # values.
    y = x.reshape(3, 4).copy()
    y[0, 3] += 2
    y[2, 0] += 2
    y[1, 1] -= 1
    rows = report(paths["34f"], put("y.npy", saved(np.asfortranarray(y))))
    assert (rows["argmax_abs"], rows["first_mismatch"]) == ("3", "3")
    assert rows["argmax_rel"] == str(np.argmax(abs(x - y.ravel()) / (y.ravel() + 1e-300)))


def test_streams(put, tmp_path):
    x = np.arange(200000.0)
    y = x.copy()
    y[150000] += 1
    plain = put("x.f64", x.tobytes())
    packed = put("y.f64.gz", gzip.compress(y.tobytes(), 1))
    rows = report(plain, packed, rc=1)
    assert rows["argmax_abs"] == "150000"
    assert rows == report(plain, "-", "-t", "f64", stdin=y.tobytes())
    assert rows == report("-", packed, "-t", "f64", stdin=open(plain, "rb"))
    for first, other, n, says in (
            (plain, "-", 100, "FILE has 200000 elements, but INPUT has 100\n"),
            ("-", plain, 100, "INPUT has 100 elements, but FILE has 200000\n"),
            (plain, "-", 200001, "FILE has 200000 elements, but INPUT has more "
             "than 200000\n"),
            ("-", plain, 200001, "INPUT has more than 200000 elements, but FILE "
             "has 200000\n")):
        refuses(first, other, "-t", "f64", stdin=np.arange(1.0 * n).tobytes(),
                says=says.replace("FILE", f"'{plain}'")
                .replace("INPUT", "'standard input'"))
    refuses(plain, "-", "-t", "f64", stdin=y.tobytes()[:-3], says="trailing")
    for again in "-", "/dev/stdin", "/dev/fd/0":
        refuses("-", again, stdin=b"", says="only once")
    got = shell('exec "$0" --compare -t f64 /dev/fd/3 - 3<"$1" <"$1"', plain)
    assert got.rc == 0, got


TABLE = b"name,x,y,z\nu,1,2.5,9007199254740993\nv,-2,NA,4\nw,3,,5\n\"p\",4,0,6\n"


def columns(*args, rc):
    got = run("--compare", *args)
    assert got.rc == rc, got
    rows = [line.split("\t") for line in got.out.splitlines()]
    assert all(len(row) == len(rows[0]) for row in rows), got
    return got.err, {row[0]: dict(zip(rows[0], row)) for row in rows[1:]}


def test_text(put):
    a = put("a.csv", TABLE)
    err, got = columns(a, a, rc=0)
    assert set(got) == set("xyz") and err == (
        "gpureduce: compared 3 of 4 columns, without 'name': it does not hold "
        "numbers in the first records\n")
    words = put("w.csv", b"1,u,v\n2,w,x\n")
    assert run("--compare", "--header", "no", words, words).err == (
        "gpureduce: compared 1 of 3 columns, without '2' and others: they do "
        "not hold numbers in the first records\n")
    assert [got[c]["count"] for c in "xyz"] == ["4", "2", "4"]
    # Columns in another order, other spellings, another delimiter.
    b = put("b.tsv", b"y\tz\tname\tx\n2.5\t9007199254740992\tu\t1.0\n"
            b"\t4\tv\t-1\n1\t5\tw\t3\n0\t6\tp\t0.4e1\n")
    err, got = columns(a, b, "-c", "x,y,z", rc=1)
    assert err == ""
    assert got["x"] == {
        "column": "x", "count": "4", "mismatches": "1", "first_mismatch": "1",
        "max_abs": "1", "argmax_abs": "1", "max_rel": "1", "argmax_rel": "1",
        "rms": "0.5", "max_ulp": str(1 << 52), "line": "3",
        "missing_mismatches": "0"}
    assert (got["y"]["mismatches"], got["y"]["missing_mismatches"],
            got["y"]["first_mismatch"], got["y"]["count"]) == ("1", "1", "2",
                                                               "2")
    assert (got["z"]["max_abs"], got["z"]["argmax_abs"], got["z"]["max_rel"]
            ) == ("1", "0", repr(1 / 2**53))
    assert report(a, b, "-c", "z", "-t", "i64")["max_abs"] == "1"
    assert report(a, b, "-c", "x", "--atol", 1, rc=0)["line"] == "3"
    refuses(a, put("c.csv", b"y,z\n1,2\n"), says=["4 columns", "has 2"])
    refuses(a, put("c.csv", b"y,z,x,name,q\n1,2,3,4,5\n"),
            says=["4 columns", "has 5"])
    refuses(a, put("c.csv", b"name,x,y,q\nu,1,2,3\n"), says="'z'")
    refuses(a, put("c.csv", TABLE + b"q,1,2,3\n"),
            says=["4 records", "has 5"])
    refuses(a, put("c.csv", TABLE.replace(b"-2", b"two")), "-c", "x",
            says=["c.csv", "two"])
    # No record is skipped, so no message offers that.
    for record, says in (b"q,1,2,3,4\n", "5 fields where the first record has 4\n"), (
            b"q,1\n", "2 fields where the first record has 4\nTry --ragged pad to "
            "take absent fields for missing values.\n"):
        c = put("c.csv", TABLE + record)
        assert refuses(a, c, says="c.csv") == f"gpureduce: {c}:6: {says}"
    c = put("c.csv", b"a,b\nx,y\nz\n")
    assert refuses(c, c, says="c.csv") == (
        f"gpureduce: {c}:3: 1 field where the first record has 2\nTry --ragged pad "
        "to take absent fields for missing values.\n")
    # A record that does not end is found after those before it.
    cut = put("c.csv", TABLE.replace(b'"p"', b'"p'))
    for pair in (a, cut), (cut, a), (cut, cut):
        refuses(*pair, "-c", "x", says="c.csv:5:1: ")
    # Columns are matched by position if one file has no header.
    assert report(put("n.csv", b"1\n2\n3\n"), put("h.csv", b"v\n1\n2\n4\n"),
                  "--header", "auto", rc=1)["line"] == "3"
    # After a record of two lines, records are still found.
    two = put("two.csv", b'n,x\n"a\nb",1\nc,2\n')
    one = put("one.csv", b"n,x\na,1\nc,3\n")
    assert report(two, one, "-c", "x")["line"] == "4"
    assert report(one, two, "-c", "x")["line"] == "3"
    assert report("-", one, "-f", "csv", "-c", "x",
                  stdin=open(two, "rb").read())["line"] == ""
    assert report("-", two, "-f", "csv", "-c", "x",
                  stdin=open(one, "rb").read())["line"] == "3"


def test_long_text(rng, put):
    """Both files have more than the comparison buffers, cut anywhere."""
    n = 20000
    a = rng.normal(size=n)
    b = (a + 1e-3 * rng.normal(size=n) * (rng.random(n) < .01)).tolist()
    a = a.tolist()
    wide = put("a.csv", b"x,note\n" + b"".join(
        b"%r,some words that take room\n" % x for x in a))
    slim = gzip.compress(b"x\n" + b"".join(b"%r\n" % x for x in b), 1)
    rows = report(wide, put("b.csv.gz", slim), "-c", "x", "-j", 3,
                  "--chunk-size", "8K")
    check(rows, list(a), list(b), steps=steps_of(a, b, "f64"))
    assert rows["line"] == str(int(rows["argmax_abs"]) + 2)
    assert rows == report(wide, "-", "-f", "csv", "-c", "x",
                          stdin=gzip.decompress(slim))


GAPS = ["", "NA", "nan", "0.5", "-3", "7"]


@pytest.mark.parametrize("wide", [2**53 + 1, 2**62 + 1])
def test_gaps_in_long_text(rnd, put, wide):
    """Cells that are missing, NaN, or integers that f64 cannot hold, where the
    blocks of both files have other rows."""
    def draw():
        return rnd.choice([*GAPS, *(str(s * (wide + 2 * rnd.randrange(300)))
                                    for s in (-1, 1))])
    a = ["0.5", *(draw() for _ in range(1999))]
    b = [draw() if rnd.random() < .02 else cell for cell in a]
    # Of the pairs, a NaN and such an integer; and the greatest difference.
    a[900], b[900], a[901], b[901] = "nan", str(wide), str(wide), "nan"
    a[1700], b[1700] = str(-wide - 602), str(wide + 602)
    a[1600:1602], b[1600:1602] = ["", "7"], ["", "0"]   # the greatest quotient
    files = [put(name, ("x,y\n" + "".join(f"{x},{y}\n" for x in cells)).encode())
             for name, cells, y in (("a.csv", a, "u"), ("b.csv", b, "more words"))]
    numbers = [[None if x in ("", "NA") else int(x) if len(x) > 9 else float(x)
                for x in cells] for cells in (a, b)]
    both = [(i, x, y) for i, (x, y) in enumerate(zip(*numbers))
            if x is not None and y is not None]
    nans = [i for i, x, y in both if (x != x) != (y != y)]
    gaps = [i for i, (x, y) in enumerate(zip(*numbers)) if (x is None) != (y is None)]
    d = {i: abs(Fraction(x) - Fraction(y)) for i, x, y in both if x == x and y == y}
    far = [i for i in d if d[i]]
    steps = steps_of(*([float(pair[k]) for pair in both] for k in (1, 2)), "f64")
    for more in ["-j1", "--chunk-size", "1K"], ["-j3", "--chunk-size", "700"], []:
        rows = report(*files, "-c", "x", *more, rc=1)
        assert (int(rows["count"]), int(rows["mismatches"])) == (
            len(both), len(far) + len(nans) + len(gaps))
        assert rows["first_mismatch"] == str(min(far + nans + gaps))
        assert (float(rows["max_abs"]), rows["argmax_abs"]) == (
            float(max(d.values())), "1700")
        assert (rows["max_rel"], rows["argmax_rel"]) == ("inf", "1601")
        assert rows["max_ulp"] == str(steps)
        assert (rows["missing_mismatches"], rows["nan_mismatches"]) == (
            str(len(gaps)), str(len(nans)))
        # The differences are rounded before they are squared.
        assert is_root(float(rows["rms"]), sum(
            Fraction(float(x)) ** 2 for x in d.values()) / len(d))


def test_one_program_writes_both(tmp_path):
    """The writer alternates between both pipes, with more than they hold and
    less than a chunk."""
    paths = [tmp_path / "a", tmp_path / "b"]
    for path in paths:
        os.mkfifo(path)
    with subprocess.Popen([BINARY, "--compare", "-t", "u8", "-f", "raw", "-j",
                           "1", "--chunk-size", "1M", *paths],
                          stdout=subprocess.PIPE) as proc:
        files = [open(path, "wb", buffering=0) for path in paths]
        for i in range(500):
            for file in files:
                file.write(bytes([i % 256]) * 10000)
        for file in files:
            file.close()
        out = proc.communicate(timeout=30)[0]
    assert proc.returncode == 0 and out.startswith(b"count\t5000000\n")


def test_one_input_is_late(put):
    """Threads read more of the file than they may keep."""
    path = put("a.u8", bytes(i % 251 for i in range(200000)))
    got = shell('(sleep .2; cat "$1") | "$0" --compare -j 3 --chunk-size 1K '
                '"$1" - -t u8', path)
    assert got.rc == 0 and got.out.startswith("count\t200000\n"), got


@pytest.fixture
def on_disk():
    """A folder on a disk, as in /var/tmp: of a file in memory the kernel maps more
    than is read, by up to 2 MiB at each place."""
    with tempfile.TemporaryDirectory(dir="/var/tmp") as folder:
        yield pathlib.Path(folder)


def test_memory_is_bounded(on_disk):
    text, raw, data = on_disk / "a.csv", on_disk / "a.u8", bytes(16 << 20)
    text.write_bytes(b"x\n" + b'1\n""\n9007199254740993\n' * 400_000)
    raw.write_bytes(data)
    for args, kw in ([text, text], {}), (["-t", "u8", raw, "-"], {"input": data}):
        _, memory = peak("--compare", "-j", "1", "--chunk-size", "64K", *args,
                         **kw)
        assert memory < 16 << 20, (args, memory)


def test_bools(put):
    good, bad = put("a.bool", b"\0\1\1"), put("b.bool", b"\0\1\2")
    assert report(good, put("c.bool", b"\1\1\1"), rc=1)["max_abs"] == "1"
    refuses(good, bad, says=["b.bool", "element 2 is 2, but a bool is 0 or 1"])
    refuses(bad, bad, says="element 2")
    late = put("l.bool", bytes(50000) + b"\2")
    refuses(late, late, "--chunk-size", "4K", says="element 50000 is 2")


def test_empty(put):
    for name, data in ("e.f64", b""), ("e.csv", b"x\n"):
        path = put(name, data)
        rows = report(path, path, rc=0)
        assert rows["count"] == "0" and rows["max_abs"] == rows["rms"] == ""
    refuses(put("e.f64", b""), put("f.f64", bytes(8)), says="has 1")
    refuses(put("e.csv", b"x\n"), put("f.csv", b"x\n1\n"),
            says=["0 records", "has 1"])


def test_formats(put):
    files = put("a.csv", TABLE), put("b.csv", TABLE.replace(b"-2", b"-7"))
    args = "--compare", *files, "-c", "x,y"
    got = run(*args, "-O", "json", "--digits", 3)
    data = json.loads(got.out)
    first = data["results"][0]
    assert got.rc == 1 and data["input"] == {"files": 2, "records": 4,
                                             "rejected": 0}
    assert first["column"] == "x" and first["rows"] == first["n"] == 4
    assert first["argmax_abs"] == {"index": 1, "value": 5.0, "line": 3,
                                   "file": files[0]}
    assert first["first_mismatch"] == 1 and '"max_rel":0.714,' in got.out
    assert '"rms":2.500,' in got.out
    assert data["results"][1]["n_missing"] == 2
    for last, nans in (4, 2), (np.nan, 3):
        nan = put("n.f64", np.array([1, np.nan, 3, last]).tobytes())
        data = json.loads(run("--compare", nan, put("m.f64", np.array(
            [1, 2, np.nan, last]).tobytes()), "-O", "json").out)["results"][0]
        assert (data["rows"], data["n"], data["n_nan"]) == (4, 4, nans), data
    got = run("--compare", put("i.csv", b"x\ninf\n"), put("j.csv", b"x\n1\n"),
              "--digits", "2")
    assert re.findall("^(max_abs|max_rel|rms)\t(.*)", got.out, re.M) == [
        ("max_abs", "inf"), ("max_rel", "inf"), ("rms", "inf")], got
    lines = run(*args, "-O", "jsonl").out.splitlines()
    assert [json.loads(line)["column"] for line in lines] == ["x", "y"]
    table = run(*args, "-O", "csv").out
    assert table.replace(",", "\t") == run(*args, "-O", "tsv").out
    assert table.startswith("column,count,mismatches,")
    alone = run("--compare", *files, "-c", "x", "-O", "csv").out
    assert alone.count("\n") == 2 and alone.startswith("count,")


def test_refused(put, tmp_path):
    a = put("a.f64", bytes(16))
    for args in (["-o", "sum"], ["--nan", "skip"], ["--empty", "identity"],
                 ["--fast"], ["--verify"], ["--assert", "max < 1"],
                 ["--per-file"]):
        refuses(*args, a, a, says=["--compare", "exclude each other", "Try '"])
    for args in ["--bad", "skip"], ["--ragged", "skip"]:
        refuses(*args, put("a.csv", TABLE), put("b.csv", TABLE),
                says=" ".join(args) + " and --compare")
    refuses("--device", "cuda", a, a, says="runs on the CPU")
    for text in "-1", "inf", "nan", "1e", "", "0x1":
        refuses(f"--atol={text}", a, a, says="--atol takes a number")
    fails(2, "--rtol", "1", a, says="--rtol is for --compare")
    for files in [], [a], [a, a, a]:
        refuses(*files, says=f"two FILEs, not {len(files) or 1}")
    refuses(a, tmp_path / "none", says="cannot be opened")
    refuses(a, tmp_path, says="is a directory")
    text = put("a.csv", TABLE)
    for pair in (a, text), (text, a):
        refuses(*pair, says=f"'{text}' is text but '{a}' is not")
    refuses(put("x.f64", bytes(15)), put("y.f64", bytes(15)), says="trailing")
    assert "device cpu" not in run("--compare", "--device", "cpu", a, a).err
    with open("/dev/full", "wb") as full:
        assert run("--compare", a, a, stdout=full).rc == 2


def test_notes(put):
    a, b = put("a.f64", bytes(16)), put("b.f64", bytes(8) + b"\1" * 8)
    got = run("--compare", "-q", a, b)
    assert got.rc == 1 and got.out.startswith("count\t2\n") and not got.err
    got = run("--compare", "-v", a, b)
    assert got.rc == 1 and "reduce" in got.err
    assert f"argmax_abs: 7.748604185489348e-304, at {a}, byte 8\n" in got.err
    for threads, said in ("1", "1 thread"), ("2", "2 threads"):
        got = run("--compare", "-v", "-j", threads, a, b)
        assert got.err.startswith(f"device cpu, {said}\n"), got
    many = put("many.f64", bytes(4 << 20))
    got = run("--compare", "-v", many, many)
    wall = got.err.split("\nwall ")[1].split()
    assert .8 < float(wall[0]) * float(wall[1]) * 1e9 / (8 << 20) < 1.25, got
    got = shell('(head -c 2M "$1"; sleep .3; tail -c 2M "$1") | '
                '"$0" --compare -v -t f64 - "$1"', many)
    assert .2 < float(got.err.split("\nwall ")[1].split()[0]) < 2, got
    got = run("--compare", "--explain", "--rtol", "1e-3", a, b)
    assert got.rc == 0 and "|a - b| <= 0 + 0.001" in got.out
    assert got.out.count("file\t") == 2 and "runs on the CPU" in got.out


def test_interrupt():
    reader, writer = os.pipe()
    proc = subprocess.Popen([BINARY, "--compare", "-t", "f64", "-",
                             "/dev/zero"], stdin=reader,
                            stdout=subprocess.PIPE)
    os.write(writer, bytes(8))
    proc.send_signal(signal.SIGINT)
    assert proc.communicate(timeout=20)[0] == b""
    assert proc.returncode == -signal.SIGINT
    os.close(reader)
    os.close(writer)


def test_an_assumed_header_is_noted(put):
    """It decides how many pairs of records there are."""
    path = put("t.csv", b"a,b\n,\n")
    got = run("--compare", "-c", "2", path, path)
    assert got.rc == 0 and got.err == (
        f"gpureduce: {path}: the first record is taken for names (its first record "
        "holds only words); if it is data, say --header no\n")


def test_columns_are_those_of_both(put):
    """Which columns are compared does not depend on the order of the files."""
    cases = [
        (b"a,b\n,1\n,2\n", b"a,b\n6,1\n6,2\n", 1, "missing_mismatches"),
        (b"x,y\n1,1\n2,1o4\n3,3\n", b"x,y\n1,1\n2,2\n3,3\n", 2,
         "column 'y' holds numbers in 'B', but not in 'A'\nChoose "
         "columns with -c, or leave it out with -x."),
        (b",v\n0,5\n1,6\n", b",v\n3,5\n7,6\n", 1, "\n\t2\t2\t0\t6\t1\t"),
        (b",v\n0,5\n1,6\n", b",v\n1,5\n2,6\n", 1, "\n\t2\t2\t0\t1\t0\t"),
        (b"x,y\n1,2\n", b"y,x\n2,1\n", 0, "y\t1\t0\t"),
        (b"x,name\n1,u\n", b"x,Name\n1,u\n", 0, "without"),
        (b"x,y\n1,2\n", b"x,z\n1,2\n", 2,
         "Choose columns with -c."),
        (b"x,n\n1,u\n", b"x,z\n1,2\n", 2,
         "'A' has no column to match 'z', which holds numbers in 'B'\n"
         "Choose columns with -c.\n"),
        (b"x,y\n1,2\n", b"x,x\n1,2\n", 2,
         ("'B' has several columns 'x', which holds numbers in 'A'",
          "'A' has no column to match 'x', which holds numbers in 'B'")),
        (b"x,x\n1,2\n", b"x,xy\n1,2\n", 2,
         ("'B' has no column to match 'x'", "'A' has several columns 'x'")),
        (b"k,v,v\nx,1,2\n", b"v,k,v\n1,x,2\n", 2,
         ("'B' has several columns 'v'", "'A' has several columns 'v'")),
        (b"x,x\n1,2\n", b"x,x\n1,3\n", 1, "x\t1\t1\t0\t1\t"),
        (b"x,y\n1,\n", b"x,y\n1,u\n", 0, "without 'y'"),
        (b"x,y\n,u\n", b"x,y\n,u\n", 2, "no column of numbers"),
        (b"x,y\n", b"x,y\n", 0, "y\t0\t0\t"),
        (b"x,y\n", b"x,y\n1,2\n", 2, "different shape"),
        (b"x,y\n", b"x,y\n,\n", 2, "different shape"),
        (b"x,y\n", b"x,y\nu,2\n", 2, "different shape"),
        (b"", b"x,y\n1,2\n", 2, "different shape"),
        (b"x\n1\n2\n4\n", b"1\n2\n3\n", 1, "first_mismatch\t2\n"),
    ]
    for a, b, rc, says in cases:
        files = put("a.csv", a), put("b.csv", b)
        both = (says, says) if isinstance(says, str) else says
        for pair, says in zip((files, files[::-1]), both):
            got = run("--compare", *pair)
            text = got.out + got.err.replace(files[0], "A").replace(files[1],
                                                                    "B")
            assert got.rc == rc and says in text, (pair, got)
    files = put("a.csv", b"x,y\n1,1o4\n2,5\n"), put("b.csv", b"x,y\n1,1\n2,5\n")
    for pair in files, files[::-1]:
        assert run("--compare", *pair, "-x", "y").rc == 0
        assert run("--compare", *pair, "-c", "x").rc == 0
        refuses(*pair, "-c", "y", says="1o4")


def test_rounded_integers_are_noted(put):
    """f64 cannot hold integers of over 64 bits: these compare as equal, with a
    note."""
    a = put("a.csv", b"x,y\n100000000000000000000001,1\n1,2\n")
    b = put("b.csv", b"x,y\n100000000000000000000002,1\n1,"
            b"200000000000000000003\n")
    err, got = columns(a, b, rc=1)
    assert got["x"]["mismatches"] == "0" and err.count("\n") == 2
    assert f"{a}: rounded 1 integer that" in err
    assert f"{b}: rounded 2 integers that" in err
    err, got = columns(a, a, "-c", "y,x", "-q", rc=0)
    assert err == ""
    # --compare takes columns of 64-bit integers as they are.
    a, b = (put(name, "\n".join(["x", "1", *(str(2**53 + i) for i in odd)])
                .encode()) for name, odd in [("c.csv", [1, 3, 5, 7]),
                                             ("d.csv", [1, 5, 5, 7])])
    got = report(a, b)
    assert (got["mismatches"], got["first_mismatch"], got["max_abs"]) == (
        "1", "2", "2")
