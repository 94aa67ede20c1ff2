// SPDX-License-Identifier: MIT
//
// Exact sum and sum of squares of floats in one read: what a variance needs.
//
// The windows are those of float_sum.cuh, but the rest below the last one is
// not computed for each element. An element's least bit follows from its
// exponent, so it is enough that no nonzero element of the tile ranks below
// `least`. This leaves 5 of 11 f64 operations an element for f32, and 11 of 20
// for f64. f16 and bf16: see narrow.cuh.
#include "kernels/reduce/narrow.cuh"

template <enum dtype D, int UNROLL>
struct moments : exact_base<D, moments<D, UNROLL>, EXACT_VALUE, true, UNROLL> {
    typedef exact_base<D, moments, EXACT_VALUE, true, UNROLL> base;
    typedef typename base::S S;
    using base::base;
    using base::elements;
    using base::unroll;
    static constexpr bool wide = D == DTYPE_f64;
    static constexpr int sums = wide ? 2 : 1;    // windows of the sum
    static constexpr int squares = wide ? 3 : 2; // windows of the squares
    // A tile adds fewer than 2^5 addends of 2^51 to a window.
    static constexpr int tiles_max = 32;

    // sum_low, square_low: the `low` of the first windows; the others adjoin
    // below. w0 to q12: the magic numbers that a step uses; w01 is w0 + w1, see
    // into_windows.
    int sum_low, square_low;
    double w0, w01, q0, q01, q1, q12;
    uint32_t least;                      // least rank that fits
    uint64_t sum[sums], square[squares]; // of bits(t), modulo 2^64
    int kept;                            // tiles that fitted

    // A tile's sums of bits(t), and the checks whether it fits.
    struct tally {
        uint64_t sum[sums], square[squares];
        uint32_t outside, least;
    };

    // 2 * magnitude bits - 1, of the high word for f64. Zero has the greatest
    // rank of all, and an f64 with a high word of 0 the least.
    static DEVICE uint32_t rank(S bits, double x)
    {
        if (wide)
            return 2 * (uint32_t)__double2hiint(x) +
                   min((uint32_t)__double2loint(x), 1u) - 1;
        return 2 * (uint32_t)bits - 1;
    }

    DEVICE void step(S bits, tally *t)
    {
        const double x = to_double<D>((uint64_t)bits);
        const double p = x * x;
        t->least = min(t->least, rank(bits, x));
        into_windows(p, q0, q01, &t->square[0], &t->square[1], &t->outside);
        if (wide) {
            const double error = fma(x, x, -p);
            into_windows(error, q1, q12, &t->square[1], &t->square[2]);
            into_windows(x, w0, w01, &t->sum[0], &t->sum[1]);
        } else {
            into_window(x, w0, &t->sum[0]);
        }
    }

    DEVICE bool add(const vector16<S> *v)
    {
        tally t = {};
        t.least = ~0u;
#pragma unroll
        for (int u = 0; u < unroll; u++) {
#pragma unroll
            for (int j = 0; j < base::lanes; j++)
                step(v[u].at[j], &t);
        }
        if (__any_sync(~0u, t.outside >> 20 || t.least < least))
            return false;
        keep(t);
        return true;
    }

    DEVICE void keep(const tally &t)
    {
        for (int i = 0; i < sums; i++)
            sum[i] += t.sum[i];
        for (int i = 0; i < squares; i++)
            square[i] += t.square[i];
        kept++;
    }

    DEVICE void give()
    {
        deposit(this->first, sum, sum_low, 1);
        deposit(this->second, square, square_low, 2);
    }

    // Deposits the windows' sums of bits(t), the first at 2^low. `of_second`:
    // addends that an f64 brings to the second window.
    template <class TO, int N>
    DEVICE void deposit(TO &to, const uint64_t (&bits)[N], int low,
                        int of_second)
    {
        const uint64_t n = (uint64_t)kept * elements;
        struct portions<N> p;
#pragma unroll
        for (int i = 0; i < N; i++) {
            const int addends = wide && i == 1 ? of_second : 1;
            p.position[i] = low - i * WINDOW_BITS;
            const uint64_t magic = bits_of_double(window_magic(p.position[i]));
            p.value[i] = (int64_t)(bits[i] - n * addends * magic);
        }
        to.deposit(p);
    }

    DEVICE void anchor(const vector16<S> *v)
    {
        const int top = this->top_of_tile(v);
        const struct sum_windows w =
            windows_below(top + 4, sums, least_bit<D, EXACT_VALUE>);
        const struct sum_windows q =
            windows_below(2 * top, squares, least_bit<D, EXACT_SQUARE>);
        sum_low = w.low[0];
        square_low = q.low[0];
        w0 = w.magic[0];
        w01 = w0 + w.magic[1];
        q0 = q.magic[0];
        q1 = q.magic[1];
        q01 = q0 + q1;
        q12 = q1 + q.magic[2];
        least = least_rank(w.low[sums - 1], q.low[squares - 1]);
        for (int i = 0; i < sums; i++)
            sum[i] = 0;
        for (int i = 0; i < squares; i++)
            square[i] = 0;
        kept = 0;
    }

    // The rank of 2^e, where e is the least exponent for which the last windows
    // hold an element's least bit, 2^(e - fraction), and its square.
    static DEVICE uint32_t least_rank(int low, int low2)
    {
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

template <enum dtype D>
static cudaError_t launch(const struct gpu_chunk *c, cudaStream_t stream)
{
    if constexpr (!float_layout<D>::is_float)
        return cudaErrorNotSupported;
    else if constexpr (sizeof(storage_of<D>) == 2)
        return launch_narrow<D, EXACT_VALUE, true>(c, stream);
    else
        return launch_exact<moments<D, MOMENTS.unroll>, moments<D, 1>>(c,
                                                                       stream);
}

launch_fn *const OVER(moments)[DTYPES_END] = {DTYPES(LAUNCH)};
