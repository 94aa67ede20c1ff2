/* SPDX-License-Identifier: MIT */
/*
 * Reads eight runs with AVX2. A vector of 32 bytes holds four texts of 8 bytes,
 * two of 16 or one of 32.
 *
 * `points` of struct batch_runs: each point of a text adds 64 plus the number
 * of bytes up to and including the point. So it is above 127 if the text has
 * several.
 */
#pragma once

#include "csv/number/number_batch.h"

#ifndef __AVX512CD__

/* The bytes of a vector of texts: digits, and masks that are all ones in the
 * bytes they name. */
struct batch_bytes {
    __m256i digits;
    __m256i points;
    __m256i minus; /* the first byte of a text is a minus sign */
    __m256i bad;   /* what keeps a text from being a number */
};

/* The place of each byte in its half, from 1 to 16. */
#define BATCH_PLACES                                                           \
    _mm256_setr_epi8(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 1, \
                     2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)

/* Finds the digits, points and minus signs of a vector of texts. For each byte,
 * `from` is the number of bytes from it to the end of its text, itself
 * included, and n the length of its text. Here a number ends with a digit, and
 * has no byte but digits, points and a first `-`. number_fast.h reads numbers
 * that end with a point. */
BATCH_INLINE struct batch_bytes batch_judge(__m256i text, __m256i from,
                                            __m256i n)
{
    const __m256i nine = _mm256_set1_epi8(9), one = _mm256_set1_epi8(1);
    struct batch_bytes b;
    __m256i after = _mm256_cmpgt_epi8(from, n); /* before the text */
    __m256i digit = _mm256_sub_epi8(text, _mm256_set1_epi8('0'));
    __m256i other =
        _mm256_xor_si256(_mm256_cmpeq_epi8(_mm256_min_epu8(digit, nine), digit),
                         _mm256_set1_epi8(-1));
    other = _mm256_andnot_si256(after, other);
    b.digits = _mm256_andnot_si256(_mm256_or_si256(other, after), digit);
    b.points =
        _mm256_and_si256(other, _mm256_cmpeq_epi8(text, _mm256_set1_epi8('.')));
    b.minus = _mm256_and_si256(_mm256_cmpeq_epi8(from, n),
                               _mm256_cmpeq_epi8(text, _mm256_set1_epi8('-')));
    b.bad = _mm256_andnot_si256(_mm256_or_si256(b.points, b.minus), other);
    /* The last byte, unless it is a digit. */
    after = _mm256_or_si256(other, after);
    b.bad = _mm256_or_si256(
        b.bad, _mm256_and_si256(after, _mm256_cmpeq_epi8(from, one)));
    return b;
}

/* Closes the gaps at the points, and joins digits to integers of 4 digits.
 * `late` holds the digits one byte later, `sum` the sum of points of each
 * byte's text, `place` the place of each byte in its text, from 1 on. */
BATCH_INLINE __m256i batch_close(__m256i digits, __m256i late, __m256i sum,
                                 __m256i place)
{
    __m256i before =
        _mm256_cmpgt_epi8(sum, _mm256_add_epi8(place, _mm256_set1_epi8(63)));
    __m256i x = _mm256_blendv_epi8(digits, late, before);
    x = _mm256_maddubs_epi16(x, _mm256_set1_epi16(1 << 8 | 10));
    return _mm256_madd_epi16(x, _mm256_set1_epi32(1 << 16 | 100));
}

/* The sums of points of each 8 bytes. */
BATCH_INLINE __m256i batch_points(__m256i points, __m256i place)
{
    place = _mm256_or_si256(place, _mm256_set1_epi8(64));
    return _mm256_sad_epu8(_mm256_and_si256(points, place),
                           _mm256_setzero_si256());
}

/* Joins two vectors of 4-digit integers to one of 16-digit integers: in each
 * half that of `a`, then that of `b`. */
BATCH_INLINE __m256i batch_join(__m256i a, __m256i b)
{
    __m256i x = _mm256_packus_epi32(a, b);
    x = _mm256_madd_epi16(x, _mm256_set1_epi32(1 << 16 | 10000));
    __m256i first = _mm256_mul_epu32(x, _mm256_set1_epi64x(100000000));
    return _mm256_add_epi64(first, _mm256_srli_epi64(x, 32));
}

