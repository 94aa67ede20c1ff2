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
// NaN. Apart from the kernel's code, whose loop else spills for it.
template <enum dtype D, bool MAGNITUDE, bool OF_NAN>
__device__ __noinline__ uint32_t
place_of(const typename element<D>::storage *data, size_t n, size_t tile,
         typename order<D, MAGNITUDE>::K key)
{
    typedef order<D, MAGNITUDE> O;
    typedef typename O::S S;
    constexpr size_t size = tile_size<S, UNROLL>, lanes = 16 / O::size;
    const size_t begin = tile * size, whole = n / lanes * lanes;
    const size_t mine = begin + threadIdx.x * lanes;
    // All loaded first: one after the other took 1.1 us more.
    vector16<S> v[UNROLL];
#pragma unroll
    for (int u = 0; u < UNROLL; u++) {
        const size_t i = mine + u * tile_stride<S>;
        if (i < whole)
            v[u].words = *reinterpret_cast<const uint4 *>(data + i);
    }
    uint32_t place = NO_TILE;
    const size_t rest = whole + threadIdx.x;
    if (rest < n && rest / size == tile &&
        O::template is<OF_NAN>(data[rest], key))
        place = (uint32_t)(rest - begin);
#pragma unroll
    for (int u = UNROLL - 1; u >= 0; u--) {
        const size_t i = mine + u * tile_stride<S>;
        if (i >= whole)
            continue;
#pragma unroll
        for (int j = (int)lanes - 1; j >= 0; j--) {
            if (O::template is<OF_NAN>(v[u].at[j], key))
                place = (uint32_t)(i - begin) + j;
        }
    }
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
    typedef order<D, MAGNITUDE> O;
    if (threadIdx.x == 0)
        shared->of_block = *r;
    if (threadIdx.x < 3)
        shared->place[threadIdx.x] = NO_TILE;
    __syncthreads();
    const struct record &all = shared->of_block;
#pragma unroll
    for (int i = 0; i < 2; i++) {
        if (all.tile[i] != NO_TILE && mine.tile[i] == all.tile[i] &&
            mine.key[i] == all.key[i])
            atomicMin(&shared->place[i],
                      place_of<D, MAGNITUDE, false>(
                          data, n, all.tile[i],
                          O::from_wide(i ? ~all.key[i] : all.key[i])));
    }
    if (O::has_nan && all.tile[2] != NO_TILE && mine.tile[2] == all.tile[2])
        atomicMin(&shared->place[2], place_of<D, MAGNITUDE, O::has_nan>(
                                         data, n, all.tile[2], 0));
    __syncthreads();
    for (int i = 0; i < 3; i++)
        r->place[i] = shared->place[i];
}

// The key tells the bits but for -0 and +0.
template <class O>
__device__ __forceinline__ uint64_t bits_of(const struct extremum &e,
                                            const typename O::S *data)
{
    const typename O::K k = O::from_wide(e.key);
    if (O::has_nan && !O::magnitude && k == 0)
        return (uint64_t)data[e.index];
    return (uint64_t)O::bits(k);
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
    out->min.bits = bits_of<O>(out->min, data);
    out->max.bits = bits_of<O>(out->max, data);
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
