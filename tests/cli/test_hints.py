# SPDX-License-Identifier: MIT
"""The hints of messages fit the error and work as typed."""

import os
import re
import shutil
import subprocess
import sys

import pytest

from harness import BINARY, fails, run

# Hints must use the python3 that runs the tests, which has NumPy.
PATH = os.path.dirname(sys.executable) + ":" + os.environ["PATH"]
SKIP_LAST = "\n--bad skip leaves such cells out.\n"


def first_hint(err):
    return err.split("\n")[1]


@pytest.mark.parametrize("cell,hint", [
    ('"1,5"', "--decimal ,"), ('"1.234,56"', "--decimal , --thousands ."),
    ('"1,234.56"', "--thousands ,"), ("$5.00", "--strip '$'"),
    ("12%", "--strip %"), ("2024-01-03", "-x b to leave the column out"),
    ("0x1F", "gawk"), ("-0x1F", "gawk"), ("1.5D+03", "sed"), ("+1.5d03", "sed"),
    ("12K", "numfmt"),
    ("true", "-t bool"), ("T", "-t bool if the column holds only such words"),
    ("no", "-t bool"), ("<0.1", "--na '<0.1' to leave it out"),
    ("> 100", "--na '> 100' to leave it out"), ("(5", "--na with this text"),
    ("-", "--na -"), (" ? ", "--na '?'"),
    ("5;2", "-d ';'"), ("b", "--na with this text"), ("abc", "--na with this text"),
    ('" (5) "', "--strip '()'")])
def test_bad_cells(put, cell, hint):
    data = put("t.csv", f"a,b\n1,2\n1,{cell}\n".encode())
    err = fails(1, "-c", "b", "-o", "sum", data, says="t.csv:3:")
    assert first_hint(err).startswith("Try " + hint), err
    assert err.endswith(SKIP_LAST)
    assert "--header yes" not in err


@pytest.mark.parametrize("text,is_again", [
    ("a,b\n1,2\na,b\n", True), ("a,b\n1,2\na,b", True),
    ("a,b\r\n1,2\r\na,b\r\n", True), ("a,b\n1,2\na,b \n", False),
    ("a,b\n1,2\na,bc\n", False), ("a,b\n1,2\na,b,c\n", False),
    ("GET,5a\nGET,6a\nPUT,7a\n", False), ("GET,5a\nGET,5a\nPUT,7a\n", True)])
def test_the_header_is_repeated_only_as_a_whole(put, text, is_again):
    path = put("t.csv", text.encode())
    for args in [], ["-c", "1", "-t", "f64"], ["-c", "1-2", "-t", "f64"]:
        err = run(*args, "--ragged", "skip", "-o", "sum", path).err
        assert ("header is repeated" in err) == is_again, err


def test_decimal_marks_of_both_kinds(put):
    """The two hints do not lead from one to the other and back."""
    path = put("t.csv", b"x;y\n3,50;1\n4.50;2\n")
    assert first_hint(fails(1, "-c", "x", "-o", "sum", path)) == "Try --decimal ,"
    err = fails(1, "-c", "x", "--decimal", ",", "-o", "sum", path)
    assert first_hint(err).startswith(
        "Try --decimal . if no cell has a decimal comma; a column that mixes")


def test_bad_cell_of_the_first_record(put):
    data = put("t.csv", b"3,$5\n4,6\n")
    err = fails(1, "-c", "2", "-o", "sum", data, says="t.csv:1:3:")
    assert first_hint(err) == "Try --strip '$'"
    assert ("\nOr --header yes if this line names the columns, or "
            "--skip-lines 1 if it is not part of the table\n") in err
    err = fails(1, "-c", "2", "-o", "sum", put("u.csv", b"3,5\n4,$6\n"))
    assert "--header yes" not in err


def test_the_column_that_an_option_would_make_numbers(put):
    """Not the one with the most numbers, nor the last one."""
    for text, place in ("$1,x\n$2,3\n", "2:1"), ("x,$1\n3,$2\n", "2:3"), (
            "$1,$4\n$2,$5\n", "2:1"):
        fails(1, "-o", "sum", put("t.csv", f"a,b\n{text}".encode()),
              says=f"t.csv:{place}: no column of numbers in its first records: '$1'")


def test_integers_that_do_not_fit(put):
    for cell in b"1.5", b"300", b"-1", b"1e3":
        data = put("t.csv", b"a\n" + cell + b"\n")
        err = fails(1, "-t", "u8", "-o", "sum", data)
        assert first_hint(err).startswith("Try -t f64"), err


