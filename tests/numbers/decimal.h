/* SPDX-License-Identifier: MIT */
/* Exact decimals of n * 2^k, by school arithmetic on digits. They give texts on
 * the midpoint of two floats, and texts arbitrarily near to it. */
#pragma once

#include <stdint.h>

enum { DECIMAL_PARTS = 140 };

/* The sum of part[i] * 10^(9 i), times 10^exponent. */
struct decimal {
    unsigned parts;
    uint32_t part[DECIMAL_PARTS]; /* below 10^9, the last one not 0 */
    int exponent;
};

/* *d = n * 2^k; n is not 0, -1100 <= k <= 1100. */
void decimal_set(struct decimal *d, uint64_t n, int k);

/* Writes all digits, without exponent, point or NUL. Returns their number. */
unsigned decimal_digits(char *text, const struct decimal *d);
