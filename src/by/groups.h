/* SPDX-License-Identifier: MIT */
/*
 * All keys of a run and their records, in tables by the upper bits of their
 * hashes. Each table has a lock.
 *
 * A worker has a table of its own while there are few keys, and adds it to
 * these at its end. One with many keys adds each chunk to these tables: its
 * rows are sorted by table, and a table is locked once for all of a chunk's
 * rows in it. Workers begin at different tables, and take those first that are
 * free.
 */
#pragma once

#include <pthread.h>

#include "base/error.h"
#include "by/step.h"

struct groups {
    struct by_layout layout;
    struct groups_part {
        _Alignas(64) pthread_mutex_t lock;
        struct by_table table;
    } part[GROUPS_TABLES];
    unsigned locks; /* that were made */
    /* Some worker has more keys than it keeps for itself. Any thread. */
    _Atomic bool has_many;
};

/* columns may be 0. NULL: no memory, with the error. */
struct groups *groups_new(const struct by_spec *spec, enum dtype dtype,
                          size_t columns, unsigned monoids, struct error *e);
void groups_free(struct groups *g);

/* After the last worker. Makes positions indexes, if there is a map, and checks
 * that no state found no memory. */
bool groups_finish(struct groups *g,
                   uint64_t (*map)(const void *context, uint64_t position),
                   const void *context, struct error *e);

/* How many keys there are. */
size_t groups_keys(const struct groups *g);

/* The error of what is lost; g may be NULL where no values are kept. Returns
 * false. */
bool groups_refuse(const struct groups *g, enum distinct_lost lost,
                   struct error *e);

/* After groups_finish, where the layout keeps values: sorts them. */
bool groups_sort(struct groups *g, unsigned threads, struct error *e);

/* What one worker needs. */
struct grouper;

/* groups may be used by others, too, and must outlive it. */
struct grouper *grouper_open(struct groups *groups, bool is_portable,
                             struct error *e);
void grouper_close(struct grouper *g);

/* The keys of a chunk, or of a part of it, of which groups are made. */
struct grouper_rows {
    size_t n;       /* less than 2^32 */
    uint64_t first; /* row i has the position `first + i` */
    /* [n]: KEY_SHORT bytes from the start of each can be read. */
    const struct text_cell *key;
    /* [n]: 0: the row is left out, and belongs to no group. NULL: none is. */
    const uint8_t *selected;
};

/* Begins with a chunk. Its columns are then added, from number 0 on, and all of
 * it is in the records after grouper_flush. What `rows` has must stay until
 * then. */
bool grouper_begin(struct grouper *g, const struct grouper_rows *rows,
                   struct error *e);

/* Adds the next column of these rows. No value of it is of a row that is left
 * out. */
bool grouper_add(struct grouper *g, size_t number, const struct column *column,
                 struct error *e);

bool grouper_flush(struct grouper *g, struct error *e);

/* The grouper's own table. A backend adds to the records of keys there, of rows
 * that it does not give to the grouper; grouper_end merges them. Only if this
 * grouper is given no rows. */
struct by_table *grouper_own(struct grouper *g);

/* After the last chunk: adds its own table to the run's. */
bool grouper_end(struct grouper *g, struct error *e);
