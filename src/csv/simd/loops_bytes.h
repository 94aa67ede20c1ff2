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

#if defined(__AVX2__) || (!defined(__SSE2__) && !defined(LOOPS_NEON))
/* Bit i: byte i of the 64 at p equals c. */
ALWAYS_INLINE uint64_t equal64(const char *p, char c)
{
#if defined(__AVX512BW__)
    return _mm512_cmpeq_epi8_mask(_mm512_loadu_si512(p), _mm512_set1_epi8(c));
#elif defined(__AVX2__)
    __m256i low = _mm256_loadu_si256((const __m256i *)p);
    __m256i high = _mm256_loadu_si256((const __m256i *)(p + 32));
    __m256i wanted = _mm256_set1_epi8(c);
    low = _mm256_cmpeq_epi8(low, wanted);
    high = _mm256_cmpeq_epi8(high, wanted);
    return (uint32_t)_mm256_movemask_epi8(low) |
           (uint64_t)(uint32_t)_mm256_movemask_epi8(high) << 32;
#else
    /* The product gathers the lowest bits of eight bytes in the highest. */
    uint64_t mask = 0;
    for (int i = 0; i < 8; i++) {
        uint64_t x = run_load(p + 8 * i) ^ RUN_EACH((unsigned char)c);
        x = run_within(x, 0) >> 7;
        mask |= x * 0x0102040810204080 >> 56 << 8 * i;
    }
    return mask;
#endif
}

/* Bit i: byte i of the 64 at p equals a or b. */
ALWAYS_INLINE uint64_t either64(const char *p, char a, char b)
{
    return equal64(p, a) | equal64(p, b);
}

/* Whether one of the 64 bytes at p equals c. */
ALWAYS_INLINE bool any64(const char *p, char c)
{
    return equal64(p, c) != 0;
}

/* How many of the 64 bytes at p equal c. */
ALWAYS_INLINE size_t count64(const char *p, char c)
{
    return count_bits(equal64(p, c));
}
#else
/* The same with vectors of 16 bytes, whose bits take long to gather. */
typedef uint8_t text16 __attribute__((vector_size(16)));

/* All ones in the bytes of the 16 at p that equal a or b. */
ALWAYS_INLINE text16 same16(const char *p, char a, char b)
{
    text16 v;
    memcpy(&v, p, sizeof v);
    const text16 is_a = (text16)(v == (text16){} + (uint8_t)a);
    return is_a | (text16)(v == (text16){} + (uint8_t)b);
}

ALWAYS_INLINE uint64_t bits64(text16 a, text16 b, text16 c, text16 d)
{
#if defined(LOOPS_NEON)
    const text16 each = {1, 2, 4, 8, 16, 32, 64, 128,
                         1, 2, 4, 8, 16, 32, 64, 128};
    text16 x =
        vpaddq_u8(vpaddq_u8(a & each, b & each), vpaddq_u8(c & each, d & each));
    return vgetq_lane_u64(vreinterpretq_u64_u8(vpaddq_u8(x, x)), 0);
#else
    return (uint64_t)_mm_movemask_epi8((__m128i)a) |
           (uint64_t)_mm_movemask_epi8((__m128i)b) << 16 |
           (uint64_t)_mm_movemask_epi8((__m128i)c) << 32 |
           (uint64_t)_mm_movemask_epi8((__m128i)d) << 48;
#endif
}

ALWAYS_INLINE uint64_t either64(const char *p, char a, char b)
{
    return bits64(same16(p, a, b), same16(p + 16, a, b), same16(p + 32, a, b),
                  same16(p + 48, a, b));
}

ALWAYS_INLINE uint64_t equal64(const char *p, char c)
{
    return either64(p, c, c);
}

ALWAYS_INLINE bool any64(const char *p, char c)
{
    text16 any = same16(p, c, c) | same16(p + 16, c, c) | same16(p + 32, c, c) |
                 same16(p + 48, c, c);
#if defined(LOOPS_NEON)
    return vmaxvq_u8(any) != 0;
#else
    return _mm_movemask_epi8((__m128i)any) != 0;
#endif
}

ALWAYS_INLINE size_t count64(const char *p, char c)
{
    text16 n = -(same16(p, c, c) + same16(p + 16, c, c) + same16(p + 32, c, c) +
                 same16(p + 48, c, c));
#if defined(LOOPS_NEON)
    return vaddvq_u8(n);
#else
    __m128i sum = _mm_sad_epu8((__m128i)n, _mm_setzero_si128());
    return (size_t)(_mm_cvtsi128_si64(sum) +
                    _mm_cvtsi128_si64(_mm_unpackhi_epi64(sum, sum)));
#endif
}
#endif
