/* SPDX-License-Identifier: MIT */
/* Messages about records and cells, for the schema and the decoder. */
#pragma once

#include "base/quote.h"
#include "csv/schema/hint.h"
#include "csv/schema/table.h"
#include "csv/structure/record.h"

enum {
    CSV_SHOWN_TEXT = 80, /* most bytes of a cell in a message */
    CSV_PLACE_MAX = QUOTE_MAX + 64,
};

/* Writes FILE:LINE:COLUMN of the byte `at` of a text that begins on `line`. */
void csv_place(char out[CSV_PLACE_MAX], const char *name, uint64_t line,
               const char *text, const char *at, struct csv_dialect dialect);

/* Whether the line of a text that has the byte `at` is the table's first record
 * once more. */
bool csv_is_first_again(const struct csv_table *table, struct csv_span text,
                        const char *at);

/* Returns what to try for a cell that is not a number, by the shape of its
 * content and by how numbers are read; NULL where these suggest nothing.
 * is_again: its record is the first one once more. */
const char *csv_cell_hint(char out[CSV_HINT_MAX], const struct csv_spec *spec,
                          struct csv_dialect dialect, struct csv_span content,
                          const char *column, bool is_again);

/* Returns the same for a field with its blanks and quotes; NULL also for a long
 * one. */
const char *csv_field_hint(char out[CSV_HINT_MAX], const struct csv_spec *spec,
                           struct csv_dialect dialect, struct csv_span field,
                           const char *column);

/* Whether the hint is for an amount: an option makes the cell a number, or it
 * is a limit such as <0.1, or has its minus at the end. */
bool csv_is_amount(const char *hint);

/* Reports a record of `have` fields that starts on `line`; `record` points to
 * its first byte. may_skip: such records can be left out. Returns false. */
bool csv_ragged(const char *name, const struct csv_table *table, uint64_t line,
                const char *record, size_t have, bool may_skip,
                struct error *e);

/* Report a record that starts on `line`: one that is too long, and one that
 * ends inside quotes. Return false. */
bool csv_too_long(const char *name, uint64_t line, struct error *e);
bool csv_never_closed(const char *name, struct csv_dialect dialect,
                      uint64_t line, struct csv_span record, struct error *e);
