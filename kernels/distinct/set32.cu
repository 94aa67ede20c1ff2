// SPDX-License-Identifier: MIT
//
// Sets of 32-bit keys: a bit for each hash, 512 MiB. An element costs a sector
// of it read and, if it is new, one written: sixteen times its own size.
#include "kernels/distinct/canonical.cuh"

constexpr int UNROLL = 4;

template <bool FLOAT> struct adder32 {
    uint32_t *bits, inf;

    static DEVICE uint4 missing(uint4 words)
    {
        return words;
    }

    // A stale word may lack a bit, but no bit is ever cleared.
    DEVICE void add(uint32_t hash, uint32_t word)
    {
        const uint32_t bit = 1u << hash % 32;
        if (!(word & bit))
            atomicOr(bits + hash / 32, bit);
    }

    DEVICE void one(uint32_t x, size_t)
    {
        const uint32_t hash = hash_of_element<uint32_t, FLOAT>(x, inf);
        add(hash, bits[hash / 32]);
    }

    // Load all words before the first is used.
    DEVICE void tile(const vector16<uint32_t> *v, const uint32_t *, size_t, int)
    {
        uint32_t hash[4 * UNROLL], word[4 * UNROLL];
#pragma unroll
        for (int i = 0; i < 4 * UNROLL; i++) {
            hash[i] = hash_of_element<uint32_t, FLOAT>(v[i / 4].at[i % 4], inf);
            word[i] = bits[hash[i] / 32];
        }
#pragma unroll
        for (int i = 0; i < 4 * UNROLL; i++)
            add(hash[i], word[i]);
    }
};

template <bool FLOAT>
static __global__
__launch_bounds__(THREADS) void add_set32(const uint32_t *data, size_t n,
                                          uint32_t inf, uint32_t *bits)
{
    adder32<FLOAT> acc{bits, inf};
    each_tile<UNROLL>(data, n, acc);
}

static __global__ __launch_bounds__(THREADS) void count_ones(const uint4 *bits,
                                                             size_t vectors,
                                                             uint64_t *sum)
{
    __shared__ uint64_t shared[THREADS / 32];
    const size_t step = (size_t)gridDim.x * THREADS;
    uint64_t n = 0;
#pragma unroll 4
    for (size_t i = blockIdx.x * (size_t)THREADS + threadIdx.x; i < vectors;
         i += step) {
        const uint4 w = __ldcs(bits + i);
        n += (uint64_t)(__popc(w.x) + __popc(w.y) + __popc(w.z) + __popc(w.w));
    }
    add_count(sum, n, shared);
}

cudaError_t gpu_set32_add(enum dtype dtype, const void *data, size_t n,
                          uint32_t *bits, cudaStream_t stream)
{
    auto *kernel = dtype_is_float(dtype) ? add_set32<true> : add_set32<false>;
    const int blocks = resident_blocks(kernel, THREADS, 0,
                                       n / tile_size<uint32_t, UNROLL> + 1, 1);
    kernel<<<blocks, THREADS, 0, stream>>>((const uint32_t *)data, n,
                                           (uint32_t)inf_bits(dtype), bits);
    return cudaGetLastError();
}

cudaError_t gpu_count_bits(const uint32_t *bits, size_t words, uint64_t *sum,
                           cudaStream_t stream)
{
    const int blocks =
        resident_blocks(count_ones, THREADS, 0, words / (4 * THREADS) + 1, 4);
    count_ones<<<blocks, THREADS, 0, stream>>>((const uint4 *)bits, words / 4,
                                               sum);
    return cudaGetLastError();
}
