// SPDX-License-Identifier: MIT
//
// Records: extremes and where they are. The records of threads are merged by
// minima over the warp, for which sm_80 has an instruction. (Merging whole
// states by shuffles, with a last block even if it is the only one, made 2^10
// f32 take 6.4 us instead of 2.5.)
#pragma once

#include "kernels/common/tiles.cuh"

constexpr uint32_t NO_TILE = ~0u;

// The extremes of a thread, a warp, a block or the grid: [0] is the least
// element, [1] the greatest, [2] the first NaN. Keys are as in struct extremum.
// The key of the greatest is inverted, so that the least key wins in both.
// Among equal keys the first place wins.
struct record {
    uint64_t key[2], nans;
    uint32_t tile[3], place[3]; // place: in the tile
};

DEVICE struct record no_record()
{
    return {{~0ull, ~0ull}, 0, {NO_TILE, NO_TILE, NO_TILE}, {0, 0, 0}};
}

DEVICE void take_place(struct record *r, int i, const struct record &x)
{
    r->tile[i] = x.tile[i];
    r->place[i] = x.place[i];
}

// No tile may be in both records.
DEVICE void merge(struct record *r, const struct record &x)
{
    for (int i = 0; i < 2; i++) {
        if (x.key[i] < r->key[i] ||
            (x.key[i] == r->key[i] && x.tile[i] < r->tile[i])) {
            r->key[i] = x.key[i];
            take_place(r, i, x);
        }
    }
    if (x.tile[2] < r->tile[2])
        take_place(r, 2, x);
    r->nans += x.nans;
}

// Sets tile and place i to the first ones of the lanes with `part`, in every
// lane.
DEVICE void warp_first(struct record *r, int i, bool part)
{
    const uint32_t tile = warp_min(part ? r->tile[i] : NO_TILE);
    r->place[i] = warp_min(part && r->tile[i] == tile ? r->place[i] : ~0u);
    r->tile[i] = tile;
}

// Merges the warp's records, in every lane.
DEVICE void warp_merge(struct record *r)
{
    for (int i = 0; i < 2; i++) {
        const uint32_t high = (uint32_t)(r->key[i] >> 32);
        const uint32_t low = (uint32_t)r->key[i];
        const uint32_t least = warp_min(high);
        const uint32_t below = warp_min(high == least ? low : ~0u);
        warp_first(r, i, high == least && low == below);
        r->key[i] = (uint64_t)least << 32 | below;
    }
    if (!__any_sync(~0u, r->tile[2] != NO_TILE))
        return;
    warp_first(r, 2, true);
    for (int s = 16; s > 0; s /= 2)
        r->nans += __shfl_xor_sync(~0u, (unsigned long long)r->nans, s);
}

// Merges the block's records, in every lane of the first warp.
DEVICE void block_merge(struct record *r, struct record *shared)
{
    const int lane = threadIdx.x % 32;
    warp_merge(r);
    if (lane == 0)
        shared[threadIdx.x / 32] = *r;
    __syncthreads();
    if (threadIdx.x >= 32)
        return;
    *r = lane < THREADS / 32 ? shared[lane] : no_record();
    warp_merge(r);
}
