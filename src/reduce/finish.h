/* SPDX-License-Identifier: MIT */
/*
 * Computes f64 results from exact states: the infinitely precise value, rounded
 * once, ties to even, also if it is subnormal or overflows. The caller handles
 * NaN, Inf and -0: these functions read only the sums of the numbers.
 *
 * If `decimals` is not NULL, a result that is finite in f64 is also rounded to
 * decimals, from the exact value.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "reduce/decimals.h"
#include "reduce/exact.h"
#include "reduce/value.h"

/* x / divisor, divisor > 0; with `root`, the square root of it, x >= 0. */
double finish_quotient(const struct exact *x, uint64_t divisor, bool root,
                       struct decimals *decimals);

/* (n * squares - sum^2) / (n * divisor), or its square root; squares and sum
 * are of the same n >= 1 numbers. The variance, with divisor n or n - 1. */
double finish_variance(const struct exact *sum, const struct exact *squares,
                       uint64_t n, uint64_t divisor, bool root,
                       struct decimals *decimals);

/* The sums of the powers of n numbers, in the layouts of their monoids. */
struct sums {
    const struct exact *sum, *squares, *cubes, *fourths;
    uint64_t n;
};

/* The skewness (n >= 3) and the excess kurtosis (n >= 4) of a sample, corrected
 * for its size. 0 if all numbers are equal. Only the kurtosis reads `fourths`.
 */
double finish_third(const struct sums *s, struct decimals *decimals);
double finish_fourth(const struct sums *s, struct decimals *decimals);

/* Compute the integers from which results are made. finish_number: |x| and its
 * sign, in units of 2^lsb. finish_spread: n * squares - sum^2, which is n^2
 * times the variance. */
void finish_number(struct bigint *to, const struct exact *x);
void finish_spread(struct bigint *to, const struct exact *sum,
                   const struct exact *squares, uint64_t n);

/* A finite value as a multiple of 2^exponent: at most the least f64's exponent
 * or, if the value is an integer, 0. */
void finish_value(struct bigint *to, const struct value *v, int exponent);

/* above / below * 2^exponent, below > 0; with `root`, the square root of its
 * magnitude, with its sign. */
double finish_ratio(const struct bigint *above, const struct bigint *below,
                    int exponent, bool root, struct decimals *decimals);
