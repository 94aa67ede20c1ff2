/* SPDX-License-Identifier: MIT */
/* What to try where no column of a table is numeric. */
#pragma once

#include "csv/schema/columns.h"
#include "csv/schema/hint.h"

/* Writes a line of a message that suggests how to read the table. Returns
 * whether lines before the table explain its first record, so that this hint is
 * better than one for a cell of that record. */
bool csv_remedy(const struct csv_table *table, const struct csv_choice *choice,
                char hint[CSV_HINT_MAX]);
