/* SPDX-License-Identifier: MIT */
/* Ranges of keys, cut into bins in which a pass counts keys. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "reduce/hd.h"

enum {
    GPU_RANGES = 20,
    GPU_RANGE_BINS = 16384, /* of all ranges */
};

/* The keys from `low` to low + span, in bins of 2^shift keys. Their counts
 * start at count[first]. Ranges have no key in common. */
struct gpu_range {
    uint64_t low, span;
    uint32_t shift, first;
};

struct gpu_ranges {
    unsigned n, bins; /* bins: of all */
    struct gpu_range at[GPU_RANGES];
};

/* Appends a range, cut into at most 2^bits bins. False if there is no room for
 * it. */
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
