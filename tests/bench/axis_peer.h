/* SPDX-License-Identifier: MIT */
/* The peer of bench_axis for rows: CUB's segmented sum of f32, in f32. */
#pragma once

#include <cuda_runtime_api.h>
#include <stddef.h>

/* Sums rows of `length` elements. *bytes is the size of `temporary`. If
 * `temporary` is NULL, only sets *bytes to the size that is needed. */
cudaError_t axis_peer_sum(void *temporary, size_t *bytes, const float *data,
                          float *out, size_t rows, size_t length,
                          cudaStream_t stream);
