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

/* The contexts of a backend for one kind of job. */
struct context_kind {
    unsigned slots; /* of a context */
    /* The worker thread that uses the context calls this and all functions
     * below. On failure it returns NULL and holds nothing. */
    struct context *(*open)(const struct job *job, struct error *e);
    /* The host buffer of a slot: job_slot_bytes, owned by the context. */
    void *(*slot)(struct context *context, unsigned slot);
    /* Starts the work on a chunk. The chunk's data, in the slot's buffer or
     * anywhere else, must stay valid until `wait` returns. */
    bool (*submit)(struct context *context, unsigned slot,
                   const struct chunk *chunk, struct error *e);
    /* Ends the work on the slot's chunk. Adds the result to the owner's states,
     * or keeps it in the slot for `collect`. */
    bool (*wait)(struct context *context, unsigned slot, struct owner *owner,
                 struct error *e);
    /* Adds what the slot has kept to the owner's states; the slot then keeps
     * nothing. NULL: slots keep nothing after `wait`. */
    bool (*collect)(struct context *context, unsigned slot, struct owner *owner,
                    struct error *e);
    /* After the last chunk; work may still be under way if submit failed. */
    void (*close)(struct context *context);
    /* A context serves another run, too, whose job is in the place of the first
     * one's, has its dtype and monoids, and needs no index map. */
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

    /* Set of MONOID_BIT: monoids that its contexts leave to the host and that
     * take the host long. The backend joins no run with one of them. */
    unsigned faster_on_host;
    /* Those of them that contexts of elements keep on the device after all,
     * always or where no other team takes part. The former do not keep the
     * backend from joining a run of elements. */
    unsigned kept, kept_alone;

    /* Whether it reduces all that a pass for quantiles or a histogram asks, so
     * that a team that waits may join. NULL: always. */
    bool (*suits_ranks)(const struct job *job);
    /* Most counters that such a pass has on the device; 0: no limit. */
    unsigned rank_counters;

    double start_up; /* seconds until it can begin; others work meanwhile */
    double end;      /* seconds by which the process ends later */
    /* Bytes/s of the bus with which the costs were measured; with a slower bus,
     * `most` falls in proportion. 0: no bus. */
    double bus;
    struct backend_cost elements, records;
    struct backend_cost keyed; /* records by key; all zeros: as `records` */

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

    /* Why it takes no job of keys like this one; NULL: it does. A null pointer:
     * it takes none. */
    const char *(*by_left)(const struct job *job);

    /* The kind of contexts for a job. NULL: this build lacks the backend, and
     * `probe` says so. */
    const struct context_kind *(*contexts)(const struct job *job);

    /* Why it leaves a job of expressions, which have a kernel, to the CPU;
     * NULL: it does not. A null pointer: it always does. */
    const char *(*formulas_left)(const struct job *job);

    /* How it reduces arrays along axes. NULL: it does not. */
    const struct axis_device *axes;
};

/* The number of devices of a backend. */
static inline unsigned backend_count(const struct backend *backend)
{
    return backend->count ? backend->count() : 1;
}
