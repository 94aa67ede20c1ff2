/* SPDX-License-Identifier: MIT */
/*
 * Reads eight runs with AVX2 or NEON, a text of 8 bytes in each lane, one of 16
 * in each 16 bytes, or one of 32 in one part or two.
 *
 * `points` of struct batch_runs: each point of a text adds 64 plus the number
 * of bytes up to and including the point. So it is above 127 if the text has
 * several.
 */
#pragma once

#include "csv/number/number_batch.h"

#ifdef HAVE_PARTS

/* The bytes of a part of texts: digits, and masks that are all ones in the
 * bytes they name. */
struct batch_bytes {
    batch_text digits;
    batch_text points;
    batch_text minus; /* the first byte of a text is a minus sign */
    batch_text bad;   /* what keeps a text from being a number */
};

#define BATCH_TEXT(byte) ((batch_text){} + (uint8_t)(byte))
/* The place of each byte in its 16 bytes, from 1 to 16. */
#define BATCH_PLACES ((batch_text){PART_PLACES})

/* Finds the digits, points and minus signs of a part of texts. For each byte,
 * `from` is the number of bytes from it to the end of its text, itself
 * included, and n the length of its text. Here a number ends with a digit, and
 * has no byte but digits, points and a first `-`. number_fast.h reads numbers
 * that end with a point. */
BATCH_INLINE struct batch_bytes batch_judge(batch_text text, batch_text from,
                                            batch_text n)
{
    struct batch_bytes b;
    batch_text after = (batch_text)((batch_signed)from >
                                    (batch_signed)n); /* before the text */
    batch_text digit = text - BATCH_TEXT('0');
    batch_text other = part_no_digit(text) & ~after;
    b.digits = digit & ~(other | after);
    b.points = other & (batch_text)(text == BATCH_TEXT('.'));
    b.minus = (batch_text)(from == n) & (batch_text)(text == BATCH_TEXT('-'));
    /* And the last byte, unless it is a digit. */
    b.bad = (other & ~(b.points | b.minus)) |
            ((other | after) & (batch_text)(from == BATCH_TEXT(1)));
    return b;
}

/* Closes the gaps at the points. `late` holds the digits one byte later, `sum`
 * the sum of points of each byte's text, `place` the place of each byte in its
 * text, from 1 on. */
BATCH_INLINE batch_text batch_close(batch_text digits, batch_text late,
                                    batch_text sum, batch_text place)
{
    batch_part before = (batch_part)((batch_signed)sum >
                                     (batch_signed)(place + BATCH_TEXT(63)));
    return (batch_text)part_select(before, (batch_part)late,
                                   (batch_part)digits);
}

/* The bytes whose sum in a text is `points` of struct batch_runs. */
BATCH_INLINE batch_text batch_points(batch_text points, batch_text place)
{
    return points & (place | BATCH_TEXT(64));
}

/* Sets r->bad and r->minus from vectors whose lanes are not 0 where a text has
 * such a byte. */
BATCH_INLINE void batch_finish(struct batch_runs *r, batch_u64 bad,
                               batch_u64 minus)
{
    const batch_u64 zero = batch_set(0);
    batch_part any = {};
    BATCH_EACH(r->minus.part[i] = (batch_part)(minus.part[i] != 0))
    bad = batch_or(bad, batch_and(r->points, batch_set(~127ull)));
    r->bad = 0;
    BATCH_EACH(any |= bad.part[i])
    if (NUMBER_RARE(part_any(any)))
        r->bad = ~batch_bits(batch_equal(bad, zero)) & ((1u << BATCH) - 1);
}

/* Reads texts of at most 8 bytes, with half the work of batch_16. Results of
 * longer texts are not valid. */
BATCH_INLINE struct batch_runs batch_8(const struct batch_texts *t)
{
    const batch_text from = (batch_text)((batch_part){} + 0x0102030405060708);
    const batch_text place = (batch_text)((batch_part){} + 0x0807060504030201);
    const void *at[BATCH];
    struct batch_runs r;
    batch_u64 bad, minus;
    for (int i = 0; i < BATCH; i++)
        at[i] = t->end[i] - 8;
    batch_u64 text = batch_load(at);
#pragma GCC unroll 4
    for (int i = 0; i < BATCH_PARTS; i++) {
        struct batch_bytes b = batch_judge((batch_text)text.part[i], from,
                                           part_spread(t->length.part[i]));
        batch_part sum = part_sum(batch_points(b.points, place));
        batch_text late = (batch_text)((batch_part)b.digits << 8);
        r.w.part[i] =
            part_join(batch_close(b.digits, late, part_spread(sum), place));
        r.points.part[i] = sum;
        bad.part[i] = (batch_part)b.bad;
        minus.part[i] = (batch_part)b.minus;
    }
    batch_finish(&r, bad, minus);
    return r;
}

