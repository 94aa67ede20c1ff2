/* SPDX-License-Identifier: MIT */
/* Results by key: reads the operations of every key, in the order in which the
 * keys are printed. */
#pragma once

#include "by/order.h"
#include "plan/plan.h"
#include "reduce/values.h"

/* The keys of a dataset, and what printing needs of them. */
struct by_rows {
    struct groups *groups; /* owned */
    struct by_order order;
    const struct csv_table *table; /* names the columns of the keys */
    size_t columns; /* rows of results for each key: at least 1 */
};

void by_rows_free(struct by_rows *rows); /* may be NULL */

/* Adds the values, [keys][columns][ops], and sets d->rows to how many rows
 * these are. Takes the groups of *reduced. *out is the caller's. */
bool by_finish(const struct plan *plan, struct dataset *d,
               struct reduced *reduced, struct values *values,
               struct by_rows **out, struct error *e);

/* The text of column `column` of the key of a row; empty: it is missing. */
struct text_cell by_row_key(const struct by_rows *rows, size_t row,
                            size_t column);

/* Writes the key of a row as a message shows it: 'FR', '2024'. Returns out. */
enum { BY_NAME_MAX = 2 * QUOTE_MAX };
const char *by_row_name(char out[BY_NAME_MAX], const struct by_rows *rows,
                        size_t row);
