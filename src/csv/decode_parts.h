/* SPDX-License-Identifier: MIT */
/*
 * The decoder's state, shared by decode*.c. Include this file there only. A
 * decoder belongs to one worker; decoders share nothing but the spec and the
 * table, which are constant.
 *
 * A chunk of whole records is decoded in these steps:
 *
 * 1. With `-d blank`, the text is copied with its runs of blanks closed up to
 * one. csv_unsqueeze maps the offset of an error back.
 *
 * 2. `loops->ends` finds the end of every field. A byte after an odd number of
 * quotes is inside quotes, provided that each opening quote stands where one
 * may open. If one does not (`stray`), or if the text has both comments and
 * quotes, csv_step walks the text byte by byte instead.
 *
 * 3. csv_find_rows: ends that form a matrix of records by fields stay as they
 * are. Otherwise blank lines and comments are taken out, the starts of rows are
 * kept, and a record with another number of fields is an error, skipped or
 * padded. Where few of very many fields are wanted, csv_few_rows does 2 and 3
 * piece by piece and keeps only the ends of those fields, so that memory does
 * not grow with the number of fields.
 *
 * 4. With a notation, the text is copied with the decimal mark and the point
 * swapped. In each column, `loops->plain` takes out separators and stripped
 * characters and fills up with leading zeros, so that no cell moves.
 *
 * 5. For each column, `loops->parse` takes plain numbers up to a cell that is
 * something else. csv_cell_read decides that cell from the text as given, and
 * the loop resumes after it. csv_cell_read alone reads truth values, and all
 * cells where a missing value is an error and a word of `--na` looks like a
 * number. A missing cell leaves a gap in the rows of the values. An integer
 * above 2^53 in magnitude, read as f64, goes to the column's list `wide`, and
 * reduce/wide.h steps it into the states.
 *
 * 6. csv_decode_end reports the error that comes first in the text, if any.
 */
#pragma once

#include "csv/few.h"
#include "csv/structure/record.h"

struct csv_decoder {
    const struct csv_spec *spec; /* borrowed, shared by all decoders */
    const struct csv_loops *loops;
    /* The words that the loops may pass over as missing; NULL: none, since
     * missing is an error or swapping decimal marks changes a word. */
    const struct csv_words *pass;
    /* [number_words]: the values of the missing-value words that look like
     * numbers, which the loops parse as such. */
    uint64_t word_bits[CSV_WORDS_MAX];
    size_t number_words;
    /* The chunk, borrowed from csv_decode_begin to csv_decode_end. */
    const struct csv_text *given;
    /* The text with one delimiter byte between fields: `given`, or a copy in
     * text_room where runs of blanks delimit. */
    struct csv_span text;
    struct csv_dialect dialect; /* of `text` */
    /* `text` with the decimal mark and the point swapped, in digit_room;
     * without a notation `text` itself. */
    char *digits;
    struct csv_room end_room;   /* end.at, of all fields */
    struct csv_room row_room;   /* rows.first_end and rows.start */
    struct csv_room text_room;  /* `text` with blanks closed up */
    struct csv_room digit_room; /* `digits` */
    struct csv_kept kept;       /* memory of the current column */
    struct csv_room pad_room;   /* ends of its cells in padded rows */
    struct csv_room mask_room;  /* the same in selected rows */
    const uint32_t *row_of;     /* the column's selected rows; NULL: all rows */
    /* Memory for texts of a column of text whose quotes are undone: [1] for the
     * last cell, [0] for the first and for all others. */
    struct csv_room quoted_room[2];
    /* The first and the last cell of a column of text. */
    struct text_cell ends[2];
    /* For each key, memory for texts whose quotes are undone. */
    struct csv_room key_room[CSV_KEYS_MAX];
    struct csv_few few;
    bool is_few;         /* `few` finds the rows and owns end.at */
    size_t fields;       /* ends per row of the matrix `end` */
    struct csv_ends end; /* the ends of the text's fields */
    struct csv_rows rows;
    /* The error that comes first in the text, in all columns decoded so far. */
    struct csv_first_error first_error;
};

/* Maps a row of the current column's cells to its row in the chunk. */
static inline size_t csv_decoder_row(const struct csv_decoder *d, size_t row)
{
    return d->row_of ? d->row_of[row] : row;
}

/* Notes the first value of a column of weights that is not a valid weight:
 * finite and not negative. */
void csv_decoder_check_weights(struct csv_decoder *d,
                               const struct csv_cells *cells, long field,
                               const struct column *c);

/* Describes a column's cells to the loops; alone: see struct csv_cells. */
struct csv_cells csv_decoder_cells(struct csv_decoder *d, size_t column,
                                   size_t *alone);

/* Sets pass, word_bits and number_words from the spec's missing-value words. */
void csv_decoder_words(struct csv_decoder *d);

/* The text of a cell as names are read: without its quotes and the blanks
 * around it. A text that must be copied to undo its quotes is at *room, which
 * is moved after it. */
struct csv_span csv_decoder_text(const struct csv_decoder *d,
                                 const struct csv_cells *cells, size_t row,
                                 char **room);

/* The text of a field: without its delimiter, and without a CR that belongs to
 * the line end. */
static inline struct csv_span csv_decoder_field(const struct csv_decoder *d,
                                                const struct csv_cells *c,
                                                size_t row)
{
    size_t place = row * c->fields + c->field;
    size_t end = c->ends[place], start = 0;
    if (place > 0)
        start = c->ends[place - 1] + 1u;
    if (start > end)
        start = end; /* no such field in the record */
    if (c->field == 0)
        start = csv_skip_lines((struct csv_span){d->text.at, end}, start,
                               d->dialect);
    if (c->field + 1 == c->fields && end > start && d->text.at[end - 1] == '\r')
        end--;
    return (struct csv_span){d->text.at + start, end - start};
}

/* Counts the cells of a column of text, and finds the first and the last, or
 * all of them if `all`. */
void csv_decoder_texts(struct csv_decoder *d, const struct csv_cells *cells,
                       long field, bool all, struct column *out);

/* Removes missing-value words that the loops parsed as numbers: values[from] to
 * values[*n - 1] and their rows are compacted, and *n is lowered. Compares the
 * bits of the value first, so that few texts are looked at. */
void csv_decoder_drop(struct csv_decoder *d, const struct csv_cells *cells,
                      size_t from, size_t *n);
