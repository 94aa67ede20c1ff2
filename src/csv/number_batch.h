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

#include "csv/number_fast.h"

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

/* Texts of at most 8 bytes; those that are longer must not count. Half the
 * work of 16. */
BATCH_INLINE struct batch_runs batch_8(const struct batch_texts *t)
{
    const __m512i from = _mm512_set1_epi64(0x0102030405060708);
    const __m512i lengths = _mm512_broadcast_i32x4(
        _mm_setr_epi8(0, 0, 0, 0, 0, 0, 0, 0, 8, 8, 8, 8, 8, 8, 8, 8));
    const uint64_t top = batch_lanes(8, 7);
    const void *at[BATCH];
    for (int i = 0; i < BATCH; i++)
        at[i] = t->end[i] - 8;
    __m512i text = batch_load(at);
    __m512i n = _mm512_shuffle_epi8(t->length, lengths);
    __m512i digit = _mm512_sub_epi8(text, _mm512_set1_epi8('0'));
    struct batch_marks m =
        batch_mark(text, digit, _mm512_cmple_epu8_mask(from, n));
    uint64_t bad = batch_judge(8, &m);
    digit = _mm512_maskz_mov_epi8(m.digits, digit);
    __m512i x = batch_close(digit, _mm512_slli_epi64(digit, 8),
                            batch_to_point(8, m.points));
    struct batch_runs r;
    r.w = _mm512_add_epi64(_mm512_mul_epu32(x, _mm512_set1_epi64(10000)),
                           _mm512_srli_epi64(x, 32));
    r.points = _mm512_cvtepu8_epi64(_mm_cvtsi64_si128((long long)m.points));
    r.minus = (__mmask8)_pext_u64(batch_used(8, m.minus), top);
    r.bad = (unsigned)_pext_u64(batch_used(8, bad) | (bad & top), top);
    return r;
}

BATCH_INLINE __m512i batch_load_16(const char *const *end)
{
    __m512i x =
        _mm512_castsi128_si512(_mm_loadu_si128((const void *)(end[0] - 16)));
    x = _mm512_inserti32x4(x, _mm_loadu_si128((const void *)(end[2] - 16)), 1);
    x = _mm512_inserti32x4(x, _mm_loadu_si128((const void *)(end[4] - 16)), 2);
    return _mm512_inserti32x4(x, _mm_loadu_si128((const void *)(end[6] - 16)),
                              3);
}

/* Texts of at most 16 bytes; those that are longer must not count. */
BATCH_INLINE struct batch_runs batch_16(const struct batch_texts *t)
{
    /* How many bytes of its lane are from a byte on. */
    const __m512i from = _mm512_broadcast_i32x4(
        _mm_setr_epi8(16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1));
    struct batch_marks m[2];
    __m512i x[2], digit[2];
    uint64_t bad[2];
    for (int i = 0; i < 2; i++) {
        __m512i text = batch_load_16(t->end + i);
        __m512i n = _mm512_shuffle_epi8(t->length, _mm512_set1_epi8(8 * i));
        digit[i] = _mm512_sub_epi8(text, _mm512_set1_epi8('0'));
        m[i] = batch_mark(text, digit[i], _mm512_cmple_epu8_mask(from, n));
        bad[i] = batch_judge(16, &m[i]);
        digit[i] = _mm512_maskz_mov_epi8(m[i].digits, digit[i]);
        x[i] = batch_close(digit[i], _mm512_bslli_epi128(digit[i], 1),
                           batch_to_point(16, m[i].points));
    }
    struct batch_runs r;
    r.w = batch_join(x[0], x[1]);
    r.points = _mm512_cvtepu16_epi64(
        _mm_unpacklo_epi16(_mm_cvtsi64_si128((long long)m[0].points),
                           _mm_cvtsi64_si128((long long)m[1].points)));
    r.minus = (__mmask8)batch_bits(16, batch_used(16, m[0].minus),
                                   batch_used(16, m[1].minus));
    r.bad = 0;
    if (NUMBER_RARE((bad[0] | bad[1]) != 0))
        r.bad = batch_any(16, bad[0], bad[1]);
    return r;
}

