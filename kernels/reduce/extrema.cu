// SPDX-License-Identifier: MIT
//
// Least and greatest elements with their first index. Each thread finds those
// of its tiles (finder.cuh); a block merges them and finds their places. Blocks
// are merged in one of two ways: by atomics on packed words or, if a key and an
// index do not fit a word, by records that the last block merges.
#include "kernels/common/source.cuh"
#include "kernels/reduce/wide_finder.cuh"

constexpr int UNROLL = EXTREMA.unroll;

// The bits of an extreme. Its key determines them, except that -0 and +0 have
// the same key.
template <class O>
DEVICE uint64_t bits_of(const struct extremum &e, const typename O::S *data)
{
    const typename O::K k = O::from_wide(e.key);
    if (O::has_nan && !O::magnitude && k == 0)
        return (uint64_t)data[e.index];
    return (uint64_t)O::bits(k);
}

template <enum dtype D, bool MAGNITUDE>
DEVICE void write(const storage_of<D> *data, size_t n, const struct record &r,
                  struct gpu_extrema *out)
{
    typedef order<D, MAGNITUDE> O;
    constexpr size_t size = tile_size<typename O::S, UNROLL>;
    out->nans = r.nans;
    if (r.tile[2] != NO_TILE)
        out->first_nan = ~(r.tile[2] * size + r.place[2]);
    struct extrema none;
    extrema_init(&none);
    struct extremum found[2] = {none.min, none.max};
    for (int i = 0; i < 2 && n > 0 && r.tile[i] != NO_TILE; i++) {
        found[i].index = r.tile[i] * size + r.place[i];
        found[i].key = i ? ~r.key[i] : r.key[i];
        found[i].bits = bits_of<O>(found[i], data);
    }
    for (int i = 0; i < 2; i++)
        out->found[i] = found[i];
}

template <enum dtype D, bool MAGNITUDE>
KERNEL(EXTREMA_WIDE)
void wide_kernel(source<storage_of<D>> from, size_t n, struct gpu_extrema *out,
                 struct record *of_block, unsigned *ticket)
{
    const auto *data = take<storage_of<D>>(from, &n, &out, &ticket);
    if (over_columns && n == 0)
        return;
    of_block += column_number() * gridDim.x;
    __shared__ struct record shared[THREADS / 32];
    wide_finder<D, MAGNITUDE, UNROLL> f;
    each_tile<UNROLL>(data, n, f);
    struct record r = f.take();
    block_merge(&r, shared);
    if (gridDim.x > 1) {
        if (threadIdx.x == 0)
            of_block[blockIdx.x] = r;
        if (!last_block(ticket))
            return;
        r = no_record();
        for (unsigned b = threadIdx.x; b < gridDim.x; b += THREADS)
            merge(&r, of_block[b]);
        block_merge(&r, shared);
    }
    if (threadIdx.x == 0)
        write<D, MAGNITUDE>(data, n, r, out);
}

// Adds to the result the extremes `all` of the thread's warp or block. `mine`
// are the thread's own. `look` finds the place of an element in a tile; only
// the threads that have an extreme call it.
template <enum dtype D, bool MAGNITUDE, int VECTORS, class LOOK>
DEVICE void
give_narrow(const struct narrow_record &all, const struct narrow_record &mine,
            const storage_of<D> *data, struct gpu_extrema *out, LOOK look)
{
    typedef order<D, MAGNITUDE> O;
    constexpr size_t size = tile_size<typename O::S, VECTORS>;
#pragma unroll
    for (int i = 0; i < 2; i++) {
        const bool winner = mine.key[i] == all.key[i] &&
                            mine.tile[i] == all.tile[i] &&
                            mine.tile[i] != NO_TILE;
        if (!__any_sync(~0u, winner))
            continue;
        uint32_t place = NO_TILE;
        if (winner)
            place = look(std::false_type(), all.tile[i],
                         key_of_narrow<O>(all.key[i], i));
        // No place if the warp has the element only in copies that replace
        // missing vectors.
        place = warp_min(place);
        if (threadIdx.x % 32 == 0 && place != NO_TILE)
            give_packed<O>(out, i, all.key[i], all.tile[i] * size + place,
                           data);
    }
    if constexpr (O::has_nan) {
        if (all.nan_tile == NO_TILE)
            return;
        uint32_t place = NO_TILE;
        if (mine.nan_tile == all.nan_tile)
            place = look(std::true_type(), all.nan_tile, 0);
        place = warp_min(place);
        if (threadIdx.x % 32 == 0 && place != NO_TILE)
            atomicMax((unsigned long long *)&out->first_nan,
                      (unsigned long long)~(all.nan_tile * size + place));
        add_global(&out->nans, all.nans);
    }
}

