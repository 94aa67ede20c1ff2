/* SPDX-License-Identifier: MIT */
/*
 * The least and the greatest value, each with the index of the first element
 * that has it, and the index of the first NaN.
 *
 * Values are compared by keys, unsigned integers in the order of the values,
 * with one key for -0 and +0. The bits of the first element with the extreme
 * key are the result, so they are kept, too. Indexes are global, so states
 * merge in any order.
 */
#pragma once

#include <stdint.h>

#include "reduce/hd.h"

#define INDEX_NONE UINT64_MAX

struct extremum {
    uint64_t key, bits, index;
};

struct extrema {
    uint64_t nans, first_nan; /* INDEX_NONE: none */
    struct extremum min, max; /* index INDEX_NONE: no number was seen */
};

HD void extrema_init(struct extrema *x)
{
    x->nans = 0;
    x->first_nan = INDEX_NONE;
    x->min.key = UINT64_MAX;
    x->max.key = 0;
    x->min.bits = x->max.bits = 0;
    x->min.index = x->max.index = INDEX_NONE;
}

/* True where a beats b as a minimum (or, with greater, as a maximum); ties go
 * to the lower index, so INDEX_NONE never wins. */
HD int extremum_beats(const struct extremum *a, const struct extremum *b,
                      int greater)
{
    if (a->key != b->key)
        return greater ? a->key > b->key : a->key < b->key;
    return a->index < b->index;
}

HD void extrema_merge(struct extrema *into, const struct extrema *from)
{
    into->nans += from->nans;
    if (from->first_nan < into->first_nan)
        into->first_nan = from->first_nan;
    if (extremum_beats(&from->min, &into->min, 0))
        into->min = from->min;
    if (extremum_beats(&from->max, &into->max, 1))
        into->max = from->max;
}

/* A signed integer, or a float's bits ordered as one, as a key. */
HD uint64_t key_of_signed(int64_t value)
{
    return (uint64_t)value ^ 1ull << 63;
}
