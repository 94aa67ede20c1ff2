# SPDX-License-Identifier: MIT
"""The line of a record, as JSON, --verbose and --assert report it, in files
with blank lines, comments, records of several lines, and ragged ones. Each
file is made line by line, so the line of each record is known."""

import gzip
import os

import pytest

from harness import ok, run, shell
from test_asked import FAKE
from test_json import strict


class Table:
    """A text, and the value and the line of each record."""

    def __init__(self, rnd, end="\n", mark=",", fields=2):
        self.rnd, self.end, self.mark, self.fields = rnd, end, mark, fields
        self.parts, self.line = [], 1
        self.values, self.lines, self.plain = [], [], True
        self.record("v", *(f"f{i}" for i in range(fields - 1)))

    def put(self, text):
        self.parts.append(text + self.end)
        self.line += self.parts[-1].count(self.end)

    def record(self, *cells):
        self.put(self.mark.join(cells))

    def junk(self, kinds):
        """Adds lines that are not records."""
        kind = self.rnd.choice(kinds)
        many = self.rnd.randrange(1, 4)
        self.plain = False
        if kind == "blank":
            self.put(self.end * (many - 1))
        elif kind == "comment":
            self.put(f"# it's \"one, {self.mark}9e9")
        elif kind == "ragged":
            self.record(*["8e8"] * self.rnd.choice([1, self.fields + many]))
        else:
            self.row(f"\"a{self.end * many}b \"\"{self.mark}{self.end}\"")

    def row(self, cell="x"):
        self.values.append(self.rnd.randrange(-10**6, 10**6))
        self.lines.append(self.line)
        self.record(str(self.values[-1]), *[cell] * (self.fields - 1))

    def fill(self, rows, kinds, often):
        for _ in range(rows):
            if kinds and self.rnd.random() < often:
                self.junk(kinds)
            self.row()
        return self

    def data(self):
        return "".join(self.parts).encode()

    def places(self):
        """Returns (index, value, line) of the first least and the first
        greatest value."""
        return [(at, self.values[at], self.lines[at]) for at in (
            self.values.index(min(self.values)),
            self.values.index(max(self.values)))]


def printed(out):
    element, = [strict(line) for line in out.splitlines()]
    return [(x["index"], x["value"], x["line"])
            for x in (element["argmin"], element["argmax"])]


ALL = ["blank", "comment", "ragged", "quoted"]


@pytest.mark.parametrize("kinds,table,args", [
    (ALL, {}, []), (ALL, {"end": "\r\n"}, []), (["comment"], {}, []),
    (["blank", "quoted"], {"end": "\r"}, []), (["ragged"], {"mark": ";"}, []),
    (["blank", "comment"], {"mark": " "}, ["-d", "blank"]),
    (["blank", "comment", "quoted"], {}, []), ([], {}, [])], ids=range(8))
def test_every_reader(rnd, put, kinds, table, args):
    t = Table(rnd, **table).fill(120, kinds, 0.15)
    data = t.data()
    path, packed = put("t.csv", data), put("t.csv.gz", gzip.compress(data))
    args = [*args, "-f", "csv", "-q", "--comment", "#", "-O", "jsonl", "-c",
            "v", "-o", "argmin,argmax"]
    args += ["--ragged", "skip"] if "ragged" in kinds else []
    want = t.places()
    for mode in (["--chunk-size", "1", "-j3", path], ["--chunk-size", "400",
                path], [path], ["--chunk-size", "90", packed]):
        assert printed(ok(*args, *mode)) == want, mode
    with open(path, "rb") as file:
        assert printed(ok(*args, stdin=file)) == want
    # A pipe cannot be read again: either all lines are known, or none.
    for chunk in "1", "1M":
        assert printed(ok(*args, "--chunk-size", chunk, stdin=data)) == [
            (*place[:2], place[2] if t.plain else None) for place in want]
    if os.path.exists(FAKE):
        assert printed(run("--device", "gpu", *args, "--chunk-size", "64", path,
                        program=FAKE).out) == want


