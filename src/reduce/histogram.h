/* SPDX-License-Identifier: MIT */
/*
 * How many values are in each of n bins of one width. The edges are the exact
 * numbers low + i (high - low) / n. A value is compared with them exactly, by
 * its key: the last bin has both its edges, the others the lower one.
 */
#pragma once

#include "base/error.h"
#include "reduce/decimals.h"
#include "reduce/ranks.h"
#include "reduce/value.h"

enum { BINS_MAX = 65536 };

struct histogram {
    enum dtype dtype;
    size_t bins; /* 0: there is no value, and no range was given */
    struct value low, high;
    bool is_wider; /* by a half on each side: low and high are equal */
    uint64_t *count;
    uint64_t below, above, nans;
    /* Of a pass: the least key, for each edge the least one that is not below
     * it, and the greatest key. Edges above all keys are left out. */
    uint64_t *edge;
    size_t edges;
};

/* Makes empty bins from low to high, which are finite numbers, low <= high.
 * False where there is no memory. To be given to histogram_close, as one that
 * is all zeros may be. */
bool histogram_open(struct histogram *h, enum dtype dtype,
                    const struct value *low, const struct value *high,
                    size_t bins, struct error *e);
void histogram_close(struct histogram *h);

/* Whether both counted the same. */
bool histogram_same(const struct histogram *a, const struct histogram *b);

/* What a pass is asked for it. */
struct rank_parts histogram_asks(const struct histogram *h);

/* Adds what a pass counted; and integers that f64 cannot hold. */
void histogram_add(struct histogram *h, const struct ranks *left);
void histogram_add_wides(struct histogram *h, const struct rank_wides *wides);

/* Edge i <= bins, rounded once, to the decimals where they are not NULL. */
struct value histogram_edge(const struct histogram *h, size_t i,
                            struct decimals *decimals);
