# SPDX-License-Identifier: MIT
"""Integers in text that f64 cannot hold: exact results, or a note about
rounding."""

import json
from decimal import Decimal

import pytest

import oracle
from harness import check, gpus, run, values

OPS = [op for op in oracle.OPS if op != "prod"]


def draw(rng):
    """Returns a cell's text and its value: wide integers among numbers of all
    sizes."""
    kind = rng.randrange(6)
    if kind == 0:
        x = rng.choice([1.5, -0.0, 2.0**53, 1e300, -1e-300, 3.0])
        return repr(x), x
    if kind == 1:
        x = rng.choice([-1, 1]) * rng.getrandbits(rng.randrange(54, 65))
        x &= rng.choice([-1, -2048])    # f64 can hold every one of these
    elif kind == 2:
        x = rng.choice([-1, 1]) * (2**53 + rng.randrange(-2, 9))
    elif kind == 3:
        x = rng.choice([-1, 1]) * (2**64 - 1 - rng.randrange(3))
    else:
        x = rng.randrange(-1000, 1000)
    return str(x), float(x) if float(x) == x else x


@pytest.mark.parametrize("size", [1, 7, 3000])
@pytest.mark.parametrize("turn", range(4))
def test_exact(tmp_path, rnd, size, turn):
    cells = [draw(rnd) for _ in range(size)]
    path = tmp_path / "w.csv"
    path.write_text("a\n" + "".join(text + "\n" for text, _ in cells))
    elements = [value for _, value in cells]
    variants = [["-j1"], ["-j3", "--chunk-size", "64"]]
    for how in variants + [["--device", "gpu"]] * bool(gpus()):
        check(elements, "f64", *how, path, ops=OPS)


def test_all_are_wide(tmp_path):
    path = tmp_path / "w.csv"
    elements = [2**53 + 1, 2**63 + 3, -2**53 - 3, 2**64 - 1, 2**53 + 1]
    path.write_text("a\n" + "".join(f"{x}\n" for x in elements))
    check(elements, "f64", path, ops=OPS)


@pytest.mark.parametrize("each, span", [(1, 40), (1, 3), (50, 40), (50, 10**6)])
def test_percentiles_of_neighbours(tmp_path, rnd, each, span):
    """Of 100 * each + 1 integers, each percentile is one of them."""
    path = tmp_path / "w.csv"
    elements = [rnd.choice([-1, 1]) * (2**53 + rnd.randrange(span))
                for _ in range(100 * each + 1)]
    path.write_text("a\n" + "".join(f"{x}\n" for x in elements))
    elements.sort()
    want = {f"p{p}": elements[p * each] for p in range(3, 98, 2)
            if p not in (25, 75)}
    for how in ["-j1"], ["-j3", "--chunk-size", "64"], ["-o", "mode"]:
        got = values(*how, "-o", ",".join(want), path)
        assert {p: int(Decimal(got[p])) for p in want} == want, how


@pytest.mark.parametrize("more", [
    [], ["--where", "b != 2"], ["--by", "b"], ["--by", "b", "--where", "b != 2"],
    ["-e", "z = a"]])
def test_products_round_their_own_values_only(tmp_path, rnd, more):
    """Other results are those without prod, and the product is that of the
    rounded numbers in the same order."""
    cells, keys = [], []
    for _ in range(300):
        x = rnd.choice([-2**53 - 1, 2**64 - 1, 2**53 + 2, 2**60 + 7])
        cells += rnd.sample([str(x), repr(rnd.uniform(0.9, 1.1) / x), ""], 3)
        keys += [rnd.randrange(3)] * 3
    wide, rounded = tmp_path / "w.csv", tmp_path / "r.csv"
    for path, suffix in (wide, ""), (rounded, ".0"):
        path.write_text("a,b\n" + "".join(
            f"{a}{suffix * a.lstrip('-').isdigit()},{b}\n"
            for a, b in zip(cells, keys)))
    columns = "a,z" if "-e" in more else "a"
    others = "max,argmax,absmin,sum,count"

    def table(ops, path, *how):
        out = run("-c", columns, "-o", ops, "-O", "json", *more, *how, path)
        assert out.rc == 0, out
        return json.loads(out.out)["results"]

    want = [{**x, "prod": y["prod"]} for x, y in zip(
        table(others, wide), table("prod,count", rounded))]
    assert not {0, float("inf")} & {abs(float(x["prod"])) for x in want}
    for how in ["-j1"], ["-j3", "--chunk-size", "64"]:
        assert table(others + ",prod", wide, *how) == want, how


