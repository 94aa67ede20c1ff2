/* SPDX-License-Identifier: MIT */
/* The rows of a text whose fields' ends are known: which records are in order,
 * and where their cells are. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "csv/cell/cell.h"
#include "csv/simd/loops.h"
#include "csv/first_error.h"

struct csv_rows {
    size_t n;       /* records in order */
    size_t skipped; /* records left out: CSV_RAGGED_SKIP */
    /* Where ragged records are skipped or padded, and there may be some: of
     * each row the first of its ends and its first byte, [n + 1] and [n]. Else
     * NULL: the ends are a matrix of rows by fields. */
    uint32_t *first_end, *start;
};

/* Memory that is grown and never given back before the end. */
struct csv_room {
    void *at;
    size_t bytes;
};
bool csv_have_room(struct csv_room *room, size_t bytes, struct error *e);

/* Integers of a column that f64 cannot hold; false where there is no memory for
 * another one. */
struct csv_wide_cells {
    struct wide_integer *at;
    size_t n, room;
};
bool csv_wide_add(struct csv_wide_cells *w, size_t row, bool negative,
                  uint64_t magnitude);

/* Finds the rows of whole records and notes the first that has another number
 * of fields, where that is an error. Takes blank lines and comments out of the
 * ends. `room` holds first_end and start. joins: a padded record may have more
 * fields. False where there is no memory. */
bool csv_find_rows(struct csv_rows *rows, struct csv_span text,
                   struct csv_dialect dialect, struct csv_ends *ends,
                   size_t fields, enum csv_ragged ragged, bool joins,
                   struct csv_room *room, struct csv_first_error *first_error,
                   struct error *e);

/* Of a row, the byte after its line end. */
size_t csv_row_end(const struct csv_rows *rows, const struct csv_ends *ends,
                   size_t fields, size_t row);

/* Where first_end is set: writes the ends before and of each row's cell of a
 * field, and a third that counts for nothing, so that no cell seems to be the
 * last of its record: [n][3]. A cell that is not there ends where the one
 * before it does. */
void csv_pad_cells(const struct csv_rows *rows, struct csv_span text,
                   struct csv_dialect dialect, const struct csv_ends *ends,
                   size_t field, uint32_t *to);
