/* SPDX-License-Identifier: MIT */
/* The rows of a chunk that a condition selects. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* The decoder owns it, and it is valid until the decoder's next chunk. Values
 * keep their positions among all rows of the chunk: column->rows says which
 * rows a column of selected rows has. */
struct mask {
    size_t rows;             /* rows of the chunk */
    size_t count;            /* rows that are selected */
    const uint8_t *selected; /* [rows]: 1 or 0 */
    const uint32_t *row;     /* [count], ascending: the selected rows */
};
