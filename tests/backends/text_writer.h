/* SPDX-License-Identifier: MIT */
/* How chunks are written: text_chunk.c has the records, text_field.c the bytes
 * of their fields, text_wrong.c the errors. */
#pragma once

#include "text.h"

/* How the text of a chunk is: of 256 fields, or records, so many are so. */
struct mood {
    unsigned quoted, blanks, tail, noise, blank_line, crlf;
    unsigned offend; /* where there may be errors */
    bool strays;
};

/* Where in its record a field is, and how that will end. */
struct place {
    bool first, last, crlf;
};

/* A chunk in the making. */
struct writer {
    struct text_chunk *c;
    const struct csv_spec *spec;
    const struct csv_table *table;
    struct random random;
    struct mood mood;
    struct cell_odds odds[FIELDS_MAX];
    bool wrong, huge;
    struct cell cell;
};

bool writer_chance(struct writer *w, unsigned of_256);

/* Writes the cell's field; says whether there is something behind a closing
 * quote, which may be where `may_tail`. */
bool put_field(struct writer *w, struct place place, bool may_tail);

/* Notes that the record that comes next has another number of fields. */
void offend_ragged(struct writer *w, size_t fields);
/* Notes the cell as an error: its field is the text from `start` on. */
void offend_cell(struct writer *w, size_t field, size_t start, bool has_tail);