def test_assertions_about_products(tmp_path):
    path = tmp_path / "w.csv"
    path.write_text("a\n9007199254740993\n9007199254740992\n")
    out = run("-o", "max,nunique", "--assert", "prod > 0", path)
    assert (out.rc, out.out) == (0, "max\t9007199254740993\nnunique\t2\n"), out


@pytest.mark.parametrize("text, wide", [
    ("9007199254740993", True), ("9007199254740992", False),
    ("9007199254740994", False), ("100000000000000000000", False),
    ("100000000000000000001", True), ("9007199254740993.0", False),
    ("1e400", False), ("-18446744073709551617", True), ("9" * 400, True),
    ("0" * 40 + "7", False)])
def test_notes(tmp_path, text, wide):
    """prod uses f64, and so does everything beyond 64 bits."""
    path = tmp_path / "w.csv"
    path.write_text(f"a\n1\n{text}\n")
    result = run("--op", "prod", path)
    assert result.rc == 0
    assert ("rounded 1 integer " in result.err) == wide, result
    assert wide or result.err == ""


COLUMN, REMEDY = " in column 'a'", "; -t i64 or -t u64 reads 64 bits exactly"


@pytest.mark.parametrize("wide, args, end", [
    (2**53 + 1, "-c a -o prod", COLUMN + REMEDY),
    (2**53 + 1, "--by k -c a -o prod", COLUMN + REMEDY),
    # Which column it is, is not known beside expressions and weights.
    (2**53 + 1, "-c a -o prod --where b>0", REMEDY),
    # Computed columns stay f64.
    (2**53 + 1, "-c a,z -o prod -e z=b*2", ""),
    (2**64 + 1, "-c a -o sum", COLUMN), (2**64 + 1, "--by k -c a -o var", COLUMN),
    (2**64 + 1, "-c a -o sum --where b>0", REMEDY),
    (2**64 + 1, "-c a -o sum --weights b", REMEDY),
    (2**64 + 1, "-c a,b -o cov", REMEDY)])
def test_whether_another_dtype_helps(put, wide, args, end):
    path = put("w.csv", b"k,a,b\nr,%d,1\nr,5,2\ns,7,1\n" % wide)
    assert run(*args.split(), path).err.splitlines()[0] == (
        f"gpureduce: {path}: rounded 1 integer that f64 cannot hold{end}")


def test_beyond_64_bits_is_noted(tmp_path):
    path = tmp_path / "w.csv"
    path.write_text("a,b\n1,2\n-36893488147419103233,4\n")
    result = run("-c", "1,2", "-o", "min", path)
    assert result.rc == 0 and result.out.split("\n")[1] == \
        "a\t-3.6893488147419103e+19"
    # Only products round smaller integers, which another type would hold.
    assert result.err.endswith(" in column 'a'\n")
    assert "-t i64" in run("-c", "1,2", "-o", "prod", path).err


def test_all_digits_of_integers_that_f64_holds(tmp_path):
    """1.8446744073709553e+18 would be another number than the one in the
    text."""
    path = tmp_path / "w.csv"
    path.write_text("id\n1844674407370955264\n-9223372036854775808\n5\n")
    ok = run("-o", "min,max,first,absmax,mode,p99", "--interpolation", "higher",
             path)
    assert ok.out == ("min\t-9223372036854775808\nmax\t1844674407370955264\n"
                      "first\t1844674407370955264\n"
                      "absmax\t9223372036854775808\n"
                      "mode\t-9223372036854775808\np99\t1844674407370955264\n")


@pytest.mark.parametrize("cells", [("1152921504606846976.0", 2**60),
                                   (2**60, "1152921504606846976.0")])
def test_of_equal_ones_the_first_counts(tmp_path, cells):
    path = tmp_path / "w.csv"
    path.write_text("id\n" + "".join(f"{x}\n" for x in cells))
    ok = run("-o", "argmin,argmax", path)
    assert ok.out == "argmin\t0\nargmax\t0\n"


@pytest.mark.parametrize("cells,want", [
    ("inf 9007199254740993", "inf"), ("-inf 9007199254740993", "inf"),
    ("-inf inf 9007199254740993", "inf"), ("nan 9007199254740993", "nan"),
    ("-9007199254740993 inf", "inf"), ("-9007199254740993 -inf", "inf"),
    ("inf inf", "nan"), ("-inf -inf", "nan"), ("-inf 1e308", "inf")])
def test_range_to_infinity(cells, want):
    text = "a\n" + cells.replace(" ", "\n") + "\n"
    for more in [], ["--digits", "2"]:
        assert run("-f", "csv", "-o", "range", *more, stdin=text.encode()).out == (
            want + "\n")
