/* SPDX-License-Identifier: MIT */
/*
 * Exact integer sums. A block is summed in the narrowest integers that hold its
 * sum, so that vectors have the most lanes; block sums are added in 128 bits.
 */
#pragma once

#include "reduce/cpu/vector.h"

enum {
    /* 2^12 * 2^16 fit 32 bits: 8-bit squares, 16-bit values. */
    INTEGER_BLOCK = 1 << 12,
};

/* Sums the elements block by block. BEGIN declares the sums of a block, STEP
 * adds the element x to them, and END adds them to w->word. */
#define SUM_BLOCKS(name, T, BEGIN, STEP, END)                           \
    static void name(struct accumulator *w, const void *data, size_t n, \
                     uint64_t first)                                    \
    {                                                                   \
        const char *p = data;                                           \
        (void)first;                                                    \
        w->n += n;                                                      \
        for (size_t left = n, step; left > 0; left -= step) {           \
            BEGIN;                                                      \
            step = left < INTEGER_BLOCK ? left : INTEGER_BLOCK;         \
            for (size_t j = 0; j < step; j++, p += sizeof(T)) {         \
                const T x = ELEMENT_AT(T, p, 0);                        \
                STEP;                                                   \
            }                                                           \
            END;                                                        \
        }                                                               \
    }

/* Sums in type A the addends that `value` makes of each element x. */
#define SUM_INTEGER(name, T, A, value) \
    SUM_BLOCKS(name, T, A sum = 0, sum += (A)(value), w->word[0] += sum)

/* Addends of 64 bits, summed in two halves. H is the signed or unsigned type of
 * the addend; its high half has the sign. */
#define SUM_INTEGER_WIDE(name, T, H, value)             \
    SUM_BLOCKS(name, T, uint64_t low = 0;               \
               H high = 0, const H addend = (H)(value); \
               low += (uint32_t)addend;                 \
               high += addend >> 32,                    \
               w->word[0] += (__int128)high * (1ll << 32) + low)

/* Squares of 64-bit elements, 128 bits each. */
#define SUM_INTEGER_SQUARE(name, T, magnitude)                                \
    SUM_BLOCKS(name, T, unsigned __int128 low = 0;                            \
               unsigned __int128 high = 0,                                    \
               const unsigned __int128 square =                               \
                   (unsigned __int128)(magnitude) * (magnitude);              \
               low += (uint64_t)square;                                       \
               high += (uint64_t)(square >> 64), w->word[0] += (__int128)low; \
               w->word[1] += (__int128)high)

