/* SPDX-License-Identifier: MIT */
/* Foreign text (names, data) made safe to show on a terminal. */
#pragma once

#include <stddef.h>

enum { QUOTE_MAX = 1024 }; /* bytes, the NUL among them */

/* Writes text between single quotes to out and returns out. Control bytes,
 * backslashes and bytes that are not part of valid UTF-8 become \n, \t, \\ or
 * \xHH; a quote becomes \'. Text that does not fit ends in "...'". */
const char *quote(char out[QUOTE_MAX], const char *text);

/* Like quote, for `length` bytes that may contain NUL. */
const char *quote_bytes(char out[QUOTE_MAX], const char *text, size_t length);

/* The escapes without the quotes, for places such as FILE:LINE. */
const char *escape(char out[QUOTE_MAX], const char *text);
const char *escape_bytes(char out[QUOTE_MAX], const char *text, size_t length);

/* For TSV cells: the escapes without the quotes, one character a call. Writes
 * at most 7 bytes and a NUL to out. Returns how many of the `left` bytes of
 * text it has converted, 0 at the end. */
size_t escape_next(char out[8], const char *text, size_t left);

/* The same for JSON strings: control characters and the line and direction
 * marks become \n, \t or \uHHHH, a quote and a backslash get a backslash before
 * them, and a byte that is not part of valid UTF-8 becomes \ufffd. */
size_t escape_json(char out[8], const char *text, size_t left);

/* The number of bytes at the start of text that neither escape_next nor
 * escape_json changes. */
size_t escape_none(const char *text, size_t left);

/* Returns the length in bytes of the UTF-8 character at the start of text, or 0
 * if that is not valid UTF-8. text has `left` > 0 bytes. */
size_t utf8_length(const char *text, size_t left);
