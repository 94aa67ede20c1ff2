// SPDX-License-Identifier: MIT
//
// Least and greatest with their first index. On the way a thread keeps of its
// extremes only in which tile they first were: two selects a tile, whatever the
// order of the data. Tiles are in the order of indexes, so the last block,
// which merges all, looks for the first index in just the tiles that won.
#include <climits>

#include "order.cuh"

constexpr int UNROLL = EXTREMA.unroll;
constexpr uint32_t NO_TILE = ~0u;

template <class S>
__device__ __forceinline__ uint32_t tile_of(size_t index)
{
    return (uint32_t)(index / tile_size<S, UNROLL>);
}

template <enum dtype D, bool MAGNITUDE> struct finder {
    typedef order<D, MAGNITUDE> O;
    typedef typename O::S S;
    typedef typename O::K K;
    // Integers need not beat what they start from: it is one of them.
    K low = O::greatest, high = O::least;
    uint32_t low_tile = O::has_nan ? NO_TILE : blockIdx.x;
    uint32_t high_tile = O::has_nan ? NO_TILE : blockIdx.x;
    uint32_t nan_tile = NO_TILE;
    uint64_t nans = 0;

    static __device__ __forceinline__ uint4 missing(uint4 words)
    {
        return words; // an element twice changes no extreme
    }

    __device__ __forceinline__ void keep(K least, K most, uint32_t tile)
    {
        least = O::equal(least);
        most = O::equal(most);
        if (least < low) {
            low = least;
            low_tile = tile;
        }
        if (most > high) {
            high = most;
            high_tile = tile;
        }
    }

    __device__ __forceinline__ void tile(const vector16<S> *v, const S *,
                                         size_t first, int present)
    {
        K least, most;
        extremes_of<D, MAGNITUDE, UNROLL>(v, &least, &most);
        const uint32_t tile = tile_of<S>(first);
        if (!O::is_number(least) || !O::is_number(most))
            only_numbers(v, present, tile, &least, &most);
        keep(least, most, tile);
    }

    // Where there are NaN: counts them. No number leaves what beats nothing.
    __device__ __forceinline__ void only_numbers(const vector16<S> *v,
                                                 int present, uint32_t tile,
                                                 K *least, K *most)
    {
        *least = O::greatest;
        *most = O::least;
        nan_tile = min(nan_tile, tile);
#pragma unroll
        for (int u = 0; u < UNROLL; u++) {
#pragma unroll
            for (int j = 0; j < 16 / O::size; j++) {
                const K k = O::key(v[u].at[j]);
                if (O::is_number(k)) {
                    *least = min(*least, k);
                    *most = max(*most, k);
                } else {
                    nans += u < present;
                }
            }
        }
    }

    __device__ __forceinline__ void one(S v, size_t i)
    {
        const K k = O::key(v);
        if (O::is_number(k)) {
            keep(k, k, tile_of<S>(i));
        } else {
            nan_tile = min(nan_tile, tile_of<S>(i));
            nans++;
        }
    }

    // With tiles for indexes, and no bits.
    __device__ __forceinline__ void take(struct extrema *x) const
    {
        extrema_init(x);
        x->nans = nans;
        if (nan_tile != NO_TILE)
            x->first_nan = nan_tile;
        if (low_tile != NO_TILE) {
            x->min.key = O::wide(low);
            x->min.index = low_tile;
            x->max.key = O::wide(high);
            x->max.index = high_tile;
        }
    }
};

// Looks through a tile for the first element of a key, or the first NaN.
template <enum dtype D, bool MAGNITUDE> struct locator {
    typedef order<D, MAGNITUDE> O;
    typedef typename O::S S;
    uint64_t key;
    bool nan;
    size_t begin; // of the tile
    int place;    // in it

    static __device__ __forceinline__ uint4 missing(uint4 words)
    {
        return words;
    }

    __device__ __forceinline__ void one(S v, size_t i)
    {
        const typename O::K k = O::key(v);
        const bool hit = nan ? !O::is_number(k)
                             : O::is_number(k) && O::wide(k) == key;
        if (hit)
            place = min(place, (int)(i - begin));
    }

    __device__ __forceinline__ void tile(const vector16<S> *v, const S *,
                                         size_t first, int present)
    {
#pragma unroll
        for (int u = 0; u < UNROLL; u++) {
#pragma unroll
            for (int j = 0; j < 16 / O::size; j++) {
                if (u < present)
                    one(v[u].at[j], first + u * tile_stride<S> + j);
            }
        }
    }
};

