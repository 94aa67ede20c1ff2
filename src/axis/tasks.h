/* SPDX-License-Identifier: MIT */
/* An array in files, cut into parts for many threads. */
#pragma once

#include "axis/box.h"
#include "axis/tile.h"

enum {
    /* Rows of a part that are brought in at a time at least, where they are
     * short enough: what is done once an output and block is little beside
     * them. */
    BLOCK_ROWS = 512,
    BLOCK_MOST = 64 << 20, /* bytes */
};

/* The outputs that several tasks add to, and their states so far. Guarded by
 * a lock of the run. */
struct shared {
    struct states states; /* of no groups until the first task ends */
    size_t left;          /* tasks that have not ended */
    /* On a device: what each task has, and how many are to put it there. */
    char *keep;
    size_t kept;
};

/* The cut of all slabs, in units of its dimensions. */
struct cut {
    uint64_t slabs; /* a task; 0: a slab has several tasks */
    uint64_t items; /* a panel */
    uint64_t parts; /* of the rows of a panel */
};

struct task {
    size_t file;
    struct part part;
    size_t shared; /* a number among tasks->shared, or NOT_SHARED */
};

#define NOT_SHARED SIZE_MAX

struct tasks {
    struct task *task;
    size_t count;
    struct shared *shared;
    size_t shares;
};

/* `start` has the places on the first dimension (slabs, or else rows) where
 * each of the files starts, and where the last ends: [files + 1]. */
bool tasks_make(struct tasks *t, const struct axis_job *job,
                const uint64_t *start, size_t files, struct error *e);
void tasks_free(struct tasks *t);
