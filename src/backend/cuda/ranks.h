/* SPDX-License-Identifier: MIT */
/* What a pass for quantiles or a small histogram asks, on the device: a chunk's
 * keys are counted by ranges, and the few keys of some ranges come to the
 * host. */
#pragma once

#include "backend/cuda/memory.h"
#include "engine/job.h"
#include "kernels/rank/ranges.h"

/* A block counts so many bins of one range in 32 KiB of shared memory, and a
 * chunk brings 64 KiB back. */
enum { CUDA_RANK_COUNTERS = 8192 };

/* Of a context; const once its slots are in use. */
struct cuda_ranks {
    const struct rank_parts *asked; /* NULL: nothing of the device */
    enum dtype dtype;               /* of the keys' elements */
    size_t key;                     /* bytes of one */
    struct gpu_ranges counted, kept;
    size_t room; /* keys that a chunk may leave */
};

/* Of a slot: on the host, pinned, and on the device. */
struct cuda_ranks_slot {
    uint64_t *host_count,
        *count;             /* [counted.bins + 1]: at last the keys kept */
    void *host_keys, *keys; /* [room] */
};

/* Sets *r; leaves it empty where the device cannot do what the job's pass asks,
 * so that the CPU does. */
void cuda_ranks_init(struct cuda_ranks *r, const struct job *job);

/* Whether the device does. */
bool cuda_ranks_suit(const struct job *job);

/* Bytes of a slot on the host, and as many on the device. */
size_t cuda_ranks_bytes(const struct cuda_ranks *r);
void cuda_ranks_cut(const struct cuda_ranks *r, struct cuda_ranks_slot *s,
                    char **host, char **device);

/* Starts the work on n elements, which are on the device, if any is asked. */
bool cuda_ranks_start(const struct cuda_ranks *r,
                      const struct cuda_ranks_slot *s, const void *data,
                      size_t n, cudaStream_t stream, struct error *e);

/* After it: the monoids that the CPU has to step after all, because there was
 * no room for the keys to be kept. */
unsigned cuda_ranks_left(const struct cuda_ranks *r,
                         const struct cuda_ranks_slot *s);

/* Adds the chunk's counts and keys, unless they are left to the CPU, to states
 * that ask the same. */
void cuda_ranks_take(const struct cuda_ranks *r,
                     const struct cuda_ranks_slot *s, struct states *into);
