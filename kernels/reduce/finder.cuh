// SPDX-License-Identifier: MIT
//
// A thread's least and greatest elements, for packed words. On the way the
// thread keeps only the first tile that has each of them: a comparison and two
// selects a tile, whatever the order of the data. Tiles are in the order of
// indexes. Once the block knows its extremes, the threads that have them look
// for the first index in the tiles that won.
#pragma once

#include "kernels/reduce/packed.cuh"

// The place in the tile of the first element with this key, or with OF_NAN of
// the first NaN, among the thread's vectors v, of which the first `present`
// exist; NO_TILE if no element has the key.
template <enum dtype D, bool MAGNITUDE, int UNROLL, bool OF_NAN>
DEVICE uint32_t place_among(const vector16<storage_of<D>> *v, int present,
                            typename order<D, MAGNITUDE>::K key)
{
    typedef order<D, MAGNITUDE> O;
    constexpr uint32_t lanes = 16 / O::size;
    uint32_t place = NO_TILE;
#pragma unroll
    for (int u = UNROLL - 1; u >= 0; u--) {
        if (u >= present)
            continue;
#pragma unroll
        for (int j = (int)lanes - 1; j >= 0; j--) {
            if (O::template is<OF_NAN>(v[u].at[j], key))
                place = threadIdx.x * lanes + j +
                        u * (uint32_t)tile_stride<typename O::S>;
        }
    }
    return place;
}

// Finds the extremes among the numbers of the thread's vectors v and counts the
// NaN. Returns false if there are only NaN; *least and *most then beat no key.
template <class O, int UNROLL>
DEVICE bool extremes_of_numbers(const vector16<typename O::S> *v, int present,
                                typename O::K *least, typename O::K *most,
                                uint64_t *nans)
{
    bool any = false;
    *least = O::greatest;
    *most = O::least;
#pragma unroll
    for (int u = 0; u < UNROLL; u++) {
#pragma unroll
        for (int j = 0; j < 16 / O::size; j++) {
            const typename O::K k = O::key(v[u].at[j]);
            if (O::is_number(k)) {
                any = true;
                *least = min(*least, k);
                *most = max(*most, k);
            } else {
                *nans += u < present;
            }
        }
    }
    return any;
}

template <enum dtype D, bool MAGNITUDE, int UNROLL> struct finder {
    typedef order<D, MAGNITUDE> O;
    typedef typename O::S S;
    typedef typename O::K K;
    // An integer may equal an initial key without beating it: if all do, it is
    // in the block's first tile.
    K low = O::greatest, high = O::least;
    uint32_t low_tile = O::has_nan ? NO_TILE : blockIdx.x;
    uint32_t high_tile = O::has_nan ? NO_TILE : blockIdx.x;
    uint32_t nan_tile = NO_TILE;
    uint64_t nans = 0;

    static DEVICE uint32_t tile_of(size_t index)
    {
        return (uint32_t)(index / tile_size<S, UNROLL>);
    }

    static DEVICE uint4 missing(uint4 words)
    {
        return words; // a repeated element changes no extreme
    }

    DEVICE void keep(K least, K most, uint32_t tile)
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

    DEVICE void tile(const vector16<S> *v, const S *, size_t first, int present)
    {
        K least, most;
        extremes_of<D, MAGNITUDE, UNROLL>(v, &least, &most);
        const uint32_t tile = tile_of(first);
        if (!O::is_number(least) || !O::is_number(most)) {
            nan_tile = min(nan_tile, tile);
            extremes_of_numbers<O, UNROLL>(v, present, &least, &most, &nans);
        }
        keep(least, most, tile);
    }

    DEVICE void one(S v, size_t i)
    {
        const K k = O::key(v);
        if (O::is_number(k)) {
            keep(k, k, tile_of(i));
        } else {
            nan_tile = min(nan_tile, tile_of(i));
            nans++;
        }
    }

    // Loads the block's only tile into v, finds its extremes, and returns how
    // many of the vectors exist.
    DEVICE int only_tile(const S *data, size_t n, vector16<S> *v)
    {
        constexpr size_t lanes = 16 / O::size;
        const size_t t = blockIdx.x;
        int present = 0;
        if (t < tiles_of<S, UNROLL>(n)) {
            present = load_tile<UNROLL>(data, n, t, *this, v);
            const size_t at = t * tile_size<S, UNROLL> + threadIdx.x * lanes;
            tile(v, data, at, present);
        }
        if (n % lanes)
            rest_of_tile<UNROLL>(data, n, t, *this);
        return present;
    }

    DEVICE struct narrow_record take_narrow() const
    {
        return {{narrow_key<O>(low, 0), narrow_key<O>(high, 1)},
                {low_tile, high_tile},
                nan_tile,
                nans};
    }
};

// As place_among, and also among the elements after the last whole vector.
template <enum dtype D, bool MAGNITUDE, int UNROLL, bool OF_NAN>
DEVICE uint32_t place_in(const vector16<storage_of<D>> *v, int present,
                         const storage_of<D> *data, size_t n, size_t tile,
                         typename order<D, MAGNITUDE>::K key)
{
    typedef order<D, MAGNITUDE> O;
    constexpr size_t size = tile_size<typename O::S, UNROLL>;
    const uint32_t place =
        place_among<D, MAGNITUDE, UNROLL, OF_NAN>(v, present, key);
    const size_t rest = n / (16 / O::size) * (16 / O::size) + threadIdx.x;
    if (place == NO_TILE && rest < n && rest / size == tile &&
        O::template is<OF_NAN>(data[rest], key))
        return (uint32_t)(rest - tile * size);
    return place;
}

// As place_in, for a tile that is read again. It is not inline, because the
// kernel's loop would spill registers.
template <enum dtype D, bool MAGNITUDE, int UNROLL, bool OF_NAN>
__device__ __noinline__ uint32_t place_of(const storage_of<D> *data, size_t n,
                                          size_t tile,
                                          typename order<D, MAGNITUDE>::K key)
{
    typedef storage_of<D> S;
    constexpr size_t lanes = 16 / sizeof(S);
    const size_t mine = tile * tile_size<S, UNROLL> + threadIdx.x * lanes;
    // Loads all vectors first: one after the other took 1.1 us longer.
    vector16<S> v[UNROLL];
    int present = 0;
#pragma unroll
    for (int u = 0; u < UNROLL; u++) {
        const size_t i = mine + u * tile_stride<S>;
        if (i < n / lanes * lanes) {
            v[u].words = *reinterpret_cast<const uint4 *>(data + i);
            present = u + 1;
        }
    }
    return place_in<D, MAGNITUDE, UNROLL, OF_NAN>(v, present, data, n, tile,
                                                  key);
}
