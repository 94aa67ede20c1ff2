/* SPDX-License-Identifier: MIT */
/* What files.c and blocks.c share: a run, and parts of its files. */
#pragma once

#include <stdatomic.h>

#include "axis/emit.h"
#include "axis/tasks.h"
#include "chunk/file.h"
#include "format/input.h"

enum {
    FILES_MAX = 32, /* that are mapped at a time */
    LOCKS = 16,     /* of what tasks share */
};

struct run {
    const struct axis_job *job;
    struct axis_sink *sink;
    struct input *input[FILES_MAX]; /* those that have data */
    struct open_file *file[FILES_MAX];
    uint64_t start[FILES_MAX + 1]; /* see tasks.h */
    size_t files;
    struct tasks tasks;
    _Atomic size_t next;
    _Atomic bool stopped;
    bool emits; /* values are not kept, but leave in ... */
    struct turns turns;
    pthread_mutex_t lock[LOCKS];
    struct first_error failure; /* its places are numbers of outputs */
};

/* A block of a part in its file. */
struct place {
    uint64_t offset; /* bytes, from the start of the file's data */
    size_t runs;     /* of bytes that lie side by side ... */
    size_t run;      /* ... so many of them, ... */
    size_t pitch;    /* ... so many bytes apart */
    bool is_lazy;    /* not brought in: what lies between is used by others */
};

/* Notes a failure at an output, and stops the run. */
void files_fail(struct run *run, uint64_t output, const struct error *e);

/* Rows of a part that are brought in at a time. */
uint64_t block_rows(const struct axis_job *job, const struct part *p);

/* Where a part of a task is. */
struct place block_place(const struct run *run, const struct task *task,
                         const struct part *p);

/* Brings a part in. Any thread. */
const char *block_take(struct run *run, const struct task *task,
                       struct place at);

/* After use. False where the file no longer had its bytes. */
bool block_give(struct run *run, const struct task *task, struct place at);
