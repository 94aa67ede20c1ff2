// SPDX-License-Identifier: MIT
//
// Many short results: a block reads a tile of whole slabs, vector by vector,
// whatever their alignment, and keeps it in shared memory. Lanes then take the
// results, so many for each as the plan says, and step over its elements.
#pragma once

#include "kernels/axis/accumulate.cuh"

constexpr struct shape AXIS_TILE_SHAPE = {AXIS_TILE_VECTORS, 4, 1};

// The tile in shared memory: with padding, an element or a word for each 128
// bytes, it stays aligned to the larger of these two.
template <class S> struct axis_tile {
    static constexpr int lanes = 16 / (int)sizeof(S);
    static constexpr int pad_bytes = sizeof(S) < 4 ? 4 : (int)sizeof(S);
    alignas(16) unsigned char bytes[AXIS_TILE_BYTES / 128 * (128 + pad_bytes)];

    template <bool PADDED> DEVICE S &at(uint32_t e)
    {
        constexpr int line = 128 / (int)sizeof(S);
        constexpr int pad = pad_bytes / (int)sizeof(S);
        return ((S *)bytes)[PADDED ? e + e / line * pad : e];
    }

    // The vectors of the thread, of which the tile has those below `vectors`.
    // Padded, they are not aligned as vectors.
    DEVICE void put(const uint4 *v, uint32_t vectors, bool padded)
    {
        const uint32_t i = threadIdx.x;
        if (!padded) {
#pragma unroll
            for (int u = 0; u < AXIS_TILE_VECTORS; u++)
                if (i + u * THREADS < vectors)
                    ((uint4 *)bytes)[i + u * THREADS] = v[u];
            return;
        }
        uint32_t *to = (uint32_t *)(bytes + i * 16 + i / 8 * pad_bytes);
#pragma unroll
        for (int u = 0; u < AXIS_TILE_VECTORS; u++) {
            if (i + u * THREADS < vectors) {
                to[0] = v[u].x;
                to[1] = v[u].y;
                to[2] = v[u].z;
                to[3] = v[u].w;
            }
            to += THREADS * (128 + pad_bytes) / 32;
        }
    }
};

// Where a tile is in the data: it begins with the vector that has its first
// element, `skip` elements into it. The last vector of the data may be short,
// and is not among `vectors` then.
struct tile_place {
    uint64_t output, element; // the first
    uint32_t vectors, elements, outputs, skip;
};

// Moves on by that many results, and sees what is there.
template <class S>
DEVICE void move_tile(struct tile_place *place, const struct axis_job &job,
                      uint64_t outputs, uint64_t elements)
{
    constexpr unsigned lanes = 16 / sizeof(S);
    const struct axis_plan &p = job.plan;
    place->output += outputs;
    place->element += elements;
    if (place->output >= p.outputs)
        return;
    const uint64_t left = p.outputs - place->output;
    place->outputs = left < p.tile_outputs ? (uint32_t)left : p.tile_outputs;
    place->skip = (uint32_t)place->element % lanes;
    place->elements = place->skip + place->outputs * (uint32_t)job.shape.length;
    const uint64_t whole = p.elements / lanes - place->element / lanes;
    place->vectors = (place->elements + lanes - 1) / lanes;
    if (whole < place->vectors)
        place->vectors = (uint32_t)whole;
}

template <class S>
DEVICE void load_tile_at(const struct axis_job &job,
                         const struct tile_place &place, uint4 *v)
{
    const uint4 *from =
        (const uint4 *)((const S *)job.data + (place.element - place.skip)) +
        threadIdx.x;
#pragma unroll
    for (int u = 0; u < AXIS_TILE_VECTORS; u++)
        if (threadIdx.x + u * THREADS < place.vectors)
            v[u] = __ldcs(from + u * THREADS);
}

// The elements of a vector that is short.
template <class S>
DEVICE void put_rest(axis_tile<S> &tile, const struct axis_job &job,
                     const struct tile_place &place)
{
    constexpr unsigned lanes = 16 / sizeof(S);
    const uint32_t e = place.vectors * lanes + threadIdx.x;
    if (e < place.elements)
        (job.plan.pad ? tile.template at<true>(e)
                      : tile.template at<false>(e)) =
            ((const S *)job.data)[place.element - place.skip + e];
}

