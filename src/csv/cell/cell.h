/* SPDX-License-Identifier: MIT */
/* What a cell's text means: the slow and complete way, for every cell that the
 * loops and kernels do not take for a plain number. */
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
    CSV_FIELD_MAX = 1 << 20,   /* bytes of a wanted field */
    CSV_RECORD_MAX = 64 << 20, /* bytes of a record */
};

/* What becomes of a record with another number of fields than the first. */
enum csv_ragged { CSV_RAGGED_ERROR, CSV_RAGGED_SKIP, CSV_RAGGED_PAD };

/* How text is read: the same for all of a run's inputs. */
struct csv_spec {
    enum dtype dtype;
    struct csv_words words;
    struct csv_notation notation;
    bool missing_is_error, skip_bad;
    bool rows_only;  /* records are counted, no cell is read */
    bool texts;      /* nothing is asked that a column of text cannot say */
    bool is_bool;    /* cells are truth values, decoded to u8 0 or 1 */
    bool round_wide; /* no cell is CSV_CELL_WIDE */
    enum csv_ragged ragged;
};

enum csv_cell {
    CSV_CELL_NUMBER,
    /* An f64's integer of over 2^53: *bits is its magnitude. */
    CSV_CELL_WIDE,
    CSV_CELL_WIDE_MINUS,
    /* One of over 64 bits, or where wide ones are not wanted: *bits is the f64
     * next to it. */
    CSV_CELL_ROUNDED,
    CSV_CELL_MISSING,
    CSV_CELL_BAD,
    CSV_CELL_TOO_LONG,
    CSV_CELL_NO_MEMORY,
    CSV_CELL_NO_WEIGHT /* a number that is none: negative, NaN or Inf */
};

static inline bool csv_cell_is_number(enum csv_cell cell)
{
    return cell < CSV_CELL_MISSING;
}

/* The text that a field's bytes stand for. Doubled quotes are undone in `room`,
 * of at least the field's bytes; else the text is the field's own. False where
 * more follows the closing quote. */
bool csv_undo_quotes(struct csv_span field, struct csv_dialect dialect,
                     char *room, struct csv_span *content);

/* The same without the blanks around it, outside and inside its quotes; where
 * it is false, the field is the text, quotes and all. */
bool csv_content(struct csv_span field, struct csv_dialect dialect, char *room,
                 struct csv_span *content);

/* Reads a field, from its first byte to before its delimiter or line end. */
enum csv_cell csv_cell_read(const struct csv_spec *spec,
                            struct csv_dialect dialect, struct csv_span field,
                            uint64_t *bits);
