# SPDX-License-Identifier: MIT
"""--reduce against a tree of Python's numbers: the same bits for all formats,
chunks and threads."""

import math
import random
import re
import shlex
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from harness import ROOT, fails, ok, run


def tree(values, combine):
    """Combines neighbours, level by level; the last of an odd number waits."""
    while len(values) > 1:
        pairs = zip(values[::2], values[1::2])
        values = [combine(a, b) for a, b in pairs] + \
            values[len(values) & ~1:]
    return values[0]


def log_sum(a, b):
    if a == b:
        return a + math.log(2)
    return max(a, b) + math.log(1 + math.exp(-abs(a - b)))


# The expression, its identity as text and value, and what it computes.
FLOATS = [
    ("max(a, b)", "-inf", -math.inf,
     lambda a, b: math.nan if a != a or b != b else max(a, b)),
    ("a + b", "0", 0.0, lambda a, b: a + b),
    ("a * b", "1.0", 1.0, lambda a, b: a * b),
    # These are not associative: they depend on the tree, and on which is a.
    ("a - 2 * b", "0", 0.0, lambda a, b: a - 2 * b),
    ("a > 0 ? b / 3 : a * 0.5 + b", "1", 1.0,
     lambda a, b: b / 3 if a > 0 else a * 0.5 + b),
    ("a < b ? 1 : 0", "7", 7.0, lambda a, b: float(a < b)),
]
INTEGERS = [
    ("min(a + b, 255)", "0", 0, lambda a, b: min(a + b, 255)),
    ("gcd(a, b)", "0", 0, math.gcd),
    ("(a * 3 - b) % 1000003", "5", 5,
     lambda a, b: int(math.fmod(a * 3 - b, 1000003))),
    ("max(a, b)", "-1", -1, max),
    ("b", "0", 0, lambda a, b: b),
    ("a > b", "0", 0, lambda a, b: int(a > b)),
    ("(a + b) / 2", "0", 0.0, lambda a, b: (a + b) / 2),
]


def how(rnd):
    return ["-j", str(rnd.randrange(1, 5)), "--chunk-size",
            str(rnd.choice((100, 4096, 70000, 1 << 20)))]


def same(got, want):
    if isinstance(want, int):
        return int(got) == want
    return got == "nan" if want != want else float(got) == want


class Table:
    """Runs many commands in parallel, then compares."""

    def __init__(self):
        self.cases = []

    def add(self, want, *args):
        self.cases.append((want, args))

    def check(self):
        with ThreadPoolExecutor(4) as pool:
            results = list(pool.map(lambda c: run(*c[1]), self.cases))
        wrong = [(args, want, r) for (want, args), r in
                 zip(self.cases, results)
                 if r.rc or len(r.out.split()) != len(want) or
                 not all(map(same, r.out.split(), want))]
        assert not wrong, wrong[:3]


def test_elements(tmp_path):
    """Raw data, arrays, --where, --map, --nan skip and several files, each
    with some of the expressions."""
    rnd = random.Random(1)
    draw = np.random.default_rng(1)
    table = Table()
    for n in 1, 3, 4097, 20001:
        floats = draw.normal(size=n).round(3)
        whole = draw.integers(-500, 500, n)
        path = {name: str(tmp_path / f"{n}.{name}") for name in
                ("f64", "f32", "i64", "npy", "u8")}
        floats.tofile(path["f64"])
        floats.astype("f4").tofile(path["f32"])
        whole.tofile(path["i64"])
        np.save(path["npy"], whole.astype(">i4"))
        whole.astype("u1").tofile(path["u8"])
        real, short = floats.tolist(), floats.astype("f4").tolist()
        whole = whole.tolist()
        for text, option, identity, f in FLOATS:
            forms = [
                (real, path["f64"]),
                (short, path["f32"]),
                ([x if x > 0.5 else identity for x in real],
                 "--where", "x > 0.5", path["f64"]),
                ([x * x for x in real + real],
                 "--map", "x * x", path["f64"], path["f64"]),
                ([identity if x < 0 else x * 2 for x in real], "--nan", "skip",
                 "--map", "x < 0 ? nan : x * 2", path["f64"])]
            for values, *args in rnd.sample(forms, 2):
                table.add([tree(values, f)], "--reduce", text, "--identity",
                          option, *how(rnd), *args)
        for text, option, identity, f in INTEGERS:
            forms = [
                (whole, path["i64"]),
                (whole, path["npy"]),
                ([x & 255 for x in whole], path["u8"]),
                ([x + 3 if i % 3 else identity for i, x in enumerate(whole)],
                 "--where", "i % 3 != 0", "--map", "x + 3", path["i64"])]
            for values, *args in rnd.sample(forms, 2):
                table.add([tree(values, f)], "--reduce", text, "--identity",
                          option, *how(rnd), *args)
    # Chunks of 3 * 8192 elements do not end where subtrees of the tree do.
    octets = draw.integers(0, 256, 60001, "u1")
    octets.tofile(tmp_path / "odd.u8")
    for threads in 1, 3:
        table.add([tree(octets.tolist(), lambda a, b: a - 2 * b)], "--reduce",
                  "a - 2 * b", "--identity", "0", "-f", "raw", "-j", threads,
                  "--chunk-size", "24K", tmp_path / "odd.u8")
    table.check()


