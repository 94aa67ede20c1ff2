// SPDX-License-Identifier: MIT
//
// Rung 3: shared memory.
//
// Each number is read from global memory once. The first round adds while it
// loads and writes its sums to shared memory, where the other rounds work. The
// input is no longer overwritten.
//
// What is bad: every factor of 512 needs a launch, which waits for the one
// before it, and the sums of the blocks pass through global memory.
#pragma once

// Adds the numbers that the block's threads have put in s. The sum is in s[0].
__device__ void tree_sum(float *s)
{
    for (unsigned stride = THREADS / 2; stride > 0; stride /= 2) {
        __syncthreads();
        if (threadIdx.x < stride)
            s[threadIdx.x] += s[threadIdx.x + stride];
    }
}

__global__ void shared_memory(float *in, size_t n, float *out)
{
    __shared__ float s[THREADS];
    const size_t a = (size_t)blockIdx.x * SEGMENT + threadIdx.x;
    const size_t b = a + THREADS;
    s[threadIdx.x] = (a < n ? in[a] : 0.0f) + (b < n ? in[b] : 0.0f);
    tree_sum(s);
    if (threadIdx.x == 0)
        out[blockIdx.x] = s[0];
}

static cudaError_t launch_shared(const struct work *w, size_t *chain)
{
    return by_segments(shared_memory, w, chain);
}
