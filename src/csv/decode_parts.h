/* SPDX-License-Identifier: MIT */
/* The decoder's state, which its files share. */
#pragma once

#include "csv/few.h"
#include "csv/structure/record.h"

struct csv_decoder {
    const struct csv_spec *spec;
    const struct csv_loops *loops;
    /* Words for missing values may be looked for in `digits`. */
    const struct csv_words *pass;
    /* The values of the words that look like numbers: [number_words]. */
    uint64_t word_bits[CSV_WORDS_MAX];
    size_t number_words;
    const struct csv_text *given;
    /* The text with a byte between fields; of runs of blanks a copy. */
    struct csv_span text;
    struct csv_dialect dialect; /* of that copy */
    /* The same with numbers as the loops read them; else `text`. */
    char *digits;
    struct csv_room end_room, row_room, text_room, digit_room, value_room,
        place_room, bad_room, pad_room;
    /* What quotes hold in a cell of text: the first, and any other. */
    struct csv_room quoted_room[2];
    struct text_cell ends[2];
    struct csv_few few;
    bool is_few;
    size_t fields; /* ends in a row of `end` */
    struct csv_ends end;
    struct csv_rows rows;
    struct csv_wide_cells wide;
    struct csv_first_error first_error; /* the first so far */
};

/* Notes the first value of a column of weights that is none. */
void csv_decoder_check_weights(struct csv_decoder *d,
                               const struct csv_cells *cells, long field,
                               const struct column *c);

/* Sets what the words are to the loops. */
void csv_decoder_words(struct csv_decoder *d);

/* The bytes of a field, without a CR that belongs to the line's end. */
static inline struct csv_span csv_decoder_field(const struct csv_decoder *d,
                                                const struct csv_cells *c,
                                                size_t row)
{
    size_t place = row * c->fields + c->field;
    size_t end = c->ends[place], start = 0;
    if (place > 0)
        start = c->ends[place - 1] + 1u;
    if (start > end)
        start = end; /* the record has no such field */
    if (c->field == 0)
        start = csv_skip_lines((struct csv_span){d->text.at, end}, start,
                               d->dialect);
    if (c->field + 1 == c->fields && end > start && d->text.at[end - 1] == '\r')
        end--;
    return (struct csv_span){d->text.at + start, end - start};
}

/* Counts the cells of a column of text, and finds the first and the last. */
void csv_decoder_texts(struct csv_decoder *d, const struct csv_cells *cells,
                       long field, struct column *out);

/* Takes words out of the values from `from` on, which the loops took for
 * numbers. A word has the bits of its number, so that few texts are looked at.
 */
void csv_decoder_drop(struct csv_decoder *d, const struct csv_cells *cells,
                      size_t from, size_t *n);
