# SPDX-License-Identifier: MIT
"""The command line: what is accepted, what is refused with exit 2, and the
messages."""

import os
import re

import pytest

from harness import fails, ok, run, value
from make import pack
from oracle import ALL, DTYPES, OPS


@pytest.fixture
def data(put):
    return put("d.f32", pack([1, 2, 4], "f32"))


@pytest.mark.parametrize("args", [
    ["-o", "max"], ["-omax"], ["--op", "max"], ["--op=max"], ["-omax,max"],
    ["-qo", "max"], ["-q", "-omax"], ["-o", "max", "-t", "float32"],
    ["-tf32", "-omax"], ["--dtype=<f4", "--op=max"],
    ["-o", "max", "-f", "raw"], ["-fauto", "-omax"], ["-j2", "-omax"],
    ["-j", "1", "--chunk-size=64K", "-omax"], ["--nan=skip", "-omax"],
    ["--deterministic", "-omax"], ["--fast", "-omax"],
    ["--empty", "identity", "-omax"], ["--device", "cpu", "-omax"],
    ["--device=auto", "-omax"], ["--threads", "3", "-o", "max"],
    ["--skip-bytes=0", "-omax"],
    ["--chunk-size", "1", "-o", "max"], ["--chunk-size", "1TiB", "-omax"],
])
def test_spellings(data, args):
    """Short and long, joined and separate, before and after the file."""
    assert ok(*args, data) == "4\n"
    assert ok(data, *args) == "4\n"
    assert ok(*args, "--", data) == "4\n"


@pytest.mark.parametrize("bad,near", [
    ("summ", "sum"), ("maen", "mean"), ("mx", "max"), ("argmn", "argmin"),
    ("mix", "max"), ("abs", "absmax"), ("MEAN", "mean"), ("arg", "argmin"),
    ("averge", "average"), ("maximun", "maximum"), ("varience", "variance"),
    ("stdpop", "std_pop"), ("var_popp", "var_pop"), ("cuont", "count"),
    ("sumsqr", "sumsq"), ("Range", "range"), ("absmn", "absmin")])
def test_unknown_op_names_the_nearest(data, bad, near):
    err = fails(2, "--op", bad, data, says=f"'{bad}'")
    assert re.search(rf"\b{near}\b", err.replace(f"'{bad}'", "")), err
    err = fails(2, "-o", f"max,{bad}", data, says=f"'{bad}'")


@pytest.mark.parametrize("args", [
    ["-o", "w9"], ["-o", "x"], ["-o", "l"], ["-t", "i18"], ["-t", "f128"],
    ["-t", "i9"], ["-t", "f"], ["--device", "npu0"], ["-f", "json5"], ["--zzz"],
    ["--header", "maybe"]])
def test_no_guess_for_distant_words(data, args):
    assert "did you mean" not in fails(2, *args, data)


def test_two_columns_that_could_be_meant(put):
    path = put("d.csv", b"low_temp,high_temp,t1,t2,a\x1b[2Jb\n1,2,3,4,5\n")
    for name, near in [("hightemp", "'high_temp'"), ("LOW_TEMP", "'low_temp'"),
                       ("low", "'low_temp'"), ("t3", None), ("t", None),
                       ("a[2Jb", r"'a\x1b[2Jb'")]:
        err = fails(2, "-f", "csv", "-c", name, path)
        assert ("did you mean " + near if near else ")\n") in err
        assert near or "did you mean" not in err
    assert "'price_a' or 'price_b'?" in fails(
        2, "-c", "price", put("p.csv", b"price_a,price_b\n1,2\n"))


@pytest.mark.parametrize("bad", ["zzzzzzzzzzzz", "", ",", "max,", ",max",
                                 "max,,min", "max min", " max", "max;min"])
def test_unknown_ops(data, bad):
    err = fails(2, "--op", bad, data)
    assert "op" in err


@pytest.mark.parametrize("bad,near", [
    ("f23", "f32"), ("flaot32", "float32"), ("int31", "int32"),
    ("uint9", "uint8"), ("bf15", "bf16"), ("float63", "float64")])
def test_unknown_dtype_names_the_nearest(data, bad, near):
    err = fails(2, "-t", bad, data, says=f"'{bad}'")
    known = [near, *DTYPES]
    assert any(re.search(rf"\b{name}\b", err) for name in known), err


@pytest.mark.parametrize("bad", [
    "", "f8", "f4", "f2", "i4", "i2", "u4", "u2", "f128", "i128", "c8", "O",
    "b1", "<b1", "<f16", ">f16", "<c8", "<i3", "<i16", "<f9", "<i32", "<u64",
    "<f32", "<", "<<f4", "<f4 ", " f32", "f32,f64", "-f4", "!f4", "<f", "f",
    "Float", "int", "long", "<float32", "3"])
def test_unknown_types(data, bad):
    """Among them NumPy codes without prefix: i4 would count bits, and 4 is not
    a size."""
    fails(2, "-t", bad, data, says=f"'{bad}'")


