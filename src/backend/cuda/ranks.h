/* SPDX-License-Identifier: MIT */
/* A pass for quantiles or a small histogram on the device. Kernels count a
 * chunk's keys by ranges, and copy the keys of some ranges, which are few, to
 * the host. */
#pragma once

#include "backend/cuda/memory.h"
#include "engine/job.h"
#include "kernels/rank/ranges.h"

/* A thread block counts at most this many bins of one range, in 32 KiB of
 * shared memory. A chunk copies 64 KiB to the host. */
enum { CUDA_RANK_COUNTERS = 8192 };

/* Of a context; const once its slots are in use. */
struct cuda_ranks {
    const struct rank_parts *asked; /* NULL: the device does nothing */
    enum dtype dtype;               /* of the elements that have these keys */
    size_t key;                     /* bytes of a key */
    struct gpu_ranges counted, kept;
    size_t room; /* most keys that a chunk may keep */
};

/* Of a slot: on the host, pinned, and on the device. */
struct cuda_ranks_slot {
    uint64_t *host_count,
        *count; /* [counted.bins + 1]: the last is the number of keys kept */
    void *host_keys, *keys; /* [room] */
};

/* Sets *r. If the device cannot do the job's pass, r->asked is NULL and the CPU
 * does it. */
void cuda_ranks_init(struct cuda_ranks *r, const struct job *job);

/* Whether the device can do the job's pass. */
bool cuda_ranks_suit(const struct job *job);

/* Bytes of a slot on the host. It needs the same number on the device. */
size_t cuda_ranks_bytes(const struct cuda_ranks *r);
void cuda_ranks_cut(const struct cuda_ranks *r, struct cuda_ranks_slot *s,
                    char **host, char **device);

/* Starts the pass on n elements that are on the device. Does nothing if
 * r->asked is NULL. */
bool cuda_ranks_start(const struct cuda_ranks *r,
                      const struct cuda_ranks_slot *s, const void *data,
                      size_t n, cudaStream_t stream, struct error *e);

/* Call when that work is done. Returns the monoids that the CPU must step after
 * all, because the keys to be kept were too many. */
unsigned cuda_ranks_left(const struct cuda_ranks *r,
                         const struct cuda_ranks_slot *s);

/* Adds the chunk's counts and keys to states of the same pass, unless they are
 * left to the CPU. */
void cuda_ranks_take(const struct cuda_ranks *r,
                     const struct cuda_ranks_slot *s, struct states *into);
