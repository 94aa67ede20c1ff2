# SPDX-License-Identifier: MIT
"""--where, --let and --map against a tree-walking oracle, record by record, and
what users see of them."""

import math
import re
from fractions import Fraction

import numpy as np
import pytest

import expressions
from expressions import MISSING, Draw, Node, PRIMARY, Wrong
from harness import fails, gpus, ok, run

ROUNDED = re.compile(r"rounded (\d+) integers? that f64 cannot hold")
OPS = "count,n_missing,sum,min,max,argmin,argmax,first,last"


class Records(Draw):
    """Draws nodes over columns; `record` has the values to compute with."""

    def __init__(self, rnd, kinds):
        super().__init__(rnd, {**kinds, "true": ("bool", True),
                               "missing": ("bool", MISSING)})
        self.kinds, self.record = kinds, {}

    def name(self, of_bool):
        node = super().name(of_bool)
        text = node.text(None)
        if text not in self.kinds:
            return node
        return Node(PRIMARY, node.kind, node.text, lambda: self.record[text])

    def literal(self):
        node = super().literal()
        is_long = node.kind == "integer" and node.value() >= 1 << 64
        return self.literal() if is_long else node

    def values(self, node, records):
        """Returns the values of the records before the first that has none,
        and whether there is such a record."""
        values = []
        for self.record in records:
            try:
                values.append(node.value())
            except Wrong:
                return values, True
        return values, False


@pytest.fixture(autouse=True)
def integers_of_64_bits(monkeypatch):
    def integer(x):
        if not -(1 << 63) <= x < 1 << 64:
            raise Wrong("overflow")
        return x
    monkeypatch.setattr(expressions, "integer", integer)
    # The C library decides hypot's last bit.
    monkeypatch.delitem(expressions.PAIRS, "hypot")


def order(values, pick):
    """Returns the first NaN, or else the least or greatest value; and its
    index."""
    best = None
    for i, x in enumerate(values):
        if x is MISSING:
            continue
        if x != x:
            return x, i
        if best is None or pick(x, values[best]):
            best = i
    return (None, None) if best is None else (values[best], best)


def total(values):
    if any(x != x for x in values) or (math.inf in values
                                       and -math.inf in values):
        return math.nan
    for infinite in math.inf, -math.inf:
        if infinite in values:
            return infinite
    exact = sum(map(Fraction, values))
    try:
        return float(exact)
    except OverflowError:
        return math.inf if exact > 0 else -math.inf


def expected(values):
    present = [x for x in values if x is not MISSING]
    low, at = order(values, lambda a, b: a < b)
    high, to = order(values, lambda a, b: a > b)
    return {"count": len(present), "n_missing": len(values) - len(present),
            "sum": total(present), "min": low, "max": high, "argmin": at,
            "argmax": to, "first": present[0] if present else None,
            "last": present[-1] if present else None}


def same(got, want):
    if want is None:
        return got == ""
    if isinstance(want, int):   # bools, too
        return Fraction(got) == want
    return float(got) == want or (got == "nan" and want != want)


def how(rnd):
    return ["-j", str(rnd.randrange(1, 4)), "--chunk-size",
            str(rnd.choice((64, 700, 4096, 1 << 20)))]


def compare(draw, rnd, records, path, *args):
    """Runs one random --map; returns whether it had a value everywhere."""
    node = draw.number(rnd.randrange(1, 5))
    text = node.inside(0, rnd)
    values, is_wrong = draw.values(node, records)
    r = run("-o", OPS, "--empty", "identity", "--map", text, *args, *how(rnd),
            path)
    if is_wrong:
        assert r.rc == 1 and r.out == "", (text, r)
        where = f":{len(values) + 2}: --map" if path.endswith("csv") \
            else f"element {len(values)}: --map"
        assert where in r.err, (text, r)
        return False
    want = expected(values)
    assert r.rc == 0, (text, r)
    got = dict(line.split("\t") for line in r.out.splitlines())
    if want["count"]:
        for op, x in want.items():
            assert same(got[op], x), (text, op, got[op], x)
    assert got["count"] == str(want["count"]), text
    return True


def cell(x):
    return "" if x is MISSING else repr(x)


def table(rnd, n):
    pick = (0.0, -1.0, 1.5, 2.0, 0.1, -2.5, 1e17, 1e-300, 7.0)
    return [{"price": rnd.choice(pick + (MISSING,)), "qty": rnd.choice(pick),
             "index()": i} for i in range(n)]


TEXT_KINDS = {"price": ("float", 0), "qty": ("float", 0),
              "index()": ("integer", 0)}


@pytest.fixture
def records(rnd, put):
    rows = table(rnd, 900)
    path = put("t.csv", ("price,qty\n" + "".join(
        f"{cell(r['price'])},{cell(r['qty'])}\n" for r in rows)).encode())
    return rows, str(path)


def test_random_maps_of_text(rnd, records):
    rows, path = records
    draw = Records(rnd, TEXT_KINDS)
    had = [compare(draw, rnd, rows, path) for _ in range(40)]
    assert 5 < sum(had) < 40


def test_random_maps_of_elements(rnd, put):
    numbers = [rnd.choice((0, 1, -1, 5, 1000, -2 ** 31, 2 ** 31 - 1))
               for _ in range(900)]
    path = put("x.i32", np.array(numbers, "<i4").tobytes())
    rows = [{"x": x, "i": i} for i, x in enumerate(numbers)]
    draw = Records(rnd, {"x": ("integer", 0), "i": ("integer", 0)})
    had = [compare(draw, rnd, rows, str(path)) for _ in range(40)]
    assert 5 < sum(had) < 40


