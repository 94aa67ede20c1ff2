/* SPDX-License-Identifier: MIT */
/*
 * Finds the values of ranks in a single pass over the data, as a rule. The
 * sorted keys of a sample give two keys for each rank, a bracket that almost
 * certainly has its value. The pass counts the numbers below and up to each of
 * the two keys, and keeps those between them, the two keys included: about one
 * percent. A key that many numbers are equal to is only counted, so data with
 * few distinct values keep little. If the value of a rank is outside its
 * bracket, the counts show where it is, and more passes follow.
 */
#pragma once

#include "reduce/search.h"

enum {
    COVER_SHARES = 4, /* most ranks; two neighbouring ranks count as one */
    COVER_PARTS = 20, /* most parts; a GPU's pass takes as many */
    COVER_ENDS = 3,   /* a bracket's ends, and what is before it */
    /* So few keys within a bracket are counted one by one, if there are parts
     * for that. */
    COVER_SINGLES = 4,
    COVER_SAMPLES = 4096, /* fewest keys of a sample that is used */
};

/* Keys of some of a group's numbers. Those of a block were neighbours in the
 * data. */
struct rank_sample {
    enum dtype dtype;
    const uint64_t *key; /* [end[blocks - 1]] */
    const size_t *end;   /* [blocks]: where the keys of each block end */
    size_t blocks;
};

/* Makes the parts of a pass, which cover all numbers (rank_parts.covers).
 * share[] has the ranks as shares of the numbers, 0 to 1, ascending. Sets *n to
 * the number of parts, 0 if the sample is too small, and *kept to the share of
 * the numbers that will probably be kept. False if memory ran out. */
bool cover_make(const struct rank_sample *sample, const double *share,
                size_t shares, struct rank_part part[COVER_PARTS], size_t *n,
                double *kept, struct error *e);

/* Narrows a search by the results of such a pass, as search_narrow does. */
bool cover_narrow(struct rank_search *s, struct ranks *left, struct error *e);
