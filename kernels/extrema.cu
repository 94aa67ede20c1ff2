// SPDX-License-Identifier: MIT
// Least and greatest with their first index. A tile's extremes are found among
// keys (integers that order as the values do, NaN outside the infinities); only
// a tile that beats the thread's best so far, or holds NaN, is looked at again.
#include <type_traits>

#include "tiles.cuh"

constexpr int UNROLL = 4;

// What the keys of a type are. K orders; NAN_ABOVE and NAN_BELOW bound numbers.
template <class S_, class K_> struct plain_order {
    typedef S_ S;
    typedef K_ K;
    static constexpr bool has_nan = false;
    static constexpr K inf = 0;
    static __device__ __forceinline__ K key(S v) { return (K)v; }
    static __device__ __forceinline__ uint64_t wide(K k)
    {
        return (K)-1 < (K)0 ? key_of_signed((int64_t)k) : (uint64_t)k;
    }
    static __device__ __forceinline__ uint64_t bits(S v)
    {
        typedef typename std::make_unsigned<S>::type U;
        return (uint64_t)(U)v;
    }
};

template <class S_, class U> struct magnitude_order : plain_order<S_, U> {
    static __device__ __forceinline__ U key(S_ v)
    {
        return v < 0 ? (U)(0 - (U)v) : (U)v;
    }
    static __device__ __forceinline__ uint64_t bits(S_ v)
    {
        return (uint64_t)key(v);
    }
};

template <class S_, uint64_t INF> struct float_order {
    typedef S_ S; // signed, of the float's width
    typedef S_ K;
    static constexpr bool has_nan = true;
    static constexpr K inf = (K)INF;
    static constexpr S mask = (S)(((uint64_t)1 << (8 * sizeof(S) - 1)) - 1);
    static __device__ __forceinline__ K key(S v)
    {
        return (K)(v ^ ((v >> (8 * sizeof(S) - 1)) & mask));
    }
    static __device__ __forceinline__ uint64_t wide(K k)
    {
        return key_of_signed(k == -1 ? 0 : (int64_t)k); // -0 equals +0
    }
    static __device__ __forceinline__ uint64_t bits(S v)
    {
        typedef typename std::make_unsigned<S>::type U;
        return (uint64_t)(U)v;
    }
};

template <class S_, uint64_t INF>
struct float_magnitude_order : float_order<S_, INF> {
    static __device__ __forceinline__ S_ key(S_ v)
    {
        return (S_)(v & float_order<S_, INF>::mask);
    }
    static __device__ __forceinline__ uint64_t bits(S_ v)
    {
        return (uint64_t)key(v);
    }
};

template <class O> struct finder {
    typedef typename O::S S;
    typedef typename O::K K;
    struct extrema best;
    K low, high; // keys that a tile must pass to matter
    bool any;

    __device__ __forceinline__ finder() : any(false) { extrema_init(&best); }

    __device__ __forceinline__ void one(S v, size_t i)
    {
        K k = O::key(v);
        if (O::has_nan && (k > O::inf || k < -O::inf - 1)) {
            best.nans++;
            best.first_nan = best.first_nan < i ? best.first_nan : i;
            return;
        }
        struct extremum e = {O::wide(k), O::bits(v), (uint64_t)i};
        if (extremum_beats(&e, &best.min, 0)) {
            best.min = e;
            low = O::has_nan && k == 0 ? (K)-1 : k;
        }
        if (extremum_beats(&e, &best.max, 1)) {
            best.max = e;
            high = O::has_nan && k == (K)-1 ? (K)0 : k;
        }
        any = true;
    }

    __device__ __forceinline__ void tile(const vector16<S> *v, const S *data,
                                         size_t first)
    {
        K least = O::key(v[0].at[0]), most = least;
#pragma unroll
        for (int u = 0; u < UNROLL; u++) {
#pragma unroll
            for (int j = 0; j < (int)(16 / sizeof(S)); j++) {
                K k = O::key(v[u].at[j]);
                least = k < least ? k : least;
                most = k > most ? k : most;
            }
        }
        bool nan = O::has_nan && (most > O::inf || least < -O::inf - 1);
        if (any && !nan && least >= low && most <= high)
            return;
#pragma unroll 1
        for (int i = 0; i < UNROLL * (int)(16 / sizeof(S)); i++) {
            const size_t at = first + i / (16 / sizeof(S)) * tile_stride<S> +
                              i % (16 / sizeof(S));
            one(data[at], at);
        }
    }
};

