/* SPDX-License-Identifier: MIT */
#include "axis_reference.h"

#include <math.h>
#include <string.h>

#include "reduce/exact.h"
#include "reduce/finish.h"

/* Exact: the mantissa has at most 64 bits, like that of long double. */
static long double value_of(const struct number *x)
{
    const long double v = ldexpl((long double)x->mantissa, x->exponent);
    return x->inf ? (x->negative ? -INFINITY : INFINITY)
                  : (x->negative ? -v : v);
}

static void look(struct axis_extreme *e, long double value, uint64_t bits,
                 uint32_t at, bool greater)
{
    if (e->at != AXIS_NONE && !(greater ? value > e->value : value < e->value))
        return;
    *e = (struct axis_extreme){value, bits, at};
}

/* The bits of the magnitude: of a float without the sign. */
static uint64_t magnitude_bits(enum dtype dtype, uint64_t bits,
                               const struct number *x)
{
    const unsigned size = dtype_info(dtype)->size;
    return dtype_is_float(dtype) ? bits & ~(1ull << (8 * size - 1))
                                 : x->mantissa << x->exponent;
}

static void add_sums(struct exact *sum, const struct number *x)
{
    const __int128 m = x->negative ? -(__int128)x->mantissa : x->mantissa;
    const bool negative_zero = x->mantissa == 0 && x->negative;
    sum[AXIS_SUM].not_negative_zero |= !negative_zero;
    for (int i = 0; i < 2; i++) {
        const __int128 v = i && m < 0 ? -m : m;
        if (v != 0)
            exact_add_shifted(&sum[i], v, (unsigned)(x->exponent - sum[i].lsb));
    }
    /* Squares of 64-bit integers need over 127 bits; no test uses them. */
    if (m != 0)
        exact_add_shifted(
            &sum[AXIS_SUMSQ],
            (__int128)((unsigned __int128)x->mantissa * x->mantissa),
            (unsigned)(2 * x->exponent - sum[AXIS_SUMSQ].lsb));
}

static void answer_step(struct axis_answer *a, struct exact *sum,
                        enum dtype dtype, uint64_t bits, uint32_t at)
{
    const struct number x = number_of(dtype, bits);
    a->n++;
    a->nonzero += x.nan || x.inf || x.mantissa != 0;
    a->nan += x.nan;
    a->plus_inf += x.inf && !x.negative;
    a->minus_inf += x.inf && x.negative;
    if (x.nan) {
        a->first_nan = at < a->first_nan ? at : a->first_nan;
        return;
    }
    const long double value = value_of(&x);
    const uint64_t magnitude = magnitude_bits(dtype, bits, &x);
    look(&a->least[0], value, bits, at, false);
    look(&a->greatest[0], value, bits, at, true);
    look(&a->least[1], fabsl(value), magnitude, at, false);
    look(&a->greatest[1], fabsl(value), magnitude, at, true);
    if (!x.inf)
        add_sums(sum, &x);
}

static void finish(struct axis_answer *a, int monoid, enum dtype dtype,
                   const struct exact *x)
{
    const uint64_t n = a->n - a->nan;
    const bool minus_zero = monoid == AXIS_SUM && !x->not_negative_zero;
    if (!dtype_is_float(dtype)) {
        memcpy(a->integer[monoid], exact_words(x), sizeof a->integer[monoid]);
        return;
    }
    a->sum[monoid] = minus_zero ? -0.0 : finish_quotient(x, 1, false, NULL);
    a->mean[monoid] = minus_zero ? -0.0 : finish_quotient(x, a->n, false, NULL);
    a->mean_of_numbers[monoid] =
        minus_zero || n == 0 ? -0.0 : finish_quotient(x, n, false, NULL);
}

void axis_answer_of(struct axis_answer *a, enum dtype dtype, const void *data,
                    size_t first, size_t length, size_t step)
{
    static const enum exact_map maps[] = {EXACT_VALUE, EXACT_MAGNITUDE,
                                          EXACT_SQUARE};
    struct exact sum[3];
    *a = (struct axis_answer){.first_nan = AXIS_NONE};
    for (int i = 0; i < 3; i++)
        exact_init(&sum[i], dtype, maps[i]);
    for (int i = 0; i < 2; i++)
        a->least[i].at = a->greatest[i].at = AXIS_NONE;
    for (size_t i = 0; i < length; i++)
        answer_step(a, sum, dtype, number_load(dtype, data, first + i * step),
                    (uint32_t)i);
    for (int i = 0; i < 3; i++)
        finish(a, i, dtype, &sum[i]);
}

bool axis_answer_float(const struct axis_answer *a, enum axis_monoid monoid,
                       bool mean, bool skip, double *value)
{
    const bool minus = a->minus_inf && monoid == AXIS_SUM;
    const bool plus = a->plus_inf || (a->minus_inf && !minus);
    if (skip && a->nan == a->n)
        return false;
    if ((a->nan && !skip) || (plus && minus))
        *value = NAN;
    else if (plus || minus)
        *value = plus ? INFINITY : -INFINITY;
    else
        *value = !mean  ? a->sum[monoid]
                 : skip ? a->mean_of_numbers[monoid]
                        : a->mean[monoid];
    return true;
}
