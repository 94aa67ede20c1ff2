/* SPDX-License-Identifier: MIT */
/* Words that options take, and what is said of others. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

/* The place of arg in a list of words that ends with NULL; what: of an error.
 */
bool choose(const char *what, const char *arg, const char *const *words,
            int *chosen, struct error *e);

/* False with "unknown WHAT 'WORD'", and the nearest of the names or all of
 * them. The names are counted from 0 until NULL. */
bool choose_unknown(const char *what, const char *word,
                    const char *(*name)(size_t i, const void *context),
                    const void *context, struct error *e);
