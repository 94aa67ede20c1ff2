# SPDX-License-Identifier: MIT
"""The right answers, from big integers alone.

Nothing is rounded before the end: a float is an integer times 2^-n, its square
one times 2^-2n, and a result needs one division or one integer square root.
Results are texts as the program must print them."""

import bisect
import math
import struct
from collections import Counter, namedtuple
from decimal import Decimal
from fractions import Fraction

import numpy as np

# size in bytes; kind u, i or f; for floats the bits of the significand and the
# exponent of the least subnormal
Dtype = namedtuple("Dtype", "size kind digits low", defaults=(0, 0))
DTYPES = {
    "f16": Dtype(2, "f", 11, -24), "bf16": Dtype(2, "f", 8, -133),
    "f32": Dtype(4, "f", 24, -149), "f64": Dtype(8, "f", 53, -1074),
    "i8": Dtype(1, "i"), "i16": Dtype(2, "i"),
    "i32": Dtype(4, "i"), "i64": Dtype(8, "i"),
    "u8": Dtype(1, "u"), "u16": Dtype(2, "u"),
    "u32": Dtype(4, "u"), "u64": Dtype(8, "u"),
}
FLOATS = [name for name, d in DTYPES.items() if d.kind == "f"]
INTEGERS = [name for name, d in DTYPES.items() if d.kind != "f"]

OPS = ("rows count n_missing n_bad n_nan n_inf sum prod min max mean argmin "
       "argmax first last l1 l2 linf sumsq rms var std var_pop std_pop skew "
       "kurtosis range absmin absmax any alltrue nunique mode mode_count "
       "mode_ties").split()
DEAR = ("prod", "first", "last", "skew", "kurtosis", "nunique", "mode",
        "mode_count", "mode_ties")
MOST = [op for op in OPS if op != "prod"]
ALL = [op for op in OPS if op not in DEAR]      # what --op all prints
DISTINCT = {"nunique", "mode", "mode_count", "mode_ties"}
UNDEMANDING = [op for op in OPS if op not in ("skew", "kurtosis")]
# The parts of the summary that are always printed, of binary data and of text.
SUMMARY = "count sum mean std min max argmin argmax".split()
EXACT = "sum mean l1 l2 sumsq rms var std var_pop std_pop".split()
# These operations accept all data.
VALUELESS = ("min max mean argmin argmax first last rms var std var_pop "
             "std_pop skew kurtosis range absmin absmax mode").split()

REFUSED = "(refused: no data)"
OVERFLOW = "(refused: beyond 128 bits)"
Near = namedtuple("Near", "exact count", defaults=(1,))  # a float product

NAN, INF = math.nan, math.inf


# Bytes to numbers. f64 holds every float type, so Python's floats are used.

def decode(raw, dtype, order="<"):
    d = DTYPES[dtype]
    n = len(raw) // d.size
    assert n * d.size == len(raw)
    if dtype == "bf16":
        words = struct.unpack(f"{order}{n}H", raw)
        return list(struct.unpack(f"<{n}f", struct.pack(
            f"<{n}I", *(w << 16 for w in words))))
    code = {"f": {2: "e", 4: "f", 8: "d"},
            "i": {1: "b", 2: "h", 4: "i", 8: "q"},
            "u": {1: "B", 2: "H", 4: "I", 8: "Q"}}[d.kind][d.size]
    return list(struct.unpack(f"{order}{n}{code}", raw))


def limits(dtype):
    d = DTYPES[dtype]
    bits = 8 * d.size
    if d.kind == "u":
        return 0, 2**bits - 1
    return -(2**(bits - 1)), 2**(bits - 1) - 1


# Rounding, once at the end.

def divide(num, den):
    """Returns num / den (den > 0), rounded once to f64, ties to even."""
    try:
        return num / den        # CPython rounds a quotient of ints correctly
    except OverflowError:
        return INF if num > 0 else -INF


