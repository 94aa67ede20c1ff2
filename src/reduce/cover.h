/* SPDX-License-Identifier: MIT */
/*
 * A pass that finds the values of ranks alone. The sorted keys of a sample give
 * two keys for each rank, between which its value almost certainly is. The pass
 * counts the numbers below, equal to and between the two, and keeps those
 * between: a few percent. What is equal to one of the two is only counted, so
 * that data of few distinct values keep little. If the value of a rank is
 * elsewhere, the counts show it and give the range where it is: other passes
 * follow.
 */
#pragma once

#include "reduce/search.h"

enum {
    COVER_SHARES = 4, /* ranks that are not neighbours, at most */
    COVER_PARTS = 4 * COVER_SHARES + 1,
    COVER_SAMPLES = 4096, /* keys; of fewer no parts are made */
};

/* Keys of a group's numbers: those of each block were read in one place. */
struct rank_sample {
    enum dtype dtype;
    const uint64_t *key; /* [end[blocks - 1]] */
    const size_t *end;   /* [blocks]: where the keys of each block end */
    size_t blocks;
};

/* Makes the parts of a pass: all numbers, as rank_parts.covers says. `share`
 * says where the ranks are, from 0 to 1, ascending. Sets *n, to 0 where the
 * sample is too small, and *kept to the share of the numbers that is likely to
 * be kept. False where there is no memory. */
bool cover_make(const struct rank_sample *sample, const double *share,
                size_t shares, struct rank_part part[COVER_PARTS], size_t *n,
                double *kept, struct error *e);

/* Narrows a search by such a pass, as search_narrow does. */
bool cover_narrow(struct rank_search *s, struct ranks *left, struct error *e);
