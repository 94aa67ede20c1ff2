// SPDX-License-Identifier: MIT
// Exact integer sums. A thread keeps a low and a high half of 64 bits each and
// gives both to the limbs at its end.
#include <type_traits>

#include "limbs.cuh"
#include "tiles.cuh"

constexpr int UNROLL = 4;

// Addends below 2^33 in magnitude: one 64-bit sum of 2^30 of them.
// Wider ones are summed in 32-bit parts, each of up to 2^31 addends.
template <class S, int MAP> struct integer_sum {
    typedef typename std::make_unsigned<S>::type U;
    static constexpr int size = sizeof(S);
    static constexpr bool narrow =
        MAP == EXACT_SQUARE ? size <= 2 : size <= 4;
    int64_t part[4] = {0, 0, 0, 0};

    __device__ __forceinline__ void one(S x, size_t)
    {
        const bool negative = std::is_signed<S>::value && (S)(x >> (8 * size - 1));
        const U magnitude = negative ? (U)(0 - (U)x) : (U)x;
        if (narrow && MAP == EXACT_SQUARE) {
            part[0] += (int64_t)((uint64_t)magnitude * magnitude);
        } else if (narrow) {
            part[0] += MAP == EXACT_VALUE ? (int64_t)x : (int64_t)magnitude;
        } else if (MAP == EXACT_SQUARE && size == 4) {
            const uint64_t square = (uint64_t)magnitude * magnitude;
            part[0] += (uint32_t)square;
            part[1] += (int64_t)(square >> 32);
        } else if (MAP == EXACT_SQUARE) {
            const uint64_t m = magnitude;
            const uint64_t low = m * m, high = __umul64hi(m, m);
            part[0] += (uint32_t)low;
            part[1] += (int64_t)(low >> 32);
            part[2] += (uint32_t)high;
            part[3] += (int64_t)(high >> 32);
        } else {
            const uint64_t bits =
                MAP == EXACT_VALUE ? (uint64_t)x : (uint64_t)magnitude;
            part[0] += (uint32_t)bits;
            if (MAP == EXACT_VALUE && std::is_signed<S>::value)
                part[1] += (int64_t)bits >> 32;
            else
                part[1] += (int64_t)(bits >> 32);
        }
    }

    __device__ __forceinline__ void tile(const vector16<S> *v, const S *,
                                         size_t)
    {
#pragma unroll
        for (int u = 0; u < UNROLL; u++) {
#pragma unroll
            for (int j = 0; j < (int)(16 / sizeof(S)); j++)
                one(v[u].at[j], 0);
        }
    }
};

template <class S, int MAP>
__global__ __launch_bounds__(THREADS) void sum_integer_kernel(
    const S *data, size_t n, struct gpu_sum *out)
{
    __shared__ int64_t shared[THREADS / 32];
    integer_sum<S, MAP> sum;
    each_tile<UNROLL>(data, n, sum);
#pragma unroll
    for (int i = 0; i < 4; i++)
        block_deposit(out->limb, sum.part[i], 32 * i, shared);
}

template <class S, int MAP>
static cudaError_t launch(const struct gpu_chunk *c, cudaStream_t stream)
{
    int blocks = grid_for(c->n, sizeof(S), UNROLL, 8);
    sum_integer_kernel<S, MAP><<<blocks, THREADS, 0, stream>>>(
        (const S *)c->data, c->n, &c->result->sum[MAP]);
    return cudaGetLastError();
}

#define ROW(map)                                                               \
    {                                                                          \
        launch<int8_t, map>, launch<int16_t, map>, launch<int32_t, map>,       \
            launch<int64_t, map>, launch<uint8_t, map>,                        \
            launch<uint16_t, map>, launch<uint32_t, map>,                      \
            launch<uint64_t, map>                                              \
    }

launch_fn *const sum_integer_launchers[3][8] = {
    ROW(EXACT_VALUE), ROW(EXACT_MAGNITUDE), ROW(EXACT_SQUARE)};
