// SPDX-License-Identifier: MIT
//
// Copies tiles of whole slabs into shared memory.
#pragma once

#include <cuda_pipeline_primitives.h>

#include "kernels/axis/launch.h"
#include "kernels/common/tiles.cuh"

template <class S> struct axis_tile {
    static constexpr int lanes = 16 / (int)sizeof(S);
    uint4 vector[AXIS_TILE_VECTORS];

    DEVICE const S &at(uint32_t e) const
    {
        return ((const S *)vector)[e];
    }
};

// The place of a tile in the data. It starts with the line of memory that has
// its first element, `skip` elements into that line: copies of a warp that do
// not begin with a line take a tenth longer. `vectors` does not count the last
// vector of the data if that is short.
struct tile_place {
    uint64_t output, element; // the first
    uint32_t vectors, elements, outputs, skip;
};

// Moves the place on by so many results.
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
    place->skip = (uint32_t)place->element % (AXIS_LINE / sizeof(S));
    place->elements = place->skip + place->outputs * (uint32_t)job.shape.length;
    const uint64_t whole =
        p.elements / lanes - (place->element - place->skip) / lanes;
    place->vectors = (place->elements + lanes - 1) / lanes;
    if (whole < place->vectors)
        place->vectors = (uint32_t)whole;
}

template <bool PADDED>
DEVICE void copy_vector(uint4 *to, const struct axis_job &job,
                        const uint4 *from, uint32_t head, uint32_t i)
{
    const uint32_t at = i > head ? i - head : 0;
    const uint32_t slabs = PADDED ? __umulhi(at, job.plan.slab_magic) : 0;
    __pipeline_memcpy_async(to + i + slabs * job.plan.pad, from + i, 16);
}

// Starts the asynchronous copies of the thread's vectors.
template <class S, bool PADDED>
DEVICE void copy_vectors(axis_tile<S> *tile, const struct axis_job &job,
                         const struct tile_place &place)
{
    constexpr int unroll = 3;
    const uint32_t head = place.skip / tile->lanes;
    const uint4 *from =
        (const uint4 *)((const S *)job.data + (place.element - place.skip));
    uint32_t i = threadIdx.x;
    for (; i + (unroll - 1) * AXIS_TILE_THREADS < place.vectors;
         i += unroll * AXIS_TILE_THREADS)
#pragma unroll
        for (int u = 0; u < unroll; u++)
            copy_vector<PADDED>(tile->vector, job, from, head,
                                i + u * AXIS_TILE_THREADS);
    for (; i < place.vectors; i += AXIS_TILE_THREADS)
        copy_vector<PADDED>(tile->vector, job, from, head, i);
}

// Stores the elements of a short vector; the thread copies them itself.
template <class S>
DEVICE void copy_tile(axis_tile<S> *tile, const struct axis_job &job,
                      const struct tile_place &place)
{
    const uint32_t e = place.vectors * tile->lanes + threadIdx.x;
    if (job.plan.pad)
        copy_vectors<S, true>(tile, job, place);
    else
        copy_vectors<S, false>(tile, job, place);
    if (e < place.elements)
        ((S *)tile->vector)[e] =
            ((const S *)job.data)[place.element - place.skip + e];
    __pipeline_commit();
}
