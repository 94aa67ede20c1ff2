/* SPDX-License-Identifier: MIT */
/*
 * The blocks of both inputs that were read and wait for the other input's. They
 * come from many threads in any order; they are paired in order. Each input has
 * at most `limit` blocks at a time, so that memory is bounded: a thread that
 * finds nothing to pair and no place for a block waits.
 */
#pragma once

#include <pthread.h>

#include "compare/block.h"

struct compare_side {
    struct input *input;
    struct compare_block **ring; /* [limit]: by sequence */
    uint64_t head;               /* sequence of the first that is not passed */
    uint64_t first;              /* rows before it */
    unsigned blocks;             /* being read, waiting, and at work */
    unsigned reading;            /* of these */
    unsigned cutting;            /* of these, not yet cut */
    bool ended;                  /* there are no more to read */
};

struct compare_queue {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    /* Under the lock. */
    struct compare_side side[2];
    struct compare_block *used; /* to be freed */
    struct chunk_notes notes;   /* of the first input's records */
    unsigned limit;
    const char *rows_are; /* "elements" or "records" */
    bool finished;        /* nothing more is to be done */
    bool failed;          /* then with the first error */
    struct error error;
};

/* Rows of two blocks that have the same indexes. */
struct compare_overlap {
    struct compare_block *block[2];
    uint64_t at[2]; /* the first row, in each block */
    uint64_t index; /* of that row in the data */
    size_t n;
};

/* What a thread is to do next. */
enum compare_task {
    COMPARE_READ, /* a block of an input: to be given to compare_queue_put */
    COMPARE_PAIR, /* an overlap: to be given to compare_queue_release */
    COMPARE_FREE, /* a block that is used up */
    COMPARE_STOP
};

bool compare_queue_open(struct compare_queue *q, struct input inputs[2],
                        unsigned limit, const char *rows_are, struct error *e);
/* Frees what is the queue's; the blocks are not. */
void compare_queue_close(struct compare_queue *q);

/* Any thread: waits for a task. Sets the one that belongs to it. */
enum compare_task compare_queue_take(struct compare_queue *q, unsigned *side,
                                     struct compare_overlap *overlap,
                                     struct compare_block **used);

/* The block that is read was cut: of a stream the next one may be, too. */
void compare_queue_cut(struct compare_queue *q, unsigned side);

/* A block was read, or NULL: there are no more. */
void compare_queue_put(struct compare_queue *q, unsigned side,
                       struct compare_block *block);

/* An overlap was compared. */
void compare_queue_release(struct compare_queue *q,
                           const struct compare_overlap *overlap);

/* Something else is wrong. */
void compare_queue_fail(struct compare_queue *q, const struct error *e);

/* After all threads: a block that was not used up; NULL: there is none. */
struct compare_block *compare_queue_left(struct compare_queue *q);
