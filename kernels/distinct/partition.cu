// SPDX-License-Identifier: MIT
//
// Hashes put in a bucket for each part of a set. A block counts those of a tile
// by parts in shared memory, which gives each its place among those of its
// part, then asks for room in all buckets, an addition for each part that the
// tile has, and writes. What it writes to one bucket is small, but the L2 cache
// gathers it with what other blocks write after it.
#include "kernels/distinct/canonical.cuh"

constexpr int PART_THREADS = 1024, EACH = 16;
constexpr uint32_t PART_TILE = PART_THREADS * EACH;
constexpr uint32_t NOWHERE = ~0u;

template <class U> struct buckets {
    uint32_t parts, room;
    U *at;
    uint32_t *used;
    struct gpu_set_tally *tally;

    DEVICE uint32_t part(U hash) const
    {
        if constexpr (sizeof(U) == 8)
            return (uint32_t)set_part(hash, parts);
        else
            return set_part_32(hash);
    }
};

// Element i of a thread: neighbours are in one vector.
template <class U>
DEVICE void load_each(const U *data, size_t n, size_t first, U *x,
                      uint32_t *there)
{
    constexpr int lanes = 16 / sizeof(U);
    *there = 0;
#pragma unroll
    for (int v = 0; v < EACH / lanes; v++) {
        const size_t at =
            first + (size_t)(v * PART_THREADS + threadIdx.x) * lanes;
        vector16<U> vector = {};
        if (at + lanes <= n) {
            vector.words = __ldcs((const uint4 *)(data + at));
        } else {
#pragma unroll
            for (int j = 0; j < lanes; j++)
                vector.at[j] = at + j < n ? data[at + j] : 0;
        }
#pragma unroll
        for (int j = 0; j < lanes; j++) {
            x[v * lanes + j] = vector.at[j];
            *there |= (uint32_t)(at + j < n) << (v * lanes + j);
        }
    }
}

// Sets where[i] to the part and the place among the tile's of that part. A key
// like the one before it is left out: so data that are constant or sorted do
// not wait for one counter. So is the hash 0 of 64 bits, which is no slot.
template <class U>
DEVICE void count_parts(const buckets<U> &to, const U *hash, uint32_t there,
                        uint32_t *count, uint32_t *where)
{
#pragma unroll
    for (int i = 0; i < EACH; i++) {
        bool is_new = there >> i & 1;
        if (i > 0)
            is_new = is_new && hash[i] != hash[i - 1];
        if (sizeof(U) == 8 && is_new && hash[i] == 0) {
            to.tally->has_zero = 1;
            is_new = false;
        }
        where[i] = NOWHERE;
        if (is_new) {
            const uint32_t part = to.part(hash[i]);
            where[i] = part << 16 | atomicAdd(count + part, 1);
        }
    }
}

template <class U, bool FLOAT>
static __global__
__launch_bounds__(PART_THREADS) void partition(const U *data, size_t n, U inf,
                                               buckets<U> to)
{
    extern __shared__ uint32_t count[];
    bool spilled = false;
    for (size_t first = (size_t)blockIdx.x * PART_TILE; first < n;
         first += (size_t)gridDim.x * PART_TILE) {
        U hash[EACH];
        uint32_t where[EACH], there;
        load_each(data, n, first, hash, &there);
        for (uint32_t p = threadIdx.x; p < to.parts; p += PART_THREADS)
            count[p] = 0;
#pragma unroll
        for (int i = 0; i < EACH; i++)
            hash[i] = hash_of_element<U, FLOAT>(hash[i], inf);
        __syncthreads();
        count_parts(to, hash, there, count, where);
        __syncthreads();
        for (uint32_t p = threadIdx.x; p < to.parts; p += PART_THREADS) {
            const uint32_t here = count[p];
            if (here)
                count[p] = atomicAdd(to.used + p, here);
        }
        __syncthreads();
#pragma unroll
        for (int i = 0; i < EACH; i++) {
            const uint32_t part = where[i] >> 16;
            if (where[i] == NOWHERE)
                continue;
            const uint32_t at = count[part] + where[i] % 65536;
            if (at < to.room)
                to.at[(size_t)part * to.room + at] = hash[i];
            else
                spilled = true;
        }
        __syncthreads();
    }
    if (spilled)
        to.tally->spilled = 1;
}

template <class U, bool FLOAT>
static cudaError_t launch(const void *data, size_t n, uint64_t inf,
                          const buckets<U> &to, cudaStream_t stream)
{
    auto *kernel = partition<U, FLOAT>;
    const size_t shared = to.parts * sizeof(uint32_t);
    const cudaError_t code = cudaFuncSetAttribute(
        (const void *)kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
        (int)shared);
    if (code != cudaSuccess)
        return code;
    const int blocks =
        resident_blocks(kernel, PART_THREADS, shared, n / PART_TILE + 1, 1);
    kernel<<<blocks, PART_THREADS, shared, stream>>>((const U *)data, n, (U)inf,
                                                     to);
    return cudaGetLastError();
}

cudaError_t gpu_set_partition(enum dtype dtype, const void *data, size_t n,
                              uint32_t parts, void *bucket, uint32_t room,
                              uint32_t *used, struct gpu_set_tally *tally,
                              cudaStream_t stream)
{
    const uint64_t inf = canonical_inf(dtype);
    if (dtype_size(dtype) == 4) {
        const buckets<uint32_t> to = {parts, room, (uint32_t *)bucket, used,
                                      tally};
        return inf ? launch<uint32_t, true>(data, n, inf, to, stream)
                   : launch<uint32_t, false>(data, n, inf, to, stream);
    }
    const buckets<uint64_t> to = {parts, room, (uint64_t *)bucket, used, tally};
    return inf ? launch<uint64_t, true>(data, n, inf, to, stream)
               : launch<uint64_t, false>(data, n, inf, to, stream);
}
