/* SPDX-License-Identifier: MIT */
/* The run, and blocks of its files: shared by files.c, blocks.c and offload.c.
 */
#pragma once

#include <stdatomic.h>

#include "axis/emit.h"
#include "axis/tasks.h"
#include "chunk/file.h"
#include "format/input.h"

enum {
    FILES_MAX = 32, /* files that are mapped at a time */
    LOCKS = 16,     /* for outputs that several tasks share */
};

/* All threads share it. Only next, stopped, turns, tasks.shared, failure,
 * opened and refused change after the threads have started. */
struct run {
    const struct axis_job *job;
    struct axis_sink *sink;         /* for values that are kept */
    struct input *input[FILES_MAX]; /* [files], those that are not empty */
    struct open_file *file[FILES_MAX];
    uint64_t start[FILES_MAX + 1]; /* see tasks.h */
    size_t files;
    struct tasks tasks;
    unsigned workers;           /* threads that are to run */
    _Atomic size_t next;        /* the task to take next */
    _Atomic bool stopped;       /* threads take no more tasks */
    _Atomic bool is_cut_short;  /* set by the one thread that asks the watch */
    bool emits;                 /* values are handed on, not kept */
    struct emissions emissions; /* values to hand on, in the order of tasks */
    /* Lock i % LOCKS guards tasks.shared[i]. */
    pthread_mutex_t lock[LOCKS];
    struct first_error failure; /* the first by the number of the output */
    /* On a device: workers that have a context, and why others have none. They
     * leave the tasks to those, if there are some. */
    _Atomic unsigned opened;
    struct first_error refused;
};

/* The place of a block in its file: `runs` runs of `run` bytes each. */
struct place {
    uint64_t offset; /* of the first run, from the start of the file's data */
    size_t runs;
    size_t run;
    size_t pitch; /* bytes from the start of a run to that of the next */
    /* The block is not read ahead as a whole: other tasks use the bytes
     * between its runs. */
    bool is_lazy;
};

/* Notes a failure at an output, and stops the run. Any thread. */
void files_fail(struct run *run, uint64_t output, const struct error *e);

/* The number of a part's rows in a block. */
uint64_t block_rows(const struct axis_job *job, const struct part *p);

/* The place in its file of part `p` of a task. */
struct place block_place(const struct run *run, const struct task *task,
                         const struct part *p);

/* Brings a block into memory, where it stays until block_give. Any thread. */
const char *block_take(struct run *run, const struct task *task,
                       struct place at);

/* If panels stay mapped, a worker maps its share of the files, in their order,
 * before its first task, and drops it after its last one. A page that another
 * worker uses before or after that is mapped when it is used. */
void blocks_stay(struct run *run, unsigned worker, bool drops);

/* A copy of a block in this machine's byte order. */
struct turned {
    char *data; /* the owner frees it */
    size_t room;
};

/* Copies a block of a big-endian file that was taken, without the bytes between
 * its runs. NULL: out of memory. */
const char *block_turn(const struct run *run, const char *data, struct place at,
                       struct turned *to);

/* Gives a block back after use. False if the file was truncated and the block's
 * bytes are gone. */
bool block_give(struct run *run, const struct task *task, struct place at);
