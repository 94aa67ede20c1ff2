/* SPDX-License-Identifier: MIT */
/* What a cell's text means. This is the slow path, which decides every cell
 * that the loops and kernels do not parse as a plain number. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "csv/structure/machine.h"
#include "csv/cell/notation.h"
#include "csv/cell/words.h"
#include "reduce/dtype.h"

enum {
    CSV_FIELD_MAX = 1 << 20,   /* most bytes of a field that is decoded */
    CSV_RECORD_MAX = 64 << 20, /* most bytes of a record */
};

/* What to do with a record whose number of fields differs from that of the
 * first. */
enum csv_ragged { CSV_RAGGED_ERROR, CSV_RAGGED_SKIP, CSV_RAGGED_PAD };

/* How text is read. All inputs of a run share it, and nothing changes it. */
struct csv_spec {
    enum dtype dtype;
    struct csv_words words;
    struct csv_notation notation;
    bool missing_is_error; /* else missing values are counted and left out */
    bool skip_bad;         /* bad cells are counted and left out */
    bool rows_only;        /* only records are counted; no cell is read */
    /* Whether columns of text may be read as text: neither --dtype nor --bad
     * skip is given, and every requested operation takes text. */
    bool texts;
    bool all_texts;  /* list all its texts, not only first and last */
    bool is_bool;    /* cells are truth values, decoded to u8 0 or 1 */
    bool compares;   /* --compare: no cell or record can be left out */
    bool round_wide; /* wide integers are CSV_CELL_ROUNDED, not CSV_CELL_WIDE */
    enum csv_ragged ragged;
};

enum csv_cell {
    CSV_CELL_NUMBER,
    /* An integer of at most 64 bits above 2^53 in magnitude, where the dtype is
     * f64: *bits is its magnitude. */
    CSV_CELL_WIDE,
    CSV_CELL_WIDE_MINUS,
    /* An integer that f64 does not hold: of over 64 bits, or with round_wide.
     * *bits is the nearest f64. */
    CSV_CELL_ROUNDED,
    CSV_CELL_MISSING,
    CSV_CELL_BAD,
    CSV_CELL_TOO_LONG,
    CSV_CELL_NO_MEMORY,
    CSV_CELL_NO_WEIGHT /* not a valid weight: negative, NaN or Inf */
};

static inline bool csv_cell_is_number(enum csv_cell cell)
{
    return cell < CSV_CELL_MISSING;
}

/* Undoes the quotes of a field and sets *content to its text. The text points
 * into `room`, which has at least field.bytes bytes, where it has to be copied
 * (for doubled quotes, say); else into the field. Returns false where the field
 * is quoted and does not end with its closing quote. */
bool csv_undo_quotes(struct csv_span field, struct csv_dialect dialect,
                     char *room, struct csv_span *content);

/* Does the same, and leaves out blanks outside and inside the quotes. Where it
 * returns false, *content is the whole field, quotes included. */
bool csv_content(struct csv_span field, struct csv_dialect dialect, char *room,
                 struct csv_span *content);

/* Reads a field: the bytes up to its delimiter or line end. Quotes are undone
 * first, so that a quoted missing-value word is missing, too. For a number,
 * sets *bits to the value, in the low bytes. Any thread. */
enum csv_cell csv_cell_read(const struct csv_spec *spec,
                            struct csv_dialect dialect, struct csv_span field,
                            uint64_t *bits);
