/* SPDX-License-Identifier: MIT */
/* Reads runs by 64-bit words, eight bytes at a time, on any machine. Included
 * by number_run.h. */
#pragma once

/* Loads 8 bytes; the first one is the lowest. */
NUMBER_INLINE uint64_t run_load(const void *p)
{
    uint64_t x;
    memcpy(&x, p, sizeof x);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    x = __builtin_bswap64(x);
#endif
    return x;
}

#define RUN_EACH(byte) (~0ull / 255 * (byte))

/* Sets the top bit of each byte that is at most `most` < 128. No carry leaves a
 * byte, since its sum is at most 127 + 127. */
NUMBER_INLINE uint64_t run_within(uint64_t x, unsigned most)
{
    uint64_t low = (x & RUN_EACH(127)) + RUN_EACH(127 - most);
    return ~(low | x) & RUN_EACH(128);
}

/* Joins eight digits, the first one lowest, to an integer in three steps. Each
 * step joins two neighbours in the lower half of their bits. */
NUMBER_INLINE uint64_t run_join(uint64_t x)
{
    x = (x * 10 + (x >> 8)) & 0x00ff00ff00ff00ff;
    x = (x * 100 + (x >> 16)) & 0x0000ffff0000ffff;
    return (x * 10000 + (x >> 32)) & 0xffffffff;
}

/* The bytes of a run that are neither digits nor points, as in struct
 * number_run. */
static __attribute__((noinline)) uint32_t run_others(const char *end,
                                                     unsigned n)
{
    uint32_t other = 0;
    for (unsigned i = 0; i < n; i++) {
        char c = end[-1 - (int)i];
        other |= (uint32_t)((c < '0' || c > '9') && c != '.') << (31 - i);
    }
    return other;
}

/* A word of the run. digits and point: the top bit of each byte that is a digit
 * or the point. */
struct run_word {
    uint64_t text, digits, point;
};

/* Reads those bytes of the word at p that `inside` masks. Returns 0 if they are
 * digits with at most one point. */
NUMBER_INLINE uint64_t run_judge_word(struct run_word *w, const char *p,
                                      uint64_t inside)
{
    w->text = run_load(p);
    w->digits = run_within(w->text ^ RUN_EACH('0'), 9) & inside;
    w->point = run_within(w->text ^ RUN_EACH('.'), 0) & inside;
    return ((w->digits | w->point) ^ (inside & RUN_EACH(128))) |
           (w->point & (w->point - 1));
}

/* Reads the last n bytes of the `words` 64-bit words that end at `end`; n is
 * more than 8 * (words - 1). Sets part[] to the integer of each word's digits.
 * Returns false, with r->plain false, if the bytes are not plain. words is a
 * constant. */
NUMBER_INLINE bool run_words(struct number_run *r, const char *end, unsigned n,
                             unsigned words, uint64_t *part)
{
    const char *start = end - 8 * words;
    struct run_word w[4];
    uint64_t first = ~0ull << 8 * (8 * words - n), bad = 0, digits = 0;
    unsigned points = 0;
    for (unsigned i = 0; i < words; i++) {
        bad |= run_judge_word(&w[i], start + 8 * i, i == 0 ? first : ~0ull);
        digits |= w[i].digits;
        points += w[i].point != 0;
    }
    r->w = 0;
    r->plain = bad == 0 && points <= 1 && digits != 0;
    if (!r->plain) {
        r->other = run_others(end, n);
        return false;
    }
    /* Closes the gap: the bytes up to the point move one place later. */
    r->fraction = RUN_NO_POINT;
    uint64_t before = 0;
    for (unsigned i = words; i-- > 0;) {
        uint64_t point = w[i].point;
        before |= (point << 1) - (point != 0);
        uint64_t late =
            words == 1 ? w[i].text << 8 : run_load(start + 8 * i - 1);
        uint64_t text = (w[i].text & ~before) | (late & before);
        if (i == 0)
            text &= first << 8 * points;
        part[i] = run_join(text & RUN_EACH(15));
        if (point)
            r->fraction =
                8 * (words - 1 - i) + (unsigned)number_leading_zeros(point) / 8;
        before = point ? ~0ull : before;
    }
    return true;
}

/* Reads the n <= 16 bytes that end at `end`: w < 10^16. */
NUMBER_INLINE struct number_run run_16(const char *end, unsigned n)
{
    struct number_run r = {0};
    uint64_t part[2];
    if (n == 0)
        return r;
    if (n <= 8) {
        if (run_words(&r, end, n, 1, part))
            r.w = part[0];
    } else if (run_words(&r, end, n, 2, part)) {
        r.w = part[0] * 100000000 + part[1];
    }
    return r;
}

/* Reads the 16 < n <= 32 bytes that end at `end`. Not plain where w would need
 * more than 19 digits. */
NUMBER_INLINE struct number_run run_32(const char *end, unsigned n)
{
    struct number_run r;
    uint64_t part[4] = {0, 0, 0, 0};
    if (n <= 24 ? !run_words(&r, end, n, 3, part + 1)
                : !run_words(&r, end, n, 4, part))
        return r;
    r.plain = part[0] == 0 && part[1] < 1000;
    r.w = part[1] * 10000000000000000 + part[2] * 100000000 + part[3];
    return r;
}
