// SPDX-License-Identifier: MIT
// Adds numbers to the limbs of a sum (see exact_add_limbs) from many threads,
// by integer atomics, so that the order does not matter.
#pragma once

#include "reduce/sum_windows.h"
#include "kernels/common/tiles.cuh"

// The partial sum in `out` to which the block adds.
template <int LIMBS> DEVICE int64_t *sum_of_block(struct gpu_sum *out)
{
    return &out->limb[blockIdx.x % GPU_SUMS(LIMBS) * GPU_SUM_STRIDE(LIMBS)];
}

// Adds value * 2^position.
DEVICE void deposit(int64_t *limb, int64_t value, unsigned position)
{
    struct deposit d = deposit_split(value, position);
    for (int i = 0; i < 3; i++)
        add_global((uint64_t *)&limb[d.limb + i], (uint64_t)d.part[i]);
}

// N values of a thread, each to be multiplied by 2^position. The positions are
// the same for the whole block; |value| <= 2^62.
template <int N> struct portions {
    int64_t value[N];
    int position[N];
};

// A warp's sum of a value: low + high * 2^54, low < 2^60.
struct warp_sum {
    uint64_t low;
    int32_t high;
};

// The sum over the warp, in lane 0; from sm_80 on in all lanes, by the
// instruction that sums a word over a warp. The value is cut into pieces of 27
// bits, so that 32 of them fit a word.
DEVICE struct warp_sum sum_over_warp(int64_t value)
{
#if __CUDA_ARCH__ >= 800
    const uint32_t mask = (1u << 27) - 1;
    const uint32_t low = __reduce_add_sync(~0u, (uint32_t)value & mask);
    const uint32_t middle =
        __reduce_add_sync(~0u, (uint32_t)(value >> 27) & mask);
    const int32_t high = __reduce_add_sync(~0u, (int32_t)(value >> 54));
    return {low + ((uint64_t)middle << 27), high};
#else
    return {warp_sum((uint64_t)value & ((1ull << 54) - 1)),
            (int32_t)warp_sum((uint64_t)(value >> 54))};
#endif
}

// Adds to its limb part 0, 1 or 2 of (low + high * 2^54) * 2^position, which
// spans three limbs. |high| <= 2^17.
DEVICE void deposit_part(int64_t *limb, int part, uint64_t low, int64_t high,
                         unsigned position)
{
    // From here on, high counts 2^32 and includes the upper word of `low`:
    // |high| < 2^40.
    high = (high << 22) + (int64_t)(low >> 32);
    const uint32_t word = (uint32_t)low, next = (uint32_t)high;
    const unsigned shift = position % 32;
    const uint64_t x = part == 0   ? word << shift
                       : part == 1 ? __funnelshift_l(word, next, shift)
                                   : (uint64_t)(high >> (32 - shift));
    add_global((uint64_t *)&limb[position / 32 + part], x);
}

// Adds the warp's sums. A value spans three limbs and each limb has a lane, so
// that one memory operation adds all of them.
template <int N>
DEVICE void warp_deposit(int64_t *limb, const struct portions<N> &p)
{
    static_assert(3 * N <= 32, "the lanes of a warp");
    const int lane = threadIdx.x % 32;
    struct warp_sum mine = {0, 0};
    unsigned position = 0;
#pragma unroll
    for (int i = 0; i < N; i++) {
        struct warp_sum sum = sum_over_warp(p.value[i]);
#if __CUDA_ARCH__ < 800
        sum.low = __shfl_sync(~0u, (unsigned long long)sum.low, 0);
        sum.high = __shfl_sync(~0u, sum.high, 0);
#endif
        // Not lane / 3 == i: the compiler would index memory with that.
        const bool after = lane >= 3 * i;
        mine.low = after ? sum.low : mine.low;
        mine.high = after ? sum.high : mine.high;
        position = after ? (unsigned)p.position[i] : position;
    }
    if (lane < 3 * N)
        deposit_part(limb, lane % 3, mine.low, mine.high, position);
}

// Shared memory in which the warps of a block combine up to N values. The
// caller puts a barrier between two uses.
template <int N> struct block_sums {
    alignas(16) uint64_t low[N][THREADS / 32];
    alignas(16) int32_t high[N][THREADS / 32];
};

// As warp_deposit, for the whole block. Has one barrier.
template <int N, int M>
DEVICE void block_deposit(int64_t *limb, const struct portions<N> &p,
                          struct block_sums<M> *shared)
{
    static_assert(N <= M && 3 * N <= 32, "room, and the lanes of a warp");
#pragma unroll
    for (int i = 0; i < N; i++) {
        const struct warp_sum sum = sum_over_warp(p.value[i]);
        if (threadIdx.x % 32 == 0) {
            shared->low[i][threadIdx.x / 32] = sum.low;
            shared->high[i][threadIdx.x / 32] = sum.high;
        }
    }
    __syncthreads();
    if (threadIdx.x >= 3 * N)
        return;
    const int mine = threadIdx.x / 3, part = threadIdx.x % 3;
    unsigned position = (unsigned)p.position[0];
#pragma unroll
    for (int i = 1; i < N; i++)
        position = mine == i ? (unsigned)p.position[i] : position;
    uint64_t low = 0;
    int64_t high = 0;
#pragma unroll
    for (int w = 0; w < THREADS / 32; w++) {
        low += shared->low[mine][w];
        high += shared->high[mine][w];
    }
    deposit_part(limb, part, low, high, position);
}

// As block_deposit, but not inline, so that the kernel's loop does not hold its
// registers.
template <int N, int M>
__device__ __noinline__ void block_deposit_apart(int64_t *limb,
                                                 const struct portions<N> p,
                                                 struct block_sums<M> *shared)
{
    block_deposit(limb, p, shared);
}
