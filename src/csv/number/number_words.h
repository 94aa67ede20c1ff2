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

/* Joins eight digits, the first one lowest, to an integer: first neighbours,
 * then each two pairs by one product, whose sum is in the upper half. */
NUMBER_INLINE uint64_t run_join(uint64_t x)
{
    const uint64_t pairs = 0x000000ff000000ff;
    x = x * 10 + (x >> 8);
    return ((x & pairs) * (1000000ull << 32 | 100) +
            (x >> 16 & pairs) * (10000ull << 32 | 1)) >>
           32;
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

/* Reads the word at p but for its first `outside` bits. The sum of a byte above
 * 137 carries into the next, which then may seem no digit; but such a
 * byte is no digit, either. */
NUMBER_INLINE struct run_word run_word(const char *p, unsigned outside)
{
    struct run_word w = {(run_load(p) ^ RUN_EACH('0')) >> outside << outside,
                         0};
    w.other = ((w.digits + RUN_EACH(118)) | w.digits) & RUN_EACH(128);
    return w;
}

/* Whether the word's only byte that is no digit is a point; `before` is the
 * number of bits before that byte. */
NUMBER_INLINE bool run_is_point(struct run_word w, unsigned before)
{
    return w.other >> before == 128 &&
           (w.digits >> before & 255) == ('.' ^ '0');
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
        w[i] = run_word(end - 8 * (words - i), i == 0 ? (0 - 8 * n) & 63 : 0);
        if (w[i].other == 0)
            continue;
        /* Not the leading zeros: `bsr` is slow on processors of AMD. */
        unsigned before = (unsigned)__builtin_ctzll(w[i].other) - 7;
        if (NUMBER_RARE(point < words || n == 1 || !run_is_point(w[i], before)))
            return false;
        point = i;
        r->fraction = 8 * (words - i) - 1 - before / 8;
    }
    /* Closes the gap: the bytes up to the point move one place later. */
    for (unsigned i = words; i-- > 0;) {
        uint64_t x = w[i].digits;
        if (point < words && i <= point) {
            uint64_t late = x << 8 | (i > 0 ? w[i - 1].digits >> 56 : 0);
            x = i < point ? late : x ^ ((x ^ late) & (2 * w[i].other - 1));
        }
        part[i] = run_join(x);
    }
    return r->plain = true;
}

/* Reads the 0 < n <= 16 bytes that end at `end`. Returns r->plain. */
NUMBER_INLINE bool run_read(struct number_run *r, const char *end, unsigned n)
{
    uint64_t part[2];
    if (n <= 8)
        return run_words(r, end, n, 1, &r->w);
    if (!run_words(r, end, n, 2, part))
        return false;
    r->w = part[0] * 100000000 + part[1];
    return true;
}

/* Reads the n bytes that end at `end`, if there are 1 to 15 and the last four
 * seem no exponent. Returns whether they are plain; leaves r->other 0. */
NUMBER_INLINE bool run_short(struct number_run *r, const char *end, size_t n)
{
    *r = (struct number_run){0};
    return n - 1 < 15 && (n <= 8 || (end[-4] | 0x20) != 'e') &&
           run_read(r, end, (unsigned)n);
}

/* Reads the n <= 16 bytes that end at `end`: w < 10^16. */
NUMBER_INLINE struct number_run run_16(const char *end, unsigned n)
{
    struct number_run r = {0};
    if (n > 0 && !run_read(&r, end, n))
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
