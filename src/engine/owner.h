/* SPDX-License-Identifier: MIT */
/*
 * Who keeps the states while chunks are reduced. A worker has states of its own
 * and adds chunk after chunk to them, so that no worker waits for another;
 * at its end they are merged with the others'. Where copies for all workers
 * would take too much memory, the workers share the run's states, which are
 * locked a few groups at a time.
 *
 * A failure ends the run or restarts it: nothing added is ever taken back.
 * A backend may add a chunk only when it is certain that no other way of
 * reducing it will follow.
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
    /* Groups that have a lock in common. */
    LOCK_GROUPS = 64,
    /* Bytes that the states of all workers may take, the run's among them. */
    STATES_BYTES = 64 << 20,
};

/* The states of a run. */
struct total {
    struct states states;
    pthread_mutex_t *lock; /* [locks]: lock i is of LOCK_GROUPS groups */
    size_t locks;
    _Atomic size_t bytes;    /* of all states */
    _Atomic unsigned owners; /* opened so far */

    /* The rows of each chunk of records, where positions are asked for: under
     * rows_lock until the run ends. */
    pthread_mutex_t rows_lock;
    uint32_t *rows;           /* [rows_room], by the chunk's sequence */
    struct chunk_notes notes; /* the same where the job wants them; else none */
    size_t rows_room;
    bool counts_rows, has_notes;
    uint64_t skipped;      /* ragged records of which nothing was read */
    struct groups *groups; /* of a job by keys; else NULL */
};

bool total_open(struct total *t, const struct job *job, struct error *e);
void total_close(struct total *t);

/* After the last owner was closed: makes the positions indexes of the whole
 * data. False where there was no memory for that, or for some state: a step
 * that finds none says nothing. */
bool total_finish(struct total *t, struct error *e);

/* Of one worker, and used by its thread alone. */
struct owner {
    struct total *total; /* NULL: it stands alone, with states of its own */
    struct states own;   /* of 0 groups: the total's are used; without what
                          * depends on order, which products.h keeps */
    /* The group to begin with: workers begin at different ones, so that they do
     * not wait for each other's locks. */
    size_t start;
    /* What else a backend has to tell of the chunk that it was waited for. */
    uint64_t rows, skipped;
    struct product_part
        *part; /* where the job has products that depend on order */
};

/* total may be NULL. False where there is no memory. */
bool owner_open(struct owner *o, struct total *total, const struct job *job,
                struct error *e);

/* Merges what it owns into the total. */
void owner_close(struct owner *o);

/* The states in which a group's elements are to be counted, until owner_give:
 * one group at a time. */
struct states *owner_take(struct owner *o, size_t group);
void owner_give(struct owner *o, size_t group);

/* Notes o->rows and o->skipped of a chunk. False where there is no memory. */
bool owner_note(struct owner *o, const struct chunk *chunk, struct error *e);
