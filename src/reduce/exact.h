/* SPDX-License-Identifier: MIT */
/*
 * The exact sum: one wide fixed-point integer, two's complement, and counts of
 * addends that are not numbers. Merging is integer addition, so the bits do not
 * depend on the order of data, chunks, threads and devices.
 *
 * The layout follows from the dtype and the power that is summed. Bit 0 has the
 * weight 2^lsb, that of the least bit of any addend. The words reach 64 bits
 * past the largest addend, enough for 2^63 addends.
 *
 * A state holds a window of the layout's words. All bits below the window are
 * 0, all above are equal to the sign. A dense state has all words. A compact
 * state, one for each group, has room for the few words that most data need.
 * Its window moves to where the sum is, and grows into memory of its own if
 * necessary. If that memory cannot be had, the sum is lost: its place is
 * EXACT_LOST from then on.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "reduce/dtype.h"
#include "reduce/hd.h"

/* What is summed: a map of each element. Sums of f64 with EXACT_SQUARE and
 * above also take products of two, three and four factors. */
enum exact_map {
    EXACT_VALUE,
    EXACT_MAGNITUDE,
    EXACT_SQUARE,
    EXACT_CUBE,
    EXACT_FOURTH
};

enum { EXACT_WORDS = 133, EXACT_FACTORS = 4 };

/* Where the words are: in word[]; in memory that the state owns, whose address
 * is word[0]; or nowhere. */
enum exact_place { EXACT_HERE, EXACT_ELSEWHERE, EXACT_LOST };

struct exact {
    uint64_t nan, plus_inf, minus_inf;
    /* An addend was neither -0 nor NaN. Without such an addend the sum is -0.
     */
    bool not_negative_zero;
    uint8_t first;  /* number of the layout's word where the window begins */
    uint8_t place;  /* enum exact_place */
    int32_t lsb;    /* of the layout: bit 0 has the weight 2^lsb */
    uint32_t words; /* of the layout */
    /* Words of the window, little-endian. The two top bits of the last word are
     * equal, so that the sum of two such windows does not overflow, unless that
     * word is the layout's last. */
    uint32_t room;
    /* The window. Words beyond it are not set; a compact state has not even
     * room for them. */
    uint64_t word[EXACT_WORDS];
};

/* The words of a dtype and map. */
struct exact_layout {
    int lsb;
    unsigned words;
    /* Of a compact state: how many words most data need, and the number of the
     * first of them. */
    unsigned few, first;
};

/* The layouts of values and magnitudes, and of their powers up to the fourth.
 * f16 and bf16 are added as the f32 with the same value. The bits are, for each
 * power, those of a value (f64 1024 + 1074, f32 128 + 149, integers 64), then
 * 64 more and a sign.
 *
 * The `few` words of f64 reach from the last bit of 2^-114 to a sum of 2^140;
 * of f32 from 2^-85 to 2^105. For squares they reach from 2^-164 to 2^154 (f64)
 * and from 2^-170 to 2^84 (f32). For higher powers they cover about the same
 * range of data as for squares. A sum of 64-bit integers takes two. */
HD_CONSTANT struct exact_layout exact_layout(enum dtype dtype,
                                             enum exact_map map)
{
    const struct exact_layout f64[4] = {{-1074, 35, 4, 15},
                                        {-2148, 68, 5, 31},
                                        {-3222, 100, 8, 46},
                                        {-4296, 133, 10, 62}};
    const struct exact_layout f32[4] = {
        {-149, 7, 3, 1}, {-298, 11, 4, 2}, {-447, 14, 6, 3}, {-596, 19, 8, 4}};
    const struct exact_layout integers[4] = {
        {0, 4, 2, 0}, {0, 4, 3, 0}, {0, 5, 4, 0}, {0, 6, 5, 0}};
    const int power = map > EXACT_MAGNITUDE ? map - EXACT_MAGNITUDE : 0;
    return dtype == DTYPE_f64      ? f64[power]
           : dtype_is_float(dtype) ? f32[power]
                                   : integers[power];
}

/* Makes an empty dense sum, of a dtype and a map. */
void exact_init(struct exact *x, enum dtype dtype, enum exact_map map);

