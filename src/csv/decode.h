/* SPDX-License-Identifier: MIT */
/*
 * Text of whole records to typed columns, on the CPU: first the ends of all
 * fields, then one column after the other. What is wrong in it is told at the
 * end, for then it is known which comes first.
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

/* Whole records of one input; ends with LF, and CSV_PADDING bytes after it may
 * be read. */
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

/* Takes the text, which must stay until csv_decode_end; *rows is how many
 * records are in order. */
bool csv_decode_begin(struct csv_decoder *d, const struct csv_text *text,
                      size_t *rows, struct error *e);

/* How many records were left out: CSV_RAGGED_SKIP. */
size_t csv_decode_skipped(const struct csv_decoder *d);

/* Decodes a column; *out is good until the next call. */
void csv_decode_column(struct csv_decoder *d, size_t column,
                       struct column *out);

/* A column of selected rows. Cells of other rows are not looked at. */
struct csv_wanted {
    size_t column;
    bool as_text;            /* all texts are listed; else it has numbers */
    bool is_input;           /* of an expression: weights are not checked */
    const struct mask *mask; /* NULL: all rows */
};

/* Decodes it; *out is good until the next call. */
void csv_decode_wanted(struct csv_decoder *d, const struct csv_wanted *wanted,
                       struct column *out);

/* Memory of a decoded column. */
struct csv_kept {
    struct csv_room values, rows, bad_rows, cells, unquoted;
    struct csv_wide_cells wide;
};

/* Moves the memory of the column decoded last to *kept, whose own memory is
 * used for the next ones: the column stays good until *kept is used again or
 * freed. *kept starts as zeros. */
void csv_decode_keep(struct csv_decoder *d, struct csv_kept *kept);
void csv_kept_free(struct csv_kept *kept);

/* The first row of the chunk with an error so far; SIZE_MAX: none. */
size_t csv_decode_failed(const struct csv_decoder *d);

/* The line on which a row starts. */
uint64_t csv_decode_line(const struct csv_decoder *d, size_t row);
/* Writes the texts of a column's cells to `to`, one a row; of a missing cell
 * the empty text. CSV_PADDING bytes from the start of each may be read, and
 * each is good until csv_decode_end or the next call with the same `key`, of
 * CSV_KEYS_MAX. Of rows that the mask leaves out no missing key is an error. */
void csv_decode_keys(struct csv_decoder *d, size_t column, size_t key,
                     const struct mask *mask, struct text_cell *to);

/* After all columns: false with the first thing that was wrong. */
bool csv_decode_end(struct csv_decoder *d, struct error *e);
