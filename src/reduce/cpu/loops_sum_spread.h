/* SPDX-License-Identifier: MIT */
/*
 * Sums a block whose elements may have any exponents, but no Inf or NaN, in the
 * large accumulator of Neal (arXiv 1505.05571): each mantissa is added to the
 * sum of its sign and exponent, each square to the sum of its exponent. A sum
 * has 64 or 128 bits. When it reaches its top bit, that bit is moved to a count
 * of carries, which takes 2^10 mantissas or 2^21 squares. A branch that is
 * hardly ever taken costs less than a second half that is loaded, added to and
 * stored (9 instructions an f64 instead of 14), and the smaller table stays in
 * L1 beside that of the core's other thread.
 */
#pragma once

#include "reduce/cpu/vector.h"

ALWAYS_INLINE void spread_mantissa(struct accumulator *w, uint64_t place,
                                   uint64_t mantissa)
{
    uint64_t *sum = &w->spread.mantissa.sum[place];
    uint64_t total = *sum + mantissa;
    if (__builtin_expect((int64_t)total < 0, 0)) {
        total ^= 1ull << 63;
        w->spread.mantissa.carry[place]++;
    }
    *sum = total;
}

ALWAYS_INLINE void spread_square(struct accumulator *w, uint64_t place,
                                 uint64_t mantissa)
{
    unsigned __int128 *sum = &w->spread.square.sum[place];
    unsigned __int128 total = *sum + (unsigned __int128)mantissa * mantissa;
    if (__builtin_expect((__int128)total < 0, 0)) {
        total ^= (unsigned __int128)1 << 127;
        w->spread.square.carry[place]++;
    }
    *sum = total;
}

ALWAYS_INLINE void spread_element(struct accumulator *w, double x,
                                  enum exact_map map, bool all_normal)
{
    const uint64_t one = 1ull << 52;
    uint64_t bits = bits_of_double(x);
    if (map != EXACT_VALUE)
        bits &= INT64_MAX;
    uint64_t place = bits >> 52; /* sign and exponent */
    uint64_t fraction = bits & (one - 1);
    uint64_t normal = all_normal || (place & 0x7ff) != 0 ? one : 0;
    if (map == EXACT_SQUARE)
        spread_square(w, place, fraction | normal);
    else
        spread_mantissa(w, place, fraction | normal);
}

ALWAYS_INLINE void spread_run(struct accumulator *w, const void *data, size_t n,
                              enum exact_map map, bool wide, bool all_normal)
{
    enum { LINE = 8 };
    const char *p = data;
    size_t i = 0;
    for (; i + LINE <= n; i += LINE, p += LINE * (wide ? 8 : 4)) {
        /* magnitudes() has read this block into L1, but not the next. */
        prefetch_ahead(p + 8 * n);
        for (int j = 0; j < LINE; j++)
            spread_element(w, element(data, i + j, wide), map, all_normal);
    }
    for (; i < n; i++)
        spread_element(w, element(data, i, wide), map, all_normal);
}
