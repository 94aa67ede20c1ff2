/* SPDX-License-Identifier: MIT */
/*
 * From exact states to f64: the infinitely precise value, rounded once, ties
 * to even, with subnormal and overflowing results right. Specials (NaN, Inf,
 * -0) are the caller's: only the numbers of the states are read here.
 *
 * With decimals, a result that is finite in f64 is also rounded to decimals,
 * from the exact value; NULL asks for none.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "reduce/decimals.h"
#include "reduce/exact.h"
#include "reduce/value.h"

/* x / divisor, divisor > 0. */
double finish_quotient(const struct exact *x, uint64_t divisor,
                       struct decimals *decimals);

/* The square root of x / divisor, x >= 0. */
double finish_root(const struct exact *x, uint64_t divisor,
                   struct decimals *decimals);

/* (n * squares - sum^2) / (n * divisor), or its square root; squares and sum
 * are of the same n >= 1 numbers. The variance, with divisor n or n - 1. */
double finish_variance(const struct exact *sum, const struct exact *squares,
                       uint64_t n, uint64_t divisor, bool root,
                       struct decimals *decimals);

/* The sums of the powers of n numbers: of dtypes and maps as monoids have
 * them. */
struct sums {
    const struct exact *sum, *squares, *cubes, *fourths;
    uint64_t n;
};

/* The skewness and the excess kurtosis of a sample, corrected for its size; of
 * equal numbers 0. n >= 3, and n >= 4; fourths are of the kurtosis alone. */
double finish_third(const struct sums *s, struct decimals *decimals);
double finish_fourth(const struct sums *s, struct decimals *decimals);

/* The integers from which results are computed: |x| and its sign, in units of
 * 2^lsb; and n * squares - sum^2, which is n^2 times the variance. */
void finish_number(struct bigint *to, const struct exact *x);
void finish_spread(struct bigint *to, const struct exact *sum,
                   const struct exact *squares, uint64_t n);

/* A finite value as a multiple of 2^exponent, which may be that of the least
 * f64 or less, or of an integer 0. */
void finish_value(struct bigint *to, const struct value *v, int exponent);

/* above / below * 2^exponent, or the root of its magnitude with its sign.
 * below > 0. */
double finish_ratio(const struct bigint *above, const struct bigint *below,
                    int exponent, bool root, struct decimals *decimals);