@pytest.mark.parametrize("option,bad,good", [
    ("--format", "nyp", "npy"), ("--format", "RAW", "raw"),
    ("--nan", "skp", "skip"), ("--nan", "propogate", "propagate"),
    ("--empty", "identify", "identity"), ("--empty", "eror", "error"),
    ("--device", "cup", "cpu"), ("--device", "gqu", "gpu"),
    ("--device", "cdua", "cuda")])
def test_unknown_values(data, option, bad, good):
    err = fails(2, option, bad, data, says=[f"'{bad}'"])
    assert re.search(rf"\b{good}\b", err), err
    assert option.lstrip("-") in err, err
    fails(2, f"{option}={bad}", data, says=f"'{bad}'")
    fails(2, option, "", data)


@pytest.mark.parametrize("bad", ["gpu:", "gpu:x", "gpu:-1", "gpu:1x", "gpu0",
                                 "cpu:0", "gpu: 1", "gpu:0x1"])
def test_device_numbers(data, bad):
    fails(2, "--device", bad, data, says="device")


@pytest.mark.parametrize("bad", ["", "x", "-1", "1.5", "2x", "0x2", " 2", "2 ",
                                 "99999999999999999999", "1e3", "+-1"])
def test_thread_numbers(data, bad):
    fails(2, "-j", bad, data, says=f"'{bad}'")
    fails(2, f"--threads={bad}", data, says=["threads", f"'{bad}'"])


@pytest.mark.parametrize("bad", [
    "", "x", "-1", "1.5", "1X", "K", "1KB2", "1 K", "0x10", "1e3", "1KK",
    "99999999999999999999", "18446744073709551616", "18014398509481984K",
    "99999999T", "1iB"])
@pytest.mark.parametrize("option", ["--chunk-size", "--skip-bytes"])
def test_sizes(data, option, bad):
    fails(2, option, bad, data, says=[option.lstrip("-"), f"'{bad}'"])


@pytest.mark.parametrize("text,n", [
    ("1024", 1024), ("1K", 2**10), ("1k", 2**10), ("1KiB", 2**10),
    ("1M", 2**20), ("1MiB", 2**20), ("2m", 2**21), ("0", 0), ("0K", 0)])
def test_sizes_are_powers_of_1024(tmp_path, text, n):
    path = tmp_path / "d.u8"
    with open(path, "wb") as out:
        out.truncate(3 * 2**20)
    assert value("--skip-bytes", text, "-o", "count", path) == \
        str(3 * 2**20 - n)


@pytest.mark.parametrize("bad,near", [
    ("--opp", "--op"), ("--formt", "--format"), ("--treads", "--threads"),
    ("--chunksize", "--chunk-size"), ("--skip_bytes", "--skip-bytes"),
    ("--dtyp3", "--dtype"), ("--perfile", "--per-file"), ("--hlep", "--help")])
def test_unknown_option_names_the_nearest(data, bad, near):
    err = fails(2, bad, data, says=bad)
    assert re.search(rf"{near}\b", err.split("\nTry ")[0].replace(bad, "")), err


@pytest.mark.parametrize("bad", ["-Z", "-y", "--zzzzzzzzz", "-1", "---"])
def test_unknown_options(data, bad):
    fails(2, bad, data, says=["option", bad.lstrip("-")])
    fails(2, data, bad, says=["option", bad.lstrip("-")])


def test_abbreviations(data):
    """Abbreviations are accepted or refused as by GNU getopt_long."""
    for short, full in (("--thr", ["--threads", "1"]),
                        ("--verb", ["--verbose"])):
        result = run(short, *full[1:], "-omax", data)
        assert (result.rc, result.out) in ((0, "4\n"), (2, "")), result


@pytest.mark.parametrize("short", ["c", "co", "d", "de", "e", "ex", "n", "s",
                                   "th", "v", "e=1"])
def test_ambiguous_abbreviations(data, short):
    """The message names all options that could be meant, and only these."""
    listed = re.findall(r"--([a-z][a-z-]+)", ok("--help=all"))
    want = {name for name in listed if name.startswith(short.split("=")[0])}
    assert len(want) > 1
    err = fails(2, "--" + short, data, says=[f"'--{short}' is ambiguous: "])
    assert set(re.findall(r" --([a-z-]+)", err.split("\n")[0])) == want, err


@pytest.mark.parametrize("args,says", [
    (["--decimal", "5"], "digit"), (["--decimal", "e"], "letter"),
    (["--decimal", "-"], "sign"), (["--decimal", " "], "blank"),
    (["--thousands", "0"], "digit"), (["--thousands", "+"], "sign"),
    (["--thousands", "."], "say --decimal , as well"),
    (["--decimal", ",", "--thousands", ","], "both"),
    (["--quote", ";", "-d", ";"], "--delimiter"),
    (["--quote", " ", "-d", "blank"], "--delimiter"),
    (["--quote", "."], "part of numbers"),
    (["--quote", "'", "--thousands", "'"], "part of numbers"),
    (["--comment", ",", "-d", ","], "--delimiter"),
    (["--comment", "\t", "-d", "blank"], "--delimiter"),
    (["--comment", '"'], "--quote"), (["--comment", "5"], "numbers start"),
    (["--comment", "."], "numbers start"),
    (["--strip", "$5"], "digits"), (["--strip", "-"], "signs"),
    (["--strip", "."], "decimal mark"),
    (["--decimal", ",", "--strip", ","], "decimal mark")])
