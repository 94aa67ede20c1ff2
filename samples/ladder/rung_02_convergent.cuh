// SPDX-License-Identifier: MIT
//
// Rung 2: convergent threads.
//
// The same tournament with other pairs: in the first round thread t adds number
// t + 256 to number t, then the first 128 threads add number t + 128, and so
// on. The first threads stay active, so whole warps finish and leave, and no
// warp diverges until 32 numbers are left. Neighbouring threads also touch
// neighbouring numbers, so a warp's 32 loads are 128 consecutive bytes.
//
// What is bad: every round still goes to global memory.
#pragma once

__global__ void convergent_threads(float *in, size_t n, float *out)
{
    const size_t mine = (size_t)blockIdx.x * SEGMENT + threadIdx.x;
    for (unsigned stride = THREADS; stride > 0; stride /= 2) {
        if (threadIdx.x < stride && mine + stride < n)
            in[mine] += in[mine + stride];
        __syncthreads();
    }
    if (threadIdx.x == 0)
        out[blockIdx.x] = in[mine];
}

static cudaError_t launch_convergent(const struct work *w, size_t *chain)
{
    return by_segments(convergent_threads, w, chain);
}
