/* SPDX-License-Identifier: MIT */
/* The texts that stand for a missing value, besides the empty one. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "csv/structure/span.h"

enum { CSV_WORDS_MAX = 64 };

#define CSV_WORDS_DEFAULT "NA,N/A,n/a,<NA>,#N/A,null,NULL,None,\\N"

struct csv_words {
    size_t n;
    /* The words from this one on are the user's: in columns of text they alone
     * stand for a missing value. */
    size_t own;
    struct {
        const char *text; /* borrowed, not ended by NUL */
        size_t bytes;
        /* Up to 8 bytes without quotes as an integer, the first one lowest, to
         * be held against what a field has; else 0. */
        uint64_t short_text;
    } word[CSV_WORDS_MAX];
    uint64_t first[4]; /* bit set: a word starts with this byte */
};

/* Reads a list of words separated by commas, which must outlive it. Blanks
 * around a word are not part of it, as they are not of a cell. */
bool csv_words_init(struct csv_words *words, const char *list, struct error *e);

/* The same, besides the words that are there. */
bool csv_words_add(struct csv_words *words, const char *list, struct error *e);

bool csv_words_have(const struct csv_words *words, const char *text,
                    size_t bytes);

/* The same of the user's words alone. */
bool csv_words_have_own(const struct csv_words *words, const char *text,
                        size_t bytes);

/* Whether a word starts so. */
static inline bool csv_words_start(const struct csv_words *words,
                                   unsigned char first)
{
    return words->first[first / 64] >> first % 64 & 1;
}
