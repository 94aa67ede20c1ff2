/* SPDX-License-Identifier: MIT */
/*
 * Values that leave as they are complete: those of a task are handed on when
 * all tasks before it have been, by the thread that has them. Results that are
 * larger than the data are then never in memory.
 */
#pragma once

#include <pthread.h>

#include "axis/tile.h"

/* Whose turn it is. */
struct turns {
    pthread_mutex_t lock;
    pthread_cond_t moved;
    size_t next;  /* the task whose values come next; under the lock, as is */
    bool stopped; /* ... that there will be no more */
};

/* The values of one thread's task. */
struct emission {
    struct values values;
    struct axis_sink sink; /* to which the thread's tile sets them */
};

bool turns_open(struct turns *t);
void turns_close(struct turns *t);

/* No more values: threads that wait go on. */
void turns_stop(struct turns *t);

/* Waits until all tasks before this one have passed; tasks must begin in order.
 * False where there will be no more values. Then, in any case, turns_pass. */
bool turns_wait(struct turns *t, size_t task);
void turns_pass(struct turns *t);

/* Room for the values of a task's outputs. */
bool emission_begin(struct emission *m, const struct axis_job *job,
                    const struct part *p, struct error *e);

/* Waits for the task's turn and hands its values on. */
bool emission_end(struct emission *m, struct turns *t,
                  const struct axis_job *job, size_t task, struct error *e);