def root(num, den):
    """Returns the square root of num / den, rounded once to f64."""
    if num == 0:
        return 0.0
    # Scale by 4^shift so that the integer root has at least 80 bits. A sticky
    # bit records whether anything below them is lost.
    shift = max(0, 80 - (num.bit_length() - den.bit_length()) // 2)
    scaled, rest = divmod(num << 2 * shift, den)
    r = math.isqrt(scaled)
    sticky = rest != 0 or r * r != scaled
    return divide(2 * r + sticky, 1 << (shift + 1))


# Numbers to text.

# Python and NumPy print the shortest digits of these types.
PRINTED_BY = {"f64": float, "f32": np.float32, "f16": np.float16}


def shortest(x, dtype):
    """As shortest_by_search, which takes far longer."""
    if dtype not in PRINTED_BY:
        return shortest_by_search(x, dtype)
    _, digits, exponent = Decimal(str(PRINTED_BY[dtype](x))).as_tuple()
    return "".join(map(str, digits)).rstrip("0"), len(digits) + exponent


def shortest_by_search(x, dtype):
    """Returns digits and decimal exponent (0.DIGITS * 10^exponent) of the
    shortest decimal that reads back as x > 0 in dtype, and of those the
    nearest."""
    p, low = DTYPES[dtype].digits, DTYPES[dtype].low
    exact = Fraction(x)
    e = max(math.frexp(x)[1] - p, low)
    m = exact / Fraction(2)**e
    assert m.denominator == 1
    m = int(m)
    lower_half = 4 if m == 1 << (p - 1) and e > low else 2
    lo = exact - Fraction(2)**e / lower_half
    hi = exact + Fraction(2)**e / 2
    k = math.floor(math.log10(x)) - 1
    while Fraction(10)**k <= exact:
        k += 1

    def fitting(count):
        """Returns the numbers of `count` digits that read back as x: how far
        each is from x, whether it is odd, and the number."""
        step = Fraction(10)**(k - count)
        t = exact // step
        return [(abs(c * step - exact), c % 2, c) for c in (t, t + 1)
                if lo < c * step < hi
                or (m % 2 == 0 and c * step in (lo, hi))]

    # If a number of n digits reads back as x, so does one of n + 1 digits.
    count = 1 + bisect.bisect_left(range(1, 17), True,
                                   key=lambda count: bool(fitting(count)))
    text = str(min(fitting(count))[-1])
    return text.rstrip("0"), k + len(text) - count


def text(x, dtype="f64"):
    """Formats like Python's repr, but without a final '.0', and positional for
    1e-5 <= |x| < 1e16."""
    if isinstance(x, int):
        return str(x)
    if x != x:
        return "nan"
    sign = "-" if math.copysign(1, x) < 0 else ""
    x = abs(x)
    if x == INF:
        return sign + "inf"
    if x == 0:
        return sign + "0"
    digits, point = shortest(x, dtype)
    if not -5 <= point - 1 < 16:
        tail = "." + digits[1:] if len(digits) > 1 else ""
        return f"{sign}{digits[0]}{tail}e{point - 1:+03d}"
    if point <= 0:
        return f"{sign}0.{'0' * -point}{digits}"
    whole = digits[:point].ljust(point, "0")
    return sign + whole + ("." + digits[point:] if digits[point:] else "")


# Reductions.

def _integers(values):
    """Returns finite floats as integers in units of 2^-n, and n. The least n is
    taken, since the arithmetic on integers of 1074 bits takes most of the time."""
    ratios = [v.as_integer_ratio() for v in values]
    unit = max((d.bit_length() - 1 for _, d in ratios), default=0)
    return [n << (unit + 1 - d.bit_length()) for n, d in ratios], unit


def _product(values, floats):
    if not floats:
        if 0 in values:
            return "0"
        p = 1
        for v in values:
            p *= v
            if abs(p) >= 2**128:        # and there is no 0 to follow
                return OVERFLOW
        return str(p)
    if any(v != v for v in values):
        return "nan"
    sign = -1.0 if sum(math.copysign(1, v) < 0 for v in values) % 2 else 1.0
    zero, infinite = 0 in values, any(math.isinf(v) for v in values)
    if zero and infinite:
        return "nan"
    if zero or infinite:
        return text(sign * (0.0 if zero else INF))
    m, e = 1, 0
    for v in values:
        n, d = v.as_integer_ratio()
        m, e = m * n, e - d.bit_length() + 1
        extra = m.bit_length() - 320
        if extra > 0:  # wrong by 2^-319 each time, which is negligible
            m, e = m >> extra, e + extra
    return Near(m * Fraction(2)**e, len(values))


def _moments(ints):
    """Returns skew and kurtosis as pandas defines them, from the integers n x
    - sum, the deviations from the mean times n. Both are 0 for a constant."""
    n, total = len(ints), sum(ints)
    off = [n * v - total for v in ints]
    bits = 0
    for d in off:
        bits |= d
    low = max(0, (bits & -bits).bit_length() - 1)       # a common unit
    m2 = m3 = m4 = 0
    for d in off:
        d >>= low
        square = d * d
        m2, m3, m4 = m2 + square, m3 + square * d, m4 + square * square
    out = {"skew": NAN, "kurtosis": NAN}
    if n > 2:
        size = root(n * n * (n - 1) * m3 * m3, (n - 2)**2 * m2**3 or 1)
        out["skew"] = -size if m3 < 0 else size
    if n > 3:
        out["kurtosis"] = divide(
            (n - 1) * (n * (n + 1) * m4 - 3 * (n - 1) * m2 * m2),
            (n - 2) * (n - 3) * m2 * m2 or 1)
    return out


def _sums(values, floats, ops):
    """Returns the exact ops and the similar ones, as f64 (floats) or text
    (integers)."""
    n = len(values)
    bad = floats and any(not math.isfinite(v) for v in values)
    if bad:
        nans = any(v != v for v in values)
        total = NAN if nans else sum(v for v in values if math.isinf(v))
        size = NAN if nans else INF
        out = dict.fromkeys(("var", "std", "var_pop", "std_pop", "skew",
                             "kurtosis"), NAN)
        out.update(sum=total, mean=total)
        out.update(dict.fromkeys(("l1", "l2", "sumsq", "rms"), size))
        return out
    ints, unit = _integers(values) if floats else (values, 0)
    s1 = sum(ints)
    s2 = sum(v * v for v in ints)
    a = sum(abs(v) for v in ints)
    out = {"l2": root(s2, 1 << 2 * unit)}
    if floats:
        all_minus = n and all(v == 0 and math.copysign(1, v) < 0
                              for v in values)
        zero = -0.0 if all_minus else 0.0
        out["sum"] = divide(s1, 1 << unit) if s1 else zero
        out["l1"] = divide(a, 1 << unit)
        out["sumsq"] = divide(s2, 1 << 2 * unit)
    else:
        out.update(sum=s1, l1=a, sumsq=s2)
    if n and "skew" in ops:     # powers of distant numbers are slow
        out.update(_moments(ints))
    if n:
        out["mean"] = divide(s1, n << unit) if s1 or not floats else zero
        out["rms"] = root(s2, n << 2 * unit)
    spread = n * s2 - s1 * s1
    for name, den in ("var_pop", n * n), ("var", n * (n - 1)):
        if n:
            den <<= 2 * unit
            out[name] = divide(spread, den) if den else NAN
            out[name.replace("var", "std")] = root(spread, den) if den else NAN
    return out


def _distinct(values, dtype):
    """Returns the results of distinct values. -0 is 0, all NaN are one value,
    and the mode is the least of the most frequent values: NaN only if there is
    no other."""
    counts = Counter(v + 0 if v == v else None for v in values)
    most = max(counts.values(), default=0)
    modes = [v for v in counts if counts[v] == most]
    out = {"nunique": str(len(counts)), "mode_count": str(most),
           "mode_ties": str(len(modes))}
    if modes:
        out["mode"] = text(min((v for v in modes if v is not None),
                               default=NAN), dtype)
    return out


def reduce(values, dtype, nan="propagate", ops=UNDEMANDING):
    """Returns {op: expected text, REFUSED, OVERFLOW or Near} for the elements.
    Costly ops are computed only if they are in ops."""
    floats = DTYPES[dtype].kind == "f"
    pairs = list(enumerate(values))
    counts = {"rows": len(values), "n_missing": 0, "n_bad": 0,
              "n_nan": sum(v != v for v in values),
              "n_inf": sum(v in (INF, -INF) for v in values)}
    if floats and nan == "skip":
        pairs = [(i, v) for i, v in pairs if v == v]
    values = [v for _, v in pairs]
    out = dict.fromkeys(VALUELESS, REFUSED)
    out.update((op, str(n)) for op, n in counts.items())
    out["count"] = str(len(values))
    out["any"] = str(int(any(v != 0 for v in values)))
    out["alltrue"] = str(int(all(v != 0 for v in values)))
    if "prod" in ops:
        out["prod"] = _product(values, floats)
    out.update((op, text(v)) for op, v in _sums(values, floats, ops).items())
    out["linf"] = "0"
    if not DISTINCT.isdisjoint(ops):
        out.update(_distinct(values, dtype))
    if not values:
        out["prod"] = "1"
        return out
    out.update(first=text(values[0], dtype), last=text(values[-1], dtype))
    first_nan = next((i for i, v in pairs if v != v), None)
    if first_nan is not None:
        out.update(dict.fromkeys(
            ("min", "max", "range", "linf", "absmin", "absmax"), "nan"))
        out["argmin"] = out["argmax"] = str(first_nan)
        return out
    # Python's min and max return the first of equal values; -0 == +0
    at_min, low = min(pairs, key=lambda p: p[1])
    at_max, high = max(pairs, key=lambda p: p[1])
    sizes = [abs(v) for v in values]
    out.update(argmin=str(at_min), argmax=str(at_max),
               min=text(low, dtype), max=text(high, dtype),
               absmin=text(min(sizes), dtype), absmax=text(max(sizes), dtype),
               linf=text(max(sizes), dtype))
    if not floats:
        out["range"] = str(high - low)
    elif math.isinf(low) or math.isinf(high):
        out["range"] = text(high - low)
    else:
        (low, high), unit = _integers((low, high))
        out["range"] = text(divide(high - low, 1 << unit))
    return out


def identity(dtype):
    """Returns what --empty identity prints without data, for ops without a
    value."""
    out = dict.fromkeys(VALUELESS, "nan")
    if DTYPES[dtype].kind == "f":
        out.update(min="inf", max="-inf", absmin="inf", absmax="0")
    else:
        low, high = limits(dtype)
        out.update(min=str(high), max=str(low), absmax="0",
                   absmin=str(max(-low, high)))
    return out


def matches(got, want):
    """Returns whether the program's text is right. A product of floats may be
    off by 1e-12, or by half an ulp for each factor if that is more; its text
    must still be the shortest."""
    if not isinstance(want, Near):
        return got == want
    x = float(got)
    if text(x) != got or x != x:
        return False
    if (math.copysign(1, x) < 0) != (want.exact < 0):
        return False
    exact = abs(want.exact)
    relative = max(Fraction(1, 10**12), Fraction(want.count, 2**53))
    slack = exact * relative + Fraction(1, 2**1074)
    if math.isinf(x):
        return exact + slack >= 2**1024
    return abs(abs(Fraction(x)) - exact) <= slack
