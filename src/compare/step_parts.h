/* SPDX-License-Identifier: MIT */
/* What the files of the stepper share. */
#pragma once

#include "compare/step.h"
#include "reduce/cpu/accumulator.h"

/* How pairs of two types are compared. */
enum way {
    WAY_F32,      /* both are f32 */
    WAY_F64,      /* both are f64 */
    WAY_WIDENED,  /* widened to f64, which holds both types */
    WAY_I64,      /* both are i64 */
    WAY_U64,      /* both are u64 */
    WAY_INTEGERS, /* one by one: two integer types, one of 64 bits */
    WAY_APART     /* one by one: a 64-bit integer and a float */
};

struct compare_stepper {
    struct compare_stepper_options o;
    enum way way;
    bool has_steps;      /* both are floats of one type */
    unsigned log_size;   /* log2 of the size of a */
    uint64_t number_max; /* of type a, if a float: see loops.h */
    const struct compare_loops *loops;
    loop_fn *squares;
    struct accumulator accumulator;
    /* The arrays of a block: the elements of a and b as f64; the differences,
     * magnitudes |b| and quotients; the exact differences of integers. */
    _Alignas(64) double wide[2][COMPARE_BLOCK];
    double difference[COMPARE_BLOCK], magnitude[COMPARE_BLOCK],
        quotient[COMPARE_BLOCK];
    uint64_t integer[COMPARE_BLOCK];
};

/* The pairs of a block that is being added. */
struct compare_pairs {
    struct compare_tally *t;
    const char *a, *b; /* the first elements */
    size_t n;
    uint64_t place; /* of the first pair */
};

static inline uint64_t compare_index(const struct compare_stepper *s,
                                     uint64_t place)
{
    return s->o.index ? s->o.index(s->o.map, place) : place;
}

/* Offers to *w the pairs whose quantity[i] is `greatest`, which is not 0.
 * Offers only the first such pair, unless places are not indexes: then any may
 * have the least index. */
void compare_offer(const struct compare_stepper *s,
                   const struct compare_pairs *k, struct compare_worst *w,
                   const void *quantity, uint64_t greatest);

/* Whether a pair that differs by d is a mismatch; computed as in the loops. */
bool compare_is_far(const struct compare_tolerance *t, double d,
                    double magnitude);

/* Adds the pairs whose differences and magnitudes are in s. Returns false if no
 * pair differs. */
bool compare_add_reals(struct compare_stepper *s,
                       const struct compare_pairs *k);

/* Adds pairs with NaN. Those with exactly one are mismatches without a
 * difference. */
void compare_add_nans(const struct compare_stepper *s,
                      const struct compare_pairs *k,
                      const struct compare_nans *nans);

/* Adds the greatest number of steps between the floats of a pair. */
void compare_add_steps(const struct compare_stepper *s,
                       const struct compare_pairs *k);
