// SPDX-License-Identifier: MIT
//
// The accumulators of exact float sums (float_sum.cuh, moments.cu, narrow.cuh)
// share this code: it sets their windows, and detects whether all addends are
// -0, because the sum is then -0. The accumulators add to the windows.
#pragma once

#include <type_traits>

#include "kernels/reduce/destination.cuh"

// Bits of the significand after the leading one.
template <enum dtype D> constexpr int fraction_bits = float_layout<D>::fraction;

// Adds x to a window (see sum_windows.h); returns the rest of x below it, never
// -0. A bit of `outside` above the low 20 becomes set if x does not fit.
DEVICE double into_window(double x, double magic, uint64_t *sum,
                          uint32_t *outside = nullptr)
{
    const double t = x + magic;
    *sum += (uint64_t)__double_as_longlong(t);
    if (outside)
        *outside |= __double2hiint(t) ^ __double2hiint(magic);
    return (magic - t) + x;
}

// As into_window for two adjoining windows, with one addition less than two
// calls. The second magic number is 3 * 2^low of the first window, so that
// `both`, the sum of the two, is exact. So are both - t, a multiple of 2^low,
// and both - t - u, which is x cut at the second window, negated.
DEVICE double into_windows(double x, double magic, double both, uint64_t *first,
                           uint64_t *second, uint32_t *outside = nullptr)
{
    const double t = x + magic;
    const double rest = both - t;
    const double u = rest + x;
    *first += (uint64_t)__double_as_longlong(t);
    *second += (uint64_t)__double_as_longlong(u);
    if (outside)
        *outside |= __double2hiint(t) ^ __double2hiint(magic);
    return (rest - u) + x;
}

// Whether NVRTC compiles this for the values of an expression, which are not in
// memory (formula.cuh).
#ifdef FORMULA_SUM
constexpr bool over_formula = true;
#else
constexpr bool over_formula = false;
#endif

// The base of an accumulator ACC for the sum of MAP and, with BOTH, also for
// the sum of squares. All threads of a block make the same calls to ACC:
//
// anchor  sets the windows over the block's tile
// add     adds a tile; false if the warp's part does not fit the windows
// give    adds the sums of the windows to the limbs
template <enum dtype D, class ACC, int MAP, bool BOTH, int UNROLL>
struct exact_base {
    typedef storage_of<D> S;
    static constexpr enum dtype dtype = D;
    static constexpr bool squares = BOTH || MAP == EXACT_SQUARE;
    static constexpr bool apart =
        over_formula ||
        (sizeof(S) < 8 ? squares && !(BOTH && D == DTYPE_f32) : BOTH);
    // Small tiles are few, so that each warp may deposit its own sums.
    static constexpr bool alone = UNROLL == 1;
    typedef destination<D, MAP, apart, alone> first_type;
    typedef std::conditional_t<BOTH, destination<D, EXACT_SQUARE, apart, alone>,
                               nowhere>
        second_type;
    struct shared_type {
        struct words_of_warps top, other;
        typename first_type::shared_type first;
        typename second_type::shared_type second;
    };
    static constexpr struct shape shape =
        BOTH || (D == DTYPE_f64 && squares) ? MOMENTS
        : sizeof(S) == 2 && squares         ? SQUARES_NARROW
                                            : SUM_FLOAT;
    static constexpr int unroll = UNROLL;
    static constexpr int lanes = 16 / (int)sizeof(S);
    static constexpr int elements = unroll * lanes; // of a thread's tile

    struct words_of_warps *top, *other;
    first_type first;
    second_type second;
    bool not_negative_zero;
    bool missed; // by the thread's warp, since the windows were set
    int tiles;   // since the windows were set; 0: they are not

    DEVICE exact_base(struct gpu_result *result, shared_type *shared)
        : top(&shared->top), other(&shared->other),
          first(result, &shared->first), second(result, &shared->second),
          not_negative_zero(MAP != EXACT_VALUE), missed(false), tiles(0)
    {
    }

    // Ends the sums after the last tile; the whole block calls it. The words in
    // `other` pass the same barrier as the sums.
    DEVICE void finish(size_t n)
    {
        const bool any = __any_sync(~0u, not_negative_zero);
        if constexpr (alone) {
            if (tiles)
                static_cast<ACC *>(this)->give();
            first.finish(any && n > 0);
            second.finish(n > 0);
            return;
        }
        if (threadIdx.x % 32 == 0)
            other->of[threadIdx.x / 32] = any;
        if (tiles)
            static_cast<ACC *>(this)->give();
        else
            __syncthreads();
        int found = 0;
#pragma unroll
        for (int w = 0; w < THREADS / 32; w++)
            found |= other->of[w];
        first.finish(found && n > 0);
        second.finish(n > 0);
    }

    DEVICE void one(S bits, size_t)
    {
        not_negative_zero |= is_other<D>(bits);
        first.one(bits);
        second.one(bits);
    }

