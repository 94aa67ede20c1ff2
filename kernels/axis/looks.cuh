// SPDX-License-Identifier: MIT
//
// Counts and extremes along an axis.
#pragma once

#include <type_traits>

#include "kernels/axis/accumulate.cuh"
#include "kernels/reduce/order.cuh"

// How many elements are NaN, Inf and not 0.
template <enum dtype D> struct element_count {
    typedef storage_of<D> S;
    typedef void plain;
    static constexpr bool positions = false;
    static constexpr bool is_float = float_layout<D>::is_float;
    uint32_t nan, inf, nonzero;

    DEVICE void init()
    {
        nan = inf = nonzero = 0;
    }

    DEVICE void one(S bits, uint32_t)
    {
        typedef std::make_unsigned_t<S> U;
        const U magnitude = is_float ? (U)bits & (U) ~(U)0 >> 1 : (U)bits;
        nonzero += magnitude != 0;
        if (is_float) {
            nan += magnitude > (U)float_layout<D>::inf;
            inf += magnitude == (U)float_layout<D>::inf;
        }
    }

    template <int N> DEVICE void group(const S *bits, uint32_t, uint32_t)
    {
#pragma unroll
        for (int i = 0; i < N; i++)
            one(bits[i], 0);
    }

    template <int N>
    static DEVICE bool whole(const S *x, const struct axis_job &job,
                             uint64_t output)
    {
        return whole_of_group<element_count, N>(x, job, output);
    }

    DEVICE void merge(const element_count &other)
    {
        nan += other.nan;
        inf += other.inf;
        nonzero += other.nonzero;
    }

    DEVICE void move(uint32_t)
    {
    }

    DEVICE void store(const struct axis_job &job, uint64_t output) const
    {
        store_if_wanted(job.results.nan, output, nan);
        store_if_wanted(job.results.inf, output, inf);
        store_if_wanted(job.results.nonzero, output, nonzero);
    }
};

// The type in which elements are compared. For floats of up to 32 bits it is
// f32, in which -0 equals +0 and all comparisons with NaN are false.
template <enum dtype D, bool MAGNITUDE> struct compared {
    typedef storage_of<D> S;
    typedef std::make_unsigned_t<S> U;
    static constexpr bool is_float = float_layout<D>::is_float;
    typedef std::conditional_t<
        sizeof(S) == 8, std::conditional_t<MAGNITUDE, uint64_t, S>,
        std::conditional_t<MAGNITUDE || std::is_unsigned<S>::value, uint32_t,
                           int32_t>>
        integer;
    typedef std::conditional_t<
        is_float, std::conditional_t<sizeof(S) == 8, double, float>, integer>
        T;

    static DEVICE T least()
    {
        if constexpr (is_float)
            return -(T)INFINITY;
        else if constexpr (std::is_signed<T>::value)
            return (T)(1ull << (8 * sizeof(T) - 1));
        else
            return 0;
    }
    static DEVICE T greatest()
    {
        if constexpr (is_float)
            return (T)INFINITY;
        else
            return (T)~least();
    }

    static DEVICE T of(S bits)
    {
        if constexpr (D == DTYPE_f64) {
            const double x = double_of_bits(bits);
            return MAGNITUDE ? fabs(x) : x;
        } else if constexpr (is_float) {
            const float x = (float)to_double<D>(bits);
            return MAGNITUDE ? fabsf(x) : x;
        } else {
            return MAGNITUDE && bits < 0 ? (T)0 - (T)bits : (T)bits;
        }
    }

    static DEVICE uint16_t f16_of(float x)
    {
        unsigned short bits;
        asm("cvt.rn.f16.f32 %0, %1;" : "=h"(bits) : "f"(x));
        return bits;
    }

    static DEVICE U bits_of(T x)
    {
        if constexpr (D == DTYPE_f64)
            return bits_of_double(x);
        else if constexpr (D == DTYPE_f32)
            return bits_of_float(x);
        else if constexpr (D == DTYPE_bf16)
            return (U)(bits_of_float(x) >> 16);
        else if constexpr (is_float)
            return f16_of(x);
        else
            return (U)x;
    }
};

// The least and the greatest element, the index of the first of each, and the
// index of the first NaN.
template <enum dtype D, bool MAGNITUDE> struct element_extremes {
    typedef storage_of<D> S;
    typedef compared<D, MAGNITUDE> C;
    typedef typename C::T T;
    typedef void plain;
    static constexpr bool positions = true;
    T least, greatest;
    uint32_t least_at, greatest_at, first_nan;

    DEVICE void init()
    {
        least = C::greatest();
        greatest = C::least();
        least_at = greatest_at = first_nan = AXIS_NONE;
    }

    // In ascending order, so that the first of equal elements stays.
    DEVICE void one(S bits, uint32_t index)
    {
        const T x = C::of(bits);
        const bool less = x < least;
        const bool more = x > greatest;
        least = less ? x : least;
        least_at = less ? index : least_at;
        greatest = more ? x : greatest;
        greatest_at = more ? index : greatest_at;
        if (C::is_float && x != x)
            first_nan = min(first_nan, index);
    }

    template <int N>
    DEVICE void group(const S *bits, uint32_t index, uint32_t step)
    {
#pragma unroll
        for (int i = 0; i < N; i++)
            one(bits[i], index + i * step);
    }

    template <int N>
    static DEVICE bool whole(const S *x, const struct axis_job &job,
                             uint64_t output)
    {
        return whole_of_group<element_extremes, N>(x, job, output);
    }

    DEVICE void merge(const element_extremes &other)
    {
        if (other.least < least ||
            (other.least == least && other.least_at < least_at)) {
            least = other.least;
            least_at = other.least_at;
        }
        if (other.greatest > greatest ||
            (other.greatest == greatest && other.greatest_at < greatest_at)) {
            greatest = other.greatest;
            greatest_at = other.greatest_at;
        }
        first_nan = min(first_nan, other.first_nan);
    }

    DEVICE void move(uint32_t first)
    {
        least_at = moved(least_at, first);
        greatest_at = moved(greatest_at, first);
        first_nan = moved(first_nan, first);
    }

    static DEVICE uint32_t moved(uint32_t index, uint32_t first)
    {
        return index == AXIS_NONE ? index : index + first;
    }

    // What begins as the greatest number is not less than itself: where all
    // numbers are that, they have no least, and the first is the greatest. The
    // other way round alike.
    DEVICE void store(const struct axis_job &job, uint64_t output) const
    {
        typedef typename C::U U;
        const struct axis_results &r = job.results;
        const uint32_t low = least_at == AXIS_NONE ? greatest_at : least_at;
        const uint32_t high = greatest_at == AXIS_NONE ? least_at : greatest_at;
        store_if_wanted((U *)r.least, output, C::bits_of(least));
        store_if_wanted((U *)r.greatest, output, C::bits_of(greatest));
        store_if_wanted(r.least_at, output, low);
        store_if_wanted(r.greatest_at, output, high);
        store_if_wanted(r.first_nan, output, first_nan);
    }
};
