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

// Adds (high * 2^32 + low) * 2^position, |high| <= 2^40: four additions, where
// two deposits would make six.
__device__ __forceinline__ void deposit_wide(int64_t *limb, int64_t low,
                                             int64_t high, unsigned position)
{
    high += low >> 32;
    const unsigned s = position % 32;
    // 32, 32 and the 41 bits left, shifted by up to 31.
    const uint64_t first = (uint64_t)(uint32_t)low << s;
    const uint64_t second = (uint64_t)(uint32_t)high << s;
    const int64_t third = (high >> 32) * (1ll << s);
    uint64_t *to = (uint64_t *)&limb[position / 32];
    add_global(to, (uint32_t)first);
    add_global(to + 1, (first >> 32) + (uint32_t)second);
    add_global(to + 2, (second >> 32) + (uint64_t)third);
}

// N values of a thread, each times 2^position; |value| <= 2^62.
template <int N> struct portions {
    int64_t value[N];
    int position[N];
};

// Adds the block's sums. The 256 of a block do not fit 64 bits: each half is
// summed on its own.
template <int N>
__device__ __forceinline__ void block_deposit(int64_t *limb,
                                              const struct portions<N> &p)
{
    constexpr int warps = THREADS / 32;
    __shared__ int64_t words[N][2][warps];
    __syncthreads();
#pragma unroll
    for (int i = 0; i < 2 * N; i++) {
        int64_t half =
            i % 2 ? p.value[i / 2] >> 32 : (int64_t)(uint32_t)p.value[i / 2];
        for (int s = 16; s > 0; s /= 2)
            half += (int64_t)shuffle_down((uint64_t)half, s);
        if (threadIdx.x % 32 == 0)
            words[i / 2][i % 2][threadIdx.x / 32] = half;
    }
    __syncthreads();
#pragma unroll
    for (int i = 0; i < N; i++) {
        if (threadIdx.x != i)
            continue;
        int64_t low = 0, high = 0;
        for (int w = 0; w < warps; w++) {
            low += words[i][0][w];
            high += words[i][1][w];
        }
        deposit_wide(limb, low, high, (unsigned)p.position[i]);
    }
}

// The same, whose registers are not those of the kernel's loop.
template <int N>
__device__ __noinline__ void block_deposit_apart(int64_t *limb,
                                                 const struct portions<N> p)
{
    block_deposit(limb, p);
}
