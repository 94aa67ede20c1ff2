# SPDX-License-Identifier: MIT
"""--assert: the language against an oracle, and what users see of it."""

import os
import re
import struct

import pytest

from expressions import MISSING, Draw, Wrong
from harness import fails, ok, run
from make import pack

CSV = "price,qty,none\n1,2,\n1.5,3,\n-0.5,,\n"
# The contents of the file, counted by hand. `none` is a column without values.
NAMES = {
    "rows(price)": ("number", 3), "count(qty)": ("number", 2),
    "n_missing(none)": ("number", 3), "n_nan(price)": ("number", 0),
    "argmax(price)": ("number", 1), "max(price)": ("number", 1.5),
    "min(`price`)": ("number", -0.5), "sum($1)": ("number", 2.0),
    "mean(qty)": ("number", 2.5), "max(none)": ("number", MISSING),
    "any(price)": ("bool", True), "alltrue(qty)": ("bool", True),
    "any(none)": ("bool", False), "true": ("bool", True),
    "false": ("bool", False), "missing": ("bool", MISSING),
}


@pytest.fixture
def csv(put):
    return put("a.csv", CSV.encode())


def verdict(expression, *args):
    """Returns True, False, MISSING or Wrong, and stderr."""
    r = run("-c", "price,qty,none", "-o", "rows", "--assert", expression, *args)
    if r.rc == 0:
        return True, r.err
    if r.rc == 1:
        assert r.out == "", expression
        return Wrong, r.err
    assert r.rc == 4, (expression, r.err)
    assert "--assert is false: " in r.err or "--assert is missing: " in r.err
    return (False if "--assert is false: " in r.err else MISSING), r.err


@pytest.mark.parametrize("part", range(4))
def test_random_conditions(csv, rnd, part):
    """True and false conditions, missing ones, and some that cannot be
    computed."""
    del part
    seen = {True: 0, False: 0, MISSING: 0, Wrong: 0}
    draw = Draw(rnd, NAMES)
    for _ in range(120):
        node = draw.condition(rnd.randrange(1, 6))
        text = node.inside(0, rnd)
        try:
            want = node.value()
        except Wrong:
            want = Wrong
        got, err = verdict(text, csv)
        assert got is want, f"{text}\nis {got}, not {want}\n{err}"
        seen[want] += 1
    assert min(seen.values()) > 3, seen


@pytest.fixture
def raw(put):
    return put("x.f32", pack([1, float("nan"), 3, -7, 2], "f32"))


def test_true_prints_the_results_alone(raw):
    assert ok("-o", "count", "--assert", "n_nan == 1", raw) == "5\n"
    assert ok("-qo", "count", "--assert", "max < 4", "--nan", "skip",
              raw) == "4\n"


def refused(*args, **kw):
    """Returns standard output and error of a run with exit status 4."""
    r = run(*args, **kw)
    assert r.rc == 4, r
    return r.out, r.err


def test_false_prints_the_results_and_the_offender(raw):
    for quiet in ([], ["-q"], ["-v"]):
        out, err = refused(*quiet, "-o", "count", "--assert",
                           "n_nan == 0 && max <= 1.0", raw)
        assert out == "5\n"
        assert err.endswith(
            f"gpureduce: '{raw}': --assert is false: n_nan == 0 && max <= 1.0\n"
            "  n_nan is 1, at index 1\n"
            "  max is nan, at index 1\n")


@pytest.mark.parametrize("condition,line", [
    ("max < 3", "max is 3, at index 2"), ("min > 0", "min is -7, at index 3"),
    ("absmax < 5", "absmax is 7, at index 3"),
    ("absmin > 1", "absmin is 1, at index 0"),
    ("linf != 7", "linf is 7, at index 3"), ("sum == 0", "sum is -1"),
    ("argmin < 3", "argmin is 3"), ("sum > 0 || mean > 0", "mean is -0.25"),
])
def test_message_names_the_places(raw, condition, line):
    _, err = refused("-o", "count", "--nan", "skip", "--assert", condition, raw)
    assert f"\n  {line}\n" in err


def test_a_bare_op_applies_to_each_column(csv):
    out, err = refused("-c", "price,qty", "-o", "max", "--assert", "max < 2",
                       csv)
    assert out == "column\tmax\nprice\t1.5\nqty\t3\n"
    assert err == (f"gpureduce: '{csv}': column 'qty': --assert is false: "
                   f"max < 2\n  max is 3, at {csv}:3\n")
    _, err = refused("-c", "price,qty", "-o", "max", "--assert", "max < 1", csv)
    assert "column 'price': " in err
    assert err.endswith("\nThis is the first of 2 failures.\n")


