// SPDX-License-Identifier: MIT
//
// Sums of floats along an axis, with their errors (compensated.h).
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

template <enum dtype D, int MAP> struct float_sum {
    typedef storage_of<D> S;
    static constexpr bool positions = false;
    static constexpr bool f64 = D == DTYPE_f64;
    static constexpr bool square = MAP == EXACT_SQUARE;
    // Sums of eight elements, or of their squares, are exact in a double if
    // their exponents are no further apart: the last bit of the least and the
    // first of the sum are no more than 53 places. Those of f16 never are, nor
    // are their last bits below 2^-24.
    static constexpr int fraction = float_layout<D>::fraction;
    static constexpr int exponents_apart =
        square ? 24 - fraction : 49 - fraction;
    static constexpr bool narrow = !f64 && exponents_apart > 3;
    static constexpr bool near = D == DTYPE_f16 && !square;
    static constexpr bool fixed = D == DTYPE_f16;
    struct axis_sum a;

    DEVICE void init()
    {
        axis_sum_init(&a);
    }

    static DEVICE double mapped(double x)
    {
        return MAP == EXACT_SQUARE      ? x * x
               : MAP == EXACT_MAGNITUDE ? fabs(x)
                                        : x;
    }

    DEVICE void add(const element_value<D> &x)
    {
        if (!fixed)
            axis_sum_size(&a, x.size);
        if (f64 && MAP == EXACT_SQUARE)
            axis_sum_add_square(&a, x.value);
        else
            axis_sum_add(&a, mapped(x.value));
    }

    DEVICE void one(S bits, uint32_t)
    {
        const element_value<D> x(bits);
        if (axis_is_finite(x.value))
            add(x);
        else
            a.special |= axis_special_of(mapped(x.value));
    }

    template <int N> DEVICE void group(const S *bits, uint32_t, uint32_t)
    {
        if constexpr (narrow && N > 1) {
            if (group_narrow<N>(bits))
                return;
        } else if (group_wide<N>(bits)) {
            return;
        }
#pragma unroll 1
        for (int i = 0; i < N; i++)
            one(element_of<N>(bits, i), 0);
    }

    // Element i of registers, for an i that is known at run time only.
    template <int N> static DEVICE S element_of(const S *bits, int i)
    {
        S x = bits[0];
#pragma unroll
        for (int j = 1; j < N; j++)
            x = i == j ? bits[j] : x;
        return x;
    }

    // False without a change if the elements must be added one by one.
    template <int N> DEVICE bool group_wide(const S *bits)
    {
        auto probe = element_value<D>(bits[0]).probe;
#pragma unroll
        for (int i = 1; i < N; i++)
            probe += element_value<D>(bits[i]).probe;
        if (!(probe - probe == 0))
            return false;
#pragma unroll
        for (int i = 0; i < N; i++)
            add(element_value<D>(bits[i]));
        return true;
    }

    // Computes one rounding error for N elements: 2 additions an element,
    // not 8.
    template <int N> DEVICE bool group_narrow(const S *bits)
    {
        uint32_t size;
        double sum;
        if (!exact_sum<N>(bits, &sum, &size))
            return false;
        if (!fixed)
            axis_sum_size(&a, size);
        axis_sum_add(&a, sum);
        return true;
    }

    // Most short sums are exact, and need no accumulator.
    template <int N>
    static DEVICE bool whole(const S *bits, const struct axis_job &job,
                             uint64_t output)
    {
        if constexpr (narrow) {
            uint32_t size;
            double sum;
            if (job.divisor == 0 && exact_sum<N>(bits, &sum, &size)) {
                job.results.value[output] = sum;
                return true;
            }
        }
        return false;
    }

    // False if the sum is not exact, or not finite.
    template <int N>
    static DEVICE bool exact_sum(const S *bits, double *sum, uint32_t *size)
    {
        static_assert(N <= 8, "addends of an exact sum");
        float least = 0, most = 0;
        double v[N];
#pragma unroll
        for (int i = 0; i < N; i++) {
            const element_value<D> x(bits[i]);
            const float magnitude = fabsf(x.probe);
            v[i] = mapped(x.value);
            least = i ? fminf(least, magnitude) : magnitude;
            most = i ? fmaxf(most, magnitude) : magnitude;
        }
        // A tree, since a chain of additions has a latency of its own.
#pragma unroll
        for (int step = 1; step < N; step *= 2)
#pragma unroll
            for (int i = 0; i + step < N; i += 2 * step)
                v[i] += v[i + step];
        *sum = v[0];
        *size = axis_size_f32(bits_of_float(least));
        if (!near && N > 1 && (least == 0 || !are_near(*size, most))) {
            *size = least_size<N>(bits);
            if (!are_near(*size, most))
                return false;
        }
        return axis_is_finite(v[0]);
    }

    static DEVICE bool are_near(uint32_t least_size, float most)
    {
        return (int32_t)(bits_of_float(most) >> 23) -
                   (int32_t)(least_size >> 24) <=
               exponents_apart;
    }

    // The least size of the elements that are not 0, if there are any.
    template <int N> static DEVICE uint32_t least_size(const S *bits)
    {
        uint32_t least = UINT32_MAX;
#pragma unroll
        for (int i = 0; i < N; i++)
            least = min(least, element_value<D>(bits[i]).size);
        return least;
    }

    DEVICE void merge(const float_sum &other)
    {
        axis_sum_merge(&a, &other.a);
    }

    DEVICE void move(uint32_t)
    {
    }

    // Most short sums have no errors and nothing special.
    DEVICE void store(const struct axis_job &job, uint64_t output) const
    {
        if (a.bound == 0 && a.special == 0 && job.divisor == 0)
            job.results.value[output] = a.sum;
        else
            store_other(job, output);
    }

    // If all elements are left out, the result is doubtful: the caller knows
    // the sum of none.
    DEVICE void store_other(const struct axis_job &job, uint64_t output) const
    {
        struct axis_sum s = a;
        const int lsb = fixed ? -24
                        : f64 ? axis_lsb_f64(s.least)
                              : axis_lsb_f32(s.least);
        const struct axis_reading reading = {
            (double)job.shape.length, job.divisor, square ? 2 * lsb : lsb};
        const bool skipped = job.skip_nan && (s.special & AXIS_NAN);
        if (skipped)
            s.special &= ~(uint32_t)AXIS_NAN;
        bool certain;
        const double x = axis_sum_result(&s, &reading, &certain);
        job.results.value[output] = x;
        if (!certain || (skipped && (job.divisor != 0 || x == 0)))
            note_doubtful(job.results, output);
    }

    static DEVICE void note_doubtful(const struct axis_results &r,
                                     uint64_t output)
    {
        const uint64_t at =
            atomicAdd((unsigned long long *)r.doubtful_count, 1ull);
        if (at < r.doubtful_room)
            r.doubtful[at] = output;
    }
};
