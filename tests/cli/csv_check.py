# SPDX-License-Identifier: MIT
"""Runs the program on one CSV file with every cut and from every source, and
compares the results with csv_oracle.py."""

import itertools
import random
import re
import zlib

import csv_oracle
import oracle
from harness import CONTROL, ROUNDED, SKIPPED, assert_failed, piped, run
from oracle import OVERFLOW, REFUSED

CHUNKS = ["1", "2", "3", "7", "64", "100", "4096", "64K"]
OPS = ("rows count n_missing n_bad n_nan n_inf sum mean var min max argmin "
       "argmax first last absmin absmax l1 range any prod").split()
PLACE = re.compile(r"gpureduce: ([^':][^:]*):(\d+)(?::(\d+))?: (.*)")
ROWS = re.compile(r"column (.*): (\d+) rows? = (\d+) used \+ (\d+) missing "
                  r"\+ (\d+) bad")
MARKS = {0x61c, 0x200e, 0x200f, *range(0x2028, 0x202f), *range(0x2066, 0x206a)}


def shown(raw, quotes=False):
    """Returns bytes as a table shows them, or with quotes as a message
    does."""
    out, at = "", 0
    while at < len(raw):
        for size in 1, 2, 3, 4:
            try:
                char = raw[at:at + size].decode()
                break
            except UnicodeDecodeError:
                char = None
        piece = raw[at:at + size] if char else raw[at:at + 1]
        at += len(piece)
        special = {"\n": "\\n", "\t": "\\t", "\\": "\\\\",
                   "'": "\\'" if quotes else "'"}
        if char is None or CONTROL.match(char + " ") and char != "\n" or \
                ord(char) in MARKS:
            hexed = "".join(f"\\x{byte:02x}" for byte in piece)
            out += special.get(char, hexed)
        else:
            out += special.get(char, char)
    return out


def arguments(options, name="t.csv"):
    """Returns the command line for options and a file of this name."""
    args = ["-t", options.dtype] if options.dtype != "f64" else []
    if not name.endswith(".tsv") or options.delimiter != b"\t":
        args += ["-d", options.delimiter.decode("utf-8", "surrogateescape")]
    if options.columns is not None:
        args += ["-c", ",".join(str(c + 1) for c in options.columns)]
    for word, usual in ("header", "auto"), ("missing", "skip"), ("bad",
                                                                 "error"):
        if getattr(options, word) != usual:
            args += ["--" + word, getattr(options, word)]
    if options.na != csv_oracle.NA:
        args += ["--na-only", b",".join(options.na).decode()]
    return args


# Results.

def parse(out, ops):
    """Parses the output of a run: [(column's name or None, {op: text})]."""
    assert out.endswith("\n"), out
    rows = [line.split("\t") for line in out[:-1].split("\n")]
    if rows[0] == ["column", *ops]:
        assert all(len(row) == len(rows[0]) for row in rows), out
        return [(row[0], dict(zip(ops, row[1:]))) for row in rows[1:]]
    if len(ops) == 1:
        assert len(rows) == 1 and len(rows[0]) == 1, out
        return [(None, {ops[0]: rows[0][0]})]
    assert [row[0] for row in rows] == ops, out
    return [(None, {op: value for op, value in rows})]


def plain_name(column):
    """Returns whether the name is unambiguous: no blanks around it and no text
    after a closing quote."""
    return column.name == column.name.strip() and b'"' not in column.name


def answered_ops(answer, options, nan="propagate", ops=OPS):
    """Returns the ops for which every column has a value."""
    wants = [csv_oracle.results(c, options.dtype, nan)
             for c in answer.columns]
    return [op for op in ops
            if not any(w[op] in (REFUSED, OVERFLOW) for w in wants)]


def assert_answer(result, answer, options, ops, nan="propagate"):
    assert result.rc == 0, result
    got = parse(result.out, ops)
    assert len(got) == len(answer.columns), result
    for (name, values), column in zip(got, answer.columns):
        if name is not None and plain_name(column):
            assert name == shown(column.name), result
        want = csv_oracle.results(column, options.dtype, nan)
        wrong = {op: (values[op], want[op]) for op in ops
                 if not oracle.matches(values[op], want[op])}
        assert not wrong, f"{column.name}: op: (got, want): {wrong}"


def rows_of(err):
    """Parses -v: {column: (rows, used, missing, bad)}."""
    return {m[1]: tuple(map(int, m.groups()[1:])) for m in ROWS.finditer(err)}


