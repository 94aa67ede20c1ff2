/* SPDX-License-Identifier: MIT */
/* The columns of two tables that are compared. */
#pragma once

#include "csv/schema/columns.h"

/* What the first records hold in a field, where no list says what to compare:
 * nothing but missing cells, or words among others. */
enum csv_holds { CSV_HOLDS_WORDS, CSV_HOLDS_NUMBERS, CSV_HOLDS_NOTHING };

/* A field that is excluded, or that has a partner already. */
enum { CSV_HOLDS_NONE = CSV_HOLDS_NOTHING + 1 };

/* Sets table->holds. Of a further table (is_other) no columns are chosen yet:
 * they will be those of the first one. */
bool csv_find_holds(struct csv_table *table, const struct csv_choice *choice,
                    bool is_other, struct error *e);

/* Sets the columns of both tables, which have `holds`, to the fields that are
 * compared: by name where both have names, else by number. They are the same
 * whichever comes first. False where a field holds numbers in one table alone;
 * file: their names. */
bool csv_match(struct csv_table *const table[2], const char *const file[2],
               struct error *e);
