/* SPDX-License-Identifier: MIT */
/* The results of kernels made states. */
#pragma once

#include "chunk/chunk.h"
#include "kernels/common/launch.h"

/* Sets the state of a monoid of GPU_MONOIDS to what its kernels left of the n
 * elements of a chunk, whose indexes begin with `first`. node: the leaves of a
 * float product, where there is one. */
void cuda_take_state(enum monoid monoid, enum dtype dtype, union state *state,
                     const struct gpu_result *r, const struct chunk *chunk,
                     const struct prod_node *node);
