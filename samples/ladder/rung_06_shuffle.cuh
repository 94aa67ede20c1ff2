// SPDX-License-Identifier: MIT
//
// Rung 6: warp shuffle.
//
// The threads of a warp hand each other registers: five rounds without shared
// memory and without a barrier. Shared memory holds one sum a warp, and one
// barrier is left of eight.
//
// What is bad: nothing in how the sums are put together, but of 2 GiB a thread
// has added up 2000 numbers before that begins. What is left is how the numbers
// are read.
#pragma once

// The sum of the warp's, in lane 0.
__device__ float warp_sum(float sum)
{
    for (int stride = 16; stride > 0; stride /= 2)
        sum += __shfl_down_sync(~0u, sum, stride);
    return sum;
}

// The sum of the block's, in thread 0.
__device__ float block_sum(float sum)
{
    __shared__ float of_warp[THREADS / 32];
    sum = warp_sum(sum);
    if (threadIdx.x % 32 == 0)
        of_warp[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x < 32)
        sum = warp_sum(threadIdx.x < THREADS / 32 ? of_warp[threadIdx.x] : 0);
    return sum;
}

__global__ void warp_shuffle(const float *in, size_t n, float *out)
{
    const size_t step = (size_t)gridDim.x * THREADS;
    float sum = 0.0f;
    for (size_t i = (size_t)blockIdx.x * THREADS + threadIdx.x; i < n;
         i += step)
        sum += in[i];
    sum = block_sum(sum);
    if (threadIdx.x == 0)
        atomicAdd(out, sum);
}

static cudaError_t launch_shuffle(const struct work *w, size_t *chain)
{
    const unsigned blocks = blocks_at_once(w);
    cudaMemsetAsync(w->out, 0, sizeof *w->out);
    warp_shuffle<<<blocks, THREADS>>>(w->in, w->n, w->out);
    *chain = numbers_each(w) + 2 * 5 + blocks;
    return cudaGetLastError();
}
