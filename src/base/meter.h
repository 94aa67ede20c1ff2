/* SPDX-License-Identifier: MIT */
/* Where a run's time goes, and how far the run has come. Any thread may add to
 * the counters, and any thread may read them during the run. */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

/* The stages of a run. The meter adds up the busy time of all threads in each.
 * Copy, decode and reduce on a GPU are timed by the GPU. The functions below
 * accept a NULL meter and then count nothing. */
enum stage {
    STAGE_START_UP,
    STAGE_READ,
    STAGE_INFLATE,
    STAGE_COPY,
    STAGE_DECODE,
    STAGE_REDUCE,
    STAGE_MERGE,
    STAGES_END
};

struct meter {
    _Atomic uint64_t cut; /* bytes of data in the chunks cut so far */
    /* Bytes of the compressed files that the data came from; else 0. */
    _Atomic uint64_t packed;
    /* Bytes of planned passes over the data that turned out not to be
     * needed. */
    _Atomic uint64_t spared;
    _Atomic uint64_t ns[STAGES_END], bytes[STAGES_END];
    /* Set before the run: time stages separately, at a small cost. */
    bool detail;
};

/* Nanoseconds of the monotonic clock. */
static inline uint64_t meter_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* Adds busy time and bytes of data to a stage. */
static inline void meter_put(struct meter *m, enum stage stage, uint64_t ns,
                             uint64_t bytes)
{
    if (!m)
        return;
    atomic_fetch_add_explicit(&m->ns[stage], ns, memory_order_relaxed);
    atomic_fetch_add_explicit(&m->bytes[stage], bytes, memory_order_relaxed);
}

/* Adds what a thread did from `since` until now; returns now. */
static inline uint64_t meter_add(struct meter *m, enum stage stage,
                                 uint64_t since, uint64_t bytes)
{
    uint64_t now = meter_now();
    meter_put(m, stage, now - since, bytes);
    return now;
}

static inline bool meter_wants_detail(const struct meter *m)
{
    return m && m->detail;
}