__device__ __forceinline__ struct extremum shuffle(struct extremum e, int s)
{
    e.key = shuffle_down(e.key, s);
    e.bits = shuffle_down(e.bits, s);
    e.index = shuffle_down(e.index, s);
    return e;
}

// The merge over the block, in thread 0.
static __device__ void block_extrema(struct extrema *x,
                                     struct extrema *shared)
{
    for (int s = 16; s > 0; s /= 2) {
        struct extrema y;
        y.nans = shuffle_down(x->nans, s);
        y.first_nan = shuffle_down(x->first_nan, s);
        y.min = shuffle(x->min, s);
        y.max = shuffle(x->max, s);
        extrema_merge(x, &y);
    }
    __syncthreads();
    if (threadIdx.x % 32 == 0)
        shared[threadIdx.x / 32] = *x;
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int w = 1; w < THREADS / 32; w++)
            extrema_merge(x, &shared[w]);
    }
}

template <class O>
__global__ __launch_bounds__(THREADS) void extrema_kernel(
    const typename O::S *data, size_t n, struct extrema *out,
    struct extrema *of_block, unsigned *ticket)
{
    __shared__ struct extrema shared[THREADS / 32];
    finder<O> f;
    each_tile<UNROLL>(data, n, f);
    block_extrema(&f.best, shared);
    if (threadIdx.x == 0)
        of_block[blockIdx.x] = f.best;
    if (!last_block(ticket))
        return;
    extrema_init(&f.best);
    for (unsigned b = threadIdx.x; b < gridDim.x; b += THREADS)
        extrema_merge(&f.best, &of_block[b]);
    block_extrema(&f.best, shared);
    if (threadIdx.x == 0)
        *out = f.best;
}

template <class O, int MAGNITUDE>
static cudaError_t launch(const struct gpu_chunk *c, cudaStream_t stream)
{
    typedef typename O::S S;
    int monoid = MAGNITUDE ? MONOID_absextrema : MONOID_extrema;
    int blocks = grid_for(c->n, sizeof(S), UNROLL, 8);
    extrema_kernel<O><<<blocks, THREADS, 0, stream>>>(
        (const S *)c->data, c->n, &c->result->extrema[MAGNITUDE],
        (struct extrema *)c->scratch, &c->result->ticket[monoid]);
    return cudaGetLastError();
}

launch_fn *const extrema_launchers[2][DTYPES_END] = {
    {
        launch<float_order<int16_t, 0x7c00>, 0>,
        launch<float_order<int16_t, 0x7f80>, 0>,
        launch<float_order<int32_t, 0x7f800000>, 0>,
        launch<float_order<int64_t, 0x7ff0000000000000>, 0>,
        launch<plain_order<int8_t, int8_t>, 0>,
        launch<plain_order<int16_t, int16_t>, 0>,
        launch<plain_order<int32_t, int32_t>, 0>,
        launch<plain_order<int64_t, int64_t>, 0>,
        launch<plain_order<uint8_t, uint8_t>, 0>,
        launch<plain_order<uint16_t, uint16_t>, 0>,
        launch<plain_order<uint32_t, uint32_t>, 0>,
        launch<plain_order<uint64_t, uint64_t>, 0>,
    },
    {
        launch<float_magnitude_order<int16_t, 0x7c00>, 1>,
        launch<float_magnitude_order<int16_t, 0x7f80>, 1>,
        launch<float_magnitude_order<int32_t, 0x7f800000>, 1>,
        launch<float_magnitude_order<int64_t, 0x7ff0000000000000>, 1>,
        launch<magnitude_order<int8_t, uint8_t>, 1>,
        launch<magnitude_order<int16_t, uint16_t>, 1>,
        launch<magnitude_order<int32_t, uint32_t>, 1>,
        launch<magnitude_order<int64_t, uint64_t>, 1>,
        launch<plain_order<uint8_t, uint8_t>, 1>,
        launch<plain_order<uint16_t, uint16_t>, 1>,
        launch<plain_order<uint32_t, uint32_t>, 1>,
        launch<plain_order<uint64_t, uint64_t>, 1>,
    },
};
