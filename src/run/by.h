/* SPDX-License-Identifier: MIT */
/* Results by key: reads the operations of every key, in the order in which the
 * keys are printed. */
#pragma once

#include "by/order.h"
#include "output/number.h"
#include "plan/plan.h"
#include "reduce/values.h"

/* The keys of a dataset, for printing. Const once made. */
struct by_rows {
    struct groups *groups; /* owned */
    struct by_order order;
    size_t keys;                   /* columns of the keys */
    const struct csv_table *table; /* borrowed, has their names; NULL: --keys */
    enum dtype dtype;              /* of the elements of --keys */
    size_t columns; /* rows of results for each key, at least 1 */
};

void by_rows_free(struct by_rows *rows); /* may be NULL */

/* Call after the data were read. False, with the error, if they do not suit
 * --keys: it must have one key for each element, and the data must be in C
 * order. An input that is opened during the run shows neither before. */
bool by_check_read(const struct plan *plan, const struct dataset *d,
                   struct error *e);

/* Appends the values, [keys][columns][ops], and sets d->rows to the number of
 * their rows. Takes ownership of the groups of *reduced. The caller frees *out
 * with by_rows_free. */
bool by_finish(const struct plan *plan, struct dataset *d,
               struct reduced *reduced, struct values *values,
               struct by_rows **out, struct error *e);

/* Settings for reading the texts of keys as numbers: cells, and [1] columns
 * that are computed. */
struct by_reader {
    struct csv_spec spec[2];
    struct csv_dialect dialect;
    unsigned computed; /* see struct by_spec */
};

/* Makes them, and returns the function that classifies keys, with *r as its
 * context. NULL if keys are elements, whose bytes have the order of the values.
 */
classify_fn *by_reader_open(struct by_reader *r, const struct plan *plan,
                            const struct by_rows *rows);

/* The name of a column of the keys. */
struct csv_span by_key_name(const struct by_rows *rows, size_t column);

/* Whether a column of the key has numbers: elements, or computed ones. */
bool by_key_is_number(const struct by_rows *rows, size_t column);

/* The text of column `column` of a row's key; empty if it is missing. Numbers
 * are written to *room, as JSON if that is asked for, so the text is valid as
 * long as *room. */
struct by_text {
    char at[NUMBER_MAX];
};
struct text_cell by_row_key(const struct by_rows *rows, size_t row,
                            size_t column, bool is_json, struct by_text *room);

/* Writes a row's key as messages show it: 'FR', '2024'. Returns out. */
enum { BY_NAME_MAX = 2 * QUOTE_MAX };
const char *by_row_name(char out[BY_NAME_MAX], const struct by_rows *rows,
                        size_t row);
