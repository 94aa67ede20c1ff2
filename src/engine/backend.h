/* SPDX-License-Identifier: MIT */
/*
 * What reduces chunks: one table of functions per kind of device. A worker
 * thread owns a context; a context has slots, host buffers of one chunk each.
 * The worker fills a slot, submits it, fills the next while the device is at
 * work, and waits for the first before it fills that again: with two slots or
 * more and an asynchronous submit, that is double buffering.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "chunk/chunk.h"
#include "engine/job.h"
#include "engine/owner.h"

struct context;

/* The contexts of a backend for one kind of job. */
struct context_kind {
    unsigned slots; /* of a context */
    /* Called by the thread that uses the context, as all that follow. On
     * failure nothing is held. */
    struct context *(*open)(const struct job *job, struct error *e);
    void *(*slot)(struct context *context, unsigned slot);
    /* Starts the work on a chunk. Its data, in the slot's buffer or anywhere,
     * is the context's until wait returns. */
    bool (*submit)(struct context *context, unsigned slot,
                   const struct chunk *chunk, struct error *e);
    /* Ends the work on the slot's chunk, and adds it to the owner's states, or
     * to what collect adds. */
    bool (*wait)(struct context *context, unsigned slot, struct owner *owner,
                 struct error *e);
    /* Adds what the slot still has of the chunks that were waited for, and has
     * no more of them. NULL: nothing is kept after wait. */
    bool (*collect)(struct context *context, unsigned slot, struct owner *owner,
                    struct error *e);
    void (*close)(struct context *context);
};

/* What a plan has to know of a backend's way with one kind of data. Speeds are
 * those measured on one machine; a run looks at its own (join.h). */
struct backend_cost {
    size_t chunk;     /* bytes of a chunk that are best */
    size_t mapped;    /* as many at most where files are mapped; 0: as chunk */
    unsigned workers; /* that feed a device; 0: as many as there are threads */
    unsigned rows;    /* a chunk of fewer is not for it */
    double rate;      /* bytes/s that a worker brings it */
    double most;      /* bytes/s that a device takes */
};

struct backend {
    const char *name, *alias; /* as --device takes them; no alias: NULL */
    const char *title;        /* in a sentence: "a GPU" */
    bool is_numbered;         /* its devices have numbers */
    /* Chunks may be anywhere in memory, not only in the slot's buffer. */
    bool reads_anywhere;

    /* Monoids that its contexts leave to the host and that take the host long:
     * it joins no job with one of them. Set of MONOID_BIT. */
    unsigned left_to_host;

    double start_up; /* seconds until it could begin, in which others work */
    double end;      /* seconds more that the process then takes to end */
    /* Bytes/s of its bus for which the costs hold: a slower one brings that
     * much less. 0: it has none. */
    double bus;
    struct backend_cost elements, records;

    /* Called before there are threads where the backend may be used; NULL:
     * nothing to do. */
    void (*prepare)(void);
    /* Whether the device can be used; ERROR_DEVICE says why not. NULL: it
     * always can. */
    bool (*probe)(int device, struct error *e);
    /* How many devices there are; NULL: one. */
    unsigned (*count)(void);
    /* Bytes/s that the device, which was probed, is seen to take; 0, or NULL:
     * not known. Takes a millisecond. */
    double (*speed)(int device);

    /* The contexts for such a job. NULL: this build cannot use it, and the
     * probe says so. */
    const struct context_kind *(*contexts)(const struct job *job);
};

/* How many devices it has. */
static inline unsigned backend_count(const struct backend *backend)
{
    return backend->count ? backend->count() : 1;
}
