/* SPDX-License-Identifier: MIT */
/* What the files of the stepper share. */
#pragma once

#include "compare/step.h"
#include "reduce/cpu/accumulator.h"

/* How pairs of two types are compared: as they are; widened to f64, which holds
 * both; as 64-bit integers; or one by one, where no type holds both: integers,
 * or some that are none. */
enum way {
    WAY_F32,
    WAY_F64,
    WAY_WIDENED,
    WAY_I64,
    WAY_U64,
    WAY_INTEGERS,
    WAY_APART
};

struct compare_stepper {
    struct compare_stepper_options o;
    enum way way;
    bool has_steps;
    unsigned log_size;   /* of floats of one type, for their steps */
    uint64_t number_max; /* bits of its greatest number */
    const struct compare_loops *loops;
    loop_fn *squares;
    struct accumulator accumulator;
    /* Of a block. */
    _Alignas(64) double wide[2][COMPARE_BLOCK];
    double difference[COMPARE_BLOCK], magnitude[COMPARE_BLOCK],
        quotient[COMPARE_BLOCK];
    uint64_t integer[COMPARE_BLOCK];
};

/* The pairs of a block that is being added. */
struct compare_pairs {
    struct compare_tally *t;
    const char *a, *b;
    size_t n;
    uint64_t place;
};

static inline uint64_t compare_index(const struct compare_stepper *s,
                                     uint64_t place)
{
    return s->o.index ? s->o.index(s->o.map, place) : place;
}

/* Offers the first pairs that have a quantity, which is not 0: `quantity` is
 * that of each. Where places are no indexes, any of them may be the first. */
void compare_offer(const struct compare_stepper *s,
                   const struct compare_pairs *k, struct compare_worst *w,
                   const uint64_t *quantity, uint64_t greatest);

/* Adds what the arrays of differences and magnitudes hold. False where there
 * is no difference. */
bool compare_add_reals(struct compare_stepper *s,
                       const struct compare_pairs *k);

/* Pairs of which one alone is NaN are mismatches without a difference. */
void compare_add_nans(const struct compare_stepper *s,
                      const struct compare_pairs *k,
                      const struct compare_nans *nans);

/* The greatest number of steps between the floats of a pair, of one type. */
void compare_add_steps(const struct compare_stepper *s,
                       const struct compare_pairs *k);
