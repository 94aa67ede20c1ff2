# SPDX-License-Identifier: MIT
"""Decimals near the values at which rounding changes."""

import struct
from fractions import Fraction

from oracle import DTYPES

TOP = {"f32": 0x7f7fffff, "f64": 0x7fefffffffffffff}    # largest finite


def exact_decimal(x):
    """Returns all digits of a Fraction whose denominator is a power of two."""
    shift = x.denominator.bit_length() - 1
    digits = str(x.numerator * 5**shift)
    if shift == 0:
        return digits
    digits = digits.rjust(shift + 1, "0")
    return digits[:-shift] + "." + digits[-shift:]


def from_bits(bits, dtype):
    code, word = ("f", "I") if dtype == "f32" else ("d", "Q")
    return Fraction(*struct.unpack(f"<{code}", struct.pack(f"<{word}", bits)))


def halfway(rnd, dtype):
    """Returns the exact middle of two neighbours; infinity counts as 2^128 or
    2^1024."""
    d, top = DTYPES[dtype], TOP[dtype]
    binade = rnd.randrange(1, (top >> (d.digits - 1)) + 1) << (d.digits - 1)
    bits = rnd.choice([rnd.randrange(top), rnd.randrange(99), top, binade,
                       binade - 1, rnd.randrange(1 << d.digits)])
    low = from_bits(bits, dtype)
    after = Fraction(2)**(3 - d.digits - d.low)
    return (low + (from_bits(bits + 1, dtype) if bits < top else after)) / 2


def respelled(rnd, text):
    """Writes the same number differently: signs, zeros, an exponent."""
    power = rnd.choice([0, 0, 1, -1, 40, -300])
    whole, _, part = text.partition(".")
    if power > 0:
        part = part.ljust(power, "0")
        whole, part = whole + part[:power], part[power:]
    elif power < 0:
        whole = whole.rjust(1 - power, "0")
        whole, part = whole[:power], whole[power:] + part
    out = "0" * rnd.choice([0, 0, 1, 30]) + whole
    out += "." + part if part else rnd.choice(["", "."])
    out += rnd.choice(["", "0" * rnd.choice([1, 90])]) if "." in out else ""
    if power:
        out += rnd.choice("eE") + f"{-power:{rnd.choice(['', '+', '05'])}}"
    return rnd.choice(["", "", "+", "-"]) + out


def hostile_decimals(rnd, dtype, count):
    """Returns texts (bytes) of 1 to about 1100 characters."""
    out = []
    while len(out) < count:
        kind = rnd.randrange(4)
        if kind == 0:
            digits = rnd.choice([17, 18, 19, 20, 40, 200, 800])
            text = str(rnd.randrange(10**(digits - 1), 10**digits))
            at = rnd.randrange(len(text))
            text = (text[:at] or "0") + "." + text[at:]
            out.append((text + f"e{rnd.randrange(-340, 300)}").encode())
            continue
        text = exact_decimal(halfway(rnd, dtype))
        if kind == 1:
            text += ("" if "." in text else ".") + "0" * rnd.randrange(
                60) + rnd.choice("123456789")
        elif kind == 2:                         # slightly below
            at = max(i for i, c in enumerate(text) if c in "123456789")
            text = text[:at] + str(int(text[at]) - 1) + (
                text[at + 1:].replace("0", "9"))
            text += ("" if "." in text else ".") + "9" * rnd.randrange(1, 60)
        out.append(respelled(rnd, text).encode())
    return out


def random_float(rnd, dtype):
    """Returns a finite number of random bits."""
    bits = rnd.randrange(TOP[dtype] + 1)
    return rnd.choice([1, -1]) * float(from_bits(bits, dtype))
