/* SPDX-License-Identifier: MIT */
/* --progress: a thread that reads the meter and draws a bar on standard error,
 * ten times a second. The functions are for the thread that carries out the
 * plan. */
#pragma once

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/meter.h"

#define PROGRESS_UNKNOWN UINT64_MAX

/* The amount of work: bytes of data, counted by meter->cut. If all inputs are
 * compressed: bytes of their files, counted by meter->packed. */
struct progress_goal {
    uint64_t bytes; /* or PROGRESS_UNKNOWN */
    bool packed;
};

enum { PROGRESS_SAMPLES = 51 };

struct progress {
    bool running;              /* the thread was started */
    bool always;               /* draw immediately, and anywhere */
    const struct meter *meter; /* borrowed */
    struct progress_goal goal;
    /* Samples of the last seconds, from which rates are computed: a ring, of
     * which sample[first] is the oldest. */
    struct progress_sample {
        uint64_t ns, bytes, done;
    } sample[PROGRESS_SAMPLES];
    size_t first, samples;
    pthread_t thread;
    pthread_mutex_t lock; /* guards what is drawn, the samples and `stop` */
    pthread_cond_t wake;
    bool stop;
};

/* Shows a bar after a second if standard error is a terminal that is not dumb.
 * With `always`, shows it immediately and anywhere. If the thread cannot be
 * started, there is no bar. The caller zeroes *p, which must not move until
 * progress_stop. */
void progress_start(struct progress *p, const struct meter *meter,
                    struct progress_goal goal, bool always);

/* Between these two calls other text may go to standard error. progress_hold
 * erases the bar and holds the lock until progress_resume. */
void progress_hold(struct progress *p);
void progress_resume(struct progress *p);

/* Ends the thread and erases the bar without delay. Does nothing if there is no
 * bar. */
void progress_stop(struct progress *p);
