/* SPDX-License-Identifier: MIT */
/* Turns eight runs into values of a dtype. Texts that are not decided are added
 * to r->bad. */
#pragma once

#include "csv/number/number_batch_runs.h"
#include "csv/number/number_batch_scale.h"

/* The powers of ten up to 10^15; all exact. */
BATCH_INLINE __m512d batch_tens_16(__m512i fraction)
{
    return _mm512_permutex2var_pd(_mm512_loadu_pd(number_tens), fraction,
                                  _mm512_loadu_pd(number_tens + 8));
}

/* The powers of ten up to 10^22, the last that is a double. Entries above it
 * are not used. */
BATCH_INLINE __m512d batch_tens_32(__m512i fraction)
{
    const __m512d more =
        _mm512_setr_pd(1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22, 1e22);
    __mmask8 is_more = _mm512_test_epi64_mask(fraction, _mm512_set1_epi64(16));
    return _mm512_mask_permutexvar_pd(batch_tens_16(fraction), is_more,
                                      fraction, more);
}

/* number_quick_quotient for texts of at most 8 bytes. The low three bits of the
 * leading zeros of a point's bit are the digits after the point, and 0 where
 * there is no point. */
BATCH_INLINE __m512d batch_quotient_8(const struct batch_runs *r)
{
    __m512d tens = _mm512_permutexvar_pd(_mm512_lzcnt_epi64(r->points),
                                         _mm512_loadu_pd(number_tens));
    return _mm512_div_pd(_mm512_cvtepi64_pd(r->w), tens);
}

/* The same for texts of at most 16 bytes. */
BATCH_INLINE __m512d batch_quotient_16(const struct batch_runs *r)
{
    __m512i fraction = _mm512_lzcnt_epi64(r->points);
    return _mm512_div_pd(_mm512_cvtepi64_pd(r->w), batch_tens_16(fraction));
}

/*
 * w / 10^fraction where a double may not hold w: w = high + low, both doubles,
 * and high is the one nearest to w. The quotient q of high has a remainder that
 * is a double, too. So the correction that is added to q,
 *
 *     e = (remainder + low) / 10^fraction,
 *
 * is known but for three roundings, each of 2^-53 of e. If a little more and a
 * little less than e give the same sum, that is the result. If not (a tie, or
 * one in 10^14 others), the text is not decided.
 */
BATCH_INLINE __m512d batch_quotient_32(struct batch_runs *r)
{
    const __m512d less = _mm512_set1_pd(1 - 0x1p-50);
    const __m512d more = _mm512_set1_pd(1 + 0x1p-50);
    __m512i fraction =
        _mm512_and_si512(_mm512_lzcnt_epi64(r->points), _mm512_set1_epi64(31));
    __m512d ten = batch_tens_32(fraction);
    __m512d high = _mm512_cvtepu64_pd(r->w);
    __m512d low =
        _mm512_cvtepi64_pd(_mm512_sub_epi64(r->w, _mm512_cvtpd_epu64(high)));
    __m512d q = _mm512_div_pd(high, ten);
    __m512d e = _mm512_fnmadd_pd(q, ten, high);
    e = _mm512_div_pd(_mm512_add_pd(e, low), ten);
    __m512d x = _mm512_add_pd(q, _mm512_mul_pd(e, less));
    __m512d y = _mm512_add_pd(q, _mm512_mul_pd(e, more));
    r->bad |= _mm512_cmp_pd_mask(x, y, _CMP_NEQ_UQ);
    r->bad |= _mm512_cmpgt_epu64_mask(fraction, _mm512_set1_epi64(22));
    return x;
}

BATCH_INLINE __m512i batch_sign(const struct batch_runs *r, __m512d x)
{
    __m512i bits = _mm512_castpd_si512(x);
    return _mm512_mask_or_epi64(bits, r->minus, bits,
                                _mm512_set1_epi64(INT64_MIN));
}

/* A bit for each value, not negative, whose double does not decide its float:
 * see number_quick_quotient. Subnormal floats are never decided here, since
 * their midpoints are other doubles. */
