# SPDX-License-Identifier: MIT
"""Output: stdout, stderr, tables, plans, languages."""

import io
import os
import re

import numpy as np
import pytest

import oracle
from harness import (CONTROL, assert_failed, fails, locale_with_comma, ok, run,
                     shell)
from make import pack, saved
from oracle import SUMMARY
from test_asked import FAKE

LONG = ("op dtype format columns delimiter header na missing bad nan empty "
        "deterministic fast device threads chunk-size skip-bytes per-file "
        "progress explain verbose quiet list help version").split()


@pytest.fixture
def data(put):
    return put("d.f64", pack([0.5, 2, -1.25], "f64"))


def test_help():
    out = ok("--help")
    assert out == ok("-h") == ok("--help=short") and "gpureduce" in out
    used_most = re.findall("^  ... --([a-z0-9-]+)", out, re.M)
    assert " ".join(used_most) == (
        "op nan assert where let compare per-file output-format digits dtype "
        "columns exclude by delimiter header na device explain")
    assert "reads standard input.\n\n" in out and out.endswith(
        ", 4 --assert\n")
    assert ok("--help=ops").endswith("prints whole numbers in full.\n")
    assert "which option reads it.\n\n" in ok("--help=text")
    everything = ok("--help=all")
    assert everything.endswith("\n\n" + ok("--help=ops"))
    assert not CONTROL.search(everything)
    out = ok("--help=options")
    titles = ["What to compute", "Input", "Text", "How to run", "Information"]
    assert re.findall(r"(?:^|\n\n)([A-Z].*):\n", out) == titles
    for name in LONG:
        assert f"--{name}" in out, name
    for short in "otfjvqhV":
        assert f"-{short}," in out, short


def test_version():
    out = ok("--version")
    assert out == ok("-V")
    name, licence = out.splitlines()
    assert name == "gpureduce 0.1.0" and licence.endswith(" MIT license.")


def test_version_with_verbose_names_what_it_is_built_with():
    more = ok("-V", "-v")
    assert more == ok("--verbose", "--version") == ok("--version", "--verb")
    assert ok("-V") == ok("-V", "--bogus") == ok("-V", "--list")
    assert more.startswith(ok("-V"))
    lines = dict(line.split(": ", 1) for line in more.splitlines()[2:])
    assert re.match(r"1\.\d+", lines["zlib"])
    assert re.match(r"(gcc|clang) \d+\.", lines["C compiler"])
    assert re.match(r"none, |CUDA \d+\.\d+ for sm_\d+", lines["GPU code"])


def test_help_and_version_win_over_operands(data):
    for option in "--help", "--version", "--list":
        assert ok(option, "/nonexistent/file") == ok(option)


def test_explain_reads_nothing():
    reader, writer = os.pipe()
    os.write(writer, b"\0" * 8)
    out = ok("--explain", "-f", "raw", "-t", "f64", stdin=reader, timeout=10)
    assert len(os.read(reader, 100)) == 8
    os.close(reader), os.close(writer)
    for word in "raw", "f64", "cpu":
        assert word in out, out


def test_explain_says_what_a_run_would_do(data, put):
    large = put("large.f64", b"")
    os.truncate(large, 1 << 26)
    out = ok("--explain", "-j", "3", "--chunk-size", "1M", large)
    for word in "raw", "f64", "cpu", "threads\t3", "1048576":
        assert word in out, out
    npy = put("a.npy", saved(np.zeros(3, ">i2")))
    out = ok("--explain", "-o", "argmax", npy)
    for word in "npy", "i16", "argmax":
        assert word in out, out
    fails(2, "--explain", "--op", "summ", data)
    fails(1, "--explain", "/nonexistent/file", says="/nonexistent/file")


