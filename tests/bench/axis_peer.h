/* SPDX-License-Identifier: MIT */
/* What bench_axis compares rows with: CUB's segmented sum of f32, in f32. */
#pragma once

#include <cuda_runtime_api.h>
#include <stddef.h>

/* Rows of `length` elements. *bytes is what `temporary` has, or, where that is
 * NULL, what it needs. */
cudaError_t axis_peer_sum(void *temporary, size_t *bytes, const float *data,
                          float *out, size_t rows, size_t length,
                          cudaStream_t stream);
