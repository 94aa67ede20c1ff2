// SPDX-License-Identifier: MIT
//
// Many elements at a time: their keys are put in buckets (canonical.h), so that
// a block can add a bucket to its part of the set in shared memory. A block
// sorts a tile by bucket there: then neighbouring threads write neighbouring
// keys. Stores of single keys to 32 buckets take the L2 cache 32 times as long.
#pragma once

#include "kernels/distinct/canonical.cuh"

constexpr int SORT_THREADS = 512;
// Elements of a thread, and of a tile: 32 KiB.
template <class U> constexpr int SORT_EACH = 64 / sizeof(U);
template <class U> constexpr int SORT_TILE = SORT_THREADS *SORT_EACH<U>;

// Buckets of one level. `used` may exceed `room`: the rest is in the set.
template <class U> struct buckets {
    U *at; // [buckets][room]
    uint32_t *used, room;

    DEVICE U *first(size_t bucket) const
    {
        return at + bucket * room;
    }
    DEVICE uint32_t size(size_t bucket) const
    {
        return min(used[bucket], room);
    }
};

template <class U> struct sorter {
    U sorted[SORT_TILE<U>];
    // By bucket: its keys in the tile, where they start in sorted[], and how
    // much later they are in the bucket.
    uint32_t count[SET_FAN], start[SET_FAN], later[SET_FAN];

    // For the first warp: each lane has four buckets.
    DEVICE void place(uint32_t *used)
    {
        const uint32_t lane = threadIdx.x;
        uint32_t here[4], sum = 0;
        for (int i = 0; i < 4; i++)
            sum += here[i] = count[lane * 4 + i];
        uint32_t at = sum;
        for (int s = 1; s < 32; s *= 2) {
            const uint32_t below = __shfl_up_sync(~0u, at, s);
            at += lane >= s ? below : 0;
        }
        at -= sum;
        for (int i = 0; i < 4; i++) {
            const uint32_t b = lane * 4 + i;
            start[b] = at;
            later[b] = (here[i] ? atomicAdd(used + b, here[i]) : 0) - at;
            at += here[i];
        }
    }
};

// Sorts a tile of n elements. At the first level these are values, whose keys
// Set::key returns. Set::part is a key's part, and Set::add adds a key for
// which its bucket has no room.
template <int LEVEL, class U, class Set> struct tile_sorter {
    Set set;
    uint32_t shift;
    buckets<U> to;

    DEVICE uint32_t bucket(U key) const
    {
        const uint32_t part = set.part(key);
        return LEVEL == 0 ? part >> shift : part & ((1u << shift) - 1);
    }

    DEVICE void write(const sorter<U> &s, uint32_t n)
    {
#pragma unroll 4
        for (uint32_t i = threadIdx.x; i < n; i += SORT_THREADS) {
            const U x = s.sorted[i];
            const uint32_t b = bucket(x), at = i + s.later[b];
            if (at < to.room)
                to.first(b)[at] = x;
            else
                set.add(x);
        }
    }

    DEVICE void sort(const U *from, size_t left, sorter<U> &s)
    {
        const uint32_t n = (uint32_t)min(left, (size_t)SORT_TILE<U>);
        U key[SORT_EACH<U>];
        uint32_t rank[SORT_EACH<U>];
        if (threadIdx.x < SET_FAN)
            s.count[threadIdx.x] = 0;
#pragma unroll
        for (int i = 0; i < SORT_EACH<U>; i++) {
            const uint32_t at = i * SORT_THREADS + threadIdx.x;
            key[i] = at < n ? __ldcs(from + at) : 0;
        }
        __syncthreads();
#pragma unroll
        for (int i = 0; i < SORT_EACH<U>; i++) {
            if (LEVEL == 0)
                key[i] = set.key(key[i]);
            if (i * SORT_THREADS + threadIdx.x < n)
                rank[i] = atomicAdd(s.count + bucket(key[i]), 1);
        }
        __syncthreads();
        if (threadIdx.x < 32)
            s.place(to.used);
        __syncthreads();
#pragma unroll
        for (int i = 0; i < SORT_EACH<U>; i++) {
            if (i * SORT_THREADS + threadIdx.x < n)
                s.sorted[s.start[bucket(key[i])] + rank[i]] = key[i];
        }
        __syncthreads();
        write(s, n);
        __syncthreads();
    }
};

// Puts n values in buckets or, at the second level, each bucket of `from` in
// those that blockIdx.y numbers.
template <int LEVEL, class U, class Set>
static __global__
__launch_bounds__(SORT_THREADS,
                  2) void sort_tiles(const U *values, size_t n, buckets<U> from,
                                     tile_sorter<LEVEL, U, Set> tiles)
{
    __shared__ sorter<U> s;
    if (LEVEL == 1) {
        values = from.first(blockIdx.y);
        n = from.size(blockIdx.y);
        tiles.to.at = tiles.to.first((size_t)blockIdx.y << tiles.shift);
        tiles.to.used += (size_t)blockIdx.y << tiles.shift;
    }
    for (size_t first = (size_t)blockIdx.x * SORT_TILE<U>; first < n;
         first += (size_t)gridDim.x * SORT_TILE<U>)
        tiles.sort(values + first, n - first, s);
}

// Starts both levels and sets *to to the second. `room` is device memory of
// set_buckets_bytes.
template <class U, class Set>
cudaError_t start_sort(const U *values, size_t n, void *room, const Set &set,
                       uint32_t parts, buckets<U> *to, cudaStream_t stream)
{
    const struct set_buckets b = set_buckets_for(n, parts);
    uint32_t *used = (uint32_t *)room;
    U *at = (U *)(used + set_buckets_counts(parts));
    const buckets<U> from = {at, used, b.room[0]};
    *to = {at + (size_t)b.room[0] * SET_FAN, used + SET_FAN, b.room[1]};
    const cudaError_t code = cudaMemsetAsync(
        used, 0, set_buckets_counts(parts) * sizeof *used, stream);
    if (code != cudaSuccess)
        return code;
    const int blocks = resident_blocks(sort_tiles<0, U, Set>, SORT_THREADS, 0,
                                       n / SORT_TILE<U> + 1, 1);
    const dim3 grid((unsigned)blocks / SET_FAN + 1,
                    ((parts - 1) >> b.shift) + 1);
    sort_tiles<0, U, Set><<<blocks, SORT_THREADS, 0, stream>>>(
        values, n, from, {set, b.shift, from});
    sort_tiles<1, U, Set><<<grid, SORT_THREADS, 0, stream>>>(
        values, n, from, {set, b.shift, *to});
    return cudaGetLastError();
}
