/* SPDX-License-Identifier: MIT */
/* Selects columns by a list of names, numbers and ranges, or like those of the
 * dataset's first input. */
#pragma once

#include "csv/schema/columns.h"

/* Whether a field is a column or excluded. Call it only while columns are
 * chosen. */
static inline bool csv_is_taken(const struct csv_table *table, size_t field)
{
    return table->taken[field / 8] >> field % 8 & 1;
}

/* Adds a field to the columns, once, unless it is excluded. */
void csv_select_field(struct csv_table *table, size_t field);

/* Adds the columns on the list. `option` is the name of the list's option, for
 * messages. False, with the error. */
bool csv_select_list(struct csv_table *table, const struct csv_choice *choice,
                     const char *option, const char *list, struct error *e);

/* Excludes the columns on the list. Call before any are selected. */
bool csv_exclude_list(struct csv_table *table, const struct csv_choice *choice,
                      const char *list, struct error *e);

/* Adds the columns that `like` has: by name where both tables have names, else
 * by number. */
bool csv_select_like(struct csv_table *table, const struct csv_choice *choice,
                     const struct csv_table *like, struct error *e);
