// SPDX-License-Identifier: MIT
//
// Exact sum and sum of squares of floats in one read: what a variance needs.
//
// The windows are those of sum_float.cu, but what is left below the last one is
// not computed for each element: an element's least bit follows from its
// exponent, so it is enough that no nonzero element of the tile has a smaller
// exponent than `least`. For f32 that leaves 6 f64 operations an element of 11,
// for f64 14 of 20. f16 and bf16: see narrow.cuh.
#include "narrow.cuh"

template <enum dtype D> struct moments : exact_base<D, EXACT_VALUE, true> {
    typedef exact_base<D, EXACT_VALUE, true> base;
    typedef typename base::S S;
    using base::elements;
    using base::unroll;
    using base::words;
    static constexpr bool wide = D == DTYPE_f64;
    static constexpr int sums = wide ? 2 : 1;    // windows of the sum
    static constexpr int squares = wide ? 3 : 2; // and of the squares
    // A tile adds less than 2^5 * 2^51 to a window.
    static constexpr int tiles_max = 32;

    struct windows w, q;
    uint32_t least; // of 2 * magnitude bits - 1, of the high word for f64
    int64_t sum[sums], square[squares];
    int tiles;

    __device__ __forceinline__ moments(struct gpu_result *result,
                                       typename base::shared_type *shared)
        : base(result, shared), tiles(0)
    {
    }

    // A tile's sums of bits(t), and what tells whether they count.
    struct tally {
        uint64_t sum[sums], square[squares];
        uint32_t outside, least;
    };

    // Zero gives the greatest of all; f64 that is subnormal, the least.
    static __device__ __forceinline__ uint32_t rank(S bits, double x)
    {
        if (wide)
            return 2 * (uint32_t)__double2hiint(x) +
                   min((uint32_t)__double2loint(x), 1u) - 1;
        return 2 * (uint32_t)bits - 1;
    }

    __device__ __forceinline__ void step(S bits, tally *t)
    {
        const double x = to_double<D>((uint64_t)bits);
        const double p = x * x;
        const double rest =
            into_window(p, q.magic[0], &t->square[0], &t->outside);
        into_window(rest, q.magic[1], &t->square[1]);
        const double s = into_window(x, w.magic[0], &t->sum[0]);
        t->least = min(t->least, rank(bits, x));
        if (wide) {
            const double error = fma(x, x, -p);
            const double r = into_window(error, q.magic[1], &t->square[1]);
            into_window(r, q.magic[2], &t->square[2]);
            into_window(s, w.magic[1], &t->sum[1]);
        }
    }

    __device__ __forceinline__ void tile(const vector16<S> *v, const S *data,
                                         size_t at)
    {
        if (tiles == 0)
            anchor(v);
        this->look_for_other(v);
        tally t = {};
        t.least = ~0u;
#pragma unroll
        for (int u = 0; u < unroll; u++) {
#pragma unroll
            for (int j = 0; j < base::lanes; j++)
                step(v[u].at[j], &t);
        }
        if (__any_sync(~0u, t.outside >> 20 || t.least < least))
            this->sweep(data + at);
        else
            keep(t);
        if (++tiles == tiles_max)
            flush();
    }

    __device__ __forceinline__ void keep(const tally &t)
    {
        for (int i = 0; i < sums; i++)
            sum[i] += (int64_t)(t.sum[i] -
                                elements * bits_of_double(w.magic[i]));
        for (int i = 0; i < squares; i++) {
            const int addends = elements * (wide && i == 1 ? 2 : 1);
            square[i] += (int64_t)(t.square[i] -
                                   addends * bits_of_double(q.magic[i]));
        }
    }

    __device__ __forceinline__ void flush()
    {
        if (tiles == 0)
            return;
        for (int i = 0; i < sums; i++)
            this->first.deposit(sum[i], w.low[i], words);
        for (int i = 0; i < squares; i++)
            this->second.deposit(square[i], q.low[i], words);
        tiles = 0;
    }

    __device__ __forceinline__ void anchor(const vector16<S> *v)
    {
        const int top = this->top_of_tile(v);
        w = windows_below(top + 4, sums, least_bit<D, EXACT_VALUE>);
        q = windows_below(2 * top, squares, least_bit<D, EXACT_SQUARE>);
        least = least_rank();
        for (int i = 0; i < sums; i++)
            sum[i] = 0;
        for (int i = 0; i < squares; i++)
            square[i] = 0;
    }

    // The least exponent e of an element whose least bits, 2^(e - fraction) and
    // its square, the last windows hold; as a rank.
    __device__ __forceinline__ uint32_t least_rank() const
    {
        const int low = w.low[sums - 1], low2 = q.low[squares - 1];
        int e = wide ? WINDOW_SQUARE_EXPONENT : -126;
        if (low > least_bit<D, EXACT_VALUE>)
            e = max(e, low + fraction_bits<D>);
        if (low2 > least_bit<D, EXACT_SQUARE>)
            e = max(e, ((low2 + 1) >> 1) + fraction_bits<D>); // rounded up
        if (wide)
            return ((uint32_t)(min(e, 1023) + 1023) << 21) - 1;
        return e <= -126 ? 0 : ((uint32_t)(min(e, 127) + 127) << 24) - 1;
    }
};

launch_fn *const moments_launchers[4] = {
    launch_exact<narrow_sum<DTYPE_f16, EXACT_VALUE, true>>,
    launch_exact<narrow_sum<DTYPE_bf16, EXACT_VALUE, true>>,
    launch_exact<moments<DTYPE_f32>>, launch_exact<moments<DTYPE_f64>>};
