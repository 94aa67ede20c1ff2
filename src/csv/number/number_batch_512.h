/* SPDX-License-Identifier: MIT */
/* Vectors of eight 64-bit lanes, with AVX-512 as of Skylake.
 * number_batch_vectors.h has the same functions for AVX2, and explains them. */
#pragma once

#include "csv/number/number_batch_parts.h"

#ifdef __AVX512CD__

typedef __m512i batch_u64;
typedef __m512d batch_f64;
typedef __mmask8 batch_mask;

BATCH_VALUE(batch_u64, batch_set, (uint64_t x), _mm512_set1_epi64((int64_t)x))
BATCH_VALUE(batch_u64, batch_add, (batch_u64 a, batch_u64 b),
            _mm512_add_epi64(a, b))
BATCH_VALUE(batch_u64, batch_sub, (batch_u64 a, batch_u64 b),
            _mm512_sub_epi64(a, b))
BATCH_VALUE(batch_u64, batch_and, (batch_u64 a, batch_u64 b),
            _mm512_and_si512(a, b))
BATCH_VALUE(batch_u64, batch_or, (batch_u64 a, batch_u64 b),
            _mm512_or_si512(a, b))
BATCH_VALUE(batch_u64, batch_right, (batch_u64 x, unsigned n),
            _mm512_srli_epi64(x, n))
BATCH_VALUE(batch_u64, batch_left, (batch_u64 x, unsigned n),
            _mm512_slli_epi64(x, n))
BATCH_VALUE(batch_u64, batch_right_by, (batch_u64 x, batch_u64 n),
            _mm512_srlv_epi64(x, n))
BATCH_VALUE(batch_u64, batch_left_by, (batch_u64 x, batch_u64 n),
            _mm512_sllv_epi64(x, n))
BATCH_VALUE(batch_u64, batch_multiply32, (batch_u64 a, batch_u64 b),
            _mm512_mul_epu32(a, b))
BATCH_VALUE(batch_u64, batch_leading_zeros, (batch_u64 x),
            _mm512_lzcnt_epi64(x))

BATCH_INLINE batch_u64 batch_load(const void *const *at)
{
    __m128i pair[4];
    for (int i = 0; i < 4; i++) {
        __m128d x = _mm_castsi128_pd(_mm_loadl_epi64(at[2 * i]));
        pair[i] = _mm_castpd_si128(_mm_loadh_pd(x, at[2 * i + 1]));
    }
    return _mm512_inserti64x4(
        _mm512_castsi256_si512(_mm256_set_m128i(pair[1], pair[0])),
        _mm256_set_m128i(pair[3], pair[2]), 1);
}

BATCH_VALUE(batch_u64, batch_gather, (const uint64_t *table, batch_u64 i),
            _mm512_i64gather_epi64(i, table, 8))
BATCH_VALUE(batch_mask, batch_equal, (batch_u64 a, batch_u64 b),
            _mm512_cmpeq_epi64_mask(a, b))
BATCH_VALUE(batch_mask, batch_above, (batch_u64 a, batch_u64 b),
            _mm512_cmpgt_epu64_mask(a, b))
BATCH_VALUE(unsigned, batch_bits, (batch_mask m), m)
BATCH_VALUE(batch_mask, batch_mask_of, (unsigned bits), (batch_mask)bits)
BATCH_VALUE(batch_u64, batch_keep, (batch_mask m, batch_u64 x),
            _mm512_maskz_mov_epi64(m, x))
BATCH_VALUE(batch_u64, batch_select,
            (batch_mask m, batch_u64 yes, batch_u64 no),
            _mm512_mask_mov_epi64(no, m, yes))
BATCH_VALUE(batch_f64, batch_as_f64, (batch_u64 x), _mm512_castsi512_pd(x))
BATCH_VALUE(batch_u64, batch_as_u64, (batch_f64 x), _mm512_castpd_si512(x))
BATCH_VALUE(batch_f64, batch_set_f64, (double x), _mm512_set1_pd(x))
BATCH_VALUE(batch_f64, batch_double, (batch_u64 w), _mm512_cvtepu64_pd(w))

