// SPDX-License-Identifier: MIT
// The kernels of exact float sums, for any accumulator ACC (exact.cuh), and
// their launcher.
#pragma once

#include "kernels/reduce/exact.cuh"
#include "kernels/common/source.cuh"

template <class ACC>
KERNEL(ACC::shape)
void exact_kernel(source<typename ACC::S> from, size_t n,
                  struct gpu_result *result)
{
    const auto *data = take<typename ACC::S>(from, &n, &result);
    if (over_columns && n == 0)
        return;
    __shared__ typename ACC::shared_type shared;
    ACC sums(result, &shared);
    each_tile<ACC::unroll>(data, n, sums);
    sums.finish(n);
}

// Used if there are so few tiles that each has a block of its own: the kernel
// has no loop, and no code that runs between two tiles.
template <class ACC>
KERNEL(ACC::shape)
void exact_once_kernel(const typename ACC::S *data, size_t n,
                       struct gpu_result *result)
{
    typedef typename ACC::S S;
    __shared__ typename ACC::shared_type shared;
    ACC sums(result, &shared);
    const size_t t = blockIdx.x;
    if (t < tiles_of<S, ACC::unroll>(n)) {
        vector16<S> v[ACC::unroll];
        const int present = load_tile<ACC::unroll>(data, n, t, sums, v);
        const size_t at =
            t * tile_size<S, ACC::unroll> + threadIdx.x * ACC::lanes;
        sums.only_tile(v, data, at, present);
    }
    if (n % ACC::lanes)
        rest_of_tile<ACC::unroll>(data, n, t, sums);
    sums.finish(n);
}

template <class ACC>
static cudaError_t launch_once(const struct gpu_chunk *c, cudaStream_t stream)
{
    typedef typename ACC::S S;
    const unsigned tiles = (unsigned)tiles_for<S, ACC::unroll>(c->n);
    exact_once_kernel<ACC>
        <<<tiles, THREADS, 0, stream>>>((const S *)c->data, c->n, c->result);
    return cudaGetLastError();
}

// SMALL is ACC with tiles of one vector a thread.
template <class ACC, class SMALL>
static cudaError_t launch_exact(const struct gpu_chunk *c, cudaStream_t stream)
{
    typedef typename ACC::S S;
    if constexpr (!over_columns) {
        if (c->n <= ONCE_SMALL_TILES * tile_size<S, 1>)
            return launch_once<SMALL>(c, stream);
        if (c->n <= ONCE_TILES * tile_size<S, ACC::unroll>)
            return launch_once<ACC>(c, stream);
    }
    if constexpr (has_type<ACC::dtype>)
        return start<S>(exact_kernel<ACC>, ACC::shape, c, stream, c->result);
    return cudaErrorNotSupported;
}
