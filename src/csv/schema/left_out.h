/* SPDX-License-Identifier: MIT */
/* Reports columns that the program does not reduce although no option excludes
 * them. The messages offer options that make numbers of the cells. */
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

/* Notes the columns of numbers of a further file that are not columns of the
 * first one, `like`. Marks fields as taken. */
void csv_note_unlike(struct csv_table *table, const struct csv_choice *c,
                     const struct csv_table *like);
