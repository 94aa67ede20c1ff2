// SPDX-License-Identifier: MIT
//
// Extremes as single words, on which atomics work: for elements of up to 32
// bits, key, index and sign fit 64 bits, as in struct gpu_extrema. No last
// block has to merge records.
#pragma once

#include "kernels/reduce/order.cuh"
#include "kernels/reduce/record.cuh"

// The extremes of a thread, a warp or a block: [0] is the least element, [1]
// the greatest. Keys have 32 bits. The key of the greatest is inverted, so that
// the least key wins in both. Among equal keys the first tile wins.
struct narrow_record {
    uint32_t key[2], tile[2], nan_tile;
    uint64_t nans;
};

// The records of a block's warps, in shared memory.
struct narrow_records {
    uint4 key_tile[THREADS / 32];
    alignas(16) uint32_t nan_tile[THREADS / 32];
};

template <class O> DEVICE uint32_t narrow_key(typename O::K k, int greatest)
{
    const uint32_t key = (uint32_t)k ^ (O::signed_keys ? 0x80000000 : 0);
    return greatest ? ~key : key;
}

template <class O>
DEVICE typename O::K key_of_narrow(uint32_t key, int greatest)
{
    key = greatest ? ~key : key;
    return (typename O::K)(key ^ (O::signed_keys ? 0x80000000 : 0));
}

// Merges the warp's records, in every lane; only lane 0 gets the count of NaN.
DEVICE struct narrow_record warp_record(struct narrow_record r)
{
    for (int i = 0; i < 2; i++) {
        const uint32_t key = warp_min(r.key[i]);
        r.tile[i] = warp_min(r.key[i] == key ? r.tile[i] : NO_TILE);
        r.key[i] = key;
    }
    if (__any_sync(~0u, r.nan_tile != NO_TILE)) {
        r.nan_tile = warp_min(r.nan_tile);
        r.nans = warp_sum(r.nans);
    }
    if (threadIdx.x % 32)
        r.nans = 0;
    return r;
}

// Merges the block's records, in every thread. `nans` differs: the block's
// count is the sum over its threads. Has one barrier.
DEVICE struct narrow_record block_record(struct narrow_record r,
                                         struct narrow_records *shared)
{
    r = warp_record(r);
    if (threadIdx.x % 32 == 0) {
        const int warp = threadIdx.x / 32;
        shared->key_tile[warp] =
            make_uint4(r.key[0], r.tile[0], r.key[1], r.tile[1]);
        shared->nan_tile[warp] = r.nan_tile;
    }
    __syncthreads();
#pragma unroll
    for (int w = 0; w < THREADS / 32; w++) {
        const uint4 x = shared->key_tile[w];
        if (x.x < r.key[0] || (x.x == r.key[0] && x.y < r.tile[0])) {
            r.key[0] = x.x;
            r.tile[0] = x.y;
        }
        if (x.z < r.key[1] || (x.z == r.key[1] && x.w < r.tile[1])) {
            r.key[1] = x.z;
            r.tile[1] = x.w;
        }
        r.nan_tile = min(r.nan_tile, shared->nan_tile[w]);
    }
    return r;
}

// Adds an extreme to the result; `greatest` is 0 or 1.
template <class O>
DEVICE void give_packed(struct gpu_extrema *out, int greatest, uint32_t key,
                        uint64_t index, const typename O::S *data)
{
    const typename O::K k = key_of_narrow<O>(key, greatest);
    const uint32_t sign = O::signed_keys ? 1u << (8 * O::size - 1) : 0;
    uint64_t word = (uint32_t)k + sign;
    word = (greatest ? ~word : word) << (64 - 8 * O::size) | index << 1;
    // -0 and +0 have the same key.
    if (O::has_nan && !O::magnitude && k == 0)
        word |= (data[index] >> (8 * O::size - 1)) & 1;
    uint64_t *to = &out->packed[blockIdx.x % GPU_SUMS_MAX][greatest];
    atomicMax((unsigned long long *)to, (unsigned long long)~word);
}