@pytest.mark.parametrize("text,hint", [
    ("24,total\n1,1,2\n2,1,2\n", "--skip-lines 1 if the table starts"),
    ("2024,x\n1,2,3,4\n", "--skip-lines 1 if the table starts"),
    ("a,b\n1,2,3\n", "--skip-lines 1 --header no"),
    ("a,b,c\n1,2,3\n1,2\n", "--ragged pad"),
    ("a,b,c\n1,2,3\n# note\n4,5,6\n", "--comment '#'"),
    ("a,b\n1,2\n1,2\n1,2,3\n", "--ragged skip")])
def test_ragged_records(put, text, hint):
    err = fails(1, "--columns", "1", "-o", "sum", put("t.csv", text.encode()))
    assert first_hint(err).startswith("Try " + hint), err


@pytest.mark.parametrize("text,hint", [
    ("price\n1,5\n2,75\n", "--decimal , if 1,5 is one number here, or --sk"),
    ("# one\n# two\na,b,c\n1,2,3\n", "--comment '#'")])
def test_records_unlike_a_first_one_of_one_field(put, text, hint):
    err = fails(1, "-o", "sum", put("t.csv", text.encode()))
    assert first_hint(err).startswith("Try " + hint), err


@pytest.mark.parametrize("text,column,cell", [
    (b"1,5 2,5\n2,5 3,5\n", "2", "5 2"),
    (b"x;y z\n1;2 3\n4;5 6\n", "y z", "2 3")])
def test_a_column_that_holds_several_numbers_is_noted(put, text, column, cell):
    result = run("-o", "sum", put("t.csv", text))
    assert result.rc == 0 and result.err.count("\n") == 1, result
    assert f"column '{column}' is left out: '{cell}' on line" in result.err
    assert result.err.endswith("; try -d blank\n"), result


@pytest.mark.parametrize("cells,cell,hint", [
    ("k.A. 1,50 2,75 3,10", "1,50", "--decimal ,"),
    ("free $1.50 $2.75", "$1.50", "--strip '$'"),
    ("$1.50 free $2.75", "$1.50", "--strip '$'"),
    ("pending 5% 6%", "5%", "--strip %"),
    ("500,00- 125,30 75,00", "500,00-",
     r"""sed -E ':a;s/(^|[;])("?)([0-9.,]+)-("?([;]|\r?$))/\1\2-\3\4/;ta' """
     "FILE | gpureduce: a minus at the end is not read"),
    ("small big 10% tiny", None, None), ("10% small big tiny", None, None)])
def test_amounts_below_a_word_are_noted(put, cells, cell, hint):
    """Whichever of its cells comes first. A few amounts among words are
    text."""
    text = "".join(f"{i};{x}\n" for i, x in enumerate(cells.split()))
    path = put("t.csv", ("id;p\n" + text).encode())
    result = run("-o", "sum", path)
    line = 2 + cells.split().index(cell) if cell else 0
    assert result.err == (
        f"gpureduce: {path}: column 'p' is left out: '{cell}' on line {line} "
        f"is not a number; try {hint}\n" if cell else ""), result
    assert run("-c", "p", "-o", "nunique", path).rc == (1 if cell else 0)


@pytest.mark.parametrize("cells,option,value", [
    (["12K", "1M"], "units", 1060864), (["1.5D+03", "2D0"], "fortran", 1502),
    (["0x1F", "0x01"], "hexadecimal", 32),
    (["5", "a"], "repeated", 5), (["\u22125", "7"], "minus", 2),
    (["5-", '"4-"', "1.5-", "20"], "minus at the end", 9.5)])
def test_pipes_of_hints_work_as_typed(tmp_path, cells, option, value):
    (tmp_path / "t.csv").write_text("a\n" + "\n".join(cells) + "\n")
    err = fails(1, "-c", "a", "-o", "sum", "t.csv", cwd=tmp_path)
    command = re.match(r"Try (.*\| gpureduce[^:]*?)(:| for |$)",
                       first_hint(err)).group(1)
    command = command.replace("FILE", "t.csv").replace("=N", "=1")
    tool = command.split()[0]
    if not shutil.which(tool):
        pytest.skip(f"{tool} is not installed: its command is not tried")
    os.symlink(BINARY, tmp_path / "gpureduce")
    done = subprocess.run(
        ["bash", "-c", f"set -o pipefail; {command} -f csv -o sum"],
        cwd=tmp_path, capture_output=True, text=True, timeout=60,
        env={**os.environ, "PATH": f"{tmp_path}:{PATH}"})
    assert (done.returncode, done.stdout) == (0, f"{value}\n"), (command, done)