@pytest.mark.parametrize("name, content, args, says", [
    ("d.dat", b"\0\0\x80?", [], "elements and nothing else (does not read as text)"),
    ("d.dat", b"\0\0\x80?", ["-f", "raw"], "elements and nothing else (as asked)"),
    ("d", b"a\n1\n", [], "delimited text (reads as text)"),
    ("d", b"1\1;2\n3;4\n", ["-d", ";"], "delimited text (an option for text is given)"),
    ("d.tsv", b"a\tb\n1\t2\n", [], "delimiter\t'\\t' (the format is tsv)"),
    ("d.tsv", b"a;b\n1;2\n", ["-d", ";"], "delimiter\t';' (as asked)")])
def test_explain_says_why(put, name, content, args, says):
    assert says in ok("--explain", *args, put(name, content))


# What --explain prints of a raw file and of the CPU.
RAW = """file	'%s'
  format	raw, elements and nothing else (by its name), data from byte 0
  dtype	f64, little-endian
  size	%d bytes, %d elements
"""
CPU = """device	cpu (%s)
  threads	%d
  chunks	of %d bytes
"""
ALONE = CPU % ("starts immediately and reads as fast as the GPU bus", 1, 1 << 19)
BOTH = ALONE.replace("s	1", "s	2").replace("524288", "4194304")
FAKE_JOINS = """device	fake:0 (joins when that saves time: 0.2 s to start, then \
1 GB/s per thread, 10 GB/s in all)
  threads	2
  chunks	of 4194304 bytes
"""
BIG, SMALL = RAW % ("big.f64", 1 << 28, 1 << 25), RAW % ("s.f64", 32, 4)
TABLE = """file	't.csv'
  format	csv, delimited text (by its name), data from byte 6
  dtype	f64
  delimiter	',' (commas split the first records alike)
  fields	3
  header	yes (it holds the name of a column asked for)
  columns	2 (every numeric one of the first records)
  column	2 'a'
  column	3 'b'
  text path	full speed
  size	12 bytes of data
"""
ARRAY = """file	'a.npy'
  format	npy, NumPy array file (by its first bytes), data from byte 128
  dtype	f64, little-endian
  size	192 bytes, 24 elements
shape	(2, 3, 4), Fortran order
"""
EXPLAINED = [
    ("-o sum s.f64", SMALL + ALONE),
    ("-o sum big.f64", BIG + BOTH + FAKE_JOINS),
    ("-o sum --device fake big.f64",
     BIG + BOTH.replace("cpu", "fake:0").replace(
         "starts immediately and reads as fast as the GPU bus", "asked for")),
    ("-o nunique big.f64",
     BIG + BOTH + "distinct	on a fake GPU alone, if a sample of data in memory "
     "shows that it is faster\n"),
    ("-o sum --axis 0 --shape=-1,4 big.f64",
     BIG + "shape	(8388608, 4), C order\n  axes	0 reduced, on the CPU\n"
     "  result	(4)\n  instead	a fake GPU alone, if the CPU is measured to be "
     "slower\n" + BOTH),
    ("-o median s.f64",
     SMALL + ALONE + "quantiles	all values are kept in memory\n"),
    ("-o median -t u8 s.f64",
     SMALL.replace("f64, l", "u8, l").replace("4 el", "32 el") + ALONE +
     "quantiles	each value is counted, unless a sample of data in memory "
     "bounds them\n"),
    ("-o median --device cpu big.f64",
     BIG + BOTH.replace("starts immediately and reads as fast as the GPU bus",
                        "asked for") +
     "quantiles	read once where a sample of data in memory bounds them; else "
     "counted in 2^16 ranges of values, then read again\n"),
    ("-o histogram big.f64", BIG + BOTH + FAKE_JOINS +
     "histogram	the data are read for their range, then again\n"),
    ("-o histogram --range 0,1 big.f64",
     BIG + BOTH + FAKE_JOINS + "histogram	in one pass\n"),
    ("-o median --axis 1 -O json a.npy",
     ARRAY + "  axes	1 reduced, on the CPU\n  result	(2, 4)\n" + ALONE +
     "quantiles	selected from the elements of each output\n"),
    ("-o histogram --range 0,1 --axis 0,2 a.npy",
     ARRAY + "  axes	0,2 reduced, on the CPU\n  result	(3, 10)\n" + ALONE +
     "histogram	in one pass\n"),
    ("-o sum --by k t.csv", TABLE + "key	1 'k'\norder	of the keys\n" + ALONE),
    ("-o sum --by k,b --strip % t.csv",
     TABLE.replace("columns	2", "columns	1").replace("  column	3 'b'\n", "").replace(
         "text path	full speed", "slower	numbers are made plain one by one") +
     "key	1 'k'\nkey	3 'b'\norder	of the keys\n" + ALONE),
    *((f"-o sum -c a,b {option} t.csv",
       TABLE.replace("(every numeric one of the first records)", "(as asked)")
       .replace("text path	full speed", f"slower	{what}") + ALONE)
      for option, what in [
          ("--thousands ·", "numbers are made plain one by one"),
          ("--strip ()", "numbers are made plain one by one"),
          ("--quote '", "cells in quotes are read one by one"),
          ("--comment #", "chunks with comments go to the CPU, and those with "
           "quotes too are taken apart byte by byte"),
          ("--ragged pad", "chunks with ragged records go to the CPU")]),
    ("-o sum -c a,b --thousands _ t.csv",
     TABLE.replace("(every numeric one of the first records)", "(as asked)") + ALONE),
    ("-o sum --per-file s.f64 pipe",
     SMALL + ALONE + "file	'pipe'\n  opened when its turn comes\n"),
    ("-o count -c k,a t.csv",
     TABLE.replace("2 (every numeric one of the first records)", "2 (as asked)")
     .replace("2 'a'", "1 'k', text").replace("3 'b'", "2 'a'").replace(
         "text path	full speed", "slower	columns of text are read one by one, "
         "on the CPU") + ALONE),
    ("-o median --by k --order first t.csv",
     TABLE + "key	1 'k'\nvalues	all are kept in memory, 16 bytes each\n"
     "order	of the keys' first records\n" + ALONE),
    ("-o prod --by k t.csv",
     TABLE + "key	1 'k'\nvalues	all are kept in memory, 16 bytes each\n"
     "order	of the keys\n" + ALONE),
    ("-o histogram --by k t.csv",
     TABLE + "key	1 'k'\norder	of the keys\n" + ALONE +
     "histogram	the data are read for their range, then again\n"),
    ("-o sum --keys k.u8 s.f64",
     SMALL + "keys	'k.u8', u8\norder	of the keys\n" + ALONE),
    ("-o sum --where a>0 --device fake t.csv",
     TABLE + "where	a>0 (on the CPU)\n" +
     ALONE.replace("starts immediately and reads as fast as the GPU bus",
                   "expressions run on the CPU")),
    ("-o sum --where a>index() --device cpu t.csv",
     TABLE + "where	a>index() (on the CPU)\n  slower	index() counts records: one "
     "thread reads them in order\n" +
     ALONE.replace("starts immediately and reads as fast as the GPU bus",
                   "asked for")),
    ("-o sum -t f64 s.f64 /dev/stdin",
     SMALL + "file	'/dev/stdin'\n  opened when its turn comes\n" +
     ALONE.replace("s	1", "s	2")),
    ("-o sum a.npz s.f64 --per-file",
     "file	'a.npz'\n  format	archive of .npy (by its members)\n"
     "  arrays	3\n  array	'a', f32, (2, 3), 24 bytes\n"
     "  array	'b', i16, (20), 40 bytes\n  array	'c', u8, (), 1 bytes\n" +
     ALONE + SMALL + ALONE)]


