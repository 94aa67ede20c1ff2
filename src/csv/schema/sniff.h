/* SPDX-License-Identifier: MIT */
/*
 * What the first bytes of an input say about it: whether they are text, where
 * the table starts, and which bytes separate its records and fields. Pure
 * functions of a sample.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "csv/schema/table.h"

/* Whether the bytes are text: no NUL, no control byte but TAB LF CR FF, UTF-8
 * or few bytes above 0x7F, and a line end or all of it. */
bool csv_is_text(struct csv_span head, bool is_all);

/* Bytes of the UTF-8 character that the text starts with, of which there are
 * `left` bytes, at least one; 0: it is none. One that is cut by the text's end
 * counts whole, unless that is all. */
size_t csv_character(const char *text, size_t left, bool is_all);

/* Whether the bytes are text in UTF-16 after a byte order mark. */
bool csv_is_utf16(struct csv_span head);

struct csv_sniffed {
    struct csv_dialect dialect;
    size_t start; /* of the table, after skipped lines and a `sep=` line */
    const char *reason; /* for the delimiter */
};

/* False only where there is no memory. The sample starts after a byte order
 * mark; of a short one (not is_all) the start may not be reached yet, and is
 * then the sample's end. */
bool csv_sniff(struct csv_sniffed *s, struct csv_span sample, bool is_all,
               const struct csv_settings *settings);

/* How many lines have to be skipped in all for the records after them to be
 * split alike; 0: no number of lines helps. `end` ends a line. */
uint64_t csv_lines_before(struct csv_span sample, bool is_all,
                          const struct csv_settings *settings,
                          unsigned char end);
