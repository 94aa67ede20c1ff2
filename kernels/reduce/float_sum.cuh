// SPDX-License-Identifier: MIT
//
// Exact float sums by windows (reduce/sum_windows.h). A block sets its windows
// over its first tile, and again before their 64-bit sums could overflow. A
// warp whose tile misses them takes the slow path (slow_path.cuh).
#pragma once

#include "kernels/reduce/exact.cuh"

template <enum dtype D, int MAP, int UNROLL>
struct float_sum
    : exact_base<D, float_sum<D, MAP, UNROLL>, MAP, false, UNROLL> {
    typedef exact_base<D, float_sum, MAP, false, UNROLL> base;
    typedef typename base::S S;
    using base::base;
    using base::elements;
    using base::unroll;
    static constexpr bool wide = D == DTYPE_f64;
    static constexpr int windows = 1 + wide + (MAP == EXACT_SQUARE);
    // The square of an f64 brings two addends to the second window.
    static constexpr int tiles_max =
        WINDOW_ADDENDS / (wide && MAP == EXACT_SQUARE ? 2 : 1) / elements;

    struct sum_windows w;
    double both[2];            // sums of two magic numbers: see into_windows
    uint64_t sum[WINDOWS_MAX]; // of bits(t), modulo 2^64

    // Set by an element of a tile that does not fit the windows.
    struct check {
        unsigned outside, rest;
        bool tiny;
    };

    DEVICE void step(S bits, struct check *c)
    {
        double x = to_double<D>((uint64_t)bits);
        if (MAP == EXACT_MAGNITUDE)
            x = fabs(x);
        if (MAP == EXACT_SQUARE && wide) {
            step_square(x, c);
            return;
        }
        if (MAP == EXACT_SQUARE)
            x *= x;
        if (windows == 1)
            x = into_window(x, w.magic[0], &sum[0], &c->outside);
        else
            x = into_windows(x, w.magic[0], both[0], &sum[0], &sum[1],
                             &c->outside);
        note(x, c);
    }

    DEVICE void step_square(double x, struct check *c)
    {
        const double square = x * x;
        const double error = fma(x, x, -square);
        c->tiny |= x != 0.0 && top_of(x) <= WINDOW_SQUARE_EXPONENT;
        note(into_windows(square, w.magic[0], both[0], &sum[0], &sum[1],
                          &c->outside),
             c);
        note(into_windows(error, w.magic[1], both[1], &sum[1], &sum[2]), c);
    }

    DEVICE void note(double rest, struct check *c)
    {
        c->rest |= __double2hiint(rest) | __double2loint(rest);
    }

    DEVICE bool add(const vector16<S> *v)
    {
        uint64_t before[windows];
        for (int i = 0; i < windows; i++)
            before[i] = sum[i];
        struct check c = {0, 0, false};
#pragma unroll
        for (int u = 0; u < unroll; u++) {
#pragma unroll
            for (int j = 0; j < base::lanes; j++)
                step(v[u].at[j], &c);
        }
        if (!__any_sync(~0u, c.outside >> 20 || c.rest || c.tiny))
            return true;
        // Takes the tile back, as if all its elements were 0: each window keeps
        // its count of addends.
        for (int i = 0; i < windows; i++)
            sum[i] =
                before[i] + weight(i) * elements * bits_of_double(w.magic[i]);
        return false;
    }

    // Addends that an element brings to window i.
    static DEVICE uint64_t weight(int i)
    {
        return wide && MAP == EXACT_SQUARE && i == 1 ? 2 : 1;
    }

    DEVICE void give()
    {
        struct portions<windows> p;
#pragma unroll
        for (int i = 0; i < windows; i++) {
            const uint64_t addends = weight(i) * this->tiles * elements;
            const uint64_t magics = addends * bits_of_double(w.magic[i]);
            p.value[i] = (int64_t)(sum[i] - magics);
            p.position[i] = w.low[i];
        }
        this->first.deposit(p);
    }

    // Sets the windows over the block's tile.
    DEVICE void anchor(const vector16<S> *v)
    {
        int top = this->top_of_tile(v);
        top = MAP == EXACT_SQUARE ? 2 * top : top + 4;
        w = windows_below(top, windows, least_bit<D, MAP>);
        for (int i = 0; i < 2; i++)
            both[i] = w.magic[i] + w.magic[i + 1];
        for (int i = 0; i < windows; i++)
            sum[i] = 0;
    }
};
