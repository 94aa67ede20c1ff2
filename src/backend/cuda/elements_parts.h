/* SPDX-License-Identifier: MIT */
/* The state of a context of elements, which elements.c shares with computed.c:
 * the latter has the kernels compute expressions first. */
#pragma once

#include "backend/cuda/clock.h"
#include "backend/cuda/formulas.h"
#include "backend/cuda/memory.h"
#include "backend/cuda/pool.h"
#include "backend/cuda/ranks.h"
#include "engine/owner.h"
#include "kernels/common/launch.h"

enum { SLOTS = CUDA_SLOTS };

struct slot {
    void *host, *device; /* pinned, and its copy: chunk_bytes each */
    void *wide;          /* device: elements of a stored type, widened */
    struct gpu_result *host_result, *result; /* pinned; device */
    struct prod_node *host_node, *node;      /* [nodes]: pinned; device */
    void *scratch;                           /* device */
    /* Device: the values of expressions, or NULL; see formulas_kernel. */
    void *plain, *nan;
    struct formula_counts *host_counts, *counts; /* pinned; device */
    struct cuda_ranks_slot ranks;
    /* Recorded after the last work of the slot's chunk. */
    cudaEvent_t done;
    struct cuda_clock clock;
    struct chunk chunk;
};

struct context {
    const struct job *job;
    cudaStream_t stream;
    /* One block each of pinned and of device memory, cut into the slots. */
    struct cuda_block host, device;
    struct slot slot[SLOTS];
    size_t nodes;      /* leaves in a chunk */
    size_t wide_bytes; /* of a slot's `wide`; 0: not widened */
    unsigned on_cpu;   /* monoids that the CPU steps */
    struct cuda_ranks ranks;
    struct columns *columns;
    struct cuda_formulas *formulas; /* NULL: elements as they are */
    enum dtype dtype;               /* of what the kernels reduce */
    size_t plain_bytes, nan_bytes;  /* of a slot's; 0: it has none */
    /* NULL: distinct values are the CPU's. */
    struct cuda_sets *sets;
    bool has_collected;
};

/* Adds what the kernels made of the slot's chunk. */
void cuda_add_results(const struct context *context, const struct slot *s,
                      struct owner *owner);

/* Why the expressions of a job are the CPU's; NULL: they are not. */
const char *cuda_computed_left(const struct job *job);

/* Starts to compile the job's expressions, if it has any, and sets what is
 * reduced. A chunk has so many elements. */
bool cuda_computed_open(struct context *context, size_t elements,
                        struct error *e);

/* Starts to compute the values of expressions, and to reduce those. */
bool cuda_computed_start(const struct context *context, struct slot *s,
                         struct error *e);

/* Adds the results, or leaves the chunk to the CPU, where some value does not
 * fit. */
bool cuda_computed_add(struct context *context, const struct slot *s,
                       struct owner *owner, struct error *e);

/* Corrects a monoid's state of the chunk, where NaN stands for values that are
 * not selected. */
void cuda_computed_correct(const struct slot *s, int monoid,
                           union state *state);
