// SPDX-License-Identifier: MIT
//
// Rung 1: interleaved pairs.
//
// A sum as a tournament: a block takes 512 numbers, each of its 256 threads
// adds a neighbour to its own number, then every second thread adds what the
// next one has, then every fourth, and so on. After 9 rounds the first number
// is the sum.
//
// What is bad: the threads that still work are spread over all warps, and a
// warp is busy as long as one of its 32 threads is: all 8 take part in 6 of the
// 9 rounds. What they load is spread over the memory as thinly. And every round
// reads and writes the numbers where they are, in global memory.
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

// A block leaves one sum. The same kernel adds up the sums, 512 to one, until
// one is left: rungs 1 to 3 are launched like this.
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
