/* SPDX-License-Identifier: MIT */
/*
 * The exact sum: one wide fixed-point integer, two's complement, and counts
 * of what is no number. Merging is integer addition, so any order of data,
 * chunks, threads and devices leaves the same bits.
 *
 * The layout follows from the data: bit 0 weighs 2^lsb, the least bit that an
 * addend can have, and the words reach 64 bits past the largest addend, enough
 * for 2^63 of them.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "reduce/dtype.h"
#include "reduce/hd.h"

enum exact_map { EXACT_VALUE, EXACT_MAGNITUDE, EXACT_SQUARE };

enum { EXACT_WORDS = 68 };

struct exact {
    uint64_t nan, plus_inf, minus_inf;
    /* Some addend was neither -0 nor NaN: a sum of nothing but -0 is -0. */
    bool not_negative_zero;
    int32_t lsb;
    uint32_t words;             /* used of word[], little-endian */
    uint64_t word[EXACT_WORDS]; /* the rest is not set, or not there */
};

/* The layouts, as constants for both compilers. f16 and bf16 are added as the
 * f32 that they equal. Bits: f64 1024 + 1074 + 64 and a sign, f32 128 + 149 +
 * 64; for squares twice the first two; integers at most 128 + 64. */
#define EXACT_LSB(dtype, map)                                                  \
    (((dtype) == DTYPE_f64            ? -1074                                  \
      : (dtype) < DTYPE_FLOATS_END    ? -149                                   \
                                      : 0) *                                   \
     ((map) == EXACT_SQUARE ? 2 : 1))
#define EXACT_WORDS_OF(dtype, map)                                             \
    ((dtype) >= DTYPE_FLOATS_END ? 4                                           \
     : (dtype) == DTYPE_f64      ? ((map) == EXACT_SQUARE ? 68 : 35)           \
                                 : ((map) == EXACT_SQUARE ? 11 : 7))

/* The value of no addends, laid out for a dtype and what is summed of it. */
void exact_init(struct exact *x, enum dtype dtype, enum exact_map map);

/* into += from. Both of one layout. */
void exact_merge(struct exact *into, const struct exact *from);

void exact_negate(struct exact *x);

/* -1, 0, 1 as the numbers a and b compare; specials do not count. */
int exact_compare(const struct exact *a, const struct exact *b);

/* Adds limbs to words: limb[i] is a signed count of 2^(32 i), so that sums of
 * many 32-bit parts need no carries on the way (Neal, arXiv 1505.05571).
 * limbs <= 2 * words; what carries out of the top limb is its sign. */
HD void words_add_limbs(uint64_t *word, unsigned words, const int64_t *limb,
                        unsigned limbs)
{
    __int128 rest = 0; /* what the limbs below carry */
    uint64_t carry = 0;
    for (unsigned i = 0; i < words; i++) {
        uint64_t addend, sum;
        rest += 2 * i < limbs ? limb[2 * i] : 0;
        addend = (uint32_t)rest;
        rest >>= 32;
        rest += 2 * i + 1 < limbs ? limb[2 * i + 1] : 0;
        addend |= (uint64_t)rest << 32;
        rest >>= 32;
        sum = word[i] + addend;
        word[i] = sum + carry;
        carry = (sum < addend) | (word[i] < sum);
    }
}

/* limb[i] counts 2^(lsb + 32 i). */
HD void exact_add_limbs(struct exact *x, const int64_t *limb, size_t limbs)
{
    words_add_limbs(x->word, x->words, limb, (unsigned)limbs);
}

/* -1, 0, 1: the sign of the number. */
int exact_sign(const struct exact *x);

/* Copies what x has; `to` may be shorter than a struct exact. */
void exact_copy(struct exact *to, const struct exact *from);

/* Adds the sign, 0 or -1, and a carry to the words from number i on: most often
 * to none of them, since -1 and a carry are 0. */
static inline void exact_ripple(struct exact *x, unsigned i, uint64_t sign,
                                uint64_t carry)
{
    for (; i < x->words && carry != (sign & 1); i++) {
        x->word[i] += sign + carry;
        carry = sign ? x->word[i] != UINT64_MAX : x->word[i] == 0;
    }
}

/* x += value * 2^position (a bit number from lsb), in a time that does not
 * depend on how many words there are. */
static inline void exact_add_shifted(struct exact *x, __int128 value,
                                     unsigned position)
{
    unsigned at = position / 64, shift = position % 64;
    unsigned __int128 v = (unsigned __int128)value, carry = 0;
    uint64_t sign = value < 0 ? UINT64_MAX : 0;
    uint64_t part[3] = {(uint64_t)v << shift, (uint64_t)(v >> 64), sign};
    if (shift) {
        part[1] = part[1] << shift | (uint64_t)v >> (64 - shift);
        part[2] = sign << shift | (uint64_t)(v >> 64) >> (64 - shift);
    }
    for (unsigned i = 0; i < 3 && at < x->words; i++, at++) {
        carry += (unsigned __int128)x->word[at] + part[i];
        x->word[at] = (uint64_t)carry;
        carry >>= 64;
    }
    exact_ripple(x, at, sign, (uint64_t)carry);
}
