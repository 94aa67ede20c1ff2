/* SPDX-License-Identifier: MIT */
/*
 * Sums of doubles with their rounding errors, and a proof whether the rounded
 * sum is correct. These narrow states are for arrays with many results, where
 * an exact state would take too much memory.
 *
 * TwoSum (Knuth, TAOCP 2, 4.2.2; Moller 1965) gives fl(a + b) and its error,
 * exactly, unless it overflows. So the sum of all addends is sum + E, where E
 * is the sum of all errors, in any order of additions and merges. `rest` is E
 * computed in doubles and `bound` is the sum of their magnitudes, alike.
 *
 * How far `rest` is from E, with u = 2^-53: an error that is not 0 goes through
 * h additions at most, of which each multiplies by 1 + d, |d| <= u (additions
 * do not underflow), so |rest - E| <= ((1 + u)^h - 1) A, where A is the sum of
 * their true magnitudes, and bound >= (1 - u)^h A (Higham, Accuracy and
 * Stability of Numerical Algorithms, 4.2). An addend brings two errors at most,
 * so h <= 2 n for n addends. With h u <= 1/2 the first factor is at most 2 h u
 * and A <= 2 bound:
 *
 *     |rest - E| <= 8 n u bound = n 2^-50 bound,    n <= 2^51.
 *
 * And rest = E where bound <= 2^(52 + lsb), if all addends are multiples of
 * 2^lsb: so are all errors, and no sum of errors is beyond A <= 2^(53 + lsb).
 * `least` keeps lsb. Without that, what falls on a midpoint exactly, as one in
 * twenty short sums of uniform f64 does, could not be told from what is near
 * it.
 *
 * The caller chooses the order of additions, which may change the bits of
 * `rest`. A result that is certain is the correctly rounded sum, so it does not
 * depend on that order. The compiler must not contract these functions to FMA.
 */
#pragma once

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#include "reduce/float_format.h"
#include "reduce/hd.h"

/* Kinds of addends that `sum` does not have; a bit for each. */
enum {
    AXIS_NAN = 1,
    AXIS_PLUS_INF = 2,
    AXIS_MINUS_INF = 4,
    AXIS_INEXACT = 8 /* a square of f64 whose error is not a double */
};

struct axis_sum {
    double sum, rest, bound;
    uint32_t special;
    uint32_t least; /* of the addends that are not 0, by axis_size_f64 or f32 */
};

/* Says what was summed and how the result is read. */
struct axis_reading {
    double n; /* addends, at most 2^51 */
    double d; /* 0: the sum; else the mean, d <= 2^51 */
    int lsb;  /* all addends are multiples of 2^lsb */
};

/* -0 is the identity of addition, +0 is not: a sum of nothing but -0 is -0. */
HD void axis_sum_init(struct axis_sum *a)
{
    a->sum = -0.0;
    a->rest = a->bound = 0;
    a->special = 0;
    a->least = UINT32_MAX;
}

/* Returns fl(a + b), and a + b - fl(a + b) in *error: NaN where it overflows,
 * or where a or b is not finite. */
HD double axis_two_sum(double a, double b, double *error)
{
    const double s = a + b, part = s - a;
    *error = (a - (s - part)) + (b - part);
    return s;
}

HD void axis_sum_error(struct axis_sum *a, double error)
{
    a->rest += error;
    a->bound += fabs(error);
}

/* Adds a finite x; the caller keeps its size in `least`. After an overflow the
 * sum is never finite again. */
HD void axis_sum_add(struct axis_sum *a, double x)
{
    double error;
    a->sum = axis_two_sum(a->sum, x, &error);
    axis_sum_error(a, error);
}

HD bool axis_is_finite(double x)
{
    return x - x == 0;
}

HD uint32_t axis_special_of(double x)
{
    return x != x ? AXIS_NAN : x > 0 ? AXIS_PLUS_INF : AXIS_MINUS_INF;
}

/* Adds x * x of a finite double. The error of the product is a double where its
 * last bit, 2^(2 (e - 52)) for |x| >= 2^e, is not below 2^-1074. */
HD void axis_sum_add_square(struct axis_sum *a, double x)
{
    const double square = x * x;
    if (x != 0 && (fabs(x) < 0x1p-485 || !axis_is_finite(square))) {
        a->special |= AXIS_INEXACT;
        return;
    }
    axis_sum_add(a, square);
    axis_sum_error(a, fma(x, x, -square));
}

