// SPDX-License-Identifier: MIT
//
// What sets of 32 and 64 bits share: elements as keys, and which of them need
// not be looked up in the set.
#pragma once

#include "kernels/common/tiles.cuh"
#include "kernels/common/widths.cuh"
#include "kernels/distinct/distinct.h"

template <class U, bool FLOAT> DEVICE U canonical_key(U x, U inf)
{
    if constexpr (!FLOAT)
        return x;
    else if constexpr (sizeof(U) == 4)
        return canonical_32(x, inf);
    else
        return canonical_64(x, inf);
}

// Values that the block added lately, in shared memory. Each value has a place,
// which it takes from another value of that place. The thread that puts a value
// there adds it to the set, maybe later: other threads need not.
template <class U> struct recent {
    static constexpr int BITS = sizeof(U) == 8 ? 11 : 12;
    typedef U places[1 << BITS];
    volatile U *at;

    static DEVICE uint32_t place(U x)
    {
        const uint32_t upper = (uint32_t)((uint64_t)x >> 32);
        return ((uint32_t)x + upper * HASH_A_32) * HASH_SEED_32 >> (32 - BITS);
    }

    // A place is free if it has a value of another place.
    DEVICE void clear()
    {
        for (uint32_t i = threadIdx.x; i < 1 << BITS; i += THREADS)
            at[i] = i == place(0) ? 1 : 0;
        __syncthreads();
    }

    // Puts those of N values that are not there. Returns a bit for each of
    // them. It puts a value before it looks for the next, so that a thread
    // misses equal values once.
    template <int N> DEVICE uint32_t put(const vector16<U> *v)
    {
        uint32_t missed = 0;
#pragma unroll
        for (int i = 0; i < N; i++) {
            const U x = v[i * sizeof(U) / 16].at[i % (16 / sizeof(U))];
            if (at[place(x)] == x)
                continue;
            at[place(x)] = x;
            missed |= 1u << i;
        }
        return missed;
    }
};

// How a warp looks up tiles of N elements a thread. It decides again at every
// sixteenth tile, where it looks everywhere.
template <int N> struct habits {
    uint32_t tiles = 0;
    bool looks_at_recent = true, looks_at_set = true;

    DEVICE bool decides() const
    {
        return tiles % 16 == 0;
    }

    static DEVICE bool most(bool is)
    {
        return __popc(__ballot_sync(~0u, is)) > 16;
    }

    // Takes the elements that were not recent, and those that the set lacked.
    // After 1, 2, 4 ... tiles a thread empties the L1 cache, whose lines lack
    // what was added since they were read.
    DEVICE void next(uint32_t missed, uint32_t lacked)
    {
        if (decides()) {
            looks_at_recent = !most(missed != 0);
            looks_at_set = !most(__popc(lacked) > N / 4 * 3);
        }
        if ((++tiles & (tiles - 1)) == 0 && threadIdx.x == 0)
            __threadfence();
    }
};

// Adds a thread's count.
DEVICE void add_count(uint64_t *to, uint64_t n, uint64_t *shared)
{
    n = block_sum(n, shared);
    if (threadIdx.x == 0)
        add_global(to, n);
}
