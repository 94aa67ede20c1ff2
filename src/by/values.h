/* SPDX-License-Identifier: MIT */
/*
 * Keeps all values of a table's keys, for quantiles, distinct values and modes.
 * While rows are added, a log holds 16 bytes for each value: its key, and the
 * numbers of its record and column. At the end the values are sorted by record,
 * column and value, and take 8 bytes each. base/memory.h counts this memory.
 *
 * For --reduce, products of floats and pairs of columns, values are kept in the
 * order of the data instead, with an entry for each row that has no value.
 */
#pragma once

#include "by/layout.h"
#include "reduce/distinct_memory.h"

struct by_table;
struct by_addend;
struct by_piece;

struct by_values {
    size_t n;               /* values, and rows without one */
    struct by_piece *piece; /* the log, the newest piece first */
    /* [n], once sorted: keys of reduce/ranks.h, where -0 is 0 and NaN are the
     * last. In the order of the data: the bits of the values. */
    uint64_t *key;
    uint64_t *begin; /* [begins]: where the keys of each column begin */
    size_t begins;   /* records * columns + 1 */
    /* [n], in the order of the data: 1 for a row without a value, 2 for one
     * with a bad cell. NULL: each row has a value. */
    uint8_t *absent;
    size_t absents; /* rows without a value */
};

/* The monoids that are computed from kept values, and have no state in records.
 */
#define BY_VALUES \
    (MONOID_BIT(ranks) | MONOID_BIT(distinct) | MONOID_BIT(tallies))

/* As by_step, for these monoids: appends the values to the log. */
enum distinct_lost by_values_add(const struct by_addend *a,
                                 const uint32_t *which, size_t n);

/* Sorts the values. Call it once, after the last was added. */
enum distinct_lost by_values_sort(struct by_table *t);

/* The sorted values of a column of a record: *n numbers, then *nans NaN. */
const uint64_t *by_values_of_record(const struct by_table *t, uint32_t id,
                                    size_t column, size_t *n, size_t *nans);

/* Keeps the values of n rows of a chunk, which ascend, in their order. value_of
 * is that of struct kept_column. */
enum distinct_lost by_values_keep(const struct by_addend *a,
                                  const uint32_t *row, const uint32_t *value_of,
                                  size_t n);

/* Puts the values of by_values_keep into the order of the data. Call it once,
 * after the last was added. */
enum distinct_lost by_values_order(struct by_table *t);

/* The bits of the values of a column of a record, in the order of the data: *n
 * rows. *absent has 1 for each row without a value, 2 for a bad cell; NULL: all
 * have a value. */
const uint64_t *by_values_in_order(const struct by_table *t, uint32_t id,
                                   size_t column, size_t *n,
                                   const uint8_t **absent);

void by_values_close(struct by_values *v);
