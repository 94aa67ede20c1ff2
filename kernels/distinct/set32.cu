// SPDX-License-Identifier: MIT
//
// Sets of 32-bit keys: a bit for each, 512 MiB. An element costs a sector of it
// read, and an atomic access if it is new.
#include "kernels/distinct/canonical.cuh"

constexpr int UNROLL = 4, N = 4 * UNROLL;

template <bool FLOAT> struct adder32 {
    uint32_t *bits, inf;
    recent<uint32_t> seen;
    habits<N> habit;

    static DEVICE uint4 missing(uint4 words)
    {
        return words;
    }

    DEVICE uint32_t key(uint32_t x) const
    {
        return canonical_key<uint32_t, FLOAT>(x, inf);
    }

    DEVICE void one(uint32_t x, size_t)
    {
        atomicOr(bits + key(x) / 32, 1u << key(x) % 32);
    }

    // Returns those of the elements that the set lacks. A stale word may lack a
    // bit that another block has set, which only adds the element again: no bit
    // is ever cleared. It loads all words before it uses the first.
    DEVICE uint32_t lacks(const vector16<uint32_t> *v, uint32_t which)
    {
        uint32_t word[N], lacking = 0;
#pragma unroll
        for (int i = 0; i < N; i++) {
            if (which >> i & 1)
                word[i] = bits[key(v[i / 4].at[i % 4]) / 32];
        }
#pragma unroll
        for (int i = 0; i < N; i++) {
            if ((which >> i & 1) &&
                !(word[i] >> key(v[i / 4].at[i % 4]) % 32 & 1))
                lacking |= 1u << i;
        }
        return lacking;
    }

    DEVICE void tile(const vector16<uint32_t> *v, const uint32_t *, size_t, int)
    {
        uint32_t missed = (1u << N) - 1;
        if (habit.decides() || habit.looks_at_recent)
            missed = seen.put<N>(v);
        uint32_t lacked = missed;
        if (missed && (habit.decides() || habit.looks_at_set))
            lacked = lacks(v, missed);
#pragma unroll
        for (int i = 0; i < N; i++) {
            if (lacked >> i & 1)
                one(v[i / 4].at[i % 4], 0);
        }
        habit.next(missed, lacked);
    }
};

template <bool FLOAT>
static __global__
__launch_bounds__(THREADS, 4) void add_set32(const uint32_t *data, size_t n,
                                             uint32_t inf, uint32_t *bits)
{
    __shared__ recent<uint32_t>::places places;
    adder32<FLOAT> acc{bits, inf, {places}};
    acc.seen.clear();
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
