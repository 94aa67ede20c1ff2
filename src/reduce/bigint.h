/* SPDX-License-Identifier: MIT */
/*
 * Integers of thousands of bits, in which results are computed of exact sums.
 * They are made for one result at a time: no memory is allocated, and the time
 * of a function depends on the words in use alone.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum {
    /* The skewness of f64 to 1074 decimals: a sum of cubes, times n^2, has 102
     * words; of its square times n^2 the quotient with a number of as many
     * words is taken, after 4 * 10^(2 * 1074), 112 words, was multiplied in. */
    BIGINT_WORDS = 336,
};

/* The magnitude is word[], little-endian, times 2^(64 low): the words below are
 * zeros and not kept. */
struct bigint {
    bool negative; /* of 0 it means nothing */
    unsigned low;
    unsigned words;              /* the last is not 0 */
    uint64_t word[BIGINT_WORDS]; /* of which most is not set */
};

void bigint_set(struct bigint *x, uint64_t value);
void bigint_copy(struct bigint *to, const struct bigint *from);

/* Leaves out leading zeros, if the words were filled from elsewhere. */
void bigint_trim(struct bigint *x);

/* x *= factor, out = a * b, a += b, a -= b. */
void bigint_times(struct bigint *x, uint64_t factor);
void bigint_multiply(struct bigint *out, const struct bigint *a,
                     const struct bigint *b);
void bigint_add(struct bigint *a, const struct bigint *b);
void bigint_subtract(struct bigint *a, const struct bigint *b);

/* |a| < |b|. */
bool bigint_is_less(const struct bigint *a, const struct bigint *b);

/* The rest is about the words alone, as if `low` were 0 and the sign plus. */

/* How many bits there are up to the highest that is set. */
unsigned bigint_bits(const struct bigint *x);

/* out = floor(x / 2^shift), for a shift of either sign. Returns whether a bit
 * was lost. out may be x. */
bool bigint_shift(struct bigint *out, const struct bigint *x, int shift);

/* x = floor(x / d), d > 0. Returns whether something remains. */
bool bigint_divide(struct bigint *x, const struct bigint *d);

/* The same of one word. Returns what remains. */
uint64_t bigint_divide_word(struct bigint *x, uint64_t d);

/* x = floor(sqrt(x)). Returns whether something remains. */
bool bigint_root(struct bigint *x);
