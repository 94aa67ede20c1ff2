/* SPDX-License-Identifier: MIT */
/* What the files of the CUDA backend for axes share: its contexts. */
#pragma once

#include "backend/cuda/axis_answers.h"
#include "backend/cuda/clock.h"
#include "backend/cuda/pool.h"

struct slot {
    void *host, *device;       /* the chunk: pinned, and its copy */
    char *host_room, *room;    /* its answers: likewise */
    struct place answers, got; /* ... on the device, on the host */
    uint64_t outputs;
    bool has_answers;
    cudaEvent_t done;
    struct cuda_clock clock;
    size_t bytes;
};

struct axis_context {
    struct axis_setup setup;
    struct axis_tuning tuning;
    cudaStream_t stream;
    struct cuda_block host, device;
    struct cuda_block scratch; /* of kernels; as large as it had to be */
    struct slot slot[AXIS_SLOTS];
    char *open; /* device: what the task's chunks have: [measures][outputs] */
    /* The plans of the last chunk, which the next is like. */
    struct axis_shape shape;
    bool is_part;
    struct axis_plan plan[MEASURES_END];
};

static inline bool axis_wants(const struct axis_context *c, int measure)
{
    return c->setup.measures >> measure & 1;
}

/* Member of cuda_axis_device. */
bool axis_has(enum measure measure, enum dtype dtype);

/* Makes the scratch memory as large as it must be. */
bool axis_grow_scratch(struct axis_context *c, size_t bytes, struct error *e);

/* Plans the kernels for a chunk. */
bool axis_make_plans(struct axis_context *c, const struct axis_chunk *chunk,
                     struct error *e);

/* Starts the kernels of a measure on the chunk of a slot. */
bool axis_start_measure(struct axis_context *c, const struct slot *s,
                        const struct axis_chunk *chunk, int measure,
                        struct error *e);

/* Starts the kernel that makes the answers of `parts` parts of n outputs, which
 * are in device memory. */
bool axis_start_merge(struct axis_context *c, const struct slot *s, int measure,
                      void *from, size_t parts, uint64_t n, struct error *e);
