/* SPDX-License-Identifier: MIT */
/*
 * Plain float sums. An f64 holds the exact sum of f32 whose exponents are not
 * too far apart, and the processor says whether an addition rounded
 * (inexact.h). If none did, the block's sum is added to the state; otherwise
 * the other loops sum the block. --fast permits rounding within a block, and
 * then f64 is summed this way, too.
 */
#pragma once

#include "reduce/cpu/inexact.h"
#include "reduce/cpu/vector.h"

enum { PLAIN_BLOCK = 4096, PLAIN_SUMS = 8 };

/* Sums n <= PLAIN_BLOCK elements. False if the sum is NaN or Inf, or if an
 * addition rounded and `may_round` is not set.
 *
 * Bound of --fast: an addend passes through n / (8 lanes) additions to its own
 * sum, 7 additions of sums, and one for each lane. With 8 lanes these are at
 * most 64 + 7 + 8, so the rounding error is below 80 * 2^-53 of the sum of
 * magnitudes (160 with 4 lanes, 272 with 2); squares add one more 2^-53. */
ALWAYS_INLINE bool plain_run(const void *data, size_t n, enum exact_map map,
                             bool wide, bool may_round, double *total)
{
    const char *p = data;
    const size_t step = wide ? VECTOR_BYTES : VECTOR_BYTES / 2;
    size_t vectors = n / VECTOR_LANES;
    vdouble sum[PLAIN_SUMS] = {};
    double all = 0;
    inexact_begin();
    for (; vectors >= PLAIN_SUMS; vectors -= PLAIN_SUMS) {
        for (int j = 0; j < PLAIN_SUMS; j++, p += step) {
            /* AVX-512 sums f16 from memory a fifth slower with fewer. */
            if (VECTOR_BYTES == 64 || j * step % CACHE_LINE == 0)
                prefetch_ahead(p);
            sum[j] += addend_of(load_lanes(p, wide), map);
        }
    }
    for (; vectors > 0; vectors--, p += step)
        sum[0] += addend_of(load_lanes(p, wide), map);
    if (n % VECTOR_LANES)
        sum[0] += addend_of(load_some(p, n % VECTOR_LANES, wide), map);
    for (int j = 1; j < PLAIN_SUMS; j++)
        sum[0] += sum[j];
    for (int i = 0; i < VECTOR_LANES; i++)
        all += sum[0][i];
    *total = all;
    return (!inexact_end(total, 1) || may_round) && *total - *total == 0;
}

/* Tries a plain sum where it may succeed. Returns whether it was added. */
ALWAYS_INLINE bool sum_plainly(struct accumulator *w, const void *data,
                               size_t n, enum exact_map map, bool wide)
{
    double total;
    /* Hardly any block of f64, or of squares of f32, sums without rounding. */
    if (!w->fast && (wide || map == EXACT_SQUARE))
        return false;
    if (backoff_skips(&w->rounding) ||
        !backoff_note(&w->rounding,
                      plain_run(data, n, map, wide, w->fast, &total)))
        return false;
    struct scaled s = scaled_of(total, w->state->exact.lsb);
    accumulator_add(w, s.value, s.position);
    return true;
}
