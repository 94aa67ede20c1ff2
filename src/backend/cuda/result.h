/* SPDX-License-Identifier: MIT */
/* Turns results of kernels over elements into states. */
#pragma once

#include "chunk/chunk.h"
#include "kernels/common/launch.h"

/* Sets *state to the result *r of a monoid of GPU_MONOIDS for a chunk of
 * elements. Indexes become those of the dataset (chunk->first). node: the
 * leaves of the product's tree in the chunk, for a product of floats. */
void cuda_read_state(enum monoid monoid, enum dtype dtype, union state *state,
                     const struct gpu_result *r, const struct chunk *chunk,
                     const struct prod_node *node);
