/* SPDX-License-Identifier: MIT */
/* Adds the values of a column to the records of their rows' keys. */
#pragma once

#include "by/table.h"
#include "reduce/cpu/step.h"

/* A column of a chunk that is added to records. Borrows all that it points to.
 */
struct by_addend {
    struct by_table *table;      /* has the records */
    size_t number;               /* the column's number in a record */
    const struct column *column; /* its rows are those of a chunk */
    const uint32_t *id;          /* [rows of the chunk]: each row's record */
    uint64_t first;              /* row i has the position `first + i` */
};

/* In place of a number: there is none. */
#define BY_NONE UINT32_MAX

/* Memory of one thread, for monoids that are stepped key by key. */
struct by_runs {
    struct stepper *stepper; /* NULL: there are no such monoids */
    uint64_t *order; /* [2 * room]: record << 32 | value; then scratch */
    char *values;    /* [room]: elements of a key */
    uint32_t *rows;  /* [room]: their rows */
    size_t room;
};

/* False: no memory. */
bool runs_open(struct by_runs *r, const struct by_layout *layout,
               bool is_portable, struct error *e);
void runs_close(struct by_runs *r);

/* Adds the values which[i], i < n, to their records; if `which` is NULL, all n
 * values. Each value's row must have a record. */
enum distinct_lost by_step(const struct by_addend *a, struct by_runs *runs,
                           const uint32_t *which, size_t n);

/* Adds a column's values of n rows of a queue (queue.h), whose entries are
 * `stride` bytes apart, to their records. */
enum distinct_lost by_step_queued(struct by_table *t, size_t number,
                                  const char *queued, size_t stride, size_t n,
                                  char *const *record);

/* Counts the column's bad cells and adds its integers that f64 cannot hold,
 * which are not among its values. If `hash`, by row, is not NULL, takes only
 * rows whose hash belongs to the run's table of this number. */
enum distinct_lost by_step_others(const struct by_addend *a,
                                  const uint64_t *hash, unsigned table);

/* The number of tables of a run. The upper GROUPS_BITS bits of a key's hash are
 * the number of its table. */
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

/* As by_step, for the monoids that are not in layout.direct. */
enum distinct_lost by_step_runs(const struct by_addend *a, struct by_runs *runs,
                                const uint32_t *which, size_t n);
