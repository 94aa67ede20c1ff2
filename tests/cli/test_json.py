# SPDX-License-Identifier: MIT
"""--output-format: other readers read the output back: a strict json, jq, csv,
NumPy."""

import csv
import gzip
import io
import json
import math
import os
import re
import shutil
import subprocess

import numpy as np
import pytest

from harness import BINARY, fails, ok, run, value
from make import pack, saved
from test_asked import FAKE

hypothesis = pytest.importorskip("hypothesis")
st = hypothesis.strategies

TALLIES = ["rows", "n", "n_missing", "n_bad", "n_nan"]


def refuse(word):
    raise AssertionError(f"{word} is not JSON")


def no_twins(pairs):
    keys = [key for key, _ in pairs]
    assert len(set(keys)) == len(keys), keys
    return dict(pairs)


def strict(text):
    return json.loads(text, parse_constant=refuse, object_pairs_hook=no_twins)


def document(*args, **kw):
    out = ok("--json", *args, **kw)
    doc = strict(out)
    assert list(doc) == ["schema", "results", "input", "run"]
    assert doc["schema"] == 1
    assert list(doc["input"]) == ["files", "records", "rejected"]
    assert list(doc["run"]) == ["version", "device", "bytes"]
    # One element a line, with the elements of jsonl.
    lines = out.split("\n")[1:1 + len(doc["results"])]
    assert [strict(line.rstrip(",")) for line in lines] == doc["results"]
    for element in doc["results"]:
        if element["n"] is None:
            continue
        assert element["rows"] == (element["n"] + element["n_missing"] +
                                   element["n_bad"])
    return doc


def elements(*args, **kw):
    doc = document(*args, **kw)
    assert [strict(line) for line in ok("-O", "jsonl", *args, **kw)
            .splitlines()] == doc["results"]
    return doc["results"]


@pytest.fixture
def table(put):
    return put("t.csv", b"item,price,qty\na,1.5,2\nb,,3\nc,-4,nan\nd,0.25,7\n")


def test_one_and_several():
    seq = b"".join(b"%d\n" % i for i in range(1, 10))
    assert ok("-O", "jsonl", "-o", "sum,mean,count", stdin=seq) == (
        '{"rows":9,"n":9,"n_missing":0,"n_bad":0,"n_nan":0,'
        '"sum":45.0,"mean":5.0,"count":9}\n')
    assert ok("-O", "jsonl", "-o", "sum", "-t", "i16", stdin=seq) == (
        '{"rows":9,"n":9,"n_missing":0,"n_bad":0,"n_nan":0,"sum":45}\n')
    doc = document("-o", "sum", stdin=seq)
    assert doc["input"] == {"files": 1, "records": 9, "rejected": 0}
    assert doc["run"] == {"version": "0.1.0", "device": "cpu", "bytes": 18}


def test_columns(table):
    price, qty = elements("-o", "max,n_nan,sum", table)
    assert list(price) == ["column", *TALLIES, "max", "sum"]
    assert price == {"column": "price", "rows": 4, "n": 3, "n_missing": 1,
                     "n_bad": 0, "n_nan": 0, "max": 1.5, "sum": -2.25}
    assert qty == {"column": "qty", "rows": 4, "n": 4, "n_missing": 0,
                   "n_bad": 0, "n_nan": 1, "max": "nan", "sum": "nan"}
    # A named column keeps its name, whether it was asked for or not.
    assert elements("-c", "price", "-o", "sum", table)[0]["column"] == "price"
    skip, = elements("-c", "qty", "--nan", "skip", "-o", "count", table)
    assert (skip["n"], skip["n_nan"], skip["count"]) == (4, 1, 3)


def test_counts_of_what_is_skipped(put):
    path = put("r.csv", b"a,b\n1,2\n3\nx,4\n5,\n")
    packed = put("r.csv.gz", gzip.compress(b"a,b\n1,2\n3\nx,4\n5,\n"))
    for mode in ([path], ["--chunk-size", "1", "-j3", path], [packed],
                ["--device", "gpu", path])[:4 if os.path.exists(FAKE) else 3]:
        result = run("--json", "--bad", "skip", "--ragged", "skip", "-o", "sum",
                     "-c", "a,b", *mode,
                     program=FAKE if "gpu" in mode else BINARY)
        doc = strict(result.out)
        assert [[e[key] for key in TALLIES] for e in doc["results"]] == [
            [3, 2, 0, 1, 0], [3, 2, 1, 0, 0]]
        assert all(e["rows"] == e["n"] + e["n_missing"] + e["n_bad"]
                   for e in doc["results"])
        assert doc["input"] == {"files": 1, "records": 4, "rejected": 1}
        doc = strict(run("--json", "--ragged", "skip", "-o", "rows", *mode,
                         program=FAKE if "gpu" in mode else BINARY).out)
        assert doc["input"] == {"files": 1, "records": 4, "rejected": 1}


