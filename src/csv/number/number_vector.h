/* SPDX-License-Identifier: MIT */
/* Reads runs with vectors of AVX2. Included by number_run.h. */
#pragma once

#include <immintrin.h>

#define NUMBER_LONG NUMBER_INLINE

/* run_16 is as fast. */
NUMBER_INLINE bool run_short(struct number_run *r, const char *end, size_t n)
{
    return (void)r, (void)end, (void)n, false;
}

/* Reads the n <= 16 bytes that end at `end`: w < 10^16. */
NUMBER_INLINE struct number_run run_16(const char *end, unsigned n)
{
    const __m128i places =
        _mm_setr_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    struct number_run r;
    __m128i text = _mm_loadu_si128((const void *)(end - 16));
    __m128i digit = _mm_sub_epi8(text, _mm_set1_epi8('0'));
    __m128i is_digit =
        _mm_cmpeq_epi8(_mm_min_epu8(digit, _mm_set1_epi8(9)), digit);
    __m128i is_point = _mm_cmpeq_epi8(text, _mm_set1_epi8('.'));
    n = run_judge(&r, 16, n, (uint32_t)_mm_movemask_epi8(is_digit),
                  (uint32_t)_mm_movemask_epi8(is_point));
    if (!r.plain)
        return r;
    /* Closes the gap at the point: the bytes up to it move one place to the
     * right, since a mask byte of 255 is -1. Bytes before the run become 0. */
    __m128i before =
        _mm_loadu_si128((const void *)run_to_point(16, r.fraction));
    digit = _mm_shuffle_epi8(digit, _mm_add_epi8(places, before));
    digit =
        _mm_and_si128(digit, _mm_loadu_si128((const void *)run_last(16, n)));
    /* Joins digits to integers of 2, 4 and 8 digits. */
    __m128i x = _mm_maddubs_epi16(digit, _mm_set1_epi16(1 << 8 | 10));
    x = _mm_madd_epi16(x, _mm_set1_epi32(1 << 16 | 100));
    x = _mm_packus_epi32(x, x);
    x = _mm_madd_epi16(x, _mm_set1_epi32(1 << 16 | 10000));
    uint64_t halves = (uint64_t)_mm_cvtsi128_si64(x);
    r.w = (halves & 0xffffffff) * 100000000 + (halves >> 32);
    return r;
}

/* Reads the n <= 32 bytes that end at `end`. The run is not plain where w would
 * need more than 19 digits. */
NUMBER_INLINE struct number_run run_32(const char *end, unsigned n)
{
    struct number_run r;
    __m256i text = _mm256_loadu_si256((const void *)(end - 32));
    __m256i late = _mm256_loadu_si256((const void *)(end - 33));
    __m256i digit = _mm256_sub_epi8(text, _mm256_set1_epi8('0'));
    __m256i is_digit =
        _mm256_cmpeq_epi8(_mm256_min_epu8(digit, _mm256_set1_epi8(9)), digit);
    __m256i is_point = _mm256_cmpeq_epi8(text, _mm256_set1_epi8('.'));
    n = run_judge(&r, 32, n, (uint32_t)_mm256_movemask_epi8(is_digit),
                  (uint32_t)_mm256_movemask_epi8(is_point));
    if (!r.plain)
        return r;
    /* A shuffle does not cross the halves of the vector, so the text was also
     * loaded from one byte earlier. */
    late = _mm256_sub_epi8(late, _mm256_set1_epi8('0'));
    digit = _mm256_blendv_epi8(
        digit, late,
        _mm256_loadu_si256((const void *)run_to_point(32, r.fraction)));
    digit = _mm256_and_si256(digit,
                             _mm256_loadu_si256((const void *)run_last(32, n)));
    __m256i x = _mm256_maddubs_epi16(digit, _mm256_set1_epi16(1 << 8 | 10));
    x = _mm256_madd_epi16(x, _mm256_set1_epi32(1 << 16 | 100));
    x = _mm256_packus_epi32(x, x);
    x = _mm256_madd_epi16(x, _mm256_set1_epi32(1 << 16 | 10000));
    uint64_t high = (uint64_t)_mm_cvtsi128_si64(_mm256_castsi256_si128(x));
    uint64_t low = (uint64_t)_mm_cvtsi128_si64(_mm256_extracti128_si256(x, 1));
    /* `high` holds the upper 16 digits, the first 8 of them in its low half. */
    r.plain &= (uint32_t)high == 0 && high >> 32 < 1000;
    r.w = (high >> 32) * 10000000000000000 + (low & 0xffffffff) * 100000000 +
          (low >> 32);
    return r;
}
