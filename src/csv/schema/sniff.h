/* SPDX-License-Identifier: MIT */
/*
 * Judges an input by its first bytes: whether they are text, where the table
 * starts, and which bytes separate its records and fields. Pure functions of a
 * sample.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "csv/schema/table.h"

/* Whether the bytes are text: no control byte but TAB LF CR FF, valid UTF-8 or
 * few bytes above 0x7F, and a line end, unless this is the whole input
 * (is_all). */
bool csv_is_text(struct csv_span head, bool is_all);

/* Length in bytes of the UTF-8 character at the start of the text; 0: not
 * valid. The text has `left` bytes, at least one. A character that the end of
 * the text cuts off is valid, unless this is the whole input (is_all). */
size_t csv_character(const char *text, size_t left, bool is_all);

/* Whether the bytes are text in UTF-16 after a byte order mark. */
bool csv_is_utf16(struct csv_span head);

/* Whether the bytes are characters of 2 or 4 bytes, three of four of them below
 * U+0100: UTF-16 without such a mark, or UTF-32, which has one if it is
 * big-endian. Sets *is_big if the units are. */
bool csv_is_wide(struct csv_span head, size_t unit, bool *is_big);

/* Whether the bytes are text with line ends, but for control characters: at
 * most one of four bytes, as where some set colours, or ^Z is the last one. */
bool csv_has_controls(struct csv_span head);

/* What csv_sniff finds. */
struct csv_sniffed {
    struct csv_dialect dialect;
    /* Offset of the table, after skipped lines and a `sep=` line. */
    size_t start;
    const char *reason; /* why this delimiter; a constant */
};

/* Finds the dialect and the start of the table. The sample starts after a byte
 * order mark. If it is not the whole input (is_all), the table may start after
 * it; then s->start is its end. False only where there is no memory. */
bool csv_sniff(struct csv_sniffed *s, struct csv_span sample, bool is_all,
               const struct csv_settings *settings);

/* How many lines to skip, counted from the start of the sample, so that some
 * delimiter splits the records after them alike; 0: no number of lines helps,
 * or the lines look like records, too. `end` ends a line. */
uint64_t csv_lines_before(struct csv_span sample, bool is_all,
                          const struct csv_settings *settings,
                          unsigned char end);

/* Whether -d blank --ragged pad would split the sample into a table. */
bool csv_needs_padding(struct csv_span sample, bool is_all,
                       const struct csv_settings *settings, unsigned char end);

/* How many lines to skip so that a column has only numbers below the first
 * record left; 0: it has without, or no number helps. The lines must be titles,
 * with one cell each, or one line of names above a table of numbers. */
uint64_t csv_lines_above_numbers(struct csv_span sample, bool is_all,
                                 const struct csv_settings *settings,
                                 struct csv_dialect dialect);
