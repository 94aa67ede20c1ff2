// SPDX-License-Identifier: MIT
//
// Least and greatest with their first index. On the way a thread keeps of its
// extremes only in which tile they first were: a comparison and two selects a
// tile, whatever the order of the data. Tiles are in the order of indexes, so
// a block, once it knows its extremes, looks for the first index in only the
// tiles that won, and only the threads look whose extremes they are.
#include "order.cuh"
#include "record.cuh"

constexpr int UNROLL = EXTREMA.unroll;

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

    __device__ __forceinline__ struct record take() const
    {
        return {{O::wide(low), ~O::wide(high)}, nans,
                {low_tile, high_tile, nan_tile}, {0, 0, 0}};
    }
};

// Where in a tile the first of the thread's elements is that has a key, or is
// NaN.
template <enum dtype D, bool MAGNITUDE>
__device__ __forceinline__ uint32_t place_of(
    const typename element<D>::storage *data, size_t n, size_t tile,
    uint64_t key, bool nan)
{
    typedef order<D, MAGNITUDE> O;
    typedef typename O::S S;
    constexpr size_t size = tile_size<S, UNROLL>, lanes = 16 / O::size;
    const size_t begin = tile * size, whole = n / lanes * lanes;
    const size_t mine = begin + threadIdx.x * lanes;
    uint32_t place = NO_TILE;
    auto look = [&](S bits, size_t i) {
        const typename O::K k = O::key(bits);
        if (nan ? !O::is_number(k) : O::is_number(k) && O::wide(k) == key)
            place = min(place, (uint32_t)(i - begin));
    };
    // All loaded first: one after the other they made 2^20 f32 take 7.5 us
    // instead of 5.2.
    vector16<S> v[UNROLL];
#pragma unroll
    for (int u = 0; u < UNROLL; u++) {
        const size_t i = mine + u * tile_stride<S>;
        if (i < whole)
            v[u].words = *reinterpret_cast<const uint4 *>(data + i);
    }
#pragma unroll
    for (int u = 0; u < UNROLL; u++) {
        const size_t i = mine + u * tile_stride<S>;
#pragma unroll
        for (int j = 0; j < (int)lanes; j++) {
            if (i < whole)
                look(v[u].at[j], i + j);
        }
    }
    const size_t rest = whole + threadIdx.x;
    if (rest < n && rest / size == tile)
        look(data[rest], rest);
    return place;
}

struct extrema_shared {
    struct record of_warp[THREADS / 32], of_block;
    uint32_t place[3];
};

// Finds the places of the block's record, which the first warp has; `mine` is
// a thread's, who looks only for what is its own.
template <enum dtype D, bool MAGNITUDE>
__device__ __forceinline__ void locate(
    const typename element<D>::storage *data, size_t n, struct record *r,
    const struct record &mine, struct extrema_shared *shared)
{
    if (threadIdx.x == 0)
        shared->of_block = *r;
    if (threadIdx.x < 3)
        shared->place[threadIdx.x] = NO_TILE;
    __syncthreads();
#pragma unroll 1
    for (int i = 0; i < 3; i++) {
        const size_t tile = shared->of_block.tile[i];
        const uint64_t key = shared->of_block.key[i == 1];
        // Not by index, which would put them in memory.
        const uint64_t my_key = i == 0 ? mine.key[0] : mine.key[1];
        const uint32_t my_tile = i == 0   ? mine.tile[0]
                                 : i == 1 ? mine.tile[1]
                                          : mine.tile[2];
        if (tile == NO_TILE || my_tile != tile || (i < 2 && my_key != key))
            continue;
        atomicMin(&shared->place[i],
                  place_of<D, MAGNITUDE>(data, n, tile, i == 0 ? key : ~key,
                                         i == 2));
    }
    __syncthreads();
    for (int i = 0; i < 3; i++)
        r->place[i] = shared->place[i];
}

template <enum dtype D, bool MAGNITUDE>
__device__ __forceinline__ void write(const typename element<D>::storage *data,
                                      size_t n, const struct record &r,
                                      struct extrema *out)
{
    typedef order<D, MAGNITUDE> O;
    constexpr size_t size = tile_size<typename O::S, UNROLL>;
    extrema_init(out);
    if (n == 0)
        return;
    out->nans = r.nans;
    if (r.tile[2] != NO_TILE)
        out->first_nan = r.tile[2] * size + r.place[2];
    if (r.tile[0] == NO_TILE)
        return;
    out->min.index = r.tile[0] * size + r.place[0];
    out->max.index = r.tile[1] * size + r.place[1];
    out->min.key = r.key[0];
    out->max.key = ~r.key[1];
    out->min.bits = O::bits(out->min.key, data + out->min.index);
    out->max.bits = O::bits(out->max.key, data + out->max.index);
}

template <enum dtype D, bool MAGNITUDE>
__global__ __launch_bounds__(THREADS, blocks_of(EXTREMA)) void extrema_kernel(
    const typename element<D>::storage *data, size_t n, struct extrema *out,
    struct record *of_block, unsigned *ticket)
{
    __shared__ struct extrema_shared shared;
    finder<D, MAGNITUDE> f;
    each_tile<UNROLL>(data, n, f);
    struct record r = f.take();
    block_merge(&r, shared.of_warp);
    locate<D, MAGNITUDE>(data, n, &r, f.take(), &shared);
    if (gridDim.x > 1) {
        if (threadIdx.x == 0)
            of_block[blockIdx.x] = r;
        if (!last_block(ticket))
            return;
        r = no_record();
        for (unsigned b = threadIdx.x; b < gridDim.x; b += THREADS)
            merge(&r, of_block[b]);
        block_merge(&r, shared.of_warp);
    }
    if (threadIdx.x == 0) {
        struct extrema x;
        write<D, MAGNITUDE>(data, n, r, &x);
        *out = x;
    }
}

template <enum dtype D, bool MAGNITUDE>
static cudaError_t launch(const struct gpu_chunk *c, cudaStream_t stream)
{
    typedef typename element<D>::storage S;
    constexpr int monoid = MAGNITUDE ? MONOID_absextrema : MONOID_extrema;
    constexpr bool differs = MAGNITUDE && order<D, true>::magnitude;
    const int blocks =
        blocks_for(extrema_kernel<D, differs>, c->n, sizeof(S), EXTREMA);
    extrema_kernel<D, differs><<<blocks, THREADS, 0, stream>>>(
        (const S *)c->data, c->n, &c->result->extrema[MAGNITUDE],
        (struct record *)c->scratch, &c->result->ticket[monoid]);
    return cudaGetLastError();
}

#define VALUES(name, ...) launch<DTYPE_##name, false>,
#define MAGNITUDES(name, ...) launch<DTYPE_##name, true>,
launch_fn *const extrema_launchers[2][DTYPES_END] = {{DTYPES(VALUES)},
                                                     {DTYPES(MAGNITUDES)}};
