/* SPDX-License-Identifier: MIT */
/* Operations computed from exact sums, and the product. */
#include <math.h>

#include "reduce/finish.h"
#include "reduce/op_rows.h"

/* The exact integer of a sum over integers. */
static struct value integer_of(const struct exact *x)
{
    struct value v = {.kind = VALUE_INTEGER, .negative = exact_is_negative(x)};
    exact_magnitude(x, v.word + x->first);
    return v;
}

bool op_special_sum(const struct totals *t, enum monoid monoid, double *value)
{
    const struct exact *x = &t->state[monoid]->exact;
    if (op_is_nan(t, monoid) || (x->plus_inf && x->minus_inf))
        *value = NAN;
    else if (x->plus_inf || x->minus_inf)
        *value = x->plus_inf ? INFINITY : -INFINITY;
    else
        return false;
    return true;
}

/* The sum of the monoid divided by `divisor`, or the root of that. */
static double sum_value(const struct totals *t, enum monoid monoid,
                        uint64_t divisor, bool root)
{
    const struct exact *x = &t->state[monoid]->exact;
    double value;
    if (op_special_sum(t, monoid, &value))
        return value;
    if (!x->not_negative_zero && t->n > x->nan)
        return -0.0;
    return finish_quotient(x, divisor, root, t->decimals);
}

/* The sum itself; of integers it is exact. */
static struct value sum_of(const struct totals *t, enum monoid monoid)
{
    return dtype_is_float(t->dtype) ? real(sum_value(t, monoid, 1, false))
                                    : integer_of(&t->state[monoid]->exact);
}

FINISH(sum, sum_of(t, MONOID_sum))
FINISH(l1, sum_of(t, MONOID_sumabs))
FINISH(sumsq, sum_of(t, MONOID_sumsq))
FINISH(mean, real(sum_value(t, MONOID_sum, n, false)))
FINISH(l2, real(sum_value(t, MONOID_sumsq, 1, true)))
FINISH(rms, real(sum_value(t, MONOID_sumsq, n, true)))

/* The variance with n - less degrees of freedom, or its square root. */
static struct value variance(const struct totals *t, uint64_t n, unsigned less,
                             bool root)
{
    const struct exact *sum = &t->state[MONOID_sum]->exact;
    const struct exact *squares = &t->state[MONOID_sumsq]->exact;
    if (op_is_nan(t, MONOID_sum) || squares->plus_inf || n <= less)
        return real(NAN);
    return real(finish_variance(sum, squares, n, n - less, root, t->decimals));
}

FINISH(var, variance(t, n, 1, false))
FINISH(std, variance(t, n, 1, true))
FINISH(var_pop, variance(t, n, 0, false))
FINISH(std_pop, variance(t, n, 0, true))

static const struct exact *sum_at(const struct totals *t, enum monoid monoid)
{
    return t->state[monoid] ? &t->state[monoid]->exact : NULL;
}

/* A higher moment, which needs at least so many numbers. */
static struct value moment(const struct totals *t, uint64_t n, uint64_t least,
                           double (*finish)(const struct sums *,
                                            struct decimals *))
{
    const struct sums sums = {sum_at(t, MONOID_sum), sum_at(t, MONOID_sumsq),
                              sum_at(t, MONOID_sumcube),
                              sum_at(t, MONOID_sumfourth), n};
    if (op_is_nan(t, MONOID_sum) || sums.squares->plus_inf || n < least)
        return real(NAN);
    return real(finish(&sums, t->decimals));
}

FINISH(skew, moment(t, n, 3, finish_third))
FINISH(kurtosis, moment(t, n, 4, finish_fourth))

static bool finish_integer_prod(const struct prod_integer *p, struct value *out,
                                struct error *e)
{
    if (p->zero)
        *out = value_unsigned(0);
    else if (p->too_large)
        return error_set(e, ERROR_DATA,
                         "the product of these integers does not fit 128 bits");
    else
        *out = value_integer(p->negative, p->low, p->high);
    return true;
}

bool finish_prod(const struct totals *t, uint64_t n, struct value *out,
                 struct error *e)
{
    const struct prod *p = &t->state[MONOID_prod]->prod;
    (void)n;
    if (!dtype_is_float(t->dtype))
        return finish_integer_prod(&p->integer, out, e);
    struct prod_node node = prod_value(p);
    /* Beyond these exponents the result is 0 or Inf, whatever the mantissa. */
    int64_t limit = 4096;
    int64_t exponent = node.exponent > limit    ? limit
                       : node.exponent < -limit ? -limit
                                                : node.exponent;
    double value = ldexp(node.mantissa, (int)exponent);
    if (op_is_nan(t, MONOID_prod) || (p->zeros && p->infs))
        value = NAN;
    else if (p->zeros || p->infs)
        value = copysign(p->zeros ? 0.0 : INFINITY, node.mantissa);
    *out = real(value);
    return true;
}
