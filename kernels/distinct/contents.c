/* SPDX-License-Identifier: MIT */
/* What a set has, on the host. */
#include <stdlib.h>

#include "kernels/distinct/set_state.h"

/* Whether a part of a table, in host memory, has a hash. */
static bool part_has(const uint64_t *slots, uint64_t hash)
{
    for (uint32_t tries = 0; tries < SET_SLOTS; tries++) {
        const uint64_t have = slots[set_slot(hash, tries)];
        if (have == hash || have == 0)
            return have == hash;
    }
    return false;
}

static cudaError_t find_in_bits(const struct gpu_set *s, uint64_t key,
                                bool *found)
{
    const uint32_t bit = set_bit((uint32_t)key);
    uint32_t word;
    const cudaError_t code =
        cudaMemcpy(&word, (const uint32_t *)s->at + bit / 32, sizeof word,
                   cudaMemcpyDeviceToHost);
    *found = code == cudaSuccess && (word >> bit % 32 & 1);
    return code;
}

static cudaError_t find_in_table(const struct gpu_set *s, uint64_t key,
                                 bool *found)
{
    const uint64_t hash = hash_value(key);
    const size_t bytes = SET_SLOTS * sizeof(uint64_t);
    uint64_t *slots = malloc(bytes);
    const uint64_t *part =
        (const uint64_t *)s->at + set_part(hash, s->parts) * SET_SLOTS;
    const cudaError_t code =
        slots ? cudaMemcpy(slots, part, bytes, cudaMemcpyDeviceToHost)
              : cudaErrorMemoryAllocation;
    *found = code == cudaSuccess && part_has(slots, hash);
    free(slots);
    return code;
}

/* Counts the bits of a set of 32-bit keys in its tally. */
static cudaError_t count_bits(const struct gpu_set *s)
{
    uint64_t *ones = &s->tally->ones;
    cudaError_t code = cudaDeviceSynchronize();
    if (code == cudaSuccess)
        code = cudaMemset(ones, 0, sizeof *ones);
    return code == cudaSuccess
               ? gpu_count_bits(s->at, SET_BITS_32 / 32, ones, NULL)
               : code;
}

cudaError_t gpu_set_count(const struct gpu_set *s, uint64_t *n, bool *has_nan)
{
    const uint64_t inf = inf_bits(s->dtype);
    const uint64_t nan = inf ? canonical(s->dtype, inf + 1) : 0;
    const unsigned size = set_size(s);
    struct gpu_set_tally tally;
    *has_nan = false;
    *n = 0;
    if (size >= 4 && s->is_fresh)
        return cudaSuccess;
    cudaError_t code = size == 4 ? count_bits(s) : cudaSuccess;
    if (code == cudaSuccess)
        code = set_fetch_tally(s, &tally);
    if (code != cudaSuccess)
        return code;
    *n = size == 8   ? tally.n + tally.has_zero
         : size == 4 ? tally.ones
                     : narrow_count(s->dtype, tally.narrow, has_nan);
    if (inf && size >= 4)
        code = (size == 4 ? find_in_bits : find_in_table)(s, nan, has_nan);
    return code == cudaSuccess && tally.is_full ? cudaErrorUnknown : code;
}

cudaError_t gpu_set_list(const struct gpu_set *s, uint64_t *key, size_t *n)
{
    struct gpu_set_tally tally;
    const cudaError_t code = set_fetch_tally(s, &tally);
    *n = code == cudaSuccess ? narrow_list(s->dtype, tally.narrow, key) : 0;
    return code;
}
