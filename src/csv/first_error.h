/* SPDX-License-Identifier: MIT */
/* The first thing that is wrong in a text, and how it is told. */
#pragma once

#include "csv/decode.h"
#include "csv/schema/hint.h"

struct csv_first_error {
    size_t row;   /* SIZE_MAX: none */
    long field;   /* -1: the record as a whole */
    size_t start; /* in the text, of the field or the record */
    /* Of a field, the enum csv_cell; of a record, how many fields it has, or
     * SIZE_MAX: it is too long. */
    size_t what;
};

static inline struct csv_first_error csv_no_error(void)
{
    return (struct csv_first_error){SIZE_MAX, -1, 0, 0};
}

/* Notes an error, if it comes before the one noted so far. */
void csv_note_error(struct csv_first_error *o, size_t row, long field,
                    size_t start, size_t what);

/* False, with the error, if there was an error. */
bool csv_check(const struct csv_first_error *o, const struct csv_spec *spec,
               const struct csv_text *text, struct error *e);

/* What to try for a cell that is not a number, by the shape of its content and
 * by how numbers are read; NULL where that says nothing. */
const char *csv_cell_hint(char out[CSV_HINT_MAX], const struct csv_spec *spec,
                          struct csv_dialect dialect, struct csv_span content,
                          const char *column);

/* The error of a record of `have` fields that starts on the line. */
bool csv_ragged(const char *name, const struct csv_table *table, uint64_t line,
                size_t have, struct error *e);

/* The errors of a record that is too long, and of one that ends inside quotes,
 * by the line on which it starts. */
bool csv_too_long(const char *name, uint64_t line, struct error *e);
bool csv_never_closed(const char *name, struct csv_dialect dialect,
                      uint64_t line, struct csv_span record, struct error *e);
