# SPDX-License-Identifier: MIT
"""The right answer for CSV, computed slowly, one byte at a time.

A splitter follows the states of the format, csv_cells.py reads the cells,
and oracle.py reduces the values of a column."""

from collections import namedtuple
from dataclasses import dataclass

import oracle
from csv_cells import (NA, cell_text, has_decimal_comma, held, is_missing,
                       is_wide, number, to_float, unquoted)
from oracle import OVERFLOW, REFUSED

QUOTE, LF, CR = b'"\n\r'
BOM = b"\xef\xbb\xbf"
SAMPLE = 65536                  # bytes that decide which columns are numeric

# raw: the bytes between delimiters. closed: the last byte is the closing
# quote. line and column: of the first byte, from 1.
Field = namedtuple("Field", "raw line column closed")
Record = namedtuple("Record", "fields line end")

# kind: hopeless (a column has only bad cells), ragged (text: the number of
# fields, and the wanted number), open, bad, missing, or none (no column is
# numeric; has no place)
Problem = namedtuple("Problem", "kind line column text name",
                     defaults=(None, None, None))
# wide: how many values are integers that f64 cannot hold
Column = namedtuple("Column", "name values indexes missing bad wide",
                    defaults=(0,))
# problems: the errors of which a run may report any; empty if all is well
Answer = namedtuple("Answer", "columns records problems")


@dataclass
class Options:
    dtype: str = "f64"
    delimiter: bytes = b","
    header: str = "auto"
    columns: list = None        # from 0; None: every numeric column
    na: tuple = NA
    missing: str = "skip"
    bad: str = "error"


class Splitter:
    """Splits text into records. records: the complete ones. open: the place of
    a quote that is never closed, or None; pending: the fields before it in its
    record."""

    def __init__(self, data, delimiter=b","):
        self.data, self.delimiter = data, delimiter[0]
        self.records, self.pending = [], []
        self.raw, self.state = bytearray(), "R"
        self.line, self.place, self.open = 1, (1, 1), None
        first = len(BOM) if data.startswith(BOM) else 0
        self.line_start = first
        for at in range(first, len(data)):
            self.step(at, data[at])
        if self.state == "I":
            self.open = self.place
        elif self.state != "R":
            self.end_record(len(data))

    def step(self, at, byte):
        if byte == CR and self.state != "I" and \
                self.data[at + 1:at + 2] in (b"", b"\n"):
            return                              # belongs to the line end
        if byte == LF:
            self.line, self.line_start = self.line + 1, at + 1
        if self.state == "I":
            self.state = "Q" if byte == QUOTE else "I"
            self.raw.append(byte)
        elif byte == LF:
            if self.state != "R":
                self.end_record(at + 1)
            self.place = self.line, 1
        elif byte == self.delimiter:
            self.end_field()
            self.state = "F"
            self.place = self.line, at + 2 - self.line_start
        else:
            quote = byte == QUOTE and self.state in "RFQ"
            self.state = "I" if quote else "U"
            self.raw.append(byte)

    def end_field(self):
        self.pending.append(Field(bytes(self.raw), *self.place,
                                  self.state == "Q"))
        self.raw.clear()

    def end_record(self, end):
        self.end_field()
        self.records.append(Record(self.pending, self.pending[0].line, end))
        self.pending, self.state = [], "R"


# Tables.

def names_itself(field, options):
    """Returns whether a field of the first record can be a column's name."""
    text = cell_text(field)
    return not is_missing(text, options.na) and to_float(text, "f64") is None


def cut_header(records, options):
    """Returns the header record, or None, and the data records."""
    header = options.header
    if header == "auto" and records:
        auto = all(names_itself(f, options) for f in records[0].fields)
        header = "yes" if auto else "no"
    if header == "yes" and records:
        return records[0], records[1:]
    return None, records


def sampled(header, records):
    """Returns the records that decide which columns are numeric."""
    start = (header or records[0]).end
    return [r for r in records if r.end - start <= SAMPLE] or records[:1]


def judge_column(seen, c, width, options):
    """Returns how many cells of a column are numbers, and the bad fields.
    Ragged records are ignored."""
    numbers, bad = 0, []
    for record in seen:
        text = cell_text(record.fields[c]) if (
            len(record.fields) == width) else b""
        if number(text, options.dtype) is not None:
            numbers += 1
        elif not is_missing(text, options.na):
            bad.append(record.fields[c])
    return numbers, bad


def is_numeric(numbers, bad, options):
    if options.bad == "skip":
        return numbers > len(bad)
    return numbers > 0 and not bad


def ragged_problem(record, width):
    return Problem("ragged", record.line, None, (len(record.fields), width))


