/* SPDX-License-Identifier: MIT */
/*
 * What reduces chunks: one table of functions per kind of device. A worker
 * thread owns a lane; a lane has slots, host buffers of one chunk each. The
 * worker fills a slot, submits it, fills the next while the device is at work,
 * and waits for the first before it fills that again: with two slots or more
 * and an asynchronous submit, that is double buffering.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "engine/dealer.h"
#include "engine/job.h"

struct lane;

struct backend {
    const char *name;
    unsigned slots, text_slots; /* of a lane */
    /* Chunks may be anywhere in memory, not only in the slot's buffer. */
    bool reads_anywhere;

    /* Called before there are threads where the backend may be used; NULL:
     * nothing to do. */
    void (*prepare)(void);
    /* Whether the device job->gpu can be used; ERROR_DEVICE says why not. NULL:
     * it always can. */
    bool (*probe)(int gpu, struct error *e);
    /* How many devices there are; NULL: one. */
    unsigned (*count)(void);
    /* Bytes/s that the device, which was probed, is seen to take; 0, or NULL:
     * not known. Takes a millisecond. */
    double (*speed)(int gpu);

    /* Called by the thread that uses the lane, as all that follow. On failure
     * nothing is held. */
    struct lane *(*open)(const struct job *job, struct error *e);
    void *(*slot)(struct lane *lane, unsigned slot);
    /* The chunk's data, in the slot's buffer or anywhere, is the lane's until
     * wait returns. */
    bool (*submit)(struct lane *lane, unsigned slot, const struct chunk *chunk,
                   struct error *e);
    /* The partials of the slot's chunk: out[job->columns]. */
    bool (*wait)(struct lane *lane, unsigned slot, struct partial *out,
                 struct error *e);
    void (*close)(struct lane *lane);
};

extern const struct backend backend_cpu;
/* Where there is no CUDA compiler, a stub whose probe says so. */
extern const struct backend backend_cuda;
