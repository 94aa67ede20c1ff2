/* SPDX-License-Identifier: MIT */
/*
 * Vectors of eight 64-bit lanes, with AVX2: the operations that batches need.
 * Lanes are unsigned unless a name says f64. A batch_mask is a truth value for
 * each lane.
 */
#pragma once

#include "csv/number/number_batch_parts.h"

#ifndef __AVX512CD__

typedef struct {
    __m256i half[2];
} batch_u64;

typedef struct {
    __m256d half[2];
} batch_f64;

/* Lanes of all ones or all zeros. */
typedef batch_u64 batch_mask;

/* Defines a function of two vectors, or of a vector and n, by halves. */
#define BATCH_BINARY(name, result, argument, call)                     \
    BATCH_INLINE result name(argument a, argument b)                   \
    {                                                                  \
        return (result){                                               \
            {call(a.half[0], b.half[0]), call(a.half[1], b.half[1])}}; \
    }
#define BATCH_SHIFT(name, call)                                  \
    BATCH_INLINE batch_u64 name(batch_u64 x, unsigned n)         \
    {                                                            \
        return (batch_u64){                                      \
            {call(x.half[0], (int)n), call(x.half[1], (int)n)}}; \
    }

BATCH_BINARY(batch_add, batch_u64, batch_u64, _mm256_add_epi64)
BATCH_BINARY(batch_sub, batch_u64, batch_u64, _mm256_sub_epi64)
BATCH_BINARY(batch_and, batch_u64, batch_u64, _mm256_and_si256)
BATCH_BINARY(batch_or, batch_u64, batch_u64, _mm256_or_si256)
BATCH_BINARY(batch_right_by, batch_u64, batch_u64, _mm256_srlv_epi64)
BATCH_BINARY(batch_left_by, batch_u64, batch_u64, _mm256_sllv_epi64)
BATCH_BINARY(batch_equal, batch_mask, batch_u64, _mm256_cmpeq_epi64)
/* x where the mask is set, else 0. */
BATCH_BINARY(batch_keep, batch_u64, batch_u64, _mm256_and_si256)
/* The products of the low halves of lanes. */
BATCH_BINARY(batch_multiply32, batch_u64, batch_u64, _mm256_mul_epu32)
BATCH_SHIFT(batch_right, _mm256_srli_epi64)
BATCH_SHIFT(batch_left, _mm256_slli_epi64)
BATCH_BINARY(batch_add_f64, batch_f64, batch_f64, _mm256_add_pd)
BATCH_BINARY(batch_multiply_f64, batch_f64, batch_f64, _mm256_mul_pd)
BATCH_BINARY(batch_divide_f64, batch_f64, batch_f64, _mm256_div_pd)

BATCH_INLINE batch_u64 batch_set(uint64_t x)
{
    __m256i v = _mm256_set1_epi64x((int64_t)x);
    return (batch_u64){{v, v}};
}

BATCH_INLINE batch_f64 batch_set_f64(double x)
{
    __m256d v = _mm256_set1_pd(x);
    return (batch_f64){{v, v}};
}

BATCH_INLINE batch_f64 batch_as_f64(batch_u64 x)
{
    return (batch_f64){
        {_mm256_castsi256_pd(x.half[0]), _mm256_castsi256_pd(x.half[1])}};
}

BATCH_INLINE batch_u64 batch_as_u64(batch_f64 x)
{
    return (batch_u64){
        {_mm256_castpd_si256(x.half[0]), _mm256_castpd_si256(x.half[1])}};
}

BATCH_INLINE __m256i batch_above_half(__m256i a, __m256i b)
{
    const __m256i top = _mm256_set1_epi64x(INT64_MIN);
    return _mm256_cmpgt_epi64(_mm256_xor_si256(a, top),
                              _mm256_xor_si256(b, top));
}

/* a > b. */
BATCH_BINARY(batch_above, batch_mask, batch_u64, batch_above_half)

/* One bit per lane. */
BATCH_INLINE unsigned batch_bits(batch_mask m)
{
    batch_f64 x = batch_as_f64(m);
    return (unsigned)_mm256_movemask_pd(x.half[0]) |
           (unsigned)_mm256_movemask_pd(x.half[1]) << 4;
}

/* The inverse of batch_bits. */
BATCH_INLINE batch_mask batch_mask_of(unsigned bits)
{
    const batch_u64 each = {
        {_mm256_setr_epi64x(1, 2, 4, 8), _mm256_setr_epi64x(16, 32, 64, 128)}};
    return batch_equal(batch_and(batch_set(bits), each), each);
}

