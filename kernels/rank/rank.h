/* SPDX-License-Identifier: MIT */
/*
 * Counts and gathers keys of elements, by kernels: a C header. A run that looks
 * for the values of given ranks makes several passes over data that come in
 * chunks. Each pass counts the keys of up to GPU_RANGES ranges in bins, gathers
 * the keys of ranges where these are few enough, or does both.
 *
 * Keys are those of reduce/ranks.h (rank_key). A chunk has n elements and
 * starts at a multiple of 16 bytes. Each call starts work on a stream of the
 * current device and returns without waiting for it. All pointers but those to
 * `struct gpu_ranges` are to device memory.
 */
#pragma once

#include <cuda_runtime_api.h>
#include <stddef.h>

#include "kernels/rank/ranges.h"
#include "reduce/dtype.h"

/* Adds to count[ranges->bins]. Keys outside all ranges are not counted, such as
 * NaN if the ranges are of numbers. */
EXTERN_C cudaError_t gpu_rank_count(enum dtype dtype, const void *data,
                                    size_t n, const struct gpu_ranges *ranges,
                                    uint64_t *count, cudaStream_t stream);

/* Writes the keys in the ranges to `out` from out[*used] on, in any order, and
 * adds their number to *used. Keys beyond `room` are counted in *used but not
 * written. */
EXTERN_C cudaError_t gpu_rank_gather(enum dtype dtype, const void *data,
                                     size_t n, const struct gpu_ranges *ranges,
                                     void *out, uint64_t room, uint64_t *used,
                                     cudaStream_t stream);
