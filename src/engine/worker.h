/* SPDX-License-Identifier: MIT */
/* A worker: a thread that gets chunks and reduces them in its context. */
#pragma once

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "chunk/chunker.h"
#include "engine/engine.h"
#include "engine/owner.h"

enum { SLOTS_MAX = 8 };

/* The data that all workers of a run share. The job and the pointers do not
 * change while they run. Any thread may use chunker, total, products and meter,
 * which synchronise their users. */
struct run {
    struct job job;
    const struct chunker_kind *chunker_kind;
    struct chunker *chunker;
    struct total total;
    struct products *products;  /* NULL: neither a monoid nor a user's reduction
                                   depends on order */
    struct first_error failure; /* its places are the chunks' sequences */
    struct meter *meter;
    struct meter own; /* used if the job has no meter */
    /* Workers of the first team whose index is below this may continue. A
     * worker that joins takes the highest place. A worker of a team that joins
     * takes one of these places. */
    _Atomic unsigned places;
    _Atomic unsigned kept; /* places already free for workers that join */
};

/* Takes a place from the first team, if it has one left. Any thread. */
void run_take_place(struct run *run);

struct worker {
    struct run *run;
    const struct team *team;
    struct job job; /* the run's, with the team's device and chunk size */
    /* Number of its place in the first team; 0 in other teams. */
    unsigned index;
    /* Its team joins the run: it takes a place of the first team once its
     * context is open. */
    bool joins;
    /* If the device lacks memory for its context, the run does not fail. */
    bool may_leave;
    struct error refused; /* why its context did not open */
    uint64_t bytes;       /* of the data in its chunks */

    pthread_t thread;
    const struct context_kind *kind;
    struct context *context;
    bool keeps;  /* leaves its context open for another run */
    bool opened; /* it had a context in this run */
    struct owner owner;
    /* [slot]: whether a chunk is submitted and not yet waited for. */
    bool busy[SLOTS_MAX];
    struct chunk chunk[SLOTS_MAX];
};

/* Makes *w a worker for a device of the team; starts nothing. */
void worker_init(struct worker *w, struct run *run, const struct team *team,
                 int device);

/* Makes *w, whose run has ended, a worker of the next run. It keeps its context
 * if the next run can use that. */
void worker_move(struct worker *w, struct run *run, const struct team *team,
                 int device);

/* Adds what the worker did, once it has ended. */
void worker_report(const struct worker *w, struct team_report *report);

/* Closes the worker's context if it kept one. */
void worker_end(struct worker *w);

/* The function of a worker's thread: gets chunks until the data ends, the run
 * fails or its place is taken; then ends those it has and merges its states. */
void *worker_run(void *worker);

/* Starts a thread for each worker; returns how many have started. */
unsigned workers_start(struct worker *workers, unsigned count);
void workers_wait(struct worker *workers, unsigned count);
