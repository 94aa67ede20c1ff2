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

// Adds the block's sum of `value` * 2^position. |value| <= 2^62, so that the
// 256 of a block do not fit 64 bits: each half is summed on its own.
__device__ __forceinline__ void block_deposit(int64_t *limb, int64_t value,
                                              unsigned position,
                                              int64_t *shared)
{
    int64_t low = block_sum((int64_t)(uint32_t)value, shared);
    int64_t high = block_sum(value >> 32, shared);
    if (threadIdx.x == 0) {
        deposit(limb, low, position);
        deposit(limb, high, position + 32);
    }
}
