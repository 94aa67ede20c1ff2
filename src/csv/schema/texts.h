/* SPDX-License-Identifier: MIT */
/* Which of the listed columns are columns of text: words, dates and the like,
 * which can be counted and printed as they are. */
#pragma once

#include "csv/schema/columns.h"
#include "csv/schema/hint.h"

/* The last line of a message: which operations take a column of text. */
#define CSV_TEXT_HELP                                                     \
    "\nA column of text takes only rows, count, n_missing, first, last, " \
    "nunique, mode and the like (not with --dtype or --bad skip)"

/* Sets table->is_text from the cells of the first records, if columns are
 * listed. A column is of text unless most of its cells are numbers, or would be
 * with an option for their notation. Notes a column of text that has some
 * numbers. like: the table of the dataset's first input, whose types are copied
 * instead; or NULL. False, with the error: no memory. */
bool csv_find_texts(struct csv_table *table, const struct csv_choice *choice,
                    const struct csv_table *like, struct error *e);

/* The hint for the field's bad cell, or NULL. */
const char *csv_seen_hint(char room[CSV_HINT_MAX],
                          const struct csv_table *table,
                          const struct csv_choice *choice, size_t field);

/* Whether the field's first bad cell holds several numbers, and so the
 * delimiter is wrong. */
bool csv_is_cut_wrong(const struct csv_table *table,
                      const struct csv_choice *choice, size_t field);
