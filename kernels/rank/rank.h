/* SPDX-License-Identifier: MIT */
/*
 * Values of given ranks, by kernels: a C header. Two ways, of which the host
 * chooses:
 *
 * - By counting, for data that come in chunks: each pass over them counts the
 *   keys of up to GPU_RANGES ranges in bins, gathers the keys of ranges where
 *   these are few enough, or both.
 * - By bracketing (target.h), for data that are on the device: one pass over
 *   them, and a few over what is left, a sixteenth each time.
 *
 * Keys are as in key.h: of n elements at a multiple of 16 bytes. All calls
 * start work on a stream, of the current device, and return at once; all
 * pointers but those to `struct gpu_ranges` are to device memory.
 */
#pragma once

#include <cuda_runtime_api.h>
#include <stddef.h>

#include "kernels/rank/ranges.h"
#include "kernels/rank/target.h"

/* What the launches' shapes may be tuned by; zeros: as is best. */
struct gpu_rank_tuning {
    int copies; /* of a block's counters, a power of two */
    int blocks; /* of the grid */
    int margin; /* instead of RANK_MARGIN */
};

/* Adds to count[ranges->bins]. What is in no range is not counted: NaN are not,
 * where the ranges are of numbers. */
EXTERN_C cudaError_t gpu_rank_count(enum dtype dtype, const void *data,
                                    size_t n, const struct gpu_ranges *ranges,
                                    uint64_t *count,
                                    const struct gpu_rank_tuning *tuning,
                                    cudaStream_t stream);

/* Writes the keys that are in the ranges to out[*used] and what follows, in any
 * order, and adds their number to *used. Of more than `room` keys, the others
 * are not written, but are in *used. */
EXTERN_C cudaError_t gpu_rank_gather(enum dtype dtype, const void *data,
                                     size_t n, const struct gpu_ranges *ranges,
                                     void *out, uint64_t room, uint64_t *used,
                                     cudaStream_t stream);

/* Bytes of device memory for a search among n elements. */
EXTERN_C size_t gpu_rank_bytes(enum dtype dtype, size_t n);

/*
 * Searches by brackets among n > 0 elements, NaN as the greatest of all. The
 * host has set the target's n and rank[2], which are neighbours at best, and
 * the rest to zeros. Then it is over: the keys, less the least number's
 * (key_order), are known; or the search has failed, which happens once in ten
 * thousand times: another seed has other samples. `room`: gpu_rank_bytes.
 */
EXTERN_C cudaError_t gpu_rank_search(enum dtype dtype, const void *data,
                                     size_t n, struct rank_target *target,
                                     uint64_t seed, void *room,
                                     const struct gpu_rank_tuning *tuning,
                                     cudaStream_t stream);

/* How gpu_rank_select goes about it. */
struct gpu_rank_way {
    bool by_counting; /* at once, not only where brackets fail */
    unsigned bits;    /* of a pass; 0: as is best */
    unsigned passes;  /* over all data: set by the call */
    struct gpu_rank_tuning tuning;
};

/* The elements of two ranks, below n, among n elements of which NaN are the
 * greatest: their raw bits, of NaN any. Waits for the stream. */
EXTERN_C cudaError_t gpu_rank_select(enum dtype dtype, const void *data,
                                     size_t n, const uint64_t rank[2],
                                     uint64_t bits[2], void *room,
                                     struct gpu_rank_way *way,
                                     cudaStream_t stream);
