// SPDX-License-Identifier: MIT
//
// Rung 6: warp shuffle.
//
// The threads of a warp exchange registers: five rounds without shared memory
// and without a barrier. Shared memory holds one sum a warp, and one barrier of
// eight is left.
//
// What is bad: nothing in how the sums are combined. But for 2 GiB each thread
// has added 2000 numbers before that begins, so the way numbers are read limits
// the rate.
#pragma once

// Returns the sum over the warp, in lane 0.
__device__ float warp_sum(float sum)
{
    for (int stride = 16; stride > 0; stride /= 2)
        sum += __shfl_down_sync(~0u, sum, stride);
    return sum;
}

// Returns the sum over the block, in thread 0.
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
    const unsigned blocks = resident_blocks(w);
    cudaMemsetAsync(w->out, 0, sizeof *w->out);
    warp_shuffle<<<blocks, THREADS>>>(w->in, w->n, w->out);
    *chain = numbers_a_thread(w) + 2 * 5 + blocks;
    return cudaGetLastError();
}
