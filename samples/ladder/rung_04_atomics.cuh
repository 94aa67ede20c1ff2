// SPDX-License-Identifier: MIT
//
// Rung 4: segments and atomics.
//
// One launch for any number of blocks: each block adds its sum to the answer by
// one atomic addition.
//
// What is bad: additions to one address are serialised, and there is one for
// every 512 numbers. The blocks finish in a different order each time, and
// floating-point addition rounds, so the answer changes from run to run. A
// thread loads two numbers and then takes part in 8 rounds of a tree, mostly
// idle.
#pragma once

__global__ void atomics(const float *in, float *out)
{
    __shared__ float s[THREADS];
    const size_t a = (size_t)blockIdx.x * SEGMENT + threadIdx.x;
    s[threadIdx.x] = in[a] + in[a + THREADS];
    tree_sum(s);
    if (threadIdx.x == 0)
        atomicAdd(out, s[0]);
}

static cudaError_t launch_atomics(const struct work *w, size_t *chain)
{
    const size_t blocks = w->n / SEGMENT;
    cudaMemsetAsync(w->out, 0, sizeof *w->out);
    atomics<<<(unsigned)blocks, THREADS>>>(w->in, w->out);
    *chain = ROUNDS + blocks;
    return cudaGetLastError();
}