BATCH_INLINE __m512i batch_load_32(const char *a, const char *b)
{
    return _mm512_inserti64x4(
        _mm512_castsi256_si512(_mm256_loadu_si256((const void *)(a - 32))),
        _mm256_loadu_si256((const void *)(b - 32)), 1);
}

/* Bytes 0, 0, 1, 2, ... 62; a lane's first byte is never taken from another's:
 * before the point there is a byte for it. */
BATCH_INLINE __m512i batch_late(__m512i x)
{
    const __m512i places = _mm512_setr_epi64(
        0x0605040302010000, 0x0e0d0c0b0a090807, 0x161514131211100f,
        0x1e1d1c1b1a191817, 0x262524232221201f, 0x2e2d2c2b2a292827,
        0x363534333231302f, 0x3e3d3c3b3a393837);
    /* The second lane's first byte becomes 0. */
    return _mm512_maskz_permutexvar_epi8(~0x0000000100000001ull, places, x);
}

/* Texts of at most 32 bytes. */
BATCH_INLINE struct batch_runs batch_32(const struct batch_texts *t)
{
    const __m512i from = _mm512_sub_epi8(
        _mm512_set1_epi8(32),
        _mm512_broadcast_i64x4(_mm256_setr_epi8(
            0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18,
            19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31)));
    struct batch_marks m[4];
    __m512i x[4];
    uint64_t bad[4];
    for (int i = 0; i < 4; i++) {
        /* Texts 0 and 2, 1 and 3, 4 and 6, 5 and 7. */
        int a = (i & 1) + 4 * (i >> 1);
        __m512i text = batch_load_32(t->end[a], t->end[a + 2]);
        __m512i n = _mm512_permutexvar_epi8(
            _mm512_inserti64x4(_mm512_set1_epi8((char)(8 * a)),
                               _mm256_set1_epi8((char)(8 * a + 16)), 1),
            t->length);
        __m512i digit = _mm512_sub_epi8(text, _mm512_set1_epi8('0'));
        m[i] = batch_mark(text, digit, _mm512_cmple_epu8_mask(from, n));
        bad[i] = batch_judge(32, &m[i]);
        digit = _mm512_maskz_mov_epi8(m[i].digits, digit);
        x[i] = batch_close(digit, batch_late(digit),
                           batch_to_point(32, m[i].points));
    }
    struct batch_runs r;
    __m512i low = batch_join(x[0], x[1]), high = batch_join(x[2], x[3]);
    /* 16 digits each; those of a text in neighbours of 128 bits. */
    __m512i first = _mm512_shuffle_i64x2(low, high, 0x88);
    __m512i last = _mm512_shuffle_i64x2(low, high, 0xdd);
    r.w = _mm512_add_epi64(
        _mm512_mullo_epi64(first, _mm512_set1_epi64(10000000000000000)), last);
    __m128i points[4];
    for (int i = 0; i < 4; i++)
        points[i] = _mm_cvtsi64_si128((long long)m[i].points);
    r.points = _mm512_cvtepu32_epi64(
        _mm256_set_m128i(_mm_unpacklo_epi32(points[2], points[3]),
                         _mm_unpacklo_epi32(points[0], points[1])));
    r.minus = (__mmask8)(batch_bits(32, batch_used(32, m[0].minus),
                                    batch_used(32, m[1].minus)) |
                         batch_bits(32, batch_used(32, m[2].minus),
                                    batch_used(32, m[3].minus))
                             << 4);
    r.bad = _mm512_cmpge_epu64_mask(first, _mm512_set1_epi64(1000));
    if (NUMBER_RARE((bad[0] | bad[1] | bad[2] | bad[3]) != 0))
        r.bad |= batch_any(32, bad[0], bad[1]) | batch_any(32, bad[2], bad[3])
                                                     << 4;
    return r;
}
