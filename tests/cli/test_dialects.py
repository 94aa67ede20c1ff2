# SPDX-License-Identifier: MIT
"""Random tables of decimals and words in random dialects. The contents are
known, so the answers are exact fractions. If Python's csv module can read the
dialect, it must agree with the writer first."""

import csv
import io
import os
import tempfile
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction

import pytest

from harness import BINARY, gpus, run
from test_asked import FAKE

hypothesis = pytest.importorskip("hypothesis")
st = hypothesis.strategies

OPS = "rows", "count", "n_missing", "sum", "min", "max"
NAMES = ["word", "a", "b", "c"]
WORDS = ["NA", "null", "fehlt", ".", "-"]   # the last three need --na
MISSING, SHORT, LONG = "missing", "short", "long"


@dataclass
class Dialect:
    delimiter: str          # or "blank"
    quote: str | None
    decimal: str
    thousands: str | None
    comment: str | None
    end: str
    header: bool
    ragged: str
    missing: list = field(default_factory=list)

    def arguments(self):
        """Returns the options that are not the default."""
        given = [("--decimal", self.decimal, "."),
                 ("--quote", self.quote or "none",
                  "none" if self.delimiter == "blank" else '"'),
                 ("--thousands", self.thousands, None),
                 ("--comment", self.comment, None),
                 ("--ragged", self.ragged, "error"),
                 ("--na", ",".join(self.missing), None)]
        args = ["-d", self.delimiter, "--header",
                "yes" if self.header else "no"]
        for option, value, usual in given:
            args += [option, value] if value != usual else []
        return args


# Drawing.

@st.composite
def dialects(draw):
    delimiter = draw(st.sampled_from([",", ";", "\t", "|", "blank"]))
    quote = None if delimiter == "blank" else \
        draw(st.sampled_from(['"', "'", None]))
    decimal = draw(st.sampled_from([c for c in ".," if c != delimiter]))
    groups = [c for c in ",.'" if c not in (decimal, quote)
              and (quote or c != delimiter)]
    words = st.lists(st.sampled_from(WORDS), min_size=1, unique=True)
    return Dialect(
        delimiter, quote, decimal, draw(st.sampled_from([None, *groups])),
        draw(st.sampled_from([None, "#", "%"])),
        draw(st.sampled_from(["\n", "\r\n", "\r"])), draw(st.booleans()),
        draw(st.sampled_from(["error", "skip", "pad"])), draw(words))


def decimals():
    """A number as digits: no -0, and no more digits than a double
    distinguishes."""
    return st.decimals(-10**7, 10**7, places=3).filter(
        lambda x: x or not x.is_signed()) | \
        st.integers(-10**9, 10**9).map(Decimal)


def words(dialect):
    """Cells of a column that is not read, also hostile ones."""
    plain = st.text("abcxyzÄé", min_size=1, max_size=6)
    if not dialect.quote:
        return plain
    inner = [dialect.delimiter, dialect.quote, dialect.comment or "#"]
    inner += ["\n"] if dialect.end != "\r" else []
    hostile = st.tuples(plain, st.sampled_from(inner), plain).map("".join)
    return plain | hostile


@st.composite
def tables(draw):
    """(dialect, records). A record is a word and numbers or MISSING; it may
    lack fields or have one too many. The first record is complete."""
    dialect = draw(dialects())
    columns = draw(st.integers(1, 3))
    cell = decimals() | st.just(MISSING)
    shapes = [None]
    if dialect.ragged != "error":
        shapes += [SHORT]
    # With blanks, a surplus field could be part of the last column.
    if dialect.ragged == "skip" and dialect.delimiter != "blank":
        shapes += [LONG]
    record = st.tuples(words(dialect), st.lists(
        cell, min_size=columns, max_size=columns), st.sampled_from(shapes))
    whole = st.tuples(words(dialect), st.lists(
        decimals(), min_size=columns, max_size=columns), st.none())
    rest = draw(st.lists(record, max_size=12))
    return dialect, [draw(whole), *rest]


# Writing.

def number(value, dialect):
    sign, digits = ("-", str(-value)) if value < 0 else ("", str(value))
    whole, _, part = digits.partition(".")
    if dialect.thousands:
        whole = f"{int(whole):,}".replace(",", dialect.thousands)
    return sign + whole + (dialect.decimal + part if part else "")


