/* SPDX-License-Identifier: MIT */
/*
 * The loops over text, compiled for several instruction sets like those of
 * reduce/cpu. They find structure by counting quotes, 64 bytes at a time.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "csv/structure/machine.h"
#include "csv/cell/notation.h"

enum {
    /* Text handed to the loops may be read so far beyond its end. */
    CSV_PADDING = 64,
};

/* Counts over a piece of text, made before it is known whether the piece starts
 * inside quotes. */
struct csv_scan {
    uint64_t lines; /* line ends, quoted ones among them */
    bool odd;       /* number of quotes */
    /* By whether it starts inside quotes: a quote stands where none may open,
     * so that counting does not tell the structure. The first byte is
     * trusted. */
    bool stray[2];
};

/* The ends of all fields of text that starts at the start of a record. */
struct csv_ends {
    uint32_t *at; /* room for one each byte, and 64 */
    size_t n;
    size_t records; /* of them ended by a line end */
    bool inside;    /* quotes: at first at the text's start, then at its end */
};

/* A column's cells: field `field` of each row. */
struct csv_cells {
    const char *text;
    const uint32_t *ends; /* [rows][fields] */
    size_t rows;
    size_t fields, field;
    const struct powers *powers;
    /* The loops may leave out cells that are empty or one of these words; NULL:
     * they may not. They may take a word that looks like a number for one. */
    const struct csv_words *pass;
    bool quotes; /* '"' may be around cells */
    /* How many cells to read one by one before several at once are tried: kept
     * from call to call, for columns of which much is something else. 1 at
     * first; NULL: not kept. */
    size_t *alone;
};

/* Parses cells that are plain numbers, perhaps in quotes, to values[*n], ...,
 * with their rows, from row `from` on; returns the first row that is something
 * else, or rows. The rows before it that it gives no value are passed over. The
 * padding holds before and after every cell looked at. */
typedef size_t csv_parse_fn(const struct csv_cells *cells, size_t from,
                            void *values, uint32_t *rows, size_t *n);

struct csv_loops {
    const char *name;
    /* Goes on from byte `from` of the text, with what was found before it. */
    void (*scan)(const char *text, size_t from, size_t bytes,
                 struct csv_dialect dialect, struct csv_scan *found);
    /* From byte `from` of the text on. False where a stray quote keeps counting
     * from telling. */
    bool (*ends)(const char *text, size_t from, size_t bytes,
                 struct csv_dialect dialect, struct csv_ends *out);
    /* As csv_squeeze, of text without quotes and comments. Reads up to
     * CSV_PADDING bytes after the text, and writes as many after `to`. */
    size_t (*squeeze)(const char *text, size_t bytes, char end, char *to);
    /* Copies the text with bytes a and b in each other's place. */
    void (*swap)(const char *text, size_t bytes, char a, char b, char *to);
    /* Makes a column's numbers plain, as csv_make_plain, in `text`, which is
     * that of the cells with the decimal sign and the point swapped. A number
     * keeps its place and its length, and has zeros in front; what is none, or
     * no plain one, stays as it is. */
    void (*plain)(const struct csv_cells *cells, const struct csv_notation *n,
                  char *text);
    /* By dtype; NULL where there is none. */
    csv_parse_fn *const *parse;
};

/* Whether the quotes of text that was scanned, not empty and found in a state,
 * cannot be counted. */
bool csv_has_stray(enum csv_state state, const char *text, size_t bytes,
                   struct csv_dialect dialect, const struct csv_scan *scan);

/* Whether a line of the text may be a comment. */
bool csv_has_comment(const char *text, size_t bytes,
                     struct csv_dialect dialect);

/* The state after it. */
enum csv_state csv_advance(enum csv_state state, const char *text, size_t bytes,
                           struct csv_dialect dialect,
                           const struct csv_scan *scan);

/* Every set that this machine can run, best first, then NULL. */
const struct csv_loops *csv_loops(size_t i);
/* The portable set. */
extern const struct csv_loops csv_loops_base;
