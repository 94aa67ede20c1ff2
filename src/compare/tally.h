/* SPDX-License-Identifier: MIT */
/* What comparing the pairs of a column leaves behind. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "compare/loops.h"
#include "reduce/extrema.h"

/* The greatest of some quantity so far, and the first pair that has it. The
 * bits order as the quantities do. index INDEX_NONE: no pair differs. */
struct compare_worst {
    uint64_t bits, index;
};

/* All counts are of pairs. Merging two tallies gives the same in any order. */
struct compare_tally {
    uint64_t pairs; /* of which both have a value, NaN among them */
    struct compare_nans nans;
    uint64_t missing, one_missing; /* some value is; one alone is */
    uint64_t mismatches, first_mismatch;
    struct compare_worst absolute, relative; /* |a - b|, |a - b| / |b| */
    /* Of integers of two types: |a - b| of over 64 bits, rounded to f64.
     * `absolute` is u64, of the others. */
    struct compare_worst beyond;
    uint64_t steps; /* the most from a float to the next between both */
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

/* Enters a quantity of the pair of this index, which differs. */
static inline void compare_worst_offer(struct compare_worst *w, uint64_t bits,
                                       uint64_t index)
{
    if (w->index == INDEX_NONE || bits > w->bits ||
        (bits == w->bits && index < w->index))
        *w = (struct compare_worst){bits, index};
}
