// SPDX-License-Identifier: MIT
//
// The search by brackets, as target.h has it: a block sorts a sample, then the
// grid splits the keys by it, in turns, without the host: each launch reads
// from the target what the one before has found.
#include "kernels/rank/keys.cuh"
#include "kernels/rank/stage.cuh"
#include "reduce/hash.h"

constexpr int UNROLL = 4, SORT_THREADS = 1024, PASSES_MOST = 16;

// Elements, or keys of an earlier pass, for which flip and least are 0.
template <class U> struct keys_from {
    const U *data;
    U flip, least;
};

// What the pass before has left, in shared memory; true where there is more to
// do. `room` is 0 before the first pass.
static DEVICE bool settle(struct rank_target *shared,
                          const struct rank_target *t, uint64_t room)
{
    if (threadIdx.x == 0) {
        *shared = *t;
        if (room && !rank_is_over(shared))
            rank_settle(shared, room);
    }
    __syncthreads();
    return !rank_is_over(shared);
}

template <class U> static __device__ void sort_samples(U *sorted)
{
    for (uint32_t size = 2; size <= RANK_SAMPLES; size *= 2) {
        for (uint32_t step = size / 2; step > 0; step /= 2) {
            __syncthreads();
            for (uint32_t k = threadIdx.x; k < RANK_SAMPLES / 2;
                 k += SORT_THREADS) {
                const uint32_t i = 2 * k - (k & (step - 1)), j = i + step;
                const U a = sorted[i], b = sorted[j];
                if ((a > b) == ((i & size) == 0)) {
                    sorted[i] = b;
                    sorted[j] = a;
                }
            }
        }
    }
    __syncthreads();
}

// All keys, where they are no more than a sample, and the greatest after them.
template <class U, bool FLOAT>
static __device__ void take_samples(U *sorted, const keys_from<U> &from,
                                    uint64_t n, uint64_t seed)
{
    for (uint32_t i = threadIdx.x; i < RANK_SAMPLES; i += SORT_THREADS) {
        const uint64_t at =
            n <= RANK_SAMPLES ? i : rank_sample_of(i, n, hash_value(seed + i));
        sorted[i] = (U) ~(U)0;
        if (at < n)
            sorted[i] = (U)(key_of_element<U, FLOAT>(from.data[at], from.flip) -
                            from.least);
    }
}

template <class U>
static DEVICE void use_samples(struct rank_target *t, const U *sorted,
                               int margin)
{
    if (t->n <= RANK_SAMPLES) {
        for (unsigned i = 0; i < 2; i++) {
            if (!(t->known >> i & 1))
                rank_find(t, i, sorted[t->rank[i]]);
        }
        return;
    }
    rank_begin_pass(t, sorted[rank_sample_at(t, rank_first_open(t), -margin)],
                    sorted[rank_sample_at(t, rank_last_open(t), margin)]);
}

template <class U, bool FLOAT>
static __global__ __launch_bounds__(SORT_THREADS) void sample_keys(
    const keys_from<U> from, struct rank_target *target, uint64_t room,
    uint64_t seed, int margin)
{
    __shared__ struct rank_target t;
    __shared__ U sorted[RANK_SAMPLES];
    if (settle(&t, target, room)) {
        take_samples<U, FLOAT>(sorted, from, t.n, seed);
        sort_samples(sorted);
        if (threadIdx.x == 0)
            use_samples(&t, sorted, margin);
    }
    if (threadIdx.x == 0)
        *target = t;
}

template <class U, bool FLOAT> struct splitter {
    static constexpr int lanes = 16 / sizeof(U);
    const U flip, least, low, high;
    struct stage<U> between;
    uint32_t less[3] = {0, 0, 0};

    static DEVICE uint4 missing(uint4 words)
    {
        return words;
    }

    // Whether the key is between the ends.
    DEVICE bool count(U key)
    {
        less[0] += key < low;
        less[1] += key <= low;
        less[2] += key <= high;
        return key > low && key < high;
    }

    DEVICE U key_of(U x) const
    {
        return (U)(key_of_element<U, FLOAT>(x, flip) - least);
    }

    DEVICE void one(U x, size_t)
    {
        const U key = key_of(x);
        if (count(key))
            between.add_one(key);
    }

    DEVICE void tile(const vector16<U> *v, const U *, size_t, int present)
    {
        U key[UNROLL * lanes];
        uint64_t bits = 0;
#pragma unroll
        for (int u = 0; u < UNROLL; u++) {
#pragma unroll
            for (int j = 0; j < lanes; j++)
                key[u * lanes + j] = key_of(v[u].at[j]);
            if (u < present) {
#pragma unroll
                for (int i = u * lanes; i < (u + 1) * lanes; i++)
                    bits |= (uint64_t)count(key[i]) << i;
            }
        }
        between.template add<UNROLL * lanes>(key, bits);
    }
};