@pytest.mark.parametrize("ops", ["rows", "rows,n_nan", "count", "first,last",
                                 "n_missing,any", "argmax,argmin,max", "all",
                                 "summary", "prod,n_inf"])
def test_keys_come_once_and_in_order(table, put, ops):
    for path in table, put("d.f32", pack([1, 2.5, float("nan")], "f32")):
        names = ops.split(",")
        for element in elements("-o", ops, path):
            keys = list(element)[list(element).index("n_nan") + 1:]
            if ops not in ("all", "summary"):
                assert keys == [op for op in names if op not in TALLIES]
            if ops == "rows":   # no cell is read
                assert [element[key] for key in TALLIES if key != "rows"] == [
                    None] * 4
                continue
            assert element["n_nan"] == (
                1 if "column" not in element or element["column"] == "qty"
                else 0)


def test_types_and_large_integers(put):
    limit = 2**53
    for x in limit, limit + 1, -limit, -limit - 1, 2**64 - 1, 0:
        dtype = "u64" if x > 0 else "i64"
        path = put("d." + dtype, pack([x], dtype))
        got, = elements("-o", "sum,min,sumsq,mean", "-f", "raw", path)
        for op, want in ("sum", x), ("min", x), ("sumsq", x * x):
            assert got[op] == (want if abs(want) <= limit else str(want))
            assert type(got[op]) is (int if abs(want) <= limit else str)
        assert type(got["mean"]) is float
    got, = elements("-o", "sum,min,max,var,l2", put("e.f64", pack(
        [-0.0, float("inf"), float("-inf")], "f64")))
    assert got["sum"] == got["var"] == "nan"
    assert (got["min"], got["max"], got["l2"]) == ("-inf", "inf", "inf")
    assert '"sum":-0.0,"max":-0.0}' in ok(
        "-O", "jsonl", "-o", "sum,max", put("z.f64", pack([-0.0], "f64")))
    # Integers that f64 cannot hold stay integers; other floats have a point or
    # exponent.
    out = ok("-O", "jsonl", "-o", "max,min,sum",
             stdin=b"9007199254740993\n1e300\n100000\n")
    assert '"max":1e+300,"min":100000.0,"sum":1e+300}' in out


def test_quantiles_of_integers_are_floats(put):
    """Whether they lie on an element or not; under `lower` and the like they are
    elements."""
    path = put("k.csv", b"k,v\na,1\na,2\nb,1\n")
    args = ["-t", "i64", "--by", "k", "-o", "median,iqr", "-O", "jsonl", path]
    got = [json.loads(line) for line in ok(*args).splitlines()]
    assert [repr(e["median"]) for e in got] == ["1.5", "1.0"]
    assert [repr(e["iqr"]) for e in got] == ["0.5", "0.0"]
    got = ok(*args, "--interpolation", "higher").splitlines()
    assert [repr(json.loads(line)["median"]) for line in got] == ["2", "1"]
    big = put("b.csv", b"v\n%d\n" % (2**53 + 1))
    assert f'"median":"{2**53 + 1}"' in ok("-t", "i64", "-o", "median", "--json", big)


def test_values_are_those_of_text(rng, put):
    """Read by Python's json, the values are the f64 that the text output
    shows."""
    data = np.exp(rng.normal(0, 200, 300)) * rng.choice([-1, 1], 300)
    for dtype in "f64", "f32":
        with np.errstate(over="ignore"):
            path = put("d." + dtype, data.astype("<f" + dtype[1:].replace(
                "64", "8").replace("32", "4")).tobytes())
        got, = elements("-o", "sum,mean,min,max,absmin,std,first", path)
        for op in list(got)[len(TALLIES):]:
            text = value("-o", op, path)
            assert float(got[op]) == float(text) or text == "nan", op


def test_no_value_is_null(put):
    path = put("t.csv", b"a,b\n1,\n2,\n")
    result = run("-O", "jsonl", "-c", "a,b", "-o", "mean,argmin,count", path)
    b = strict(result.out.splitlines()[1])
    assert (b["mean"], b["argmin"], b["count"]) == (None, None, 0)
    assert result.err.count("\n") == 1
    assert "mean and 1 other value are undefined" in result.err
    fails(1, "--json", "-o", "mean", "-t", "f32", "/dev/null", says="undefined")


