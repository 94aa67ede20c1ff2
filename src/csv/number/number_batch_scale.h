/* SPDX-License-Identifier: MIT */
/* Eight integers, each times a power of ten: number_scale with vectors. */
#pragma once

#include "csv/number/number_batch.h"

/* Returns the high halves of eight products, computed from four products of
 * 32-bit halves each; *low is their low halves. */
BATCH_INLINE __m512i batch_multiply(__m512i a, __m512i b, __m512i *low)
{
    const __m512i half = _mm512_set1_epi64(0xffffffff);
    __m512i a_high = _mm512_srli_epi64(a, 32),
            b_high = _mm512_srli_epi64(b, 32);
    __m512i lowest = _mm512_mul_epu32(a, b);
    __m512i one = _mm512_mul_epu32(a, b_high);
    __m512i other = _mm512_mul_epu32(a_high, b);
    /* At most (2^32 - 1)^2 + 2 * (2^32 - 1) = 2^64 - 1. */
    __m512i middle = _mm512_add_epi64(_mm512_srli_epi64(lowest, 32), other);
    middle = _mm512_add_epi64(middle, _mm512_and_si512(one, half));
    *low = _mm512_or_si512(_mm512_slli_epi64(middle, 32),
                           _mm512_and_si512(lowest, half));
    __m512i high = _mm512_mul_epu32(a_high, b_high);
    high = _mm512_add_epi64(high, _mm512_srli_epi64(one, 32));
    return _mm512_add_epi64(high, _mm512_srli_epi64(middle, 32));
}

/* w * 5^q as number_product computes it for f64: returns the high 64 bits; *low
 * is the low ones. */
BATCH_INLINE __m512i batch_product(__m512i w, __m512i q, const struct powers *t,
                                   __m512i *low)
{
    __m512i place = _mm512_sub_epi64(q, _mm512_set1_epi64(POWERS_FIRST));
    place = _mm512_slli_epi64(place, 1);
    __m512i unused;
    __m512i high = batch_multiply(
        w, _mm512_i64gather_epi64(place, &t->five[0].high, 8), low);
    __m512i carried = batch_multiply(
        w, _mm512_i64gather_epi64(place, &t->five[0].low, 8), &unused);
    *low = _mm512_add_epi64(*low, carried);
    __mmask8 carry = _mm512_cmplt_epu64_mask(*low, carried);
    return _mm512_mask_sub_epi64(high, carry, high, _mm512_set1_epi64(-1));
}

/* The bits of the f64 nearest to w * 10^q, -150 <= q <= 150, which is 0 or
 * normal. Sets the bit in *bad of a text that may be a tie. */
BATCH_INLINE __m512i batch_scale(__m512i w, __m512i q, const struct powers *t,
                                 unsigned *bad)
{
    const __m512i one = _mm512_set1_epi64(1), zero = _mm512_setzero_si512();
    __mmask8 is_zero = _mm512_testn_epi64_mask(w, w);
    __m512i zeros = _mm512_lzcnt_epi64(w), low;
    __m512i high = batch_product(_mm512_sllv_epi64(w, zeros), q, t, &low);
    __m512i top = _mm512_srli_epi64(high, 63);
    /* The fraction, the bit above it, and one bit below it, which decides the
     * rounding. */
    __m512i mantissa = _mm512_srlv_epi64(
        high, _mm512_add_epi64(top, _mm512_set1_epi64(64 - 52 - 3)));
    __m512i exponent =
        _mm512_srai_epi64(_mm512_mullo_epi64(q, _mm512_set1_epi64(217706)), 16);
    exponent = _mm512_add_epi64(exponent, _mm512_set1_epi64(63 + 1023 - 1));
    exponent = _mm512_sub_epi64(_mm512_add_epi64(exponent, top), zeros);
    /* The product of a tie has a low half of 0, and would be rounded up. */
    __m512i last = _mm512_and_si512(mantissa, _mm512_set1_epi64(3));
    *bad |= (unsigned)_mm512_cmpeq_epi64_mask(low, zero) &
            _mm512_cmpeq_epi64_mask(last, one);
    mantissa = _mm512_add_epi64(mantissa, _mm512_and_si512(mantissa, one));
    mantissa = _mm512_add_epi64(_mm512_srli_epi64(mantissa, 1),
                                _mm512_slli_epi64(exponent, 52));
    return _mm512_mask_mov_epi64(mantissa, is_zero, zero);
}
