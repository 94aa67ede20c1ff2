# SPDX-License-Identifier: MIT
"""The meaning of a CSV cell, by one regular expression, float(), int() and
Fraction."""

import re
from decimal import Decimal
from fractions import Fraction

import oracle
from oracle import DTYPES, INF, NAN

BLANKS = b" \t"
NA = (b"NA", b"N/A", b"n/a", b"<NA>", b"#N/A", b"null", b"NULL", b"None",
      b"\\N")
QUOTED = re.compile(rb'"((?:[^"]|"")*)"')

FLOAT = re.compile(rb"([+-]?)(?:(?:([0-9]+)(?:\.([0-9]*))?|\.([0-9]+))"
                   rb"(?:e([+-]?[0-9]+))?|(inf|infinity|nan))", re.I)
INTEGER = re.compile(rb"[+-]?[0-9]+")
COMMA = re.compile(rb"[+-]?(?:[0-9]*|[0-9]{1,3}(?:\.[0-9]{3})+),[0-9]+"
                   rb"(?:e[+-]?[0-9]+)?", re.I)


def unquoted(field):
    """Returns a field's text. If the whole field is quoted, quotes and the
    blanks inside and outside of them are removed."""
    raw = field.raw.strip(BLANKS)
    whole = QUOTED.fullmatch(raw)
    return whole[1].replace(b'""', b'"').strip(BLANKS) if whole else raw


def cell_text(field):
    return unquoted(field)


def nearest(x, dtype):
    """Rounds a Fraction > 0 once to dtype, ties to even. Returns a float."""
    p, low = DTYPES[dtype].digits, DTYPES[dtype].low
    e = x.numerator.bit_length() - x.denominator.bit_length() - p
    if Fraction(2)**(e + p) > x:
        e -= 1
    e = max(e + 1, low)                     # 2^(p-1) <= x / 2^e < 2^p
    m, rest = divmod(x / Fraction(2)**e, 1)
    m += rest > Fraction(1, 2) or (rest == Fraction(1, 2) and m % 2)
    if m * Fraction(2)**e >= 2**(3 - p - low):
        return INF
    return float(m * Fraction(2)**e)        # exact


def to_float(text, dtype):
    """Returns the value of text in dtype, or None if it is not a number. f64
    uses float(), which rounds correctly; test_csv_oracle.py checks the rest
    against it."""
    match = FLOAT.fullmatch(text)
    if not match:
        return None
    sign, whole, part, fraction, exponent, word = match.groups(b"")
    if dtype == "f64":
        return float(text)
    if word:
        value = NAN if word.lower() == b"nan" else INF
    else:
        part += fraction
        digits = (whole + part).lstrip(b"0")
        power = int(exponent or b"0") - len(part)
        size = len(digits) + power          # digits < 10^size
        if not digits or size < -400:
            value = 0.0
        elif size > 400:
            value = INF
        else:
            value = nearest(Fraction(Decimal(digits.decode()))
                            * Fraction(10)**power, dtype)
    return -value if sign == b"-" else value


def to_integer(text, dtype):
    if not INTEGER.fullmatch(text):
        return None
    digits = text.lstrip(b"+-").lstrip(b"0") or b"0"
    if len(digits) > 20:
        return None
    value = -int(digits) if text[:1] == b"-" else int(digits)
    low, high = oracle.limits(dtype)
    return value if low <= value <= high else None


def is_wide(text):
    """Returns whether text is an integer that f64 cannot hold."""
    return bool(INTEGER.fullmatch(text)) and (
        Decimal(text.decode()) != float(text))


def held(text):
    """Returns the number exactly if f64 or a 64-bit integer holds it, else
    rounded to f64."""
    whole = is_wide(text) and len(text.lstrip(b"+-0")) <= 20
    return int(text) if whole and abs(int(text)) < 2**64 else float(text)


def has_decimal_comma(text):
    return bool(COMMA.fullmatch(text))


def number(text, dtype):
    floats = DTYPES[dtype].kind == "f"
    return (to_float if floats else to_integer)(text, dtype)


def is_missing(text, na):
    return not text or text in na
