/* SPDX-License-Identifier: MIT */
/* Foreign text (names, data) made safe to show on a terminal. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum { QUOTE_MAX = 1024 };

/* Writes text between single quotes to out and returns out. Control bytes,
 * backslashes and bytes that are not part of valid UTF-8 become \n, \t, \\ or
 * \xHH; a quote becomes \'. Text that does not fit ends in "...'". */
const char *quote(char out[QUOTE_MAX], const char *text);

/* The same over `length` bytes that may hold NUL. */
const char *quote_bytes(char out[QUOTE_MAX], const char *text, size_t length);

/* For TSV cells: the escapes without the quotes, all of the text, written by
 * `put`, which is called once a piece. */
void escape_each(const char *text, void (*put)(void *to, const char *piece),
                 void *to);
