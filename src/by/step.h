/* SPDX-License-Identifier: MIT */
/* Adds the values of a column to the records of their rows' keys. */
#pragma once

#include "by/table.h"
#include "reduce/cpu/step.h"

/* What is added: values of a column, and where they go. */
struct by_addend {
    struct by_table *table;
    size_t number;               /* of the column, in the record */
    const struct column *column; /* its rows are those of a chunk */
    const uint32_t *id;          /* [row]: the row's record */
    uint64_t first;              /* row i has the position `first + i` */
};

/* The number of a record, of which there is none: the row is left out. */
#define BY_NONE UINT32_MAX

/* Memory of one thread, for monoids that are stepped key by key. */
struct by_runs {
    struct stepper *stepper; /* NULL: there are none */
    uint64_t *order;         /* [room]: record and value; and as much besides */
    char *values;            /* [room] elements */
    uint32_t *rows;          /* [room] */
    size_t room;
};

/* False: no memory. */
bool runs_open(struct by_runs *r, const struct by_layout *layout,
               bool is_portable, struct error *e);
void runs_close(struct by_runs *r);

/* Adds the values [which[i]], i < n, or all n where which is NULL; the values
 * of rows with BY_NONE are not among them. */
enum distinct_lost by_step(const struct by_addend *a, struct by_runs *runs,
                           const uint32_t *which, size_t n);

/* Adds what is not among the values: bad cells, which are counted, and integers
 * that f64 cannot hold. Only those of rows whose hash, by row, is of this
 * table of a run; of all where hash is NULL. */
enum distinct_lost by_step_others(const struct by_addend *a,
                                  const uint64_t *hash, unsigned table);

/* A run has so many tables, which keys are in by the upper bits of their
 * hashes. */
enum { GROUPS_BITS = 7, GROUPS_TABLES = 1 << GROUPS_BITS };

static inline unsigned table_of(uint64_t hash)
{
    return (unsigned)(hash >> (64 - GROUPS_BITS));
}

/* The row of a value. */
static inline uint32_t addend_row(const struct by_addend *a, size_t value)
{
    return a->column->rows ? a->column->rows[value] : (uint32_t)value;
}

/* by_step for the monoids that are not direct. */
enum distinct_lost by_step_runs(const struct by_addend *a, struct by_runs *runs,
                                const uint32_t *which, size_t n);