def write(path, rows):
    with open(path, "w", encoding="ascii") as file:
        file.write("p,q,r\n")
        for p, q, r in rows:
            file.write(f"{'' if p is None else p},{q},{r}\n")


def test_records(tmp_path):
    """Columns of text: missing cells and records left out keep their places."""
    rnd = random.Random(2)
    table = Table()
    whole = [INTEGERS[0], INTEGERS[4],
             ("gcd(a, b)", "0", 0, lambda a, b: math.gcd(int(a), int(b)))]
    for n in 1, 5, 9000:
        path, more = tmp_path / f"{n}.csv", tmp_path / f"{n}b.csv"
        rows = [[rnd.choice((rnd.randrange(-99, 99), None)),
                 rnd.randrange(1000) / 8, rnd.randrange(9)] for _ in range(n)]
        write(path, rows)
        write(more, rows[::-1])
        for text, option, identity, f in FLOATS + whole:
            command = ["--reduce", text, "--identity", option, *how(rnd)]
            identity = float(identity)
            table.add([float(tree([identity if row[0] is None else
                                   float(row[0]) for row in
                                   rows + rows[::-1]], f))],
                      *command, "-c", "p", path, more)
            table.add([float(tree([identity if row[2] < 3 or row[0] is None
                                   else float(row[0]) for row in rows], f))],
                      *command, "-c", "p", "--where", "r >= 3", path)
            table.add([float(tree([identity if row[0] is None else
                                   float(row[0] * row[2]) for row in rows],
                                  f))],
                      *command, "--map", "p * r", path)
    table.check()
    for n in 5, 9000:
        want = [sum(float(line.split(",")[c] or 0) for line in
                    (tmp_path / f"{n}.csv").read_text().split()[1:])
                for c in range(3)]
        assert ok("--reduce", "a + b", "--identity", "0", "-O", "csv",
                  *how(rnd), tmp_path / f"{n}.csv").split()[1:] == \
            [f"{name},{x:.10g}" for name, x in zip("pqr", want)]


def test_log_sum_exp(tmp_path):
    """Functions of the C library give the same bits for all chunks, and are
    near."""
    x = np.random.default_rng(3).normal(size=30000) * 30
    x.tofile(tmp_path / "x.f64")
    command = ("--reduce", "a == b ? a + log(2) : "
               "max(a, b) + log(1 + exp(-abs(a - b)))", "--identity", "-inf",
               tmp_path / "x.f64")
    rnd = random.Random(3)
    got = {ok(*command, *how(rnd)).strip() for _ in range(4)}
    assert len(got) == 1
    assert float(got.pop()) == pytest.approx(tree(x.tolist(), log_sum))


def test_partials_of_conditions_are_bools(put):
    path = put("a.u8", bytes([1, 2, 3]))
    for least, want in (0, "1\n"), (1, "0\n"):
        assert ok("--map", f"x > {least}", "--reduce", "a && b", "--identity",
                  "true", path) == want


