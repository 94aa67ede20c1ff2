/* SPDX-License-Identifier: MIT */
/*
 * Hashes of values and texts. They are the same on every machine and device,
 * since the results of a sketch depend on them. Hashes of values can be undone,
 * so a set of values need only keep the hashes.
 *
 * Every bit of a value changes about half of the hash's bits. So neighbours,
 * multiples of a power of two and floats with few digits spread as evenly as
 * random numbers, both by the upper and by the lower bits.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "reduce/hd.h"

/* Odd numbers with evenly spread bits: the golden ratio's, and two others. */
#define HASH_SEED 0x9e3779b97f4a7c15u
#define HASH_A 0xd6e8feb86659fd93u
#define HASH_B 0xa0761d6478bd642fu
#define HASH_SEED_32 0x9e3779b9u
#define HASH_A_32 0x7feb352du
#define HASH_B_32 0x846ca68bu

/* A table takes the hash 0 for a free slot. The seed makes sure that it is not
 * the hash of 0, the most common value. */
HD uint64_t hash_value(uint64_t x)
{
    x ^= HASH_SEED;
    x = (x ^ x >> 32) * HASH_A;
    x = (x ^ x >> 29) * HASH_B;
    return x ^ x >> 32;
}

HD uint32_t hash_value_32(uint32_t x)
{
    x ^= HASH_SEED_32;
    x = (x ^ x >> 16) * HASH_A_32;
    x = (x ^ x >> 15) * HASH_B_32;
    return x ^ x >> 16;
}

/* The inverse x of an odd a, modulo 2^64: a * x is 1. At first three bits of x
 * are right, and each step doubles their number. */
HD uint64_t hash_inverse(uint64_t a)
{
    uint64_t x = a;
    for (int i = 0; i < 5; i++)
        x *= 2 - a * x;
    return x;
}

/* The value with this hash. */
HD uint64_t hash_undo(uint64_t x)
{
    x = (x ^ x >> 32) * hash_inverse(HASH_B);
    x = (x ^ x >> 29 ^ x >> 58) * hash_inverse(HASH_A);
    return (x ^ x >> 32) ^ HASH_SEED;
}

HD uint32_t hash_undo_32(uint32_t x)
{
    x = (x ^ x >> 16) * (uint32_t)hash_inverse(HASH_B_32);
    x = (x ^ x >> 15 ^ x >> 30) * (uint32_t)hash_inverse(HASH_A_32);
    return (x ^ x >> 16) ^ HASH_SEED_32;
}

/* Combines both halves of a product in one word. */
HD uint64_t hash_fold(uint64_t a, uint64_t b)
{
    const unsigned __int128 product = (unsigned __int128)a * b;
    return (uint64_t)product ^ (uint64_t)(product >> 64);
}

HD uint64_t hash_load(const char *p, size_t bytes)
{
    uint64_t x = 0;
    memcpy(&x, p, bytes);
    return x;
}

/* Up to 8 bytes: the first four and the last, which may overlap. */
HD uint64_t hash_tail(const char *p, size_t n)
{
    if (n >= 4)
        return hash_load(p, 4) | hash_load(p + n - 4, 4) << 32;
    if (n == 0)
        return 0;
    return (uint64_t)(unsigned char)p[0] |
           (uint64_t)(unsigned char)p[n / 2] << 8 |
           (uint64_t)(unsigned char)p[n - 1] << 16;
}

/* Never 0. The initial value depends on the length, so that texts differ whose
 * last bytes are read as the same words. */
HD uint64_t hash_text(const char *p, size_t n)
{
    uint64_t h = HASH_SEED ^ n * HASH_B;
    for (; n >= 8; p += 8, n -= 8)
        h = hash_fold(h ^ hash_load(p, 8), HASH_A);
    h = hash_value(hash_fold(h ^ hash_tail(p, n), HASH_B));
    return h ? h : 1;
}