// The index of the first in a tile, in every thread.
template <enum dtype D, bool MAGNITUDE>
__device__ uint64_t locate(const typename element<D>::storage *data, size_t n,
                           uint64_t tile, uint64_t key, bool nan,
                           int64_t *words)
{
    typedef typename element<D>::storage S;
    locator<D, MAGNITUDE> l = {key, nan, tile * tile_size<S, UNROLL>, INT_MAX};
    if (tile < n / tile_size<S, UNROLL>)
        whole_tile<UNROLL>(data, tile, l);
    else
        last_tile<UNROLL>(data, n, tile, l);
    return l.begin - block_max(-l.place, words);
}

__device__ __forceinline__ struct extremum shuffle(struct extremum e, int s)
{
    e.key = shuffle_down(e.key, s);
    e.bits = shuffle_down(e.bits, s);
    e.index = shuffle_down(e.index, s);
    return e;
}

// The merge over the block, in thread 0.
static __device__ void block_extrema(struct extrema *x,
                                     struct extrema *shared)
{
    for (int s = 16; s > 0; s /= 2) {
        struct extrema y;
        y.nans = shuffle_down(x->nans, s);
        y.first_nan = shuffle_down(x->first_nan, s);
        y.min = shuffle(x->min, s);
        y.max = shuffle(x->max, s);
        extrema_merge(x, &y);
    }
    __syncthreads();
    if (threadIdx.x % 32 == 0)
        shared[threadIdx.x / 32] = *x;
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int w = 1; w < THREADS / 32; w++)
            extrema_merge(x, &shared[w]);
    }
}


// Puts indexes and bits in the place of tiles, in shared memory; the whole
// block calls it, and thread 0 has the result.
template <enum dtype D, bool MAGNITUDE>
static __device__ void from_tiles(const typename element<D>::storage *data,
                                  size_t n, struct extrema *x, int64_t *words)
{
    if (x->first_nan != INDEX_NONE) {
        const uint64_t first =
            locate<D, MAGNITUDE>(data, n, x->first_nan, 0, true, words);
        if (threadIdx.x == 0)
            x->first_nan = first;
    }
    if (x->min.index == INDEX_NONE)
        return;
#pragma unroll 1
    for (int i = 0; i < 2; i++) {
        struct extremum *e = i ? &x->max : &x->min;
        const uint64_t first =
            locate<D, MAGNITUDE>(data, n, e->index, e->key, false, words);
        if (threadIdx.x == 0) {
            e->index = first;
            e->bits = order<D, MAGNITUDE>::bits(data[first]);
        }
    }
}

template <enum dtype D, bool MAGNITUDE>
__global__ __launch_bounds__(THREADS, EXTREMA.resident) void extrema_kernel(
    const typename element<D>::storage *data, size_t n, struct extrema *out,
    struct extrema *of_block, unsigned *ticket)
{
    __shared__ struct extrema shared[THREADS / 32];
    __shared__ int64_t words[THREADS / 32];
    struct extrema x;
    finder<D, MAGNITUDE> f;
    each_tile<UNROLL>(data, n, f);
    f.take(&x);
    block_extrema(&x, shared);
    if (threadIdx.x == 0)
        of_block[blockIdx.x] = x;
    if (!last_block(ticket))
        return;
    extrema_init(&x);
    for (unsigned b = threadIdx.x; n > 0 && b < gridDim.x; b += THREADS)
        extrema_merge(&x, &of_block[b]);
    block_extrema(&x, shared);
    if (threadIdx.x == 0)
        *shared = x;
    __syncthreads();
    from_tiles<D, MAGNITUDE>(data, n, shared, words);
    if (threadIdx.x == 0)
        *out = *shared;
}

template <enum dtype D, bool MAGNITUDE>
static cudaError_t launch(const struct gpu_chunk *c, cudaStream_t stream)
{
    typedef typename element<D>::storage S;
    constexpr int monoid = MAGNITUDE ? MONOID_absextrema : MONOID_extrema;
    constexpr bool differs = MAGNITUDE && order<D, true>::magnitude;
    const int blocks = grid_for(c->n, sizeof(S), UNROLL, EXTREMA.grid);
    extrema_kernel<D, differs><<<blocks, THREADS, 0, stream>>>(
        (const S *)c->data, c->n, &c->result->extrema[MAGNITUDE],
        (struct extrema *)c->scratch, &c->result->ticket[monoid]);
    return cudaGetLastError();
}

#define VALUES(name, ...) launch<DTYPE_##name, false>,
#define MAGNITUDES(name, ...) launch<DTYPE_##name, true>,
launch_fn *const extrema_launchers[2][DTYPES_END] = {{DTYPES(VALUES)},
                                                     {DTYPES(MAGNITUDES)}};
