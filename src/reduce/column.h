/* SPDX-License-Identifier: MIT */
/* The values of one group, as decoding a chunk leaves them. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "reduce/dtype.h"
#include "reduce/wide.h"

/* A present cell of a column of text. */
struct text_cell {
    const char *at;
    uint32_t bytes;
    uint32_t row; /* of the chunk */
};

struct column {
    enum dtype dtype; /* may be a stored one */
    size_t n;
    const void *values; /* [n]; NULL: they are counted, and nothing more */
    /* [n], ascending: the row of each value in the chunk. The rows that are not
     * among them have none. NULL: value i is of row i. */
    const uint32_t *rows;
    uint64_t missing, bad;    /* rows without a value */
    const uint32_t *bad_rows; /* [bad], ascending, of text; or NULL */
    uint64_t rounded; /* values that are integers which f64 cannot hold */
    /* [wides]: values of the column that are not among `values`; the index of
     * each is its row. */
    const struct wide_integer *wide;
    size_t wides;
    /* Of texts, which are no values: the first of the n, and the last. NULL:
     * they are not, or there is none. */
    const struct text_cell *ends;
    /* [n]: all texts, where some monoid looks at each; else NULL. */
    const struct text_cell *texts;
};