@pytest.mark.skipif(not os.path.exists(FAKE), reason="no fake device")
@pytest.mark.parametrize("args, want", EXPLAINED)
def test_explain_in_full(put, args, want):
    put("big.f64", b"")
    put("s.f64", bytes(32)), put("k.u8", bytes(4))
    put("t.csv", b"k,a,b\nx,1,2\ny,3,4\n")
    put("a.npy", saved(np.asfortranarray(np.zeros((2, 3, 4)))))
    arrays = io.BytesIO()
    np.savez(arrays, a=np.zeros((2, 3), "f4"), b=np.zeros(20, ">i2"),
             c=np.uint8(1))
    folder = os.path.dirname(put("a.npz", arrays.getvalue()))
    os.mkfifo(os.path.join(folder, "pipe"))
    os.truncate(os.path.join(folder, "big.f64"), 1 << 28)
    got = run("--explain", "-j", "2", *args.split(), program=FAKE, cwd=folder,
              stdin=b"")
    assert got.out.split("\n", 1)[1] == want and got.rc == 0, got.err


def test_explain_names_what_is_unusual(put):
    """Also where most inputs have another line, or none."""
    tensors = b'{"a":{"dtype":"U8","shape":[2],"data_offsets":[0,2]}}'
    tensors = len(tensors).to_bytes(8, "little") + tensors + b"\1\2"
    for name, args, data, line in [
            ("t.csv", "", b"a\r1\r2\r", "  records	end with CR (there is no LF)"),
            ("t.csv", "-d blank", b"a  b\n1  2\n", "  delimiter	blanks (as asked)"),
            ("t.bin", "", bytes(8), "  dtype	f32, little-endian (assumed: its name has "
             "no type, nor is --dtype given)"),
            ("t.bin", "-t >f8", bytes(8), "  dtype	f64, big-endian"),
            ("-", "-t f64", bytes(8), "  size	read to the end of the stream"),
            ("-", "-t f64 -o histogram", bytes(8),
             "histogram	all values are kept in memory"),
            ("t.safetensors", "", tensors, "  format	safetensors (by its first bytes)")]:
        file = name if name == "-" else put(name, data)
        out = ok("--explain", *args.split(), file, stdin=data)
        assert line in out.splitlines(), out


