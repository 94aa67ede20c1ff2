/* SPDX-License-Identifier: MIT */
/* The first error in a text, and its message. */
#pragma once

#include "csv/decode.h"

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
