// SPDX-License-Identifier: MIT
//
// Sets of 64-bit keys: a hash table in parts (canonical.h). An element costs a
// sector read and, if it is new, an atomic access.
#include "kernels/distinct/canonical.cuh"

constexpr int UNROLL = 2, N = 2 * UNROLL;

// A table in global memory. Counts the keys that the thread has added.
struct table64 {
    unsigned long long *slots;
    uint32_t parts;
    struct gpu_set_tally *tally;
    uint64_t added = 0;

    DEVICE unsigned long long *first(uint64_t hash) const
    {
        return slots + set_part(hash, parts) * SET_SLOTS + set_slot(hash, 0);
    }

    // `have` was in the hash's first slot; 0 claims it without a look. Four
    // loads of a group: a vector load would be no faster, since they share a
    // sector.
    DEVICE void add(uint64_t hash, unsigned long long have)
    {
        unsigned long long *part = slots + set_part(hash, parts) * SET_SLOTS;
        if (hash == 0) {
            tally->has_zero = 1;
            return;
        }
#pragma unroll 1
        for (uint32_t tries = 0; have != hash;) {
            if (have == 0) {
                have = atomicCAS(part + set_slot(hash, tries), 0ull,
                                 (unsigned long long)hash);
                added += have == 0;
                if (have == 0)
                    return;
                continue;
            }
            if (++tries == SET_SLOTS) {
                tally->is_full = 1;
                return;
            }
            have = __ldcg(part + set_slot(hash, tries));
        }
    }
};

template <bool FLOAT> struct adder64 {
    table64 table;
    uint64_t inf;
    recent<uint64_t> seen;
    habits<N> habit;

    static DEVICE uint4 missing(uint4 words)
    {
        return words;
    }

    DEVICE uint64_t hash(uint64_t x) const
    {
        return hash_value(canonical_key<uint64_t, FLOAT>(x, inf));
    }

    DEVICE void one(uint64_t x, size_t)
    {
        table.add(hash(x), 0);
    }

    // Loads all first slots together, through the L1 cache: a stale slot may
    // lack a hash, but a hash never changes.
    DEVICE void tile(const vector16<uint64_t> *v, const uint64_t *, size_t, int)
    {
        uint64_t hashes[N];
        unsigned long long have[N];
        uint32_t missed = (1u << N) - 1;
        if (habit.decides() || habit.looks_at_recent)
            missed = seen.put<N>(v);
#pragma unroll
        for (int i = 0; i < N; i++) {
            if (missed >> i & 1) {
                hashes[i] = hash(v[i / 2].at[i % 2]);
                have[i] = *table.first(hashes[i]);
            }
        }
#pragma unroll
        for (int i = 0; i < N; i++) {
            if ((missed >> i & 1) && (have[i] != hashes[i] || hashes[i] == 0))
                table.add(hashes[i], have[i]);
        }
        habit.next(missed, 0);
    }
};

template <bool FLOAT>
static __global__
__launch_bounds__(THREADS) void add_set64(const uint64_t *data, size_t n,
                                          uint64_t inf, table64 table)
{
    __shared__ uint64_t shared[THREADS / 32];
    __shared__ recent<uint64_t>::places places;
    adder64<FLOAT> acc{table, inf, {places}};
    acc.seen.clear();
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
            table.add(hash, 0);
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
