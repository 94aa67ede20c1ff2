/* SPDX-License-Identifier: MIT */
/*
 * Eight texts to eight numbers at once, for AVX-512 as of Ice Lake: the runs of
 * number_run.h, with a lane a text, of 8, 16 or 32 bytes. What is no plain
 * number, or not decided, is told by a bit a text; number_fast.h then reads it
 * by itself.
 *
 * Vectors of 64 bytes hold four texts, or two, in an order that the packing of
 * digits undoes: the even ones in one, the odd ones in the next.
 */
#pragma once

#include <immintrin.h>

#include "csv/number/number_fast.h"

#define BATCH_TARGET __attribute__((target("avx512vbmi2,avx512vbmi,avx512cd")))
#define BATCH_INLINE static inline __attribute__((always_inline)) BATCH_TARGET

enum { BATCH = 8 };

/* What is to be read. */
struct batch_texts {
    const char *end[BATCH]; /* where each ends; before it 32 bytes are readable,
                               whatever their number is */
    __m512i length;         /* [BATCH], 64 bits each */
};

/* Like struct number_run, 64 bits a text or a bit a text. */
struct batch_runs {
    __m512i w;
    __m512i points; /* the bit where in its lane a point is */
    unsigned bad;   /* the rest is not valid */
    __mmask8 minus;
};

/* A bit a byte of a vector. */
struct batch_marks {
    uint64_t inside, digits, points, minus;
};

/* Some bit of each lane of `width` bits: bit 0 for its lowest. */
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

/* Reduces the marks to those of numbers. Returns the bits of all that is none:
 * it ends with no digit (which the quick way takes, if it is a point), has two
 * points, or anything else among its digits than a `-` before them. */
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

/* What comes before the point, and the point: nothing where there is none. */
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

/* A bit a text of the top bits of two vectors' lanes. */
BATCH_INLINE unsigned batch_bits(unsigned width, uint64_t even, uint64_t odd)
{
    uint64_t pairs = even >> (width - 1) | odd >> (width - 2);
    return (unsigned)_pext_u64(pairs, 3 * batch_lanes(width, 0));
}

/* The same for lanes that are not 0. */
BATCH_INLINE unsigned batch_any(unsigned width, uint64_t even, uint64_t odd)
{
    uint64_t top = batch_lanes(width, width - 1);
    return batch_bits(width, batch_used(width, even) | (even & top),
                      batch_used(width, odd) | (odd & top));
}

/* The digits closed up over the point; `late` are they a byte later. */
BATCH_INLINE __m512i batch_close(__m512i digit, __m512i late, uint64_t to_point)
{
    /* To 2 and 4 digits an integer. */
    __m512i x = _mm512_mask_mov_epi8(digit, to_point, late);
    x = _mm512_maddubs_epi16(x, _mm512_set1_epi16(1 << 8 | 10));
    return _mm512_madd_epi16(x, _mm512_set1_epi32(1 << 16 | 100));
}

/* Two vectors of 4 digits an integer to one of 16, neighbours of 128 bits. */
BATCH_INLINE __m512i batch_join(__m512i even, __m512i odd)
{
    __m512i x = _mm512_packus_epi32(even, odd);
    x = _mm512_madd_epi16(x, _mm512_set1_epi32(1 << 16 | 10000));
    __m512i first = _mm512_mul_epu32(x, _mm512_set1_epi64(100000000));
    return _mm512_add_epi64(first, _mm512_srli_epi64(x, 32));
}

/* What 64 bits are at eight places. */
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
