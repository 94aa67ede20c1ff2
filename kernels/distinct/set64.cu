// SPDX-License-Identifier: MIT
//
// Sets of 64-bit keys: a hash table in parts (canonical.h). An element by
// itself costs a sector read and, if it is new, an atomic access. Of many, a
// block adds those of a part to it in shared memory. Both look at slots in the
// same order, so that either finds what the other has added.
#include "kernels/distinct/buckets.cuh"

constexpr int UNROLL = 2, N = 2 * UNROLL;
constexpr int FILL_THREADS = 1024;

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

// What start_sort needs of a set.
template <bool FLOAT> struct values64 {
    table64 table;
    uint64_t inf;

    DEVICE uint64_t key(uint64_t x) const
    {
        const uint64_t hash =
            hash_value(canonical_key<uint64_t, FLOAT>(x, inf));
        if (hash == 0)
            table.tally->has_zero = 1;
        return hash;
    }

    DEVICE uint32_t part(uint64_t hash) const
    {
        return (uint32_t)set_part(hash, table.parts);
    }

    DEVICE void add(uint64_t hash)
    {
        table.added = 0;
        table.add(hash, 0);
        add_global(&table.tally->n, table.added);
    }
};

// A part in shared memory. A slot is claimed by a bit before it is written:
// atomicOr of 32 bits is faster there than atomicCAS of 64.
struct part64 {
    uint64_t slots[SET_SLOTS];
    uint32_t claimed[SET_SLOTS / 32];

    // Stores to a slot here and now. The compiler would move a plain store to
    // after the loop that it ends, where threads that found the slot claimed
    // still wait for it.
    static DEVICE void store_if(bool is_wanted, uint64_t *to, uint64_t x)
    {
        asm volatile(
            "{ .reg .pred p; setp.ne.u32 p, %0, 0;\n"
            "@p st.volatile.shared.u64 [%1], %2; }" ::"r"((uint32_t)is_wanted),
            "r"((uint32_t)__cvta_generic_to_shared(to)), "l"(x)
            : "memory");
    }

    // Looks at one slot, which another thread may have claimed and not written
    // yet: then it looks there again. Returns whether the hash is done with.
    DEVICE bool look(uint64_t hash, uint32_t &tries, uint64_t &added)
    {
        const uint32_t i = set_slot(hash, tries), bit = 1u << i % 32;
        const uint64_t have = *(volatile uint64_t *)(slots + i);
        bool is_new = false;
        if (have == 0)
            is_new = !(atomicOr(claimed + i / 32, bit) & bit);
        store_if(is_new, slots + i, hash);
        tries += have != 0;
        added += is_new;
        return is_new || have == hash;
    }
};

// The hashes of a bucket that a warp adds, 32 at a time. The lanes that have no
// hash take the next ones.
struct warp_share {
    const uint64_t *bucket;
    uint32_t n, at, taken;
    uint64_t batch, after; // after: loaded before it is needed

    DEVICE uint64_t load(uint32_t first) const
    {
        const uint32_t i = first + threadIdx.x % 32;
        return i < n ? __ldcs(bucket + i) : 0;
    }

    DEVICE void start(const uint64_t *data, uint32_t count)
    {
        bucket = data;
        n = count;
        at = threadIdx.x & ~31u;
        taken = 0;
        batch = load(at);
        after = load(at + FILL_THREADS);
    }

    // Returns a lane's hash, or 0, which is no slot, where none is left.
    DEVICE uint64_t take(uint32_t takers)
    {
        const uint32_t below = (1u << threadIdx.x % 32) - 1;
        const uint32_t i = taken + (uint32_t)__popc(takers & below);
        const uint64_t hash = __shfl_sync(~0u, batch, (int)(i % 32));
        taken += (uint32_t)__popc(takers);
        if (taken >= 32) {
            taken = 0;
            at += FILL_THREADS;
            batch = after;
            after = load(at + FILL_THREADS);
        }
        return i < 32 ? hash : 0;
    }
};

// Adds a bucket to its part. A lane that is done with a hash takes another at
// once: if all waited for the one that needs most looks, three of four would be
// idle.
DEVICE void add_bucket(part64 *p, warp_share &share, table64 &table)
{
    uint64_t hash = 0;
    uint32_t tries = 0;
    for (;;) {
        const uint32_t idle = __ballot_sync(~0u, hash == 0);
        if (idle == ~0u && share.at >= share.n)
            return;
        const uint64_t next = share.take(idle);
        if (hash == 0) {
            hash = next;
            tries = 0;
        }
        if (hash && p->look(hash, tries, table.added))
            hash = 0;
        if (tries == SET_SLOTS) {
            table.tally->is_full = 1;
            hash = 0;
        }
    }
}

static __global__ __launch_bounds__(FILL_THREADS,
                                    1) void fill_set64(buckets<uint64_t> from,
                                                       table64 table)
{
    extern __shared__ uint4 shared[];
    part64 *const p = (part64 *)shared;
    const uint64_t part = blockIdx.x;
    unsigned long long *slice = table.slots + part * SET_SLOTS;
#pragma unroll 4
    for (uint32_t i = threadIdx.x; i < SET_SLOTS; i += FILL_THREADS) {
        const uint64_t hash = slice[i];
        const uint32_t claimed = __ballot_sync(~0u, hash != 0);
        p->slots[i] = hash;
        if (i % 32 == 0)
            p->claimed[i / 32] = claimed;
    }
    __syncthreads();
    warp_share share;
    share.start(from.first(part), from.size(part));
    add_bucket(p, share, table);
    __syncthreads();
#pragma unroll 4
    for (uint32_t i = threadIdx.x; i < SET_SLOTS; i += FILL_THREADS)
        slice[i] = p->slots[i];
    const uint64_t added = warp_sum(table.added);
    if (threadIdx.x % 32 == 0)
        add_global(&table.tally->n, added);
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

bool gpu_set64_fits()
{
    int device = 0, bytes = 0;
    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin,
                           device);
    return (size_t)bytes >= sizeof(part64);
}

cudaError_t gpu_set64_add_many(enum dtype dtype, const void *data, size_t n,
                               void *room, uint64_t *slots, uint32_t parts,
                               struct gpu_set_tally *tally, cudaStream_t stream)
{
    const uint64_t *values = (const uint64_t *)data, inf = inf_bits(dtype);
    const table64 table = table_of(slots, parts, tally);
    buckets<uint64_t> to;
    cudaError_t code = cudaFuncSetAttribute(
        (const void *)fill_set64, cudaFuncAttributeMaxDynamicSharedMemorySize,
        (int)sizeof(part64));
    if (code == cudaSuccess)
        code = inf ? start_sort(values, n, room, values64<true>{table, inf},
                                parts, &to, stream)
                   : start_sort(values, n, room, values64<false>{table, inf},
                                parts, &to, stream);
    if (code != cudaSuccess)
        return code;
    fill_set64<<<parts, FILL_THREADS, sizeof(part64), stream>>>(to, table);
    return cudaGetLastError();
}
