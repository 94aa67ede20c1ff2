/* SPDX-License-Identifier: MIT */
/* What a set has, on the host. */
#include <stdlib.h>

#include "kernels/distinct/narrow.h"
#include "kernels/distinct/set_state.h"

static cudaError_t fetch_narrow(const struct gpu_set *s, uint32_t *bits)
{
    const cudaError_t code = cudaDeviceSynchronize();
    return code != cudaSuccess
               ? code
               : cudaMemcpy(bits, s->at, NARROW_WORDS * sizeof *bits,
                            cudaMemcpyDeviceToHost);
}

static cudaError_t count_narrow(const struct gpu_set *s, uint64_t *n,
                                bool *has_nan)
{
    uint32_t bits[NARROW_WORDS];
    const cudaError_t code = fetch_narrow(s, bits);
    *n = 0;
    *has_nan = false;
    if (code == cudaSuccess)
        *n = narrow_count(s->dtype, bits, has_nan);
    return code;
}

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
    const uint32_t hash = hash_value_32((uint32_t)key);
    uint32_t word;
    const cudaError_t code =
        cudaMemcpy(&word, (const uint32_t *)s->at + hash / 32, sizeof word,
                   cudaMemcpyDeviceToHost);
    *found = code == cudaSuccess && (word >> hash % 32 & 1);
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

cudaError_t gpu_set_count(const struct gpu_set *s, uint64_t *n, bool *has_nan)
{
    const uint64_t inf = inf_bits(s->dtype);
    const uint64_t nan = inf ? canonical(s->dtype, inf + 1) : 0;
    struct gpu_set_tally tally;
    cudaError_t code = cudaSuccess;
    *has_nan = false;
    *n = 0;
    if (set_size(s) < 4)
        return count_narrow(s, n, has_nan);
    if (s->is_fresh)
        return cudaSuccess;
    if (set_size(s) == 4) {
        code = cudaDeviceSynchronize();
        if (code == cudaSuccess)
            code = cudaMemset(&s->tally->listed, 0, sizeof tally.listed);
        if (code == cudaSuccess)
            code = gpu_count_bits(s->at, SET_BITS_32 / 32, &s->tally->listed,
                                  NULL);
    }
    if (code == cudaSuccess)
        code = set_fetch_tally(s, &tally);
    if (code != cudaSuccess)
        return code;
    *n = set_size(s) == 4 ? tally.listed : tally.n + tally.has_zero;
    if (inf)
        code =
            (set_size(s) == 4 ? find_in_bits : find_in_table)(s, nan, has_nan);
    return code == cudaSuccess && tally.is_full ? cudaErrorUnknown : code;
}

static cudaError_t list_narrow(const struct gpu_set *s, uint64_t *from,
                               uint64_t *key, size_t *n)
{
    uint32_t bits[NARROW_WORDS];
    const cudaError_t code = fetch_narrow(s, bits);
    *n = code == cudaSuccess && *from == 0 ? narrow_list(s->dtype, bits, key)
                                           : 0;
    *from = 1;
    return code;
}

/* The hashes of some words or slots, of which *n may be more than `most`. */
static cudaError_t list_hashes(const struct gpu_set *s, uint64_t from,
                               size_t count, size_t most, size_t *n, void *room)
{
    struct gpu_set_tally tally;
    uint64_t *const listed = &s->tally->listed;
    cudaError_t code = cudaMemset(listed, 0, sizeof *listed);
    if (code == cudaSuccess)
        code =
            set_size(s) == 4
                ? gpu_set32_list(s->at, from, count, room, most, listed, NULL)
                : gpu_set64_list((const uint64_t *)s->at + from, count, room,
                                 most, listed, NULL);
    if (code == cudaSuccess)
        code = set_fetch_tally(s, &tally);
    *n = code == cudaSuccess ? tally.listed : 0;
    return code;
}

/* Halves what is looked at until its keys are no more than `most`. */
static cudaError_t list_some(const struct gpu_set *s, uint64_t *from,
                             uint64_t end, uint64_t *key, size_t most,
                             size_t *n, void *room)
{
    size_t count = end - *from;
    cudaError_t code = list_hashes(s, *from, count, most, n, room);
    while (code == cudaSuccess && *n > most) {
        count = count / 2;
        code = list_hashes(s, *from, count, most, n, room);
    }
    if (code == cudaSuccess)
        code = cudaMemcpy(key, room, *n * sizeof *key, cudaMemcpyDeviceToHost);
    for (size_t i = 0; code == cudaSuccess && i < *n; i++)
        key[i] = set_size(s) == 4 ? hash_undo_32((uint32_t)key[i])
                                  : hash_undo(key[i]);
    *from += count;
    return code;
}

/* The key whose hash is 0, which no slot has, comes last. */
static cudaError_t list_zero(const struct gpu_set *s, uint64_t *key, size_t *n)
{
    struct gpu_set_tally tally;
    const cudaError_t code = set_fetch_tally(s, &tally);
    *n = code == cudaSuccess && tally.has_zero;
    if (*n)
        *key = hash_undo(0);
    return code;
}

cudaError_t gpu_set_list(const struct gpu_set *s, uint64_t *from, uint64_t *key,
                         size_t most, size_t *n, void *room)
{
    const bool is_table = set_size(s) == 8;
    const uint64_t end = s->is_fresh ? 0
                         : is_table  ? set_slots(s)
                                     : SET_BITS_32 / 32;
    cudaError_t code = cudaSuccess;
    *n = 0;
    if (set_size(s) < 4)
        return list_narrow(s, from, key, n);
    while (code == cudaSuccess && *n == 0 && *from < end)
        code = list_some(s, from, end, key, most, n, room);
    if (code == cudaSuccess && *n == 0 && is_table && *from == end) {
        code = list_zero(s, key, n);
        *from = end + 1;
    }
    return code;
}
