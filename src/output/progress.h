/* SPDX-License-Identifier: MIT */
/* --progress: a thread that reads the meter and draws a bar on standard error,
 * ten times a second. */
#pragma once

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/meter.h"

#define PROGRESS_UNKNOWN UINT64_MAX

/* What there is to do: so many bytes of data, by meter->cut; or, where all
 * inputs are compressed, so many of their files, by meter->packed. */
struct progress_goal {
    uint64_t bytes; /* or PROGRESS_UNKNOWN */
    bool packed;
};

enum { PROGRESS_SAMPLES = 51 };

struct progress {
    bool running;
    bool always;
    const struct meter *meter; /* borrowed */
    struct progress_goal goal;
    /* The last few seconds, from which rates are; a ring, sample[first] the
     * oldest. */
    struct progress_sample {
        uint64_t ns, bytes, done;
    } sample[PROGRESS_SAMPLES];
    size_t first, samples;
    pthread_t thread;
    pthread_mutex_t lock; /* of what is drawn and sampled, and of `stop` */
    pthread_cond_t wake;
    bool stop;
};

/* Shows a bar after a second where standard error is a terminal
 * that is not dumb; `always`: at
 * once, wherever. There is none where no thread can be had. p must be zeroed,
 * and stay where it is until progress_stop. */
void progress_start(struct progress *p, const struct meter *meter,
                    struct progress_goal goal, bool always);

/* Between these two other text may go to standard error; the bar is gone. */
void progress_hold(struct progress *p);
void progress_resume(struct progress *p);

/* Ends the thread and erases the bar, at once; does nothing where there is
 * none. */
void progress_stop(struct progress *p);
