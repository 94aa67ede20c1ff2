/* SPDX-License-Identifier: MIT */
/* Columns that are asked for: by a list of names, numbers and ranges, or as
 * those of the dataset's first input. */
#pragma once

#include "csv/table.h"

/* Adds a field to the columns, once. */
void csv_select_field(struct csv_table *table, size_t field);

/* Adds the columns on the list; `file` and `option` are for messages. */
bool csv_select_list(struct csv_table *table, const char *file,
                     const char *option, const char *list, struct error *e);

/* The mark of a field that none of these takes, in column_of, while columns are
 * selected. */
#define CSV_EXCLUDED (CSV_NO_COLUMN - 1)

/* Marks the columns on the list, before any are selected. */
bool csv_exclude_list(struct csv_table *table, const char *file,
                      const char *list, struct error *e);

/* Adds the same columns as `like` has: by name where both tables have names,
 * else by number. */
bool csv_select_like(struct csv_table *table, const char *file,
                     const struct csv_table *like, struct error *e);