def test_an_op_applied_to_a_named_column(csv):
    args = ["-c", "price,qty", "-o", "max", csv, "--assert"]
    ok(*args, "max(price) < 2 && max(qty) < 4")
    _, err = refused(*args, "max(qty) < 3")
    assert err == (f"gpureduce: '{csv}': --assert is false: max(qty) < 3\n"
                   f"  max(qty) is 3, at {csv}:3\n")
    # A mixed condition compares each column with the named one.
    ok(*args, "max <= max(qty)")
    _, err = refused(*args, "max < max(qty)")
    assert "column 'qty': " in err
    assert err.count("  max") == 2


@pytest.mark.parametrize("name, data, args", [
    ("a.csv", b"a,b,c\n1,2,4\n3,4,5\n", ["-o", "max"]),
    ("a.csv", b"a,b,c\n1,2,4\n3,4,5\n", ["-o", "cov"]),
    ("a.u8", bytes(6), ["--axis", "0", "--shape", "3,2", "-o", "max"]),
], ids=["columns", "pairs", "axis"])
def test_without_an_op_it_is_judged_once(put, name, data, args):
    file = put(name, data)
    _, err = refused(*args, "--assert", "1 == 2", file)
    assert err == f"gpureduce: '{file}': --assert is false: 1 == 2\n"


def test_many_names(put):
    """An array has room for some of them besides the operations printed."""
    array = put("a.f32", pack([1, 2, 3], "f32"))
    for n, fits in (40, True), (63, True), (64, False), (120, False):
        expression = " && ".join(f"p{0.1 + 0.5 * i:g} > 0" for i in range(n))
        args = ["-o", "sum", "--axis", "0", "--shape", "3", "--assert", expression,
                array]
        if fits:
            assert ok(*args) == "6\n"
        else:
            fails(2, *args, says="over 64 operations")
    long = "p99." + "0" * 35 + "1"
    assert ok("-o", "sum", "--assert", f"{long} > 0", array) == "6\n"


def test_a_computed_column_proves_no_header(put):
    path = put("a.csv", b"x,1\ny,2\n")
    assert ok("-e", "x=$2*1", "-c", "x", "-o", "sum", "--assert", "max(x) < 9",
              path) == "3\n"


def test_each_file(put):
    a, b = put("a.csv", b"x\n1\n2\n"), put("b.csv", b"x\n1\n5\n")
    ok("-o", "sum", "--assert", "sum == 9", a, b)
    _, err = refused("-o", "sum", "--per-file", "--assert", "sum < 6", a, b)
    assert err.startswith(f"gpureduce: '{b}': --assert is false: sum < 6\n")
    _, err = refused("-o", "sum", "--assert", "sum < 9", a, b)
    assert err.startswith("gpureduce: --assert is false: sum < 9\n")


def test_which_of_several_binary_files(put):
    a, b = put("a.i16", pack([1, 2, 3], "i16")), put("b.i16", pack([4, 9], "i16"))
    _, err = refused("-o", "sum", "--assert", "max < 9 && min > 1", a, b)
    assert err == ("gpureduce: --assert is false: max < 9 && min > 1\n"
                   f"  max is 9, at index 4, 1 in '{b}'\n"
                   f"  min is 1, at index 0, 0 in '{a}'\n")
    # The length of a pipe is known once it is read.
    _, err = refused("-o", "sum", "-t", "i16", "--assert", "max < 9", "-", b,
                     stdin=pack([1], "i16"))
    assert f"  max is 9, at index 2, 1 in '{b}'\n" in err


def test_digits_do_not_change_what_is_judged(put):
    path = put("a.f32", pack([0.5, 1.4], "f32"))
    args = ["--shape", "1,2", "--axis", "1", "--digits", "0", "-o", "mean"]
    assert ok(*args, "--assert", "mean < 0.96 && mean > 0.94", path) == "1\n"
    result = run(*args, "--assert", "mean > 1.5", path)
    assert (result.rc, result.out) == (4, "1\n") and "mean is 1" in result.err


def test_a_message_names_the_file_once(put):
    path = put("a.u64", pack([2**63, 2**63], "u64"))
    err = run("-o", "sum", "--assert", "sumsq > 1", path).err
    assert err.startswith(f"gpureduce: '{path}': --assert: sumsq is an integer of")
    fails(2, "-o", "sum", "--assert", "$1 > 1", path,
          says="there is no operation '$1'")


