/* SPDX-License-Identifier: MIT */
/* The names of the FILEs: the operands, or the list of --files0-from. */
#pragma once

#include "cli/options.h"

struct file_names {
    const char *const *name; /* [count], at least one */
    size_t count;
    /* With --files0-from: the whole list, and the names in it; owned. */
    char *list;
    const char **listed;
};

/* Finds the names; without any, the name is that of standard input. The caller
 * calls file_names_free in any case. The names may borrow strings of *o. */
bool file_names_find(struct file_names *names, const struct options *o,
                     struct error *e);
void file_names_free(struct file_names *names);
