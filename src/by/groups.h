/* SPDX-License-Identifier: MIT */
/*
 * All keys of a run and their records. The upper bits of a key's hash say which
 * of GROUPS_TABLES tables it is in. Each table has a lock.
 *
 * A worker has a table of its own while there are few keys, and merges it into
 * the run's tables at its end. A worker with many keys adds each chunk to the
 * run's tables directly: it sorts the chunk's rows by table and locks each
 * table once for all of them. Workers start at different tables, and take
 * unlocked tables first. Rows of sums and counts wait in a queue of the worker
 * until a table gets several hundred (queue.h).
 */
#pragma once

#include <pthread.h>

#include "base/error.h"
#include "by/step.h"

/* Threads that need memory at once seldom wait for each other. */
enum { GROUPS_POOLS = 8 };

struct groups {
    struct by_layout layout;
    struct by_pool pool[GROUPS_POOLS]; /* of the tables below */
    struct groups_part {
        _Alignas(64) pthread_mutex_t lock;
        struct by_table table;
    } * part;        /* [tables] */
    unsigned tables; /* GROUPS_TABLES, unless groups_trim has left fewer */
    unsigned locks;  /* how many were initialised */
    /* Some worker has given up its own table. Any thread reads or sets it. */
    _Atomic bool has_many;
    _Atomic size_t own_keys; /* the most in a worker's own table, roughly */
};

/* `columns` may be 0. NULL, with the error, if memory ran out. */
struct groups *groups_new(const struct by_spec *spec, enum dtype dtype,
                          size_t columns, unsigned monoids, struct error *e);
void groups_free(struct groups *g);

/* Call it after the last worker has ended. Turns positions into indexes by
 * `map`, unless that is NULL. False, with the error, if a state ran out of
 * memory. */
bool groups_finish(struct groups *g,
                   uint64_t (*map)(const void *context, uint64_t position),
                   const void *context, struct error *e);

/* The number of keys in the run's tables so far; keys in workers' own tables do
 * not count. Any thread. */
size_t groups_keys(struct groups *g);

/* Sets *e to the error for `lost`. g may be NULL if no values are kept. Returns
 * false. */
bool groups_refuse(const struct groups *g, enum distinct_lost lost,
                   struct error *e);

/* Sorts the values that the layout keeps, if any. Call it after groups_finish.
 */
bool groups_sort(struct groups *g, unsigned threads, struct error *e);

/* Drops the tables without keys, whose memory counts where each of many files
 * has groups of its own. Sets to[i] to the number that table i now has. From
 * then on the groups are only read, and closed. False if nothing changed. */
bool groups_trim(struct groups *g, uint16_t to[GROUPS_TABLES]);

/* A worker's access to the groups. Used by one thread. */
struct grouper;

/* Several groupers may share `groups`, which must outlive them. */
struct grouper *grouper_open(struct groups *groups, bool is_portable,
                             struct error *e);
void grouper_close(struct grouper *g);

/* The keys of the rows of a chunk, or of a part of one. */
struct grouper_rows {
    size_t n;       /* less than 2^32 */
    uint64_t first; /* row i has the position `first + i` */
    /* [n]: from the start of each, KEY_SHORT bytes can be read. */
    const struct text_cell *key;
    /* [n]: 0 for a row that is left out, and belongs to no group. NULL: all
     * rows are selected. */
    const uint8_t *selected;
};

/* Begins a chunk. The caller then adds its columns, from number 0 on, and calls
 * grouper_flush, after which all of the chunk is in the records or waits for
 * grouper_end. The arrays of `rows` must stay valid until then. */
bool grouper_begin(struct grouper *g, const struct grouper_rows *rows,
                   struct error *e);

/* Adds the next column of these rows. It has no values of rows that are left
 * out. */
bool grouper_add(struct grouper *g, size_t number, const struct column *column,
                 struct error *e);

bool grouper_flush(struct grouper *g, struct error *e);

/* The grouper's own table. A backend that gives this grouper no rows may add
 * its keys and records there; grouper_end merges them. */
struct by_table *grouper_own(struct grouper *g);

/* Merges the grouper's own table into the run's, and adds the rows that wait.
 * Call it after the last chunk. */
bool grouper_end(struct grouper *g, struct error *e);
