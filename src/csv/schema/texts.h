/* SPDX-License-Identifier: MIT */
/* Which of the columns that were asked for are of text: words, dates and the
 * like, which can be counted and shown as they are. */
#pragma once

#include "csv/schema/columns.h"

/* What can be asked of a column of text: the last line of a message. */
#define CSV_TEXT_HELP                                                       \
    "\nA column of text takes only rows, count, n_missing, first and last " \
    "(not "                                                                 \
    "with --dtype or --bad skip)"

/* Sets table->is_text, by the cells of the first records: no column is of text
 * that was not asked for, most of whose cells are numbers, or whose cells are
 * numbers once an option says how they are written. A column with some numbers
 * is noted. `like`: as the dataset's
 * first input; or NULL. False where there is no memory. */
bool csv_find_texts(struct csv_table *table, const struct csv_choice *choice,
                    const struct csv_table *like, struct error *e);

/* Whether the cells are numbers, written in a way that has to be asked for:
 * with marks of a currency, percent signs ... */
bool csv_is_written_otherwise(const struct csv_table *table,
                              const struct csv_choice *choice, size_t field);
