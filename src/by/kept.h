/* SPDX-License-Identifier: MIT */
/* A copy of a column, with its values or texts by row. */
#pragma once

#include "reduce/column.h"

struct kept_column {
    struct column column; /* of what follows */
    char *values;
    struct text_cell *texts; /* [text_room], and their bytes */
    char *bytes;
    size_t text_room, bytes_room;
    uint32_t *rows, *bad_rows;
    struct wide_integer *wide;
    /* [rows of the chunk]: the value of each, or BY_NONE; NULL where value i is
     * of row i. */
    uint32_t *value_of;
    size_t room, bad_room, wide_room;
    uint32_t *value_of_room;
    size_t rows_room;
};

/* Copies a column of a chunk of so many rows; starts as zeros, and is used
 * again. False: no memory. */
bool kept_copy(struct kept_column *k, const struct column *column, size_t rows);
void kept_free(struct kept_column *k);
