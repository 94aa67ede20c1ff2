/* SPDX-License-Identifier: MIT */
/* A worker's copy of a column, with the number of the value of each row. */
#pragma once

#include "reduce/column.h"

/* Starts as zeros. Owns all its arrays, which grow and are used again for the
 * next column. */
struct kept_column {
    struct column column;    /* the copy; it points into the arrays below */
    char *values;            /* [room] of 8 bytes */
    struct text_cell *texts; /* [text_room], which point into `bytes` */
    char *bytes;             /* [bytes_room] */
    size_t text_room, bytes_room;
    uint32_t *rows, *bad_rows; /* [room]; [bad_room] */
    struct wide_integer *wide; /* [wide_room] */
    /* [rows of the chunk]: the number of each row's value, or BY_NONE. NULL:
     * value i is that of row i. Else it is value_of_room. */
    uint32_t *value_of;
    size_t room, bad_room, wide_room;
    uint32_t *value_of_room; /* [rows_room] */
    size_t rows_room;
};

/* Copies a column of a chunk that has `rows` rows. False: no memory. */
bool kept_copy(struct kept_column *k, const struct column *column, size_t rows);
void kept_free(struct kept_column *k);
