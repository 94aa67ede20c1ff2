/* SPDX-License-Identifier: MIT */
/*
 * A backend reduces chunks: one table of functions for each kind of device. A
 * worker thread owns a context; a context has slots, host buffers of one chunk
 * each. The worker fills a slot, submits it, fills the next while the device
 * works, and waits for the first before it fills that again. With two or more
 * slots and an asynchronous submit, that is double buffering.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "chunk/chunk.h"
#include "engine/job.h"
#include "engine/owner.h"

struct axis_device;
struct context;

/* The functions of a backend's contexts for one kind of job. */
struct context_kind {
    unsigned slots; /* of a context */
    /* The worker thread that uses the context calls `open` and all functions
     * below. On failure `open` returns NULL and holds nothing. */
    struct context *(*open)(const struct job *job, struct error *e);
    /* A slot's host buffer, of job_slot_bytes; the context frees it. From
     * `submit` until `wait` returns, the worker does not write to it. */
    void *(*slot)(struct context *context, unsigned slot);
    /* Starts the work on a chunk, and does not wait for it. It may wait for
     * earlier chunks' work. The chunk's data, in the slot's buffer or anywhere
     * else, must stay valid until `wait` returns. */
    bool (*submit)(struct context *context, unsigned slot,
                   const struct chunk *chunk, struct error *e);
    /* Waits for the work on the slot's chunk. Adds the result to the owner's
     * states, or keeps it in the slot for `collect`. */
    bool (*wait)(struct context *context, unsigned slot, struct owner *owner,
                 struct error *e);
    /* Adds the results that the slot has kept to the owner's states; the slot
     * then keeps none. NULL: slots keep no results after `wait`. */
    bool (*collect)(struct context *context, unsigned slot, struct owner *owner,
                    struct error *e);
    /* Called after the last chunk. If submit failed, work may still be under
     * way. */
    void (*close)(struct context *context);
    /* A context may serve another run. The other run's job must be at the same
     * address, have the same dtype, monoids, reading, formulas and reduction,
     * chunks that are no larger, and need no index map (worker_move). */
    bool is_reusable;
};

/* What a backend costs for one kind of data; plans choose by it. Speeds were
 * measured on one machine; a run that may be joined measures its own
 * (join.h). */
struct backend_cost {
    size_t chunk;     /* best size of a chunk, bytes */
    size_t mapped;    /* its maximum in mapped files; 0: as `chunk` */
    unsigned workers; /* most workers of a device; 0: no limit */
    unsigned rows;    /* fewest rows that a chunk must hold */
    double rate;      /* bytes/s that one worker feeds to a device */
    double most;      /* most bytes/s that a device takes */
};

struct backend {
    /* As --device takes them; alias NULL: no second name. */
    const char *name, *alias;
    const char *title; /* in a sentence: "a GPU" */
    bool is_numbered;  /* the user may choose a device by number */
    /* Chunks may be anywhere in memory, not only in a slot's buffer. */
    bool reads_anywhere;

    /* Set of MONOID_BIT: monoids that its contexts leave to the host, and that
     * are slow there. The backend joins no run with such a monoid. */
    unsigned faster_on_host;
    /* Subsets of these monoids that contexts of elements reduce on the device
     * after all: `kept` always, `kept_alone` if no other team takes part. With
     * monoids in `kept`, the backend may join a run of elements. */
    unsigned kept, kept_alone;

    /* Whether the device can do all that a pass for quantiles or a histogram
     * needs, so that a waiting team may join. NULL: always. */
    bool (*suits_ranks)(const struct job *job);
    /* Most counters of such a pass that the device can hold; 0: no limit. */
    unsigned rank_counters;

    double start_up; /* seconds until it can begin; others work until then */
    double end;      /* seconds that its use adds to the end of the process */
    /* Bytes/s of the bus with which the costs were measured; with a slower bus,
     * `most` falls in proportion. 0: no bus. */
    double bus;
    struct backend_cost elements, records;
    struct backend_cost keyed; /* records by key; all zeros: as `records` */
    size_t keys; /* the most keys by which a device groups records */
    double key;  /* seconds that each of many keys adds to the end of a run */

    /* Called before other threads start, if the run may use the backend. NULL:
     * nothing to prepare. */
    void (*prepare)(void);
    /* Whether the device is usable; if not, an ERROR_DEVICE says why. NULL:
     * always. */
    bool (*probe)(int device, struct error *e);
    /* The number of devices. NULL: one. */
    unsigned (*count)(void);
    /* Measures in a millisecond the bytes/s of the bus to a device that was
     * probed. NULL, or 0: unknown. */
    double (*speed)(int device);
    /* Whether a device that was probed reads memory of the host by the host's
     * own page tables, mapped files included. NULL: no. */
    bool (*is_coherent)(int device);

    /* Returns why the backend does not take this job by keys, or NULL if it
     * does. If the member is NULL, it takes no job by keys. */
    const char *(*by_left)(const struct job *job);

    /* The kind of contexts for a job. NULL: this build lacks the backend, and
     * `probe` says so. */
    const struct context_kind *(*contexts)(const struct job *job);

    /* Returns why the backend leaves a job of expressions, which have a kernel,
     * to the CPU, or NULL if it takes the job. If the member is NULL, it takes
     * no such job. */
    const char *(*formulas_left)(const struct job *job);

    /* Reduces arrays along axes. NULL: the backend cannot. */
    const struct axis_device *axes;
};

/* The number of devices of a backend. */
static inline unsigned backend_count(const struct backend *backend)
{
    return backend->count ? backend->count() : 1;
}
