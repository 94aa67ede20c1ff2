/* SPDX-License-Identifier: MIT */
/* Missing-value words: the texts that mean a missing value, besides the empty
 * one. */
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
    /* Index of the first word that the user gave. In columns of text only the
     * user's words mean a missing value. */
    size_t own;
    struct {
        const char *text; /* borrowed, not ended by NUL */
        size_t bytes;
        /* The text as an integer, first byte lowest, for comparing it with
         * eight cells at a time; 0 if it has over 8 bytes or a quote. */
        uint64_t short_text;
    } word[CSV_WORDS_MAX];
    uint64_t first[4]; /* bit set: a word starts with this byte */
};

/* Reads a list of words separated by commas; "a,b" in quotes is one. The list
 * must outlive `words`, which points into it. Blanks around a word are ignored,
 * as they are around a cell. False, with an ERROR_USAGE: too many words. */
bool csv_words_init(struct csv_words *words, const char *list, struct error *e);

/* Adds the words of another list in the same way. */
bool csv_words_add(struct csv_words *words, const char *list, struct error *e);

/* Whether the text is a missing-value word. */
bool csv_words_have(const struct csv_words *words, const char *text,
                    size_t bytes);

/* Whether the text is one of the user's words. */
bool csv_words_have_own(const struct csv_words *words, const char *text,
                        size_t bytes);

/* Whether a word starts with this byte: a quick test before csv_words_have. */
static inline bool csv_words_start(const struct csv_words *words,
                                   unsigned char first)
{
    return words->first[first / 64] >> first % 64 & 1;
}