BATCH_INLINE unsigned batch_undecided_f32(__m512d x)
{
    const __m512i zero = _mm512_setzero_si512();
    __m512i bits = _mm512_castpd_si512(x);
    __m512i cut = _mm512_and_si512(bits, _mm512_set1_epi64(0x1fffffff));
    unsigned is_small =
        _mm512_cmp_pd_mask(x, _mm512_set1_pd(0x1p-126), _CMP_LT_OQ) &
        _mm512_cmpneq_epi64_mask(bits, zero);
    return is_small |
           _mm512_cmpeq_epi64_mask(cut, _mm512_set1_epi64(0x10000000));
}

BATCH_INLINE __m512i batch_integer(enum dtype dtype, struct batch_runs *r)
{
    __m512i most = _mm512_set1_epi64((int64_t)number_limit(dtype, false));
    __m512i least = _mm512_set1_epi64((int64_t)number_limit(dtype, true));
    most = _mm512_mask_mov_epi64(most, r->minus, least);
    r->bad |= _mm512_cmpgt_epu64_mask(r->w, most) |
              _mm512_test_epi64_mask(r->points, r->points);
    return _mm512_mask_sub_epi64(r->w, r->minus, _mm512_setzero_si512(), r->w);
}

/* The exponents after the runs. */
struct batch_exponents {
    bool any; /* whether the texts have exponents; best a constant */
    __m512i e;
    const struct powers *powers;
};

/* w * 10^(e - fraction). The exponents have two digits at most, as batch_scale
 * requires. */
BATCH_INLINE __m512i batch_scaled(unsigned width, struct batch_runs *r,
                                  const struct batch_exponents *e)
{
    __m512i fraction = _mm512_and_si512(_mm512_lzcnt_epi64(r->points),
                                        _mm512_set1_epi64(width - 1));
    return batch_scale(r->w, _mm512_sub_epi64(e->e, fraction), e->powers,
                       &r->bad);
}

/* A bit for each integer that f64 may not hold. */
BATCH_INLINE unsigned batch_wide(const struct batch_runs *r)
{
    const __m512i most = _mm512_set1_epi64((int64_t)NUMBER_WIDE_LEAST);
    return _mm512_cmpgt_epu64_mask(r->w, most) &
           _mm512_testn_epi64_mask(r->points, r->points);
}

BATCH_INLINE __m512i batch_float(enum dtype dtype, unsigned width,
                                 struct batch_runs *r,
                                 const struct batch_exponents *e)
{
    __m512d x;
    if (e->any)
        x = _mm512_castsi512_pd(batch_scaled(width, r, e));
    else
        x = width == 8    ? batch_quotient_8(r)
            : width == 16 ? batch_quotient_16(r)
                          : batch_quotient_32(r);
    if (dtype == DTYPE_f32)
        r->bad |= batch_undecided_f32(x);
    else if (width > 8 && !e->any)
        r->bad |= batch_wide(r);
    return batch_sign(r, x);
}

/* Reads eight texts as values of 64 bits (an f32 as f64). Sets in *bad a bit
 * for each that is not a number or not decided. width is 8, 16 or 32 bytes; the
 * caller marks longer texts as bad. */
BATCH_INLINE __m512i batch_values(enum dtype dtype, unsigned width,
                                  const struct batch_texts *t,
                                  const struct batch_exponents *e,
                                  unsigned *bad)
{
    struct batch_runs r = width == 8    ? batch_8(t)
                          : width == 16 ? batch_16(t)
                                        : batch_32(t);
    __m512i bits = dtype == DTYPE_f64 || dtype == DTYPE_f32
                       ? batch_float(dtype, width, &r, e)
                       : batch_integer(dtype, &r);
    *bad = r.bad;
    return bits;
}

/* Stores eight such values as the dtype. */
BATCH_INLINE void batch_store(enum dtype dtype, __m512i x, void *to)
{
    if (dtype == DTYPE_f64 || dtype == DTYPE_i64 || dtype == DTYPE_u64)
        _mm512_storeu_si512(to, x);
    else if (dtype == DTYPE_f32)
        _mm256_storeu_ps(to, _mm512_cvtpd_ps(_mm512_castsi512_pd(x)));
    else if (dtype == DTYPE_i32 || dtype == DTYPE_u32)
        _mm256_storeu_si256(to, _mm512_cvtepi64_epi32(x));
    else if (dtype == DTYPE_i16 || dtype == DTYPE_u16)
        _mm_storeu_si128(to, _mm512_cvtepi64_epi16(x));
    else
        _mm_storel_epi64(to, _mm512_cvtepi64_epi8(x));
}