// The elements of a result: those that are missing up to a multiple of a few
// are taken in smaller groups.
template <class ACC, bool PADDED> struct tile_elements {
    typedef typename ACC::S S;
    axis_tile<S> &tile;
    uint32_t e, row, lanes_log, step;

    template <int N> DEVICE void group(ACC *acc)
    {
        S x[N];
#pragma unroll
        for (int i = 0; i < N; i++)
            x[i] = tile.template at<PADDED>(e + i * step);
        acc->template group<N>(x, row, 1u << lanes_log);
        e += N * step;
        row += N << lanes_log;
    }

    DEVICE void all(ACC *acc, uint32_t length)
    {
        const uint32_t lanes = 1u << lanes_log;
        uint32_t left = (length - row + lanes - 1) >> lanes_log;
        for (; left >= 4; left -= 4)
            group<4>(acc);
        if (left >= 2)
            group<2>(acc);
        if (left % 2)
            group<1>(acc);
    }
};

// From `row` on, in steps of a result's lanes; `e` is where the first is in the
// tile.
template <class ACC>
DEVICE void add_elements(ACC *acc, const struct axis_job &job,
                         axis_tile<typename ACC::S> &tile, uint32_t e,
                         uint32_t row)
{
    const uint32_t length = (uint32_t)job.shape.length;
    const uint32_t lanes = job.plan.lanes_log;
    const uint32_t step = (uint32_t)job.shape.inner << lanes;
    if (row >= length)
        return;
    if (job.plan.pad)
        tile_elements<ACC, true>{tile, e, row, lanes, step}.all(acc, length);
    else
        tile_elements<ACC, false>{tile, e, row, lanes, step}.all(acc, length);
}

// All results of a tile. A warp's lanes go through the loop together.
template <class ACC>
DEVICE void reduce_tile(const struct axis_job &job,
                        axis_tile<typename ACC::S> &tile,
                        const struct tile_place &place)
{
    const struct axis_plan &p = job.plan;
    const uint32_t lanes = 1u << p.lanes_log;
    const uint32_t inner = (uint32_t)job.shape.inner;
    const uint32_t tasks = place.outputs << p.lanes_log;
    for (uint32_t task = threadIdx.x; task / 32 * 32 < tasks; task += THREADS) {
        const uint32_t output = task >> p.lanes_log, row = task & (lanes - 1);
        ACC acc;
        acc.init();
        if (output < place.outputs) {
            const uint32_t o = p.magic ? __umulhi(output, p.magic) : output;
            const uint32_t i = output - o * inner;
            const uint32_t e = place.skip + o * (uint32_t)p.slab + i;
            add_elements(&acc, job, tile, e + row * inner, row);
        }
        merge_lanes(&acc, (int)lanes);
        if (row == 0 && output < place.outputs)
            acc.store(job, place.output + output);
    }
}

// The next tile is read while this one is reduced.
template <class ACC>
KERNEL(AXIS_TILE_SHAPE)
void axis_tiles(struct axis_job job)
{
    typedef typename ACC::S S;
    __shared__ axis_tile<S> tile;
    uint4 v[AXIS_TILE_VECTORS];
    const uint64_t outputs = (uint64_t)gridDim.x * job.plan.tile_outputs;
    const uint64_t elements = outputs * job.shape.length;
    const uint64_t first = (uint64_t)blockIdx.x * job.plan.tile_outputs;
    struct tile_place place = {0, 0, 0, 0, 0, 0};
    move_tile<S>(&place, job, first, first * job.shape.length);
    if (place.output < job.plan.outputs)
        load_tile_at<S>(job, place, v);
    while (place.output < job.plan.outputs) {
        const struct tile_place now = place;
        __syncthreads();
        tile.put(v, now.vectors, job.plan.pad != 0);
        put_rest(tile, job, now);
        __syncthreads();
        move_tile<S>(&place, job, outputs, elements);
        if (place.output < job.plan.outputs)
            load_tile_at<S>(job, place, v);
        reduce_tile<ACC>(job, tile, now);
    }
}