def fields_of(record, dialect, rnd):
    word, cells, shape = record
    empty = [] if dialect.delimiter == "blank" else [""]
    fields = [word] + [rnd.choice(dialect.missing + empty) if c is MISSING
                       else number(c, dialect) for c in cells]
    return fields[:-1] if shape is SHORT else \
        fields + ["7"] if shape is LONG else fields


def written(text, dialect, rnd):
    """A field, quoted where it must be and sometimes where it need not be."""
    q = dialect.quote
    needs = q and (q in text or dialect.delimiter in text or
                   any(c in text for c in "\r\n"))
    if q and (needs or rnd.random() < 0.3):
        return q + text.replace(q, q + q) + q
    return text + " " * (rnd.random() < 0.1 and dialect.delimiter != "\t")


def line(fields, dialect, rnd):
    if dialect.delimiter != "blank":
        return dialect.delimiter.join(written(f, dialect, rnd)
                                      for f in fields)
    def run_of(least):
        return "".join(rnd.choices(" \t", k=rnd.randint(least, 4)))
    return run_of(0) + "".join(f + run_of(1) for f in fields[:-1]) + \
        fields[-1] + run_of(0)


def file_of(dialect, rows, rnd):
    """Returns the text, sometimes with comments."""
    out = []
    for fields in rows:
        if dialect.comment and rnd.random() < 0.3:
            out.append(f"{dialect.comment} a{dialect.delimiter}1")
        out.append(line(fields, dialect, rnd))
    return dialect.end.join(out) + dialect.end * rnd.randint(0, 1)


def assert_python_reads(text, dialect, rows):
    """csv and the writer agree on the fields."""
    if dialect.delimiter == "blank" or dialect.comment:
        return
    quoting = csv.QUOTE_MINIMAL if dialect.quote else csv.QUOTE_NONE
    reader = csv.reader(io.StringIO(text, newline=""), quoting=quoting,
                        delimiter=dialect.delimiter,
                        quotechar=dialect.quote or None)
    assert [[f.rstrip(" ") for f in row] for row in reader if row] == rows


# Expected results.

def shown(x):
    text = repr(float(x))
    return text.removesuffix(".0")


def answers(column, records):
    """Returns the row that the program prints for a column."""
    cells = [MISSING if shape is SHORT and column == len(cells) - 1
             else cells[column] for _, cells, shape in records]
    values = [Fraction(float(c)) for c in cells if c is not MISSING]
    return [str(len(cells)), str(len(values)), str(len(cells) - len(values)),
            shown(sum(values)), shown(min(values)), shown(max(values))]


def expected(names, records):
    rows = [answers(i, records) for i in range(len(names))]
    if len(names) == 1:
        return "".join(f"{op}\t{x}\n" for op, x in zip(OPS, rows[0]))
    lines = [["column", *OPS]] + [[n, *row] for n, row in zip(names, rows)]
    return "".join("\t".join(cells) + "\n" for cells in lines)


def runs(path, args, chunk):
    yield run(*args, path)
    yield run(*args, "--chunk-size", chunk, "-j", "3", path)
    with open(path, "rb") as file:
        yield run(*args, "-f", "csv", stdin=file.read())
    if os.path.exists(FAKE):
        yield run(*args, "--device", "gpu", path, program=FAKE)
    if gpus():
        yield run(*args, "--device", "gpu", path)


@hypothesis.settings(max_examples=60, deadline=None, derandomize=True,
                     database=None)
@hypothesis.given(tables(), st.randoms(use_true_random=False),
                  st.sampled_from([1, 7, 64]))
def test_dialects(table, rnd, chunk):
    dialect, records = table
    columns = len(records[0][1])
    rows = [fields_of(record, dialect, rnd) for record in records]
    header = [NAMES[:columns + 1]] if dialect.header else []
    text = file_of(dialect, header + rows, rnd)
    assert_python_reads(text, dialect, header + rows)
    if dialect.ragged == "skip":
        records = [r for r in records if r[2] is None]
    names = NAMES[1:columns + 1] if dialect.header else \
        [str(i + 2) for i in range(columns)]
    args = [*dialect.arguments(), "-c", ",".join(names), "-o", ",".join(OPS)]
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "t.csv")
        with open(path, "wb") as file:
            file.write(text.encode())
        for result in runs(path, args, chunk):
            hypothesis.note(f"{BINARY} {args}\n{text!r}\n{result}")
            assert result.rc == 0
            assert result.out == expected(names, records)
            assert result.err == "" or dialect.ragged != "error"