def choose_columns(split, header, records, options):
    """Returns the numeric columns of the sample, and the problem with it or
    None: no column is numeric, or all bad cells of one have decimal commas."""
    width = len(split.records[0].fields)
    if not records:
        return list(range(width)), None     # no record excludes a column
    seen = sampled(header, records)
    judged = [judge_column(seen, c, width, options) for c in range(width)]
    columns = [c for c in range(width) if is_numeric(*judged[c], options)]
    ragged = next((r for r in seen if len(r.fields) != width), None)
    if not columns and ragged:
        return [], ragged_problem(ragged, width)
    if not columns and split.open and len(seen) == len(records):
        return [], Problem("open", *split.open)
    if not columns:
        return [], Problem("none", 0, 0)
    for c in set(range(width)) - set(columns):
        bad = judged[c][1]
        if not bad or not all(has_decimal_comma(cell_text(f)) for f in bad):
            continue
        if ragged and ragged.line < bad[0].line:
            return [], ragged_problem(ragged, width)
        return [], Problem("bad", bad[0].line, bad[0].column,
                           cell_text(bad[0]))
    return columns, None


def cell_problem(field, name, options):
    """Returns what is wrong with a wanted cell under these options, or
    None."""
    text = cell_text(field)
    if is_missing(text, options.na):
        kind = "missing" if options.missing == "error" else None
    else:
        bad = number(text, options.dtype) is None and options.bad == "error"
        kind = "bad" if bad else None
    return kind and Problem(kind, field.line, field.column, text, name)


def problems_of(record, width, columns, names, options):
    if len(record.fields) != width:
        return [ragged_problem(record, width)]
    found = [cell_problem(record.fields[c], names[c], options)
             for c in sorted(columns)]
    return [p for p in found if p][:1]


def problems_at_end(split, width, columns, names, options):
    """Returns the problem of an open quote, and those of its record before it,
    which may be reported instead."""
    if not split.open:
        return []
    found = [Problem("open", *split.open)]
    for c, field in enumerate(split.pending):
        if c in columns:
            problem = cell_problem(field, names[c], options)
            found += [problem] if problem else []
    if len(split.pending) >= width:
        found.append(Problem("ragged", split.open[0]))
    return found


def read_column(records, c, name, options):
    values, indexes, missing, bad, wide = [], [], 0, 0, 0
    for index, record in enumerate(records):
        text = cell_text(record.fields[c])
        value = number(text, options.dtype)
        if is_missing(text, options.na):
            missing += 1
        elif value is None:
            bad += 1
        else:
            values.append(held(text) if options.dtype == "f64" else value)
            indexes.append(index)
            wide += options.dtype == "f64" and is_wide(text)
    return Column(name, values, indexes, missing, bad, wide)


def evaluate(data, options):
    split = Splitter(data, options.delimiter)
    header, records = cut_header(split.records, options)
    width = len(split.records[0].fields) if split.records else 0
    columns = options.columns or []
    if options.columns is None and width:
        columns, problem = choose_columns(split, header, records, options)
        if problem:
            return Answer([], len(records), [problem])
    names = [str(c + 1).encode() for c in range(width)]
    if header:
        names = [unquoted(f) for f in header.fields]
    for record in records:
        found = problems_of(record, width, columns, names, options)
        if found:
            return Answer([], len(records), found)
    if split.open:
        width = width or 1 << 30            # the first record is not complete
        return Answer([], len(records), problems_at_end(
            split, width, set(columns) & set(range(len(names))), names,
            options))
    found = [read_column(records, c, names[c], options) for c in columns]
    if not width:           # no records: no columns, but results of no data
        found = [Column(b"", [], [], 0, 0)]
    hopeless = [Problem("hopeless", 0, 0, None, c.name) for c in found
                if c.bad and not c.values]
    return Answer(found, len(records), hopeless[:1])


def join(answers):
    """Joins the answers of files with the same columns in the same order."""
    offset, joined = 0, [Column(c.name, [], [], 0, 0)
                         for c in answers[0].columns]
    for answer in answers:
        joined = [Column(a.name, a.values + b.values,
                         a.indexes + [i + offset for i in b.indexes],
                         a.missing + b.missing, a.bad + b.bad,
                         a.wide + b.wide)
                  for a, b in zip(joined, answer.columns)]
        offset += answer.records
    return Answer(joined, offset, [])


def results(column, dtype, nan="propagate"):
    """Returns oracle.reduce of a column, with record indexes."""
    want = oracle.reduce(column.values, dtype, nan)
    want.update(n_missing=str(column.missing), n_bad=str(column.bad),
                rows=str(len(column.values) + column.missing + column.bad))
    for op in "argmin", "argmax":
        if want[op] not in (REFUSED, OVERFLOW):
            want[op] = str(column.indexes[int(want[op])])
    return want
