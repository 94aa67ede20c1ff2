/* SPDX-License-Identifier: MIT */
/* The rows of a chunk that a condition selects. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* Borrowed from the decoder of the chunk; valid until its next chunk. Positions
 * of values stay those of all rows: a column of selected rows says in
 * column->rows which rows they are. */
struct mask {
    size_t rows;             /* of the chunk */
    size_t count;            /* of them selected */
    const uint8_t *selected; /* [rows]: 1 or 0 */
    const uint32_t *row;     /* [count], ascending: the selected rows */
};