    // Adds a tile. Windows are set again when a sum might overflow, and when a
    // warp has missed them. The block checks for a miss only after 4, 8, 16,
    // ... tiles: numbers that rise along the data double that often, and a
    // barrier in 8 tiles cost both sums of bf16 6 %. (Ascending f32 reach 0.98
    // of the read-only bandwidth with the check, 0.65 without.)
    DEVICE void tile(const vector16<S> *v, const S *data, size_t at,
                     int present)
    {
        ACC *acc = static_cast<ACC *>(this);
        if (tiles == 0)
            acc->anchor(v);
        look_for_other(v);
        if (!acc->add(v)) {
            if constexpr (over_formula)
                keep(v, data + at);
            slow_path(data + at, present);
            missed = true;
        }
        tiles++;
        if (tiles == ACC::tiles_max ||
            (tiles >= 4 && (tiles & (tiles - 1)) == 0 &&
             __syncthreads_or(missed)))
            flush();
    }

    // Ends with a barrier, because the shared memory is used again.
    DEVICE void flush()
    {
        static_cast<ACC *>(this)->give();
        __syncthreads();
        missed = false;
        tiles = 0;
    }

    // -0 changes neither a sum nor not_negative_zero.
    static DEVICE uint4 missing(uint4)
    {
        const uint32_t high = sizeof(S) == 2 ? 0x80008000 : 0x80000000;
        const uint32_t low = sizeof(S) == 8 ? 0 : high;
        return make_uint4(low, high, low, high);
    }

    // Adds the tile of a block that has no other.
    DEVICE void only_tile(const vector16<S> *v, const S *data, size_t at,
                          int present)
    {
        ACC *acc = static_cast<ACC *>(this);
        acc->anchor(v);
        look_for_other(v);
        if (!acc->add(v))
            slow_path(data + at, present);
        tiles = 1;
    }

    // Stores the values that slow_path reads.
    static DEVICE void keep(const vector16<S> *v, const S *data)
    {
        for (int u = 0; u < unroll; u++)
            *(uint4 *)(data + u * tile_stride<S>) = v[u].words;
    }

    // Adds a warp's tile that missed the windows.
    DEVICE void slow_path(const S *data, int present)
    {
        first.template slow_path<unroll>(data, present);
        second.template slow_path<unroll>(data, present);
    }

    DEVICE void look_for_other(const vector16<S> *v)
    {
        not_negative_zero |= is_other<D>(v[0].at[0]);
        if (not_negative_zero)
            return;
#pragma unroll
        for (int u = 0; u < unroll; u++) {
#pragma unroll
            for (int j = 0; j < lanes; j++)
                not_negative_zero |= is_other<D>(v[u].at[j]);
        }
    }

    static constexpr int special = (1 << float_layout<D>::exponent_bits) - 1;

    // A top with |x| < 2^top for the block or, if `alone`, for the warp; Inf
    // and NaN are left out. In every thread.
    DEVICE int top_of_tile(const vector16<S> *v)
    {
        int e = greatest_exponent(v);
        if (e == special)
            e = greatest_of_numbers(v);
        return (alone ? warp_max(e) : block_max(e, top)) - (special / 2 - 1);
    }

    // The exponent field of the thread's greatest magnitude, found in words;
    // `special` if the thread has Inf or NaN.
    static DEVICE int greatest_exponent(const vector16<S> *v)
    {
        constexpr uint32_t below = sizeof(S) == 2 ? 0x7fff7fff : 0x7fffffff;
        uint32_t most = 0;
#pragma unroll
        for (int i = 0; i < 4 * unroll; i++) {
            const uint32_t w = v[i / 4].word[i % 4] & below;
            if (sizeof(S) == 2)
                most = __vmaxu2(most, w);
            else if (sizeof(S) == 4 || i % 2 == 1)
                most = max(most, w);
        }
        if (sizeof(S) == 2)
            most = max(most & 0xffff, most >> 16);
        return (int)(most >> (fraction_bits<D> - (D == DTYPE_f64 ? 32 : 0)));
    }

    static DEVICE int greatest_of_numbers(const vector16<S> *v)
    {
        int most = 0;
#pragma unroll
        for (int u = 0; u < unroll; u++) {
#pragma unroll
            for (int j = 0; j < lanes; j++) {
                const int e = (int)(v[u].at[j] >> fraction_bits<D>)&special;
                most = e < special ? max(most, e) : most;
            }
        }
        return most;
    }

    // Whether the last bit of some element of the block, a nonzero bf16, weighs
    // less than 2^least.
    DEVICE bool any_below(const vector16<S> *v, int least)
    {
        static_assert(D == DTYPE_bf16, "only there it matters");
        // The least exponent field that is not below; the bits of subnormals
        // weigh as those of the least normal numbers.
        const int normal = max(least + fraction_bits<D> + BIAS_bf16, 1);
        bool below = false;
#pragma unroll
        for (int u = 0; u < unroll; u++) {
#pragma unroll
            for (int j = 0; j < lanes; j++) {
                const int magnitude = v[u].at[j] & 0x7fff;
                below |=
                    magnitude && max(magnitude >> fraction_bits<D>, 1) < normal;
            }
        }
        return alone ? __any_sync(~0u, below) : __syncthreads_or(below);
    }
};
