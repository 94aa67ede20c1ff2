# SPDX-License-Identifier: MIT
"""Tests of the CSV oracle: its splitter against Python's csv module, its
rounding against float() and struct, the rest against cases made by hand."""

import csv
import io
import math
import re
import struct
from fractions import Fraction

import pytest

import csv_make
from csv_cells import nearest, number, to_float, unquoted
from csv_decimals import hostile_decimals
from csv_oracle import (Column, Options, Problem, Splitter, evaluate,
                        results)


def python_value(field):
    """A field as csv.reader returns it: text after a closing quote belongs to
    it."""
    match = re.match(rb'"((?:[^"]|"")*)"(.*)', field.raw, re.S)
    value = match[1].replace(b'""', b'"') + match[2] if match else field.raw
    return value.decode("latin-1")


def against_python(data, delimiter):
    split = Splitter(data, delimiter)
    if split.open:
        return False
    text = data.removeprefix(b"\xef\xbb\xbf").decode("latin-1")
    if re.search("\r(?!\n|$)", text) or text.endswith("\r\n\r"):
        return False                    # a lone CR: another dialect
    rows = csv.reader(io.StringIO(text, newline=""),
                      delimiter=delimiter.decode("latin-1"))
    got = [[python_value(f) for f in r.fields] for r in split.records]
    assert got == [row for row in rows if row], data
    return True


@pytest.mark.parametrize("seed", range(40))
def test_splitter_against_csv_reader(seed):
    """On the tables of all other tests, and on soup (random quotes, line ends,
    digits)."""
    compared = 0
    for shape in csv_make.SHAPES:
        for n in range(6):
            table = csv_make.draw(csv_make.rnd_of(seed, n, shape), shape)
            compared += against_python(table.data, table.delimiter)
    rnd = csv_make.rnd_of(seed, "soup")
    for _ in range(150):
        compared += against_python(csv_make.soup(rnd, 40, b","), b",")
    assert compared > 20


def fields(data, delimiter=b","):
    return [[f.raw for f in r.fields] for r in Splitter(data,
                                                        delimiter).records]


@pytest.mark.parametrize("data,want", [
    (b"", []), (b"\n\r\n\n", []), (b"\r", []), (b"1\r", [[b"1"]]),
    (b"1\n\r", [[b"1"]]), (b"\r\r\n", [[b"\r"]]), (b"\r1", [[b"\r1"]]),
    (b"1\r2\n", [[b"1\r2"]]), (b",", [[b"", b""]]),
    (b",\n", [[b"", b""]]), (b'""\n', [[b'""']]), (b" \n", [[b" "]]),
    (b"a\n\nb", [[b"a"], [b"b"]]), (b'"a\n\nb"', [[b'"a\n\nb"']]),
    (b'"a\r\n"\r\n', [[b'"a\r\n"']]), (b'"a"\r', [[b'"a"']]),
    (b'"a"\rb\n', [[b'"a"\rb']]), (b'a"b,c"\n', [[b'a"b', b'c"']]),
    (b'"a"b,c"\n', [[b'"a"b', b'c"']]), (b'"a""b"', [[b'"a""b"']]),
    (b' "a,b"', [[b' "a', b'b"']]), (b"\xef\xbb\xbf1", [[b"1"]]),
    (b'\xef\xbb\xbf"a,b"', [[b'"a,b"']]), (b"\0,\xff", [[b"\0", b"\xff"]])])
def test_splitter_by_hand(data, want):
    assert fields(data) == want


def test_places():
    split = Splitter(b'\xef\xbb\xbfab,"c\nd"\r\n\r\n,"x\n\ny",z\n', b",")
    assert [(f.line, f.column) for r in split.records for f in r.fields] == [
        (1, 1), (1, 4), (4, 1), (4, 2), (6, 4)]
    assert [r.line for r in split.records] == [1, 4]
    for data, place in ((b'a,"b', (1, 3)), (b'a\n"', (2, 1)),
                        (b'"a""', (1, 1)), (b'a\n"b\nc",d,"\n', (3, 6))):
        assert Splitter(data, b",").open == place