def test_one_value_stands_alone(data):
    assert ok("-o", "max", data) == "2\n"
    assert ok("-o", "argmax", data) == "1\n"
    got = shell('x=$("$0" --op max "$@"); echo "<$x>"', data)
    assert got.out == "<2>\n"


def test_verbose_and_quiet_change_only_stderr(data):
    plain = ok(data)
    result = run("-v", data)
    assert (result.rc, result.out) == (0, plain)
    for word in "read", "reduce", "GB/s":
        assert word in result.err, result
    assert ok("-q", data) == plain
    fails(1, "-q", "/nonexistent/file", says="/nonexistent/file")
    fails(2, "-q", "--op", "summ", data, says="summ")


def test_the_whole_table_of_verbose(put):
    """Every line; numbers that depend on the machine as N."""
    path = put("t.csv", b"x\n1\n2\nNA\n")
    err = run("-v", "--device", "cpu", "-j", "1", "-o", "sum", path).err
    assert re.sub(r"\b\d+\.\d+\b", "N", err).replace(" ", "") == (
        "columnx:3rows=2used+1missing+0bad\n"
        "devicecpu,1thread,7bytes,instructionsof"
        + re.search(r"of (\w+)\n", err)[1] + "\n"
        "stagebusysthreadsGB/s\nstart-upNN\nreadNNN\ndecodeNNN\n"
        "reduceNNN\nmergeNN\nwallNN\n")
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        assert " avx2 " not in file.read() or "of base\n" not in err
    err = run("-v", "-o", "sum", put("long.csv", b"1\n" * 300000)).err
    assert float(err.split("\nreduce")[1].split()[2]) > 0, err


def test_rates_of_verbose(put):
    """Within what the digits printed leave open."""
    size, path = 32 << 20, put("large.f32", b"")
    os.truncate(path, size)
    err = run("-v", "--device", "cpu", "-j", "2", "-o", "sum", path).err
    rows = {line.split()[0]: [*map(float, line.split()[1:])]
            for line in err.split("GB/s\n")[1].splitlines()}
    wall, rate = rows.pop("wall")
    for busy, threads, *rates in rows.values():
        for got, part, whole in [(threads, busy, wall), *((
                rate, size * 1e-9, busy) for rate in rates)]:
            if whole > 1e-3:
                assert ((part - 5e-5) / (whole + 5e-5) - .006 < got
                        < (part + 5e-5) / (whole - 5e-5) + .006), err
    assert abs(rate - size * 1e-9 / wall) < .006 + rate * 5e-5 / wall, err
    assert rows["read"][0] > 1e-3 and len(rows["read"]) == 3, err