# Places of elements.

def test_place_in_text(put):
    a = put("a.csv", b"x,y\n1,5\n9,6\n3,-7\n")
    b = put("b.csv", b"x,y\n9,5\n-1,6")
    x, y = elements("-o", "argmax,argmin", a, b)
    assert x["argmax"] == {"index": 1, "value": 9.0, "file": a, "line": 3}
    assert x["argmin"] == {"index": 4, "value": -1.0, "file": b, "line": 3}
    assert y["argmin"] == {"index": 2, "value": -7.0, "file": a, "line": 4}
    both = [e["argmin"] for e in elements("--per-file", "-o", "argmin", a, b)]
    assert both[2] == {"index": 1, "value": -1.0, "file": b, "line": 3}
    with open(b, "rb") as file:
        x, _ = [strict(line) for line in ok("-O", "jsonl", "-o", "argmin", a,
                                            "-", stdin=file).splitlines()]
    assert x["argmin"] == {"index": 4, "value": -1.0, "file": "-", "line": 3}


@pytest.mark.parametrize("text,line", [
    (b"x,y\n1,1\n5,2\n", 3), (b"x,y\r\n1,1\r\n5,2\r\n", 3),
    (b"x,y\r1,1\r5,2\r", 3), (b"x,y\n1,1\n5,2", 3), (b"1,1\n5,2\n", 2),
    (b"x,y\n\n1,1\n\n5,2\n", -5), (b"x,y\n1,1\n5,2\n\n", -3),
    (b'x,y\n1,"a\nb"\n5,2\n', -4), (b'"x\nz",y\n1,1\n5,2\n', 4)])
def test_lines(put, text, line):
    """The line is the same for all sources and chunks. Negative: read from a
    pipe, which cannot be read again, no record has a line."""
    path = put("t.csv", text)
    packed = put("t.csv.gz", gzip.compress(text))
    for chunk in "1", "2", "5", "1M":
        for threads in 1, 3:
            args = ("--chunk-size", chunk, "-j", threads, "-O", "jsonl", "-c",
                    "1", "-f", "csv", "-o", "argmax")
            with open(path, "rb") as file:
                outs = [ok(*args, path), ok(*args, packed),
                        ok(*args, stdin=file), ok(*args, stdin=text)]
            known = [abs(line)] * 3 + [line if line > 0 else None]
            assert [strict(out)["argmax"]["line"] for out in outs] == known


def test_lines_of_a_large_file(rnd, put):
    cells = [rnd.randrange(10**6) for _ in range(60000)]
    text = "v,w\n" + "".join(f"{x},{x % 7}\n" for x in cells)
    lines = text.splitlines()
    for suffix, data in ("", text.encode()), (".gz", gzip.compress(
            text.encode(), 1)):
        path = put("v.csv" + suffix, data)
        for chunk in "64K", "3001":
            v, _ = elements("-o", "argmin,argmax", "--chunk-size", chunk, path)
            for op, pick in ("argmin", min), ("argmax", max):
                place = v[op]
                assert place["value"] == pick(cells)
                assert lines[place["line"] - 1].startswith(f"{pick(cells)},")
                assert place["index"] == place["line"] - 2


def test_places_beside_quantiles(put):
    """A second pass over the data does not lose the files' numbers of records."""
    a, b = put("a.csv", b"a\n5\n1\n"), put("b.csv.gz", gzip.compress(b"a\n3\n4\n"))
    got, = elements("-o", "argmin,argmax,median,p5", a, b)
    assert got["argmin"] == {"index": 1, "value": 1.0, "file": a, "line": 3}
    assert got["argmax"] == {"index": 0, "value": 5.0, "file": a, "line": 2}
    assert "min is 1, at " + a in run("-o", "median", "--assert", "min > 9", a, b).err


def test_names_of_computed_columns(put):
    path = put("one.csv", b"1\n2\n3\n")
    for args, names in ((["-e", "z=$1*$1"], ["1", "z"]), (["-e", "z=1", "-c", "z"], ["z"]),
                        (["--by", "1", "-e", "z=1"], ["z"] * 3), ([], [None])):
        assert [e.get("column") for e in elements("-o", "sum", *args, path)] == names
    assert [e["columns"] for e in elements(
        "-e", "z=$1*$1", "-e", "y=3-$1", "-o", "cov", path)] == [
            ["1", "z"], ["1", "y"], ["z", "y"]]