template <class U, bool FLOAT>
static __global__ __launch_bounds__(THREADS, 4) void split_keys(
    const keys_from<U> from, struct rank_target *target, U *out, uint64_t room)
{
    __shared__ stage_room<U> shared;
    __shared__ uint64_t sums[THREADS / 32];
    if (rank_is_over(target))
        return;
    splitter<U, FLOAT> s{from.flip,
                         from.least,
                         (U)target->low,
                         (U)target->high,
                         {&shared, out, room, &target->gathered}};
    each_tile<UNROLL>(from.data, target->n, s);
    s.between.flush();
#pragma unroll
    for (int i = 0; i < 3; i++) {
        const uint64_t sum = block_sum((uint64_t)s.less[i], sums);
        if (threadIdx.x == 0)
            add_global(&target->less[i], sum);
    }
}

// Keys that the first pass may leave, which is twice what it does most often,
// and those of passes after it. Multiples of 16.
static uint64_t room_of(int pass, uint64_t n)
{
    return n / (pass == 0 ? 8 : 32) / 16 * 16 + RANK_SAMPLES;
}

// As many as make n a sample, where each leaves up to a twelfth.
static int passes_for(uint64_t n)
{
    int passes = 0;
    for (; n > RANK_SAMPLES && passes < PASSES_MOST; n /= 12)
        passes++;
    return passes;
}

template <class U> struct search {
    struct rank_target *target;
    U *buffer[2];
    uint64_t n, seed;
    int margin, blocks;
    cudaStream_t stream;
};

// One turn: `before` is the room of the pass before.
template <class U, bool FLOAT>
static cudaError_t turn(const struct search<U> &s, const keys_from<U> &from,
                        int pass, uint64_t most, uint64_t before, bool last)
{
    auto *kernel = split_keys<U, FLOAT>;
    sample_keys<U, FLOAT><<<1, SORT_THREADS, 0, s.stream>>>(
        from, s.target, before, hash_value(s.seed + (uint64_t)pass), s.margin);
    if (!last) {
        int blocks = resident_blocks(kernel, THREADS, 0,
                                     most / tile_size<U, UNROLL> + 1, 2);
        if (s.blocks > 0 && pass == 0)
            blocks = s.blocks;
        kernel<<<blocks, THREADS, 0, s.stream>>>(
            from, s.target, s.buffer[pass % 2], room_of(pass % 2, s.n));
    }
    return cudaGetLastError();
}

template <class U, bool FLOAT> struct searching {
    static cudaError_t run(const void *data, size_t n,
                           const struct key_order *o,
                           struct rank_target *target, uint64_t seed,
                           void *room, const struct gpu_rank_tuning *tuning,
                           cudaStream_t stream)
    {
        U *first = (U *)room;
        const struct search<U> s = {
            target, {first, first + room_of(0, n)}, n, seed,
                tuning && tuning->margin ? tuning->margin : RANK_MARGIN,
                tuning ? tuning->blocks : 0, stream
        };
        const int passes = passes_for(n);
        keys_from<U> from = {(const U *)data, (U)o->flip, (U)o->least};
        cudaError_t code = turn<U, FLOAT>(s, from, 0, n, 0, passes == 0);
        for (int p = 1; code == cudaSuccess && p <= passes; p++) {
            const uint64_t before = room_of((p - 1) % 2, n);
            from = {s.buffer[(p - 1) % 2], 0, 0};
            code = turn<U, false>(s, from, p, before, before, p == passes);
        }
        return code;
    }
};

size_t gpu_rank_bytes(enum dtype dtype, size_t n)
{
    const uint64_t keys = room_of(0, n) + room_of(1, n);
    return RANK_HEAD + keys * dtype_size(dtype);
}

cudaError_t gpu_rank_search(enum dtype dtype, const void *data, size_t n,
                            struct rank_target *target, uint64_t seed,
                            void *room, const struct gpu_rank_tuning *tuning,
                            cudaStream_t stream)
{
    const struct key_order order = key_order(dtype);
    void *keys = (char *)room + RANK_HEAD;
    return by_dtype<searching>(dtype, data, n, (const struct key_order *)&order,
                               target, seed, keys, tuning, stream);
}
