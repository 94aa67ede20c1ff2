/* SPDX-License-Identifier: MIT */
/*
 * Decodes text of whole records into typed columns, on the CPU: finds the ends
 * of all fields, then decodes one column after the other. csv_decode_end
 * reports errors, since only then is it known which one comes first in the
 * text.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "csv/room.h"
#include "csv/simd/loops.h"
#include "csv/schema/table.h"
#include "reduce/column.h"
#include "reduce/mask.h"

/* Whole records of one input. The text ends with a line end of the dialect, and
 * CSV_PADDING bytes after it may be read. */
struct csv_text {
    const char *at;
    size_t bytes;  /* less than 2^32 */
    uint64_t line; /* of its first byte */
    const struct csv_table *table;
    const char *name; /* of the input */
};

struct csv_decoder;

struct csv_decoder *csv_decoder_new(const struct csv_spec *spec, bool portable,
                                    struct error *e);
void csv_decoder_free(struct csv_decoder *d);

/* Finds the rows of the text, which must stay valid until csv_decode_end. Sets
 * *rows to the number of rows to decode: those before the first record that is
 * ragged, where that is an error, or too long. False, with the error: no
 * memory. */
bool csv_decode_begin(struct csv_decoder *d, const struct csv_text *text,
                      size_t *rows, struct error *e);

/* How many ragged records CSV_RAGGED_SKIP left out. */
size_t csv_decode_skipped(const struct csv_decoder *d);

/* Decodes all rows of a column. *out is valid until the next call. */
void csv_decode_column(struct csv_decoder *d, size_t column,
                       struct column *out);

/* A column to decode, of all rows or of selected ones. Cells of other rows are
 * not read. */
struct csv_wanted {
    size_t column;
    bool as_text;  /* list the text of every cell, whatever the column's type */
    bool is_input; /* an expression reads it; weights are not checked */
    const struct mask *mask; /* NULL: all rows */
};

/* Decodes this column. *out is valid until the next call. */
void csv_decode_wanted(struct csv_decoder *d, const struct csv_wanted *wanted,
                       struct column *out);

/* Memory of a decoded column: its values; the rows (uint32_t) of values and of
 * bad cells; its struct text_cells; texts whose quotes are undone; integers
 * above 2^53 in magnitude. */
struct csv_kept {
    struct csv_room values, rows, bad_rows, cells, unquoted;
    struct csv_wide_cells wide;
};

/* Swaps the memory of the column decoded last with *kept, so that the column
 * stays valid until *kept is used again or freed. The decoder reuses the former
 * memory of *kept for the next columns. *kept starts as zeros. */
void csv_decode_keep(struct csv_decoder *d, struct csv_kept *kept);
void csv_kept_free(struct csv_kept *kept);

/* The first row of the chunk with an error so far; SIZE_MAX: none. */
size_t csv_decode_failed(const struct csv_decoder *d);

/* The line on which a row starts. */
uint64_t csv_decode_line(const struct csv_decoder *d, size_t row);
/* Writes the text of each row's cell to `to`: one per row, empty if the cell is
 * missing. CSV_PADDING bytes from the start of each text may be read. The texts
 * are valid until csv_decode_end or the next call with the same `key`, which is
 * below CSV_KEYS_MAX. A missing key is no error in a row that the mask leaves
 * out. */
void csv_decode_keys(struct csv_decoder *d, size_t column, size_t key,
                     const struct mask *mask, struct text_cell *to);

/* Call after all columns. Returns true, or false with the error that comes
 * first in the text. */
bool csv_decode_end(struct csv_decoder *d, struct error *e);