def test_place_in_binary(rng, put):
    arrays = [rng.permutation(50 + i).astype("<f4") + i * 100 for i in range(3)]
    paths = [put("a.npy", saved(arrays[0])), put("b.f32", arrays[1].tobytes()),
             put("c.npy.gz", gzip.compress(saved(arrays[2])))]
    raws = [saved(arrays[0]), arrays[1].tobytes(), saved(arrays[2])]
    got, = elements("-o", "argmax,argmin", *paths)
    for op, pick in ("argmax", max), ("argmin", min):
        place = got[op]
        raw = raws[paths.index(place["file"])]
        at = place["offset"]
        assert place["value"] == np.frombuffer(raw[at:at + 4], "<f4")[0]
        assert place["value"] == np.concatenate(arrays)[place["index"]]
        assert place["value"] == pick(np.concatenate(arrays))
    for path, array, raw in zip(paths, arrays, raws):
        place = elements("-o", "argmax", path)[0]["argmax"]
        at = place["offset"]
        assert raw[at:at + 4] == array.max().tobytes()
    nan, = elements("-o", "argmin", "--skip-bytes", "4", put(
        "n.f64", b"skip" + pack([1, float("nan"), 0], "f64")))
    assert nan["argmin"] == {"index": 1, "value": "nan", "file": put(
        "n.f64", b"skip" + pack([1, float("nan"), 0], "f64")), "offset": 12}


def test_place_in_fortran_order(rng, put):
    array = np.asfortranarray(rng.permutation(60).reshape(3, 4, 5) + 0.0)
    raw = saved(array)
    first = put("f.npy", saved(np.zeros(7)))
    path = put("a.npy", raw)
    for files, before in ((path,), 0), ((first, path), 7):
        place = elements("-o", "argmax", *files)[0]["argmax"]
        assert place["index"] == before + int(array.argmax())
        assert place["file"] == path
        at = place["offset"]
        assert np.frombuffer(raw[at:at + 8], "<f8")[0] == array.max() == 59


def test_per_file(put):
    a, b = put("a.u8", b"\1\2"), put('b"\\\n\x01.u8', b"\3")
    one, two = elements("--per-file", "-o", "sum", a, b)
    assert list(one)[0] == "file"
    assert (one["file"], two["file"]) == (a, b)
    doc = document("--per-file", "-o", "sum", "-t", "u8", a, "-", stdin=b"\7")
    assert doc["results"][1]["file"] == "-"
    assert doc["input"] == {"files": 2, "records": 3, "rejected": 0}
    assert doc["run"]["bytes"] == 3


# Names.

# A header's cell as it is returned: without blanks around it.
names = st.lists(
    st.text(st.characters(blacklist_characters="\0\ufeff",
                          blacklist_categories=["Cs"]), max_size=12)
    .map(lambda s: "x" + s.strip() + "y").filter(lambda s: s == s.strip()),
    min_size=2, max_size=4, unique=True)


def written(header):
    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator="\n", quoting=csv.QUOTE_ALL)
    writer.writerow(header)
    writer.writerow(range(len(header)))
    return out.getvalue().encode()


@hypothesis.settings(max_examples=60, deadline=None, derandomize=True)
@hypothesis.given(names)
def test_names(header):
    args = ("-f", "csv", "-d", ",", "--header", "yes", "-o", "sum,count")
    data = written(header)
    got = elements(*args, stdin=data)
    assert [e["column"] for e in got] == header
    out = run("-O", "csv", *args, stdin=data)
    rows = list(csv.reader(io.StringIO(out.out, newline="")))
    assert rows == [["column", "sum", "count"]] + [
        [name, str(i), "1"] for i, name in enumerate(header)]
    rows = ok("-O", "tsv", *args, stdin=data)[:-1].split("\n")
    assert len(rows) == 1 + len(header)
    assert all(row.count("\t") == 2 for row in rows)
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f]", "".join(rows))


def test_bytes_that_are_no_text(put):
    """NUL, invalid UTF-8, and bytes that terminals interpret."""
    data = b'a\x00b,\xff\xfe\xc3,"q""\\\xe2\x80\xae",\xc2\x9b31m,z\n1,2,3,4,5\n'
    path = put("t.csv", data)
    args = ("-f", "csv", "--header", "yes", "-o", "sum", path)
    got = [e["column"] for e in elements(*args)]
    assert got == ["a\0b", "\ufffd\ufffd\ufffd", 'q"\\\u202e', "\x9b31m", "z"]
    out = ok("--json", *args)
    assert out.isascii() and not re.search("[\x00-\x09\x0b-\x1f]", out)
    raw = subprocess.run([BINARY, "-O", "csv", *args], capture_output=True,
                         check=True).stdout
    assert raw == (b'column,sum\n"a\x00b",1\n\xff\xfe\xc3,2\n'
                   b'"q""\\\xe2\x80\xae",3\n\xc2\x9b31m,4\nz,5\n')


