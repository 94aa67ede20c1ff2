/* SPDX-License-Identifier: MIT */
/* Which fields of a table are the columns to reduce. */
#pragma once

#include "csv/table.h"

/* Sets the table's columns: those on the list of the wishes, or the same as
 * `like` has, or every numeric one of the data that starts with `rest`. */
bool csv_choose(struct csv_table *table, const char *name,
                struct csv_span rest, bool is_all,
                const struct csv_wishes *wishes, const struct csv_table *like,
                struct error *e);
