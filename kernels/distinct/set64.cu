// SPDX-License-Identifier: MIT
//
// Sets of 64-bit keys: a hash table in parts (canonical.h). An element costs a
// sector read and, if it is new, an atomic access.
#include "kernels/distinct/canonical.cuh"

constexpr int UNROLL = 2;

// A table in global memory. Counts the keys that the thread has added.
struct table64 {
    unsigned long long *slots;
    uint32_t parts;
    struct gpu_set_tally *tally;
    uint64_t added = 0;

    // Four loads: a vector load would be no faster, since they share a sector.
    DEVICE void add(uint64_t hash)
    {
        unsigned long long *part = slots + set_part(hash, parts) * SET_SLOTS;
        if (hash == 0) {
            tally->has_zero = 1;
            return;
        }
#pragma unroll 1
        for (uint32_t tries = 0; tries < SET_SLOTS; tries++) {
            unsigned long long *slot = part + set_slot(hash, tries);
            unsigned long long have = __ldcg(slot);
            if (have == 0) {
                have = atomicCAS(slot, 0ull, (unsigned long long)hash);
                added += have == 0;
                if (have == 0)
                    return;
            }
            if (have == hash)
                return;
        }
        tally->is_full = 1;
    }
};

template <bool FLOAT> struct adder64 {
    table64 table;
    uint64_t inf;

    static DEVICE uint4 missing(uint4 words)
    {
        return words;
    }

    DEVICE void one(uint64_t x, size_t)
    {
        table.add(hash_of_element<uint64_t, FLOAT>(x, inf));
    }

    // Load all first slots together, through the L1 cache: a stale slot may
    // lack a hash, but a hash never changes.
    DEVICE void tile(const vector16<uint64_t> *v, const uint64_t *, size_t, int)
    {
        uint64_t hash[2 * UNROLL], have[2 * UNROLL];
#pragma unroll
        for (int i = 0; i < 2 * UNROLL; i++) {
            hash[i] = hash_of_element<uint64_t, FLOAT>(v[i / 2].at[i % 2], inf);
            have[i] = table.slots[set_part(hash[i], table.parts) * SET_SLOTS +
                                  set_slot(hash[i], 0)];
        }
#pragma unroll
        for (int i = 0; i < 2 * UNROLL; i++) {
            if (have[i] != hash[i] || hash[i] == 0)
                table.add(hash[i]);
        }
    }
};

template <bool FLOAT>
static __global__
__launch_bounds__(THREADS) void add_set64(const uint64_t *data, size_t n,
                                          uint64_t inf, table64 table)
{
    __shared__ uint64_t shared[THREADS / 32];
    adder64<FLOAT> acc{table, inf};
    each_tile<UNROLL>(data, n, acc);
    add_count(&table.tally->n, acc.table.added, shared);
}

static __global__
__launch_bounds__(THREADS) void move_set64(const uint64_t *from, size_t slots,
                                           table64 table)
{
    const size_t step = (size_t)gridDim.x * THREADS;
    for (size_t i = blockIdx.x * (size_t)THREADS + threadIdx.x; i < slots;
         i += step) {
        const uint64_t hash = __ldcs(from + i);
        if (hash)
            table.add(hash);
    }
}

static table64 table_of(uint64_t *slots, uint32_t parts,
                        struct gpu_set_tally *tally)
{
    return table64{(unsigned long long *)slots, parts, tally};
}

cudaError_t gpu_set64_add(enum dtype dtype, const void *data, size_t n,
                          uint64_t *slots, uint32_t parts,
                          struct gpu_set_tally *tally, cudaStream_t stream)
{
    auto *kernel = dtype_is_float(dtype) ? add_set64<true> : add_set64<false>;
    const int blocks = resident_blocks(kernel, THREADS, 0,
                                       n / tile_size<uint64_t, UNROLL> + 1, 1);
    kernel<<<blocks, THREADS, 0, stream>>>((const uint64_t *)data, n,
                                           inf_bits(dtype),
                                           table_of(slots, parts, tally));
    return cudaGetLastError();
}

cudaError_t gpu_set64_move(const uint64_t *from, uint32_t parts,
                           uint64_t *slots, uint32_t into_parts,
                           struct gpu_set_tally *tally, cudaStream_t stream)
{
    const size_t n = (size_t)parts * SET_SLOTS;
    const int blocks =
        resident_blocks(move_set64, THREADS, 0, n / THREADS + 1, 4);
    move_set64<<<blocks, THREADS, 0, stream>>>(
        from, n, table_of(slots, into_parts, tally));
    return cudaGetLastError();
}
