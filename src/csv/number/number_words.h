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

/* Gathers the top bits of the bytes into 8 bits. The factor moves the bit of
 * byte i to bit 56 + i, and no two of its products to the same bit. */
NUMBER_INLINE uint32_t run_bits(uint64_t x)
{
    return (uint32_t)((x >> 7) * 0x0102040810204080 >> 56);
}

/* Joins eight digits, the first one lowest, to an integer in three steps. Each
 * step joins two neighbours in the lower half of their bits. */
NUMBER_INLINE uint64_t run_join(uint64_t x)
{
    x = (x * 10 + (x >> 8)) & 0x00ff00ff00ff00ff;
    x = (x * 100 + (x >> 16)) & 0x0000ffff0000ffff;
    return (x * 10000 + (x >> 32)) & 0xffffffff;
}

/* Reads the last n bytes of the `words` 64-bit words that end at `end`. If the
 * run is plain, part[] is the integer of each word's digits. words is a
 * constant. */
NUMBER_INLINE void run_words(struct number_run *r, const char *end, unsigned n,
                             unsigned words, uint64_t *part)
{
    uint32_t digits = 0, points = 0;
    const char *start = end - 8 * words;
    for (unsigned i = 0; i < words; i++) {
        uint64_t text = run_load(start + 8 * i);
        digits |= run_bits(run_within(text ^ RUN_EACH('0'), 9)) << 8 * i;
        points |= run_bits(run_within(text ^ RUN_EACH('.'), 0)) << 8 * i;
    }
    n = run_judge(r, 8 * words, n, digits, points);
    if (!r->plain)
        return;
    const uint8_t *before = run_to_point(8 * words, r->fraction);
    const uint8_t *inside = run_last(8 * words, n);
    for (unsigned i = 0; i < words; i++) {
        uint64_t mask = run_load(before + 8 * i);
        uint64_t text = run_load(start + 8 * i) & ~mask;
        text |= run_load(start + 8 * i - 1) & mask;
        part[i] = run_join(text & run_load(inside + 8 * i) & RUN_EACH(15));
    }
}

/* Reads the n <= 16 bytes that end at `end`: w < 10^16. */
NUMBER_INLINE struct number_run run_16(const char *end, unsigned n)
{
    struct number_run r;
    uint64_t part[2] = {0, 0};
    if (n <= 8) {
        run_words(&r, end, n, 1, part);
        r.w = part[0];
        return r;
    }
    run_words(&r, end, n, 2, part);
    r.w = part[0] * 100000000 + part[1];
    return r;
}

/* Reads the n <= 32 bytes that end at `end`. Not plain where w would need more
 * than 19 digits. */
NUMBER_INLINE struct number_run run_32(const char *end, unsigned n)
{
    struct number_run r;
    uint64_t part[4] = {0, 0, 0, 0};
    if (n <= 24) {
        run_words(&r, end, n, 3, part + 1);
    } else {
        run_words(&r, end, n, 4, part);
    }
    r.plain &= part[0] == 0 && part[1] < 1000;
    r.w = part[1] * 10000000000000000 + part[2] * 100000000 + part[3];
    return r;
}
