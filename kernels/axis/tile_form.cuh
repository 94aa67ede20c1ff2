// SPDX-License-Identifier: MIT
//
// Many short results: a block copies a tile of whole slabs into shared memory,
// vector by vector, while it reduces the tile before. Some lanes reduce each
// result: they step over its elements, or over its vectors if inner is 1 and
// slabs are whole vectors.
//
// Neighbouring lanes read addresses that are a slab apart. If many lanes of a
// warp would use one bank, slabs are padded by 32 bytes. Less would be slow,
// since a copy of 32 bytes is fast only within 32 aligned bytes of shared
// memory.
#pragma once

#include "kernels/axis/accumulate.cuh"
#include "kernels/axis/tile_copy.cuh"

// The elements of a result that a lane has left: `step` apart in the tile, and
// the lanes of a result along the axis.
template <class ACC> struct tile_elements {
    typedef typename ACC::S S;
    const axis_tile<S> &tile;
    uint32_t e, row, lanes, step;

    template <int N> DEVICE void group(ACC *acc)
    {
        S x[N];
#pragma unroll
        for (int i = 0; i < N; i++)
            x[i] = tile.at(e + i * step);
        acc->template group<N>(x, row, lanes);
        e += N * step;
        row += N * lanes;
    }

    DEVICE void all(ACC *acc, uint32_t left)
    {
        for (; left >= 8; left -= 8)
            group<8>(acc);
        if (left >= 4)
            group<4>(acc);
        left %= 4;
        if (left == 3)
            group<3>(acc);
        else if (left == 2)
            group<2>(acc);
        else if (left == 1)
            group<1>(acc);
    }
};

// The same by vectors, eight elements at a time.
template <class ACC> struct tile_vectors {
    typedef typename ACC::S S;
    static constexpr int size = 16 / (int)sizeof(S);
    static constexpr int together = size < 8 ? 8 / size : 1;
    const axis_tile<S> &tile;
    uint32_t at, row, lanes;

    template <int VECTORS> DEVICE void group(ACC *acc)
    {
        vector16<S> v[VECTORS];
#pragma unroll
        for (int u = 0; u < VECTORS; u++)
            v[u].words = tile.vector[at + u * lanes];
        add_loaded<ACC, VECTORS>(acc, v, row * size, lanes * size);
        at += VECTORS * lanes;
        row += VECTORS * lanes;
    }

    DEVICE void all(ACC *acc, uint32_t left)
    {
        for (; left >= together; left -= together)
            group<together>(acc);
        if (together > 1)
            for (; left > 0; left--)
                group<1>(acc);
    }
};

// The index in the tile of a result's first element.
DEVICE uint32_t first_of(const struct axis_plan &p, uint32_t inner,
                         uint32_t skip, uint32_t output)
{
    const uint32_t o = p.magic ? __umulhi(output, p.magic) : output;
    return skip + o * p.slab_step + (output - o * inner);
}

// The part of result `output` of the tile that lane `rank` of it takes.
template <class ACC, bool VECTORS>
DEVICE void add_part(ACC *acc, const struct axis_job &job,
                     const axis_tile<typename ACC::S> &tile, uint32_t skip,
                     uint32_t output, uint32_t rank)
{
    const struct axis_plan &p = job.plan;
    const uint32_t lanes = 1u << p.lanes_log;
    const uint32_t all = VECTORS ? p.slab_vectors : (uint32_t)job.shape.length;
    const uint32_t left = (all - rank + lanes - 1) >> p.lanes_log;
    if (rank >= all)
        return;
    if constexpr (VECTORS) {
        const uint32_t at =
            skip / tile.lanes + output * (p.slab_vectors + p.pad) + rank;
        tile_vectors<ACC>{tile, at, rank, lanes}.all(acc, left);
    } else {
        const uint32_t inner = (uint32_t)job.shape.inner;
        const uint32_t e = first_of(p, inner, skip, output);
        tile_elements<ACC>{tile, e + rank * inner, rank, lanes, inner * lanes}
            .all(acc, left);
    }
}

// The same, by plain additions if they are enough.
template <class ACC, bool VECTORS>
DEVICE void add_part_plainly(ACC *acc, const struct axis_job &job,
                             const axis_tile<typename ACC::S> &tile,
                             uint32_t skip, uint32_t output, uint32_t rank)
{
    if constexpr (has_plain<ACC>) {
        const uint32_t vector = 16 / sizeof(typename ACC::S);
        const uint32_t most =
            ((uint32_t)job.shape.length >> job.plan.lanes_log) + vector;
        typename ACC::plain plain;
        plain.init();
        add_part<typename ACC::plain, VECTORS>(&plain, job, tile, skip, output,
                                               rank);
        if (acc->take(plain, most))
            return;
    }
    add_part<ACC, VECTORS>(acc, job, tile, skip, output, rank);
}

