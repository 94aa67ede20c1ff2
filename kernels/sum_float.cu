// SPDX-License-Identifier: MIT
//
// Exact float sums by windows (reduce/windows.h). A block sets its windows over
// the first tile it meets and again whenever their 64-bit sums might overflow;
// a thread's tile that does not fit them goes to the limbs element by element.
#include "limbs.cuh"
#include "tiles.cuh"

// One element straight to the limbs. Not inline, and given values only: the
// windows' state stays in registers.
template <enum dtype D, int MAP>
__device__ __noinline__ void to_limbs(typename element<D>::storage bits,
                                      struct gpu_sum *out, int lsb)
{
    double x = to_double<D>((uint64_t)bits);
    const uint64_t b = bits_of_double(x);
    if ((b >> 52 & 0x7ff) == 0x7ff) {
        const bool minus = MAP == EXACT_VALUE && b >> 63;
        add_global(b << 12 ? &out->nan
                   : minus ? &out->minus_inf
                           : &out->plus_inf,
                   1);
        return;
    }
    if (MAP == EXACT_MAGNITUDE)
        x = fabs(x);
    if (MAP == EXACT_SQUARE && D == DTYPE_f64) {
        const struct scaled s = scaled_of(x, -1074);
        const unsigned __int128 square =
            (unsigned __int128)((__int128)s.value * s.value);
        deposit(out->limb, (int64_t)(square & ((1ull << 53) - 1)),
                2 * s.position);
        deposit(out->limb, (int64_t)(square >> 53), 2 * s.position + 53);
        return;
    }
    if (MAP == EXACT_SQUARE)
        x *= x;
    const struct scaled s = scaled_of(x, lsb);
    deposit(out->limb, s.value, s.position);
}

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
    static constexpr S negative_zero = (S)((S)1 << (8 * sizeof(S) - 1));

    struct gpu_sum *out;
    int64_t *shared; // a word a warp
    int lsb;
    struct windows w;
    uint64_t sum[WINDOWS_MAX]; // of bits(t), modulo 2^64
    int addends;
    bool not_negative_zero;

    __device__ __forceinline__ float_sum(struct gpu_sum *out_, int64_t *shared_,
                                         int lsb_)
        : out(out_), shared(shared_), lsb(lsb_), addends(0),
          not_negative_zero(MAP != EXACT_VALUE)
    {
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
            c->tiny |= x != 0.0 && fabs(x) < 0x1p-485;
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
        if (c.outside >> 20 || c.rest || c.tiny) {
            // As if all had been 0: each window keeps its count of addends.
            for (int i = 0; i < windows; i++)
                sum[i] = before[i] + weight(i) * elements *
                                         bits_of_double(w.magic[i]);
#pragma unroll 1
            for (int i = 0; i < elements; i++)
                one(data[first + i / lanes * tile_stride<S> + i % lanes], 0);
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

    // Neither -0 nor NaN.
    static __device__ __forceinline__ bool is_other(S bits)
    {
        const double x = to_double<D>((uint64_t)bits);
        return bits != negative_zero && x == x;
    }

    __device__ __forceinline__ void look_for_other(const vector16<S> *v)
    {
#pragma unroll
        for (int u = 0; u < unroll; u++) {
#pragma unroll
            for (int j = 0; j < lanes; j++)
                not_negative_zero |= is_other(v[u].at[j]);
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
                const double x = to_double<D>((uint64_t)v[u].at[j]);
                const int e = (__double2hiint(x) >> 20 & 0x7ff) - 1022;
                top = e < 1025 ? max(top, e) : top;
            }
        }
        top = __reduce_max_sync(~0u, top);
        __syncthreads();
        if (threadIdx.x % 32 == 0)
            shared[threadIdx.x / 32] = top;
        __syncthreads();
        for (int i = 0; i < THREADS / 32; i++)
            top = max(top, (int)shared[i]);
        top = MAP == EXACT_SQUARE ? 2 * top : top + 4;
        w = windows_below(top, windows, lsb);
        for (int i = 0; i < windows; i++)
            sum[i] = 0;
    }

    __device__ __forceinline__ void one(S bits, size_t)
    {
        not_negative_zero |= is_other(bits);
        to_limbs<D, MAP>(bits, out, lsb);
    }
};

template <enum dtype D, int MAP>
__global__ __launch_bounds__(THREADS) void sum_float_kernel(
    const typename element<D>::storage *data, size_t n, struct gpu_sum *out,
    int lsb)
{
    __shared__ int64_t shared[THREADS / 32];
    float_sum<D, MAP> sum(out, shared, lsb);
    each_tile<float_sum<D, MAP>::unroll>(data, n, sum);
    sum.flush();
    if (__syncthreads_or(sum.not_negative_zero && n > 0) && threadIdx.x == 0)
        atomicOr((unsigned long long *)&out->not_negative_zero, 1ull);
}

template <enum dtype D, int MAP>
static cudaError_t launch(const struct gpu_chunk *c, cudaStream_t stream)
{
    typedef typename element<D>::storage S;
    int blocks = grid_for(c->n, sizeof(S), float_sum<D, MAP>::unroll, 8);
    // As exact_lsb, which is host code.
    int lsb = (D == DTYPE_f64 ? -1074 : -149) * (MAP == EXACT_SQUARE ? 2 : 1);
    sum_float_kernel<D, MAP><<<blocks, THREADS, 0, stream>>>(
        (const S *)c->data, c->n, &c->result->sum[MAP], lsb);
    return cudaGetLastError();
}

#define ROW(map)                                                               \
    {                                                                          \
        launch<DTYPE_f16, map>, launch<DTYPE_bf16, map>,                       \
            launch<DTYPE_f32, map>, launch<DTYPE_f64, map>                     \
    }

launch_fn *const sum_float_launchers[3][4] = {
    ROW(EXACT_VALUE), ROW(EXACT_MAGNITUDE), ROW(EXACT_SQUARE)};
