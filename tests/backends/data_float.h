/* SPDX-License-Identifier: MIT */
/* Shared by the classes of floats. */
#pragma once

#include "data.h"

static inline uint64_t any(struct maker *m, uint64_t n)
{
    return random_below(&m->random, n);
}

/* Makes a float from its fields. A fraction that is too long is cut. */
static inline uint64_t fields(struct maker *m, bool negative, uint64_t exponent,
                              uint64_t fraction)
{
    uint64_t one = 1ull << m->fraction;
    return (negative ? m->sign : 0) | exponent << m->fraction |
           (fraction & (one - 1));
}

/* Makes a float with this exponent field and a random sign and fraction. */
static inline uint64_t with_exponent(struct maker *m, uint64_t exponent)
{
    uint64_t r = random_next(&m->random);
    return fields(m, r >> 63, exponent, r);
}

static inline uint64_t of(struct maker *m, double value)
{
    return dtype_from_double(m->dtype, value);
}

static inline uint64_t uniform(struct maker *m)
{
    return of(m, 2 * random_unit(&m->random) - 1);
}

/* data_hostile.c: extreme exponents and orders. */
uint64_t data_full(struct maker *m);
uint64_t data_swelling(struct maker *m);
uint64_t data_outgrowing(struct maker *m);
uint64_t data_spanning(struct maker *m);
uint64_t data_one_huge(struct maker *m);
uint64_t data_hostile(struct maker *m);
uint64_t data_subnormal(struct maker *m);
uint64_t data_topmost(struct maker *m);
uint64_t data_top_positive(struct maker *m);
uint64_t data_ascending(struct maker *m);
uint64_t data_descending(struct maker *m);
uint64_t data_stairs(struct maker *m);
uint64_t data_cancelling(struct maker *m);
uint64_t data_mirrored(struct maker *m);
uint64_t data_tiny(struct maker *m);
uint64_t data_some_tiny(struct maker *m);
uint64_t data_about_tiny(struct maker *m);
uint64_t data_square_edges(struct maker *m);
uint64_t data_drifting(struct maker *m);
uint64_t data_fitful(struct maker *m);
