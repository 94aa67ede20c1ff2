/* SPDX-License-Identifier: MIT */
/*
 * Merges the partials of chunks in the order of the data, whichever order they
 * come in, and keeps few: who is too far ahead waits. A worker must push the
 * chunks it was dealt in their order.
 */
#pragma once

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "engine/job.h"

enum {
    FOLD_WINDOW = 64,
    /* Of teams of several speeds: while a GPU has a chunk, CPU workers may deal
     * with hundreds of smaller ones. */
    FOLD_WINDOW_MAX = 1024,
    /* Of many columns fewer chunks are kept: 4096 partials are 31 MB. */
    FOLD_PARTIALS = 4096,
    FOLD_WINDOW_MIN = 4,
    /* Bytes of values that may wait (job_ordered): 512 KiB of text may be 2 MiB
     * of them, and a window of such chunks 2 GiB. */
    FOLD_VALUES = 256 << 20,
};

struct fold {
    pthread_mutex_t lock;
    pthread_cond_t moved;
    const struct job *job;
    uint64_t next; /* sequence of the chunk to be merged next */
    size_t columns;
    uint64_t window;
    /* By sequence. */
    bool present[FOLD_WINDOW_MAX];
    struct partial *waiting[FOLD_WINDOW_MAX]; /* [columns]; or NULL: nothing */
    size_t values;                            /* bytes that wait with them */
    /* Blocks of [columns], the last used on top: few, and warm in cache. */
    struct partial *spare[FOLD_WINDOW_MAX];
    size_t spares;
    struct partial *total;   /* [columns] */
    struct ordered *ordered; /* where job_ordered; else NULL */
    /* The failure that comes first in the data. */
    bool failed;
    uint64_t failed_at;
    struct error error;
};

/* window: chunks that may wait, at most FOLD_WINDOW_MAX. */
struct fold *fold_new(const struct job *job, uint64_t window, struct error *e);
void fold_free(struct fold *f);

/* Takes p[job_columns] and what they hold; NULL: a chunk of nothing. */
void fold_push(struct fold *f, uint64_t sequence, const struct partial *p);

/* After the last push: completes the totals. */
void fold_finish(struct fold *f);

/* The chunk failed: its partial will not come. */
void fold_fail(struct fold *f, uint64_t sequence, const struct error *e);
