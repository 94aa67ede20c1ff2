/* SPDX-License-Identifier: MIT */
/*
 * The values of a table's keys, where all are kept: for quantiles, distinct
 * values and modes. While rows are added they wait in a log, in which each
 * takes 16 bytes with the number of its record; at the end they are sorted by
 * record, column and value, and take 8. All of it is counted by base/memory.h.
 *
 * For --reduce they are kept in the order of the data, also those of rows that
 * have none.
 */
#pragma once

#include "by/layout.h"
#include "reduce/distinct_memory.h"

struct by_table;
struct by_addend;
struct by_piece;

struct by_values {
    size_t n;
    struct by_piece *piece; /* the newest first */
    /* Sorted: [n], as keys of reduce/ranks.h without -0; NaN are the last. */
    uint64_t *key;
    uint64_t *begin; /* [records * columns + 1] */
    size_t begins;
    /* [n]: in order: a row without a value; NULL: each has one. */
    uint8_t *absent;
    size_t absents;
};

/* What is computed of the values that are kept; not of records. */
#define BY_VALUES \
    (MONOID_BIT(ranks) | MONOID_BIT(distinct) | MONOID_BIT(tallies))

/* by_step for these. */
enum distinct_lost by_values_add(const struct by_addend *a,
                                 const uint32_t *which, size_t n);

/* Sorts them, once, after the last. */
enum distinct_lost by_values_sort(struct by_table *t);

/* The sorted values of a column of a record; *n of them, and NaN after them. */
const uint64_t *by_values_of_record(const struct by_table *t, uint32_t id,
                                    size_t column, size_t *n, size_t *nans);

/* Keeps the values of rows of a chunk, ascending, in their order. value_of: as
 * of struct kept_column. */
enum distinct_lost by_values_keep(const struct by_addend *a,
                                  const uint32_t *row, const uint32_t *value_of,
                                  size_t n);

/* Puts these into the order of the data, once, after the last. */
enum distinct_lost by_values_order(struct by_table *t);

/* The bits of a column of a record, in order. *absent: 1 for each row without a
 * value; NULL: all have one. */
const uint64_t *by_values_in_order(const struct by_table *t, uint32_t id,
                                   size_t column, size_t *n,
                                   const uint8_t **absent);

void by_values_close(struct by_values *v);
