/* SPDX-License-Identifier: MIT */
/* Which columns of two tables are compared with each other. */
#pragma once

#include "csv/schema/columns.h"

/* What a field holds in the first records, where no list says what to compare:
 * some words; numbers and perhaps missing cells; or only missing cells. */
enum csv_holds { CSV_HOLDS_WORDS, CSV_HOLDS_NUMBERS, CSV_HOLDS_NOTHING };

/* A further value, for a field that is excluded or already has a partner. */
enum { CSV_HOLDS_NONE = CSV_HOLDS_NOTHING + 1 };

/* Sets table->holds. The second table has no columns yet, since csv_match
 * chooses them. False, with the error: no memory. */
bool csv_find_holds(struct csv_table *table, const struct csv_choice *choice,
                    struct error *e);

/* Sets the columns of both tables to the fields that are compared. Pairs fields
 * by name where both tables have names, else by number. Both tables must have
 * `holds` and equally many fields, unless one has none. The choice does not
 * depend on the order of the tables. False, with an error, where a field holds
 * numbers in only one table. file: the names of the inputs. */
bool csv_match(struct csv_table *const table[2], const char *const file[2],
               struct error *e);