// Merges blocks by atomics, without a last block.
template <enum dtype D, bool MAGNITUDE>
KERNEL(EXTREMA)
void packed_kernel(source<storage_of<D>> from, size_t n,
                   struct gpu_extrema *out)
{
    const auto *data = take<storage_of<D>>(from, &n, &out);
    if (over_columns && n == 0)
        return;
    __shared__ struct narrow_records shared;
    finder<D, MAGNITUDE, UNROLL> f;
    each_tile<UNROLL>(data, n, f);
    const struct narrow_record mine = f.take_narrow();
    give_narrow<D, MAGNITUDE, UNROLL>(
        block_record(mine, &shared), mine, data, out,
        [&](auto of_nan, uint32_t tile, auto key) {
            return place_of<D, MAGNITUDE, UNROLL, of_nan>(data, n, tile, key);
        });
}

template <enum dtype D, bool MAGNITUDE, int VECTORS>
__global__ __launch_bounds__(THREADS, ONCE_RESIDENT) void packed_once(
    const storage_of<D> *data, size_t n, struct gpu_extrema *out)
{
    __shared__ struct narrow_records shared;
    vector16<storage_of<D>> v[VECTORS];
    finder<D, MAGNITUDE, VECTORS> f;
    const int present = f.only_tile(data, n, v);
    const struct narrow_record mine = f.take_narrow();
    // Small tiles are few, so that each warp may add its own.
    give_narrow<D, MAGNITUDE, VECTORS>(
        VECTORS == 1 ? warp_record(mine) : block_record(mine, &shared), mine,
        data, out, [&](auto of_nan, uint32_t tile, auto key) {
            return place_in<D, MAGNITUDE, VECTORS, of_nan>(v, present, data, n,
                                                           tile, key);
        });
}

// Launches a block for each tile; false if there are too many tiles.
template <enum dtype D, bool DIFFERS>
static bool launch_once(const struct gpu_chunk *c, struct gpu_extrema *out,
                        cudaStream_t stream)
{
    typedef storage_of<D> S;
    const S *data = (const S *)c->data;
    const size_t n = c->n;
    const bool once = n <= ONCE_TILES * tile_size<S, UNROLL>;
    const bool small = n <= ONCE_SMALL_TILES * tile_size<S, 1>;
    const auto kernel =
        small ? packed_once<D, DIFFERS, 1> : packed_once<D, DIFFERS, UNROLL>;
    if (once)
        kernel<<<small ? tiles_for<S, 1>(n) : tiles_for<S, UNROLL>(n), THREADS,
                 0, stream>>>(data, n, out);
    return once;
}

template <enum dtype D, bool MAGNITUDE>
static cudaError_t launch(const struct gpu_chunk *c, cudaStream_t stream)
{
    typedef storage_of<D> S;
    constexpr int monoid = MAGNITUDE ? MONOID_absextrema : MONOID_extrema;
    // The magnitudes of unsigned numbers are the values.
    constexpr bool differs = MAGNITUDE && order<D, true>::magnitude;
    struct gpu_extrema *out = &c->result->extrema[MAGNITUDE];
    if (!over_columns && c->n == 0)
        return cudaSuccess;
    if constexpr (!over_columns && sizeof(S) <= 4) {
        if (launch_once<D, differs>(c, out, stream))
            return cudaGetLastError();
    }
    // A column has so few rows that a key of 32 bits and an index fit a word.
    if constexpr (has_type<D> && sizeof(S) <= 4) {
        if (over_columns || gpu_extrema_packed(sizeof(S), c->n))
            return start<S>(packed_kernel<D, differs>, EXTREMA, c, stream, out);
    }
    if constexpr (sizeof(S) >= (over_columns ? 8 : 4))
        return start<S>(wide_kernel<D, differs>, EXTREMA_WIDE, c, stream, out,
                        (struct record *)c->scratch,
                        &c->result->ticket[monoid]);
    return cudaErrorNotSupported;
}

#define VALUES(name, ...) launch<DTYPE_##name, false>,
#define MAGNITUDES(name, ...) launch<DTYPE_##name, true>,
launch_fn *const OVER(extrema)[2][DTYPES_END] = {{DTYPES(VALUES)},
                                                 {DTYPES(MAGNITUDES)}};
