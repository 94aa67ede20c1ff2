/* SPDX-License-Identifier: MIT */
/*
 * A queue of the blocks of two inputs. A block waits here for the rows of the
 * other input. Threads put blocks in any order; the queue pairs them in the
 * order of the data. Each input has at most `limit` blocks, which bounds
 * memory: a thread waits if there is nothing to pair and no room for a block.
 * Any thread may call these functions, except where they say otherwise.
 */
#pragma once

#include <pthread.h>

#include "compare/block.h"

struct compare_side {
    struct input *input;
    struct compare_block **ring; /* [limit], owned: by sequence modulo limit */
    uint64_t head;               /* sequence of the first block not passed */
    uint64_t first;              /* rows before that block */
    unsigned blocks;  /* blocks being read, waiting, or being compared */
    unsigned reading; /* of `blocks`: being read */
    unsigned cutting; /* of `reading`: not cut yet */
    bool ended;       /* no more blocks to read */
};

struct compare_queue {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    /* Guarded by the lock. */
    struct compare_side side[2];
    struct compare_block *used; /* list of blocks to be freed */
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
    COMPARE_READ, /* read a block, then call compare_queue_put */
    COMPARE_PAIR, /* compare an overlap, then call compare_queue_release */
    COMPARE_FREE, /* free a used block */
    COMPARE_STOP
};

bool compare_queue_open(struct compare_queue *q, struct input inputs[2],
                        unsigned limit, const char *rows_are, struct error *e);
/* Call after all threads have ended. Frees what the queue owns, but no
 * blocks. */
void compare_queue_close(struct compare_queue *q);

/* Waits for a task. Sets the argument that belongs to it: *side, *overlap or
 * *used. */
enum compare_task compare_queue_take(struct compare_queue *q, unsigned *side,
                                     struct compare_overlap *overlap,
                                     struct compare_block **used);

/* Call after cutting the block that is being read. Then another thread may cut
 * the next one, even if the input is a stream. */
void compare_queue_cut(struct compare_queue *q, unsigned side);

/* Call after reading a block of an input. Takes ownership of the block; NULL
 * means that the input has no more blocks. */
void compare_queue_put(struct compare_queue *q, unsigned side,
                       struct compare_block *block);

/* Call after comparing the overlap. */
void compare_queue_release(struct compare_queue *q,
                           const struct compare_overlap *overlap);

/* Ends the run with an error that belongs to no block. */
void compare_queue_fail(struct compare_queue *q, const struct error *e);

/* Call after all threads have ended, until it returns NULL. Returns a block
 * that was not freed; the caller then owns it. */
struct compare_block *compare_queue_left(struct compare_queue *q);