/* The size of an addend, in the order of magnitudes, but 0 is the greatest; it
 * may be one too small, as 2^e - 1. The last bits of all that are no smaller
 * are multiples of 2^axis_lsb_f64, or of its double for squares. */
HD uint32_t axis_size_f64(double x)
{
    const uint64_t bits = bits_of_double(x);
    return ((uint32_t)(bits >> 32) << 1 | ((uint32_t)bits != 0)) - 1;
}

HD uint32_t axis_size_f32(uint32_t bits)
{
    return (bits << 1) - 1;
}

HD int axis_lsb_f64(uint32_t size)
{
    return (int)(size >> 21) - 1075;
}

HD int axis_lsb_f32(uint32_t size)
{
    return (int)(size >> 24) - 150;
}

HD void axis_sum_size(struct axis_sum *a, uint32_t size)
{
    a->least = size < a->least ? size : a->least;
}

HD void axis_sum_merge(struct axis_sum *into, const struct axis_sum *from)
{
    double error;
    into->sum = axis_two_sum(into->sum, from->sum, &error);
    into->rest += from->rest;
    into->bound += from->bound;
    axis_sum_error(into, error);
    into->special |= from->special;
    axis_sum_size(into, from->least);
}

/* Whether rest has all errors, exactly. */
HD bool axis_rest_is_exact(const struct axis_sum *a, int lsb)
{
    const int top = 52 + (lsb > -1074 ? lsb : -1074);
    return top > 1023 ||
           a->bound <= double_of_bits((uint64_t)(top + 1023) << 52);
}

/*
 * Whether the double x, which is not tiny, is nearest to (high + low + e) / d
 * for all |e| <= slack. x is at most 1.5 of its last places from high / d, so
 * high - x d is exact by FMA: a multiple of x's last place, and less than 2^53
 * of them. With low, `distance` + `more` is d times how far x is from the
 * quotient; `half` is d times the way to the midpoint on that side, exactly.
 */
HD bool axis_is_nearest(double x, double high, double low, double d,
                        double slack)
{
    double more;
    const double distance = axis_two_sum(fma(-x, d, high), low, &more);
    const bool outward = (distance > 0) == (x > 0);
    const uint64_t bits = bits_of_double(x);
    const double next = double_of_bits(outward ? bits + 1 : bits - 1);
    const double half = fabs(next - x) / 2 * d;
    if (slack != 0)
        return fabs(distance) + 2 * slack < half * (1 - 0x1p-50);
    if (fabs(distance) != half)
        return fabs(distance) < half;
    return more == 0 ? (bits & 1) == 0 : (more < 0) == (distance > 0);
}

/* Returns the rounded result. Sets *certain if it is proved to be correct;
 * otherwise it may be wrong in its last place. */
HD double axis_sum_round(const struct axis_sum *a, const struct axis_reading *r,
                         bool *certain)
{
    const double d = r->d != 0 ? r->d : 1;
    double low;
    *certain = axis_is_finite(a->sum);
    if (a->bound == 0)
        return r->d != 0 ? a->sum / d : a->sum;
    const double high = axis_two_sum(a->sum, a->rest, &low);
    const bool exact = axis_rest_is_exact(a, r->lsb);
    const double slack = exact ? 0 : r->n * 0x1p-50 * a->bound;
    double x = high;
    if (r->d != 0) {
        const double q = high / d;
        x = q + (fma(-q, d, high) + low) / d;
    } else if (exact) {
        return high;
    }
    *certain = fabs(x) > 0x1p-900 && fabs(x) < 0x1p1020 &&
               axis_is_nearest(x, high, low, d, slack);
    return x;
}

/* The result: NaN or Inf if addends make it so, else the sum or the mean. Sets
 * *certain if an exact state gives the same bits. */
HD double axis_sum_result(const struct axis_sum *a,
                          const struct axis_reading *r, bool *certain)
{
    const uint32_t infinite = AXIS_PLUS_INF | AXIS_MINUS_INF;
    *certain = true;
    if (a->special & AXIS_NAN || (a->special & infinite) == infinite)
        return double_of_bits(0x7ff8ull << 48);
    if (a->special & infinite)
        return double_of_bits(
            (a->special & AXIS_MINUS_INF ? 0xfffull : 0x7ffull) << 52);
    const double x = axis_sum_round(a, r, certain);
    if (a->special)
        *certain = false;
    return x;
}
