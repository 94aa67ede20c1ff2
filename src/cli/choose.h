/* SPDX-License-Identifier: MIT */
/* Finds a word in a list of those that an option takes, or reports an unknown
 * one. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

/* Sets *chosen to the position of arg in `words`, which ends with NULL. False
 * with an error that calls it a `what`. */
bool choose(const char *what, const char *arg, const char *const *words,
            int *chosen, struct error *e);

/* Sets the error "unknown WHAT 'WORD'" with the nearest names, or with all if
 * none is near. Returns false. name(i, context) is name i, NULL after the
 * last. */
bool choose_unknown(const char *what, const char *word,
                    const char *(*name)(size_t i, const void *context),
                    const void *context, struct error *e);
