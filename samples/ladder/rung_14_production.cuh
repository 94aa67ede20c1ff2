// SPDX-License-Identifier: MIT
//
// Rung 14: the production kernel (kernels/reduce/sum_float.cu), as the tool
// runs it.
//
// It reads as rung 7 does, and it is exact. It cuts each number into one or two
// pieces on fixed grids and adds the pieces as integers. Integer addition does
// not round, so the order of the atomics does not matter: every run gives the
// true sum, rounded once.
#pragma once

#include "kernels/common/launch.h"

static cudaError_t launch_production(const struct work *w, size_t *chain)
{
    struct gpu_chunk chunk = {};
    chunk.data = w->in;
    chunk.n = w->n;
    chunk.result = w->result;
    chunk.scratch = w->scratch;
    *chain = 0;
    cudaMemsetAsync(w->result, 0, sizeof *w->result);
    return gpu_launch(MONOID_BIT(sum), DTYPE_f32, &chunk, 0);
}
