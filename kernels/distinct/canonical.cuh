// SPDX-License-Identifier: MIT
//
// Elements as hashes of their keys, in device code.
#pragma once

#include "kernels/common/tiles.cuh"
#include "kernels/common/widths.cuh"
#include "kernels/distinct/distinct.h"

template <class U, bool FLOAT> DEVICE U canonical_key(U x, U inf)
{
    if constexpr (!FLOAT)
        return x;
    else if constexpr (sizeof(U) == 2)
        return canonical_16(x, inf);
    else if constexpr (sizeof(U) == 4)
        return canonical_32(x, inf);
    else
        return canonical_64(x, inf);
}

// The hash that a set keeps of it.
template <class U, bool FLOAT> DEVICE U hash_of_element(U x, U inf)
{
    const U key = canonical_key<U, FLOAT>(x, inf);
    if constexpr (sizeof(U) == 8)
        return hash_value(key);
    else
        return hash_value_32(key);
}

// Adds a thread's count.
DEVICE void add_count(uint64_t *to, uint64_t n, uint64_t *shared)
{
    n = block_sum(n, shared);
    if (threadIdx.x == 0)
        add_global(to, n);
}
