/* SPDX-License-Identifier: MIT */
/* An array in files, cut into parts for many threads. */
#pragma once

#include "axis/box.h"
#include "axis/tile.h"

enum {
    /* Fewest rows of a block, unless they are more than BLOCK_MOST bytes. With
     * so many, the work that is done once for each output and block is small.
     */
    BLOCK_ROWS = 512,
    BLOCK_MOST = 64 << 20, /* bytes of a block */
    /* As many rows, unless they are a large block: lanes are added to states
     * once for each block, which takes as long as adding 100 elements. */
    TALL_ROWS = 2048,
};

/* Outputs to which several tasks add. A lock of the run guards it. */
struct shared {
    struct states states; /* merged so far; of 0 groups until a task ends */
    size_t left;          /* tasks that have not ended */
    char *keep;           /* partial results of a device's tasks, owned */
    size_t kept;          /* tasks that have a place in `keep` */
};

/* Whether the files' pages stay mapped until the run ends if tasks have panels.
 */
bool tasks_stay(const struct axis_job *job);

/* How all slabs are cut into tasks. */
struct cut {
    uint64_t slabs; /* slabs of a task; 0: a slab has several tasks */
    uint64_t items; /* items of a panel */
    uint64_t parts; /* tasks that share the rows of a panel */
};

struct task {
    size_t file;
    struct part part;
    size_t shared; /* index in tasks->shared, or NOT_SHARED */
};

#define NOT_SHARED SIZE_MAX

struct tasks {
    struct task *task;
    size_t count;
    struct shared *shared;
    size_t shares;
};

/* Makes the tasks of an array in files. start[f] is the number of the first
 * slab of file f or, if there is one slab, of its first row; start[files] is
 * where the last file ends. */
bool tasks_make(struct tasks *t, const struct axis_job *job,
                const uint64_t *start, size_t files, struct error *e);
void tasks_free(struct tasks *t);
