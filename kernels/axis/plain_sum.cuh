// SPDX-License-Identifier: MIT
//
// Sums of floats by plain additions, which the exponents of the elements may
// prove exact.
#pragma once

#include "kernels/axis/accumulate.cuh"
#include "kernels/axis/compensated.h"

// An element as a double, and its size (compensated.h). A sum of probes is
// finite only if all elements are; where they are large it may overflow.
template <enum dtype D> struct element_value {
    std::conditional_t<D == DTYPE_f64, double, float> probe;
    double value;
    uint32_t size;
    DEVICE explicit element_value(storage_of<D> bits)
    {
        value = to_double<D>(bits);
        probe = (decltype(probe))value;
        if constexpr (D == DTYPE_f64)
            size = axis_size_f64(value);
        else
            size = axis_size_f32(bits_of_float(probe));
    }
};

template <int MAP> DEVICE double mapped(double x)
{
    return MAP == EXACT_SQUARE ? x * x : MAP == EXACT_MAGNITUDE ? fabs(x) : x;
}

// Adds doubles in a tree, since a chain of additions has a latency of its own.
template <int N> DEVICE double tree_sum(double *v)
{
#pragma unroll
    for (int step = 1; step < N; step *= 2)
#pragma unroll
        for (int i = 0; i + step < N; i += 2 * step)
            v[i] += v[i + step];
    return v[0];
}

// How far apart the exponents of 2^n_log elements may be so that their sums, or
// those of their squares, are exact in a double, in any order. The last bit of
// the least addend and the first bit of the sum then lie within 53 places.
template <enum dtype D, int MAP> HD_CONSTANT int exponents_apart(int n_log)
{
    constexpr int fraction = float_layout<D>::fraction;
    return MAP == EXACT_SQUARE ? (51 - n_log) / 2 - fraction
                               : 52 - fraction - n_log;
}

// The exponents of f16 are never too far apart for 2^13 elements, since their
// last bits are not below 2^-24.
constexpr int F16_LSB = -24, F16_ELEMENTS = 1 << 13;
template <enum dtype D, int MAP>
constexpr bool always_near = D == DTYPE_f16 &&MAP != EXACT_SQUARE;

// A sum by plain additions, and what tells whether it is exact: a lane adds its
// elements this way first, in a third of the instructions of a float_sum.
template <enum dtype D, int MAP> struct plain_sum {
    typedef storage_of<D> S;
    static constexpr bool positions = false;
    double sum;
    float most;     // the greatest magnitude
    uint32_t least; // the least size of the elements that are not 0

    DEVICE void init()
    {
        sum = -0.0;
        most = 0;
        least = UINT32_MAX;
    }

    template <int N> DEVICE void group(const S *bits, uint32_t, uint32_t)
    {
        double v[N];
#pragma unroll
        for (int i = 0; i < N; i++) {
            const element_value<D> x(bits[i]);
            v[i] = mapped<MAP>(x.value);
            if (!always_near<D, MAP>) {
                most = fmaxf(most, fabsf(x.probe));
                least = min(least, x.size);
            }
        }
        sum += tree_sum<N>(v);
    }

    // For at most n elements, n > 1. NaN and Inf make the sum so.
    DEVICE bool is_exact(uint32_t n) const
    {
        const int apart = exponents_apart<D, MAP>(32 - __clz((int)(n - 1)));
        const int most_exponent = (int)(bits_of_float(most) >> 23);
        return axis_is_finite(sum) &&
               (always_near<D, MAP>
                    ? n <= F16_ELEMENTS
                    : most_exponent - (int)(least >> 24) <= apart);
    }
};
