/* SPDX-License-Identifier: MIT */
/* Fixed-point integers for the reference: 32-bit limbs, little-endian, two's
 * complement modulo 2^8704. Slow and plain. */
#pragma once

#include <stdint.h>

/* The largest sum, of fourth powers of f64, needs 8392 bits, and 64 for the
 * count. */
enum { BIG_LIMBS = 272 };

struct big {
    uint32_t limb[BIG_LIMBS];
};

/* x += value * 2^shift. */
void big_add_shifted(struct big *x, unsigned __int128 value, unsigned shift);

void big_add(struct big *x, const struct big *y);
void big_subtract(struct big *x, const struct big *y);

/* Returns 64 bits, starting at bit 64 * word. */
uint64_t big_word(const struct big *x, unsigned word);
