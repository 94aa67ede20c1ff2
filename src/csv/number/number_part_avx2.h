/* SPDX-License-Identifier: MIT */
/* The operations on parts of batches that GNU C's operators cannot express,
 * with AVX2. A part holds four texts of 8 bytes, two of 16 or one of 32. */
#pragma once

#include "csv/number/number_batch_parts.h"

#if defined(__x86_64__) && !defined(__AVX512CD__)
#define HAVE_PARTS

/* Defines a function of parts a and b. */
#define PART_OF_TWO(name, call)                                        \
    BATCH_INLINE batch_part name(batch_part a_part, batch_part b_part) \
    {                                                                  \
        __m256i a = (__m256i)a_part, b = (__m256i)b_part;              \
        return (batch_part)(call);                                     \
    }

/* One for each lane, doubling. */
#define PART_BITS 1, 2, 4, 8
#define PART_ROWS 0, 1, 2, 3, 4, 5, 6, 7
#define PART_PLACES                                                          \
    1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 1, 2, 3, 4, 5, 6, \
        7, 8, 9, 10, 11, 12, 13, 14, 15, 16
/* Of the four vectors that hold the texts of a part, of 32 bytes each: which of
 * these texts vector k holds. */
#define PART_TEXT(k) (k)

PART_OF_TWO(part_multiply32, _mm256_mul_epu32(a, b))
PART_OF_TWO(part_above, _mm256_cmpgt_epi64(
                            _mm256_xor_si256(a, _mm256_set1_epi64x(INT64_MIN)),
                            _mm256_xor_si256(b, _mm256_set1_epi64x(INT64_MIN))))

/* The bytes that are no digits, as all ones: digit > 9 of signed bytes. */
BATCH_VALUE(batch_text, part_no_digit, (batch_text text),
            (batch_signed)(text - (uint8_t)('0' + 128)) > (int8_t)(9 - 128))
BATCH_VALUE(batch_part, part_select,
            (batch_part m, batch_part yes, batch_part no),
            _mm256_blendv_epi8((__m256i)no, (__m256i)yes, (__m256i)m))

/* A bit for each lane of the parts of a mask. */
BATCH_VALUE(unsigned, part_bits, (const batch_part *m),
            _mm256_movemask_pd((__m256d)m[0]) |
                (unsigned)_mm256_movemask_pd((__m256d)m[1]) << 4)
BATCH_VALUE(bool, part_any, (batch_part x),
            !_mm256_testz_si256((__m256i)x, (__m256i)x))

BATCH_INLINE __m128i part_pair(const void *a, const void *b)
{
    __m128d x = _mm_castsi128_pd(_mm_loadl_epi64(a));
    return _mm_castpd_si128(_mm_loadh_pd(x, b));
}

/* Loads 64 bits from each address. */
BATCH_VALUE(batch_part, part_load, (const void *const *at),
            _mm256_set_m128i(part_pair(at[2], at[3]), part_pair(at[0], at[1])))
BATCH_VALUE(batch_part, part_gather, (const uint64_t *table, batch_part i),
            _mm256_i64gather_epi64((const long long *)table, (__m256i)i, 8))

/* w = x + *rest, where x is the double nearest to w. */
BATCH_INLINE batch_real part_split(batch_part w, batch_real *rest)
{
    const __m256i at_52 = _mm256_set1_epi64x(0x4330000000000000);
    const batch_part at_84 = (batch_part){} + 0x4530000000000000;
    batch_real high = (batch_real)(w >> 32 | at_84) - (batch_real)at_84;
    batch_real low = (batch_real)_mm256_blend_epi32((__m256i)w, at_52, 0xaa) -
                     (batch_real)at_52;
    batch_real x = high + low;
    /* Exact, since high is 0 or not less than low: Dekker (1971). */
    *rest = low - (x - high);
    return x;
}

/* a - q * b, rounded once. */
BATCH_VALUE(batch_real, part_remainder,
            (batch_real q, batch_real b, batch_real a),
            _mm256_fnmadd_pd(q, b, a))

/* x times `power` in lanes whose bit `bit` of e is set. */
BATCH_INLINE batch_real part_times(batch_real x, batch_part e, int bit,
                                   double power)
{
    __m256d is_set = (__m256d)(e << (63 - bit));
    return x *
           _mm256_blendv_pd(_mm256_set1_pd(1), _mm256_set1_pd(power), is_set);
}

/* 10 to the power e modulo 8. On some processors a gather takes three times as
 * long. */
BATCH_INLINE batch_real part_tens(batch_part e)
{
    const __m256i odd = _mm256_set1_epi64x(1ll << 32);
    const __m256i first = _mm256_loadu_si256((const void *)batch_powers);
    /* The two 32-bit parts of 10^0 to 10^3. */
    __m256i half = _mm256_shuffle_epi32((__m256i)e, 0xa0);
    half = _mm256_or_si256(_mm256_slli_epi32(half, 1), odd);
    return part_times((batch_real)_mm256_permutevar8x32_epi32(first, half), e,
                      2, 1e4);
}

