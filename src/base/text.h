/* SPDX-License-Identifier: MIT */
/* Small readers of words and sizes that options and headers share. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/quote.h"

/* Reads all of `text` as decimal digits. False when it is empty, holds
 * anything else or does not fit. */
bool text_to_u64(const char *text, uint64_t *value);

/* Writes the digits of x so that they end at `end`, with zeros before them if
 * they are fewer than `least`. Returns where they start. Writes no NUL. */
char *text_digits(char *end, uint64_t x, int least);

/* Reads a size in bytes: digits, then nothing or K, M, G, T (powers of 1024,
 * also as KiB, kb, ...). Returns false as text_to_u64 does. */
bool text_to_size(const char *text, uint64_t *bytes);

/* The candidate nearest to `word` by edit distance, where swapping two
 * neighbours is one edit and case does not count. NULL if no candidate is near
 * enough, or if more than two are equally near. `name(i, context)` gives
 * candidate i, and NULL after the last. */
const char *text_nearest(const char *word,
                         const char *(*name)(size_t i, const void *context),
                         const void *context);

/* Writes "; did you mean 'A'?" or "... 'A' or 'B'?" with the nearest
 * candidates, each after the dashes and safe to print; "" if text_nearest finds
 * none. Returns out. */
enum { TEXT_SUGGEST_MAX = 2 * QUOTE_MAX + 64 };
const char *text_suggest(char out[TEXT_SUGGEST_MAX], const char *dashes,
                         const char *word,
                         const char *(*name)(size_t i, const void *context),
                         const void *context);

/* Whether the text starts with the letters of `with`. NULL starts with none. */
bool text_starts(const char *text, const char *with);

/* Whether the word is one of a list separated by blanks, commas or both. */
bool text_has_word(const char *list, const char *word);
