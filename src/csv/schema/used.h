/* SPDX-License-Identifier: MIT */
/* Columns that expressions read. They are decoded, but reduced only if they are
 * chosen, too. */
#pragma once

#include "csv/schema/columns.h"

/* Finds the columns that settings->used names, adds those that are not among
 * the table's columns as its inputs, and sets table->used. False, with an error
 * that shows the place in the expression. */
bool csv_add_used(struct csv_table *table, const struct csv_choice *choice,
                  struct error *e);

/* Notes a constant of settings->literal that is also the name of a column. */
bool csv_note_literals(const struct csv_table *table,
                       const struct csv_choice *choice, struct error *e);

/* Sets *proved if a name of settings->used is in the first record. False: no
 * memory. */
bool csv_used_proves(const struct csv_table *table, struct csv_span first,
                     const struct csv_settings *settings, bool *proved);
