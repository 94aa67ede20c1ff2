/* SPDX-License-Identifier: MIT */
/* The context of elements, which elements.c shares with computed.c. The latter
 * starts the kernels that compute expressions first. */
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
    void *host, *device; /* chunk_bytes each: pinned; its copy on the device */
    void *wide; /* device: the elements, if the kernels need a wider type */
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
    size_t nodes; /* leaves of the product's tree in a chunk */
    /* bytes of a slot's `wide`; 0: elements are not widened */
    size_t wide_bytes;
    unsigned on_cpu; /* monoids that the CPU steps */
    struct cuda_ranks ranks;
    struct columns *columns;
    struct cuda_formulas *formulas; /* NULL: elements as they are */
    enum dtype dtype;               /* of the values that the kernels reduce */
    /* bytes of a slot's `plain`, `nan`; 0: NULL */
    size_t plain_bytes, nan_bytes;
    /* NULL: the CPU counts distinct values. */
    struct cuda_sets *sets;
    bool has_collected;
};

/* Adds the kernels' results for the slot's chunk to the owner's states. */
void cuda_add_results(const struct context *context, const struct slot *s,
                      struct owner *owner);

/* Why only the CPU can compute the job's expressions; NULL: a GPU can. */
const char *cuda_computed_left(const struct job *job);

/* Starts to compile the job's expressions, if it has any, and sets the type and
 * the sizes of what is reduced. elements: the most of a chunk. */
bool cuda_computed_open(struct context *context, size_t elements,
                        struct error *e);

/* Starts to compute the values of the expressions and to reduce them. */
bool cuda_computed_start(const struct context *context, struct slot *s,
                         struct error *e);

/* Adds the results. If some value does not fit, the CPU reduces the chunk
 * instead. */
bool cuda_computed_add(struct context *context, const struct slot *s,
                       struct owner *owner, struct error *e);

/* Corrects a monoid's state of the chunk if NaN replaced the values that are
 * not selected: sets the count and the first index of the real NaN. */
void cuda_computed_correct(const struct slot *s, int monoid,
                           union state *state);
