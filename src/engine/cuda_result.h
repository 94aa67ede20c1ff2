/* SPDX-License-Identifier: MIT */
/* The results of kernels made states. */
#pragma once

#include "engine/chunk.h"
#include "launch.h"

/* Sets a state that was initialised to what the kernels left of the n elements
 * of a chunk, of which `first` is counted. node: the leaves of a float product,
 * where there is one. */
void cuda_take_state(struct state *state, const struct gpu_result *r,
                     const struct chunk *chunk, const struct prod_node *node);
