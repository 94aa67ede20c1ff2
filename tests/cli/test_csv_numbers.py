# SPDX-License-Identifier: MIT
"""Decimals to numbers: each is correctly rounded, alone and before it is
summed."""

import math
from fractions import Fraction

import pytest

import csv_make
import csv_oracle
import oracle
from csv_cells import held, is_wide, to_float
from csv_check import check_table, parse, without_note
from csv_decimals import hostile_decimals, random_float
from harness import ROUNDED, ok, run


def each(put, texts, dtype, op="min"):
    """Returns the number that each text reads as: one record, a column for
    each."""
    path = put("wide.csv", b",".join(texts) + b"\n")
    result = run("--header", "no", "-c", "1-", "-t", dtype, "-o", op, path)
    plain = [text.strip(b'" \t') for text in texts]
    rounded = [is_wide(text) and isinstance(held(text), float)
               for text in plain if dtype == "f64"]
    assert result.rc == 0
    assert without_note(result.err, ROUNDED, rounded) == ""
    rows = parse(result.out, [op])
    assert len(rows) == len(texts)
    return [row[op] for _, row in rows]


def assert_each(put, texts, dtype):
    got = each(put, texts, dtype)
    values = [held(t) if dtype == "f64" else to_float(t, dtype) for t in texts]
    want = [oracle.text(value, dtype) for value in values]
    wrong = [(t[:200], g, w) for t, g, w in zip(texts, got, want) if g != w]
    assert not wrong, wrong[:5]


KNOWN = [
    b"2.2250738585072011e-308", b"2.2250738585072012e-308",
    b"2.2250738585072014e-308", b"4.9e-324", b"2.4703282292062327e-324",
    b"2.4703282292062328e-324", b"1.7976931348623157e308",
    b"1.7976931348623158e308", b"1.7976931348623159e308", b"1e308", b"1e309",
    b"9007199254740993", b"9007199254740992.999999999999999999999999999999",
    b"9007199254740993.00000000000000000000000000000000000001",
    b"0.500000000000000166533453693773481063544750213623046875",
    b"3.518437208883201171875e13", b"62.5364939768271845828",
    b"8.10109172351e-10", b"1.50000000000000011102230246251565404e0",
    b"9007199254740991.4999999999999999999999999999999995",
    b"6929495644600919.5",
    b"3.2378839133029012895883524125015321748630943e-22",
    b"0.000000000000000000000000000000000000011754943508222875",
    b"1.17549435e-38", b"1.1754943e-38", b"1.4e-45", b"0.7e-45",
    b"7.006492321624085354618647916449580656401309709382578858785341419448"
    b"95541342930300743319094181060791015625e-46",
    b"7.006492321624085354618647916449580656401309709382578858785341419448"
    b"955413429303007433190941810607910156251e-46",
    b"3.4028235e38", b"3.40282356779733661637539395458142568447e38",
    b"340282356779733661637539395458142568448",
    b"340282356779733661637539395458142568447.9999999999", b"3.4028236e38",
    b"16777217", b"16777219", b"1.00000017881393432617187499",
    b"1.00000017881393432617187500", b"1.00000017881393432617187501",
    b"1e23", b"8.5e22", b"9.5367431640625e-7", b"1e22", b"1e-22", b"1e-323",
    b"123456789012345678901234567890", b"0.1", b"0.3", b"1e0", b"1e-5"]


@pytest.mark.parametrize("dtype", ["f64", "f32"])
def test_known_troublemakers(put, dtype):
    assert_each(put, KNOWN + [b"-" + t for t in KNOWN], dtype)


@pytest.mark.parametrize("dtype", ["f64", "f32"])
def test_words_and_forms(put, dtype):
    texts = (b"0 -0 +0 0.0 -.0 0. 00 1. .5 -.5 +.5e1 5.e1 1E5 1e+5 1e-05 1e0 "
             b"inf -inf +INF Infinity -iNFINITY 1e999999999 -1e999999999 "
             b"1e-999999999 -1e-999999999 0e999999999 -0e99999999999999999999 "
             b"1e18446744073709551617 1e-18446744073709551617 0.0e5 000.5 "
             b"1e4294967296 1e-4294967296 1e2147483648 1e-2147483649 "
             b"0e-18446744073709551616 1e00000000000000000000000005").split()
    texts += [b"0" * 900 + b"1.5", b"1" + b"0" * 400 + b"e-400",
              b"0." + b"0" * 400 + b"1e401", b"1." + b"0" * 5000 + b"e1",
              b"9" * 5000 + b"e-5000", b"0." + b"9" * 5000,
              b"1e" + b"9" * 900, b"1e-" + b"9" * 900, b"0." + b"0" * 5000,
              b"1" + b"0" * 5000 + b"e-5000", b"1e" + b"0" * 900 + b"3"]
    assert_each(put, texts, dtype)


@pytest.mark.parametrize("dtype", ["f64", "f32"])
@pytest.mark.parametrize("n", range(4))
def test_hostile_decimals(put, rnd, dtype, n):
    texts = hostile_decimals(rnd, dtype, 300)
    texts += [b'"' + t + b'"' for t in texts[:20]]
    texts += [b" " + t + b"\t" for t in texts[:20]]
    assert_each(put, [t.strip(b'" \t') for t in texts], dtype)
    got = each(put, texts, dtype)
    assert got[300:320] == got[320:340] == got[:20]


@pytest.mark.parametrize("dtype", ["f64", "f32"])
def test_shortest_texts_of_random_numbers(put, rnd, dtype):
    """Numbers as other programs print them, in several styles."""
    texts = []
    for _ in range(600):
        x = random_float(rnd, dtype)
        style = rnd.choice(["{!r}", "{:.17g}", "{:.16e}", "{:.9g}", "{:.0f}",
                            "{:.20f}", "{:.400f}", "{:.30e}", "{:+.6f}"])
        texts.append(style.format(x).encode())
    assert_each(put, texts, dtype)


@pytest.mark.parametrize("dtype", ["f64", "f32"])
@pytest.mark.parametrize("kind", ["hostile", "plain", "ints"])
def test_decimals_in_rows(put, rnd, dtype, kind):
    """In rows, so that chunks cut through the digits."""
    if kind == "hostile":
        cells = hostile_decimals(rnd, dtype, 300)
    elif kind == "plain":
        cells = [b"%.2f" % rnd.uniform(-1e4, 1e4) for _ in range(2000)]
    else:
        cells = [b"%d" % rnd.randrange(-10**rnd.randrange(1, 25), 10**18)
                 for _ in range(2000)]
    data = b"\n".join(cells) + b"\n"
    table = csv_make.Table(data, b",", csv_oracle.Options(
        dtype=dtype, header="no"))
    check_table(put, table, cuts=("64", "100", "4096", "64K"),
                slow_pipe=False)


def test_f32_is_not_read_by_way_of_f64(put):
    """This decimal is halfway in f32 only after rounding to f64."""
    text = b"1.000000178813934326171875000000000000001"
    assert math.isclose(float(text), 1.0000001788139343)
    assert each(put, [text], "f32") == ["1.0000002"]
    down = b"1.00000017881393432617187499999999999999"
    assert each(put, [down], "f32") == ["1.0000001"]
    assert each(put, [text, down], "f64") == ["1.0000001788139343"] * 2


def test_a_sum_of_decimals_rounds_each_and_then_once(put):
    data = b"\n".join([b"0.1"] * 10 + [b"1e16", b"-1e16"])
    want = sum(map(Fraction, [0.1] * 10))
    assert ok("-o", "sum", put("t.csv", data)) == f"{float(want):g}\n"
