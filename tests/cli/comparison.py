# SPDX-License-Identifier: MIT
"""The expected output of --compare: every number by its definition, in
Python's floats, integers and fractions."""

import functools
import math
from fractions import Fraction

import numpy as np

from harness import run

NAMES = ("count mismatches first_mismatch max_abs argmax_abs max_rel argmax_rel "
         "rms max_ulp").split()


def report(*args, rc=None, **kw):
    """Runs --compare for one column. Returns names and values."""
    got = run("--compare", *args, **kw)
    assert got.rc in (0, 1) and got.err == "", got
    assert rc is None or got.rc == rc, got
    rows = dict(line.split("\t") for line in got.out.splitlines())
    assert list(rows)[:len(NAMES)] == NAMES, got
    assert got.rc == (rows["mismatches"] != "0"), got
    return rows


def refuses(*args, says, **kw):
    """Runs --compare, which must exit with status 2, print nothing, and give a
    message."""
    got = run("--compare", *args, **kw)
    assert (got.rc, got.out) == (2, ""), got
    assert got.err.startswith("gpureduce: "), got
    for text in [says] if isinstance(says, str) else says:
        assert text in got.err, (text, got)
    return got.err


def is_root(got, square):
    """Returns whether a float is the root of a fraction, rounded once."""
    low, high = (Fraction(math.nextafter(got, to)) for to in (-1, math.inf))
    got = Fraction(got)
    return (((got + low) / 2) ** 2 <= square <= ((got + high) / 2) ** 2
            if got else square == 0)


def differences(a, b):
    """Yields |a - b| and |a - b| / |b| of each pair, 0 for equal values and
    for NaN."""
    for x, y in zip(a, b):
        if x == y or x != x or y != y:
            yield 0, 0
            continue
        d = abs(x - y)
        yield d, (math.inf if y == 0 or abs(y) == math.inf else d / abs(y))


def is_mismatch(x, y, d, atol, rtol):
    if (x != x) != (y != y):
        return True
    limit = atol + rtol * abs(y) if abs(y) < math.inf else 0
    return d > 0 and not (d <= limit and d < math.inf)


def check(rows, a, b, atol=0.0, rtol=0.0, steps=None):
    """Compares printed results with the definitions."""
    pairs = list(differences(a, b))
    greatest = [max(column) for column in zip(*pairs)]
    far = [i for i, (x, y) in enumerate(zip(a, b))
           if is_mismatch(x, y, pairs[i][0], atol, rtol)]
    assert int(rows["count"]) == len(a)
    assert int(rows["mismatches"]) == len(far)
    assert rows["first_mismatch"] == (str(far[0]) if far else "")
    for i, name in enumerate(["abs", "rel"]):
        got = rows["max_" + name]
        assert type(greatest[i])(got) == greatest[i], (name, got, greatest[i])
        index = [pair[i] for pair in pairs].index(greatest[i])
        assert rows["argmax_" + name] == (
            str(index) if greatest[0] else ""), name
    if math.isinf(greatest[0]):
        assert rows["rms"] == "inf"
    else:
        square = sum(Fraction(d) ** 2 for d, _ in pairs) / sum(
            x == x and y == y for x, y in zip(a, b))
        assert is_root(float(rows["rms"]), square)
    if steps is not None:
        assert int(rows["max_ulp"]) == steps
    one = sum((x != x) != (y != y) for x, y in zip(a, b))
    assert rows.get("nan_mismatches", "0") == str(one)


def float_of(bits, fraction, exponent):
    """Decodes a small float by its definition. e4m3 has a NaN and no
    infinity."""
    sign = -1.0 if bits >> (fraction + exponent) else 1.0
    e = bits >> fraction & (1 << exponent) - 1
    f = bits & (1 << fraction) - 1
    bias = (1 << exponent - 1) - 1
    ones = e == (1 << exponent) - 1
    if (fraction, exponent) == (3, 4):
        if ones and f == 7:
            return math.nan
    elif ones:
        return math.nan if f else sign * math.inf
    return sign * math.ldexp(f + (e > 0) * 2**fraction,
                             max(e, 1) - bias - fraction)


SMALL = {"f16": (10, 5), "bf16": (7, 8), "f8e4m3": (3, 4), "f8e5m2": (2, 5)}


@functools.cache
def places(shape):
    """Returns the rank of each number of a small type among all its
    numbers."""
    every = {float_of(i, *shape) for i in range(1 << (1 + sum(shape)))}
    return {x: i for i, x in enumerate(sorted(x for x in every if x == x))}


def steps_of(a, b, dtype):
    """Returns the most steps between two floats: by ranks for small types,
    else by counting bits from 0."""
    if dtype in SMALL:
        place = places(SMALL[dtype])
    else:
        size = 4 if dtype == "f32" else 8
        place = {}
        for x in {*a, *b}:
            word = int(np.array(abs(x), f"f{size}").view(f"u{size}"))
            place[x] = -word if x < 0 else word
    return max(abs(place[x] - place[y]) for x, y in zip(a, b)
               if x == x and y == y)
