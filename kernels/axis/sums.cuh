// SPDX-License-Identifier: MIT
//
// Sums of floats along an axis, with their errors (compensated.h).
#pragma once

#include "kernels/axis/plain_sum.cuh"

template <enum dtype D, int MAP> struct float_sum {
    typedef storage_of<D> S;
    static constexpr bool positions = false;
    static constexpr bool f64 = D == DTYPE_f64;
    static constexpr bool square = MAP == EXACT_SQUARE;
    static constexpr int apart = exponents_apart<D, MAP>(3);
    static constexpr bool narrow = !f64 && apart > 3;
    static constexpr bool near = always_near<D, MAP>;
    typedef std::conditional_t<narrow, plain_sum<D, MAP>, void> plain;
    struct axis_sum a;

    DEVICE void init()
    {
        axis_sum_init(&a);
    }

    DEVICE void add(const element_value<D> &x)
    {
        if (!near)
            axis_sum_size(&a, x.size);
        if (f64 && MAP == EXACT_SQUARE)
            axis_sum_add_square(&a, x.value);
        else
            axis_sum_add(&a, mapped<MAP>(x.value));
    }

    DEVICE void one(S bits, uint32_t)
    {
        const element_value<D> x(bits);
        if (axis_is_finite(x.value))
            add(x);
        else
            a.special |= axis_special_of(mapped<MAP>(x.value));
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
        if (!near)
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
            v[i] = mapped<MAP>(x.value);
            least = i ? fminf(least, magnitude) : magnitude;
            most = i ? fmaxf(most, magnitude) : magnitude;
        }
        *sum = tree_sum<N>(v);
        *size = axis_size_f32(bits_of_float(least));
        if (!near && N > 1 && (least == 0 || !are_near(*size, most))) {
            *size = least_size<N>(bits);
            if (!are_near(*size, most))
                return false;
        }
        return axis_is_finite(*sum);
    }

    static DEVICE bool are_near(uint32_t least_size, float most)
    {
        return (int32_t)(bits_of_float(most) >> 23) -
                   (int32_t)(least_size >> 24) <=
               apart;
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

    // Instead of nothing, takes a sum of at most n elements if it is exact.
    DEVICE bool take(const plain_sum<D, MAP> &sum, uint32_t n)
    {
        if (!sum.is_exact(n))
            return false;
        a.sum = sum.sum;
        a.least = sum.least;
        return true;
    }

    // Merges as merge_lanes does, by plain additions, if no lane of the warp
    // has an error and no sum of 32 lanes can have one. The least size of the
    // warp is no greater than that of a result. Otherwise it changes nothing
    // and returns false.
    DEVICE bool merge_plainly(int lanes)
    {
#if __CUDA_ARCH__ >= 800
        const bool plain_so_far = a.bound == 0 && a.special == 0;
        const uint32_t high =
            (uint32_t)(bits_of_double(a.sum) >> 32) & UINT32_MAX >> 1;
        const uint32_t most =
            __reduce_max_sync(~0u, plain_so_far ? high : UINT32_MAX);
        const uint32_t least = near ? 0 : __reduce_min_sync(~0u, a.least);
        if ((int)(most >> 20) - 1023 + 6 > 53 + lsb_of(least))
            return false;
        for (int s = lanes / 2; s > 0; s /= 2)
            a.sum += __shfl_down_sync(~0u, a.sum, s);
        a.least = least;
        return true;
#else
        return false;
#endif
    }

    // All addends are multiples of 2^lsb.
    static DEVICE int lsb_of(uint32_t least)
    {
        int lsb = f64 ? axis_lsb_f64(least)
                      : axis_lsb_f32(least) + 23 - float_layout<D>::fraction;
        if (D == DTYPE_f16)
            lsb = near ? F16_LSB : max(lsb, F16_LSB);
        return square ? 2 * lsb : lsb;
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
        const struct axis_reading reading = {(double)job.shape.length,
                                             job.divisor, lsb_of(s.least)};
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
