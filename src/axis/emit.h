/* SPDX-License-Identifier: MIT */
/*
 * Hands values on as soon as they are complete, in the order of the tasks: the
 * thread that did a task waits until all tasks before it have handed on their
 * values. So a result that is larger than the data is never in memory as a
 * whole.
 */
#pragma once

#include <pthread.h>

#include "axis/tile.h"

/* The order in which tasks hand on their values. */
struct turns {
    pthread_mutex_t lock;
    pthread_cond_t moved;
    size_t next;  /* the task whose turn it is; guarded by the lock */
    bool stopped; /* no more values are handed on; guarded by the lock */
};

/* The values of one thread's task. */
struct emission {
    struct values values;
    struct axis_sink sink; /* through which the thread's tile sets `values` */
};

bool turns_open(struct turns *t);
void turns_close(struct turns *t);

/* Ends the handing on of values: waiting threads continue without it. */
void turns_stop(struct turns *t);

/* Waits until all tasks before this one have passed; tasks must begin in order.
 * Returns false if no more values are handed on. In either case the caller must
 * then call turns_pass. */
bool turns_wait(struct turns *t, size_t task);
void turns_pass(struct turns *t);

/* Makes room for the values of a task's outputs. */
bool emission_begin(struct emission *m, const struct axis_job *job,
                    const struct part *p, struct error *e);

/* Waits for the task's turn and hands its values on. */
bool emission_end(struct emission *m, struct turns *t,
                  const struct axis_job *job, size_t task, struct error *e);
