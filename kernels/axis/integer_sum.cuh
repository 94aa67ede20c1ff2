// SPDX-License-Identifier: MIT
//
// Sums of integers along an axis, exact.
#pragma once

#include "kernels/axis/accumulate.cuh"

// MONOID is an enum axis_monoid.
template <enum dtype D, int MONOID> struct integer_sum {
    typedef storage_of<D> S;
    typedef void plain;
    static constexpr bool positions = false;
    static constexpr bool squares = MONOID == AXIS_SUMSQ;
    static constexpr bool wide = axis_sum_is_wide((enum axis_monoid)MONOID, D);
    typedef std::conditional_t<wide, __int128, int64_t> T;
    uint64_t word[wide ? 2 : 1];

    DEVICE T value() const
    {
        if constexpr (wide)
            return (T)((unsigned __int128)word[1] << 64 | word[0]);
        else
            return (T)word[0];
    }

    DEVICE void set(T x)
    {
        word[0] = (uint64_t)x;
        if constexpr (wide)
            word[1] = (uint64_t)((unsigned __int128)x >> 64);
    }

    DEVICE void init()
    {
        set(0);
    }

    // 32 bits hold a sum of eight 8 or 16-bit elements, but not of squares of
    // 16-bit ones.
    static constexpr bool small =
        sizeof(S) == 1 || (sizeof(S) == 2 && !squares);
    typedef std::conditional_t<small, int32_t, T> addend;

    static DEVICE addend mapped(S x)
    {
        const addend v = (addend)x;
        if constexpr (squares && sizeof(S) == 4)
            return (T)(magnitude(x) * magnitude(x));
        return squares ? v * v : MONOID == AXIS_SUMABS && v < 0 ? -v : v;
    }

    static DEVICE uint64_t magnitude(S x)
    {
        const int64_t v = (int64_t)x;
        return (uint64_t)(v < 0 ? -v : v);
    }

    DEVICE void one(S x, uint32_t)
    {
        set(value() + (T)mapped(x));
    }

    template <int N> DEVICE void group(const S *x, uint32_t, uint32_t)
    {
        addend sum = mapped(x[0]);
#pragma unroll
        for (int i = 1; i < N; i++)
            sum += mapped(x[i]);
        set(value() + (T)sum);
    }

    template <int N>
    static DEVICE bool whole(const S *x, const struct axis_job &job,
                             uint64_t output)
    {
        return whole_of_group<integer_sum, N>(x, job, output);
    }

    DEVICE void merge(const integer_sum &other)
    {
        set(value() + other.value());
    }

    DEVICE void move(uint32_t)
    {
    }

    DEVICE void store(const struct axis_job &job, uint64_t output) const
    {
        if constexpr (wide)
            ((ulonglong2 *)job.results.integer)[output] =
                make_ulonglong2(word[0], word[1]);
        else
            ((int64_t *)job.results.integer)[output] = (int64_t)word[0];
    }
};
