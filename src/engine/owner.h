/* SPDX-License-Identifier: MIT */
/*
 * The states while chunks are reduced. Normally each worker adds its chunks to
 * states of its own, so that no worker waits for another, and merges them into
 * the run's when it ends. A worker whose copy would bring all states over 64
 * MiB adds to the run's instead, a few locked groups at a time.
 *
 * A failure ends the run or restarts it, so states need no undo. A backend may
 * therefore add a chunk only when it is certain that nothing else will reduce
 * the same chunk.
 */
#pragma once

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "by/groups.h"
#include "chunk/lines.h"
#include "engine/job.h"
#include "engine/products.h"
#include "reduce/states.h"

enum {
    /* Neighbouring groups that share a lock. */
    LOCK_GROUPS = 64,
    /* Limit of the bytes of all states: the run's and those of all workers. */
    STATES_BYTES = 64 << 20,
};

/* The results that all workers of a run share. */
struct total {
    struct states states;    /* each group is guarded by its lock */
    pthread_mutex_t *lock;   /* [locks]; lock i guards LOCK_GROUPS groups */
    size_t locks;            /* set by total_open */
    _Atomic size_t bytes;    /* of the run's states and all workers' own */
    _Atomic unsigned owners; /* owners opened so far */

    /* Guards the fields below up to `skipped` until the run ends. */
    pthread_mutex_t rows_lock;
    /* [rows_room] by the chunk's sequence: its records. Only if counts_rows. */
    uint32_t *rows;
    struct chunk_notes notes; /* likewise by sequence; only if has_notes */
    size_t rows_room;
    bool counts_rows;      /* the job needs positions or counts of records */
    bool has_notes;        /* the job wants notes of chunks; set at the start */
    uint64_t skipped;      /* ragged records that were not read */
    struct groups *groups; /* NULL unless the job is by keys; has own locks */
};

bool total_open(struct total *t, const struct job *job, struct error *e);
void total_close(struct total *t);

/* Call it after the last owner is closed. Turns the positions in the states
 * into indexes of records in the whole dataset. False if memory ran out, now or
 * in an earlier step. Only states that grow report it sooner (states_check). */
bool total_finish(struct total *t, struct error *e);

/* The states of one worker. Only the worker's thread uses it. */
struct owner {
    struct total *total; /* NULL: the owner belongs to no run */
    /* The worker's own states; of 0 groups if it shares the total's. Products
     * that depend on order are not among them: products.h keeps those. */
    struct states own;
    /* The group that the worker adds first. It differs between workers, so that
     * they rarely wait for the same lock. */
    size_t start;
    /* Set by the backend's `wait`: the records of its chunk, and its ragged
     * records, which are skipped. The worker clears both before each chunk. */
    uint64_t rows, skipped;
    /* Set by the backend's `wait` if the job has products that depend on order:
     * the chunk's part of them, owned. */
    struct product_part *part;
};

/* total may be NULL. False if memory ran out. */
bool owner_open(struct owner *o, struct total *total, const struct job *job,
                struct error *e);

/* Merges the worker's own states into the total. */
void owner_close(struct owner *o);

/* Returns the states to which a group's elements are added, and locks the group
 * if they are the total's. owner_give unlocks it. Take one group at a time. */
struct states *owner_take(struct owner *o, size_t group);
void owner_give(struct owner *o, size_t group);

/* Adds o->rows and o->skipped of a chunk to the total. False if memory ran out.
 */
bool owner_note(struct owner *o, const struct chunk *chunk, struct error *e);
