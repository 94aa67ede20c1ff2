/* SPDX-License-Identifier: MIT */
/* The error that comes first in a text, and its message. */
#pragma once

#include "csv/decode.h"

struct csv_first_error {
    size_t row;   /* its row in the text; SIZE_MAX: no error */
    long field;   /* its field; -1: the record as a whole */
    size_t start; /* offset in the text of the field or record */
    /* The enum csv_cell of a field. For a record: how many fields it has, or
     * SIZE_MAX if it is too long. */
    size_t what;
};

static inline struct csv_first_error csv_no_error(void)
{
    return (struct csv_first_error){SIZE_MAX, -1, 0, 0};
}

/* Notes an error if it comes before the one noted so far: in an earlier row, or
 * in an earlier field of the same row. */
void csv_note_error(struct csv_first_error *first, size_t row, long field,
                    size_t start, size_t what);

/* Returns true if no error was noted; else false, with the message in e. */
bool csv_check(const struct csv_first_error *first, const struct csv_spec *spec,
               const struct csv_text *text, struct error *e);
