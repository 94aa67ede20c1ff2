# SPDX-License-Identifier: MIT
"""Random conditions for --assert and their values: an independent oracle, by
the grammar and the definitions in the manual, on Python's integers and floats.

A node is written with as few parentheses as the grammar needs, or with
more, and evaluated as a Python value: bool, int, float, or MISSING."""

import math
import re
from fractions import Fraction

MISSING = None
INTEGER_END = 1 << 127   # of operations: 127 bits and a sign

# The levels of the grammar, from the loosest to the tightest.
CHOICE, OR, AND, NOT, COMPARE, SUM, PRODUCT, UNARY, POWER, PRIMARY = range(10)


class Wrong(Exception):
    """The expression has no value; the program exits with 1."""


class Node:
    """kind: 'bool', 'integer', 'float', or 'number', which is integer or
    float."""

    def __init__(self, level, kind, text, value):
        self.level, self.kind, self.text, self.value = level, kind, text, value

    def inside(self, level, rnd):
        """Returns the text, in parentheses if the grammar needs this level."""
        text = self.text(rnd)
        if self.level < level or rnd.random() < 0.05:
            return "(" + blank(rnd) + text + blank(rnd) + ")"
        return text


def blank(rnd):
    return rnd.choice(("", "", " ", "  ", "\t", "\n"))


def space(rnd):
    return rnd.choice((" ", " ", "  ", "\t"))


def number(x):
    return int(x) if isinstance(x, bool) else x


def real(x):
    """Converts to float exactly."""
    x = number(x)
    if isinstance(x, int):
        if abs(x) >= INTEGER_END or Fraction(float(x)) != x:
            raise Wrong("inexact")
        return float(x)
    return x


def integer(x):
    if not -INTEGER_END <= x < INTEGER_END:
        raise Wrong("overflow")
    return x


def remainder(a, b):
    """C's remainder."""
    if b == 0:
        raise Wrong("by zero")
    rest = abs(a) % abs(b)
    return -rest if a < 0 else rest


def fmod(a, b):
    if math.isnan(a) or math.isnan(b) or math.isinf(a) or b == 0:
        return math.nan
    return math.fmod(a, b)


def floor_mod_integer(a, b):
    if b == 0:
        raise Wrong("by zero")
    return a % b


def floor_mod(a, b):
    return a % b if math.isfinite(fmod(a, b)) else math.nan


def divide(a, b):
    if b == 0:
        if a == 0 or math.isnan(a):
            return math.nan
        return math.copysign(math.inf, a) * math.copysign(1, b)
    return a / b


def least(a, b):
    return b if math.isnan(b) or b < a else a


def greatest(a, b):
    return b if math.isnan(b) or b > a else a


def half_away(x):
    if not math.isfinite(x):
        return x
    return math.copysign(math.floor(abs(Fraction(x)) + Fraction(1, 2)), x)


def whole(of):
    return lambda x: x if not math.isfinite(x) else math.copysign(of(x), x)


def root(x):
    return math.sqrt(x) if x >= 0 else math.nan


def power(base, n):
    """Power by squaring, from the lowest bit of the exponent."""
    product, square, left = 1.0, base, abs(n)
    while left:
        if left & 1:
            product *= square
        square *= square
        left >>= 1
    return divide(1.0, product) if n < 0 else product


def common(a, b):
    if a == b:
        return a
    if "float" in (a, b):
        return "float"
    return "number" if "number" in (a, b) else "integer"


def arithmetic(kind):
    return "integer" if kind == "bool" else kind


def as_kind(value, kind):
    if value is MISSING or kind == "bool":
        return value
    return real(value) if kind == "float" else number(value)


def applied(of_integers, of_reals, *operands):
    """Applies the function for integers or for floats. MISSING if an operand
    is."""
    if MISSING in operands:
        return MISSING
    operands = [number(x) for x in operands]
    if of_integers and all(isinstance(x, int) for x in operands):
        return integer(of_integers(*operands))
    return of_reals(*map(real, operands))


