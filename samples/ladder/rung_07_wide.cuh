// SPDX-License-Identifier: MIT
//
// Rung 7: wide loads, several in flight.
//
// A thread issues four loads of 16 bytes before it uses the first. The rate is
// the number of bytes in flight divided by the latency of a load. The memory
// fixes the latency; a kernel can choose the bytes in flight.
//
// What is bad: the answer still changes from run to run.
#pragma once

__device__ float sum_of(float4 v)
{
    return (v.x + v.y) + (v.z + v.w);
}

__global__ void wide_loads(const float4 *in, size_t vectors, float *out)
{
    const size_t step = (size_t)gridDim.x * THREADS;
    size_t i = (size_t)blockIdx.x * THREADS + threadIdx.x;
    float sum = 0.0f;
    for (; i + 3 * step < vectors; i += 4 * step) {
        const float4 a = in[i], b = in[i + step];
        const float4 c = in[i + 2 * step], d = in[i + 3 * step];
        sum += (sum_of(a) + sum_of(b)) + (sum_of(c) + sum_of(d));
    }
    for (; i < vectors; i += step)
        sum += sum_of(in[i]);
    sum = block_sum(sum);
    if (threadIdx.x == 0)
        atomicAdd(out, sum);
}

static cudaError_t launch_wide(const struct work *w, size_t *chain)
{
    const unsigned blocks = resident_blocks(w);
    cudaMemsetAsync(w->out, 0, sizeof *w->out);
    wide_loads<<<blocks, THREADS>>>((const float4 *)w->in, w->n / 4, w->out);
    *chain = numbers_a_thread(w) / 4 + 4 + 2 * 5 + blocks;
    return cudaGetLastError();
}