/* Reads texts of at most 16 bytes. Results of longer texts are not valid. */
BATCH_INLINE struct batch_runs batch_16(const struct batch_texts *t)
{
    const batch_text place = BATCH_PLACES, from = BATCH_TEXT(17) - place;
    struct batch_runs r;
    batch_u64 bad, minus;
#pragma GCC unroll 4
    for (int i = 0; i < BATCH_PARTS; i++) {
        const char *const *end = t->end + PART_LANES * i;
        struct batch_bytes b[2];
        batch_text x[2];
        for (int k = 0; k < 2; k++)
            b[k] = batch_judge(part_load_16(end + k), from,
                               part_spread_16(t->length.part[i], k));
        batch_part sum = part_sum_16(batch_points(b[0].points, place),
                                     batch_points(b[1].points, place));
        for (int k = 0; k < 2; k++)
            x[k] = batch_close(b[k].digits, part_late_16(b[k].digits),
                               part_spread_16(sum, k), place);
        r.w.part[i] = part_join_16(x[0], x[1]);
        r.points.part[i] = sum;
        bad.part[i] = part_any_16(b[0].bad, b[1].bad);
        minus.part[i] = part_any_16(b[0].minus, b[1].minus);
    }
    batch_finish(&r, bad, minus);
    return r;
}

/* Not 0 where such a byte is in any of the text's 32. */
#define BATCH_ANY(b, bytes)                               \
    batch_either(part_any_16((b)[0].bytes, (b)[1].bytes), \
                 part_any_16((b)[2].bytes, (b)[3].bytes))

BATCH_INLINE batch_part batch_either(batch_part low, batch_part high)
{
    return part_firsts(low, high) | part_lasts(low, high);
}

/* What batch_32_part finds of the texts of a part. */
struct batch_halves {
    batch_part first, last; /* integers of 16 digits each */
    batch_part sum, bad, minus;
};

/* Reads the texts of part i, of at most 32 bytes, in four vectors. */
BATCH_INLINE struct batch_halves batch_32_part(const struct batch_texts *t,
                                               int i)
{
    const char *const *end = t->end + PART_LANES * i;
    batch_text points[4], x[4];
    struct batch_bytes b[4];
    for (int k = 0; k < 4; k++) {
        batch_text place = part_place_32(k);
        batch_text n = part_spread_32(t->length.part[i], PART_TEXT(k));
        b[k] = batch_judge(part_load_32(end, k), BATCH_TEXT(33) - place, n);
        points[k] = batch_points(b[k].points, place);
    }
    batch_part low = part_sum_16(points[0], points[1]);
    batch_part high = part_sum_16(points[2], points[3]);
    batch_part sum = part_firsts(low, high) + part_lasts(low, high);
    for (int k = 0; k < 4; k++) {
        batch_text before = k > 0 && PART_TEXT(k) == PART_TEXT(k - 1)
                                ? b[k - 1].digits
                                : (batch_text){};
        x[k] = batch_close(b[k].digits, part_late_32(before, b[k].digits),
                           part_spread_32(sum, PART_TEXT(k)), part_place_32(k));
    }
    low = part_join_16(x[0], x[1]);
    high = part_join_16(x[2], x[3]);
    return (struct batch_halves){part_firsts(low, high), part_lasts(low, high),
                                 sum, BATCH_ANY(b, bad), BATCH_ANY(b, minus)};
}

/* Reads texts of at most 32 bytes. Results of longer texts are not valid. */
BATCH_INLINE struct batch_runs batch_32(const struct batch_texts *t)
{
    const batch_part scale = (batch_part){} + 10000000000000000;
    struct batch_runs r;
    batch_u64 bad, minus, over;
    for (int i = 0; i < BATCH_PARTS; i++) {
        struct batch_halves x = batch_32_part(t, i);
        /* first * 10^16 for first < 1000. */
        r.w.part[i] = part_multiply32(x.first, scale) +
                      (part_multiply32(x.first, scale >> 32) << 32) + x.last;
        r.points.part[i] = x.sum;
        bad.part[i] = x.bad;
        minus.part[i] = x.minus;
        over.part[i] = part_above(x.first, (batch_part){} + 999);
    }
    batch_finish(&r, bad, minus);
    r.bad |= batch_bits(over);
    return r;
}

#endif