/* Sets r->bad and r->minus from vectors whose lanes are not 0 where a text has
 * such a byte. */
BATCH_INLINE void batch_finish(struct batch_runs *r, batch_u64 bad,
                               batch_u64 minus)
{
    const batch_u64 zero = batch_set(0);
    batch_mask none = batch_equal(minus, zero);
    r->minus = batch_equal(none, zero);
    bad = batch_or(bad, batch_and(r->points, batch_set(~127ull)));
    r->bad = 0;
    __m256i any = _mm256_or_si256(bad.half[0], bad.half[1]);
    if (NUMBER_RARE(!_mm256_testz_si256(any, any)))
        r->bad = ~batch_bits(batch_equal(bad, zero)) & ((1u << BATCH) - 1);
}

/* Reads texts of at most 8 bytes, with half the work of batch_16. Results of
 * longer texts are not valid. */
BATCH_INLINE struct batch_runs batch_8(const struct batch_texts *t)
{
    const __m256i from = _mm256_set1_epi64x(0x0102030405060708);
    const __m256i place = _mm256_set1_epi64x(0x0807060504030201);
    const __m256i spread =
        _mm256_setr_epi8(0, 0, 0, 0, 0, 0, 0, 0, 8, 8, 8, 8, 8, 8, 8, 8, 0, 0,
                         0, 0, 0, 0, 0, 0, 8, 8, 8, 8, 8, 8, 8, 8);
    const void *at[BATCH];
    struct batch_runs r;
    batch_u64 bad, minus;
    for (int i = 0; i < BATCH; i++)
        at[i] = t->end[i] - 8;
    batch_u64 text = batch_load(at);
    for (int i = 0; i < 2; i++) {
        struct batch_bytes b = batch_judge(
            text.half[i], from, _mm256_shuffle_epi8(t->length.half[i], spread));
        __m256i sum = batch_points(b.points, place);
        __m256i x = batch_close(b.digits, _mm256_slli_epi64(b.digits, 8),
                                _mm256_shuffle_epi8(sum, spread), place);
        __m256i first = _mm256_mul_epu32(x, _mm256_set1_epi64x(10000));
        r.w.half[i] = _mm256_add_epi64(first, _mm256_srli_epi64(x, 32));
        r.points.half[i] = sum;
        bad.half[i] = b.bad;
        minus.half[i] = b.minus;
    }
    batch_finish(&r, bad, minus);
    return r;
}

BATCH_INLINE __m256i batch_load_16(const char *a, const char *b)
{
    return _mm256_set_m128i(_mm_loadu_si128((const void *)(b - 16)),
                            _mm_loadu_si128((const void *)(a - 16)));
}

/* Gives each text one lane of 64 bits: `call` of the two halves of its 16 bytes
 * in a or b. */
#define BATCH_MEET(call, a, b) \
    call(_mm256_unpacklo_epi64(a, b), _mm256_unpackhi_epi64(a, b))

/* Reads texts of at most 16 bytes. Results of longer texts are not valid. */
BATCH_INLINE struct batch_runs batch_16(const struct batch_texts *t)
{
    const __m256i place = BATCH_PLACES;
    const __m256i from = _mm256_sub_epi8(_mm256_set1_epi8(17), place);
    struct batch_runs r;
    batch_u64 bad, minus;
    for (int i = 0; i < 2; i++) {
        const char *const *end = t->end + 4 * i;
        __m256i n = t->length.half[i], x[2];
        struct batch_bytes b[2];
        for (int k = 0; k < 2; k++)
            b[k] = batch_judge(
                batch_load_16(end[k], end[k + 2]), from,
                _mm256_shuffle_epi8(n, _mm256_set1_epi8((char)(8 * k))));
        __m256i sum =
            BATCH_MEET(_mm256_add_epi64, batch_points(b[0].points, place),
                       batch_points(b[1].points, place));
        for (int k = 0; k < 2; k++)
            x[k] = batch_close(
                b[k].digits, _mm256_bslli_epi128(b[k].digits, 1),
                _mm256_shuffle_epi8(sum, _mm256_set1_epi8((char)(8 * k))),
                place);
        r.w.half[i] = batch_join(x[0], x[1]);
        r.points.half[i] = sum;
        bad.half[i] = BATCH_MEET(_mm256_or_si256, b[0].bad, b[1].bad);
        minus.half[i] = BATCH_MEET(_mm256_or_si256, b[0].minus, b[1].minus);
    }
    batch_finish(&r, bad, minus);
    return r;
}

