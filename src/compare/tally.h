/* SPDX-License-Identifier: MIT */
/* What a comparison keeps of a column. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "compare/loops.h"
#include "reduce/extrema.h"

/* The greatest quantity so far and the first pair that has it. `bits` sort in
 * the order of the quantities. {0, INDEX_NONE} if no pair differs. */
struct compare_worst {
    uint64_t bits, index;
};

/* All counts are of pairs. Tallies merge in any order. */
struct compare_tally {
    uint64_t pairs; /* with two values, NaN included */
    struct compare_nans nans;
    uint64_t missing, one_missing; /* with any cell missing; with exactly one */
    uint64_t mismatches, first_mismatch;
    struct compare_worst absolute, relative; /* |a - b|, |a - b| / |b| */
    /* Of two integer types: the greatest |a - b| that u64 cannot hold, rounded
     * to f64. `absolute` has the others, as u64. */
    struct compare_worst beyond;
    /* greatest distance of two floats, in steps from float to float */
    uint64_t steps;
};

static inline struct compare_tally compare_tally_none(void)
{
    const struct compare_worst none = {0, INDEX_NONE};
    return (struct compare_tally){.first_mismatch = INDEX_NONE,
                                  .absolute = none,
                                  .relative = none,
                                  .beyond = none};
}

void compare_tally_merge(struct compare_tally *into,
                         const struct compare_tally *from);

/* Counts the pair of this index as a mismatch. */
static inline void compare_tally_mismatch(struct compare_tally *t,
                                          uint64_t index)
{
    t->mismatches++;
    if (index < t->first_mismatch)
        t->first_mismatch = index;
}

/* Offers a quantity of a pair that differs, and the pair's index. */
static inline void compare_worst_offer(struct compare_worst *w, uint64_t bits,
                                       uint64_t index)
{
    if (bits > w->bits || (bits == w->bits && index < w->index))
        *w = (struct compare_worst){bits, index};
}
