/* SPDX-License-Identifier: MIT */
/* The rows of a text, found from the ends of its fields: which records are
 * decoded, and where their cells are. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "csv/cell/cell.h"
#include "csv/simd/loops.h"
#include "csv/first_error.h"
#include "csv/room.h"

struct csv_rows {
    size_t n;       /* rows: records that are decoded */
    size_t skipped; /* ragged records that were skipped */
    bool is_matrix; /* each row has the ends of all fields */
    /* NULL where all records are rows, without blank lines or comments between
     * them: then each cell starts after the end before it. Otherwise first_end,
     * [n + 1], is the index in csv_ends.at of each row's first end; start, [n],
     * is the offset of each row's first byte. Both lie in the `room` given to
     * csv_find_rows. */
    uint32_t *first_end, *start;
};

/* Finds the rows of a text of whole records from the ends of its fields. Takes
 * the ends of blank lines and comments out of `ends`. Notes the first record
 * with another number of fields where `ragged` makes that an error. joins: a
 * padded record may have surplus fields, which become part of the last one.
 * False, with the error: no memory. */
bool csv_find_rows(struct csv_rows *rows, struct csv_span text,
                   struct csv_dialect dialect, struct csv_ends *ends,
                   size_t fields, enum csv_ragged ragged, bool joins,
                   struct csv_room *room, struct csv_first_error *first_error,
                   struct error *e);

/* Offset of the byte after the row's line end. */
size_t csv_row_end(const struct csv_rows *rows, const struct csv_ends *ends,
                   size_t fields, size_t row);

/* For rows with first_end: writes three ends per row, to[n][3], so that the
 * loops see a matrix: the end before the cell of `field`, the cell's end, and
 * the same end again, so that no cell is the last of its row. An absent cell is
 * empty: it ends where the field before it does. */
void csv_pad_cells(const struct csv_rows *rows, struct csv_span text,
                   struct csv_dialect dialect, const struct csv_ends *ends,
                   size_t field, uint32_t *to);
