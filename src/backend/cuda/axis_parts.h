/* SPDX-License-Identifier: MIT */
/* What the files of the CUDA backend for axes share: its contexts. */
#pragma once

#include "backend/cuda/axis_answers.h"
#include "backend/cuda/clock.h"
#include "backend/cuda/pool.h"

struct slot {
    void *host, *device;    /* the chunk: pinned; its copy on the device */
    char *host_room, *room; /* memory for its answers: pinned; device */
    /* where the answers are: in `room`; in `host_room` */
    struct place answers, got;
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
    struct cuda_block scratch; /* scratch of the kernels; grows when needed */
    struct slot slot[AXIS_SLOTS];
    /* Device, [measures][outputs]: the partial results of the task's chunks so
     * far. */
    char *open;
    /* The plans of the last chunk and its shape. Most chunks have the same
     * shape, so the plans are reused. */
    struct axis_shape shape;
    bool is_part;
    struct axis_plan plan[MEASURES_END];
};

static inline bool axis_wants(const struct axis_context *c, int measure)
{
    return c->setup.measures >> measure & 1;
}

/* A member of cuda_axis_device. */
bool axis_has(enum measure measure, enum dtype dtype);

/* Makes sure that the scratch memory has at least that many bytes. */
bool axis_grow_scratch(struct axis_context *c, size_t bytes, struct error *e);

/* Plans the kernels for a chunk, unless the plans of the last one fit. */
bool axis_make_plans(struct axis_context *c, const struct axis_chunk *chunk,
                     struct error *e);

/* Starts the kernels of a measure on the chunk of a slot. */
bool axis_start_measure(struct axis_context *c, const struct slot *s,
                        const struct axis_chunk *chunk, int measure,
                        struct error *e);

/* Starts the kernel that makes the answers of n outputs from `parts` partial
 * results of each. These are at `from`, in device memory. */
bool axis_start_merge(struct axis_context *c, const struct slot *s, int measure,
                      void *from, size_t parts, uint64_t n, struct error *e);