@pytest.mark.parametrize("rows,fields", [(20000, 2), (6, 1 << 16)])
def test_larger_files(rnd, put, rows, fields):
    """In the first case, few chunks have to be read again; in the second, few
    of the fields are kept."""
    t = Table(rnd, fields=fields).fill(rows, ALL, 10 / rows if rows > 6 else 0.4)
    args = ["-q", "--comment", "#", "--ragged", "skip", "-O", "jsonl", "-c",
            "v", "-o", "argmin,argmax", "--chunk-size", "8K"]
    assert printed(ok(*args, put("t.csv", t.data()))) == t.places()


def test_several_files(rnd, put):
    """Several columns and files; --verbose and --assert report the same
    lines."""
    tables = [Table(rnd).fill(60, ALL, 0.3) for _ in range(3)]
    names = [put(f"{i}.csv" + ".gz" * (i % 2),
                 gzip.compress(t.data()) if i % 2 else t.data())
             for i, t in enumerate(tables)]
    args = ["--comment", "#", "--ragged", "skip", "-c", "v"]
    least = min(range(3), key=lambda i: min(tables[i].values))
    _, value, line = tables[least].places()[0]
    element = strict(ok("-q", *args, "-O", "jsonl", "-o", "argmin", *names))
    place = element["argmin"]
    before = sum(len(t.values) for t in tables[:least])
    assert place == {"index": before + tables[least].places()[0][0],
                     "value": value, "file": names[least], "line": line}
    r = run(*args, "-v", "-o", "argmin", "--assert", f"min > {value}", *names)
    assert r.rc == 4
    assert f"\nargmin of v: {value}, at {names[least]}:{line}\n" in r.err
    assert f"\n  min is {value}, at {names[least]}:{line}\n" in r.err
    r = run(*args, "-v", "-o", "argmax", "--per-file", *names)
    for name, t in zip(names, tables):
        _, value, line = t.places()[1]
        assert f"\nargmax of v: {value}, at {name}:{line}\n" in r.err
    # The data are read twice, in different chunks.
    assert strict(ok("-q", *args, "-O", "jsonl", "-o", "argmin", "--verify",
                     *names)) == element


def test_places_in_more_files_than_may_be_open(put):
    n = 64
    head = ",".join(f"c{i}" for i in range(n))
    names = [put(f"{i}.csv", f"{head}\n\n{','.join(str(int(j == i)) for j in range(n))}"
                             "\n".encode()) for i in range(n)]
    r = shell('ulimit -n 40; exec "$0" "$@"', "-O", "jsonl", "-o", "argmax", *names)
    assert r.rc == 0 and r.err == ""
    assert [strict(line)["argmax"] for line in r.out.splitlines()] == [
        {"index": i, "value": 1, "file": names[i], "line": 3} for i in range(n)]


def test_no_line_and_no_text(put):
    pipe = b"v\n\n5\n7\n"
    r = run("-v", "-f", "csv", "-o", "argmax", "--assert", "max < 6",
            stdin=pipe)
    assert "\nargmax of v: 7, in record 1 (the first is 0)\n" in r.err
    assert "\n  max is 7, in record 1 (the first is 0)\n" in r.err
    raw = put("d.i16", b"\1\0\7\0\3\0")
    assert f"\nargmax: 7, at {raw}, byte 2\n" in run("-v", "-o", "argmax",
                                                     raw).err
    # If no operation records the first cell, a hint names one that does.
    path = put("t.csv", b"v,w\n1,2\n,\nx,3\nnan,\n")
    r = run("-c", "v", "--bad", "skip", "-o", "count", "--assert",
            "n_missing + n_bad + n_nan == 0", path)
    assert r.err.endswith("\n  n_missing is 1 (--missing error names the first)"
                          "\n  n_bad is 1 (without --bad skip the first is "
                          f"named)\n  n_nan is 1, at {path}:5\n")
