// SPDX-License-Identifier: MIT
//
// Rung 1: interleaved pairs.
//
// A sum as a tournament. A block takes 512 numbers. Each of its 256 threads
// adds a neighbour to its own number, then every second thread adds the sum of
// the next active thread, then every fourth, and so on. After 9 rounds the
// first number is the sum.
//
// What is bad: the active threads are spread over all warps, and a warp is busy
// as long as one of its 32 threads is: all 8 warps take part in 6 of the 9
// rounds. Their loads are spread over memory just as thinly. And every round
// reads and writes global memory.
#pragma once

constexpr int THREADS = 256;
constexpr int SEGMENT = 2 * THREADS; // numbers that a block adds up
constexpr int ROUNDS = 9;            // 2^9 = SEGMENT

__global__ void interleaved_pairs(float *in, size_t n, float *out)
{
    const size_t mine = (size_t)blockIdx.x * SEGMENT + 2 * threadIdx.x;
    for (unsigned stride = 1; stride <= THREADS; stride *= 2) {
        if (threadIdx.x % stride == 0 && mine + stride < n)
            in[mine] += in[mine + stride];
        __syncthreads();
    }
    if (threadIdx.x == 0)
        out[blockIdx.x] = in[mine];
}

// A block leaves one sum. The same kernel then adds up the sums, 512 at a time,
// until one is left. Rungs 1 to 3 are launched this way.
typedef void segment_kernel(float *in, size_t n, float *out);

static cudaError_t by_segments(segment_kernel *kernel, const struct work *w,
                               size_t *chain)
{
    float *from = w->in;
    size_t n = w->n;
    *chain = 0;
    for (int turn = 0; n > 1; turn ^= 1) {
        const size_t blocks = (n + SEGMENT - 1) / SEGMENT;
        float *to = blocks > 1 ? w->partial[turn] : w->out;
        kernel<<<(unsigned)blocks, THREADS>>>(from, n, to);
        *chain += ROUNDS;
        from = to;
        n = blocks;
    }
    return cudaGetLastError();
}

static cudaError_t launch_interleaved(const struct work *w, size_t *chain)
{
    return by_segments(interleaved_pairs, w, chain);
}