def test_quotes_are_undone():
    for raw, want in ((b'"a"', b"a"), (b'""', b""), (b'"a""b"', b'a"b'),
                      (b'"a"b"c"', b'"a"b"c"'), (b'""""', b'"'),
                      (b'"a" ', b"a"), (b' " a"', b"a"), (b'a""', b'a""')):
        (field,) = Splitter(raw, b",").records[0].fields
        assert unquoted(field) == want


GRAMMAR = {True: b"0 -0 +1 1. .5 1.5 1e5 1.e5 .5e-5 1E+05 00012 inf -Infinity "
                 b"+iNf nan -NaN 1e999999 0e999999 1e-999999".split(),
           False: b". e5 1e 1e+ + - +-1 1_0 0x10 1e5.5 1.5.5 1,5 infin nano "
                  b"nan(1) 1f 1d5 1e5L --1 1- \xd9\xa1 1\0".split()}


def test_grammar():
    for good, texts in GRAMMAR.items():
        for text in texts:
            assert (to_float(text, "f64") is not None) == good, text
            assert (to_float(text, "f32") is not None) == good, text
            if good:
                assert repr(float(text)) == repr(to_float(text, "f64"))
    for text, dtype, want in (
            (b"-0", "u8", 0), (b"255", "u8", 255), (b"256", "u8", None),
            (b"-1", "u8", None), (b"-128", "i8", -128), (b"+0127", "i8", 127),
            (b"128", "i8", None), (b"1.0", "i8", None), (b"inf", "i8", None),
            (b"18446744073709551615", "u64", 2**64 - 1),
            (b"0" * 9999 + b"7", "i64", 7), (b"9" * 9999, "i64", None)):
        assert number(text, dtype) == want, text


def test_f64_is_rounded_as_float_does(rnd):
    for text in hostile_decimals(rnd, "f64", 400):
        x = abs(Fraction(text.decode()))
        if x:
            assert nearest(x, "f64") == abs(float(text)), text


def test_f32_neighbours(rnd):
    """Halfway cases and decimals slightly beside them, made from the bits."""
    for text in hostile_decimals(rnd, "f32", 400):
        got = to_float(text, "f32")
        if math.isinf(got):
            assert abs(Fraction(text.decode())) >= 2**128 - 2**103
            continue
        (bits,) = struct.unpack("<I", struct.pack("<f", abs(got)))
        exact = abs(Fraction(text.decode()))
        steps = []
        for near in (bits - 1, bits, bits + 1):
            value = struct.unpack("<f", struct.pack("<I", max(near, 0)))[0]
            value = 2**128 if math.isinf(value) else value
            steps.append(abs(Fraction(value) - exact))
        assert steps[1] == min(steps), text
        if steps.count(min(steps)) > 1 and bits:
            assert bits % 2 == 0, text
    assert to_float(b"-1e-60", "f32").hex() == "-0x0.0p+0"
    assert to_float(b"1e60", "f32") == math.inf
    assert to_float(b"16777217", "f32") == 16777216
    assert to_float(b"16777217" + b"." + b"0" * 60 + b"1", "f32") == 16777218


def test_tables_by_hand():
    data = b'a,b,"c"\n1,x,\n2,NA,"3"\n\n-4,y, 5 \n'
    answer = evaluate(data, Options())
    assert answer.columns == [Column(b"a", [1, 2, -4], [0, 1, 2], 0, 0),
                              Column(b"c", [3, 5], [1, 2], 1, 0)]
    want = results(answer.columns[1], "f64")
    assert (want["argmin"], want["argmax"], want["sum"]) == ("1", "2", "8")
    answer = evaluate(data, Options(columns=[1]))
    assert answer.problems == [Problem("bad", 2, 3, b"x", b"b")]
    answer = evaluate(data, Options(columns=[2], missing="error"))
    assert answer.problems == [Problem("missing", 2, 5, b"", b"c")]
    answer = evaluate(data, Options(columns=[1], bad="skip"))
    assert answer.columns == [Column(b"b", [], [], 1, 2)]
    answer = evaluate(data + b"7\n", Options(columns=[1], bad="skip"))
    assert answer.problems == [Problem("ragged", 6, None, (1, 3))]
    answer = evaluate(data + b'7,"', Options(bad="skip"))
    assert answer.problems == [Problem("open", 6, 3)]
    answer = evaluate(data, Options(header="no", columns=[0]))
    assert answer.problems == [Problem("bad", 1, 1, b"a", b"1")]