def test_times_of_data_that_are_read_twice(put, rng):
    """One thread is not busy for longer than both readings take."""
    raw = put("a.bin", rng.random(1 << 20).astype(">f8").tobytes())
    text = put("a.csv", b"k,v\n" + b"".join(b"%d,%d\n" % (i % 3, i % 97)
                                           for i in range(20_000)))
    for args in (["-o", "median", "-t", ">f8", raw],
                 ["-o", "histogram", "--by", "k", text]):
        err = run("-v", "--device", "cpu", "-j1", *args).err
        assert err.startswith("read 1 time more for the ranks of values\n"), err
        stages = err.split("GB/s\n")[1].splitlines()
        assert sum(float(line.split()[2]) for line in stages[:-1]) < 1.1, err
    # The times of a file are not those of the files before it.
    err = run("-v", "--device", "cpu", "-j1", "--per-file", "-o", "sum", raw,
              put("small.bin", bytes(80)), text).err
    tables = err.split("GB/s\n")[1:]
    assert len(tables) == 3
    for table in tables:
        rows = [line.split() for line in re.split("wall.*\n", table)[0].splitlines()]
        assert sum(float(row[2]) for row in rows) < 1.1, err
        rates = [float(row[3]) for row in rows if len(row) > 3]
        assert table is not tables[1] or max(rates) < 9, err


@pytest.mark.parametrize("args", [["-o", "max"], [], ["--help"], ["--list"],
                                  ["--version"], ["--explain"],
                                  ["--per-file", "-o", "sum"]])
def test_stdout_that_cannot_be_written(data, args):
    """A full device, a closed descriptor, one open only for reading."""
    for redirection in ">/dev/full", ">&-", "1</dev/null":
        result = shell(f'"$0" "$@" {redirection}', *args, data)
        assert_failed(result, 1)


def test_input_does_not_take_closed_stdout(data):
    """Descriptor 1 is free, but the input must not get it."""
    with open(data, "rb") as file:
        before = file.read()
    for script in ('"$0" "$@" >&-', '"$0" "$@" <&- >&-',
                   '"$0" "$@" <&- >&- 2>&-'):
        result = shell(script, "-o", "sum", data)
        assert result.rc == 1, result
        with open(data, "rb") as file:
            assert file.read() == before


def test_closed_stderr_is_no_obstacle(data):
    result = shell('"$0" "$@" 2>&-', "-o", "max", data)
    assert (result.rc, result.out) == (0, "2\n")
    result = shell('"$0" "$@" 2>&-', "-v", "-o", "max", data)
    assert result.out == "2\n"
    result = shell('"$0" "$@" 2>/dev/full', "-o", "max", "/nonexistent")
    assert (result.rc, result.out) == (1, "")


def test_reader_that_exits_early(data):
    reader, writer = os.pipe()
    os.close(reader)
    result = run("-o", "sum", data, stdout=writer)
    os.close(writer)
    assert result.rc in (1, -13), result        # an error, or SIGPIPE


def test_per_file_table(put):
    a = put("a.f64", pack([1, 2], "f64"))
    b = put("b.f64", pack([0.5], "f64"))
    assert ok("--per-file", "-o", "sum,count", a, b, a) == (
        f"file\tsum\tcount\n{a}\t3\t2\n{b}\t0.5\t1\n{a}\t3\t2\n")
    assert ok("--per-file", "-o", "max", b, a) == \
        f"file\tmax\n{b}\t0.5\n{a}\t2\n"
    rows = [r.split("\t") for r in ok("--per-file", a, b).splitlines()]
    assert rows[0] == ["file", *SUMMARY]
    for row, data in zip(rows[1:], ([1.0, 2.0], [0.5])):
        want = oracle.reduce(data, "f64")
        assert row[1:] == [want[op] for op in SUMMARY]
    assert len(rows) == 3


