/* SPDX-License-Identifier: MIT */
/* The decoded values of one group in one chunk. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "reduce/dtype.h"
#include "reduce/wide.h"

/* A present cell of a column of text. */
struct text_cell {
    const char *at;
    uint32_t bytes;
    uint32_t row; /* its number in the chunk */
};

struct column {
    enum dtype dtype;   /* may be a stored dtype (dtype.h) */
    size_t n;           /* values, or texts */
    const void *values; /* [n]; NULL: values are only counted */
    /* [n], ascending: the row of each value in the chunk. All other rows have
     * no value. NULL: value i belongs to row i. */
    const uint32_t *rows;
    uint64_t missing, bad;    /* rows without a value */
    const uint32_t *bad_rows; /* [bad], ascending; NULL unless read from text */
    uint64_t rounded; /* values rounded from integers that f64 cannot hold */
    /* [wides]: integers that are not among `values`, since the dtype cannot
     * hold them. The index of each is its row. */
    const struct wide_integer *wide;
    size_t wides;
    /* [2], of a column of text: the first and the last text. NULL: the column
     * is not of text, or has none. */
    const struct text_cell *ends;
    /* [n]: all texts, if a monoid looks at each; else NULL. */
    const struct text_cell *texts;
};