/* Values and magnitudes of `bits` bits, which C computes in `width` bits. */
#define SUM_INTEGERS(bits, width, sum, SUM)            \
    SUM(sum_i##bits, int##bits##_t, int##sum##_t, x)   \
    SUM(sum_u##bits, uint##bits##_t, uint##sum##_t, x) \
    SUM(sumabs_i##bits, int##bits##_t, uint##sum##_t,  \
        MAGNITUDE(uint##width##_t, x))

SUM_INTEGERS(8, 32, 32, SUM_INTEGER)
SUM_INTEGERS(16, 32, 32, SUM_INTEGER)
SUM_INTEGERS(32, 32, 64, SUM_INTEGER)
SUM_INTEGERS(64, 64, 64, SUM_INTEGER_WIDE)
#define sumabs_u8 sum_u8
#define sumabs_u16 sum_u16
#define sumabs_u32 sum_u32
#define sumabs_u64 sum_u64

SUM_INTEGER(sumsq_i8, int8_t, uint32_t, x *x)
SUM_INTEGER(sumsq_i16, int16_t, uint64_t, (uint32_t)(x *x))
SUM_INTEGER_WIDE(sumsq_i32, int32_t, uint64_t, (int64_t)x *x)
SUM_INTEGER_SQUARE(sumsq_i64, int64_t, MAGNITUDE(uint64_t, x))
SUM_INTEGER(sumsq_u8, uint8_t, uint32_t, x *x)
SUM_INTEGER(sumsq_u16, uint16_t, uint64_t, (uint32_t)x *x)
SUM_INTEGER_WIDE(sumsq_u32, uint32_t, uint64_t, (uint64_t)x *x)
SUM_INTEGER_SQUARE(sumsq_u64, uint64_t, x)

/* Powers of 64-bit integers; each word of the magnitude has its own sum. */
#define SUM_INTEGER_POWER(name, T, magnitude, NEGATIVE, add) \
    SUM_BLOCKS(name, T, __int128 word[4] = {0},              \
               add(word, magnitude, NEGATIVE(x)),            \
               for (int i = 0; i < 4; i++) w->word[i] += word[i])

static inline void add_cube(__int128 word[4], uint64_t x, bool negative)
{
    const unsigned __int128 square = (unsigned __int128)x * x;
    const unsigned __int128 low = (unsigned __int128)(uint64_t)square * x;
    const unsigned __int128 high =
        (unsigned __int128)(uint64_t)(square >> 64) * x + (uint64_t)(low >> 64);
    const uint64_t part[3] = {(uint64_t)low, (uint64_t)high,
                              (uint64_t)(high >> 64)};
    const __int128 sign = -(__int128)negative; /* a branch would mispredict */
    for (int i = 0; i < 3; i++)
        word[i] += (part[i] ^ sign) - sign;
}

static inline void add_fourth(__int128 word[4], uint64_t x, bool negative)
{
    const unsigned __int128 square = (unsigned __int128)x * x;
    const uint64_t a = (uint64_t)square, b = (uint64_t)(square >> 64);
    const unsigned __int128 aa = (unsigned __int128)a * a;
    const unsigned __int128 ab = (unsigned __int128)a * b;
    const unsigned __int128 bb = (unsigned __int128)b * b;
    (void)negative;
    word[0] += (uint64_t)aa;
    word[1] += (__int128)(uint64_t)(aa >> 64) + (uint64_t)ab + (uint64_t)ab;
    word[2] +=
        (__int128)(uint64_t)bb + (uint64_t)(ab >> 64) + (uint64_t)(ab >> 64);
    word[3] += (uint64_t)(bb >> 64);
}

SUM_INTEGER(sumcube_i8, int8_t, int64_t, x *x *x)
SUM_INTEGER(sumcube_i16, int16_t, int64_t, (int64_t)(x *x) * x)
/* Up to 96 bits: 2^28 of them fit 128 bits with the sign. */
SUM_INTEGER(sumcube_i32, int32_t, __int128, (__int128)((int64_t)x *x) * x)
SUM_INTEGER_POWER(sumcube_i64, int64_t, MAGNITUDE(uint64_t, x), BELOW_ZERO,
                  add_cube)
SUM_INTEGER(sumcube_u8, uint8_t, uint64_t, x *x *x)
SUM_INTEGER(sumcube_u16, uint16_t, uint64_t, (uint64_t)x *x *x)
SUM_INTEGER(sumcube_u32, uint32_t, __int128, (__int128)((uint64_t)x *x) * x)
SUM_INTEGER_POWER(sumcube_u64, uint64_t, x, NEVER, add_cube)

SUM_INTEGER(sumfourth_i8, int8_t, uint64_t, x *x *x *x)
SUM_INTEGER_WIDE(sumfourth_i16, int16_t, uint64_t,
                 (uint64_t)(x *x) * (uint64_t)(x * x))
SUM_INTEGER_SQUARE(sumfourth_i32, int32_t, (uint64_t)((int64_t)x *x))
SUM_INTEGER_POWER(sumfourth_i64, int64_t, MAGNITUDE(uint64_t, x), BELOW_ZERO,
                  add_fourth)
SUM_INTEGER(sumfourth_u8, uint8_t, uint64_t, (uint32_t)x *x *x *x)
SUM_INTEGER_WIDE(sumfourth_u16, uint16_t, uint64_t, (uint64_t)x *x *x *x)
SUM_INTEGER_SQUARE(sumfourth_u32, uint32_t, (uint64_t)x *x)
SUM_INTEGER_POWER(sumfourth_u64, uint64_t, x, NEVER, add_fourth)
