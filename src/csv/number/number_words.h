/* SPDX-License-Identifier: MIT */
/* Reads runs by 64-bit words, eight bytes at a time, on any machine. Included
 * by number_run.h. */
#pragma once

/* A call for longer runs leaves the loop over short ones in registers. */
#define NUMBER_LONG static __attribute__((noinline))

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

/* A word of the run. */
struct run_word {
    uint64_t digits; /* each byte's value as a digit; 0 before the run */
    uint64_t other;  /* the top bit of each byte that is no digit */
};

/* Reads those bytes of the word at p that `inside` masks. The sum of a byte
 * above 137 carries into the next, which then may seem no digit; but such a
 * byte is no digit, either. */
NUMBER_INLINE struct run_word run_word(const char *p, uint64_t inside)
{
    struct run_word w = {(run_load(p) ^ RUN_EACH('0')) & inside, 0};
    w.other = ((w.digits + RUN_EACH(118)) | w.digits) & RUN_EACH(128);
    return w;
}

/* Whether the word's only byte that is no digit is a point; `zeros` is the
 * number of zeros before its bit in w.other. */
NUMBER_INLINE bool run_is_point(struct run_word w, unsigned zeros)
{
    return w.other << zeros == 1ull << 63 &&
           w.digits << zeros >> 56 == ('.' ^ '0');
}

/* Reads the last n bytes of the `words` 64-bit words that end at `end`; n is
 * more than 8 * (words - 1). Sets part[] to the integer of each word's digits.
 * Returns r->plain; if it is false, nothing else is set. words is a constant.
 */
NUMBER_INLINE bool run_words(struct number_run *r, const char *end, unsigned n,
                             unsigned words, uint64_t *part)
{
    struct run_word w[4];
    unsigned point = words; /* the word that has the point */
    r->plain = false;
    r->fraction = RUN_NO_POINT;
    for (unsigned i = 0; i < words; i++) {
        uint64_t inside = i == 0 ? ~0ull << 8 * (8 * words - n) : ~0ull;
        w[i] = run_word(end - 8 * (words - i), inside);
        if (w[i].other == 0)
            continue;
        unsigned zeros = (unsigned)number_leading_zeros(w[i].other);
        if (NUMBER_RARE(point < words || n == 1 || !run_is_point(w[i], zeros)))
            return false;
        point = i;
        r->fraction = 8 * (words - 1 - i) + zeros / 8;
    }
    /* Closes the gap: the bytes up to the point move one place later. */
    for (unsigned i = words; i-- > 0;) {
        uint64_t x = w[i].digits;
        uint64_t late = x << 8 | (i > 0 ? w[i - 1].digits >> 56 : 0);
        if (point == i)
            x ^= (x ^ late) & (2 * w[i].other - 1);
        part[i] = run_join(point < words && i < point ? late : x);
    }
    return r->plain = true;
}

/* Reads the n bytes that end at `end`, if there are 1 to 8. Returns whether
 * they are plain; leaves r->other 0. */
NUMBER_INLINE bool run_8(struct number_run *r, const char *end, size_t n)
{
    *r = (struct number_run){0};
    return n - 1 < 8 && run_words(r, end, (unsigned)n, 1, &r->w);
}

/* Reads the n <= 16 bytes that end at `end`: w < 10^16. */
NUMBER_INLINE struct number_run run_16(const char *end, unsigned n)
{
    struct number_run r = {0};
    uint64_t part[2];
    if (n == 0)
        return r;
    if (n <= 8)
        run_8(&r, end, n);
    else if (run_words(&r, end, n, 2, part))
        r.w = part[0] * 100000000 + part[1];
    if (!r.plain)
        r.other = run_others(end, n);
    return r;
}

/* Reads the 16 < n <= 32 bytes that end at `end`. Not plain where w would need
 * more than 19 digits. */
NUMBER_INLINE struct number_run run_32(const char *end, unsigned n)
{
    struct number_run r = {0};
    uint64_t part[4] = {0, 0, 0, 0};
    if (n <= 24 ? !run_words(&r, end, n, 3, part + 1)
                : !run_words(&r, end, n, 4, part)) {
        r.other = run_others(end, n);
        return r;
    }
    r.plain = part[0] == 0 && part[1] < 1000;
    r.w = part[1] * 10000000000000000 + part[2] * 100000000 + part[3];
    return r;
}