@pytest.mark.parametrize("dtype, three", [
    ("f8e4m3", "bc3844"), ("f8e5m2", "be3c42"), ("f16", "00be003c0042"),
    ("bf16", "c0bf803f4040"), ("f32", "0000c0bf0000803f00004040"),
    *((f"i{size}", "".join(x.to_bytes(size // 8, "little", signed=True).hex()
                           for x in (-2, 1, 3))) for size in (8, 16, 32, 64))])
def test_elements_of_every_width(put, dtype, three):
    """-2, or -1.5 of a float; then 1 and 3, all of them 700 times."""
    path = put("x." + dtype, bytes.fromhex(three) * 700)
    least = -2 if dtype[0] == "i" else -1.5
    add = "-f", "raw", "-t", dtype, "-o", "sum"
    assert ok(*add, "--map", "x * 2", path) == f"{1400 * (least + 4):.0f}\n"
    assert ok(*add, "--where", "x != 3", path) == f"{700 * (least + 1):.0f}\n"
    # No remainder of 5 % 0 is needed, but a batch of records would compute it.
    assert ok(*add, "--where", "x < 0 or 5 % i < 0", path) == f"{700 * least:.0f}\n"
    assert ok(*add, "--map", "x < 0 ? x : 5 % i * 0 + x", path) == \
        f"{700 * (least + 4):.0f}\n"


def test_random_conditions(rnd, records):
    """Counts, sums and indexes are those of the selected records."""
    rows, path = records
    draw, had = Records(rnd, TEXT_KINDS), 0
    for _ in range(40):
        node = draw.condition(rnd.randrange(1, 5))
        text = node.inside(0, rnd)
        values, is_wrong = draw.values(node, rows)
        r = run("-c", "qty", "-o", "rows,sum,argmin,last", "--empty",
                "identity", "--where", text, *how(rnd), path)
        if is_wrong:
            assert r.rc == 1, (text, r)
            assert f":{len(values) + 2}: --where" in r.err, (text, r)
            continue
        kept = [r["qty"] if v is True else MISSING
                for v, r in zip(values, rows)]
        want = expected(kept)
        got = dict(line.split("\t") for line in r.out.splitlines())
        assert r.rc == 0 and got["rows"] == str(want["count"]), (text, r)
        if want["count"]:
            had += 1
            for op in "sum", "argmin", "last":
                assert same(got[op], want[op]), (text, op, r)
    assert had > 10


CITIES = """city,price,day,note
Rome,10.5,2024-01-01,"a ""b"" c"
Oslo,3,2024-02-01,
Rome,7,2024-03-01,x
"New York",100,2024-04-01,"a,b"
Rome,12,2025-01-01,NA
,1,2025-01-02,
"""
# How many records are selected: counted by hand.
CONDITIONS = {
    "city == 'Rome'": 3, "city != 'Rome'": 2, "city == \"New York\"": 1,
    "ismissing(text(city))": 1, "not (city == 'Rome')": 2, "city in ('Oslo')": 1,
    "city not in ('Oslo', 'Rome')": 1, "city < 'P'": 2,
    "day >= '2024-03'": 4, "startswith(day, '2024')": 4,
    "endswith(city, 'e')": 3, "contains(city, ' ')": 1, "len(city) == 4": 4,
    "len(note) == 7": 1, "note == 'a \"b\" c'": 1, "contains(note, ',')": 1,
    "note == 'NA'": 1, "price > 5 && city == 'Rome'": 3,
    "price == '7'": 1, "price == 7": 1, "text(price) == '10.5'": 1,
    "len(price) > 1 and price > 11": 2, "$2 > 50": 1, "$4 == 'x'": 1,
    "num(price) == 3": 1,
    "coalesce(city, 'none') == 'none'": 1, "text(city) == note": 0,
    "(price > 5 ? text(city) : text(day)) == '2024-02-01'": 1, "index() % 2 == 1": 3,
    "price in (3, 7, 8)": 2, "true": 6, "missing": 0, "price > 1e9": 0,
    "`price` * 2 ** 2 > 40": 3, "round(price) == 11 || rint(price) == 10": 1,
}


@pytest.fixture
def cities(put):
    return str(put("c.csv", CITIES.encode()))


def test_conditions_on_texts(cities):
    for text, n in CONDITIONS.items():
        assert ok("-o", "rows", "--where", text, cities) == f"{n}\n", text


def test_long_lists(rnd, put):
    """A list of many constants selects what each of them alone would."""
    cells = [rnd.choice(["", "-0", "nan", "inf", "9007199254740993", "0.5"])
             if rnd.random() < 0.1 else str(rnd.randrange(-300, 300))
             for _ in range(3000)]
    path = put("l.csv", ("k,t\n" + "".join(f"{c},x{c}\n" for c in cells)).encode())
    raw = put("l.i16", np.array(range(-300, 300), "<i2").tobytes())
    for n in 2, 15, 16, 17, 500:
        few = [str(rnd.randrange(-400, 400)) for _ in range(n - 2)] + ["-7", "7"]
        numbers = {float(x) for x in few}
        listed = ", ".join(few)
        rows = [float(c) in numbers for c in cells if c]
        assert ok("-c", "k", "-o", "rows", "--where", f"k in ({listed})",
                  path) == f"{sum(rows)}\n"
        assert ok("-c", "k", "-o", "rows", "--where", f"k not in ({listed})",
                  path) == f"{len(rows) - sum(rows)}\n"
        assert ok("-c", "k", "-o", "rows", "--where",
                  f"k not in ({listed}, missing)", path) == "0\n"
        texts = [f"x{x}" for x in few]
        assert ok("-o", "rows", "--where", "t in (%s)" % str(texts)[1:-1],
                  path) == f"{sum('x' + c in texts for c in cells)}\n"
        assert ok("-o", "count", "--where", f"x in ({listed}, 0.5, nan, 1e30)",
                  raw) == f"{len(numbers & set(range(-300, 300)))}\n"
    odd = ", ".join(map(str, range(1, 40)))
    for item in "0", "nan", "inf", "9007199254740993", "0.5":
        want = sum(bool(c) and c == item or (item, c) == ("0", "-0")
                   for c in cells) if item != "nan" else 0
        plain = ok("-c", "k", "-o", "rows", "--where", f"k in ({item})", path)
        assert plain == f"{want}\n", item
        both = ok("-c", "k", "-o", "rows", "--where",
                  f"k in ({odd}, {item}) and not k in ({odd})", path)
        assert both == plain, item


def test_computed_columns(cities):
    assert ok("-e", "twice = price*2", "-o", "sum", cities) == \
        "column\tsum\nprice\t133.5\ntwice\t267\n"
    assert ok("-e", "a=price*2", "-e", "b=a+1", "-c", "b", "-o", "sum",
              cities) == "273\n"
    assert ok("-e", "a=price*2", "--map", "a+index()", "-o", "max",
              cities) == "203\n"
    for name in "AZaz09.9", "Z_", "az", "zA", "_0", "\u00e9":
        assert ok("-e", f"{name}=price", "--map", name, "-o", "sum",
                  cities) == "133.5\n", name
    assert ok("-e", "price > 5", "-o", "mean", cities) == \
        "0.6666666666666666\n"
    assert ok("-e", "`my name`=len(city)", "-c", "my name", "-o",
              "max,n_missing", "--where", "my_ < 9", "-e", "my_=price",
              cities) == "max\t4\nn_missing\t1\n"
    assert ok("-e", "t=price*2", "--assert", "max(t) == 200", "-c", "t", "-o",
              "argmax", "--where", "city != 'Oslo'", cities) == "3\n"


class Chain:
    """Draws formulas that read earlier ones, over columns x and y of which y
    has missing values, and computes them by NumPy."""

    def __init__(self, rnd, rng, n):
        self.rnd, self.n = rnd, n
        self.value = {"x": rng.integers(0, 10, n), "y": rng.integers(0, 10, n)}
        self.missing = {"x": np.zeros(n, bool), "y": rng.random(n) < 0.01}
        # In most batches of 512 nothing is missing.
        self.missing["y"][rng.integers(0, n, n // 700)] = True
        self.missing["y"] &= np.arange(n) // 512 % 3 == 1

    def table(self):
        cells = np.where(self.missing["y"], "", self.value["y"].astype(str))
        return "x,y\n" + "".join(f"{x},{y}\n" for x, y in
                                 zip(self.value["x"], cells))

    def let(self, name):
        a, b = self.rnd.choices([*self.value][-9:], k=2)
        (u, v), (no_u, no_v) = ([of[a], of[b]] for of in (self.value, self.missing))
        either = no_u | no_v
        text, self.value[name], self.missing[name] = self.rnd.choice([
            (f"({a} + {b} * 3) % 97", np.fmod(u + v * 3, 97), either),
            (f"({a} - {b}) % 31", np.fmod(u - v, 31), either),
            (f"({a} > {b}) + 0", (u > v) + 0, either),
            (f"coalesce({a}, {b}, 1)", np.where(
                no_u, np.where(no_v, 1, v), u), np.zeros(self.n, bool)),
            (f"ismissing({a}) ? 5 : {b}", np.where(no_u, 5, v), ~no_u & no_v)])
        return ["-e", f"{name}={text}"]


# So many formulas over 60,000 records exceed what is kept of a large chunk.
@pytest.mark.parametrize("n, sizes", [(3000, ("700", "4K", "1M")),
                                      (60_000, ("8M", "100K"))])
@pytest.mark.parametrize("condition", [None, "x > 8", "w20 > 3"])
def test_formulas_of_formulas(rnd, rng, put, n, sizes, condition):
    chain = Chain(rnd, rng, n)
    lets = [x for i in range(60) for x in chain.let(f"w{i}")]
    path = put("w.csv", chain.table().encode())
    chosen = np.ones(n, bool)
    if condition:
        name, _, least = condition.split()
        chosen = ~chain.missing[name] & (chain.value[name] > int(least))
        lets += ["--where", condition]
    want = {name: (value[chosen & ~chain.missing[name]].sum(),
                   (chosen & chain.missing[name]).sum())
            for name, value in chain.value.items()}
    for size in sizes:
        lines = ok(*lets, "-o", "sum,n_missing", "--empty", "identity", "-j", "2",
                   "--chunk-size", size, path).splitlines()
        got = {name: (int(total), int(missing)) for name, total, missing in
               (line.split("\t") for line in lines[1:])}
        assert got == want, (size, lets)


@pytest.mark.parametrize("args,count,noted", [
    (["--where", "2020 > 3", "-c", "2019"], "2", True),
    (["--where", "`2020` > 3", "-c", "2019"], "1", False),
    (["--where", "$3 < 2020", "-c", "2019"], "2", False),
    (["--where", "index() < 2020", "-c", "2019"], "2", False),
    (["--where", "2021 > 3", "-c", "2019"], "2", False),
    (["--where", "2020 > 3", "-c", "2", "--header", "no"], "3", False),
    (["--where", "(2020 > 3) && id > 4", "-c", "2019"], "1", True),
    (["--where", "id > 4 or 2020 < 3.5", "-c", "2019"], "1", True),
    (["--map", "2020 * 2", "--header", "yes"], "2", True)])
def test_a_number_that_is_the_name_of_a_column_is_noted(put, args, count,
                                                        noted):
    path = put("t.csv", b"id,2019,2020\n4,5,1\n6,7,9\n")
    result = run(*args, "-o", "count", path)
    assert (result.rc, result.out) == (0, count + "\n"), result
    assert result.err == (
        f"gpureduce: {path}: 2020 is a constant in {args[0]}; the column of "
        "this name is written `2020`, in backquotes, or $3\n" if noted else "")


def test_each_constant_of_an_expression_is_noted_once(put):
    path = put("t.csv", b"id,2019,2020\n4,5,1\n")
    result = run("--header", "yes", "--map", "2019", "--where",
                 "2020 > 5 or 2019 > 5 or 2020 > 4", "-o", "rows", path)
    assert (result.rc, result.err) == (0, "".join(
        f"gpureduce: {path}: {name} is a constant in {option}; the column of this "
        f"name is written `{name}`, in backquotes, or ${field}\n"
        for name, option, field in (("2019", "--map", 2), ("2020", "--where", 3),
                                    ("2019", "--where", 2))))


def test_a_word_that_is_the_name_of_a_column_is_noted(put):
    """Also where the expression reads columns; --assert refuses it."""
    names = b"true", b"false", b"missing", b"inf", b"nan", b"0.5", b"1e3"
    path = put("t.csv", b"id," + b",".join(names) + b"\n1,2,3,4,5,6,7,8\n")
    names = [*map(bytes.decode, names)]
    for name in names:
        other = "" if name[0].isdigit() else " or id < 0"
        noted = run("--where", f"{name} == {name}{other}", "-o", "rows", "--header",
                    "yes", path)
        assert (noted.rc, noted.err) == (0, (
            f"gpureduce: {path}: {name} is a constant in --where; the column of "
            f"this name is written `{name}`, in backquotes, or ${names.index(name) + 2}"
            "\n")), noted
        fails(2, "-c", name, "--assert", f"max({name}) > 0", path,
              says=f"{name} is a constant; a column of this name is written `{name}`")
        ok("-c", name, "--assert", f"max(`{name}`) > 0", path)


def test_columns_in_the_order_asked_for(rnd, put):
    """A name wins over a number, and a column that is asked for twice has its
    first place."""
    names = ["a", "bb", "c,d", "4", "2", 'x"y']
    path = put("o.csv", b'a,bb,"c,d",4,2,"x""y"\n1,2,3,4,5,6\n')
    items = {"a": ["a"], "bb": ["bb"], '"c,d"': ["c,d"], "4": ["4"], "2": ["2"],
             "t": ["t"], "u": ["u"], "1": ["a"], "3": ["c,d"], "5": ["2"],
             "3-": names[2:], "1-3": names[:3], "5-5": ["2"], " a ": ["a"],
             '"x""y"': ['x"y'], ' "4" ': ["4"], " 1": ["a"], '"3"': ["c,d"]}
    for _ in range(60):
        picked = rnd.sample(list(items), rnd.randrange(1, 7))
        want = list(dict.fromkeys(n for x in picked for n in items[x]))
        lets = [x for name, expr in (("t", "t=a+bb"), ("u", "u=a*bb"))
                if name in picked for x in ("-e", expr)]
        listed = ",".join(picked).replace("u", ' "u" ')
        out = ok(*lets, "--header", "yes", "-c", listed, "-o", "sum,max",
                 path).splitlines()
        assert [line.split("\t")[0] for line in out[1:]] == want or \
            len(want) == 1, picked
    for listed in "t,", ",t", "a,,t":
        fails(2, "-e", "t=a+bb", "-c", listed, path, says="no column ''")


def test_a_computed_column_is_reduced_once(put):
    path = put("o.csv", b"a,b\n1,2\n3,4\n")
    assert ok("-e", "t=a*2", "-c", "t,t", "-o", "sum", path) == "8\n"
    assert ok("-e", "t=a*2", "-c", "t,2-,t", "-o", "sum", path) == (
        "column\tsum\nt\t8\nb\t6\n")
    assert ok("-e", "t=a*2", "-c", "2-,t,1", "-o", "sum", path) == (
        "column\tsum\nb\t6\nt\t8\na\t4\n")


def test_names_of_computed_columns(put):
    """Any name, also of bytes 0x80, a word of expressions in backquotes, or one
    that is longer than these words."""
    path, raw = put("o.csv", b"a,b\n1,2\n3,4\n"), put("a.u8", bytes([1, 2, 3]))
    for name in "À", "`not`", "abcdefghijklmnop", "t\t":
        assert ok("-e", f"{name}=a*2", "-c", name.strip("`\t"), "-o", "sum",
                  path) == "8\n"
    assert ok("-e", "y=x*2", "--map", "y+1", "-o", "sum", raw) == "15\n"
    for first, use in ([], "i"), (["-e", "y=x"], "i+y"):
        fails(2, *first, "-e", "i=x*2", "--map", use, raw,
              says="x is the value and i its index")


def test_integers_beyond_f64(put):
    path = put("w.csv", b"v\n9007199254740993\n9007199254740992\n2\n")
    assert ok("-o", "rows", "--where", "v == 9007199254740993", path) == "1\n"
    assert ok("-o", "min,max", "--map", "v", path) == \
        "min\t2\nmax\t9007199254740993\n"
    assert ok("-o", "max", "--map", "v + 1", path) == "9007199254740994\n"
    assert ok("-e", "y=v+1", "--map", "y*2", "-o", "max", path) == \
        "1.8014398509481988e+16\n"
    assert ok("-c", "v", "-o", "count,max", "--where", "v != 9007199254740992",
              path) == "count\t2\nmax\t9007199254740993\n"
    assert ok("-c", "v", "-o", "count,max", "--where", "v <= 9007199254740992",
              path) == "count\t2\nmax\t9007199254740992\n"
    fails(1, "-o", "max", "--map", "v * 0.5", path, says=("w.csv:2: --map",))
    fails(1, "-o", "max", "--map", "num(text(v))", path,
          says=("w.csv:2: --map: this text is an integer that f64 cannot hold",))
    path = put("n.csv", b"n,q\nx,1\ny,9007199254740993\n")
    fails(1, "-o", "rows", "--where", "n == 'y' && q / 2 > 1", path,
          says=("n.csv:3: --where: an integer that a float cannot hold",))
    path = put("t.csv", f"v,t\n{2**53 + 1},a\n3,\n-{2**60},b\n-{2**53 + 1},\n".encode())
    for where, rows in (f"v == -{2**60}", 1), (f"v == -{2**53 + 1}", 1), (
            f"t == 'b' or v > {2**53}", 2), (f"t != 'a' and v < {2**53}", 1), (
            "ismissing(text(t)) and v < 4", 2):
        assert ok("-o", "rows", "--where", where, path) == f"{rows}\n", where
    path = put("u.csv", f"u,v\n{2**53 + 1},{2**54 + 1}\n3,3\n{2**55 + 1},6\n".encode())
    assert ok("-o", "count,max,n_missing", "--where", "u != 3 and v < 7", path) == (
        f"column\tcount\tmax\tn_missing\nu\t1\t{2**55 + 1}\t0\nv\t1\t6\t0\n")
    assert ok("-o", "count,max,n_missing", "--where", "u != 3 and v > 2", path) == (
        f"column\tcount\tmax\tn_missing\nu\t2\t{2**55 + 1}\t0\n"
        f"v\t2\t{2**54 + 1}\t0\n")
    path = put("s.csv", f"s\n-{2**53 + 1}\n5\n".encode())
    assert ok("-o", "min", "--map", "s", path) == f"-{2**53 + 1}\n"
    path = put("s.i64", np.array([-2**53 - 1, 2**53 + 3, 5], "<i8").tobytes())
    assert ok("-o", "min,max", "--map", "x", path) == \
        f"min\t-{2**53 + 1}\nmax\t{2**53 + 3}\n"
    path = put("x.i64", np.array([2 ** 62, 5], "<i8").tobytes())
    assert ok("-o", "max", "--map", "x*2+1", path) == "9223372036854775809\n"
    fails(1, "-o", "max", "--map", "x*8", path, says=("element 0: --map",))


@pytest.mark.parametrize("first", [0, 2**60 + 1])
@pytest.mark.parametrize("most", [100, 700, 1400])
def test_places_beside_batches_of_another_kind(put, first, most):
    """Batches of 512 records: a great integer in the first one is computed by
    itself, and a cell of the last one is missing."""
    cells = [first, *range(1, 1536)]
    cells[most], cells[1100] = 5000, ""
    path = put("m.csv", ("v,w\n" + "".join(f"{x},1\n" for x in cells)).encode())
    total = sum(range(1536)) - most + 5000 - 1100
    assert ok("--map", "v > 1e17 ? 0 : v + 0", "-o", "argmax,sum,n_missing", path) \
        == f"argmax\t{most}\nsum\t{total}\nn_missing\t1\n"


def test_rejected_records_are_not_decoded(put):
    path = put("b.csv", b"a,b\n1,2\n2,bad\n3,4\n4,\n")
    assert ok("-c", "b", "-o", "sum", "--where", "a != 2", path) == "6\n"
    fails(1, "-c", "b", "-o", "sum", "--where", "a != 1", path,
          says=("b.csv:3:3: not a number: 'bad'",))
    fails(1, "-c", "a", "-o", "sum", "--where", "b != 2", path,
          says=("b.csv:3:3: not a number: 'bad'",))
    assert ok("-c", "b", "-o", "sum,n_bad,n_missing,rows", "--bad", "skip",
              "--where", "a > 1", path, "-q") == \
        "sum\t4\nn_bad\t1\nn_missing\t1\nrows\t3\n"
    assert ok("-c", "b", "-o", "sum", "--missing", "error", "--where",
              "a in (1, 3)", path) == "6\n"


@pytest.mark.parametrize("args, out, note", [
    (["--map", "a+b", "-o", "sum,n_missing"], "sum\t3\nn_missing\t2\n",
     "2 bad cells that expressions read: 1 in column 'a', 1 in column 'b'"),
    (["--map", "coalesce(a, 7)", "-o", "sum,median", "--verify"],
     "sum\t12\nmedian\t4\n", "1 bad cell that expressions read in column 'a'"),
    (["--where", "a > 0", "-c", "a", "-o", "sum"], "5\n",
     "1 bad cell that expressions read in column 'a'"),
    (["-e", "y=a+1", "-c", "a,y", "-o", "sum"], "column\tsum\na\t5\ny\t7\n",
     "1 bad cell in column 'a'"),
    # The last record is a chunk of its own, in which a is not read.
    (["-e", "y=a+1", "-c", "y", "-o", "sum", "--where", "k == 'x'", "-j1"], "2\n",
     "1 bad cell that expressions read in column 'a'"),
    (["--by", "k", "-e", "y=a+1", "-c", "y", "-o", "sum,median"],
     "k\tsum(y)\tmedian(y)\nx\t2\t2\ny\t5\t5\n",
     "1 bad cell that expressions read in column 'a'")])
def test_skipped_cells_of_expressions(put, args, out, note):
    path = put("a.csv", b"k,a,b\nx,1,2\nx,oops,3\ny,4,oops\n")
    for size in "8", "1M":
        r = run("--bad", "skip", "--chunk-size", size, *args, path)
        assert (r.rc, r.out, r.err) == (0, out, f"gpureduce: {path}: skipped {note}\n")


@pytest.mark.parametrize("args, out", [
    (["--map", "a + len(a)", "-o", "sum,n_missing"], "sum\t7.5\nn_missing\t1\n"),
    (["--where", 'a < 1 && a != "x"', "-c", "b", "-o", "sum"], "3\n"),
    (["--where", 'a == "NA" || a < 1', "-o", "rows"], "2\n"),
    (["-e", "y=len(a)", "--map", "a + y", "-o", "sum"], "7.5\n"),
    (["--where", 'ismissing(a) && a == "NA"', "-c", "b", "-o", "sum"], "1\n")])
def test_a_column_as_number_and_as_text(put, args, out):
    """A word that is missing as a number is a text nonetheless."""
    path = put("a.csv", b"a,b\nNA,1\n3,2\n0.5,3\n")
    assert ok(*args, path) == out
    assert ok("--chunk-size", "4", "-j2", *args, path) == out


def test_a_bad_cell_as_number_and_as_text(put):
    path = put("a.csv", b"a,b\nx,1\n3,2\n0.5,3\n")
    got = run("--bad", "skip", "--map", "a * len(a)", "-o", "sum,n_missing", path)
    assert got.out == "sum\t4.5\nn_missing\t1\n", got


@pytest.mark.parametrize("where, says", [
    ("a is null", "a missing value is found by ismissing(x)"),
    ('a like "x%"', "like"), ("a > 1 AND b > 1", "'and' is written in small"),
    ("a > 1 and NOT b > 1", "'not' is written in small"),
    ("`AND` > 1", "no column 'AND'"), ("index(1) > 2", "takes no argument"),
    ("index()", "this is not true or false"), ('index() == "1"', "two numbers or two")])
def test_hints_of_expressions_over_a_table(put, where, says):
    fails(2, "--where", where, put("a.csv", b"a,b\n1,2\n3,4\n"), says=says)


@pytest.mark.parametrize("args", [
    ["--where", "d == e", "-o", "rows"], ["--map", "d", "-o", "sum"],
    ["--where", "d > 1", "-o", "sum"], ["-e", "z=d", "-c", "z"]])
def test_a_text_that_is_read_as_a_number(put, args):
    """-x, which other columns are offered, would change nothing."""
    path = put("a.csv", b"d,e,v\nx,x,1\ny,x,2\n")
    err = fails(1, *args, path, says=[":2:1: not a number: 'x' (column d)",
                                      "text(COLUMN) in the expression"])
    assert "-x " not in err
    assert ok("--where", "text(d) == e", "-o", "rows", path) == "1\n"
    err = fails(1, "--weights", "d", "-c", "v", "-o", "sum", "--header", "yes", path,
                says=["not a number: 'x'", "--na with this text"])
    assert "-x " not in err and "text(" not in err


@pytest.mark.parametrize("cell, hint", [
    ("2024-01-03", "text(COLUMN) in the expression"), ("$5", "Try --strip '$'\n")])
def test_hints_for_cells_of_expressions(put, cell, hint):
    """Only those that would change something."""
    path = put("a.csv", f"d,v\n{cell},1\n{cell},2\n".encode())
    err = fails(1, "--map", "d", "-o", "sum", path,
                says=[f":2:1: not a number: '{cell}' (column d)", hint])
    assert "-x " not in err


def test_joined_words_keep_their_blanks(put):
    args = ["-f", "csv", "-d", "blank", "--ragged", "pad"]
    path = put("t.txt", b"n name\n1 a  b\n2 a b\n3 c\n")
    assert ok(*args, "--where", 'name == "a  b"', "-o", "rows", path) == "1\n"
    # Also in a column of numbers that the condition reads as texts.
    path = put("u.txt", b"n x\n1 5\n2 6\n3 a  b\n4 7\n")
    assert ok(*args, "--bad", "skip", "-c", "x", "--where", 'x == "a  b" or x == "5"',
              "-q", "-o", "n_bad,sum", path) == "n_bad\t1\nsum\t5\n"


def test_errors_of_elements_name_their_file(put):
    a, b = put("a.u8", b"\1\2"), put("b.u8", b"\1\7\0")
    for args in ["--per-file", a, b], [b]:
        fails(1, "--map", "1 % x", "-o", "sum", *args,
              says=f"{b}: element 2: --map: an integer has no remainder")
    fails(1, "--map", "1 % x", a, b, says=f"{b}: element 2: --map: an integer")
    c = put("z.u8", b"\0\1")
    for first in [a], [a, a]:
        fails(1, "--map", "1 % x", *first, c, a, says=f"{c}: element 0: --map: an")
    long = put("c.u8", b"\1" * 1_000_000 + b"\0" + b"\1" * 99_999)
    for args in ([long], [a, long], ["--chunk-size", "2M", a, a, long],
                 ["--part", "2/2", "--save-state", put("s", b""), long]):
        fails(1, "-j2", "--chunk-size", "64K", "--map", "1 % x", "-o", "sum", *args,
              says=f"{long}: element 1000000: --map: an integer")
    fails(2, "-e", "x=x*2", "--map", "x", a, says="x is the value and i its index")


@pytest.mark.parametrize("text, args, line", [
    (b"1,5\n2,3\n4,0\n", ["-d", ","], 3), (b"\n1,0\n2,1\n", ["-d", ","], 2),
    (b"1,5\n\n# 9\n2,3\n\n4,0\n", ["-d", ",", "--comment", "#"], 6),
    (b" 1   5\n\n2     3   \n\n  4    0\n", ["-d", "blank"], 5)])
def test_errors_of_expressions_name_the_line(put, text, args, line):
    path = put("t.txt", text)
    for more in [], ["--chunk-size", "4", "-j2"]:
        fails(1, *args, *more, "-t", "i64", "--map", "1 % $2", "-o", "sum", path,
              says=f"gpureduce: {path}:{line}: --map: an integer has no remainder")


def test_of_two_errors_of_a_record_the_first_is_reported(put):
    path = put("a.csv", b"a,b\n1,1\n0,x\n")
    one, two = (f"{n} % (index() - 1)" for n in (1, 2))
    for first, second in (one, two), (two, one):
        fails(1, "-e", f"y={first}", "-e", f"z={second}", "-c", "y,z", path,
              says=(f"{path}:3: --let: an integer has no", f"\n  {first}\n"))
    for columns in "b,y", "y,b":
        fails(1, "-e", f"y={one}", "-c", columns, path, says="3:3: not a number: 'x'")


@pytest.mark.parametrize("args", [["--map", "a*2", "-o", "sum"], [
    "--where", "a > 1", "-c", "b", "-o", "count"]])
def test_a_column_of_bad_cells_in_expressions(put, args):
    path = put("a.csv", b"a,b\noops,1\nbar,4\n")
    fails(1, "--bad", "skip", *args, path,
          says="each of the 2 cells of column 'a' that expressions read is bad")
    fails(1, "--bad", "skip", *args, put("b.csv", b"a,b\noops,1\nNA,4\n"),
          says="of column 'a' that expressions read is bad")


def test_one_good_cell_and_one_that_no_float_holds(put):
    """They are counted apart; a column of both is not all bad."""
    path = put("a.csv", b"a,b\noops,1\n7,2\n9007199254740993,3\n")
    assert ok("--bad", "skip", "--where", "a > 1", "-c", "b", "-o", "count",
              path) == "2\n"


def test_products_do_not_change_what_is_selected(put):
    path = put("a.csv", b"v,w\n9007199254740993,5\n1,7\n9007199254740992,2\n")
    for op, out in ("sum", "sum\t5\nrows\t1\n"), ("prod", "prod\t5\nrows\t1\n"):
        assert ok("-c", "w", "-o", op + ",rows", "--where", "v == 9007199254740993",
                  path) == out


def test_pairs_weights_and_files(put):
    path = put("p.csv", b"a,b,w\n1,2,1\n2,4,2\n9,0,5\n3,7,\n")
    assert ok("-c", "a,b", "-o", "corr", "--where", "a < 3", path) == "1\n"
    assert ok("-e", "c=-a", "-c", "a,c", "-o", "corr", path) == "-1\n"
    assert ok("--weights", "w", "-c", "a", "-o", "sum", "--where", "b > 0",
              path) == "5\n"
    assert ok("--weights", "w", "-e", "t=a*b", "-c", "t", "-o", "sum",
              path) == "18\n"
    # Weights that only a condition reads may be any number.
    bad = put("w.csv", b"v,w\n1,2\n3,-1\n5,1\n")
    assert ok("--weights", "w", "-c", "v", "-o", "sum", "--where", "w > 0",
              bad) == "7\n"
    fails(1, "--weights", "w", "-c", "v", "-o", "sum", "--where", "w < 5",
          put("w.csv", b"v,w\n1,2\n3,-1\n"), says="w.csv:3:3: a weight must be")
    assert ok("--per-file", "-c", "a", "-o", "argmax", "--where", "a < 9",
              path, path) == \
        f"file\targmax\n{path}\t3\n{path}\t3\n"
    assert ok("-c", "a", "-o", "argmax", "--where", "index() > 3", path,
              path) == "6\n"


def test_products_keep_the_places_of_records(rnd, put):
    path = put("p.csv", ("a,b\n" + "".join(
        f"{0.9 + rnd.random() / 5},{rnd.randrange(3)}\n"
        for _ in range(3000))).encode())
    raw = put("p.f64", np.array([0.9 + rnd.random() / 5
                                 for _ in range(9000)]).tobytes())
    want = ok("--map", "b > 0 ? a : 1", "-o", "prod", path)
    whole = ok("--map", "i % 3 != 0 ? x : 1", "-o", "prod", raw)
    for size in "64", "999", "64K":    # 64: some chunks have no selected record
        assert ok("-c", "a", "-o", "prod", "--where", "b > 0", path,
                  "--chunk-size", size) == want
        assert ok("-o", "prod", "--where", "i % 3 != 0", raw, "--chunk-size",
                  size) == whole


def test_a_product_of_floats_beside_one_of_integers(put):
    """Only the product of floats depends on the order of the records."""
    path = put("q.csv", b"a,b\n2,1\n3,4\n5,6\n")
    for columns in "a,y", "y,a":
        out = ok("-t", "i64", "-e", "y=b*0.5", "-c", columns, "-o", "prod,argmax", path)
        assert sorted(out.splitlines()) == [
            "a\t30\t2", "column\tprod\targmax", "y\t3\t2"]


@pytest.mark.parametrize("where", ["true", "x > 0", "i >= 8"])
def test_all_elements_of_some_chunks(put, where):
    """Chunks of eight elements: the first has none for the last condition."""
    path = put("d.i16", np.arange(1, 2001, dtype="<i2").tobytes())
    skipped = range(1, 9) if where == "i >= 8" else []
    assert ok("--where", where, "-o", "count,sum", "--chunk-size", "16", path) == (
        f"count\t{2000 - len(skipped)}\nsum\t{2001000 - sum(skipped)}\n")


REFUSED = {
    ("--where", "prize > 1"): "has no column 'prize'; did you mean 'price'?",
    ("--where", "price"): "this is not true or false",
    ("--where", "price >"): "expected a value, but the expression ends",
    ("--where", "$5 > 1"): "has 4 fields",
    ("--where", "1 < price < 5"): "comparisons do not chain",
    ("--where", "city + 1 == 'a'"): "",
    ("--map", "text(price)"): "a computed column has numbers",
    ("-e", "price=3"): "the data has a column of this name already; choose "
                       "another one\n  3\n  ^\n",
    ("-e", "y=1", "-e", "price=3"): "the data has a column of this name already",
    ("-e", "in=3"): "is a word of expressions",
    ("-e", "a=1", "-e", "a=2"): "given twice",
    ("--map", "price", "-c", "price"): "cannot be combined with --columns",
    ("--where", "price > 1", "--where", "price < 9"): "join conditions by &&",
    ("--map", "price", "--map", "day"): "say -e NAME=EXPR",
    ("--where", "price > 1", "--axis", "0"): "exclude each other",
    ("--where", "max(price) > 1"): "max() takes two values or more",
    ("--where", "(" * 65 + "price" + ")" * 65): "nested over 64 levels",
    ("--where", "price > 1" + " " * 65528): "longer than 64 KiB",
    ("-e", "a=b", "-e", "b=price"): "has no column 'b'",
}


def test_refusals(cities):
    for args, says in REFUSED.items():
        fails(2, "-o", "sum", *args, cities, says=(says,))
    ok("-o", "sum", "--where", "price > 1" + " " * 65527, cities)


def test_refusals_of_tables(put):
    path = put("a.csv", b"a,b,a\n1,2,3\n")
    fails(2, "--where", "a > 1", path, says="several columns have this name")
    path = put("o.csv", b"5\n6\n")
    fails(2, "--where", "$2 > 1", path, says="has 1 field\n")
    for name, taken in ("1", True), ("2", False), ("01", False), ("9" * 40, False):
        args = ["-e", f"`{name}`=$1", "--header", "no", "-o", "sum", path]
        if taken:
            fails(2, *args, says="the data has a column of this name already")
        else:
            ok(*args)
    fails(2, "--where", "x > 1", path, says="no column 'x', and no header")


def test_refusals_of_elements(put):
    path = put("x.f32", np.arange(4, dtype="<f4").tobytes())
    fails(2, "--where", "y > 1", path, says=("x is the value and i its index",))
    fails(2, "-e", "y=x*2", path, says=("say --map EXPR",))
    for name in "x", "i", "index()":
        fails(2, "--where", name, path, says="this is not true or false")
        fails(2, "--where", f'{name} == "1"', path, says="two numbers or two texts")


@pytest.mark.parametrize("power", [2**20 - 1, 2**20 + 1, 2**31 + 1, 2**63 + 1, 2**64 - 1])
def test_great_powers_of_integers(put, power):
    path = put("x.i32", np.array([1, -1, 0, -1], "<i4").tobytes())
    assert ok("--map", f"x ** {power}", "-o", "sum", path) == "-1\n"
    assert ok("--map", f"x ** {power - 1}", "-o", "sum", path) == "3\n"


def test_names_prove_a_header(put):
    path = put("h.csv", b"2019,2020\n2021,5\n2022,7\n")
    assert ok("-c", "1", "-o", "rows", "--where", "`2020` > 5", path) == "1\n"
    assert ok("-c", "1", "-o", "rows", "--where", "`2020` > 5 && $1 > 0",
              path) == "1\n"
    path = put("e.csv", b"1,,2\n3,4,5\n")
    assert ok("-q", "-c", "1", "-o", "rows", "--where", "$3 > 0", path) == "2\n"
    path = put("w.csv", b"a,b\nx,y\nx,z\n")
    assert ok("-o", "rows", "--where", "b == 'z'", path) == "1\n"


def test_explain(cities):
    out = ok("--explain", "-e", "t=price*2", "--where", "city == 'Rome'",
             cities)
    assert "where\tcity == 'Rome' (on the CPU)\n" in out
    assert "  computed\tt = price*2 (on the CPU)\n" in out


def test_by_key(rnd, put):
    """With --by: groups of the selected records, and computed columns."""
    rows = [(rnd.choice("abc"), rnd.randrange(9), rnd.choice(["", 1, 2.5]))
            for _ in range(500)]
    path = put("k.csv", ("k,n,x\n" + "".join(
        f"{k},{n},{x}\n" for k, n, x in rows)).encode())
    want = {}
    for k, n, x in rows:
        if n > 3:
            want.setdefault(k, []).append("" if x == "" else n * x)
    lines = ["k\trows\tsum(t)\tn_missing(t)"]
    for k, values in sorted(want.items()):
        present = [v for v in values if v != ""]
        lines.append(f"{k}\t{len(values)}\t{sum(present):g}"
                     f"\t{values.count('')}")
    for size in "100", "1M":
        assert ok("--by", "k", "-e", "t=n*x", "-c", "t", "--where", "n > 3",
                  "-o", "rows,sum,n_missing", "--chunk-size", size,
                  path).splitlines() == lines


# Expressions over columns a, b and c of text. Some cells are left to the CPU;
# the results must be the same.
ON_GPU = (
    ["--map", "a*b"], ["--where", "a > 0 && b < 1"],
    ["-e", "y=a/b - c", "-e", "z=-y + a**3", "--where", "a > 1 || !(b <= c)"],
    ["-e", "y=coalesce(a, b, 1) * 2", "-e", "z=ismissing(y)", "-c", "z,b"],
    ["-e", "y=a > b ? c : sqrt(b)", "--where", "ismissing(b) || b > a"],
    ["-e", "y=(a > 1) + (b > 1)", "-c", "a,y", "--where", "not (c > 3)"],
    ["--where", "b in (1, 3, nan) or c not in (0.1, 2)"],
    ["--where", "false"], ["-t", "f32", "--where", "a + b > c"],
    ["-e", "y=a > 0 or isnan(c)", "--missing", "error"],
    ["--where", "a != a || floor(b) == rint(b)", "--nan", "skip"],
)


@pytest.mark.skipif(gpus() == 0, reason="no GPU")
@pytest.mark.parametrize("odd", ["", "nan", "9007199254740993", "bad"])
def test_gpu_over_text(rnd, put, odd):
    """A GPU gives the CPU's bits, also for a chunk in which cells are missing,
    long or bad. --explain says where expressions run."""
    cells = ["", "1", "-2.5", "0", "-0", "3", "7.25", "0.1",
             "12345678901234567.25"]
    lines = [",".join(rnd.choice(cells) for _ in "abc") for _ in range(30000)]
    lines[7000] = f"1,{odd},3"
    path = put("g.csv", ("a,b,c\n" + "\n".join(lines) + "\n").encode())
    for args in ON_GPU:
        want = None
        for where in ["cpu"], ["cuda", "--chunk-size", "64K"], ["cuda"]:
            got = run("-o", "rows,count,n_missing,sum,mean,min,max,argmin,argmax,"
                      "var,l1,absmax", "--empty", "identity", *args, "--device",
                      *where, path)
            want = want or got
            assert got == want, (args, where)
    out = ok("--explain", "--device", "cuda", *ON_GPU[0], "-o", "sum", path)
    assert "(on a GPU)" in out, out


# Expressions over raw data x: their sums have a kernel of their own; `count`
# makes the device store the values.
RAW_ON_GPU = (
    ["--map", "x*x"], ["--map", "x > 1 ? sqrt(x) : -x"], ["--where", "x > 0"],
    ["--map", "x*0.1 + i", "--where", "i % 3 == 1"], ["--where", "false"],
    ["--map", "-abs(x)*0"],
)


@pytest.mark.skipif(gpus() == 0, reason="no GPU")
@pytest.mark.parametrize("dtype", ["f32", "f64", "i8", "i32", "i64"])
@pytest.mark.parametrize("odd", ["none", "nan", "wide"])
def test_gpu_over_raw_data(rnd, put, dtype, odd):
    """A GPU gives the CPU's bits, also where sums need more than the usual
    windows, and where integers leave a chunk to the CPU."""
    rng = np.random.default_rng(rnd.getrandbits(32))
    x = rng.normal(0, 30, rnd.choice([5, 4096, 70001, 1500000]))
    if odd == "nan" and dtype[0] == "f":
        x[::1000] = rnd.choice([math.nan, math.inf, -0.0])
    x = x.astype(dtype[0] + str(int(dtype[1:]) // 8))
    if odd == "wide":
        # Random bits: exponents of the whole range, or the largest integers.
        x[::7] = rng.integers(0, 256, x[::7].nbytes, np.uint8).view(x.dtype)
        x = np.nan_to_num(x)
    path = put("raw." + dtype, x.tobytes())
    for args in RAW_ON_GPU:
        for op in "sum", "l1", "sum,count,n_nan":
            cpu, gpu = (run("-o", op, *args, "--device", device, "--empty",
                            "identity", path) for device in ("cpu", "cuda"))
            assert gpu == cpu, (args, op)


# Cells of column a that f64 cannot hold; the second has over 64 bits, which an
# operation cannot hold either, unless it is a product, which rounds both.
WIDE = b"a,b\n9007199254740993,1\n36893488147419103233,2\n5,3\n"


@pytest.mark.parametrize("rounded, args", [
    (1, ["-o", "sum", "-e", "z=a", "-c", "z"]),
    (1, ["-o", "var", "--map", "a"]), (0, ["-o", "sum", "--map", "b*1.5"]),
    (1, ["-o", "rows", "--where", "a > 1e19"]),
    (1, ["-o", "sum", "-c", "b", "--where", "a > 1e19"]),
    (1, ["-o", "sum", "-e", "z=a", "-e", "y=a > 1", "--where", "a > 0"]),
    (1, ["-o", "sum", "--by", "b", "-e", "z=a", "-c", "z"]),
    (2, ["-o", "prod", "-e", "z=a", "-c", "z"]),
    # Two cells of a, and z of the first.
    (3, ["-o", "prod", "-e", "z=a", "-c", "a,z"]),
])
@pytest.mark.parametrize("device", ["cpu", "cuda"][:1 + (gpus() > 0)])
def test_rounded_integers_are_noted_once(put, device, rounded, args):
    """The note counts cells, not the expressions that read them, and what they
    compute for a product."""
    path = put("wide.csv", WIDE)
    for size in "8", "1M":
        out = run(*args, "--device", device, "--chunk-size", size, path)
        counts = [int(n) for n in ROUNDED.findall(out.err)]
        assert (out.rc, counts) == (0, [rounded] * (rounded > 0)), (size, out)


@pytest.mark.parametrize("has, args", [
    (True, ["-c", "a"]), (True, ["-c", "a", "--where", "a > 0"]),
    (False, ["-e", "z=a", "-c", "z"]), (False, ["-e", "z=a", "--by", "b", "-c", "z"])])
def test_the_note_names_a_type_only_if_that_helps(put, has, args):
    path = put("a.csv", b"a,b\n9007199254740993,1\n5,1\n")
    err = run("-o", "prod", *args, path).err
    assert ("; -t i64 " in err, "rounded 1 integer" in err) == (has, True), err
    exact = run("-o", "prod", "-t", "i64", *args, path)
    assert (exact.rc == 0 and exact.err == "") == has, exact


def test_rounded_integers_of_raw_data_are_noted(put):
    path = put("wide.i64", np.array([2**53 + 1, -2**60 - 1, 3]).tobytes())
    assert run("-o", "sum", "--map", "x", path).err == ""
    out = run("-o", "prod", "--map", "x", path)
    assert "rounded 2 integers that f64 cannot hold\n" in out.err, out
