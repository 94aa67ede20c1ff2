/* SPDX-License-Identifier: MIT */
/*
 * The parts of loops_ranks.h that compilers do not vectorise well, for AVX-512.
 * Each function returns how many of n keys of `size` bytes it took: none, where
 * it has no instructions for them. Portable code takes the rest.
 */
#pragma once

#include "reduce/cpu/vector.h"

#if defined(__AVX512F__)
ALWAYS_INLINE size_t ranks_squeeze_16(uint16_t *to, const uint16_t *key,
                                      size_t n, uint16_t low, uint16_t span,
                                      uint16_t base, size_t *kept)
{
    size_t i = 0;
    for (; i + 16 <= n; i += 16) {
        const __m512i v = _mm512_cvtepu16_epi32(
                          _mm256_loadu_si256((const __m256i *)(key + i))),
                      d = _mm512_and_si512(
                          _mm512_sub_epi32(v, _mm512_set1_epi32(low)),
                          _mm512_set1_epi32(UINT16_MAX));
        const __mmask16 in =
            _mm512_cmple_epu32_mask(d, _mm512_set1_epi32(span));
        const __m512i all = _mm512_add_epi32(v, _mm512_set1_epi32(base));
        _mm256_storeu_si256(
            (__m256i *)(to + *kept),
            _mm512_cvtepi32_epi16(_mm512_maskz_compress_epi32(in, all)));
        *kept += (size_t)__builtin_popcount(in);
    }
    return i;
}

#define RANKS_SQUEEZE(BITS, MASK)                                         \
    ALWAYS_INLINE size_t ranks_squeeze_##BITS(                            \
        uint##BITS##_t *to, const uint##BITS##_t *key, size_t n,          \
        uint##BITS##_t low, uint##BITS##_t span, uint##BITS##_t base,     \
        size_t *kept)                                                     \
    {                                                                     \
        enum { LANES = 512 / BITS };                                      \
        const __m512i first = _mm512_set1_epi##BITS((int##BITS##_t)low),  \
                      reach = _mm512_set1_epi##BITS((int##BITS##_t)span), \
                      more = _mm512_set1_epi##BITS((int##BITS##_t)base);  \
        size_t i = 0;                                                     \
        for (; i + LANES <= n; i += LANES) {                              \
            const __m512i v = _mm512_loadu_si512(key + i),                \
                          d = _mm512_sub_epi##BITS(v, first);             \
            const MASK in = _mm512_cmple_epu##BITS##_mask(d, reach);      \
            _mm512_storeu_si512(to + *kept,                               \
                                _mm512_maskz_compress_epi##BITS(          \
                                    in, _mm512_add_epi##BITS(v, more)));  \
            *kept += (size_t)__builtin_popcount(in);                      \
        }                                                                 \
        return i;                                                         \
    }
RANKS_SQUEEZE(32, __mmask16)
RANKS_SQUEEZE(64, __mmask8)
#endif

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
#if defined(__AVX512F__)
    if (size == 2)
        return ranks_squeeze_16(to, key, n, (uint16_t)low, (uint16_t)span,
                                (uint16_t)base, kept);
    if (size == 4)
        return ranks_squeeze_32(to, key, n, (uint32_t)low, (uint32_t)span,
                                (uint32_t)base, kept);
    if (size == 8)
        return ranks_squeeze_64(to, key, n, low, span, base, kept);
#endif
    (void)to, (void)key, (void)n, (void)size;
    (void)low, (void)span, (void)base, (void)kept;
    return 0;
}

/* Adds the number of keys that are at most `end` to *all. Takes keys of one
 * byte only: counters of wider keys do not overflow within a block. */
ALWAYS_INLINE size_t ranks_up_to_bytes(const void *key, size_t n, size_t size,
                                       uint64_t end, size_t *all)
{
    size_t i = 0;
#if defined(__AVX512BW__)
    for (; size == 1 && i + 64 <= n; i += 64) {
        const __m512i v = _mm512_loadu_si512((const uint8_t *)key + i);
        *all += (size_t)__builtin_popcountll(
            _mm512_cmple_epu8_mask(v, _mm512_set1_epi8((char)end)));
    }
#else
    (void)key, (void)n, (void)size, (void)end, (void)all;
#endif
    return i;
}
