/* SPDX-License-Identifier: MIT */
/* Reads eight runs, in lanes of 8, 16 or 32 bytes. */
#pragma once

#include "csv/number/number_batch.h"

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
    /* For each byte: how many bytes of its lane start there. */
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