def test_several_conditions(raw):
    ok("-o", "count", "--assert", "n_nan == 1", "--assert", "count == 5", raw)
    _, err = refused("-o", "count", "--assert", "n_nan == 1", "--assert",
                     "count == 6", raw)
    assert err.count("--assert") == 1 and "count == 6" in err
    many = ["--assert", "count == 5"] * 16
    ok("-o", "count", *many, raw)
    fails(2, "-o", "count", *many, "--assert", "count == 5", raw,
          says="at most 16 times")


def test_only_the_ops_asked_for_are_printed(raw):
    plain = ok(raw)
    assert ok("--assert", "prod != 1 && n_inf == 0", raw) == plain
    assert ok("-o", "max", "--assert", "std != 1", raw) == "nan\n"


def test_records_are_counted_once(csv):
    """The count does not depend on the columns that an assertion reads."""
    for condition in ("rows == 3", "max < 4", "max(qty) == 3",
                      "rows(price) == 3"):
        assert ok("-o", "rows", "--assert", condition, csv) == "3\n"
        assert ok("-o", "rows", "--per-file", "--assert", condition,
                  csv) == f"file\trows\n{csv}\t3\n"
    r = run("-c", "price,qty", "-o", "rows", "--assert", "max < 3", csv)
    assert (r.rc, r.out) == (4, "3\n") and "column 'qty'" in r.err


def test_a_histogram_stands_alone(csv):
    assert fails(2, "-c", "price", "-o", "histogram", "--assert", "median < 1",
                 csv).startswith(
        "gpureduce: --assert: median cannot be combined with a histogram; assert "
        "it in a separate run\n")


def test_no_value_is_missing(put):
    empty = put("e.f32", b"")
    out, err = refused("-o", "count", "--assert", "max < 1", empty)
    assert (out, err) == ("0\n", f"gpureduce: '{empty}': --assert is missing: "
                          "max < 1\n  max is missing\n")
    ok("-o", "count", "--assert", "count == 0 || max < 1", empty)
    ok("-o", "count", "--assert", "coalesce(max, 0) < 1", empty)
    # The operation that is printed has no value, though.
    fails(1, "-o", "max", "--assert", "count == 0", empty, says="undefined")


def test_wide_integers(put):
    big = put("b.u64", pack([2**64 - 1] * 3, "u64"))
    total = 3 * (2**64 - 1)
    ok("-o", "sum", "--assert", f"sum == {total}", big)
    refused("-o", "sum", "--assert", f"sum != {total}", big)
    ok("-o", "sum", "--assert", f"sum - 1 < {total} && max == {2**64 - 1}", big)
    fails(1, "-o", "sum", "--assert", "sumsq > 0", big, says="127 bits")
    fails(1, "-o", "max", "--assert", "sumsq != 1", put(
        "p.u64", pack([2**63] * 8, "u64")), says="127 bits")
    one = put("o.u64", pack([2**63], "u64"))
    ok("-o", "max", "--assert", f"sumsq == {2**126}", one)
    fails(1, "-o", "max", "--assert", "sumsq > 1", one, one, says="127 bits")
    negative = put("n.i64", pack([-2**63, -2**63, 5], "i64"))
    ok("-o", "sum", "--assert", f"min == {-2**63} and sum == {5 - 2**64}", negative)
    text = put("b.csv", b"x\n9007199254740993\n1\n")
    ok("-o", "sum", "--assert", "max == 9007199254740993", text)
    _, err = refused("-o", "sum", "--assert", "max == 9007199254740992.0", text)
    assert f"  max is 9007199254740993, at {text}:2\n" in err


def test_bools(put):
    bools = put("t.u8", b"\1\0\1")
    ok("-o", "sum", "-t", "bool", "--assert", "any && !alltrue", bools)
    ok("-o", "sum", "-t", "bool", "--assert", "any", bools)
    _, err = refused("-o", "sum", "-t", "bool", "--assert", "alltrue", bools)
    assert "  alltrue is 0\n" in err


@pytest.mark.parametrize("expression,caret,says", [
    ("max <", 5, "expected a value"),
    ("max = 1", 4, "written =="),
    ("price < 1", 0, "there is no operation 'price'"),
    ("maxi < 1", 0, "did you mean max?"),
    ("nanmax < 1", 0, "for nanmax say --nan skip -o max"),
    ("nanmax(price) < 1", 0, "for nanmax say --nan skip -o max"),
    ("max(price, qty) < 1", 4, "there is no operation 'price'"),
    ("max() < 1", 0, "max() takes two values or more"),
    ("sum() < 1", 0, "there is no function 'sum'"),
    ("maxx(price) < 1", 0, "did you mean max()?"),
    ("$1 < 1", 0, "there is no operation"),
    ("max", 0, "not true or false"),
    ("max == 'x'", 4, "two numbers or two texts"),
    ("", 0, "expected a value"),
])
def test_wrong_expressions(csv, expression, caret, says):
    err = fails(2, "-o", "max", "--assert", expression, csv, says=says)
    lines = err.splitlines()
    assert lines[1:3] == ["  " + expression, "  " + " " * caret + "^"]
    # Refused before the file is opened.
    fails(2, "-o", "max", "--assert", expression, "/nonexistent", says=says)


