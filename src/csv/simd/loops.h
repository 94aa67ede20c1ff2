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
    /* The loops may read this many bytes after the end of a text. */
    CSV_PADDING = 64,
};

/* What a scan finds in a piece of text before it is known whether the piece
 * starts inside quotes. */
struct csv_scan {
    uint64_t lines; /* line ends, including those inside quotes */
    bool odd;       /* the number of quotes is odd */
    /* [1] if the piece starts inside quotes, [0] if not: a quote then stands
     * where none may open a field, so that counting quotes does not find the
     * structure. Only csv_has_stray checks the first byte. */
    bool stray[2];
};

/* The ends of all fields of a text that starts at the start of a record. */
struct csv_ends {
    /* [n], ascending: offsets in the text of the delimiters and line ends that
     * end its fields. Room for one per byte of the text, and 64 more. */
    uint32_t *at;
    size_t n;
    size_t records; /* how many of the n are line ends */
    /* Input: whether the text starts inside quotes. Output: whether it ends
     * inside quotes. */
    bool inside;
};

/* The cells of a column: field `field` of each row. */
struct csv_cells {
    const char *text;
    const uint32_t *ends; /* [rows][fields] */
    size_t rows;
    size_t fields; /* ends per row */
    size_t field;  /* the column's entry in a row */
    const struct powers *powers;
    /* Missing-value words. The loops may pass over cells that are empty or one
     * of these words; NULL: they stop there. They may also parse a word that
     * looks like a number. */
    const struct csv_words *pass;
    bool quotes; /* '"' is the quote, and may be around cells */
    /* How many cells to parse one by one before trying the next batch. The
     * caller sets it to 1 and keeps it from call to call, so that in columns
     * with few plain numbers a batch is not tried at every cell. NULL: not
     * kept. */
    size_t *alone;
};

/* Parses cells that are plain numbers, perhaps in quotes, from row `from` on.
 * Appends their values and rows at values[*n] and rows[*n]. Returns the first
 * row that is something else, or cells->rows. Rows before it that have no value
 * are missing. Reads at most CSV_PADDING bytes before and after a cell, and
 * none before the text. */
typedef size_t csv_parse_fn(const struct csv_cells *cells, size_t from,
                            void *values, uint32_t *rows, size_t *n);

struct csv_loops {
    const char *name;
    /* Scans the text from byte `from` on. *found is the scan of the bytes
     * before `from`, and becomes that of the whole text. */
    void (*scan)(const char *text, size_t from, size_t bytes,
                 struct csv_dialect dialect, struct csv_scan *found);
    /* Sets *out to the ends from byte `from` of the text on. out->inside says
     * whether that byte is inside quotes. False where a stray quote makes
     * counting fail. */
    bool (*ends)(const char *text, size_t from, size_t bytes,
                 struct csv_dialect dialect, struct csv_ends *out);
    /* Does what csv_squeeze does, for text without quotes and comments. Reads
     * up to CSV_PADDING bytes after the text, and overwrites as many after the
     * result. */
    size_t (*squeeze)(const char *text, size_t bytes, char end, char *to);
    /* Copies the text with the bytes a and b swapped. */
    void (*swap)(const char *text, size_t bytes, char a, char b, char *to);
    /* Makes a column's numbers plain, as csv_make_plain does, in `text`: a copy
     * of the cells' text with the decimal mark and the point swapped. A number
     * keeps its place and length, and gets leading zeros. Cells that are not
     * plain numbers then stay as they are. */
    void (*plain)(const struct csv_cells *cells, const struct csv_notation *n,
                  char *text);
    /* Indexed by dtype; NULL for dtypes that text is not read as. */
    csv_parse_fn *const *parse;
};

/* Whether counting quotes does not find the structure of a piece of text, not
 * empty, that starts in `state` and whose scan is `scan`. */
bool csv_has_stray(enum csv_state state, const char *text, size_t bytes,
                   struct csv_dialect dialect, const struct csv_scan *scan);

/* Whether a line of the text may be a comment. */
bool csv_has_comment(const char *text, size_t bytes,
                     struct csv_dialect dialect);

/* The state after a piece as for csv_has_stray. Walks the piece byte by byte
 * where counting quotes fails. */
enum csv_state csv_advance(enum csv_state state, const char *text, size_t bytes,
                           struct csv_dialect dialect,
                           const struct csv_scan *scan);

/* The i-th set of loops that this machine can run, best first; NULL after the
 * last. Any thread. */
const struct csv_loops *csv_loops(size_t i);
/* The portable set, which every machine can run. */
extern const struct csv_loops csv_loops_base;
