# SPDX-License-Identifier: MIT
"""Tables with very many fields: memory, reading few fields of wide records
(which the decoder does differently), and columns with any mix of exponents."""

import gzip
import struct

import pytest

import oracle
from harness import fails, ok, peak, run

MIB = 1 << 20
FIELDS = 70_000
PLACES = [1, 2, 35_000, FIELDS]
COLUMNS = ",".join(map(str, PLACES))


@pytest.mark.parametrize("source", ["file", "pipe", "gzip", "columns"])
def test_memory_is_in_proportion_to_a_record(put, source):
    fields = 6 << 20
    record = b"," * (fields - 1) + b"\n"
    data = b"7" + record + (b"1" + record) * 2
    columns, want = "1", b"9\n"
    if source == "columns":
        columns, want = "1,6000000-6000001", (b"column\tsum\n1\t9\n"
                                              b"6000000\t0\n6000001\t0\n")
    path, feed = "-", {"input": data}
    if source == "gzip":
        path, feed = put("t.csv.gz", gzip.compress(data, 1)), {}
    elif source != "pipe":
        path, feed = put("t.csv", data), {}
    out, memory = peak("-j", "1", "--header", "no", "--empty", "identity",
                       "-c", columns, "-o", "sum", path, **feed)
    assert out == want
    assert memory < 64 * MIB + 2 * len(record), memory / MIB


@pytest.mark.parametrize("source, size, room", [
    ("pipe", 30, 32), pytest.param("gzip", 62, 64, marks=pytest.mark.slow)])
def test_memory_of_a_stream_on_two_threads(put, source, size, room):
    """Each thread has a record while more is unpacked. The record that was
    read to detect the format is not kept."""
    record = b"1" + b"," * (size << 20) + b"\n"
    path, feed = "-", {"input": record * 4}
    if source == "gzip":
        path, feed = put("t.csv.gz", gzip.compress(record * 4, 1)), {}
    out, memory = peak("-j", "2", "--header", "no", "-c", "1", "-o", "sum",
                       path, **feed)
    assert out == b"4\n"
    assert memory < room * MIB + 2 * len(record), memory / MIB


def test_memory_of_a_header(put):
    """Names of columns that are not used are not kept."""
    fields = 2 << 20
    header = ",".join(f"c{i}" for i in range(fields)).encode() + b"\n"
    path = put("t.csv", header + (b"5" + b",5" * (fields - 1) + b"\n") * 2)
    out, memory = peak("-c", f"c{fields - 1},c77", "-o", "sum", path)
    assert out == b"column\tsum\nc2097151\t10\nc77\t10\n"
    assert memory < 64 * MIB + 2 * len(header), memory / MIB


def test_memory_of_many_columns(put):
    """A sum and a sum of squares take memory in proportion to their numbers,
    not to the range of f64."""
    fields = 60_000
    path = put("t.csv", b"\n".join(b",".join(b"%d.%02d" % (i % 977, i % 89)
                                             for i in range(fields))
                                   for _ in range(3)) + b"\n")
    out, memory = peak("--header", "no", "-j", "1", "-o", "std,sum", path)
    assert out.count(b"\n") == fields + 1
    assert memory < 40 * MIB, memory / MIB


KINDS = ["one", "tiny", "huge", "any", "mixed", "taken back"]


