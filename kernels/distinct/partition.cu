// SPDX-License-Identifier: MIT
//
// Hashes put in buckets by their upper bits. A block sorts a tile by bucket in
// shared memory: each hash takes its rank among those of its bucket from a
// counter, a scan over the counters gives each bucket its place in the tile,
// and neighbouring threads then write neighbouring hashes of a bucket. A store
// that goes to 32 buckets takes the L2 cache 32 times as long as one that goes
// to one: 4.6 of 5.6 ms for 2^28 hashes that were not sorted (H200).
#include "kernels/distinct/canonical.cuh"

constexpr int PART_THREADS = 1024;
// Counters of a thread in the scan.
constexpr int OWN = SET_BUCKETS_MOST / PART_THREADS;
// Hashes of a thread: as many as its registers hold.
template <class U> constexpr int EACH = sizeof(U) == 8 ? 16 : 24;
template <class U> constexpr int PART_TILE = PART_THREADS *EACH<U>;

template <class U> struct buckets {
    uint32_t n, room;
    U *at;
    uint32_t *used;
    struct gpu_set_tally *tally;

    DEVICE uint32_t of(U hash) const
    {
        if constexpr (sizeof(U) == 8)
            return (uint32_t)set_part(hash, n);
        else
            return set_part_32(hash);
    }
};

// What a block has in shared memory.
template <class U> struct sorter {
    U sorted[PART_TILE<U>];
    // By bucket: how many there are, then where the first is in sorted[], then
    // how much later it is in the bucket than there.
    uint32_t count[SET_BUCKETS_MOST];
    uint32_t of_warp[PART_THREADS / 32], all;
};

static_assert(sizeof(sorter<uint64_t>) + 1024 <= SET_SHARED_BYTES &&
                  sizeof(sorter<uint32_t>) <= sizeof(sorter<uint64_t>),
              "see canonical.h");

constexpr uint32_t NO_RANK = 0xffff;

// A tile of one thread: its hashes, which of them there are, and their ranks,
// two in a register.
template <class U> struct tile {
    U hash[EACH<U>];
    uint32_t there, ranks[EACH<U> / 2];

    DEVICE void keep(int i, uint32_t rank)
    {
        ranks[i / 2] = i % 2 ? __byte_perm(ranks[i / 2], rank, 0x5410) : rank;
    }
    DEVICE uint32_t rank(int i) const
    {
        return i % 2 ? ranks[i / 2] >> 16 : ranks[i / 2] & 0xffff;
    }
};

// Keeps the compiler from keeping what it has computed from x, for which there
// are no registers.
template <class U> DEVICE U afresh(U x)
{
    if constexpr (sizeof(U) == 8)
        asm volatile("" : "+l"(x));
    else
        asm volatile("" : "+r"(x));
    return x;
}

// Neighbours are in one vector.
template <class U>
DEVICE void load(const U *data, size_t n, size_t first, tile<U> &t)
{
    constexpr int lanes = 16 / sizeof(U);
    t.there = 0;
#pragma unroll
    for (int v = 0; v < EACH<U> / lanes; v++) {
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
            t.hash[v * lanes + j] = vector.at[j];
            t.there |= (uint32_t)(at + j < n) << (v * lanes + j);
        }
    }
}

// Ranks the hashes. One like the one before it is left out: so data that are
// constant or sorted do not wait for one counter. So is the hash 0 of 64 bits,
// which is no slot.
template <class U>
DEVICE void rank(const buckets<U> &to, tile<U> &t, uint32_t *count)
{
#pragma unroll
    for (int i = 0; i < EACH<U>; i++) {
        bool is_new = t.there >> i & 1;
        if (i > 0)
            is_new = is_new && t.hash[i] != t.hash[i - 1];
        if (sizeof(U) == 8 && is_new && t.hash[i] == 0) {
            to.tally->has_zero = 1;
            is_new = false;
        }
        uint32_t at = NO_RANK;
        if (is_new)
            at = atomicAdd(count + to.of(t.hash[i]), 1);
        t.keep(i, at);
    }
}

// The sum over the threads before this one.
DEVICE uint32_t sum_before(uint32_t x, uint32_t *of_warp)
{
    const uint32_t lane = threadIdx.x % 32;
    uint32_t sum = x;
#pragma unroll
    for (int s = 1; s < 32; s *= 2) {
        const uint32_t below = __shfl_up_sync(~0u, sum, s);
        sum += lane >= s ? below : 0;
    }
    if (lane == 31)
        of_warp[threadIdx.x / 32] = sum;
    __syncthreads();
    uint32_t before = lane < threadIdx.x / 32 ? of_warp[lane] : 0;
#pragma unroll
    for (int s = 16; s > 0; s /= 2)
        before += __shfl_xor_sync(~0u, before, s);
    return before + sum - x;
}

