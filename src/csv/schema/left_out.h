/* SPDX-License-Identifier: MIT */
/* What to say of columns that are not reduced although nothing excludes them.
 * Of the options, the messages offer what would make their cells numbers. */
#pragma once

#include "csv/schema/columns.h"

/* Sets *e to the error for a table without a column of numbers. Returns
 * false. */
bool csv_no_numbers(const struct csv_table *table, const struct csv_choice *c,
                    struct error *e);

/* Checks the columns that are left out without being excluded: notes those that
 * look like numbers, one or several in a cell, and refuses decimal commas. */
bool csv_check_left_out(const struct csv_table *table,
                        const struct csv_choice *c, struct error *e);
