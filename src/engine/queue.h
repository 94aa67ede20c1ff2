/* SPDX-License-Identifier: MIT */
/* Runs of which each has chunks for some workers, taken one after another by
 * the same threads. */
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
    _Atomic size_t first_failed; /* of all that failed; SIZE_MAX: none did */
};

/* Runs them all on so many threads, the calling one among them; runs after one
 * that failed may be left out. False only without memory. */
bool queue_run(struct queue *q, unsigned threads, struct error *e);