// Turns counts into places in sorted[]; takes room in the buckets. Sets
// later[i] of the thread's counters, and returns how many hashes the tile has.
template <class U>
DEVICE uint32_t place(const buckets<U> &to, sorter<U> *s, uint32_t later[OWN])
{
    const uint32_t p = threadIdx.x * OWN;
    uint32_t here[OWN], sum = 0;
#pragma unroll
    for (int i = 0; i < OWN; i++) {
        here[i] = s->count[p + i];
        later[i] = here[i] ? atomicAdd(to.used + p + i, here[i]) : 0;
        sum += here[i];
    }
    uint32_t at = sum_before(sum, s->of_warp);
#pragma unroll
    for (int i = 0; i < OWN; i++) {
        s->count[p + i] = at;
        later[i] -= at;
        at += here[i];
    }
    if (threadIdx.x == PART_THREADS - 1)
        s->all = at;
    __syncthreads();
    return s->all;
}

// True if a bucket had no room left.
template <class U>
DEVICE bool write(const buckets<U> &to, const sorter<U> *s, uint32_t n)
{
    bool spilled = false;
#pragma unroll 4
    for (uint32_t i = threadIdx.x; i < n; i += PART_THREADS) {
        const U hash = s->sorted[i];
        const uint32_t b = to.of(hash), at = i + s->count[b];
        if (at < to.room)
            to.at[(size_t)b * to.room + at] = hash;
        else
            spilled = true;
    }
    return spilled;
}

template <class U, bool FLOAT>
static __global__ __launch_bounds__(PART_THREADS,
                                    1) void partition(const U *data, size_t n,
                                                      U inf, buckets<U> to)
{
    extern __shared__ uint4 shared[];
    sorter<U> *s = (sorter<U> *)shared;
    uint32_t *const own = s->count + threadIdx.x * OWN;
    bool spilled = false;
    for (size_t first = (size_t)blockIdx.x * PART_TILE<U>; first < n;
         first += (size_t)gridDim.x * PART_TILE<U>) {
        tile<U> t;
        uint32_t later[OWN];
        load(data, n, first, t);
#pragma unroll
        for (int i = 0; i < OWN; i++)
            own[i] = 0;
#pragma unroll
        for (int i = 0; i < EACH<U>; i++)
            t.hash[i] = hash_of_element<U, FLOAT>(t.hash[i], inf);
        __syncthreads();
        rank(to, t, s->count);
        __syncthreads();
        const uint32_t all = place(to, s, later);
#pragma unroll
        for (int i = 0; i < EACH<U>; i++) {
            const U hash = afresh(t.hash[i]);
            if (t.rank(i) != NO_RANK)
                s->sorted[s->count[to.of(hash)] + t.rank(i)] = hash;
        }
        __syncthreads();
#pragma unroll
        for (int i = 0; i < OWN; i++)
            own[i] = later[i];
        __syncthreads();
        spilled |= write(to, s, all);
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
    const size_t shared = sizeof(sorter<U>);
    const cudaError_t code = cudaFuncSetAttribute(
        (const void *)kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
        (int)shared);
    if (code != cudaSuccess)
        return code;
    const int blocks =
        resident_blocks(kernel, PART_THREADS, shared, n / PART_TILE<U> + 1, 1);
    kernel<<<blocks, PART_THREADS, shared, stream>>>((const U *)data, n, (U)inf,
                                                     to);
    return cudaGetLastError();
}

cudaError_t gpu_set_partition(enum dtype dtype, const void *data, size_t n,
                              uint32_t n_buckets, void *bucket, uint32_t room,
                              uint32_t *used, struct gpu_set_tally *tally,
                              cudaStream_t stream)
{
    const uint64_t inf = inf_bits(dtype);
    if (dtype_size(dtype) == 4) {
        const buckets<uint32_t> to = {n_buckets, room, (uint32_t *)bucket, used,
                                      tally};
        return inf ? launch<uint32_t, true>(data, n, inf, to, stream)
                   : launch<uint32_t, false>(data, n, inf, to, stream);
    }
    const buckets<uint64_t> to = {n_buckets, room, (uint64_t *)bucket, used,
                                  tally};
    return inf ? launch<uint64_t, true>(data, n, inf, to, stream)
               : launch<uint64_t, false>(data, n, inf, to, stream);
}