BINARY = {
    "+": (SUM, lambda a, b: a + b, lambda a, b: a + b),
    "-": (SUM, lambda a, b: a - b, lambda a, b: a - b),
    "*": (PRODUCT, lambda a, b: a * b, lambda a, b: a * b),
    "/": (PRODUCT, None, divide),
    "%": (PRODUCT, remainder, fmod),
}
FUNCTIONS = {
    "abs": (abs, abs), "sqrt": (None, root), "floor": (int, whole(math.floor)),
    "ceil": (int, whole(math.ceil)), "trunc": (int, whole(math.trunc)),
    "round": (int, half_away), "rint": (int, whole(round)),
}
PAIRS = {
    "min": (min, least), "max": (max, greatest),
    "mod": (floor_mod_integer, floor_mod), "hypot": (None, math.hypot),
}
COMPARISONS = {
    "==": lambda a, b: a == b, "!=": lambda a, b: a != b,
    "<": lambda a, b: a < b, "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b, ">=": lambda a, b: a >= b,
}


class Draw:
    """Draws nodes over names: {text: (kind, value)}."""

    def __init__(self, rnd, names):
        self.rnd, self.names = rnd, names

    def literal(self):
        text = self.rnd.choice(
            ("0", "1", "2", "3", "7", "64", "1000003", "9007199254740993",
             "18446744073709551615", "170141183460469231731687303715884105727",
             "170141183460469231731687303715884105728.0", "0.5", "1.5", ".25", "2.", "1e3", "1E-3", "0.1", "1e308",
             "9007199254740992.0", "inf", "nan"))
        is_integer = re.fullmatch("[0-9]+", text)
        value = int(text) if is_integer else float(text)
        return Node(PRIMARY, "integer" if is_integer else "float",
                    lambda rnd: text, lambda: value)

    def name(self, of_bool):
        text = self.rnd.choice([n for n, (kind, _) in self.names.items()
                                if (kind == "bool") == of_bool])
        kind, value = self.names[text]
        return Node(PRIMARY, kind, lambda rnd: text, lambda: value)

    def leaf(self):
        return self.literal() if self.rnd.random() < 0.5 else self.name(False)

    def number(self, depth):
        if depth == 0 or self.rnd.random() < 0.15:
            return self.leaf()
        return self.rnd.choice((
            self.binary, self.binary, self.binary, self.sign, self.power,
            self.function, self.pair, self.choice, self.coalesce,
            lambda d: self.condition(d)))(depth - 1)

    def binary(self, depth):
        sign = self.rnd.choice(list(BINARY))
        level, of_integers, of_reals = BINARY[sign]
        a, b = self.number(depth), self.number(depth)
        kind = arithmetic(common(a.kind, b.kind)) if of_integers else "float"
        return Node(level, kind, lambda rnd: a.inside(level, rnd) + blank(rnd)
                    + sign + space(rnd) + b.inside(level + 1, rnd),
                    lambda: applied(of_integers, of_reals, a.value(),
                                    b.value()))

    def sign(self, depth):
        sign, a = self.rnd.choice("-+"), self.number(depth)
        of = (lambda x: -x) if sign == "-" else (lambda x: x)
        return Node(UNARY, arithmetic(a.kind),
                    lambda rnd: sign + blank(rnd) + a.inside(UNARY, rnd),
                    lambda: applied(of, of, a.value()))

    def power(self, depth):
        n, a = self.rnd.choice((-64, -2, -1, 0, 1, 2, 3, 7, 64)), \
            self.number(depth)
        kind = arithmetic(a.kind) if n >= 0 else "float"

        def value():
            base = number(a.value())
            if base is MISSING:
                return MISSING
            if isinstance(base, int) and n >= 0:
                return integer(base ** n)
            return power(real(base), n)
        return Node(POWER, kind, lambda rnd: a.inside(PRIMARY, rnd) + blank(rnd)
                    + "**" + blank(rnd) + str(n), value)

    def function(self, depth):
        name = self.rnd.choice(list(FUNCTIONS))
        of_integers, of_reals = FUNCTIONS[name]
        a = self.number(depth)
        return Node(PRIMARY, arithmetic(a.kind) if of_integers else "float",
                    lambda rnd: f"{name}({a.inside(SUM, rnd)})",
                    lambda: applied(of_integers, of_reals, a.value()))

    def pair(self, depth):
        name = self.rnd.choice(list(PAIRS))
        of_integers, of_reals = PAIRS[name]
        a, b = self.number(depth), self.number(depth)
        kind = arithmetic(common(a.kind, b.kind)) if of_integers else "float"
        return Node(PRIMARY, kind, lambda rnd: f"{name}({a.inside(CHOICE, rnd)}"
                    f",{blank(rnd)}{b.inside(CHOICE, rnd)})",
                    lambda: as_kind(applied(of_integers, of_reals, a.value(),
                                            b.value()), kind))

    def choice(self, depth):
        c = self.condition(depth)
        a, b = self.number(depth), self.number(depth)
        kind = common(a.kind, b.kind)

        def value():
            chosen = c.value()
            if chosen is MISSING:
                return MISSING
            return as_kind(a.value() if chosen else b.value(), kind)
        return Node(CHOICE, kind, lambda rnd: f"{c.inside(OR, rnd)} ? "
                    f"{a.inside(CHOICE, rnd)} : {b.inside(CHOICE, rnd)}", value)

    def coalesce(self, depth):
        a, b = self.number(depth), self.number(depth)
        kind = common(a.kind, b.kind)

        def value():
            first, second = a.value(), b.value()
            return as_kind(second if first is MISSING else first, kind)
        return Node(PRIMARY, kind, lambda rnd: f"coalesce({a.inside(CHOICE, rnd)}"
                    f", {b.inside(CHOICE, rnd)})", value)

    def condition(self, depth):
        if depth <= 0:
            return self.name(True)
        return self.rnd.choice((
            self.comparison, self.comparison, self.comparison, self.logic,
            self.logic, self.negation, self.member, self.test))(depth - 1)

    def comparison(self, depth):
        sign = self.rnd.choice(list(COMPARISONS))
        a, b = self.number(depth), self.number(depth)

        def value():
            x, y = a.value(), b.value()
            return MISSING if x is MISSING or y is MISSING \
                else COMPARISONS[sign](x, y)
        return Node(COMPARE, "bool", lambda rnd: a.inside(SUM, rnd) + blank(rnd)
                    + sign + space(rnd) + b.inside(SUM, rnd), value)

    def logic(self, depth):
        level, words, decides = self.rnd.choice(
            ((OR, ("||", "or"), True), (AND, ("&&", "and"), False)))
        a, b = self.condition(depth), self.condition(depth)

        def value():
            x = a.value()
            if x is decides:
                return decides
            y = b.value()
            if y is decides:
                return decides
            return MISSING if x is MISSING or y is MISSING else not decides
        return Node(level, "bool", lambda rnd: a.inside(level, rnd) + space(rnd)
                    + rnd.choice(words) + space(rnd)
                    + b.inside(level + 1, rnd), value)

    def negation(self, depth):
        a = self.condition(depth)
        word, level = self.rnd.choice((("!", UNARY), ("not ", NOT)))

        def value():
            x = a.value()
            return MISSING if x is MISSING else not x
        return Node(level, "bool", lambda rnd: word + a.inside(level, rnd),
                    value)

    def member(self, depth):
        a = self.number(depth)
        is_not = self.rnd.random() < 0.3
        items = [self.rnd.choice(("0", "1", "-1", "+2", "0.5", "nan", "-inf",
                                  "true", "missing", "1e3"))
                 for _ in range(self.rnd.randrange(1, 5))]

        def value():
            x = a.value()
            if x is MISSING:
                return MISSING
            known = [1 if i == "true" else float(i) if re.search("[.en]", i)
                     else int(i) for i in items if i != "missing"]
            if any(x == k for k in known):
                return not is_not
            return MISSING if "missing" in items else is_not
        return Node(COMPARE, "bool", lambda rnd: a.inside(SUM, rnd)
                    + (" not" if is_not else "") + " in ("
                    + ("," + blank(rnd)).join(items) + ")", value)

    def test(self, depth):
        name = self.rnd.choice(("isnan", "isfinite", "ismissing"))
        a = self.number(depth)

        def value():
            x = a.value()
            if name == "ismissing":
                return x is MISSING
            if x is MISSING:
                return MISSING
            is_float = isinstance(x, float)
            return is_float and math.isnan(x) if name == "isnan" \
                else not is_float or math.isfinite(x)
        return Node(PRIMARY, "bool",
                    lambda rnd: f"{name}({a.inside(CHOICE, rnd)})", value)
