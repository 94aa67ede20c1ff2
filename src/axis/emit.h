/* SPDX-License-Identifier: MIT */
/*
 * Hands values on as soon as they are complete, in the order of the tasks. So a
 * result that is larger than the data is never in memory as a whole. A thread
 * that is early leaves its values and goes on; it waits only if it is too many
 * tasks ahead.
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

enum {
    READY = 64,
    READY_DEVICE = 8, /* a device's tasks have up to eight times the outputs */
};

/* The values that threads have left, task i's at i % room. The lock of `turns`
 * guards all of it but the values that are being handed on. */
struct emissions {
    struct turns turns; /* `next` is the task to hand on */
    size_t room;        /* tasks that may wait: constant */
    struct values values[READY];
    bool is_ready[READY];
    bool is_busy; /* a thread is handing values on */
    /* Memory that no values are in. The last used is the next to use, since it
     * may still be in cache. */
    struct values spare[READY];
    size_t spares;
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
bool emission_begin(struct emission *m, struct emissions *all,
                    const struct axis_job *job, const struct part *p,
                    struct error *e);

/* Leaves the task's values, then hands on all whose turn it is, unless another
 * thread does that. */
bool emission_end(struct emission *m, struct emissions *all,
                  const struct axis_job *job, size_t task, struct error *e);

/* Also allocates memory for tasks with the outputs of `p`: if threads did that
 * later, mmap would stop all those that map the file. */
bool emissions_open(struct emissions *all, const struct axis_job *job,
                    const struct part *p);
void emissions_close(struct emissions *all);