/* Stores the low 32 bits of each lane of two parts. */
BATCH_INLINE void part_store_4(batch_part a, batch_part b, uint32_t *to)
{
    __m256 even = _mm256_shuffle_ps((__m256)a, (__m256)b, 0x88);
    _mm256_storeu_si256((void *)to,
                        _mm256_permute4x64_epi64((__m256i)even, 0xd8));
}

BATCH_INLINE void part_store_f32(batch_real a, batch_real b, float *to)
{
    _mm_storeu_ps(to, _mm256_cvtpd_ps(a));
    _mm_storeu_ps(to + 4, _mm256_cvtpd_ps(b));
}

/* The lowest byte of each lane, in all its bytes. */
BATCH_INLINE batch_text part_spread(batch_part x)
{
    const __m128i each =
        _mm_setr_epi8(0, 0, 0, 0, 0, 0, 0, 0, 8, 8, 8, 8, 8, 8, 8, 8);
    return (batch_text)_mm256_shuffle_epi8((__m256i)x,
                                           _mm256_set_m128i(each, each));
}

/* The lowest byte of lane k, 0 or 1, of each 16 bytes, in all 16. */
BATCH_VALUE(batch_text, part_spread_16, (batch_part x, int k),
            _mm256_shuffle_epi8((__m256i)x, _mm256_set1_epi8((char)(8 * k))))

/* Loads the 16 bytes before every other end of a part's. */
BATCH_VALUE(batch_text, part_load_16, (const char *const *end),
            _mm256_set_m128i(_mm_loadu_si128((const void *)(end[2] - 16)),
                             _mm_loadu_si128((const void *)(end[0] - 16))))

/* x one byte later in each 16 bytes. */
BATCH_VALUE(batch_text, part_late_16, (batch_text x),
            _mm256_bslli_epi128((__m256i)x, 1))

/* The sum of the bytes of each lane. */
BATCH_VALUE(batch_part, part_sum, (batch_text x),
            _mm256_sad_epu8((__m256i)x, _mm256_setzero_si256()))

/* The functions whose names end in _16 take two parts with a text in each 16
 * bytes, and return a lane for each text. */
PART_OF_TWO(part_low, _mm256_unpacklo_epi64(a, b))
PART_OF_TWO(part_high, _mm256_unpackhi_epi64(a, b))

BATCH_INLINE batch_part part_sum_16(batch_text a, batch_text b)
{
    batch_part x = part_sum(a), y = part_sum(b);
    return part_low(x, y) + part_high(x, y);
}

/* Not 0 where a byte of the text is not 0. */
BATCH_VALUE(batch_part, part_any_16, (batch_text a, batch_text b),
            part_low((batch_part)a, (batch_part)b) |
                part_high((batch_part)a, (batch_part)b))

/* Joins digits to integers of four digits. */
BATCH_INLINE __m256i part_fours(batch_text x)
{
    __m256i y =
        _mm256_maddubs_epi16((__m256i)x, _mm256_set1_epi16(1 << 8 | 10));
    return _mm256_madd_epi16(y, _mm256_set1_epi32(1 << 16 | 100));
}

/* Joins the eight digits of each lane to an integer. */
BATCH_INLINE batch_part part_join(batch_text x)
{
    batch_part fours = (batch_part)part_fours(x);
    return part_multiply32(fours, (batch_part){} + 10000) + (fours >> 32);
}

BATCH_INLINE batch_part part_join_16(batch_text a, batch_text b)
{
    __m256i x = _mm256_packus_epi32(part_fours(a), part_fours(b));
    batch_part eights =
        (batch_part)_mm256_madd_epi16(x, _mm256_set1_epi32(1 << 16 | 10000));
    return part_multiply32(eights, (batch_part){} + 100000000) + (eights >> 32);
}

/* The texts of 32 bytes. part_firsts and part_lasts return their first and last
 * 16 bytes' lanes, of what functions on 16 bytes made of vectors 0 and 1, and
 * of 2 and 3. */
PART_OF_TWO(part_firsts, _mm256_permute2x128_si256(a, b, 0x20))
PART_OF_TWO(part_lasts, _mm256_permute2x128_si256(a, b, 0x31))

/* The places in its text of the bytes of vector k, from 1 on. */
BATCH_INLINE batch_text part_place_32(int k)
{
    (void)k;
    return (batch_text){PART_PLACES} +
           (batch_text)_mm256_setr_m128i(_mm_setzero_si128(),
                                         _mm_set1_epi8(16));
}

BATCH_VALUE(batch_text, part_load_32, (const char *const *end, int k),
            _mm256_loadu_si256((const void *)(end[k] - 32)))

/* x one byte later, after the vector `before`, which is 0 if it is of another
 * text. */
BATCH_INLINE batch_text part_late_32(batch_text before, batch_text x)
{
    __m256i y = (__m256i)x, low = _mm256_permute2x128_si256(y, y, 0x08);
    (void)before;
    return (batch_text)_mm256_alignr_epi8(y, low, 15);
}

/* The lowest byte of lane k, in all bytes. */
BATCH_INLINE batch_text part_spread_32(batch_part x, int k)
{
    __m256i y =
        _mm256_permutevar8x32_epi32((__m256i)x, _mm256_set1_epi32(2 * k));
    return (batch_text)_mm256_shuffle_epi8(y, _mm256_setzero_si256());
}

#endif
