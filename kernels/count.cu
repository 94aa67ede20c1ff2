// SPDX-License-Identifier: MIT
// Counts of NaN, Inf and nonzero, and the first NaN.
#include "tiles.cuh"

constexpr int UNROLL = 4;

// Integers have no NaN and no Inf: their `inf` is above every magnitude.
template <class U, bool FLOAT, uint64_t INF> struct counter {
    uint64_t nan = 0, inf = 0, nonzero = 0, first_nan = 0;

    __device__ __forceinline__ void one(U x, size_t i)
    {
        constexpr U magnitude = FLOAT ? (U)(((U)1 << (8 * sizeof(U) - 1)) - 1)
                                      : (U)~(U)0;
        x &= magnitude;
        nonzero += x != 0;
        if (FLOAT && x >= (U)INF) {
            inf += x == (U)INF;
            if (x > (U)INF) {
                nan++;
                first_nan = max(first_nan, ~(uint64_t)i);
            }
        }
    }

    __device__ __forceinline__ void tile(const vector16<U> *v, const U *,
                                         size_t first)
    {
#pragma unroll
        for (int u = 0; u < UNROLL; u++) {
#pragma unroll
            for (int j = 0; j < (int)(16 / sizeof(U)); j++)
                one(v[u].at[j], first + u * tile_stride<U> + j);
        }
    }
};

template <class U, bool FLOAT, uint64_t INF>
__global__ __launch_bounds__(THREADS) void count_kernel(const U *data,
                                                        size_t n,
                                                        gpu_count *out)
{
    __shared__ uint64_t shared[THREADS / 32];
    counter<U, FLOAT, INF> c;
    each_tile<UNROLL>(data, n, c);
    uint64_t nan = block_sum(c.nan, shared);
    uint64_t inf = block_sum(c.inf, shared);
    uint64_t nonzero = block_sum(c.nonzero, shared);
    if (c.first_nan)
        atomicMax((unsigned long long *)&out->first_nan,
                  (unsigned long long)c.first_nan);
    if (threadIdx.x == 0) {
        add_global(&out->nan, nan);
        add_global(&out->inf, inf);
        add_global(&out->nonzero, nonzero);
    }
}

template <class U, bool FLOAT, uint64_t INF>
static cudaError_t launch(const struct gpu_chunk *c, cudaStream_t stream)
{
    int blocks = grid_for(c->n, sizeof(U), UNROLL, 8);
    count_kernel<U, FLOAT, INF><<<blocks, THREADS, 0, stream>>>(
        (const U *)c->data, c->n, &c->result->count);
    return cudaGetLastError();
}

launch_fn *const count_launchers[DTYPES_END] = {
    launch<uint16_t, true, 0x7c00>,
    launch<uint16_t, true, 0x7f80>,
    launch<uint32_t, true, 0x7f800000>,
    launch<uint64_t, true, 0x7ff0000000000000>,
    launch<uint8_t, false, 0>,
    launch<uint16_t, false, 0>,
    launch<uint32_t, false, 0>,
    launch<uint64_t, false, 0>,
    launch<uint8_t, false, 0>,
    launch<uint16_t, false, 0>,
    launch<uint32_t, false, 0>,
    launch<uint64_t, false, 0>,
};