@pytest.mark.parametrize("expression,says", [
    ("max(foo) < 1", "max(foo): this column is not one of those reduced"),
    ("max(prise) < 1", "those reduced; did you mean 'price'?"),
    ("max(none) < 1", "max(none): this column is not one of those reduced"),
    ("max($4) < 1", "max($4): this column is not one of those reduced"),
])
def test_wrong_columns(csv, expression, says):
    fails(2, "-c", "price,qty", "-o", "max", "--assert", expression, csv,
          says=says)


def test_columns_by_name_and_number(put, raw):
    twice = put("t.csv", b"x,x\n1,2\n")
    fails(2, "-o", "max", "--assert", "max(x) < 1", twice, says="$N")
    ok("-o", "max", "--assert", "max($2) == 2 && max($1) == 1", twice)
    bare = put("n.csv", b"1,2\n3,4\n")
    ok("-o", "max", "--assert", "max($2) == 4", bare)
    odd = put("o.csv", "a b,`é`\n1,2\n".encode())
    ok("-o", "max", "--assert", "max(`a b`) == 1 && max(```é```) == 2", odd)
    fails(2, "-e", "z=`a b`+1", "-o", "max", "--assert", "max($3) < 9", odd,
          says="max($3): this column is not one of those reduced")
    fails(2, "-o", "max", "--assert", "max(x) < 1", raw,
          says="max(x): these data have no columns\n")
    fails(2, "-o", "max", "--assert", "max(x) < 1", put("e.csv", b""),
          says="max(x): no column is reduced\n")


def test_a_name_proves_a_header(put):
    """A name in --assert implies a header, as a name in -c does."""
    years = put("y.csv", b"7,9\n1,2\n3,4\n")
    assert "\t9\n" in ok("-o", "max", years)
    assert ok("-o", "max", "--assert", "max(`9`) == 4", years) \
        == "column\tmax\n7\t3\n9\t4\n"
    quoted = put("q.csv", b'"a,""b""",x\nu,v\nw,1\n')
    assert ok("-c", "2", "-o", "rows", "--bad", "skip", "--assert",
              "rows(x) == 2", quoted) == "2\n"
    assert ok("-c", "1", "-o", "rows", "--assert", 'rows(`a,"b"`) == 2',
              quoted) == "2\n"


def test_bad_data_come_first(put):
    bad = put("b.csv", b"x\n1\noops\n")
    err = fails(1, "-o", "max", "--assert", "max < 0", bad, says="oops")
    assert "--assert" not in err


def test_errors_of_evaluation(csv):
    err = fails(1, "-c", "price,qty", "-o", "max", "--assert",
                "count % n_nan == 0", csv, says="remainder of division by 0")
    assert err.splitlines()[1:3] == ["  count % n_nan == 0",
                                     "        ^"]
    assert f"'{csv}': column 'price': " in err


def test_explain_shows_it(csv):
    out = ok("--explain", "-o", "max", "--assert", "max(price) < 3", csv)
    assert "assert\tmax(price) < 3\n" in out
    fails(2, "--explain", "-o", "max", "--assert", "max(", csv)


@pytest.mark.parametrize("expression", [
    "(" * 100000, "max < " + "(" * 60000 + "1" + ")" * 60000,
    "-" * 65536, "not " * 20000 + "true", "max ** " * 10000 + "1 > 0",
    "true ? " * 9000, "1+" * 32767 + "1", "'" + "x" * 65535,
    "max(" * 16384, "a\x01b\x1b[31m", b"\xff\xfe < 1", b"max < '\xff",
    "`\u202e` < 1", "$" * 1000, "missing " * 8000, "1" * 65536 + " < max",
], ids=range(16))
def test_hostile(csv, expression):
    err = fails(2, "-o", "max", "--assert", expression, csv)
    assert len(err) < 1500


