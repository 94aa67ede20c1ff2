/* SPDX-License-Identifier: MIT */
/*
 * Finds out whether each record window of a file starts inside quotes. This is
 * known once all windows before it have been scanned. A worker scans its window
 * and posts it. The worker that closes a gap sets the states of all windows
 * posted after the gap. With each worker waking the next one instead, 20
 * threads with windows of 6 MiB did not exceed 60 GB/s.
 */
#pragma once

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "csv/simd/loops.h"
#include "chunk/record_window.h"

/* A posted window. It belongs to the worker that posted it, which reads the
 * states when quote_states_pass returns. The lock guards it until then. */
struct pending_window {
    struct pending_window *next;
    const struct record_window *scanned;
    uint64_t number;   /* number of the window in its input, from 0 */
    uint64_t sequence; /* number of its chunk */
    bool known;
    /* Valid once `known`: the states at its start and end, and its first
     * line. */
    enum csv_state start, end;
    uint64_t line;
    pthread_cond_t is_known;
};

struct quote_states {
    pthread_mutex_t lock;
    _Atomic uint64_t stop_at; /* chunks from this sequence on are not needed */
    /* [count], one for each input, owned, guarded by the lock: the number of
     * windows whose states are known, the state and line after the last of
     * them, and the list of windows posted but not known. */
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

/* Posts a window and waits until its states are known. The windows before it
 * belong to earlier chunks, whose workers post them or stop the run. False if
 * the run was stopped before this chunk. */
bool quote_states_pass(struct quote_states *c, size_t input,
                       const struct record_window *scanned, uint64_t number,
                       uint64_t sequence, struct pending_window *pending);

/* Stops the chunks from this sequence on. Any thread may call it, any number of
 * times. */
void quote_states_stop(struct quote_states *c, uint64_t sequence);
static inline bool quote_states_is_stopped(const struct quote_states *c,
                                           uint64_t sequence)
{
    return atomic_load(&c->stop_at) <= sequence;
}
