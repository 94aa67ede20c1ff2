/* SPDX-License-Identifier: MIT */
/*
 * The sum of a key's values, exact in 128 bits: a fixed-point number whose bit
 * 0 weighs 2^-74, or 1 for integers. It takes 0 and every f64 of at least 2^-22
 * and below 2^52, which has no bit below 2^-74. That covers most amounts of
 * money, measured values and counts, as long as the sum itself is below 2^53. A
 * value that does not fit is added to the exact sum of the key's spill (see
 * table.h), which few keys have. No value has to be read twice.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "reduce/exact.h"
#include "reduce/float_format.h"

enum {
    BY_SUM_LSB = -74,
    /* Files of states have such sums, too (saved/keys.c). No written state of
     * an exact sum is as short. */
    BY_SUM_BYTES = sizeof(__int128),
    /* The most bits that a mantissa of 53 bits may be shifted by: the result is
     * below 2^126. */
    BY_SUM_SHIFT = 73,
    /* The greatest shift for which 2^shift is an int64_t. Values below 2^41
     * need no greater one. */
    BY_SUM_FACTOR = 62,
};

/* The mantissa of a normal f64, with its sign. */
static inline int64_t by_sum_mantissa(uint64_t bits)
{
    const int64_t magnitude =
        (int64_t)((bits & 0xfffffffffffff) | (uint64_t)1 << 52);
    const int64_t sign = (int64_t)bits >> 63;
    return (magnitude ^ sign) - sign;
}

/* Adds a mantissa, shifted, to the sum, which may be at any address. False, and
 * no change, if the result does not fit. */
static inline bool by_sum_add_term(char *sum, int64_t mantissa, __int128 factor)
{
    __int128 have;
    memcpy(&have, sum, sizeof have);
    if (__builtin_add_overflow(have, mantissa * factor, &have))
        return false;
    memcpy(sum, &have, sizeof have);
    return true;
}

/* Adds an f64, of any size. False, and no change, if it or the result does not
 * fit. -0 does not fit. */
bool by_sum_add_any(char *sum, uint64_t bits);

/* The same. Most values take the short way. */
static inline bool by_sum_add(char *sum, uint64_t bits)
{
    const unsigned shift =
        (unsigned)(bits >> 52 & 0x7ff) - (unsigned)(1075 + BY_SUM_LSB);
    if (__builtin_expect(shift > BY_SUM_FACTOR, 0))
        return by_sum_add_any(sum, bits);
    return by_sum_add_term(sum, by_sum_mantissa(bits), (int64_t)1 << shift);
}

/* Adds x, which is not 0, to an exact sum. Only counts NaN and infinities. */
void by_sum_add_exact(struct exact *to, double x);

/* Adds a sum of floats or of integers to an exact one. */
void by_sum_widen(struct exact *to, const char *sum, bool is_float);

/* Sets the sum to an exact one of floats or of integers, as exact_trim makes
 * it. False, and no change, if it does not fit: has bits beyond the sum's, NaN,
 * infinities, or no addend but -0. */
bool by_sum_narrow(char *sum, const struct exact *from, bool is_float);
