/* SPDX-License-Identifier: MIT */
/*
 * The parts of loops_ranks.h that compilers do not vectorise well, for AVX-512.
 * Each function returns how many of n keys of `size` bytes it took: none, where
 * it has no instructions for them. Portable code takes the rest.
 */
#pragma once

#include "reduce/cpu/vector.h"

#if defined(__AVX512BW__)
/* Squeezes a vector of keys; those of 16 bits take lanes of 32. Returns how
 * many keys it kept. */
ALWAYS_INLINE size_t ranks_squeeze_vector(void *to, const void *key,
                                          size_t size, uint64_t low,
                                          uint64_t span, uint64_t base)
{
    typedef uint32_t vint32 __attribute__((vector_size(VECTOR_BYTES)));
    const uint32_t all = size == 2 ? UINT16_MAX : UINT32_MAX;
    const __m512i v = size == 2 ? _mm512_cvtepu16_epi32(_mm256_loadu_si256(key))
                                : _mm512_loadu_si512(key);
    unsigned in;
    __m512i kept;
    if (size == 8) {
        in = _mm512_cmple_epu64_mask((__m512i)((vuint)v - low),
                                     _mm512_set1_epi64((int64_t)span));
        kept = _mm512_maskz_compress_epi64((__mmask8)in,
                                           (__m512i)((vuint)v + base));
    } else {
        in = _mm512_cmple_epu32_mask(
            (__m512i)(((vint32)v - (uint32_t)low) & all),
            _mm512_set1_epi32((int)span));
        kept = _mm512_maskz_compress_epi32(
            (__mmask16)in, (__m512i)((vint32)v + (uint32_t)base));
    }
    if (size == 2)
        _mm256_storeu_si256(to, _mm512_cvtepi32_epi16(kept));
    else
        _mm512_storeu_si512(to, kept);
    return (size_t)__builtin_popcount(in);
}

/*
 * Copies the keys whose distance from `low` is at most the span, each plus
 * `base`, to `to`, which has room for n keys. Adds their number to *kept. It
 * has no branch: with 0.6 % of random keys in range, a branch for each vector
 * takes twice as long as writing every vector.
 */
ALWAYS_INLINE size_t ranks_squeeze(void *to, const void *key, size_t n,
                                   size_t size, uint64_t low, uint64_t span,
                                   uint64_t base, size_t *kept)
{
    const size_t lanes = size == 8 ? 8 : 16;
    size_t i = 0;
    for (; size > 1 && i + lanes <= n; i += lanes)
        *kept += ranks_squeeze_vector((char *)to + *kept * size,
                                      (const char *)key + i * size, size, low,
                                      span, base);
    return i;
}

/* Adds the number of keys that are at most `end` to *all. Takes keys of one
 * byte only: counters of wider keys do not overflow within a block. */
ALWAYS_INLINE size_t ranks_up_to_bytes(const void *key, size_t n, size_t size,
                                       uint64_t end, size_t *all)
{
    size_t i = 0;
    for (; size == 1 && i + 64 <= n; i += 64) {
        const __m512i v = _mm512_loadu_si512((const uint8_t *)key + i);
        *all += (size_t)__builtin_popcountll(
            _mm512_cmple_epu8_mask(v, _mm512_set1_epi8((char)end)));
    }
    return i;
}
#else
#define ranks_squeeze(to, key, n, size, low, span, base, kept) 0
#define ranks_up_to_bytes(key, n, size, end, all) 0
#endif
