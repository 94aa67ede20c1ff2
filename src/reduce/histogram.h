/* SPDX-License-Identifier: MIT */
/*
 * Counts the values in each of n bins of equal width. The edges are the exact
 * numbers low + i (high - low) / n. Values are compared with them exactly, by
 * keys. Each bin includes its lower edge, the last bin also its upper one.
 */
#pragma once

#include "base/error.h"
#include "reduce/decimals.h"
#include "reduce/ranks.h"
#include "reduce/value.h"

enum { BINS_MAX = 65536 };

struct histogram {
    enum dtype dtype;
    size_t bins; /* 0: there are no values, and the user gave no range */
    struct value low, high;
    bool is_wider; /* low equals high, so the range is wider by 0.5 each way */
    uint64_t *count; /* [bins], owned */
    uint64_t below, above, nans;
    /* [edges], owned: the least key, then for each edge the least key that is
     * not below it, then the greatest key. Edges above all keys are left out.
     */
    uint64_t *edge;
    size_t edges;
};

/* Makes empty bins from low to high, which must be finite and low <= high.
 * False if memory ran out. The caller closes it in any case; histogram_close
 * also accepts all zeros. */
bool histogram_open(struct histogram *h, enum dtype dtype,
                    const struct value *low, const struct value *high,
                    size_t bins, struct error *e);
void histogram_close(struct histogram *h);

/* Whether both have the same bins and counts. */
bool histogram_same(const struct histogram *a, const struct histogram *b);

/* What a pass must count for the histogram. */
struct rank_parts histogram_asks(const struct histogram *h);

/* Add the counts of a pass, and integers that f64 cannot hold. */
void histogram_add(struct histogram *h, const struct ranks *left);
void histogram_add_wides(struct histogram *h, const struct rank_wides *wides);

/* Edge i <= bins, rounded once. If `decimals` is not NULL, also as decimals. */
struct value histogram_edge(const struct histogram *h, size_t i,
                            struct decimals *decimals);
