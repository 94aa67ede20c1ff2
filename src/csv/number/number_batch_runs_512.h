/* SPDX-License-Identifier: MIT */
/*
 * Reads eight runs, in lanes of 8, 16 or 32 bytes, with AVX-512.
 *
 * A vector of 64 bytes holds four texts of 16 bytes, or two of 32. The even
 * texts are in one vector and the odd ones in the next; packing the digits
 * undoes this order.
 */
#pragma once

#include "csv/number/number_batch.h"

#ifdef __AVX512CD__

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

/* Clears the marks of minus signs that are not first in a text. Returns bits
 * that show why a text is not a number here: a last byte that is not a digit
 * (number_fast.h reads numbers that end with a point), a second point, and any
 * byte but digits, a point and a first `-`. */
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

/* The bytes of each lane up to and including its point; no byte where there is
 * no point. */
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
BATCH_INLINE unsigned batch_top_bits(unsigned width, uint64_t even,
                                     uint64_t odd)
{
    uint64_t pairs = even >> (width - 1) | odd >> (width - 2);
    return (unsigned)_pext_u64(pairs, 3 * batch_lanes(width, 0));
}

/* One bit per text: whether its lane is not 0. */
BATCH_INLINE unsigned batch_any(unsigned width, uint64_t even, uint64_t odd)
{
    uint64_t top = batch_lanes(width, width - 1);
    return batch_top_bits(width, batch_used(width, even) | (even & top),
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

/* Reads texts of at most 8 bytes, with half the work of batch_16. Results of
 * longer texts are not valid. */
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

/* Reads texts of at most 16 bytes. Results of longer texts are not valid. */
BATCH_INLINE struct batch_runs batch_16(const struct batch_texts *t)
{
    /* For each byte: the number of bytes from it to the end of its lane. */
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
    r.minus = (__mmask8)batch_top_bits(16, batch_used(16, m[0].minus),
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

/* Moves the bytes of each lane of 32 one place later. The first byte of each
 * lane becomes 0. */
BATCH_INLINE __m512i batch_late(__m512i x)
{
    /* The first half of each lane, in place of its second. */
    __m512i before = _mm512_maskz_shuffle_i64x2(0xcc, x, x, 0xa0);
    return _mm512_alignr_epi8(x, before, 15);
}

/* Reads texts of at most 32 bytes. Results of longer texts are not valid. */
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
        /* The vectors hold texts 0 and 2, 1 and 3, 4 and 6, 5 and 7. */
        int a = (i & 1) + 4 * (i >> 1);
        __m512i text = batch_load_32(t->end[a], t->end[a + 2]);
        __m512i n = _mm512_permutexvar_epi64(
            _mm512_inserti64x4(_mm512_set1_epi64(a), _mm256_set1_epi64x(a + 2),
                               1),
            t->length);
        n = _mm512_shuffle_epi8(n, _mm512_setzero_si512());
        __m512i digit = _mm512_sub_epi8(text, _mm512_set1_epi8('0'));
        m[i] = batch_mark(text, digit, _mm512_cmple_epu8_mask(from, n));
        bad[i] = batch_judge(32, &m[i]);
        digit = _mm512_maskz_mov_epi8(m[i].digits, digit);
        x[i] = batch_close(digit, batch_late(digit),
                           batch_to_point(32, m[i].points));
    }
    struct batch_runs r;
    __m512i low = batch_join(x[0], x[1]), high = batch_join(x[2], x[3]);
    /* 16 digits each; the two halves of a text are 128 bits apart. */
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
    r.minus = (__mmask8)(batch_top_bits(32, batch_used(32, m[0].minus),
                                        batch_used(32, m[1].minus)) |
                         batch_top_bits(32, batch_used(32, m[2].minus),
                                        batch_used(32, m[3].minus))
                             << 4);
    r.bad = _mm512_cmpge_epu64_mask(first, _mm512_set1_epi64(1000));
    if (NUMBER_RARE((bad[0] | bad[1] | bad[2] | bad[3]) != 0))
        r.bad |= batch_any(32, bad[0], bad[1]) | batch_any(32, bad[2], bad[3])
                                                     << 4;
    return r;
}

#endif
