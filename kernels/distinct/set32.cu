// SPDX-License-Identifier: MIT
//
// Sets of 32-bit keys: a bit for each, 512 MiB. An element by itself costs a
// sector of it read, and an atomic access if it is new. Of many, a block adds a
// bucket to the 32 KiB that it has of the bits.
#include "kernels/distinct/buckets.cuh"

constexpr int UNROLL = 4, N = 4 * UNROLL;
constexpr uint32_t SLICE_WORDS = (1u << 27) / SET_PARTS_32;

template <bool FLOAT> struct bits32 {
    uint32_t *bits, inf;

    DEVICE uint32_t key(uint32_t x) const
    {
        return set_bit(canonical_key<uint32_t, FLOAT>(x, inf));
    }

    DEVICE uint32_t part(uint32_t bit) const
    {
        return bit / 32 / SLICE_WORDS;
    }

    DEVICE void add(uint32_t bit) const
    {
        if (!(__ldcg(bits + bit / 32) >> bit % 32 & 1))
            atomicOr(bits + bit / 32, 1u << bit % 32);
    }
};

template <bool FLOAT> struct adder32 : bits32<FLOAT> {
    recent<uint32_t> seen;
    habits<N> habit;
    // Keys that it added, and some that another block had added before; of
    // neighbours that share a sector, one.
    uint64_t added = 0;

    static DEVICE uint4 missing(uint4 words)
    {
        return words;
    }

    DEVICE void one(uint32_t x, size_t)
    {
        const uint32_t bit = this->key(x);
        atomicOr(this->bits + bit / 32, 1u << bit % 32);
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
                word[i] = this->bits[this->key(v[i / 4].at[i % 4]) / 32];
        }
#pragma unroll
        for (int i = 0; i < N; i++) {
            if ((which >> i & 1) &&
                !(word[i] >> this->key(v[i / 4].at[i % 4]) % 32 & 1))
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
            if (!(lacked >> i & 1))
                continue;
            one(v[i / 4].at[i % 4], 0);
            added += i % 4 == 0 ||
                     v[i / 4].at[i % 4 - 1] >> 8 != v[i / 4].at[i % 4] >> 8;
        }
        habit.next(missed, lacked);
    }
};

template <bool FLOAT>
static __global__
__launch_bounds__(THREADS, 4) void add_set32(const uint32_t *data, size_t n,
                                             bits32<FLOAT> set, uint64_t *added)
{
    __shared__ uint64_t shared[THREADS / 32];
    __shared__ recent<uint32_t>::places places;
    adder32<FLOAT> acc{set, {places}};
    acc.seen.clear();
    each_tile<UNROLL>(data, n, acc);
    add_count(added, acc.added, shared);
}

// Adds a bucket.
static __global__
__launch_bounds__(THREADS) void fill_set32(buckets<uint32_t> from,
                                           uint32_t *bits)
{
    __shared__ uint4 vectors[SLICE_WORDS / 4];
    uint32_t *const words = (uint32_t *)vectors;
    uint4 *slice = (uint4 *)(bits + (size_t)blockIdx.x * SLICE_WORDS);
    const uint32_t *key = from.first(blockIdx.x);
    const uint32_t n = from.size(blockIdx.x);
    if (n == 0)
        return;
#pragma unroll
    for (uint32_t i = threadIdx.x; i < SLICE_WORDS / 4; i += THREADS)
        vectors[i] = slice[i];
    __syncthreads();
    constexpr uint32_t AHEAD = 8;
    for (uint32_t i = threadIdx.x; i < n; i += AHEAD * THREADS) {
        uint32_t bit[AHEAD];
#pragma unroll
        for (int k = 0; k < AHEAD; k++)
            bit[k] = i + k * THREADS < n ? __ldcs(key + i + k * THREADS) : 0;
#pragma unroll
        for (int k = 0; k < AHEAD; k++) {
            if (i + k * THREADS < n)
                atomicOr(words + bit[k] / 32 % SLICE_WORDS, 1u << bit[k] % 32);
        }
    }
    __syncthreads();
#pragma unroll
    for (uint32_t i = threadIdx.x; i < SLICE_WORDS / 4; i += THREADS)
        slice[i] = vectors[i];
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

template <bool FLOAT>
static cudaError_t add(const uint32_t *data, size_t n, const bits32<FLOAT> &set,
                       uint64_t *added, cudaStream_t stream)
{
    const int blocks = resident_blocks(add_set32<FLOAT>, THREADS, 0,
                                       n / tile_size<uint32_t, UNROLL> + 1, 1);
    add_set32<<<blocks, THREADS, 0, stream>>>(data, n, set, added);
    return cudaGetLastError();
}

cudaError_t gpu_set32_add(enum dtype dtype, const void *data, size_t n,
                          uint32_t *bits, uint64_t *added, cudaStream_t stream)
{
    const uint32_t *values = (const uint32_t *)data;
    const uint32_t inf = (uint32_t)inf_bits(dtype);
    return inf ? add(values, n, bits32<true>{bits, inf}, added, stream)
               : add(values, n, bits32<false>{bits, inf}, added, stream);
}

cudaError_t gpu_set32_add_many(enum dtype dtype, const void *data, size_t n,
                               void *room, uint32_t *bits, cudaStream_t stream)
{
    const uint32_t *values = (const uint32_t *)data;
    const uint32_t inf = (uint32_t)inf_bits(dtype);
    buckets<uint32_t> to;
    const cudaError_t code =
        inf ? start_sort(values, n, room, bits32<true>{bits, inf}, SET_PARTS_32,
                         &to, stream)
            : start_sort(values, n, room, bits32<false>{bits, inf},
                         SET_PARTS_32, &to, stream);
    if (code != cudaSuccess)
        return code;
    fill_set32<<<SET_PARTS_32, THREADS, 0, stream>>>(to, bits);
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