def test_per_file_of_one_file(data):
    assert ok("--per-file", "-o", "max", data) == f"file\tmax\n{data}\t2\n"
    head, row = ok("--per-file", data).splitlines()
    assert head.split("\t") == ["file", *SUMMARY]
    assert row.split("\t")[:2] == [data, "3"]


def test_per_file_types_differ(put):
    """There is no common dataset, so the types need not agree."""
    a = put("a.f64", pack([1.5, 2], "f64"))
    b = put("b.i8", pack([-3, 4], "i8"))
    c = put("c.npy", saved(np.array([7, 8], ">u2")))
    assert ok("--per-file", "-o", "sum,argmax", a, b, c) == (
        f"file\tsum\targmax\n{a}\t3.5\t1\n{b}\t1\t1\n{c}\t15\t1\n")
    fails(2, "-o", "sum", a, b, says=["a.f64", "b.i8"])
    # Arrays have a column for their names, so that no line is of an operation.
    packed = io.BytesIO()
    np.savez(packed, m=np.array([1.5, 3]), n=np.ones(3))
    lines = ok("--per-file", put("p.npz", packed.getvalue()), put(
        "t.csv", b"x,y\n7,8\n")).splitlines()
    assert [line.split("\t")[1:6] for line in lines] == [
        ["name", "column", "rows", "count", "sum"], ["m", "", "2", "2", "4.5"],
        ["n", "", "3", "3", "3"], ["", "x", "1", "1", "7"], ["", "y", "1", "1", "8"]]


def test_per_file_with_standard_input(put):
    a = put("a.u8", b"\1\2")
    assert ok("--per-file", "-t", "u8", "-o", "sum", a, "-", stdin=b"\7") == (
        f"file\tsum\n{a}\t3\n-\t7\n")


def test_per_file_is_all_or_nothing(put):
    good, empty = put("a.f32", b"\0" * 8), put("e.f32", b"")
    ragged = put("r.f32", b"\0" * 7)
    for bad in ragged, "/nonexistent/file":
        for files in ((good, bad), (bad, good), (good, bad, good)):
            fails(1, "--per-file", "-o", "max", *files, says=bad)
    assert ok("--per-file", "-o", "count", good, empty) == (
        f"file\tcount\n{good}\t2\n{empty}\t0\n")
    result = run("--per-file", "-o", "max,min", good, empty)
    assert result.out == f"file\tmax\tmin\n{good}\t0\t0\n{empty}\t\t\n"
    assert result.err == (
        f"gpureduce: '{empty}': max and 1 other value are undefined for empty "
        "input and left empty; --empty identity prints the identity\n")


def test_a_note_names_the_place_in_a_later_file(put):
    """The column, the key, the output or the array that has no value."""
    tables = [put(f"{i}.csv", b"k,x,y\nr,1,2\n" + more)
              for i, more in enumerate((b"s,3,4\n", b"s,,4\n" + b"".join(
                  b"t%d,1,2\n" % i for i in range(9)), b"t,,\n"))]
    rows = np.array([[1, 2, np.nan], [3, 4, np.nan]])
    arrays = [put(f"{i}.npy", saved(x)) for i, x in enumerate((rows[:, :2], rows))]
    packed = io.BytesIO()
    np.savez(packed, f=np.ones(1), e=np.zeros(0))
    npz = put("a.npz", packed.getvalue())
    for args, place in (
            (["-c", "x,y", "-o", "max", "--where", 'k != "r"', *tables[::2]],
             f"'{tables[2]}': column 'x': max and 1 other value are"),
            (["--by", "k", "-c", "x,y", "-o", "max", *tables[:2]],
             f"'{tables[1]}': key 's': max is"),
            (["--axis", "0", "--nan", "skip", "-o", "min", "-O", "json", *arrays],
             f"'{arrays[1]}': output [2]: min is"),
            (["-o", "max", npz], f"'{npz}:e': max is")):
        err = run("--per-file", *args).err
        assert err == (f"gpureduce: {place} undefined for empty input and left empty; "
                       "--empty identity prints the identity\n")
    assert run("-o", "max", npz).err == err
    # What a condition reads is not printed.
    assert ok("--axis", "0", "--nan", "skip", "-o", "count", "--assert",
              "coalesce(max, 0) < 9", arrays[1]) == "2\n2\n0\n"


