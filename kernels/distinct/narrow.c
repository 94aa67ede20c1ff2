/* SPDX-License-Identifier: MIT */
#include "kernels/distinct/narrow.h"

#include <string.h>

static bool has(const uint32_t *bits, uint32_t x)
{
    return bits[x / 32] >> x % 32 & 1;
}

static void keep(uint32_t *bits, uint32_t x)
{
    bits[x / 32] |= 1u << x % 32;
}

/* The words of pairs with one upper half have a bit for each lower half. */
static void keys_of_pairs(const uint32_t *bits, uint32_t *keys)
{
    enum { WORDS = 256 / 32 };
    for (uint32_t upper = 0; upper < 256; upper++) {
        uint32_t any = 0;
        for (uint32_t w = 0; w < WORDS; w++) {
            keys[w] |= bits[upper * WORDS + w];
            any |= bits[upper * WORDS + w];
        }
        if (any)
            keep(keys, upper);
    }
}

/* Only words with a zero or with NaN have a key that is not the value. */
static void keys_of_floats(enum dtype dtype, const uint32_t *bits,
                           uint32_t *keys)
{
    const uint32_t first_nan = (uint32_t)(inf_bits(dtype) + 1);
    for (uint32_t w = 0; w < NARROW_WORDS; w++) {
        const uint32_t magnitude = w * 32 & 0x7fff;
        if (magnitude != 0 && magnitude + 31 < first_nan) {
            keys[w] |= bits[w];
            continue;
        }
        for (uint32_t x = w * 32; bits[w] && x < w * 32 + 32; x++) {
            if (has(bits, x))
                keep(keys, (uint32_t)canonical(dtype, x));
        }
    }
}

static void keys_of(enum dtype dtype, const uint32_t *bits, uint32_t *keys)
{
    memset(keys, 0, NARROW_WORDS * sizeof *keys);
    if (dtype_size(dtype) == 1)
        keys_of_pairs(bits, keys);
    else if (dtype_is_float(dtype))
        keys_of_floats(dtype, bits, keys);
    else
        memcpy(keys, bits, NARROW_WORDS * sizeof *keys);
}

size_t narrow_count(enum dtype dtype, const uint32_t *bits, bool *has_nan)
{
    const uint64_t inf = inf_bits(dtype);
    uint32_t keys[NARROW_WORDS];
    size_t n = 0;
    keys_of(dtype, bits, keys);
    for (uint32_t w = 0; w < NARROW_WORDS; w++)
        n += keys[w] ? (size_t)__builtin_popcount(keys[w]) : 0;
    *has_nan = inf && has(keys, (uint32_t)canonical(dtype, inf + 1));
    return n;
}

size_t narrow_list(enum dtype dtype, const uint32_t *bits, uint64_t *key)
{
    uint32_t keys[NARROW_WORDS];
    size_t n = 0;
    keys_of(dtype, bits, keys);
    for (uint32_t x = 0; x < NARROW_KEYS; x++) {
        if (has(keys, x))
            key[n++] = x;
    }
    return n;
}
