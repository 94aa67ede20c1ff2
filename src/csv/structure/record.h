/* SPDX-License-Identifier: MIT */
/* One record after the other, field by field: for headers, samples, lists and
 * the places of errors. Not for speed. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "csv/structure/machine.h"
#include "csv/structure/span.h"

struct csv_fields {
    struct csv_span *at; /* without the delimiters and the line end */
    size_t n, room;
    size_t most;          /* so many are kept at most, of n; 0: all are */
    struct csv_span text; /* of a whole record, with what ends it */
};

/* How many of the fields are in `at`. */
static inline size_t csv_kept(const struct csv_fields *fields)
{
    return fields->most && fields->n > fields->most ? fields->most : fields->n;
}

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

/* The fields of a record, one after the other. */
struct csv_walk {
    struct csv_span text; /* from the record's start on; may go on after it */
    struct csv_dialect dialect;
    /* At first 0. */
    size_t at;             /* byte after the field and what ends it */
    size_t n;              /* fields so far */
    enum csv_state state;  /* after that byte */
    bool is_done, is_open; /* the field is the last; the text ends in it */
};

/* Moves to the next field. False after the last one. */
bool csv_walk_next(struct csv_walk *walk, struct csv_span *field);

/* How many line ends there are in [from, to). */
uint64_t csv_lines(const char *from, const char *to,
                   struct csv_dialect dialect);

/* Behind the blank lines and comments that start at `at`. */
size_t csv_skip_lines(struct csv_span text, size_t at,
                      struct csv_dialect dialect);
