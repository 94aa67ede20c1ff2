// SPDX-License-Identifier: MIT
//
// Exact float sums by windows (reduce/windows.h). A block sets its windows over
// the first tile it meets and again whenever their 64-bit sums might overflow;
// a warp's tile that does not fit them is swept (sweep.cuh).
#include "narrow.cuh"
#include "sweep.cuh"

template <enum dtype D, int MAP> struct float_sum {
    typedef typename element<D>::storage S;
    static constexpr bool wide = D == DTYPE_f64;
    static constexpr int windows = 1 + wide + (MAP == EXACT_SQUARE);
    static constexpr int unroll = sizeof(S) == 2 ? 2 : 4;
    static constexpr int lanes = 16 / (int)sizeof(S);
    static constexpr int elements = unroll * lanes;
    // Squares of f64 bring the second window two addends each.
    static constexpr int addends_max =
        WINDOW_ADDENDS / (wide && MAP == EXACT_SQUARE ? 2 : 1);

    typedef warp_limbs<limbs_of<D, MAP>> limbs_type;
    static constexpr int lsb = EXACT_LSB(D, MAP);

    struct gpu_sum *out;
    int64_t *shared; // a word a warp
    limbs_type *limbs;
    struct windows w;
    uint64_t sum[WINDOWS_MAX]; // of bits(t), modulo 2^64
    int addends;
    bool not_negative_zero;

    __device__ __forceinline__ float_sum(struct gpu_sum *out_, int64_t *shared_,
                                         limbs_type *limbs_)
        : out(out_), shared(shared_), limbs(limbs_), addends(0),
          not_negative_zero(MAP != EXACT_VALUE)
    {
        limbs->clear();
    }

    // Gives all to *out; the whole block calls it.
    __device__ __forceinline__ void finish(size_t n)
    {
        flush();
        limbs->flush(out->limb);
        if (__syncthreads_or(not_negative_zero && n > 0) && threadIdx.x == 0)
            atomicOr((unsigned long long *)&out->not_negative_zero, 1ull);
    }

    struct check {
        unsigned outside, rest;
        bool tiny;
    };

    // Adds x to window i; returns what is left, never -0.
    __device__ __forceinline__ double add(double x, int i, struct check *c)
    {
        const double t = x + w.magic[i];
        sum[i] += (uint64_t)__double_as_longlong(t);
        if (i == 0)
            c->outside |= __double2hiint(t) ^ __double2hiint(w.magic[0]);
        return (w.magic[i] - t) + x;
    }

    __device__ __forceinline__ void step(S bits, struct check *c)
    {
        double x = to_double<D>((uint64_t)bits);
        if (MAP == EXACT_MAGNITUDE)
            x = fabs(x);
        if (MAP == EXACT_SQUARE && wide) {
            const double square = x * x;
            const double error = fma(x, x, -square);
            c->tiny |= x != 0.0 && top_of(x) <= WINDOW_SQUARE_EXPONENT;
            double rest = add(square, 0, c);
            note(add(rest, 1, c), c);
            rest = add(error, 1, c);
            note(add(rest, 2, c), c);
            return;
        }
        if (MAP == EXACT_SQUARE)
            x *= x;
        x = add(x, 0, c);
        if (windows > 1)
            x = add(x, 1, c);
        note(x, c);
    }

    __device__ __forceinline__ void note(double rest, struct check *c)
    {
        c->rest |= __double2hiint(rest) | __double2loint(rest);
    }

    __device__ __forceinline__ void tile(const vector16<S> *v, const S *data,
                                         size_t first)
    {
        if (addends == 0)
            anchor(v);
        if (!not_negative_zero)
            look_for_other(v);
        uint64_t before[windows];
        for (int i = 0; i < windows; i++)
            before[i] = sum[i];
        struct check c = {0, 0, false};
#pragma unroll
        for (int u = 0; u < unroll; u++) {
#pragma unroll
            for (int j = 0; j < lanes; j++)
                step(v[u].at[j], &c);
        }
        addends += elements;
        const bool missed = c.outside >> 20 || c.rest || c.tiny;
        if (__any_sync(~0u, missed)) {
            // As if all had been 0: each window keeps its count of addends.
            for (int i = 0; i < windows; i++)
                sum[i] = before[i] + weight(i) * elements *
                                         bits_of_double(w.magic[i]);
            sweep_tile<D, MAP, unroll>(data + first, out, limbs->mine(), lsb);
        }
        if (addends + elements > addends_max)
            flush();
    }

    // Addends that an element brings to window i.
    static __device__ __forceinline__ uint64_t weight(int i)
    {
        return wide && MAP == EXACT_SQUARE && i == 1 ? 2 : 1;
    }

    // Gives the windows' sums to the limbs; the whole block calls it.
    __device__ __forceinline__ void flush()
    {
        if (addends == 0)
            return;
        for (int i = 0; i < windows; i++) {
            const uint64_t magics =
                weight(i) * addends * bits_of_double(w.magic[i]);
            block_deposit(out->limb, (int64_t)(sum[i] - magics),
                          (unsigned)(w.low[i] - lsb), shared);
        }
        addends = 0;
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

    // Sets the windows over the block's tile.
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
        top = MAP == EXACT_SQUARE ? 2 * top : top + 4;
        w = windows_below(top, windows, least_bit<D, MAP>);
        for (int i = 0; i < windows; i++)
            sum[i] = 0;
    }

    __device__ __forceinline__ void one(S bits, size_t)
    {
        not_negative_zero |= is_other<D>(bits);
        to_limbs<D, MAP>(bits, out, lsb);
    }
};

