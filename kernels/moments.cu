// SPDX-License-Identifier: MIT
//
// Exact sum and sum of squares of floats in one read: what a variance needs.
//
// The windows are those of sum_float.cu, but what is left below the last one is
// not computed for each element: an element's least bit follows from its
// exponent, so it is enough that no nonzero element of the tile has a smaller
// exponent than `least`. For f32 that leaves 6 f64 operations an element of 11,
// for f64 14 of 20.
#include "sweep.cuh"

template <enum dtype D> struct moments {
    typedef typename element<D>::storage S;
    static constexpr bool wide = D == DTYPE_f64;
    static constexpr int sums = wide ? 2 : 1;    // windows of the sum
    static constexpr int squares = wide ? 3 : 2; // and of the squares
    static constexpr int lanes = 16 / (int)sizeof(S);
    static constexpr int unroll = sizeof(S) == 2 ? 2 : 4;
    static constexpr int elements = unroll * lanes;
    // A tile adds less than 2^5 * 2^51 to a window, 2^6 * 2^51 at most.
    static constexpr int tiles_max = 32;
    static constexpr int fraction = D == DTYPE_f64    ? 52
                                    : D == DTYPE_f16  ? 10
                                    : D == DTYPE_bf16 ? 7
                                                      : 23;
    static constexpr int lsb = EXACT_LSB(D, EXACT_VALUE);
    typedef warp_limbs<limbs_of<D, EXACT_VALUE>> sum_limbs;
    typedef warp_limbs<limbs_of<D, EXACT_SQUARE>> square_limbs;

    struct gpu_result *out;
    int64_t *shared;
    sum_limbs *limbs;
    square_limbs *limbs2;
    struct windows w, q;
    uint32_t least; // of 2 * magnitude bits - 1, of the high word for f64
    int64_t sum[sums], square[squares];
    int tiles;
    bool not_negative_zero;

    __device__ __forceinline__ moments(struct gpu_result *out_,
                                       int64_t *shared_, sum_limbs *limbs_,
                                       square_limbs *limbs2_)
        : out(out_), shared(shared_), limbs(limbs_), limbs2(limbs2_), tiles(0),
          not_negative_zero(false)
    {
        limbs->clear();
        limbs2->clear();
    }

    // A tile's sums of bits(t), and what tells whether they count.
    struct tally {
        uint64_t sum[sums], square[squares];
        uint32_t outside, least;
    };

    static __device__ __forceinline__ double add(double x, double magic,
                                                 uint64_t *sum)
    {
        const double t = x + magic;
        *sum += (uint64_t)__double_as_longlong(t);
        return (magic - t) + x;
    }

    // Zero gives the greatest of all; f64 that is subnormal, the least.
    static __device__ __forceinline__ uint32_t rank(S bits, double x)
    {
        if (wide)
            return 2 * (uint32_t)__double2hiint(x) +
                   min((uint32_t)__double2loint(x), 1u) - 1;
        return 2 * __float_as_uint((float)x) - 1;
    }

    __device__ __forceinline__ void step(S bits, tally *t)
    {
        const double x = to_double<D>((uint64_t)bits);
        const double p = x * x;
        const double t0 = p + q.magic[0];
        t->least = min(t->least, rank(bits, x));
        t->outside |= __double2hiint(t0) ^ __double2hiint(q.magic[0]);
        t->square[0] += (uint64_t)__double_as_longlong(t0);
        const double rest = (q.magic[0] - t0) + p;
        t->square[1] +=
            (uint64_t)__double_as_longlong(rest + q.magic[1]);
        if (wide) {
            const double error = fma(x, x, -p);
            const double r = add(error, q.magic[1], &t->square[1]);
            t->square[2] +=
                (uint64_t)__double_as_longlong(r + q.magic[2]);
            const double s = add(x, w.magic[0], &t->sum[0]);
            t->sum[1] += (uint64_t)__double_as_longlong(s + w.magic[1]);
        } else {
            t->sum[0] += (uint64_t)__double_as_longlong(x + w.magic[0]);
        }
    }

    __device__ __forceinline__ void tile(const vector16<S> *v, const S *data,
                                         size_t first)
    {
        if (tiles == 0)
            anchor(v);
        if (!not_negative_zero)
            look_for_other(v);
        tally t = {};
        t.least = ~0u;
#pragma unroll
        for (int u = 0; u < unroll; u++) {
#pragma unroll
            for (int j = 0; j < lanes; j++)
                step(v[u].at[j], &t);
        }
        if (__any_sync(~0u, t.outside >> 20 || t.least < least)) {
            sweep_tile<D, EXACT_VALUE, unroll>(
                data + first, &out->sum[EXACT_VALUE], limbs->mine(), lsb);
            sweep_tile<D, EXACT_SQUARE, unroll>(data + first,
                                                &out->sum[EXACT_SQUARE],
                                                limbs2->mine(), 2 * lsb);
        } else {
            keep(t);
        }
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
            block_deposit(out->sum[EXACT_VALUE].limb, sum[i],
                          (unsigned)(w.low[i] - lsb), shared);
        for (int i = 0; i < squares; i++)
            block_deposit(out->sum[EXACT_SQUARE].limb, square[i],
                          (unsigned)(q.low[i] - 2 * lsb), shared);
        tiles = 0;
    }

    __device__ __forceinline__ void finish(size_t n)
    {
        flush();
        limbs->flush(out->sum[EXACT_VALUE].limb);
        limbs2->flush(out->sum[EXACT_SQUARE].limb);
        if (__syncthreads_or(not_negative_zero) && threadIdx.x == 0)
            atomicOr((unsigned long long *)&out->sum[EXACT_VALUE]
                         .not_negative_zero,
                     1ull);
        if (n > 0 && threadIdx.x == 0)
            atomicOr((unsigned long long *)&out->sum[EXACT_SQUARE]
                         .not_negative_zero,
                     1ull);
    }

    __device__ __forceinline__ void look_for_other(const vector16<S> *v)
    {
#pragma unroll
        for (int u = 0; u < unroll; u++) {
#pragma unroll
            for (int j = 0; j < lanes; j++)
                not_negative_zero |= is_other<D>(v[u].at[j]);
        }
    }

    __device__ __forceinline__ void one(S bits, size_t)
    {
        not_negative_zero |= is_other<D>(bits);
        to_limbs<D, EXACT_VALUE>(bits, &out->sum[EXACT_VALUE], lsb);
        to_limbs<D, EXACT_SQUARE>(bits, &out->sum[EXACT_SQUARE], 2 * lsb);
    }

    __device__ __forceinline__ void anchor(const vector16<S> *v)
    {
        int top = -1074;
#pragma unroll
        for (int u = 0; u < unroll; u++) {
#pragma unroll
            for (int j = 0; j < lanes; j++) {
                const int e = top_of(to_double<D>((uint64_t)v[u].at[j]));
                top = e < 1025 ? max(top, e) : top;
            }
        }
        top = block_max(top, shared);
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
            e = max(e, low + fraction);
        if (low2 > least_bit<D, EXACT_SQUARE>)
            e = max(e, ((low2 + 1) >> 1) + fraction); // rounded up
        if (wide)
            return ((uint32_t)(min(e, 1023) + 1023) << 21) - 1;
        return e <= -126 ? 0 : ((uint32_t)(min(e, 127) + 127) << 24) - 1;
    }
};

template <enum dtype D>
__global__ __launch_bounds__(THREADS) void moments_kernel(
    const typename element<D>::storage *data, size_t n,
    struct gpu_result *result)
{
    typedef moments<D> type;
    __shared__ int64_t shared[THREADS / 32];
    __shared__ typename type::sum_limbs limbs;
    __shared__ typename type::square_limbs limbs2;
    type both(result, shared, &limbs, &limbs2);
    each_tile<type::unroll>(data, n, both);
    both.finish(n);
}

template <enum dtype D>
static cudaError_t launch(const struct gpu_chunk *c, cudaStream_t stream)
{
    typedef typename element<D>::storage S;
    int unroll = moments<D>::unroll;
    int blocks = grid_for(c->n, sizeof(S), unroll, 8);
    moments_kernel<D><<<blocks, THREADS, 0, stream>>>((const S *)c->data, c->n,
                                                      c->result);
    return cudaGetLastError();
}

launch_fn *const moments_launchers[4] = {launch<DTYPE_f16>, launch<DTYPE_bf16>,
                                         launch<DTYPE_f32>, launch<DTYPE_f64>};
