/* SPDX-License-Identifier: MIT */
/* Writing chunks: text_chunk.c writes records, text_field.c the bytes of
 * fields, text_wrong.c the expected errors. */
#pragma once

#include "text.h"

/* How many of 256 fields or records have each property. */
struct text_odds {
    unsigned quoted, blanks, tail, noise, blank_line, crlf;
    unsigned errors; /* errors, in a chunk that may have some */
    bool strays;
};

/* Where a field is in its record, and the record's line end. */
struct place {
    bool first, last, crlf;
};

/* A chunk while it is written. */
struct writer {
    struct text_chunk *c;
    const struct csv_spec *spec;
    const struct csv_table *table;
    struct random random;
    struct text_odds text_odds;
    struct cell_odds odds[FIELDS_MAX];
    bool wrong, huge;
    struct cell cell;
};

bool writer_chance(struct writer *w, unsigned of_256);

/* Writes the cell as a field. may_tail: text may follow its closing quote.
 * Returns whether it does. */
bool put_field(struct writer *w, struct place place, bool may_tail);

/* Records the error of a ragged record, which is written next. */
void note_ragged(struct writer *w, size_t fields);
/* Records the error of a cell, whose field is the text from `start` on. */
void note_wrong_cell(struct writer *w, size_t field, size_t start,
                     bool has_tail);