// How a type is summed: the narrow ones in f32 arithmetic, where they fit.
template <enum dtype D, int MAP> struct summer {
    typedef float_sum<D, MAP> type;
};
template <> struct summer<DTYPE_f16, EXACT_VALUE> {
    typedef narrow_sum<DTYPE_f16, EXACT_VALUE> type;
};
template <> struct summer<DTYPE_f16, EXACT_MAGNITUDE> {
    typedef narrow_sum<DTYPE_f16, EXACT_MAGNITUDE> type;
};
template <> struct summer<DTYPE_bf16, EXACT_VALUE> {
    typedef narrow_sum<DTYPE_bf16, EXACT_VALUE> type;
};
template <> struct summer<DTYPE_bf16, EXACT_MAGNITUDE> {
    typedef narrow_sum<DTYPE_bf16, EXACT_MAGNITUDE> type;
};

template <enum dtype D, int MAP>
__global__ __launch_bounds__(THREADS) void sum_float_kernel(
    const typename element<D>::storage *data, size_t n, struct gpu_sum *out)
{
    __shared__ int64_t shared[THREADS / 32];
    typedef typename summer<D, MAP>::type type;
    __shared__ typename type::limbs_type limbs;
    type sum(out, shared, &limbs);
    each_tile<type::unroll>(data, n, sum);
    sum.finish(n);
}

template <enum dtype D, int MAP>
static cudaError_t launch(const struct gpu_chunk *c, cudaStream_t stream)
{
    typedef typename element<D>::storage S;
    int unroll = summer<D, MAP>::type::unroll;
    int blocks = grid_for(c->n, sizeof(S), unroll, 8);
    sum_float_kernel<D, MAP><<<blocks, THREADS, 0, stream>>>(
        (const S *)c->data, c->n, &c->result->sum[MAP]);
    return cudaGetLastError();
}

#define ROW(map)                                                               \
    {                                                                          \
        launch<DTYPE_f16, map>, launch<DTYPE_bf16, map>,                       \
            launch<DTYPE_f32, map>, launch<DTYPE_f64, map>                     \
    }

launch_fn *const sum_float_launchers[3][4] = {
    ROW(EXACT_VALUE), ROW(EXACT_MAGNITUDE), ROW(EXACT_SQUARE)};
