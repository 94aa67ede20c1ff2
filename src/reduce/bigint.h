/* SPDX-License-Identifier: MIT */
/*
 * Integers of thousands of bits, from which results are computed out of exact
 * sums. They live on the stack for one result at a time: nothing is allocated,
 * and the time of a function depends only on the words in use.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum {
    /* The skewness of f64 with 1074 decimals needs the most words. A sum of
     * cubes times n^2 has 102. Its square times n^2 is multiplied by 4 * 10^(2
     * * 1074), which has 112, and then divided by a number of about as many. */
    BIGINT_WORDS = 336,
};

/* The magnitude is word[], little-endian, times 2^(64 low): `low` words of
 * zeros are not stored. */
struct bigint {
    bool negative; /* without meaning if the integer is 0 */
    unsigned low;
    unsigned words;              /* in use; the last of them is not 0 */
    uint64_t word[BIGINT_WORDS]; /* beyond `words` not set */
};

void bigint_set(struct bigint *x, uint64_t value);
void bigint_copy(struct bigint *to, const struct bigint *from);

/* Drops leading words of zeros. Call it after filling the words directly. */
void bigint_trim(struct bigint *x);

/* x *= factor, out = a * b, a += b, a -= b. */
void bigint_times(struct bigint *x, uint64_t factor);
void bigint_multiply(struct bigint *out, const struct bigint *a,
                     const struct bigint *b);
void bigint_add(struct bigint *a, const struct bigint *b);
void bigint_subtract(struct bigint *a, const struct bigint *b);

/* |a| < |b|. */
bool bigint_is_less(const struct bigint *a, const struct bigint *b);

/* The functions below use only the words: `low` must be 0, the sign is ignored.
 */

/* The number of bits up to the highest one that is set. */
unsigned bigint_bits(const struct bigint *x);

/* out = floor(x / 2^shift); shift may be negative. Returns whether a set bit
 * was shifted out. out may be x. */
bool bigint_shift(struct bigint *out, const struct bigint *x, int shift);

/* x = floor(x / d), d > 0. Returns whether there is a remainder. */
bool bigint_divide(struct bigint *x, const struct bigint *d);

/* x = floor(x / d), d > 0. Returns the remainder. */
uint64_t bigint_divide_word(struct bigint *x, uint64_t d);

/* x = floor(sqrt(x)). Returns whether x was not a square. */
bool bigint_root(struct bigint *x);
