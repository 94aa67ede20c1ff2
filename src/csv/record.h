/* SPDX-License-Identifier: MIT */
/* One record after the other, field by field: for headers, samples, lists and
 * the places of errors. Not for speed. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "csv/cell.h"
#include "csv/machine.h"

struct csv_fields {
    struct csv_span *at; /* without the delimiters and the line end */
    size_t n, room;
};

enum csv_record {
    CSV_RECORD_OK,
    CSV_RECORD_NONE, /* the text ends here, or in the midst of a record */
    CSV_RECORD_OPEN, /* it ends inside quotes */
    CSV_RECORD_NO_MEMORY
};

/* Splits the next record of the text from *at on, after any blank lines, and
 * moves *at behind it, or to its start where there is none. is_all: the text's
 * end ends a record. The fields are to be freed by csv_fields_free. */
enum csv_record csv_record_next(struct csv_span text, size_t *at,
                                struct csv_dialect dialect, bool is_all,
                                struct csv_fields *fields);
void csv_fields_free(struct csv_fields *fields);

/* How many line ends there are. */
uint64_t csv_lines(struct csv_span text, struct csv_dialect dialect);

/* Behind the blank lines and comments that start at `at`. */
size_t csv_skip_lines(struct csv_span text, size_t at,
                      struct csv_dialect dialect);
