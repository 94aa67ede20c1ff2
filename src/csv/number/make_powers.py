#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes the rows of csv/number/powers.h's table: powers of five in 128 bits.

    make_powers.py OUTPUT

Row q is 5^q * 2^k, truncated to an integer; k is such that the top bit of 128
is set. The reciprocals of 5^1 to 5^27 are rounded up instead: only these powers
can divide a 64-bit integer, and a reciprocal that is rounded up gives such a
quotient exactly, not the value just below it. Both roundings are those of
Lemire, "Number parsing at a gigabyte per second" (2021); its proofs need them.
"""

import sys

FIRST, END = -342, 325  # as in powers.h; powers.c checks the length
BITS = 128


def row(q):
    power = 5 ** abs(q)
    if q >= 0:
        shift = BITS - power.bit_length()
        return power << shift if shift >= 0 else power >> -shift
    # 5^-q lies between two powers of two, never on one.
    scaled = 1 << (BITS - 1 + power.bit_length())
    return scaled // power + (q >= -27)


def main(output):
    with open(output, "w", encoding="ascii") as file:
        file.write("/* 5^%d to 5^%d; made by make_powers.py. */\n"
                   % (FIRST, END - 1))
        for q in range(FIRST, END):
            value = row(q)
            assert value.bit_length() == BITS
            file.write("{0x%016xu, 0x%016xu},\n"
                       % (value >> 64, value & (1 << 64) - 1))


if __name__ == "__main__":
    main(sys.argv[1])