def test_integers_stay_exact(tmp_path):
    """Integers of 64 bits stay exact; beyond, the message names the
    elements."""
    top = (1 << 64) - 1
    np.array([3, top, 1 << 63, 5] * 9000, "u8").tofile(tmp_path / "u.u64")
    np.array([1 << 60] * 9 + [3] * 20000).tofile(tmp_path / "i.i64")
    most = "--reduce", "max(a, b)", "--identity", "0"
    add = "--reduce", "a + b", "--identity", "0"
    assert ok(*most, tmp_path / "u.u64") == f"{top}\n"
    assert ok("--reduce", "min(a, b)", "--identity", top, "--where", "x > 5",
              tmp_path / "u.u64") == f"{1 << 63}\n"
    assert ok(*most, "--map", "x * 7", tmp_path / "i.i64") == f"{7 << 60}\n"
    assert ok(*add, tmp_path / "i.i64") == f"{(9 << 60) + 60000}\n"
    for size in 4096, 1 << 20:
        err = fails(1, *add, "--map", "x * 2", "--chunk-size", size,
                    tmp_path / "i.i64")
        assert err.startswith(
            f"gpureduce: {tmp_path}/i.i64: elements 0 to 7: --reduce: the "
            "integer has over 64 bits here\n  a + b\n    ^\n"), err
    (tmp_path / "t.csv").write_text("x\n" + f"{(1 << 53) + 1}\n" * 3)
    assert ok(*most, "-t", "i64", tmp_path / "t.csv") == f"{(1 << 53) + 1}\n"
    assert "records 0 to 1: --reduce: an integer that a float cannot hold" in \
        fails(1, *most, tmp_path / "t.csv")
    np.array([True, False, True] * 5).tofile(tmp_path / "b.bool")
    assert ok("-t", "bool", "--reduce", "a != b", "--identity", "false",
              tmp_path / "b.bool") == "0\n"
    assert ok("-t", "bool", *add, tmp_path / "b.bool") == "10\n"
    fails(2, *add, "--compare", tmp_path / "b.bool",
          says="--reduce and --compare exclude each other\n")


@pytest.mark.parametrize("n, places, last", [
    (7, (4, 6), 6),            # the last of an odd number joins two
    (5, (0, 4), 4),
    (2048, (1024, 1536), 2047),  # of two chunks of 4096 bytes
    (9000, (0, 5000), 8191),   # of two blocks of a chunk
])
def test_messages_name_the_first_pair_without_a_value(put, n, places, last):
    """2**63 + 2**63 has over 64 bits. The pair is the same for all chunks."""
    values = np.zeros(n, "u8")
    values[[*places]] = 1 << 63
    data, none = put("x.u64", values.tobytes()), put("none.u64", b"")
    table = put("x.csv", b"x\n" + b"\n".join(b"%d" % x for x in values) + b"\n")
    text = (f"s {min(places)} to {last}: --reduce: the integer has over 64 bits "
            "here\n  a + b\n    ^\n")
    add = "--reduce", "a + b", "--identity", "0"
    for size in "4096", "1M":
        how = *add, "-j", "2", "--chunk-size", size
        assert fails(1, *how, data) == f"gpureduce: {data}: element{text}"
        assert fails(1, *how, data, none) == f"gpureduce: element{text}"
        assert fails(1, *how, "-t", "u64", table) == f"gpureduce: {table}: record{text}"


@pytest.mark.parametrize("expr, values", [
    ("a + b", [-2**53 - 1, 3]),  # in the first record
    ("a + b", [1, 2, 3, -2**53 - 1]),
    ("a + b / 2", np.array([3, -2**53 - 1])),
    ("a + b / 2", np.array([3, 2**53 + 1])),
])
def test_integers_that_floats_cannot_hold_are_no_partials(put, expr, values):
    """The last pair of values has none."""
    if isinstance(values, list):
        lines = "\n".join(map(str, ["x", *values]))
        data, item = put("x.csv", lines.encode()), "record"
    else:
        data, item = put("x.i64", values.tobytes()), "element"
    items = f"{item}s {len(values) - 2} to {len(values) - 1}"
    assert fails(1, "--reduce", expr, "--identity", "0", data) == (
        f"gpureduce: {data}: {items}: --reduce: an integer that a float cannot hold "
        f"is among the partials; integers alone are exact\n  {expr}\n  ^\n")


def test_a_result_may_be_an_integer_that_a_float_holds(put):
    """The partials are floats, as the elements are."""
    data = put("x.f64", np.arange(4, 0, -1.0).tobytes())
    args = "--identity", "0", data
    assert ok("--reduce", "a > b ? 9007199254740992 : 1", *args) == "1\n"
    assert ok("--reduce", "a > b ? -9007199254740992 : b", *args) == \
        "-9007199254740992\n"
    assert fails(2, "--reduce", "a + b", "--identity", "9007199254740993",
                 data).startswith(
        "gpureduce: --identity: the partials are floats, which cannot hold this "
        "integer\n  9007199254740993\n  ^\n")
    fails(1, "--reduce", "a > b ? -9007199254740993 : 0", *args,
          says=f"{data}: elements 0 to 1: --reduce: the partial is an integer that")
    assert fails(1, "--reduce", "a > b ? 9007199254740993 : 0", *args) == (
        f"gpureduce: {data}: elements 0 to 1: --reduce: the partial is an integer "
        "that a float cannot hold\n  a > b ? 9007199254740993...\n  ^\n")