BATCH_INLINE batch_f64 batch_split(batch_u64 w, batch_f64 *rest)
{
    batch_f64 x = _mm512_cvtepu64_pd(w);
    *rest = _mm512_cvtepi64_pd(_mm512_sub_epi64(w, _mm512_cvtpd_epu64(x)));
    return x;
}

BATCH_VALUE(batch_f64, batch_add_f64, (batch_f64 a, batch_f64 b),
            _mm512_add_pd(a, b))
BATCH_VALUE(batch_f64, batch_multiply_f64, (batch_f64 a, batch_f64 b),
            _mm512_mul_pd(a, b))
BATCH_VALUE(batch_f64, batch_divide_f64, (batch_f64 a, batch_f64 b),
            _mm512_div_pd(a, b))
BATCH_VALUE(batch_f64, batch_remainder_f64,
            (batch_f64 q, batch_f64 b, batch_f64 a), _mm512_fnmadd_pd(q, b, a))
BATCH_VALUE(batch_mask, batch_differ_f64, (batch_f64 a, batch_f64 b),
            _mm512_cmp_pd_mask(a, b, _CMP_NEQ_UQ))
BATCH_VALUE(batch_mask, batch_less_f64, (batch_f64 a, batch_f64 b),
            _mm512_cmp_pd_mask(a, b, _CMP_LT_OQ))

BATCH_INLINE batch_f64 batch_tens(batch_u64 e, unsigned width)
{
    if (width == 8)
        return _mm512_permutexvar_pd(e, _mm512_loadu_pd(batch_powers));
    batch_f64 x = _mm512_permutex2var_pd(_mm512_loadu_pd(batch_powers), e,
                                         _mm512_loadu_pd(batch_powers + 8));
    if (width == 16)
        return x;
    __mmask8 is_more = _mm512_test_epi64_mask(e, _mm512_set1_epi64(16));
    return _mm512_mask_permutexvar_pd(x, is_more, e,
                                      _mm512_loadu_pd(batch_powers + 16));
}

BATCH_VALUE(batch_u64, batch_fraction, (batch_u64 points),
            _mm512_lzcnt_epi64(points))

BATCH_INLINE void batch_store_8(batch_u64 x, uint64_t *to)
{
    _mm512_storeu_si512(to, x);
}

BATCH_INLINE void batch_store_4(batch_u64 x, uint32_t *to)
{
    _mm256_storeu_si256((void *)to, _mm512_cvtepi64_epi32(x));
}

BATCH_INLINE void batch_store_2(batch_u64 x, uint16_t *to)
{
    _mm_storeu_si128((void *)to, _mm512_cvtepi64_epi16(x));
}

BATCH_INLINE void batch_store_1(batch_u64 x, uint8_t *to)
{
    _mm_storel_epi64((void *)to, _mm512_cvtepi64_epi8(x));
}

BATCH_INLINE void batch_store_f32(batch_f64 x, float *to)
{
    _mm256_storeu_ps(to, _mm512_cvtpd_ps(x));
}

BATCH_VALUE(batch_u64, batch_pack, (unsigned bits, batch_u64 x),
            _mm512_maskz_compress_epi64((__mmask8)bits, x))
BATCH_VALUE(__m256i, batch_rows, (uint32_t first),
            _mm256_add_epi32(_mm256_set1_epi32((int)first),
                             _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7)))

BATCH_INLINE void batch_store_rows(uint32_t *to, uint32_t first)
{
    _mm256_storeu_si256((void *)to, batch_rows(first));
}

BATCH_INLINE void batch_store_some_rows(uint32_t *to, uint32_t first,
                                        unsigned bits)
{
    __m256i some =
        _mm256_maskz_compress_epi32((__mmask8)bits, batch_rows(first));
    _mm256_storeu_si256((void *)to, some);
}

#endif
