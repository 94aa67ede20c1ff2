// SPDX-License-Identifier: MIT
//
// An accumulator of an axis is one result, or a part of it, in a thread.
//
//     typedef S                    the elements' storage
//     positions                    whether it keeps indexes
//     init()                       of nothing
//     one(x, index)                adds element `index` along the axis
//     group<N>(x, index, step)     N elements, `step` apart along the axis
//     whole<N>(x, job, output)     stores the result of N elements; or false
//     merge(other)
//     move(first)                  it began at index `first` and not at 0
//     store(job, output)           the result, in the arrays of the job
//     typedef plain                void, or an accumulator that lanes try first
//                                  in its stead: then take(plain, n) and
//                                  merge_plainly(lanes) return false if they
//                                  cannot do what their names say
//
// A thread adds elements in ascending order of their indexes. An accumulator is
// stored as it is as a partial result, so it must be plain 32-bit words.
#pragma once

#include <type_traits>

#include "kernels/axis/launch.h"
#include "kernels/common/tiles.cuh"

template <class ACC>
constexpr bool has_plain = !std::is_void<typename ACC::plain>::value;

template <class ACC> DEVICE ACC shuffled_down(const ACC &acc, int lanes)
{
    constexpr int words = sizeof(ACC) / 4;
    static_assert(sizeof(ACC) % 4 == 0 && sizeof(ACC) <= AXIS_PARTIAL_BYTES,
                  "a partial result");
    uint32_t word[words];
    ACC other;
    memcpy(word, &acc, sizeof acc);
#pragma unroll
    for (int i = 0; i < words; i++)
        word[i] = __shfl_down_sync(~0u, word[i], lanes);
    memcpy(&other, word, sizeof other);
    return other;
}

// A `whole` that adds the elements one after another.
template <class ACC, int N>
DEVICE bool whole_of_group(const typename ACC::S *x, const struct axis_job &job,
                           uint64_t output)
{
    ACC acc;
    acc.init();
    acc.template group<N>(x, 0, 1);
    acc.store(job, output);
    return true;
}

// Calls whole<n> for an n in [FROM, FROM + COUNT) that is known at run time
// only. Elements of `x` from n on may have any value.
template <class ACC, int FROM, int COUNT>
DEVICE bool whole_of_few(const typename ACC::S *x, uint32_t n,
                         const struct axis_job &job, uint64_t output)
{
    if constexpr (COUNT == 1)
        return ACC::template whole<FROM>(x, job, output);
    else if (n < FROM + COUNT / 2)
        return whole_of_few<ACC, FROM, COUNT / 2>(x, n, job, output);
    else
        return whole_of_few<ACC, FROM + COUNT / 2, COUNT - COUNT / 2>(x, n, job,
                                                                      output);
}

// Adds the elements of vectors that are `step` elements apart. Groups of eight
// cost least. An accumulator with positions takes the adjacent elements of one
// vector at a time.
template <class ACC, int VECTORS>
DEVICE void add_loaded(ACC *acc, const vector16<typename ACC::S> *v,
                       uint32_t index, uint32_t step)
{
    typedef typename ACC::S S;
    constexpr int size = 16 / (int)sizeof(S), n = VECTORS * size;
    constexpr int most = n < 8 ? n : 8,
                  N = ACC::positions && size < most ? size : most;
    S x[n];
#pragma unroll
    for (int i = 0; i < n; i++)
        x[i] = v[i / size].at[i % size];
#pragma unroll
    for (int i = 0; i < n; i += N)
        acc->template group<N>(x + i, index + i / size * step + i % size, 1);
}

// Merges the accumulators of `lanes` adjoining lanes, a power of two, into that
// of the first lane.
template <class ACC> DEVICE void merge_lanes(ACC *acc, int lanes)
{
    if constexpr (has_plain<ACC>)
        if (lanes > 1 && acc->merge_plainly(lanes))
            return;
    for (int s = lanes / 2; s > 0; s /= 2)
        acc->merge(shuffled_down(*acc, s));
}

// The same over the block, into thread 0. All threads of the block call it.
// `shared` has room for one accumulator a warp; a barrier must separate two
// uses of it.
template <class ACC> DEVICE void merge_block(ACC *acc, ACC *shared)
{
    merge_lanes(acc, 32);
    if (threadIdx.x % 32 == 0)
        shared[threadIdx.x / 32] = *acc;
    __syncthreads();
    if (threadIdx.x < 32) {
        if (threadIdx.x < THREADS / 32)
            *acc = shared[threadIdx.x];
        merge_lanes(acc, THREADS / 32);
    }
}

// Shared memory in which a block merges its partial results. It has no
// constructor, since shared memory cannot run one.
template <class ACC> union room_of {
    uint64_t align;
    unsigned char bytes[sizeof(ACC)];
};

template <class T> DEVICE void store_if_wanted(T *to, uint64_t at, T x)
{
    if (to)
        to[at] = x;
}
