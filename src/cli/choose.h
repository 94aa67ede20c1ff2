/* SPDX-License-Identifier: MIT */
/* Finds a word among those that an option takes, or reports an unknown word. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

/* Sets *chosen to the position of arg in `words`, which ends with NULL. Returns
 * false with an error that calls the word a `what`. */
bool choose(const char *what, const char *arg, const char *const *words,
            int *chosen, struct error *e);

/* Sets the error "unknown WHAT 'WORD'", which suggests the nearest names, or
 * lists all names if none is near. Returns false. name(i, context) is name i,
 * NULL after the last. */
bool choose_unknown(const char *what, const char *word,
                    const char *(*name)(size_t i, const void *context),
                    const void *context, struct error *e);