def test_long_names_in_messages(put):
    """Long names are cut, but not within a character or an escape."""
    name = "\u00e9\x1b" * 120
    odd = put("\u00e9" * 110 + ".csv", f'"{name}",b\n1,2\n'.encode())
    _, err = refused("-o", "max", "--assert", f"max(`{name}`) > 3", odd)
    assert err.count("...") == 2
    assert all(line.isprintable() for line in err.splitlines())
    _, err = refused("-o", "max", "--assert", "max < 1" + " or max < 1" * 90,
                     odd)
    assert "...\n" in err
    assert "  max is 1, on line 2\n" in err
    for n, shown in (100, "x" * 100), (101, "x" * 100 + "..."):
        _, err = refused("-o", "max", "--assert", f"max({'x' * n}) > 3",
                         put("x.csv", b"x" * n + b",b\n1,2\n"))
        assert f"\n  max({shown}) is 1, at " in err
    # Of several files the place names one.
    _, err = refused("-c", "2", "-o", "max", "--assert", "max < 1", odd, odd)
    assert re.search("  max is 2, at .*[^.]\\.\\.\\.:2\n", err)


def test_values_for_which_there_is_no_room(put):
    """A message has 1100 bytes for them: first a place is left out, then the
    value. Each byte of this name takes four."""
    for odd, plain, has_place in (190, 0, False), (120, 52, False), (120, 51, True):
        path = put("\x01" * odd + "x" * plain, b"a\n1\n2\n")
        shown = "\\x01" * odd + "x" * plain
        _, err = refused("-f", "csv", "-o", "max", "--assert", "max + min + sum > 9",
                         os.path.basename(path), cwd=os.path.dirname(path))
        assert err.endswith(f"\n  max is 2, at {shown}:3\n  min is 1"
                            + (f", at {shown}:2\n" if has_place else
                               "\n  sum is 3\n")), has_place
    names = "max min sum mean count first last rows range absmax l1 l2".split()
    column, left, want = "c" * 120, 1100, []
    path = put("t.csv", f"{column},b\n1,2\n".encode())
    for name in names:
        line = f"  {name}({'c' * 100}...) is {int(name != 'range')}"
        line += ", at t.csv:2" * (name in ("max", "min"))
        if len(line) + 1 < left:
            want.append(line)
            left -= len(line) + 1
    assert len(want) < len(names)
    _, err = refused("-o", "sum", "--assert", " + ".join(
        f"{name}({column})" for name in names) + " > 99", "t.csv",
        cwd=os.path.dirname(path))
    assert err.splitlines()[1:] == want


def test_what_a_message_shows(put):
    """At most 12 values and 200 bytes of the condition."""
    bare = put("n.csv", b"7\n5\n")
    args = ["-o", "max", "--header", "no", bare, "--assert"]
    _, err = refused(*args, "max < 7")
    assert f"  max is 7, at {bare}:1\n" in err
    names = ("max min sum mean count first last rows range absmax l1 l2 "
             "sumsq").split()
    _, err = refused(*args, " + ".join(names) + " < 0")
    assert re.findall("^  ([a-z0-9]+) is", err, re.M) == names[:12]
    for blanks in 1, 194, 195:
        _, err = refused(*args, "max <" + " " * blanks + "1")
        assert (" 1\n  max is" in err) == (blanks < 195), err
        assert (" ...\n  max is" in err) == (blanks == 195), err


def test_long_conditions_work(csv):
    condition = "max > 0" + " && max > 0" * 5900
    ok("-c", "price,qty", "-o", "rows", "--assert", condition, csv)
    refused("-c", "price,qty", "-o", "rows", "--assert",
            condition + " && max > 2", csv)


@pytest.mark.parametrize("args", [[], ["-j", "1", "--chunk-size", "4"],
                                  ["--verify"]])
def test_every_way_agrees(csv, args):
    _, err = refused(*args, "-c", "price", "-o", "max", "--assert", "min > 0",
                     csv)
    assert f"  min is -0.5, at {csv}:4\n" in err


@pytest.mark.parametrize("condition, where", [("prod > 1", "column 'x'"),
                                              ("prod(x) > 1", "prod(x)")])
def test_a_value_that_cannot_be_computed(put, condition, where):
    path = put("a.csv", b"x,y\n" + b"9223372036854775807,1\n" * 3)
    err = fails(1, "-t", "i64", "-o", "max", "--assert", condition, path)
    assert err == (f"gpureduce: '{path}': {where}: the product of these integers does not "
                   "fit 128 bits\n")


def test_digits_are_those_that_are_compared(put):
    """An f32 of 0.1 is above 0.1."""
    data = struct.pack("<2f", 0.1, 0.05)
    path = put("a.f32", data)
    got = run("-o", "max", "--assert", "max <= 0.1", path)
    assert (got.rc, got.out) == (4, "0.1\n")
    assert f"max is {struct.unpack('<2f', data)[0]!r}" in got.err
