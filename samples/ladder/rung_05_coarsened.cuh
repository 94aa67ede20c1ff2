// SPDX-License-Identifier: MIT
//
// Rung 5: coarsened threads.
//
// The grid has only as many blocks as the GPU can hold. A thread strides over
// the data and adds hundreds or thousands of numbers in a register. One tree a
// block and one atomic addition follow. All threads work nearly all the time.
//
// What is bad: the tree still has 8 barriers and goes through shared memory,
// although most of it happens within a warp. And a thread waits for each number
// before it loads the next.
#pragma once

// Number of resident blocks, at 2048 threads a multiprocessor.
static unsigned resident_blocks(const struct work *w)
{
    return (unsigned)w->multiprocessors * (2048 / THREADS);
}

// Upper bound of the numbers that one thread of such a grid adds.
static size_t numbers_a_thread(const struct work *w)
{
    return w->n / ((size_t)resident_blocks(w) * THREADS) + 1;
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
    const unsigned blocks = resident_blocks(w);
    cudaMemsetAsync(w->out, 0, sizeof *w->out);
    coarsened<<<blocks, THREADS>>>(w->in, w->n, w->out);
    *chain = numbers_a_thread(w) + ROUNDS + blocks;
    return cudaGetLastError();
}