# Other readers.

def test_csv_and_tsv_never_transpose(table, put):
    want = ("column,rows,n_missing,n_nan,sum,mean,std,min,max,argmin,argmax\n"
            "price,4,1,0,")
    for form, mark in ("csv", ","), ("tsv", "\t"):
        out = ok("-O", form, table)
        assert out.startswith(want.replace(",", mark)), out
        assert len(out.splitlines()) == 3
    path = put("d.f64", pack([0.5, 2, -1.25], "f64"))
    assert ok("-O", "csv", "-o", "max", path) == "max\n2\n"
    assert ok("-O", "tsv", "-o", "max,sum", path) == "max\tsum\n2\t1.25\n"
    assert ok("-O", "csv", "--per-file", "-o", "sum", path, path) == (
        f"file,sum\n{path},1.25\n{path},1.25\n")
    result = run("-O", "csv", "-c", "a,b", "-o", "min,max",
                 put("e.csv", b"a,b\n,1\n"))
    assert result.out == "column,min,max\na,,\nb,1,1\n"


def test_numpy_reads_tables(table):
    for form, mark in ("csv", ","), ("tsv", "\t"):
        out = ok("-O", form, "-o", "sum,mean,count,min", "--nan", "skip",
                 table)
        got = np.genfromtxt(io.StringIO(out), delimiter=mark, names=True,
                            dtype=None, encoding="utf-8")
        assert list(got["column"]) == ["price", "qty"]
        assert list(got["sum"]) == [-2.25, 12] and list(got["count"]) == [3, 3]


def test_jq_reads_it(table):
    if not shutil.which("jq"):
        pytest.skip("jq is not installed")
    out = subprocess.run(["jq", "-c", "[.results[] | .sum, .argmax.line]"],
                         input=ok("--json", "-c", "price", "-o", "sum,argmax",
                                  table).encode(),
                         capture_output=True, check=True).stdout
    assert json.loads(out) == [-2.25, 2]
    out = subprocess.run(["jq", "-s", "length"], capture_output=True,
                         input=ok("-O", "jsonl", table).encode(), check=True)
    assert out.stdout == b"2\n"


def results_of(out):
    """Returns the bytes of the array."""
    return out[:out.index('\n],"input"')]


def test_results_are_the_same_bytes_everywhere(rnd, put):
    rows = [f"{rnd.gauss(0, 1e5)!r},{rnd.choice(['', 'nan', '7', '-3'])},"
            f"{rnd.randrange(2**62)}" for _ in range(3000)]
    text = put("t.csv", ("a,b,c\n" + "\n".join(rows) + "\n").encode())
    raw = put("d.f64", np.array([rnd.gauss(0, 1) for _ in range(30000)])
              .tobytes())
    for path in text, raw:
        for extra in [], ["--nan", "skip"], ["--digits", "5"]:
            args = ["--json", "-o", "all", *extra, path]
            want = results_of(ok(*args))
            for mode in (["-j", "1"], ["-j", "5", "--chunk-size", "1000"],
                        ["--verify"], ["--device", "cpu", "--chunk-size", "1"]
                        if path is raw else ["--chunk-size", "77"]):
                assert results_of(ok(*mode, *args)) == want
            if os.path.exists(FAKE):
                fake = run("--device", "gpu", *args, program=FAKE)
                assert results_of(fake.out) == want
                doc = strict(fake.out)
                assert doc["run"]["device"] != "cpu"


def test_explain_names_the_requested_operations(table):
    assert ok("--explain", "--json", "-o", "argmax,rows", table).startswith(
        "ops\targmax,rows\n")


def test_all_or_nothing(table):
    fails(1, "--json", table, "/nonexistent/file", says="/nonexistent/file")
    fails(2, "-O", "npy", table, says="one operation")
    fails(2, "-O", "JSON", table, says="json")
    fails(2, "-o", "json", table, says="say -O json")
    assert ok("--ojson", "-o", "sum", table) == ok("--json", "-o", "sum", table)
    assert ok("--json", "-O", "text", "-o", "sum", table) == ok(
        "-o", "sum", table)
    assert math.isnan(float(strict(ok("-O", "jsonl", "-o", "sum", table)
                                   .splitlines()[1])["sum"]))