def test_the_first_of_many_failures_is_reported(put):
    """All chunks of 300 bytes fail."""
    data = put("x.csv", b"x\n" + b"%d\n" % (1 << 61) * 20_000)
    for threads in 1, 3, 4:
        assert "x.csv: records 0 to 7: --reduce: the integer has over 64 bits" in \
            fails(1, "--reduce", "a + b", "--identity", "0", "-t", "i64", "-j",
                  threads, "--chunk-size", "300", data)


def test_nan_skip_leaves_integers_as_they_are(put):
    """-1 has the bits of a NaN."""
    data = put("x.i64", np.array([-1, 5, 7, -1]).tobytes())
    assert ok("--reduce", "a + b", "--identity", "0", "--nan", "skip",
              data) == "10\n"


def test_examples_of_the_manual():
    """The manual's examples print what it shows, with the samples that it
    names."""
    page = (ROOT / "man" / "gpureduce.1").read_text(encoding="utf-8")
    lines = re.findall(r"^gpureduce (\\-\\-reduce .*)$", page, re.M)
    x = np.fromfile(ROOT / "samples" / "sensor.f32", "f4").astype("f8")
    wave = np.fromfile(ROOT / "samples" / "wave.i16", "i2")
    want = [x.max(), math.exp(math.fsum(np.log1p(x / 1e6))), 255,
            math.log(math.fsum(np.exp(x - 20))) + 20,
            6 * np.gcd.reduce(wave)]
    got = [float(ok(*shlex.split(line.replace("\\-", "-")), cwd=ROOT))
           for line in lines]
    assert got == pytest.approx(want, rel=1e-12)


def test_beside_others(tmp_path):
    """--reduce with other operations, no data, --per-file, --commutative,
    --assert."""
    (tmp_path / "t.csv").write_text("x\n" + "4\n-1\n" * 5000)
    (tmp_path / "empty.csv").write_text("x\n")
    (tmp_path / "none.f64").write_bytes(b"")
    most = "--reduce", "max(a, b)", "--identity", "-inf"
    assert ok(*most, tmp_path / "none.f64") == "-inf\n"
    assert ok("--reduce", "max(a, b)", "--identity", "0", "-t", "i16",
              tmp_path / "none.f64") == "0\n"
    assert ok(*most, "-o", "median,sum,reduce", "-O", "csv",
              tmp_path / "t.csv").split() == \
        ["median,sum,reduce", "1.5,15000,4"]
    assert ok(*most, "--commutative", "-j", "3", "--chunk-size", "500",
              tmp_path / "t.csv") == "4\n"
    assert ok(*most, "--per-file", "--verify", tmp_path / "t.csv",
              tmp_path / "t.csv").count("\t4\n") == 2
    assert ok(*most, "--verify", tmp_path / "t.csv") == "4\n"
    r = run(*most, "--assert", "reduce < 4", tmp_path / "t.csv")
    assert r.rc == 4 and r.out == "4\n"
    fails(1, "--reduce", "a * b", "--identity", "1", "-t", "i64", "-j", "1",
          "--commutative", tmp_path / "t.csv", says=["counted from line 2 on"])
    raw = tmp_path / "r.f64"
    raw.write_bytes(bytes(16))
    for file, args, how in [
            (tmp_path / "t.csv", ["--commutative"], "in any order"),
            (tmp_path / "t.csv", [], "in a tree fixed by the index"),
            (raw, ["--commutative"], "in a tree fixed by the index")]:
        assert f"\nreduce\tmax(a, b) (on the CPU, {how})\n" in ok(
            "--explain", *args, *most, file)


def test_a_rounded_integer_is_noted(tmp_path):
    path = tmp_path / "wide.csv"
    path.write_text("x\n18446744073709551617\n1\n")
    r = run("--reduce", "a + b", "--identity", "0", path)
    assert (r.rc, r.out) == (0, "1.8446744073709552e+19\n")
    assert "rounded 1 integer that f64 cannot hold" in r.err
