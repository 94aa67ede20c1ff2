/* SPDX-License-Identifier: MIT */
/*
 * Products of two columns of f64. Each is a sum of two f64: a * b rounded, and
 * the rounding error, which is an f64 unless it underflows. The float sums then
 * add both.
 */
#pragma once

#include "reduce/cpu/vector.h"

/* A product of at least 2^PRODUCT_EXPONENT_MIN has no bit below 2^-1074: the
 * product of its factors' last bits is at least 2^(PRODUCT_EXPONENT_MIN - 105).
 */
enum { PRODUCT_EXPONENT_MIN = -968 };

/* See struct cpu_loops. */
static unsigned products(const double *a, const double *b, size_t n, double *p,
                         double *e)
{
    const vint inf = (vint){0} + (0x7ffll << 52);
    const vint least = (vint){0} + ((1023ll + PRODUCT_EXPONENT_MIN) << 52);
    vint bad = {0}, errors = {0};
    for (size_t i = 0; i < n; i += VECTOR_LANES) {
        const vdouble x = load_f64(a + i), y = load_f64(b + i);
        const vdouble product = x * y, error = product_errors(x, y, product);
        const vint size = (vint)product & INT64_MAX;
        const vint lacks = (vint)error & INT64_MAX;
        const vint is_zero = (vint)(x == 0.0) | (vint)(y == 0.0);
        bad |= ~(((size >= least) | is_zero) & (size < inf) & (lacks < inf));
        errors |= lacks;
        memcpy(p + i, &product, sizeof product);
        memcpy(e + i, &error, sizeof error);
    }
    return (any_bits(errors) ? PRODUCTS_ROUND : 0) |
           (any_bits(bad) ? PRODUCTS_INEXACT : 0);
}
