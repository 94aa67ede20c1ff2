/* SPDX-License-Identifier: MIT */
/* What the files of a grouper share. Only they include it. */
#pragma once

#include "by/groups.h"
#include "by/kept.h"
#include "by/queue.h"

/* Rows whose keys are looked up together. */
enum { BATCH = 256 };

struct grouper {
    struct groups *groups;
    struct by_table own;
    struct by_pool pool; /* of `own` */
    bool is_shared;      /* own is empty: rows go to the run's tables */
    unsigned start;      /* the number of the run's table to try first */
    struct by_runs runs;
    struct grouper_rows rows; /* of the current chunk */
    size_t seen;              /* rows that were looked up in `own` */
    uint64_t *hash;           /* [room], by row; in grouper_end by record */
    uint32_t *id;             /* [room], by row: the row's record */
    size_t room;
    /* [room] each: row numbers, sorted by table; and numbers of the values of a
     * table's rows, or the rows of a column's values. */
    uint32_t *order, *values;
    struct key_sought *sorted; /* [room]: the keys of the rows in `order` */
    uint32_t begin[GROUPS_TABLES + 1]; /* where each table's rows begin there */
    struct by_queue queue; /* if is_shared: rows that are in no table yet */
    /* If is_shared: the columns of the chunk, until grouper_flush. */
    struct kept_column *kept; /* [layout.columns] */
    size_t columns;           /* how many are kept */
};

/* Makes room for n rows in the arrays. */
bool grouper_room(struct grouper *g, size_t n, struct error *e);

typedef enum distinct_lost part_fn(struct grouper *g, struct by_table *table,
                                   unsigned number);

/* Calls a function for each of the run's tables that gets rows by g->begin,
 * with its lock held. Postpones tables that another worker has locked. */
enum distinct_lost grouper_for_tables(struct grouper *g, part_fn *call);

/* Finds the records of the rows' keys in one table. If the layout asks for it,
 * updates the first row of each. */
enum distinct_lost grouper_find(struct grouper *g, struct by_table *t,
                                const struct key_sought *key,
                                const uint32_t *row, size_t n);

/* Adds the current chunk to the run's tables. */
enum distinct_lost grouper_share(struct grouper *g);

/* The same by way of the queue. False, and nothing is taken of the chunk: the
 * queue does not take such a chunk, or there is no memory for it. */
bool grouper_queue(struct grouper *g, enum distinct_lost *lost);

/* Adds what the queue has, and frees it. */
enum distinct_lost grouper_queue_end(struct grouper *g);

/* If the layout asks for it, updates the first row of a row's record. */
static inline void see_row(struct grouper *g, struct by_table *t, uint32_t row)
{
    uint64_t *first = layout_first(table_record(t, g->id[row]));
    const uint64_t here = g->rows.first + row;
    *first = here < *first ? here : *first;
}
