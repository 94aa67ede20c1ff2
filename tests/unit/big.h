/* SPDX-License-Identifier: MIT */
/*
 * Integers of any size, slow and plain: the oracle of exact arithmetic. They
 * share nothing with the code under test. A number too large for BIG_LIMBS ends
 * the program.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { BIG_LIMBS = 320 };

struct big {
    bool negative; /* false for 0 */
    unsigned n;    /* limbs in use; the top one is not 0 */
    uint32_t limb[BIG_LIMBS];
};

void big_set(struct big *x, uint64_t value);
void big_set_signed(struct big *x, __int128 value);
void big_negate(struct big *x);
void big_add(struct big *to, const struct big *x);
void big_subtract(struct big *from, const struct big *x);
void big_multiply(struct big *to, const struct big *x);
void big_times(struct big *to, uint64_t factor);
void big_plus(struct big *to, int64_t addend);
/* *x *= 2^bits. */
void big_shift(struct big *x, unsigned bits);
/* Returns -1, 0 or 1. */
int big_compare(const struct big *a, const struct big *b);

/* Reads two's complement words, little-endian. */
void big_of_words(struct big *x, const uint64_t *word, size_t words);
/* Writes two's complement words. Returns false if x does not fit. */
bool big_to_words(const struct big *x, uint64_t *word, size_t words);

/* Reads decimal digits with an optional sign. Returns false for anything
 * else. */
bool big_of_text(struct big *x, const char *text);

/* Splits a finite double into x * 2^exponent, where x is odd or 0 and exponent
 * >= -1074. */
void big_of_double(struct big *x, int *exponent, double value);