/* The same for four vectors, each with one text of 32 bytes. */
#define BATCH_MEET_4(call, v)                                           \
    call(_mm256_permute2x128_si256(BATCH_MEET(call, v[0], v[1]),        \
                                   BATCH_MEET(call, v[2], v[3]), 0x20), \
         _mm256_permute2x128_si256(BATCH_MEET(call, v[0], v[1]),        \
                                   BATCH_MEET(call, v[2], v[3]), 0x31))

/* The lowest byte of lane k of four, in all bytes. */
BATCH_INLINE __m256i batch_spread(__m256i x, int k)
{
    x = _mm256_permutevar8x32_epi32(x, _mm256_set1_epi32(2 * k));
    return _mm256_shuffle_epi8(x, _mm256_setzero_si256());
}

/* Reads four texts of at most 32 bytes. Sets half i of the lanes of r, bad and
 * minus, and sets in *over the bits of texts whose w needs more than 19 digits.
 * */
BATCH_INLINE void batch_32_half(const struct batch_texts *t,
                                const uint64_t *length, int i,
                                struct batch_runs *r, batch_u64 *bad,
                                batch_u64 *minus, unsigned *over)
{
    const __m256i place =
        _mm256_add_epi8(BATCH_PLACES, _mm256_setr_m128i(_mm_setzero_si128(),
                                                        _mm_set1_epi8(16)));
    const __m256i from = _mm256_sub_epi8(_mm256_set1_epi8(33), place);
    __m256i x[4], digits[4], points[4], bads[4], minuses[4];
    for (int k = 0; k < 4; k++) {
        const void *at = t->end[4 * i + k] - 32;
        struct batch_bytes b =
            batch_judge(_mm256_loadu_si256(at), from,
                        _mm256_set1_epi8((char)length[4 * i + k]));
        digits[k] = b.digits;
        points[k] = batch_points(b.points, place);
        bads[k] = b.bad;
        minuses[k] = b.minus;
    }
    __m256i sum = BATCH_MEET_4(_mm256_add_epi64, points);
    for (int k = 0; k < 4; k++) {
        __m256i before = _mm256_permute2x128_si256(digits[k], digits[k], 0x08);
        __m256i late = _mm256_alignr_epi8(digits[k], before, 15);
        x[k] = batch_close(digits[k], late, batch_spread(sum, k), place);
    }
    __m256i low = batch_join(x[0], x[1]), high = batch_join(x[2], x[3]);
    /* 16 digits each. */
    __m256i first = _mm256_permute2x128_si256(low, high, 0x20);
    __m256i last = _mm256_permute2x128_si256(low, high, 0x31);
    /* first * 10^16 for first < 1000. */
    __m256i scaled = _mm256_add_epi64(
        _mm256_mul_epu32(first,
                         _mm256_set1_epi64x(10000000000000000 & 0xffffffff)),
        _mm256_slli_epi64(_mm256_mul_epu32(first, _mm256_set1_epi64x(
                                                      10000000000000000 >> 32)),
                          32));
    r->w.half[i] = _mm256_add_epi64(scaled, last);
    r->points.half[i] = sum;
    bad->half[i] = BATCH_MEET_4(_mm256_or_si256, bads);
    minus->half[i] = BATCH_MEET_4(_mm256_or_si256, minuses);
    *over |= (unsigned)_mm256_movemask_pd(_mm256_castsi256_pd(
                 _mm256_cmpgt_epi64(first, _mm256_set1_epi64x(999))))
             << 4 * i;
}

/* Reads texts of at most 32 bytes. Results of longer texts are not valid. */
BATCH_INLINE struct batch_runs batch_32(const struct batch_texts *t)
{
    struct batch_runs r;
    batch_u64 bad, minus;
    uint64_t length[BATCH];
    unsigned over = 0;
    batch_store_8(t->length, length);
    for (int i = 0; i < 2; i++)
        batch_32_half(t, length, i, &r, &bad, &minus, &over);
    batch_finish(&r, bad, minus);
    r.bad |= over;
    return r;
}

#endif
