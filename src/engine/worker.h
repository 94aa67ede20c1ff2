/* SPDX-License-Identifier: MIT */
/* A worker: a thread with a context, from its first chunk to the last. */
#pragma once

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "chunk/chunker.h"
#include "engine/engine.h"
#include "engine/owner.h"

enum { SLOTS_MAX = 8 };

/* What all workers of a run share. */
struct run {
    struct job job;
    const struct chunker_kind *chunker_kind;
    struct chunker *chunker;
    struct total total;
    struct products *products; /* NULL: nothing depends on order */
    /* The failure that comes first in the data, under `failing`. */
    pthread_mutex_t failing;
    bool failed;
    uint64_t failed_at;
    struct error error;
    struct meter *meter;
    struct meter own; /* where the caller has none */
    /* Workers of the first team that may go on: those of a team that joins take
     * the places of the others. */
    _Atomic unsigned places;
    _Atomic unsigned kept; /* places taken already for those that join */
};

/* One worker less of the first team, if there is one. */
void run_take_place(struct run *run);

struct worker {
    struct run *run;
    const struct team *team;
    struct job job; /* the run's, for this team */
    /* In the first team, for its place; else 0. */
    unsigned index;
    bool joins; /* takes a place when its context is open; need not open */
    struct error refused; /* why it did not open, where it need not */
    uint64_t bytes;

    pthread_t thread;
    const struct context_kind *kind;
    struct context *context;
    struct owner owner;
    bool busy[SLOTS_MAX];
    struct chunk chunk[SLOTS_MAX];
};

/* Readies a worker for a device. */
void worker_init(struct worker *w, struct run *run, const struct team *team,
                 int device);

/* Works until the data ends: the function of a thread. */
void *worker_run(void *worker);

/* Starts a thread each; returns how many could be had. */
unsigned workers_start(struct worker *workers, unsigned count);
void workers_wait(struct worker *workers, unsigned count);
