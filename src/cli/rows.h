/* SPDX-License-Identifier: MIT */
/* The table of options, as parsing and --help see it. */
#pragma once

#include "cli/options.h"

/* Sets what the option means: false with the error filled. arg is NULL for an
 * option that takes no value. */
typedef bool set_fn(struct options *o, const char *arg, struct error *e);

struct option_row {
    char letter; /* or 0 */
    const char *name;
    const char *value; /* name of the argument, or NULL */
    set_fn *set;
    const char *help; /* lines */
};

enum { OPTION_ROWS_MAX = 64 };

/* NULL past the last. */
const struct option_row *option_row(size_t i);
