/* SPDX-License-Identifier: MIT */
/* The threads of a comparison: each reads blocks of both inputs and compares
 * the rows that the queue pairs. */
#pragma once

#include <pthread.h>

#include "compare/queue.h"
#include "compare/step.h"

/* What all threads of a comparison share. */
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
    struct compare_result part; /* results of what this thread has compared */
};

bool compare_result_open(struct compare_result *r,
                         const struct compare_job *job, struct error *e);

bool compare_worker_open(struct compare_worker *w, struct compare_state *run,
                         struct error *e);
void compare_worker_close(struct compare_worker *w);

/* The function of a thread: does the queue's tasks until the queue returns
 * COMPARE_STOP. */
void *compare_worker_run(void *worker);

/* Frees a block. The run fails if the file was cut while the block was read. */
void compare_free_block(struct compare_state *run, struct compare_block *block);
