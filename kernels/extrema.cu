// SPDX-License-Identifier: MIT
//
// Least and greatest with their first index. On the way a thread keeps of its
// extremes only in which tile they first were: two selects a tile, whatever the
// order of the data. Tiles are in the order of indexes, so the last block,
// which merges all, looks for the first index in just the tiles that won.
#include "order.cuh"

constexpr int UNROLL = EXTREMA.unroll;
constexpr uint32_t NO_TILE = ~0u;

template <class S>
__device__ __forceinline__ uint32_t tile_of(size_t index)
{
    return (uint32_t)(index / tile_size<S, UNROLL>);
}

// What a thread, a warp, a block and the grid come to. Keys are as struct
// extremum has them, the greatest inverted: of both the least wins, and of the
// same key the first tile.
struct record {
    uint64_t key[2], nans;
    uint32_t tile[3]; // of the two, and of the first NaN
};

__device__ __forceinline__ struct record no_record()
{
    return {{~0ull, ~0ull}, 0, {NO_TILE, NO_TILE, NO_TILE}};
}

__device__ __forceinline__ void merge(struct record *r, const struct record &x)
{
    for (int i = 0; i < 2; i++) {
        if (x.key[i] < r->key[i] ||
            (x.key[i] == r->key[i] && x.tile[i] < r->tile[i])) {
            r->key[i] = x.key[i];
            r->tile[i] = x.tile[i];
        }
    }
    r->nans += x.nans;
    r->tile[2] = min(r->tile[2], x.tile[2]);
}

// Over the warp, in every lane.
__device__ __forceinline__ void warp_merge(struct record *r)
{
    for (int i = 0; i < 2; i++) {
        const uint32_t high = (uint32_t)(r->key[i] >> 32);
        const uint32_t low = (uint32_t)r->key[i];
        const uint32_t least = warp_min(high);
        const uint32_t below = warp_min(high == least ? low : ~0u);
        const bool mine = high == least && low == below;
        r->tile[i] = warp_min(mine ? r->tile[i] : NO_TILE);
        r->key[i] = (uint64_t)least << 32 | below;
    }
    r->tile[2] = warp_min(r->tile[2]);
    if (r->tile[2] == NO_TILE)
        return;
    for (int s = 16; s > 0; s /= 2)
        r->nans += __shfl_xor_sync(~0u, (unsigned long long)r->nans, s);
}

// Over the block, in every lane of the first warp.
static __device__ void block_merge(struct record *r, struct record *shared)
{
    const int lane = threadIdx.x % 32;
    warp_merge(r);
    __syncthreads();
    if (lane == 0)
        shared[threadIdx.x / 32] = *r;
    __syncthreads();
    if (threadIdx.x >= 32)
        return;
    *r = lane < THREADS / 32 ? shared[lane] : no_record();
    warp_merge(r);
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
                {low_tile, high_tile, nan_tile}};
    }
};

// Looks through a tile for the first element of a key, or the first NaN.
template <enum dtype D, bool MAGNITUDE> struct locator {
    typedef order<D, MAGNITUDE> O;
    typedef typename O::S S;
    uint64_t key;
    bool nan;
    size_t begin;   // of the tile
    uint32_t place; // in it

    static __device__ __forceinline__ uint4 missing(uint4 words)
    {
        return words;
    }

    __device__ __forceinline__ void one(S v, size_t i)
    {
        const typename O::K k = O::key(v);
        if (nan ? !O::is_number(k) : O::is_number(k) && O::wide(k) == key)
            place = min(place, (uint32_t)(i - begin));
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

// Where in its tile a record's extreme i, or first NaN, is; over the warp.
template <enum dtype D, bool MAGNITUDE>
__device__ __forceinline__ uint32_t locate(
    const typename element<D>::storage *data, size_t n, const struct record &r,
    int i)
{
    typedef typename element<D>::storage S;
    constexpr size_t size = tile_size<S, UNROLL>;
    const size_t tile = r.tile[i];
    const uint64_t key = i == 0 ? r.key[0] : ~r.key[1];
    locator<D, MAGNITUDE> l = {key, i == 2, tile * size, NO_TILE};
    if (tile < n / size)
        whole_tile<UNROLL>(data, tile, l);
    else
        last_tile<UNROLL>(data, n, tile, l);
    return warp_min(l.place);
}

static_assert(sizeof(struct record) <= sizeof(struct extrema), "the scratch");

struct extrema_shared {
    struct record of_warp[THREADS / 32];
    struct record all; // of the grid
    uint32_t place[3];
};

// The whole block calls it, thread 0 with the record of all.
template <enum dtype D, bool MAGNITUDE>
static __device__ void write(const typename element<D>::storage *data, size_t n,
                             struct record r, struct extrema_shared *shared,
                             struct extrema *out)
{
    typedef typename element<D>::storage S;
    const int i = threadIdx.x;
    if (i == 0)
        shared->all = n > 0 ? r : no_record();
    if (i < 3)
        shared->place[i] = NO_TILE;
    __syncthreads();
#pragma unroll 1
    for (int k = 0; k < 3; k++) {
        if (shared->all.tile[k] == NO_TILE)
            continue;
        const uint32_t place = locate<D, MAGNITUDE>(data, n, shared->all, k);
        if (threadIdx.x % 32 == 0)
            atomicMin(&shared->place[k], place);
    }
    __syncthreads();
    if (i >= 3)
        return;
    const uint64_t tile = shared->all.tile[i];
    const bool none = tile == NO_TILE;
    const uint64_t index =
        none ? INDEX_NONE : tile * tile_size<S, UNROLL> + shared->place[i];
    if (i == 2) {
        out->nans = shared->all.nans;
        out->first_nan = index;
        return;
    }
    struct extremum e = {i ? 0 : UINT64_MAX, 0, index};
    if (!none) {
        e.key = i ? ~shared->all.key[1] : shared->all.key[0];
        e.bits = order<D, MAGNITUDE>::bits(data[index]);
    }
    *(i ? &out->max : &out->min) = e;
}

template <enum dtype D, bool MAGNITUDE>
__global__ __launch_bounds__(THREADS, EXTREMA.resident) void extrema_kernel(
    const typename element<D>::storage *data, size_t n, struct extrema *out,
    struct record *of_block, unsigned *ticket)
{
    __shared__ struct extrema_shared shared;
    finder<D, MAGNITUDE> f;
    each_tile<UNROLL>(data, n, f);
    struct record r = f.take();
    block_merge(&r, shared.of_warp);
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
    write<D, MAGNITUDE>(data, n, r, &shared, out);
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
