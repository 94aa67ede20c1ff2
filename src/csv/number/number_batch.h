/* SPDX-License-Identifier: MIT */
/*
 * Reads eight texts as eight numbers at a time, with AVX-512 as of Skylake:
 * the runs of number_run.h, in lanes of 8, 16 or 32 bytes, one per text. Masks
 * with one bit per text report those that are not plain numbers or not decided;
 * number_fast.h then reads them one by one.
 *
 * A vector of 64 bytes holds four texts of 16 bytes, or two of 32. The even
 * texts are in one vector and the odd ones in the next; packing the digits
 * undoes this order.
 */
#pragma once

#include <immintrin.h>

#include "csv/number/number_fast.h"

#define BATCH_INLINE static inline __attribute__((always_inline))

enum { BATCH = 8 };

/* The eight texts to read. */
struct batch_texts {
    /* Where each text ends; the 32 bytes before it are readable, even if the
     * text is shorter. */
    const char *end[BATCH];
    __m512i length; /* [BATCH], 64 bits each: bytes of the texts */
};

/* Like struct number_run, with 64 bits or one bit per text. */
struct batch_runs {
    __m512i w;
    __m512i points; /* the bit of the point in its lane; 0: no point */
    unsigned bad;   /* a bit per text of which w and points are not valid */
    __mmask8 minus;
};

/* One bit per byte of a vector: whether it is in a text, a digit, a point or a
 * minus sign. */
struct batch_marks {
    uint64_t inside, digits, points, minus;
};

/* Bit `bit` of each lane of `width` bits; bit 0 is the lane's lowest. */
BATCH_INLINE uint64_t batch_lanes(unsigned width, unsigned bit)
{
    return (width == 8    ? 0x0101010101010101u
            : width == 16 ? 0x0001000100010001u
                          : 0x0000000100000001u)
           << bit;
}

/* The top bit of each lane that is not 0 below its top bit. */
BATCH_INLINE uint64_t batch_used(unsigned width, uint64_t x)
{
    uint64_t top = batch_lanes(width, width - 1);
    return ((x | top) - batch_lanes(width, 0)) & top;
}

/* Clears the marks of minus signs that are not first in a text. Returns the
 * bits that keep texts from being numbers: a last byte that is not a digit
 * (number_fast.h reads a point there), a second point, and any byte but digits,
 * a point and a first `-`. */
BATCH_INLINE uint64_t batch_judge(unsigned width, struct batch_marks *m)
{
    uint64_t low = batch_lanes(width, 0), top = batch_lanes(width, width - 1);
    uint64_t first = m->inside & ~(m->inside << 1 & ~low);
    m->minus &= first;
    uint64_t bad = m->inside ^ m->digits ^ m->points ^ m->minus;
    bad |= top & ~m->digits;
    bad |= m->points & ((m->points | top) - low) & ~top;
    return bad;
}

/* The bytes of each lane up to its point and with it; none where there is no
 * point. */
BATCH_INLINE uint64_t batch_to_point(unsigned width, uint64_t points)
{
    uint64_t low = batch_used(width, points) >> (width - 1);
    return points | (points - low);
}

BATCH_INLINE struct batch_marks batch_mark(__m512i text, __m512i digit,
                                           __mmask64 inside)
{
    return (struct batch_marks){
        inside, _mm512_mask_cmple_epu8_mask(inside, digit, _mm512_set1_epi8(9)),
        _mm512_mask_cmpeq_epi8_mask(inside, text, _mm512_set1_epi8('.')),
        _mm512_mask_cmpeq_epi8_mask(inside, text, _mm512_set1_epi8('-'))};
}

/* One bit per text: the top bits of the lanes of two vectors, of even and odd
 * texts. */
BATCH_INLINE unsigned batch_bits(unsigned width, uint64_t even, uint64_t odd)
{
    uint64_t pairs = even >> (width - 1) | odd >> (width - 2);
    return (unsigned)_pext_u64(pairs, 3 * batch_lanes(width, 0));
}

/* One bit per text: whether its lane is not 0. */
BATCH_INLINE unsigned batch_any(unsigned width, uint64_t even, uint64_t odd)
{
    uint64_t top = batch_lanes(width, width - 1);
    return batch_bits(width, batch_used(width, even) | (even & top),
                      batch_used(width, odd) | (odd & top));
}

/* Closes the gaps at the points, and joins digits to integers of 4 digits.
 * `late` holds the digits one byte later. */
BATCH_INLINE __m512i batch_close(__m512i digit, __m512i late, uint64_t to_point)
{
    /* Integers of 2 digits, then of 4. */
    __m512i x = _mm512_mask_mov_epi8(digit, to_point, late);
    x = _mm512_maddubs_epi16(x, _mm512_set1_epi16(1 << 8 | 10));
    return _mm512_madd_epi16(x, _mm512_set1_epi32(1 << 16 | 100));
}

/* Joins two vectors of 4-digit integers, of even and odd texts, to one of
 * 16-digit integers, in which the two texts of a pair are neighbours. */
BATCH_INLINE __m512i batch_join(__m512i even, __m512i odd)
{
    __m512i x = _mm512_packus_epi32(even, odd);
    x = _mm512_madd_epi16(x, _mm512_set1_epi32(1 << 16 | 10000));
    __m512i first = _mm512_mul_epu32(x, _mm512_set1_epi64(100000000));
    return _mm512_add_epi64(first, _mm512_srli_epi64(x, 32));
}

/* Loads 64 bits from each of eight addresses. */
BATCH_INLINE __m512i batch_load(const void *const *at)
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
