/* SPDX-License-Identifier: MIT */
/*
 * Whether a record window of a file starts inside quotes: known once all
 * windows before it were scanned. The worker that has scanned a window posts
 * it. The worker that closes a gap sets the states of all windows posted after
 * the gap, so that threads are not woken one by one: that held 20 threads with
 * windows of 6 MiB to 60 GB/s.
 */
#pragma once

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "csv/simd/loops.h"
#include "chunk/record_window.h"

/* A window that was posted; its poster's, until quote_states_pass returns. */
struct pending_window {
    struct pending_window *next;
    const struct record_window *scanned;
    uint64_t number;   /* of the window in its input, from 0 */
    uint64_t sequence; /* of its chunk */
    bool known;
    /* Then: the states at its start and its end, and the line it starts on. */
    enum csv_state start, end;
    uint64_t line;
    pthread_cond_t is_known;
};

struct quote_states {
    pthread_mutex_t lock;
    _Atomic uint64_t stop_at; /* no chunk from this one on is wanted */
    /* Of each input: how many windows are known, and what follows the last. */
    struct quote_end {
        uint64_t windows;
        enum csv_state state;
        uint64_t line;
        struct pending_window *posted;
    } * end;
    size_t count;
};

bool quote_states_init(struct quote_states *c, size_t inputs, struct error *e);
void quote_states_free(struct quote_states *c);

/* Posts a window of an input and waits until its states are known: those before
 * it are of earlier chunks, whose workers post them or stop the run. False
 * where it was stopped before this one. */
bool quote_states_pass(struct quote_states *c, size_t input,
                       const struct record_window *scanned, uint64_t number,
                       uint64_t sequence, struct pending_window *pending);

/* No chunk from this one on is wanted. Any thread, more than once. */
void quote_states_stop(struct quote_states *c, uint64_t sequence);
static inline bool quote_states_is_stopped(const struct quote_states *c,
                                           uint64_t sequence)
{
    return atomic_load(&c->stop_at) <= sequence;
}
