/* SPDX-License-Identifier: MIT */
/*
 * Random chunks of delimited text together with what they stand for, made
 * without the code under test: values are drawn first and then printed, or the
 * text goes to libc; what surrounds them is known as it is written.
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
    CELL_MAX = 12000, /* bytes of a cell, but for blanks around it */
};

/* Bytes that grow; never out of memory. */
struct bytes {
    char *at;
    size_t n, room;
};

char *bytes_more(struct bytes *b, size_t n);
void bytes_add(struct bytes *b, const void *at, size_t n);
void bytes_fill(struct bytes *b, char c, size_t n);

#define NO_COLUMN UINT32_MAX

/* An input: what its records look like. */
struct text_shape {
    struct csv_table table;
    uint32_t column_of[FIELDS_MAX]; /* [fields]: or NO_COLUMN */
    struct input input;
};

/* What is the same in all that a context is given. */
struct text_case {
    enum dtype dtype;
    const char *words; /* those that mean missing, commas between */
    bool words_first;  /* one of them looks like a number */
    struct csv_spec spec;
    size_t columns;
    struct text_shape shape[SHAPES];
};

/* The cells of a column that are numbers, and how many are none. */
struct text_column {
    size_t n;
    struct bytes values;   /* of the dtype */
    struct bytes rows, at; /* uint32_t: row, and where its field begins */
    uint64_t missing, bad;
    struct reference want; /* of the values with their rows as indexes */
};

/* What is wrong with a chunk, first. */
enum text_wrong {
    WRONG_NOTHING,
    WRONG_RAGGED,
    WRONG_TOO_LONG,
    WRONG_MISSING,
    WRONG_BAD,
    WRONGS_END
};

struct text_chunk {
    const struct text_case *text_case;
    const struct text_shape *shape;
    uint64_t seed, number, line;
    struct bytes text;
    size_t records, lines;  /* lines: LF outside quotes, of blank lines too */
    struct bytes ends;      /* uint32_t: of every field, those of blank lines */
    struct bytes cell_ends; /* uint32_t: of the fields of records alone */
    bool stray;             /* a quote is data of an unquoted field */
    struct text_column column[FIELDS_MAX];
    enum text_wrong wrong;
    char error[4096]; /* what must be told of it; empty: nothing */
};

void text_case_make(struct text_case *text_case, enum dtype dtype,
                    struct random *r);
void text_case_free(struct text_case *text_case);

/* Whether a text is one of the case's words. */
bool text_is_word(const struct text_case *text_case, const char *text,
                  size_t n);

/* About so many bytes. wrong: errors are likely. */
struct text_order {
    size_t bytes;
    bool wrong;
};

/* The chunk was zero, or made before. */
void text_chunk_make(struct text_chunk *c, const struct text_case *text_case,
                     uint64_t seed, const struct text_order *order);
void text_chunk_free(struct text_chunk *c);

/* What a cell is to be, and came to be. */
enum cell_kind { CELL_NUMBER, CELL_MISSING, CELL_BAD };

struct cell {
    enum cell_kind kind;
    uint64_t bits; /* of a number */
    size_t n;
    char text[CELL_MAX]; /* neither quoted nor with blanks around it */
};

/* Of 256 cells so many are such. */
struct cell_odds {
    unsigned missing, bad, hostile;
    bool empty;       /* the missing ones have no text */
    unsigned special; /* inf and nan: of 65536 numbers */
    unsigned style;   /* how numbers are printed */
};

void cell_make(struct cell *cell, const struct text_case *text_case,
               const struct cell_odds *odds, struct random *r);

/* What the text of a cell is. */
void cell_judge(struct cell *cell, const struct text_case *text_case);

/* Finite floats. */
enum float_kind { FLOAT_ANY, FLOAT_EVERYDAY, FLOAT_EXTREME };
uint64_t float_bits(enum dtype dtype, enum float_kind kind, struct random *r);

enum { FLOAT_TEXT = 48 }; /* bytes that a printed one may take */

/* With as many digits as are surely enough, or with as few as are. Returns the
 * length. */
int float_print(char *to, enum dtype dtype, uint64_t bits, bool shortest);

/* Of the middle between two floats so many digits that some lie upon it, some
 * beside it and by a double go the wrong way. */
int float_print_middle(char *to, enum dtype dtype, struct random *r);
