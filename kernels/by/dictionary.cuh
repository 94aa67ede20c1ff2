// SPDX-License-Identifier: MIT
//
// Looks keys up in a dictionary, from any number of threads, and adds new ones.
//
// A thread that finds a free slot takes it, writes the key to its own memory,
// and then publishes the slot; meanwhile, other threads wait at the slot. All
// reads bypass the L1 cache, which does not see writes of other
// multiprocessors.
#pragma once

#include "kernels/by/by.h"
#include "kernels/common/tuning.h"
#include "reduce/hash.h"

static DEVICE uint64_t key_hash(const struct gpu_by_key &key)
{
    uint64_t hash = key.bytes;
    for (unsigned i = 0; 8 * i < key.bytes; i++)
        hash = hash_value(hash * HASH_SEED ^ key.word[i]);
    return hash;
}

static DEVICE bool is_key(const struct gpu_by_key *have,
                          const struct gpu_by_key &key)
{
    if (__ldcg((const unsigned long long *)&have->bytes) != key.bytes)
        return false;
    for (unsigned i = 0; 8 * i < key.bytes; i++) {
        if (__ldcg((const unsigned long long *)&have->word[i]) != key.word[i])
            return false;
    }
    return true;
}

// Writes a key to the slot that the thread has taken, and returns its number;
// frees the slot if there are too many keys.
static DEVICE unsigned write_key(const struct gpu_by_dictionary &d,
                                 unsigned long long *slot,
                                 unsigned long long tag,
                                 const struct gpu_by_key &key)
{
    const unsigned number = atomicAdd(d.n, 1u);
    const bool fits = number < GPU_BY_KEYS;
    if (fits) {
        for (unsigned i = 0; 8 * i < key.bytes; i++)
            d.key[number].word[i] = key.word[i];
        d.key[number].bytes = key.bytes;
        __threadfence();
    }
    atomicExch(slot, fits ? tag | (number + 2) : 0ull);
    return fits ? number : (unsigned)GPU_BY_NONE;
}

// Returns the number of a key, and adds the key if it is new. GPU_BY_NONE if
// there is no room for it.
static DEVICE unsigned find_key(const struct gpu_by_dictionary &d,
                                const struct gpu_by_key &key)
{
    const uint64_t hash = key_hash(key);
    const unsigned long long tag = hash >> 32 << 32;
    unsigned at = (unsigned)hash % GPU_BY_SLOTS, found = 0;
    for (bool done = false; !done;) {
        auto *slot = (unsigned long long *)&d.slot[at];
        unsigned long long have = *(volatile unsigned long long *)slot;
        if (have == 0) {
            if (*(volatile unsigned *)d.n >= GPU_BY_KEYS)
                return (unsigned)GPU_BY_NONE;
            // Publish inside the loop: outside, threads of the warp that wait
            // for this one could keep it from running.
            if (atomicCAS(slot, 0ull, 1ull) == 0) {
                found = write_key(d, slot, tag, key);
                done = true;
            }
        } else if (have != 1) {
            found = (unsigned)have - 2;
            done = (have ^ tag) >> 32 == 0 && is_key(&d.key[found], key);
            at = (at + 1) % GPU_BY_SLOTS;
        }
    }
    return found;
}