BATCH_INLINE batch_u64 batch_select(batch_mask m, batch_u64 yes, batch_u64 no)
{
    return (batch_u64){
        {_mm256_blendv_epi8(no.half[0], yes.half[0], m.half[0]),
         _mm256_blendv_epi8(no.half[1], yes.half[1], m.half[1])}};
}

BATCH_INLINE batch_u64 batch_leading_zeros(batch_u64 x)
{
    uint64_t n[BATCH];
    memcpy(n, &x, sizeof n);
    for (int i = 0; i < BATCH; i++)
        n[i] = _lzcnt_u64(n[i]);
    memcpy(&x, n, sizeof x);
    return x;
}

/* Loads 64 bits from each of eight addresses. */
BATCH_INLINE batch_u64 batch_load(const void *const *at)
{
    __m128i pair[4];
    for (int i = 0; i < 4; i++) {
        __m128d x = _mm_castsi128_pd(_mm_loadl_epi64(at[2 * i]));
        pair[i] = _mm_castpd_si128(_mm_loadh_pd(x, at[2 * i + 1]));
    }
    return (batch_u64){{_mm256_set_m128i(pair[1], pair[0]),
                        _mm256_set_m128i(pair[3], pair[2])}};
}

/* table[i]. */
BATCH_INLINE batch_u64 batch_gather(const uint64_t *table, batch_u64 i)
{
    const long long *t = (const long long *)table;
    return (batch_u64){{_mm256_i64gather_epi64(t, i.half[0], 8),
                        _mm256_i64gather_epi64(t, i.half[1], 8)}};
}

/* The two halves of w, each a double: *low is below 2^32. */
BATCH_INLINE __m256d batch_halves(__m256i w, __m256d *low)
{
    const __m256i at_52 = _mm256_set1_epi64x(0x4330000000000000);
    const __m256i at_84 = _mm256_set1_epi64x(0x4530000000000000);
    __m256i high = _mm256_or_si256(_mm256_srli_epi64(w, 32), at_84);
    *low =
        _mm256_sub_pd(_mm256_castsi256_pd(_mm256_blend_epi32(w, at_52, 0xaa)),
                      _mm256_castsi256_pd(at_52));
    return _mm256_sub_pd(_mm256_castsi256_pd(high), _mm256_castsi256_pd(at_84));
}

/* w = x + *rest, where x is the double nearest to w. */
BATCH_INLINE batch_f64 batch_split(batch_u64 w, batch_f64 *rest)
{
    batch_f64 x;
    for (int i = 0; i < 2; i++) {
        __m256d low, high = batch_halves(w.half[i], &low);
        x.half[i] = _mm256_add_pd(high, low);
        /* Exact, since high is 0 or not less than low: Dekker (1971). */
        rest->half[i] = _mm256_sub_pd(low, _mm256_sub_pd(x.half[i], high));
    }
    return x;
}

/* The double nearest to w. */
BATCH_INLINE batch_f64 batch_double(batch_u64 w)
{
    batch_f64 unused;
    return batch_split(w, &unused);
}

/* a - q * b, rounded once. */
BATCH_INLINE batch_f64 batch_remainder_f64(batch_f64 q, batch_f64 b,
                                           batch_f64 a)
{
    return (batch_f64){{_mm256_fnmadd_pd(q.half[0], b.half[0], a.half[0]),
                        _mm256_fnmadd_pd(q.half[1], b.half[1], a.half[1])}};
}

/* a != b, or one of them is NaN. */
BATCH_INLINE batch_mask batch_differ_f64(batch_f64 a, batch_f64 b)
{
    return batch_as_u64(
        (batch_f64){{_mm256_cmp_pd(a.half[0], b.half[0], _CMP_NEQ_UQ),
                     _mm256_cmp_pd(a.half[1], b.half[1], _CMP_NEQ_UQ)}});
}

/* a < b. */
BATCH_INLINE batch_mask batch_less_f64(batch_f64 a, batch_f64 b)
{
    return batch_as_u64(
        (batch_f64){{_mm256_cmp_pd(a.half[0], b.half[0], _CMP_LT_OQ),
                     _mm256_cmp_pd(a.half[1], b.half[1], _CMP_LT_OQ)}});
}