/* Makes an empty compact sum. exact_close frees the memory that it may own. */
void exact_init_compact(struct exact *x, enum dtype dtype, enum exact_map map);
void exact_close(struct exact *x);

static inline uint64_t *exact_words(const struct exact *x)
{
    return x->place == EXACT_ELSEWHERE ? (uint64_t *)(uintptr_t)x->word[0]
                                       : (uint64_t *)x->word;
}

/* into += from, of the same layout. If either is lost, so is the result. */
void exact_merge(struct exact *into, const struct exact *from);

/* Copies with the shortest window. Equal sums have equal copies, however they
 * were computed. */
void exact_trim(struct exact *to, const struct exact *from);

/* Whether x is such a copy. Use it for states that were read from outside. */
bool exact_is_trimmed(const struct exact *x);

/* Adds limbs to words. limb[i] is a signed count of 2^(32 i), so that many
 * 32-bit parts can be summed in it without carries (Neal, arXiv 1505.05571).
 * limbs <= 2 * words. The carry out of the top limb is its sign. */
HD void words_add_limbs(uint64_t *word, unsigned words, const int64_t *limb,
                        unsigned limbs)
{
    __int128 rest = 0; /* the carry from the limbs below */
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

/* limb[i] counts 2^(lsb + 32 i). x is dense. */
HD void exact_add_limbs(struct exact *x, const int64_t *limb, size_t limbs)
{
    words_add_limbs(x->word, x->words, limb, (unsigned)limbs);
}

bool exact_is_negative(const struct exact *x);

/* Writes |x|: the words of its window. All other words are 0. */
void exact_magnitude(const struct exact *x, uint64_t *to);

/* A dense copy; `to` may be shorter than a struct exact. */
void exact_copy(struct exact *to, const struct exact *from);

/* Whether a window whose last word is `top` needs one more word. */
static inline bool exact_is_full(uint64_t top)
{
    return (top ^ top << 1) >> 63;
}

/* Makes room above a window that is full. */
void exact_make_room(struct exact *x);

/* Adds three words, two's complement, at the layout's word number `at`. */
void exact_add_words(struct exact *x, unsigned at, const uint64_t word[3]);

/* Adds the sign, 0 or -1, and a carry to n words. Most calls change no word,
 * since -1 and a carry cancel. */
static inline void exact_ripple(uint64_t *word, size_t n, uint64_t sign,
                                uint64_t carry)
{
    for (size_t i = 0; i < n && carry != (sign & 1); i++) {
        word[i] += sign + carry;
        carry = sign ? word[i] != UINT64_MAX : word[i] == 0;
    }
}

/* x += value * 2^position, where position is a bit number from lsb. The time
 * does not depend on the number of words, if the window holds what is added. */
static inline void exact_add_shifted(struct exact *x, __int128 value,
                                     unsigned position)
{
    const unsigned shift = position % 64, at = position / 64 - x->first;
    const uint64_t sign = value < 0 ? UINT64_MAX : 0;
    const unsigned __int128 low = (unsigned __int128)value << shift;
    const uint64_t part[3] = {(uint64_t)low, (uint64_t)(low >> 64),
                              (uint64_t)(value >> 65 >> (63 - shift))};
    /* The third word is mostly nothing but the sign. */
    const bool is_long = (part[1] ^ sign) >> 62 || part[2] != sign;
    const unsigned n = is_long ? 3 : 2;
    if ((uint64_t)at + n > x->room) {
        exact_add_words(x, position / 64, part);
        return;
    }
    uint64_t *word = exact_words(x) + at;
    unsigned __int128 sum = 0;
    for (unsigned i = 0; i < n; i++) {
        sum += (unsigned __int128)word[i] + part[i];
        word[i] = (uint64_t)sum;
        sum >>= 64;
    }
    exact_ripple(word + n, x->room - at - n, sign, (uint64_t)sum);
    if (exact_is_full(word[x->room - at - 1]))
        exact_make_room(x);
}

/* x += the product of n <= EXACT_FACTORS numbers, exactly: no product overflows
 * or underflows. x must have the layout of f64 for the power n or a higher one.
 * An infinite product is counted by its sign, an undefined one as NaN. Takes
 * about 20 ns for n = 2, twice that for more factors. */
void exact_add_product(struct exact *x, const double *factor, unsigned n);
