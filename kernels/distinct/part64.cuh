// SPDX-License-Identifier: MIT
//
// A part of a table of 64-bit hashes in the shared memory of a block, which
// adds a bucket's hashes to it.
#pragma once

#include "kernels/distinct/canonical.cuh"

constexpr int FILL_THREADS = 1024;

// Stores to shared memory here and now. The compiler would move a store to
// after the loop that it ends, and other threads wait for it in theirs.
DEVICE void store_if(bool is_wanted, uint64_t *to, uint64_t x)
{
    asm volatile(
        "{ .reg .pred p; setp.ne.u32 p, %0, 0;\n"
        "@p st.volatile.shared.u64 [%1], %2; }" ::"r"((uint32_t)is_wanted),
        "r"((uint32_t)__cvta_generic_to_shared(to)), "l"(x)
        : "memory");
}

// A part in shared memory. A slot is claimed by a bit before it is written, as
// atomicOr of 32 bits is faster there than atomicCAS of 64.
struct part64 {
    uint64_t slots[SET_SLOTS];
    uint32_t claimed[SET_SLOTS / 32];
    uint64_t waiting[FILL_THREADS / 32][96]; // a stack for each warp

    // Looks at one slot for a hash. A thread that finds it claimed and not yet
    // written looks at it again.
    DEVICE void look(uint64_t hash, uint32_t *tries, bool *is_new,
                     bool *is_there)
    {
        const uint32_t i = set_slot(hash, *tries), bit = 1u << i % 32;
        const uint64_t have = *(volatile uint64_t *)(slots + i);
        *is_new = false;
        if (have == 0)
            *is_new = !(atomicOr(claimed + i / 32, bit) & bit);
        store_if(*is_new, slots + i, hash);
        *is_there = have == hash;
        *tries += have != 0;
    }
};

static_assert(sizeof(part64) + 1024 <= SET_SHARED_BYTES, "see canonical.h");

// Reads a part, or empties it.
DEVICE void open_part(part64 *p, const uint64_t *slice, bool is_fresh)
{
#pragma unroll 4
    for (uint32_t i = threadIdx.x; i < SET_SLOTS; i += FILL_THREADS) {
        const uint64_t hash = is_fresh ? 0 : slice[i];
        const uint32_t claimed = __ballot_sync(~0u, hash != 0);
        p->slots[i] = hash;
        if (i % 32 == 0)
            p->claimed[i / 32] = claimed;
    }
    __syncthreads();
}

// What a warp adds to a part: hashes that wait, and one that each lane looks
// for, 0 if it is idle. A lane that has found its slot takes the next hash at
// once; if all waited for the lane that needs most looks, three of four looks
// would be idle.
struct adder_of_warp {
    part64 *p;
    uint64_t *waiting;
    uint32_t lane, wait = 0, added = 0, tries = 0;
    uint64_t hash = 0;
    uint32_t *is_full;

    DEVICE void push(uint64_t x, bool is_here)
    {
        const uint32_t here = __ballot_sync(~0u, is_here);
        if (is_here)
            waiting[wait + __popc(here & ((1u << lane) - 1))] = x;
        wait += __popc(here);
        __syncwarp();
    }

    DEVICE void look()
    {
        const uint32_t idle = __ballot_sync(~0u, hash == 0);
        const uint32_t turn = __popc(idle & ((1u << lane) - 1));
        if (hash == 0 && turn < wait) {
            hash = waiting[wait - 1 - turn];
            tries = 0;
        }
        wait -= min(wait, (uint32_t)__popc(idle));
        __syncwarp();
        if (hash == 0)
            return;
        bool is_new, is_there;
        p->look(hash, &tries, &is_new, &is_there);
        added += is_new;
        if (tries == SET_SLOTS)
            *is_full = 1;
        if (is_new || is_there || tries == SET_SLOTS)
            hash = 0;
    }
};

// Adds those of the bucket's hashes that are of the part, and returns how many
// are new to the thread. A vector has two.
DEVICE uint32_t add_bucket(part64 *p, uint32_t part, uint32_t parts,
                           const uint64_t *bucket, uint32_t n,
                           uint32_t *is_full)
{
    constexpr int AHEAD = 4;
    adder_of_warp adder = {p, p->waiting[threadIdx.x / 32], threadIdx.x % 32};
    adder.is_full = is_full;
    for (uint32_t at = 0; at < n; at += AHEAD * 2 * FILL_THREADS) {
        ulonglong2 two[AHEAD];
#pragma unroll
        for (int k = 0; k < AHEAD; k++) {
            const uint32_t i = at + 2 * (k * FILL_THREADS + threadIdx.x);
            two[k] = make_ulonglong2(0, 0);
            if (i + 1 < n)
                two[k] = __ldcg((const ulonglong2 *)(bucket + i));
            else if (i < n)
                two[k].x = bucket[i];
        }
#pragma unroll
        for (int k = 0; k < AHEAD; k++) {
            const uint64_t x = two[k].x, y = two[k].y;
            adder.push(x, x != 0 && set_part(x, parts) == part);
            adder.push(y, y != 0 && set_part(y, parts) == part);
#pragma unroll 1
            while (adder.wait >= 32)
                adder.look();
        }
    }
#pragma unroll 1
    while (__any_sync(~0u, adder.wait > 0 || adder.hash != 0))
        adder.look();
    return adder.added;
}