def column(rnd, kind, rows):
    """Numbers of one measure; subnormals; near the largest; random bits; of
    two measures; random bits that are all subtracted again."""
    def any_bits():
        bits = rnd.getrandbits(64)
        while bits >> 52 & 0x7ff == 0x7ff:
            bits = rnd.getrandbits(64)
        return struct.unpack("<d", struct.pack("<Q", bits))[0]
    draw = {"one": lambda: rnd.gauss(0, 10), "any": any_bits,
            "tiny": lambda: rnd.randrange(-9, 9) * 5e-324,
            "huge": lambda: rnd.choice([1, -1]) * 1.7976931348623157e308,
            "mixed": lambda: rnd.random() * 10 ** rnd.choice([-40, 40]),
            "taken back": any_bits}[kind]
    x = [draw() for _ in range(rows)]
    if kind == "taken back":
        x = x[:rows // 2]
        x += [-y for y in reversed(x)]
        x += [0.0] * (rows - len(x))
    return x


@pytest.mark.parametrize("columns,rows", [(30, 60), (300, 5)])
def test_columns_of_any_exponents(put, rnd, columns, rows):
    """Each column's sum grows as far as it must and leaves its neighbours
    intact, in chunks of any size, on any number of threads."""
    table = [column(rnd, KINDS[i % len(KINDS)], rows) for i in range(columns)]
    path = put("t.csv", "".join(",".join(map(repr, row)) + "\n"
                                for row in zip(*table)).encode())
    ops = ["sum", "l1", "sumsq", "mean", "rms", "var"]
    want = "column\t" + "\t".join(ops) + "\n"
    for i, values in enumerate(table):
        answers = oracle.reduce(values, "f64")
        want += "\t".join([str(i + 1)] + [answers[op] for op in ops]) + "\n"
    for chunk in "1", "4K", "1M":
        for threads in 1, 3:
            assert ok("--header", "no", "-o", ",".join(ops), "--chunk-size",
                      chunk, "-j", threads, path) == want, (chunk, threads)


class Table:
    """Records of FIELDS numbers, and the sums of four columns."""

    def __init__(self, rnd, end=b"\n"):
        self.end, self.text, self.sums = end, b"", [0] * len(PLACES)
        self.rnd = rnd

    def record(self, fields=FIELDS, counts=True, quote=False):
        cells = [self.rnd.randrange(10_000) for _ in range(fields)]
        for i, place in enumerate(PLACES):
            if counts and place <= fields:
                self.sums[i] += cells[place - 1]
        texts = [b"%d" % cell for cell in cells]
        if quote:
            texts = [b'"%s"' % text for text in texts]
            texts[17] = b'"a,\n""b"'
        self.text += b",".join(texts) + self.end

    def line(self, text):
        self.text += text + self.end

    def check(self, put, *args):
        path = put("t.csv", self.text)
        want = "column\tsum\n" + "".join(
            f"{p}\t{s}\n" for p, s in zip(PLACES, self.sums))
        for chunk in ["4096", "1M", "16M"]:
            for threads in "12":
                assert ok("--header", "no", "-c", COLUMNS, "-o", "sum", "-j",
                          threads, "--chunk-size", chunk, *args,
                          path) == want, (chunk, threads)


@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
@pytest.mark.parametrize("quote", [False, True])
def test_few_columns(put, rnd, end, quote):
    table = Table(rnd, end)
    for i in range(5):
        table.record(quote=quote and i > 0)
        table.line(b"")
    table.check(put)


@pytest.mark.parametrize("comment", [b"# a, b", b'# a " quote, here'])
def test_few_columns_with_comments(put, rnd, comment):
    table = Table(rnd)
    for _ in range(4):
        table.record()
        table.line(comment)
    table.check(put, "--comment", "#")


def test_few_columns_with_a_stray_quote(put, rnd):
    table = Table(rnd)
    table.record()
    cells = table.text[:-1].split(b",")
    cells[1], table.sums[1] = b'5"x', 0
    table.text = b",".join(cells) + b"\n"
    table.record()
    table.check(put, "--bad", "skip")


@pytest.mark.parametrize("ragged", ["skip", "pad"])
@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
def test_few_columns_of_ragged_records(put, rnd, ragged, end):
    table = Table(rnd, end)
    table.record()
    for fields in (1, 2, 34_999, 35_000, 35_001, FIELDS - 1, FIELDS):
        table.record(fields, counts=ragged == "pad" or fields == FIELDS)
    if ragged == "skip":
        table.record(FIELDS + 1, counts=False)
    path = put("t.csv", table.text)
    result = run("--header", "no", "-c", COLUMNS, "-o", "sum", "--ragged",
                 ragged, path)
    want = "column\tsum\n" + "".join(
        f"{p}\t{s}\n" for p, s in zip(PLACES, table.sums))
    assert result.out == want, result


def test_errors_of_wide_records(put, rnd):
    table = Table(rnd)
    table.record()
    table.line(b"")
    table.record()
    text = table.text
    table.record(FIELDS - 1)
    path = put("t.csv", table.text)
    fails(1, "--header", "no", "-c", "2", "-o", "sum", path,
          says=[f"{path}:4: 69999 fields where the first record has 70000"])
    path = put("u.csv", text + b"1,x" + b",2" * (FIELDS - 2) + b"\n")
    fails(1, "--header", "no", "-c", "2", "-o", "sum", path,
          says=[f"{path}:4:3: not a number: 'x' (column 2)"])
    path = put("v.csv", text + b"1" + b",2" * FIELDS + b"\n")
    for more in [], ["--ragged", "pad"]:
        fails(1, "--header", "no", "-c", "2", "-o", "sum", *more, path,
              says=[f"{path}:4: 70001 fields where the first record has 70000"])
    path = put("b.txt", text.replace(b",", b" ") + b"1" + b" 2" * FIELDS + b"\n")
    args = ["-d", "blank", "--header", "no", "-c", "2", "-o", "sum"]
    fails(1, *args, path,
          says=[f"{path}:4: 70001 fields where the first record has 70000"])
    last = sum(int(line.split(b",")[1]) for line in text.split())
    assert ok(*args, "--ragged", "pad", path) == f"{last + 2}\n"


def header(names):
    return ",".join(names).encode() + b"\n"


def test_names_of_wide_tables(put):
    names = [f"name{i}" for i in range(FIELDS)]
    record = b",".join(b"%d" % i for i in range(FIELDS)) + b"\n"
    path = put("t.csv", header(names) + record)
    assert ok("-c", "name69999,name3", "-o", "sum", path) == \
        "column\tsum\nname69999\t69999\nname3\t3\n"
    fails(2, "-c", "name70000,nam3", "-o", "sum", path,
          says=["no column 'name70000'", "did you mean 'name7000'"])
    twice = list(names)
    twice[5] = twice[60_000] = "name3"
    path = put("twice.csv", header(twice) + record)
    fails(2, "-c", "name3", "-o", "sum", path, says="4 or 6 or 60001")


def test_columns_of_further_wide_files(put, rnd):
    names = [f"name{i}" for i in range(FIELDS)]
    other = list(names)
    rnd.shuffle(other)
    record = b",".join(b"%d" % i for i in range(FIELDS)) + b"\n"
    first = put("1.csv", header(names) + record)
    second = put("2.csv", header(other) + record)
    want = 69_999 + other.index("name69999")
    assert ok("-c", "name69999", "-o", "sum", first, second) == \
        f"{want}\n"
    # Columns by number: a name that occurs twice must be at the same place.
    names[7] = names[9] = "x"
    first = put("1.csv", header(names) + record)
    assert ok("-c", "8", "-o", "sum", first, first) == "14\n"
    fails(2, "-c", "8", "-o", "sum", first, second, says="column 8")
