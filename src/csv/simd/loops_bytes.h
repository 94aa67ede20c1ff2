/* SPDX-License-Identifier: MIT */
/* Compares 64 bytes of text with a byte. */
#pragma once

#include <string.h>

#include "csv/number/number_run.h"
#include "reduce/cpu/vector.h"

/* How many bits are set. Without an instruction for it, GCC would call a
 * function. */
ALWAYS_INLINE size_t count_bits(uint64_t x)
{
#if defined(__x86_64__) && !defined(__POPCNT__)
    x -= x >> 1 & 0x5555555555555555;
    x = (x & 0x3333333333333333) + (x >> 2 & 0x3333333333333333);
    x = (x + (x >> 4)) & 0x0f0f0f0f0f0f0f0f;
    return x * 0x0101010101010101 >> 56;
#else
    return (size_t)__builtin_popcountll(x);
#endif
}

/* A part of a text: a vector, or eight bytes in a word. Where its bytes are
 * marked, AVX-512 has a bit for each, other vectors set the byte to all ones,
 * and the word has the byte's top bit. */
#if defined(__AVX512BW__)
enum { PART = 64 };
typedef uint64_t text_part;
#elif defined(__SSE2__) || defined(LOOPS_NEON)
enum { PART = VECTOR_BYTES };
typedef uint8_t text_part __attribute__((vector_size(PART)));
#else
enum { PART = 8 };
typedef uint64_t text_part;
#endif

/* Marks the bytes of the part at p that equal a or b. */
ALWAYS_INLINE text_part same(const char *p, char a, char b)
{
#if defined(__AVX512BW__)
    const __m512i v = _mm512_loadu_si512(p);
    return _mm512_cmpeq_epi8_mask(v, _mm512_set1_epi8(a)) |
           _mm512_cmpeq_epi8_mask(v, _mm512_set1_epi8(b));
#elif defined(__SSE2__) || defined(LOOPS_NEON)
    text_part v;
    memcpy(&v, p, sizeof v);
    const text_part is_a = (text_part)(v == (text_part){} + (uint8_t)a);
    return is_a | (text_part)(v == (text_part){} + (uint8_t)b);
#else
    const uint64_t v = run_load(p);
    return run_within(v ^ RUN_EACH((unsigned char)a), 0) |
           run_within(v ^ RUN_EACH((unsigned char)b), 0);
#endif
}

/* A bit for each marked byte; with NEON, not 0 if a byte is marked. */
ALWAYS_INLINE uint64_t text_bits(text_part v)
{
#if defined(__AVX512BW__)
    return v;
#elif defined(__AVX2__)
    return (uint32_t)_mm256_movemask_epi8((__m256i)v);
#elif defined(__SSE2__)
    return (uint32_t)_mm_movemask_epi8((__m128i)v);
#elif defined(LOOPS_NEON)
    return vmaxvq_u8(v);
#else
    /* The product gathers the lowest bits of eight bytes in the highest. */
    return (v >> 7) * 0x0102040810204080 >> 56;
#endif
}

/* Bit i: byte i of the 64 at p equals a or b. */
ALWAYS_INLINE uint64_t either64(const char *p, char a, char b)
{
#if defined(LOOPS_NEON)
    const text_part each = {1, 2, 4, 8, 16, 32, 64, 128,
                            1, 2, 4, 8, 16, 32, 64, 128};
    text_part x = vpaddq_u8(
        vpaddq_u8(same(p, a, b) & each, same(p + 16, a, b) & each),
        vpaddq_u8(same(p + 32, a, b) & each, same(p + 48, a, b) & each));
    return vgetq_lane_u64(vreinterpretq_u64_u8(vpaddq_u8(x, x)), 0);
#else
    uint64_t mask = 0;
    for (int i = 0; i < 64; i += PART)
        mask |= text_bits(same(p + i, a, b)) << i;
    return mask;
#endif
}

ALWAYS_INLINE uint64_t equal64(const char *p, char c)
{
    return either64(p, c, c);
}

/* Not 0 if one of the 64 bytes at p equals c. */
ALWAYS_INLINE uint64_t any64(const char *p, char c)
{
    text_part any = {0};
    for (int i = 0; i < 64; i += PART)
        any |= same(p + i, c, c);
    return text_bits(any);
}

#if !defined(__AVX512BW__) && (defined(__SSE2__) || defined(LOOPS_NEON))
#define MARKS_BYTES /* a marked byte is all ones, so subtracting counts it */
/* The sum of the bytes. */
ALWAYS_INLINE size_t sum_part(text_part v)
{
#if defined(LOOPS_NEON)
    return vaddlvq_u8(v);
#elif defined(__AVX2__)
    const vuint sum = (vuint)_mm256_sad_epu8((__m256i)v, (__m256i){0});
    return sum[0] + sum[1] + sum[2] + sum[3];
#else
    const vuint sum = (vuint)_mm_sad_epu8((__m128i)v, (__m128i){0});
    return sum[0] + sum[1];
#endif
}
#endif

/* How many of the 64 bytes at p equal c. */
ALWAYS_INLINE size_t count64(const char *p, char c)
{
#if defined(MARKS_BYTES) && !defined(__AVX2__)
    text_part n = {};
    for (int i = 0; i < 64; i += PART)
        n -= same(p + i, c, c);
    return sum_part(n);
#else
    return count_bits(equal64(p, c));
#endif
}
