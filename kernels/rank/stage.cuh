// SPDX-License-Identifier: MIT
//
// Gathers few keys among many, in any order. A warp keeps them in shared memory
// until it can write many together. If each warp added to the one cursor after
// each tile, these additions would take as long as the reading.
#pragma once

#include "kernels/common/tiles.cuh"

// Of a warp: twice what a tile of four vectors a thread may add.
constexpr int STAGE_BYTES = 4096;

template <class U> struct stage_room {
    alignas(16) U at[THREADS / 32][STAGE_BYTES / sizeof(U)];
};

template <class U> struct stage {
    static constexpr uint32_t half = STAGE_BYTES / sizeof(U) / 2;
    U *at, *out;
    uint64_t room;
    unsigned long long *used;
    uint32_t fill = 0;

    DEVICE stage(stage_room<U> *shared, U *to, uint64_t n, uint64_t *cursor)
        : at(shared->at[threadIdx.x / 32]), out(to), room(n),
          used((unsigned long long *)cursor)
    {
    }

    DEVICE void flush()
    {
        const uint32_t lane = threadIdx.x % 32;
        unsigned long long first = 0;
        if (fill == 0)
            return;
        __syncwarp();
        if (lane == 0)
            first = atomicAdd(used, (unsigned long long)fill);
        first = __shfl_sync(~0u, first, 0);
        for (uint32_t i = lane; i < fill; i += 32) {
            if (first + i < room)
                out[first + i] = at[i];
        }
        __syncwarp();
        fill = 0;
    }

    // Adds those of a thread's keys that have a bit. The whole warp calls it.
    template <int N> DEVICE void add(const U *key, uint64_t bits)
    {
        const uint32_t lane = threadIdx.x % 32,
                       n = N > 32 ? (uint32_t)__popcll(bits)
                                  : (uint32_t)__popc((uint32_t)bits);
        uint32_t end = n;
#pragma unroll
        for (int s = 1; s < 32; s *= 2) {
            const uint32_t below = __shfl_up_sync(~0u, end, s);
            end += lane >= (uint32_t)s ? below : 0;
        }
        const uint32_t all = __shfl_sync(~0u, end, 31);
        if (all == 0)
            return;
        U *to = at + fill + end - n;
#pragma unroll
        for (int i = 0; i < N; i++) {
            if (bits >> i & 1)
                *to++ = key[i];
        }
        fill += all;
        if (fill > half)
            flush();
    }

    // Any thread may call it.
    DEVICE void add_one(U key)
    {
        const unsigned long long i = atomicAdd(used, 1ull);
        if (i < room)
            out[i] = key;
    }
};
