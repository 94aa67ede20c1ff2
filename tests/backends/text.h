/* SPDX-License-Identifier: MIT */
/*
 * Random chunks of delimited text with their known contents, made without the
 * code under test: either values are drawn and printed, or libc reads the text.
 * The structure around the cells is recorded while it is written.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "csv/decode.h"
#include "format/input.h"
#include "random.h"
#include "reference.h"

enum {
    FIELDS_MAX = 40,
    SHAPES = 3,       /* inputs of a case */
    CELL_MAX = 12000, /* bytes of a cell without the blanks around it */
};

/* A growing array of bytes. Ends the program without memory. */
struct bytes {
    char *at;
    size_t n, room;
};

char *bytes_more(struct bytes *b, size_t n);
void bytes_add(struct bytes *b, const void *at, size_t n);
void bytes_fill(struct bytes *b, char c, size_t n);

#define NO_COLUMN UINT32_MAX

/* An input of a case, with a table and a column for some of its fields. */
struct text_shape {
    struct csv_table table;
    uint32_t column_of[FIELDS_MAX]; /* [fields]: column or NO_COLUMN */
    struct input input;
};

/* Shared by all chunks of a context. */
struct text_case {
    enum dtype dtype;
    const char *words; /* words for a missing value, separated by commas */
    bool words_first;  /* one of the words looks like a number */
    struct csv_spec spec;
    size_t columns;
    struct text_shape shape[SHAPES];
};

/* The expected contents of a column of a chunk: the cells that are numbers, and
 * the counts of the others. */
struct text_column {
    size_t n;
    struct bytes values;   /* elements of the dtype, in order */
    struct bytes rows, at; /* uint32_t: row, and offset of the field */
    uint64_t missing, bad;
    struct reference want; /* over the values, with rows as indexes */
};

/* The kind of the first error in a chunk. */
enum text_wrong {
    WRONG_NOTHING,
    WRONG_RAGGED,
    WRONG_TOO_LONG,
    WRONG_MISSING,
    WRONG_BAD,
    WRONGS_END
};

/* A chunk and its expected results. text_chunk_free frees what it owns. */
struct text_chunk {
    const struct text_case *text_case;
    const struct text_shape *shape;
    uint64_t seed, number, line;
    struct bytes text;
    size_t records, lines; /* lines: LF outside quotes, blank lines included */
    struct bytes ends;     /* uint32_t each: of all fields and of blank lines */
    struct bytes cell_ends; /* uint32_t each: of the fields of records only */
    bool stray;             /* an unquoted field has a quote as data */
    struct text_column column[FIELDS_MAX];
    enum text_wrong wrong;
    char error[4096]; /* the expected message; empty: no error */
};

void text_case_make(struct text_case *text_case, enum dtype dtype,
                    struct random *r);
void text_case_free(struct text_case *text_case);

/* Returns whether a text is one of the words for a missing value. */
bool text_is_word(const struct text_case *text_case, const char *text,
                  size_t n);

/* What to make: about this many bytes. wrong: errors are likely. */
struct text_order {
    size_t bytes;
    bool wrong;
};

/* Makes a chunk. *c is zero or an earlier chunk, whose memory is reused. */
void text_chunk_make(struct text_chunk *c, const struct text_case *text_case,
                     uint64_t seed, const struct text_order *order);
void text_chunk_free(struct text_chunk *c);

/* What the text of a cell means. */
enum cell_kind { CELL_NUMBER, CELL_MISSING, CELL_BAD };

struct cell {
    enum cell_kind kind;
    uint64_t bits; /* of CELL_NUMBER */
    size_t n;
    char text[CELL_MAX]; /* without quotes and blanks around it */
};

/* How many of 256 cells are of each kind. */
struct cell_odds {
    unsigned missing, bad, hostile;
    bool empty;       /* missing cells have no text */
    unsigned special; /* how many of 65536 numbers are inf or nan */
    unsigned style;   /* how numbers are printed */
};

void cell_make(struct cell *cell, const struct text_case *text_case,
               const struct cell_odds *odds, struct random *r);

/* Sets the cell's kind and bits from its text, by libc. */
void cell_judge(struct cell *cell, const struct text_case *text_case);

/* Classes of finite floats. */
enum float_kind { FLOAT_ANY, FLOAT_EVERYDAY, FLOAT_EXTREME };
uint64_t float_bits(enum dtype dtype, enum float_kind kind, struct random *r);

enum { FLOAT_TEXT = 48 }; /* bytes of the longest printed float */

/* Prints a float with enough digits to read it back, or with the fewest such
 * digits. Returns the length. */
int float_print(char *to, enum dtype dtype, uint64_t bits, bool shortest);

/* Prints the middle between two floats. The number of digits is random: some
 * texts lie on the middle, some beside it, and some are misrounded by way of a
 * double. Returns the length. */
int float_print_middle(char *to, enum dtype dtype, struct random *r);
