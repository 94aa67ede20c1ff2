/* SPDX-License-Identifier: MIT */
/* Fixed-point integers for the reference: 64-bit limbs, little-endian, two's
 * complement modulo 2^8704. Plain; the addition, of which each element needs
 * nine, is inline. */
#pragma once

#include <stdint.h>

/* The largest sum, of fourth powers of f64, needs 8392 bits, and 64 for the
 * count. */
enum { BIG_LIMBS = 136 };

struct big {
    uint64_t limb[BIG_LIMBS];
};

/* x += value * 2^shift. */
static inline void big_add_shifted(struct big *x, unsigned __int128 value,
                                   unsigned shift)
{
    /* `here` is added to the limb, and `above` to the higher ones. */
    unsigned __int128 here = (uint64_t)value << shift % 64;
    unsigned __int128 above = value >> (64 - shift % 64);
    for (unsigned at = shift / 64; at < BIG_LIMBS && (here || above); at++) {
        here += x->limb[at];
        x->limb[at] = (uint64_t)here;
        here = (here >> 64) + (uint64_t)above;
        above >>= 64;
    }
}

void big_add(struct big *x, const struct big *y);
void big_subtract(struct big *x, const struct big *y);
