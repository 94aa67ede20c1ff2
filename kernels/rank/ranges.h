/* SPDX-License-Identifier: MIT */
/* Ranges of keys cut in bins: what a pass that counts is asked for, and how the
 * counts narrow it. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "reduce/hd.h"

enum {
    GPU_RANGES = 20,
    GPU_RANGE_BINS = 16384, /* of all ranges */
    GPU_RANK_BITS = 12,     /* of a pass that counts, if nobody says */
};

/* Keys from `low` to low + span, in bins of 2^shift keys, which are counted in
 * count[first] and what follows. Ranges have no key in common. */
struct gpu_range {
    uint64_t low, span;
    uint32_t shift, first;
};

struct gpu_ranges {
    unsigned n, bins; /* bins: of all */
    struct gpu_range at[GPU_RANGES];
};

/* A range cut in at most 2^bits bins, after the bins that there are. False
 * where there is no room for it. */
HD bool gpu_ranges_add(struct gpu_ranges *r, uint64_t low, uint64_t span,
                       unsigned bits)
{
    unsigned shift = 0;
    while (shift < 64 && span >> shift >> bits)
        shift++;
    const uint64_t bins = (span >> shift) + 1;
    if (r->n == GPU_RANGES || r->bins + bins > GPU_RANGE_BINS)
        return false;
    r->at[r->n].low = low;
    r->at[r->n].span = span;
    r->at[r->n].shift = shift;
    r->at[r->n++].first = r->bins;
    r->bins += (unsigned)bins;
    return true;
}

/* The bin of a range where the rank is, of the keys in the range; *rank is then
 * its rank in the bin. The number of bins where it has fewer keys. */
HD uint64_t gpu_range_bin(const struct gpu_range *range, const uint64_t *count,
                          uint64_t *rank)
{
    const uint64_t bins = (range->span >> range->shift) + 1;
    uint64_t b = 0;
    while (b < bins && *rank >= count[range->first + b])
        *rank -= count[range->first + b++];
    return b;
}

/* Narrows a range to one of its bins. */
HD void gpu_range_enter(struct gpu_range *range, uint64_t bin)
{
    const uint64_t first = bin << range->shift, left = range->span - first;
    const uint64_t last = ((uint64_t)1 << range->shift) - 1;
    range->low += first;
    range->span = left < last ? left : last;
}
