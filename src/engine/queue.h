/* SPDX-License-Identifier: MIT */
/* A queue of runs. Each has chunks for a few workers only, so the same threads
 * work on one run after another. */
#pragma once

#include <stdatomic.h>

#include "engine/worker.h"

struct queue {
    struct queued {
        struct run *run;
        const struct team *team;
        atomic_uint workers;    /* that have begun */
        atomic_bool is_over;    /* some worker found no more chunks */
        _Atomic uint64_t bytes; /* of data that were reduced */
    } * at;                     /* [n] */
    size_t n;
    _Atomic size_t first_failed; /* index of the first; SIZE_MAX: none failed */
};

/* Carries out all runs on so many threads, the calling thread among them. Runs
 * after a failed one may be skipped. Returns false only if memory ran out. */
bool queue_run(struct queue *q, unsigned threads, struct error *e);