def test_options_of_text_that_contradict(put, args, says):
    data = put("t.csv", b"a,b\n1,2\n")
    fails(2, *args, data, says=says)
    fails(2, *args, "/nonexistent", says=says)


@pytest.mark.parametrize("args", [
    ["-d", ","], ["--header", "yes"], ["--na", "x"], ["--decimal", ","],
    ["--comment", "#"], ["-x", "1"], ["--strip", "$"], ["--quote", "none"],
    ["--skip-lines", "1"], ["--ragged", "pad"], ["--na-only", ""]])
def test_options_of_text_with_raw_data(data, args):
    fails(2, *args, data, says=args[0].lstrip("-") if len(args[0]) > 2
          else "for text")
    fails(2, *args, "-f", "raw", data)


def test_help_fits_a_screen():
    lines = ok("--help").splitlines()
    assert 24 <= len(lines) <= 40 and max(map(len, lines)) <= 80
    assert lines.index("Examples:") < 8
    for topic in "ops", "text", "options", "all":
        lines = ok("--help=" + topic).splitlines()
        assert lines and max(map(len, lines)) <= 80


@pytest.mark.parametrize("option", [
    "-o", "--op", "-t", "--dtype", "-f", "--format", "--nan", "--empty",
    "--device", "-j", "--threads", "--chunk-size", "--skip-bytes"])
def test_missing_argument(data, option):
    long = {"-o": "op", "-t": "dtype", "-f": "format", "-j": "threads"}
    fails(2, data, option, says=long.get(option, option))


@pytest.mark.parametrize("option", ["--fast", "--deterministic", "--per-file",
                                    "--explain", "--list", "--help",
                                    "--version", "--quiet", "--verbose"])
def test_argument_that_is_not_taken(data, option):
    fails(2, f"{option}=yes", data, says=option)


def test_conflicts(data):
    fails(2, "--fast", "--deterministic", data,
          says=["--fast", "--deterministic"])
    fails(2, "--deterministic", "--fast", data,
          says=["--fast", "--deterministic"])


@pytest.mark.parametrize("op", ["quantile", "max,quantile"])
def test_words_for_quantiles(data, op):
    fails(2, "-o", op, data, says=op.split(",")[-1])


def test_nothing_is_read_on_wrong_usage(put):
    """Exit 2 comes before a missing file, and standard input stays unread."""
    fails(2, "--op", "summ", "/nonexistent/file")
    reader, writer = os.pipe()
    os.write(writer, b"\0" * 8)
    fails(2, "--op", "summ", stdin=reader)
    os.close(writer)
    assert len(os.read(reader, 100)) == 8
    os.close(reader)


def test_terminal_gets_a_hint():
    master, slave = os.openpty()
    try:
        for args in ([], ["-o", "sum"]):
            result = run(*args, stdin=slave, timeout=10)
            assert (result.rc, result.out) == (2, "")
            assert result.err.count("\n") == 2, result
            assert result.err.startswith("gpureduce: ")
            assert "--help" in result.err
    finally:
        os.close(master)
        os.close(slave)


def test_list_help_and_version_need_no_input():
    master, slave = os.openpty()
    try:
        for option in "--list", "--help", "--version", "-h", "-V":
            assert ok(option, stdin=slave)
    finally:
        os.close(master)
        os.close(slave)


def test_every_listed_op_and_dtype_works(put):
    # 8 bytes: whole elements of every type, also of bool.
    data = put("d.f32", b"\1\0" * 4)
    rows = [line.split("\t") for line in ok("--list").splitlines()]
    pairs = ["cov", "corr"]     # only for text
    ranked = ["median", "q1", "q3", "iqr", "p99", "histogram"]
    names = [row[1] for row in rows if row[0] == "op"]
    assert sorted(names) == sorted(
        OPS + pairs + ranked + ["approx_nunique", "reduce"])
    assert sorted(row[1] for row in rows if row[0] == "dtype") == \
        sorted([*DTYPES, "f8e4m3", "f8e5m2", "bool"])
    assert all(len(row) == 3 and row[2] for row in rows)
    assert {row[0] for row in rows} == {"op", "dtype"}
    for topic in "ops", "all":
        shown = " ".join(ok("--help=" + topic).split())
        for row in rows:
            assert row[0] == "dtype" or " ".join(row[1:]) in shown, row
    for row in rows:
        if row[1] in pairs + ["reduce"]:
            continue
        option = "-o" if row[0] == "op" else "-t"
        assert ok(option, row[1], data)
    assert [line.split("\t")[0] for line in ok("-o", "all",
                                               data).splitlines()] == ALL
