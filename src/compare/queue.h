/* SPDX-License-Identifier: MIT */
/*
 * The blocks of both inputs that wait for the other input's. Many threads put
 * them in any order; the queue pairs them in the order of the data. Each input
 * has at most `limit` blocks, so that memory is bounded: a thread that finds
 * nothing to pair and no room for a block waits. Any thread may call these
 * functions, except where they say otherwise.
 */
#pragma once

#include <pthread.h>

#include "compare/block.h"

struct compare_side {
    struct input *input;
    struct compare_block **ring; /* [limit]: by sequence */
    uint64_t head;               /* sequence of the first not passed */
    uint64_t first;              /* rows before it */
    unsigned blocks;             /* being read, waiting, or being compared */
    unsigned reading;            /* of these, being read */
    unsigned cutting;            /* of those, not yet cut */
    bool ended;                  /* no more blocks to read */
};

struct compare_queue {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    /* Guarded by the lock. */
    struct compare_side side[2];
    struct compare_block *used; /* to be freed */
    struct chunk_notes notes;   /* of the first input's records */
    unsigned limit;
    const char *rows_are; /* "elements" or "records" */
    bool finished;        /* no tasks are left: all threads stop */
    bool failed;          /* with the first error */
    struct error error;
};

/* Rows of two blocks that have the same indexes. */
struct compare_overlap {
    struct compare_block *block[2];
    uint64_t at[2]; /* the first row, in each block */
    uint64_t index; /* index of that row in the data */
    size_t n;
};

/* What a thread does next. */
enum compare_task {
    COMPARE_READ, /* read a block of an input; compare_queue_put */
    COMPARE_PAIR, /* compare an overlap; compare_queue_release */
    COMPARE_FREE, /* free a used block */
    COMPARE_STOP
};

bool compare_queue_open(struct compare_queue *q, struct input inputs[2],
                        unsigned limit, const char *rows_are, struct error *e);
/* After all threads have ended. Frees what the queue owns, but no blocks. */
void compare_queue_close(struct compare_queue *q);

/* Waits for a task. Sets the argument that belongs to it: *side, *overlap or
 * *used. */
enum compare_task compare_queue_take(struct compare_queue *q, unsigned *side,
                                     struct compare_overlap *overlap,
                                     struct compare_block **used);

/* A thread has cut the block that it reads: another may cut the next one, also
 * of a stream. */
void compare_queue_cut(struct compare_queue *q, unsigned side);

/* A thread has read a block of an input; the queue now owns it. NULL: the input
 * has no more. */
void compare_queue_put(struct compare_queue *q, unsigned side,
                       struct compare_block *block);

/* A thread has compared the overlap. */
void compare_queue_release(struct compare_queue *q,
                           const struct compare_overlap *overlap);

/* Ends the run with an error that is in no block. */
void compare_queue_fail(struct compare_queue *q, const struct error *e);

/* After all threads have ended: a block that was not freed, now the caller's;
 * NULL: no more blocks. */
struct compare_block *compare_queue_left(struct compare_queue *q);