/* x times `power` in lanes whose bit `bit` of e is set. */
BATCH_INLINE __m256d batch_times(__m256d x, __m256i e, int bit, double power)
{
    __m256d is_set = _mm256_castsi256_pd(_mm256_slli_epi64(e, 63 - bit));
    return _mm256_mul_pd(
        x, _mm256_blendv_pd(_mm256_set1_pd(1), _mm256_set1_pd(power), is_set));
}

/* 10 to the power e modulo width, which is 8, 16 or 32. Above 10^22, the last
 * power that is a double, the result is not valid. The products are exact. On
 * some processors a gather takes three times as long. */
BATCH_INLINE batch_f64 batch_tens(batch_u64 e, unsigned width)
{
    const __m256i odd = _mm256_set1_epi64x(1ll << 32);
    const __m256i first = _mm256_loadu_si256((const void *)batch_powers);
    batch_f64 tens;
    for (int i = 0; i < 2; i++) {
        /* The two 32-bit parts of 10^0 to 10^3. */
        __m256i part = _mm256_shuffle_epi32(e.half[i], 0xa0);
        part = _mm256_or_si256(_mm256_slli_epi32(part, 1), odd);
        __m256d x =
            _mm256_castsi256_pd(_mm256_permutevar8x32_epi32(first, part));
        x = batch_times(x, e.half[i], 2, 1e4);
        if (width >= 16)
            x = batch_times(x, e.half[i], 3, 1e8);
        if (width == 32)
            x = batch_times(x, e.half[i], 4, 1e16);
        tens.half[i] = x;
    }
    return tens;
}

BATCH_INLINE void batch_store_8(batch_u64 x, uint64_t *to)
{
    _mm256_storeu_si256((void *)to, x.half[0]);
    _mm256_storeu_si256((void *)(to + 4), x.half[1]);
}

/* Stores the low 32 bits of each lane. */
BATCH_INLINE void batch_store_4(batch_u64 x, uint32_t *to)
{
    __m256 even = _mm256_shuffle_ps(_mm256_castsi256_ps(x.half[0]),
                                    _mm256_castsi256_ps(x.half[1]), 0x88);
    _mm256_storeu_si256(
        (void *)to, _mm256_permute4x64_epi64(_mm256_castps_si256(even), 0xd8));
}

/* The low 16 bits. */
BATCH_INLINE void batch_store_2(batch_u64 x, uint16_t *to)
{
    uint64_t lane[BATCH];
    batch_store_8(x, lane);
    for (int i = 0; i < BATCH; i++)
        to[i] = (uint16_t)lane[i];
}

/* The low 8 bits. */
BATCH_INLINE void batch_store_1(batch_u64 x, uint8_t *to)
{
    uint64_t lane[BATCH];
    batch_store_8(x, lane);
    for (int i = 0; i < BATCH; i++)
        to[i] = (uint8_t)lane[i];
}

BATCH_INLINE void batch_store_f32(batch_f64 x, float *to)
{
    _mm_storeu_ps(to, _mm256_cvtpd_ps(x.half[0]));
    _mm_storeu_ps(to + 4, _mm256_cvtpd_ps(x.half[1]));
}

/* Moves the lanes whose bit is set to the front. */
BATCH_INLINE batch_u64 batch_pack(unsigned bits, batch_u64 x)
{
    uint64_t lane[BATCH], front[BATCH];
    unsigned n = 0;
    batch_store_8(x, lane);
    for (unsigned i = 0; i < BATCH; i++) {
        front[n] = lane[i];
        n += bits >> i & 1;
    }
    memcpy(&x, front, sizeof x);
    return x;
}

/* Stores first, first + 1, ... first + 7. */
BATCH_INLINE void batch_store_rows(uint32_t *to, uint32_t first)
{
    __m256i rows = _mm256_add_epi32(_mm256_set1_epi32((int)first),
                                    _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
    _mm256_storeu_si256((void *)to, rows);
}

/* Stores of the same rows only those whose bit is set. Overwrites to[0] to
 * to[BATCH - 1]. */
BATCH_INLINE void batch_store_some_rows(uint32_t *to, uint32_t first,
                                        unsigned bits)
{
    unsigned n = 0;
    for (unsigned i = 0; i < BATCH; i++) {
        to[n] = first + i;
        n += bits >> i & 1;
    }
}

/* Returns from `points` of struct batch_runs the number of digits after the
 * point, modulo the width in bytes: higher bits are not valid. 0 where there is
 * no point. */
BATCH_INLINE batch_u64 batch_fraction(batch_u64 points)
{
    return batch_sub(batch_set(0), points);
}

#endif
