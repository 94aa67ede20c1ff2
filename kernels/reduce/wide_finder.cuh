// SPDX-License-Identifier: MIT
//
// A thread's least and greatest elements, for extremes that are merged as whole
// records. A record has places; the thread finds them when a tile beats those
// before it, while its elements are loaded. (Reading the winning tiles again at
// the end of the block, as finder.cuh does, cost 10 us over 128 MiB of f64.)
#pragma once

#include "kernels/reduce/finder.cuh"

template <enum dtype D, bool MAGNITUDE, int UNROLL> struct wide_finder {
    typedef order<D, MAGNITUDE> O;
    typedef typename O::S S;
    typedef typename O::K K;
    K key[2] = {O::greatest, O::least};
    uint64_t nans = 0;
    uint32_t at_tile[3] = {NO_TILE, NO_TILE, NO_TILE}, place[3] = {0, 0, 0};

    static DEVICE uint4 missing(uint4 words)
    {
        return words; // a repeated element changes no extreme
    }

    // Whether a tile's extreme beats the thread's.
    DEVICE bool beats(int i, K k)
    {
        return (i ? k > key[1] : k < key[0]) || at_tile[i] == NO_TILE;
    }

    DEVICE void keep(int i, K k, uint32_t tile, uint32_t where)
    {
        key[i] = k;
        at_tile[i] = tile;
        place[i] = where;
    }

    DEVICE void tile(const vector16<S> *v, const S *, size_t first, int present)
    {
        K k[2];
        extremes_of<D, MAGNITUDE, UNROLL>(v, &k[0], &k[1]);
        const uint32_t tile = (uint32_t)(first / tile_size<S, UNROLL>);
        if (!O::is_number(k[0]) || !O::is_number(k[1])) {
            if (at_tile[2] == NO_TILE) {
                at_tile[2] = tile;
                place[2] = place_among<D, MAGNITUDE, UNROLL, O::has_nan>(
                    v, present, 0);
            }
            if (!extremes_of_numbers<O, UNROLL>(v, present, &k[0], &k[1],
                                                &nans))
                return;
        }
#pragma unroll
        for (int i = 0; i < 2; i++) {
            k[i] = O::equal(k[i]);
            if (beats(i, k[i]))
                keep(
                    i, k[i], tile,
                    place_among<D, MAGNITUDE, UNROLL, false>(v, present, k[i]));
        }
    }

    DEVICE void one(S v, size_t index)
    {
        constexpr size_t size = tile_size<S, UNROLL>;
        const K k = O::key(v);
        const uint32_t tile = (uint32_t)(index / size);
        const uint32_t where = (uint32_t)(index % size);
        if (!O::is_number(k)) {
            nans++;
            if (at_tile[2] == NO_TILE) {
                at_tile[2] = tile;
                place[2] = where;
            }
            return;
        }
#pragma unroll
        for (int i = 0; i < 2; i++) {
            if (beats(i, O::equal(k)))
                keep(i, O::equal(k), tile, where);
        }
    }

    DEVICE struct record take() const
    {
        struct record r = {{O::wide(key[0]), ~O::wide(key[1])}, nans, {}, {}};
        for (int i = 0; i < 3; i++) {
            r.tile[i] = at_tile[i];
            r.place[i] = place[i];
        }
        return r;
    }
};
