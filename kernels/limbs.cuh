// SPDX-License-Identifier: MIT
// Depositing into the limbs of a sum (see exact_add_limbs) from many threads:
// integer atomics, so the order does not matter.
#pragma once

#include "reduce/windows.h"
#include "tiles.cuh"

__device__ __forceinline__ void deposit(int64_t *limb, int64_t value,
                                        unsigned position)
{
    struct deposit d = deposit_split(value, position);
    for (int i = 0; i < 3; i++)
        add_global((uint64_t *)&limb[d.limb + i], (uint64_t)d.part[i]);
}

constexpr int DEPOSITS_MAX = 5;
constexpr int DEPOSIT_WORDS = 2 * DEPOSITS_MAX * (THREADS / 32);

// Adds the block's sums of value[i] * 2^position(i). |value| <= 2^62, so that
// the 256 of a block do not fit 64 bits: each half is summed on its own. Each
// sum is the business of a thread at the end.
template <int N, class POSITION>
__device__ __forceinline__ void block_deposit(int64_t *limb,
                                              const int64_t (&value)[N],
                                              POSITION position,
                                              int64_t *words)
{
    static_assert(N <= DEPOSITS_MAX, "the words");
    constexpr int warps = THREADS / 32;
    __syncthreads();
#pragma unroll
    for (int i = 0; i < 2 * N; i++) {
        int64_t half = i % 2 ? value[i / 2] >> 32 : (uint32_t)value[i / 2];
        for (int s = 16; s > 0; s /= 2)
            half += (int64_t)shuffle_down((uint64_t)half, s);
        if (threadIdx.x % 32 == 0)
            words[i * warps + threadIdx.x / 32] = half;
    }
    __syncthreads();
#pragma unroll
    for (int i = 0; i < 2 * N; i++) {
        if (threadIdx.x != i)
            continue;
        int64_t sum = 0;
        for (int w = 0; w < warps; w++)
            sum += words[i * warps + w];
        deposit(limb, sum, (unsigned)(position(i / 2) + 32 * (i % 2)));
    }
}
