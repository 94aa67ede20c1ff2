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

/* The bits of the keys that values, or both halves of pairs, have. */
static void keys_of(enum dtype dtype, const uint32_t *bits, uint32_t *keys)
{
    memset(keys, 0, NARROW_WORDS * sizeof *keys);
    for (uint32_t x = 0; x < NARROW_KEYS; x++) {
        if (!has(bits, x))
            continue;
        if (dtype_size(dtype) == 1) {
            keep(keys, x & 0xff);
            keep(keys, x >> 8);
        } else {
            keep(keys, (uint32_t)canonical(dtype, x));
        }
    }
}

size_t narrow_list(enum dtype dtype, const uint32_t *bits, uint64_t *key)
{
    uint32_t keys[NARROW_WORDS];
    size_t n = 0;
    keys_of(dtype, bits, keys);
    for (uint32_t x = 0; x < NARROW_KEYS; x++) {
        if (!has(keys, x))
            continue;
        if (key)
            key[n] = x;
        n++;
    }
    return n;
}
