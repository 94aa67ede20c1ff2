/* SPDX-License-Identifier: MIT */
/* What to try for a cell that is not a number, by the shape of its text. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum { CSV_HINT_MAX = 512 };

/* For cells of no known shape. */
#define CSV_HINT_WORD "--na with this text if it means a missing value"
#define CSV_HINT_DEFAULT CSV_HINT_WORD ", or -x to leave the column out"

/* The same, or for a date, where only an expression reads the column. */
#define CSV_HINT_READ \
    "text(COLUMN) in the expression to read a text, or " CSV_HINT_WORD

/* The end of a hint for a cell such as <0.1. */
#define CSV_HINT_LIMIT " to leave it out: it is a limit or an estimate"

/* In a hint for a cell such as 5GB or 0x1F, which a command makes a number. */
#define CSV_HINT_PIPE " FILE | gpureduce"

/* The end of a hint for a cell such as 5-. */
#define CSV_HINT_MINUS CSV_HINT_PIPE ": a minus at the end is not read"

struct csv_hint_context {
    char decimal;          /* decimal mark in use; 0: the default, a point */
    const char *thousands; /* separator in use; NULL: none */
    int delimiter;         /* in use: a byte, or CSV_BLANK for runs of blanks */
    bool is_integer;       /* the column is read as integers */
    bool is_bool;          /* an integer, but one that is 0 or 1 */
    const char *column;    /* its name */
    bool is_again;         /* the record is the first one once more */
};

/* Returns a phrase that follows "Try ", in `out` or a constant; NULL where the
 * shape of the cell suggests nothing. The cell comes without the blanks and
 * quotes around it. */
const char *csv_hint(char out[CSV_HINT_MAX], const char *cell, size_t bytes,
                     const struct csv_hint_context *context);
