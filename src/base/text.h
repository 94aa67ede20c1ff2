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

/* Writes digits before `end`: those of x, with zeros first to make `least`.
 * Returns where they begin. */
char *text_digits(char *end, uint64_t x, int least);

/* A size in bytes: digits, then nothing or K, M, G, T (powers of 1024, also
 * as KiB, kb, ...). False like text_to_u64. */
bool text_to_size(const char *text, uint64_t *bytes);

/* The candidate nearest to `word` by edit distance (a swap of neighbours
 * counts one, case nothing), or NULL when none is near enough to be what was
 * meant, or more than two are. `name(i, context)` gives candidate i, NULL after
 * the last. */
const char *text_nearest(const char *word,
                         const char *(*name)(size_t i, const void *context),
                         const void *context);

/* "; did you mean 'A'?" or "... 'A' or 'B'?" with those candidates, each behind
 * the dashes and made safe to print; "" where there is none. Returns out. */
enum { TEXT_SUGGEST_MAX = 2 * QUOTE_MAX + 64 };
const char *text_suggest(char out[TEXT_SUGGEST_MAX], const char *dashes,
                         const char *word,
                         const char *(*name)(size_t i, const void *context),
                         const void *context);

/* Whether the word is one of a list separated by blanks, commas or both. */
bool text_has_word(const char *list, const char *word);
