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
#include "csv/simd/loops.h"
#include "csv/schema/table.h"
#include "reduce/column.h"

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

/* Writes the texts of a column's cells to `to`, one a row; of a missing cell
 * the empty text. CSV_PADDING bytes from the start of each may be read, and
 * each is good until csv_decode_end or the next call with the same `key`, of
 * CSV_KEYS_MAX. */
void csv_decode_keys(struct csv_decoder *d, size_t column, size_t key,
                     struct text_cell *to);

/* After all columns: false with the first thing that was wrong. */
bool csv_decode_end(struct csv_decoder *d, struct error *e);
