// SPDX-License-Identifier: MIT
//
// Rung 5: coarsened threads.
//
// Only as many blocks as fit on the GPU at once. A thread strides over the data
// and adds up hundreds or thousands of numbers in a register; then comes one
// tree a block, and one atomic addition. All threads work nearly all the time.
//
// What is bad: the tree still has 8 barriers and goes through shared memory,
// though most of it happens within a warp. And a thread waits for each number
// before it asks for the next.
#pragma once

// Blocks that are resident together: 2048 threads a multiprocessor.
static unsigned blocks_at_once(const struct work *w)
{
    return (unsigned)w->multiprocessors * (2048 / THREADS);
}

// Numbers that a thread of such a grid takes at most.
static size_t numbers_each(const struct work *w)
{
    return w->n / ((size_t)blocks_at_once(w) * THREADS) + 1;
}

__global__ void coarsened(const float *in, size_t n, float *out)
{
    __shared__ float s[THREADS];
    const size_t step = (size_t)gridDim.x * THREADS;
    float sum = 0.0f;
    for (size_t i = (size_t)blockIdx.x * THREADS + threadIdx.x; i < n;
         i += step)
        sum += in[i];
    s[threadIdx.x] = sum;
    tree_sum(s);
    if (threadIdx.x == 0)
        atomicAdd(out, s[0]);
}

static cudaError_t launch_coarsened(const struct work *w, size_t *chain)
{
    const unsigned blocks = blocks_at_once(w);
    cudaMemsetAsync(w->out, 0, sizeof *w->out);
    coarsened<<<blocks, THREADS>>>(w->in, w->n, w->out);
    *chain = numbers_each(w) + ROUNDS + blocks;
    return cudaGetLastError();
}
