/* SPDX-License-Identifier: MIT */
/* The threads of a comparison: each reads blocks of both inputs and compares
 * what the queue pairs. */
#pragma once

#include <pthread.h>

#include "compare/queue.h"
#include "compare/step.h"

/* Of all threads. */
struct compare_state {
    const struct compare_job *job;
    struct chunker *chunker[2];
    struct index_map index; /* of the first input's elements */
    struct compare_queue queue;
};

struct compare_worker {
    struct compare_state *run;
    pthread_t thread;
    struct compare_reader reader;
    struct compare_stepper *stepper;
    struct compare_result part; /* what it has compared */
};

bool compare_result_open(struct compare_result *r,
                         const struct compare_job *job, struct error *e);

bool compare_worker_open(struct compare_worker *w, struct compare_state *run,
                         struct error *e);
void compare_worker_close(struct compare_worker *w);

/* A thread: runs until there is nothing more to do. */
void *compare_worker_run(void *worker);

/* Frees a block; the run fails where it was not what the file has. */
void compare_free_block(struct compare_state *run, struct compare_block *block);
