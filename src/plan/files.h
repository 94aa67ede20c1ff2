/* SPDX-License-Identifier: MIT */
/* The names of the FILEs: operands, or what --files0-from lists. */
#pragma once

#include "cli/options.h"

struct file_names {
    const char *const *name; /* [count], at least one */
    size_t count;
    /* Where they come from a list: all of it, and the places in it. */
    char *list;
    const char **listed;
};

/* Standard input where no FILE is named. On success and failure the names must
 * be given to file_names_free; they may borrow the options' strings. */
bool file_names_find(struct file_names *names, const struct options *o,
                     struct error *e);
void file_names_free(struct file_names *names);