def test_per_file_escapes_names(put):
    names = [("tab\there.u8", "tab\\there.u8"), ("line\nfeed.u8",
             "line\\nfeed.u8"), ("back\\slash.u8", "back\\\\slash.u8"),
             ("esc\x1b[31m.u8", "esc\\x1b[31m.u8"), ("del\x7f.u8",
             "del\\x7f.u8"), ("space here.u8", "space here.u8"),
             ("gr\u00fc\u00df.u8", "gr\u00fc\u00df.u8")]
    paths = [put(name, b"\1") for name, _ in names]
    folder = os.path.dirname(paths[0])
    rows = ok("--per-file", "-o", "sum", *paths).replace("\\x7F", "\\x7f")
    rows = rows.replace("\\x1B", "\\x1b").split("\n")
    assert rows[1:-1] == [f"{folder}/{shown}\t1" for _, shown in names]


def test_locale_changes_nothing(data, put, tmp_path):
    env, comma = locale_with_comma(tmp_path)
    print(f"a locale with a decimal comma is there: {comma}")
    for args in ([data], ["-o", "mean,min,prod", data], ["--list"], ["--help"],
                 ["--skip-bytes", "1K", "-o", "count",
                  put("z", b"\0" * 4096)]):
        assert ok(*args, env=env) == ok(*args, env={"LC_ALL": "C"})
    assert ok("-o", "min", data, env=env) == "-1.25\n"
    for bad in ["-o", "summ"], ["/nonexistent/file"]:
        assert run(*bad, env=env) == run(*bad, env={"LC_ALL": "C"})


def test_odd_environment(data):
    plain = ok(data)
    for env in ({"OMP_NUM_THREADS": "x"}, {"COLUMNS": "1"}, {"HOME": ""},
                {"POSIXLY_CORRECT": "1"}, {"TERM": "dumb"},
                {"CUDA_VISIBLE_DEVICES": ""}, {"CUDA_VISIBLE_DEVICES": "x"}):
        assert ok("--device", "auto", data, env=env) == plain


@pytest.mark.parametrize("name", ["esc\x1b[31mred", "bell\a", "line\nfeed",
                                  "tab\tx", "cr\rx", "del\x7f", "bs\b\b\b",
                                  "csi\u009b31m", "osc\u009d0;x\u009c"])
def test_no_control_byte_in_messages(name, put):
    """In a file's name, an option's value, an option, a bad file's name."""
    for where in ([name], ["--op", name], ["-t", name], ["--nan", name],
                  ["--chunk-size", name], ["-j", name], ["--device", name],
                  ["--" + name], ["-f", name]):
        result = run(*where)
        rc = 1 if where == [name] else 2
        assert_failed(result, rc)
        assert result.err.count("\n") <= 4, result
    fails(1, "-t", "f32", put(name, b"\0\0\0"))
    result = run("-v", "-t", "u8", put(name, b"\0"))
    assert result.rc == 0 and not CONTROL.search(result.err)
    result = run("--explain", "-t", "u8", put(name, b"\0"))
    assert result.rc == 0 and not CONTROL.search(
        (result.out + result.err).replace("\t", ""))


def test_invalid_bytes_in_names():
    for name in b"\xff\xfe", b"a\xc3", b"\xed\xa0\x80", b"\xc0\x9b":
        shown = "".join(f"\\x{b:02x}" if b > 127 else chr(b) for b in name)
        assert f"'{shown}'" in fails(1, os.fsdecode(name)).lower()


def test_quotes_around_names():
    fails(1, "no such file", says="'no such file'")
    for locale in "C", "C.UTF-8":
        fails(1, "gr\u00fc\u00df", says="'gr\u00fc\u00df'",
              env={"LC_ALL": locale})