def without_note(err, note, counts):
    """Returns err without the note of these counts, one for each column.
    Counts of 0 are not mentioned."""
    counts = [n for n in counts if n]
    found = note.search(err)
    if not counts:
        assert not found, err
        return err
    assert found and int(found[1]) == sum(counts), (err, counts)
    parts = re.findall(r"[:,] (\d+) in column '", found[2])
    assert not parts or [int(n) for n in parts] == counts[:8], (err, counts)
    return err[:found.start()] + err[found.end():]


def assert_noted(err, answer):
    """stderr has the notes about skipped and, for prod, rounded cells, and no
    more."""
    err = without_note(err, SKIPPED, [c.bad for c in answer.columns])
    assert without_note(err, ROUNDED, [c.wide for c in answer.columns]) == ""


# Errors.

def _is(result, problem):
    place = PLACE.match(result.err)
    if problem.kind == "none":
        return "no column of numbers" in result.err
    if problem.kind == "hopeless":
        return not place and "cells is bad" in result.err
    if not place or int(place[2]) != problem.line:
        return False
    if problem.kind == "ragged":
        return not problem.text or all(
            re.search(rf"\b{n}\b", place[4]) for n in problem.text)
    if int(place[3] or 0) != problem.column:
        return False
    if problem.kind == "open":
        return "quote" in place[4]
    if problem.kind == "missing":
        return "missing" in place[4]
    text = shown(problem.text, quotes=True)
    parts = re.search(r": '(.*)'(\.\.\.)? \(column (.*)\)$", place[4])
    if not parts:
        return False
    cell, cut = parts[1], parts[1].removesuffix("...")
    if text.startswith('"'):  # blanks after a closing quote show why it is bad
        cell = re.sub(r"( |\\t)+$", "", cell)
    is_cut = parts[2] or cut != parts[1]
    return cell == text or (bool(is_cut) and len(cut) > 30
                            and text.startswith(cut))


def assert_problem(result, answer):
    assert_failed(result, 1)
    assert any(_is(result, p) for p in answer.problems), (result,
                                                          answer.problems)


# One file under every cut.

def anonymous(result, path):
    """Returns result with the input's name replaced."""
    err = result.err
    for name in path, "standard input":
        err = err.replace(f"'{name}'", "'?'")
        err = err.replace(f"gpureduce: {name}:", "gpureduce: ?:")
    err = err.replace("gpureduce: standard input:", "gpureduce: ?:")
    return result._replace(err=err)


def sources(path, data, args, cuts=CHUNKS, slow_pipe=True, device=()):
    """Runs the program on the same data in every way. Yields a label and a
    result. One and four threads take turns at the cuts; the data decide which
    begins."""
    args = [*args, *device]
    turns = itertools.islice(itertools.cycle((1, 4)), zlib.crc32(data) % 2, None)
    for chunk, jobs in zip(cuts, turns):
        cut = "--chunk-size", chunk, "-j", jobs
        yield cut, run(*args, *cut, path)
    form = "-f", "tsv" if path.endswith(".tsv") else "csv"
    with open(path, "rb") as file:
        yield "<", run(*args, *form, stdin=file)
    with open(path, "rb") as file:
        yield "< 3", run(*args, *form, "--chunk-size", 3, stdin=file)
    pieces = [1 << 16, 1] if slow_pipe else [1 << 16]
    for piece, chunk in itertools.product(pieces, ("5", "1M")):
        with piped(data, piece) as stdin:
            yield ("|", piece, chunk), run(
                *args, *form, "--chunk-size", chunk, stdin=stdin)


def same_everywhere(path, data, args, **kw):
    """Returns the result of a plain run on path, after checking that every
    other way gives the same."""
    first = run(*args, path)
    want = anonymous(first, path)
    for label, result in sources(path, data, args, **kw):
        assert anonymous(result, path) == want, (label, args, data[:2000])
    return first


def check_table(put, table, nan="propagate", name=None, **kw):
    """Checks a drawn table: the right answer or the right error in every
    way, with three sizes of chunks that it draws."""
    kw.setdefault("cuts", random.Random(table.data).sample(CHUNKS, 3))
    name = name or ("t.tsv" if table.delimiter == b"\t" else "t.csv")
    path, options = put(name, table.data), table.options
    answer = csv_oracle.evaluate(table.data, options)
    ops = answered_ops(answer, options, nan)
    args = [*arguments(options, name), "-o", ",".join(ops)]
    args += ["--nan", nan] if nan != "propagate" else []
    print("file:", table.data[:3000], "arguments:", args)
    result = same_everywhere(path, table.data, args, **kw)
    if answer.problems:
        assert_problem(result, answer)
    else:
        notes = [line for line in result.err.splitlines(True)
                 if " is left out: " not in line]
        assert_noted("".join(notes), answer)
        assert_answer(result, answer, options, ops, nan)
