/* SPDX-License-Identifier: MIT */
/* Exact results rounded to decimals, ties to even. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum {
    /* The last decimal that an f64 can have. */
    DECIMALS_DIGITS = 1074,
    /* A sign, the digits of the greatest f64, a point, decimals and a NUL. */
    DECIMALS_MAX = 1 + 309 + 1 + DECIMALS_DIGITS + 1,
};

/* A result as text, with so many digits after the point. */
struct decimals {
    unsigned digits;
    char text[DECIMALS_MAX];
};

/* A number that is not negative: word, little-endian, of at most 70 words, * 2^
 * exponent / (divisor[0] * divisor[1]), or its root. */
struct decimals_of {
    const uint64_t *word;
    unsigned words;
    int exponent;
    uint64_t divisor[2];
    bool root;
};

/* Writes the number, with a sign if it is negative, also where it becomes 0. It
 * must be below 2^1024. */
void decimals_put(struct decimals *to, const struct decimals_of *x,
                  bool negative);

/* The same of a finite f64. */
void decimals_put_double(struct decimals *to, double x);

/* floor(sqrt(x)); *rest tells whether the exact root is larger. */
uint64_t decimals_root(unsigned __int128 x, bool *rest);