// Reduces the thread's short results, of N elements each. False if a result
// needs an accumulator.
template <class ACC, bool VECTORS, int N>
DEVICE bool reduce_rows_of(const struct axis_job &job,
                           const axis_tile<typename ACC::S> &tile,
                           const struct tile_place &place)
{
    typedef typename ACC::S S;
    constexpr int size = 16 / (int)sizeof(S);
    const struct axis_plan &p = job.plan;
    const uint32_t inner = VECTORS ? 1 : (uint32_t)job.shape.inner;
    uint32_t output = threadIdx.x;
    bool all = true;
    for (; output < place.outputs; output += AXIS_TILE_THREADS) {
        const uint32_t at =
            VECTORS ? place.skip / size + output * (N / size + p.pad)
                    : first_of(p, inner, place.skip, output);
        vector16<S> v[VECTORS ? N / size : 1];
        S x[N];
#pragma unroll
        for (int u = 0; VECTORS && u < N / size; u++)
            v[u].words = tile.vector[at + u];
#pragma unroll
        for (int i = 0; i < N; i++)
            x[i] = VECTORS ? v[i / size].at[i % size] : tile.at(at + i * inner);
        all &= ACC::template whole<N>(x, job, place.output + output);
    }
    return all;
}

// The same for a length from FROM to FROM + COUNT - 1.
template <class ACC, bool VECTORS, int FROM, int COUNT>
DEVICE bool reduce_rows(const struct axis_job &job,
                        const axis_tile<typename ACC::S> &tile,
                        const struct tile_place &place)
{
    constexpr int half = COUNT / 2;
    if constexpr (COUNT > 1)
        return job.shape.length < FROM + half
                   ? reduce_rows<ACC, VECTORS, FROM, half>(job, tile, place)
                   : reduce_rows<ACC, VECTORS, FROM + half, half>(job, tile,
                                                                  place);
    else if constexpr (!VECTORS || FROM * sizeof(typename ACC::S) % 16 == 0)
        return reduce_rows_of<ACC, VECTORS, FROM>(job, tile, place);
    else
        return false;
}

// Reduces all results of a tile. The lanes of a warp stay together in the loop.
template <class ACC, bool VECTORS>
DEVICE void reduce_tile(const struct axis_job &job,
                        const axis_tile<typename ACC::S> &tile,
                        const struct tile_place &place)
{
    const struct axis_plan &p = job.plan;
    const uint32_t lanes_log = p.lanes_log, lanes = 1u << lanes_log;
    const uint32_t tasks = place.outputs << lanes_log;
    uint32_t task = threadIdx.x;
    if (p.short_rows && reduce_rows<ACC, VECTORS, 1, 8>(job, tile, place))
        return; // otherwise all are reduced again; a result has one lane
    for (; task / 32 * 32 < tasks; task += AXIS_TILE_THREADS) {
        const uint32_t output = task >> lanes_log, rank = task & (lanes - 1);
        ACC acc;
        acc.init();
        if (output < place.outputs)
            add_part_plainly<ACC, VECTORS>(&acc, job, tile, place.skip, output,
                                           rank);
        merge_lanes(&acc, (int)lanes);
        if (rank == 0 && output < place.outputs)
            acc.store(job, place.output + output);
    }
}

// The barrier has two purposes: all threads see all copies of a tile, and no
// thread still reads the tile that the next copies replace.
template <class ACC, bool VECTORS>
__global__ __launch_bounds__(AXIS_TILE_THREADS,
                             6) void axis_tiles(struct axis_job job)
{
    typedef typename ACC::S S;
    __shared__ axis_tile<S> tiles[2];
    const uint64_t outputs = (uint64_t)gridDim.x * job.plan.tile_outputs;
    const uint64_t elements = outputs * job.shape.length;
    const uint64_t first = (uint64_t)blockIdx.x * job.plan.tile_outputs;
    struct tile_place next = {0, 0, 0, 0, 0, 0};
    move_tile<S>(&next, job, first, first * job.shape.length);
    if (next.output < job.plan.outputs)
        copy_tile(&tiles[0], job, next);
    for (int stage = 0; next.output < job.plan.outputs; stage ^= 1) {
        const struct tile_place now = next;
        move_tile<S>(&next, job, outputs, elements);
        __pipeline_wait_prior(0);
        __syncthreads();
        if (next.output < job.plan.outputs)
            copy_tile(&tiles[stage ^ 1], job, next);
        reduce_tile<ACC, VECTORS>(job, tiles[stage], now);
    }
}
