/* SPDX-License-Identifier: MIT */
/* Reads one record after the other, field by field: for headers, samples,
 * option lists and the places of errors. Not for speed. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "csv/structure/machine.h"
#include "csv/structure/span.h"

struct csv_fields {
    /* [csv_kept()]: pieces of the text, without delimiters and line ends. */
    struct csv_span *at;
    size_t n;             /* fields of the record */
    size_t room;          /* allocated entries of `at` */
    size_t most;          /* most fields to keep in `at`; 0: all */
    struct csv_span text; /* the whole record, with its line end */
};

/* How many of the n fields are in `at`. */
static inline size_t csv_kept(const struct csv_fields *fields)
{
    return fields->most && fields->n > fields->most ? fields->most : fields->n;
}

enum csv_record {
    CSV_RECORD_OK,
    CSV_RECORD_NONE, /* no whole record is left; with is_all: no record */
    CSV_RECORD_OPEN, /* with is_all: the text ends inside quotes */
    CSV_RECORD_NO_MEMORY
};

/* Splits the next record of the text from *at on, after any blank lines and
 * comments. Moves *at to the byte after the record, or to its start where it is
 * not whole. is_all: the end of the text also ends a record. The caller frees
 * the fields with csv_fields_free; a further call reuses them. */
enum csv_record csv_record_next(struct csv_span text, size_t *at,
                                struct csv_dialect dialect, bool is_all,
                                struct csv_fields *fields);
void csv_fields_free(struct csv_fields *fields);

/* A walk over the fields of one record. Set text and dialect, and zero the
 * rest. */
struct csv_walk {
    /* Starts with the record; may extend beyond its end. */
    struct csv_span text;
    struct csv_dialect dialect;
    size_t at; /* offset after the field and its delimiter or line end */
    size_t n;  /* fields returned so far */
    enum csv_state state; /* after the byte before `at` */
    /* is_done: the field is the record's last. is_open: the text ends within
     * the field, before a delimiter or line end. */
    bool is_done, is_open;
};

/* Moves to the next field. False after the last one. */
bool csv_walk_next(struct csv_walk *walk, struct csv_span *field);

/* How many line ends there are in [from, to). */
uint64_t csv_lines(const char *from, const char *to,
                   struct csv_dialect dialect);

/* Offset after the blank lines and comments that start at `at`. */
size_t csv_skip_lines(struct csv_span text, size_t at,
                      struct csv_dialect dialect);
