/* SPDX-License-Identifier: MIT */
/* Operations of pairs of columns: of two columns, or of one and its weights. */
#include <math.h>
#include <string.h>

#include "reduce/finish.h"
#include "reduce/op_rows.h"

static const struct exact *sum_of(const struct totals *t, enum monoid monoid)
{
    return &t->state[monoid]->exact;
}

/* Whether NaN or Inf makes the result NaN. */
static bool is_special(const struct totals *t)
{
    const struct exact *x = sum_of(t, MONOID_sumab);
    return op_is_nan(t, MONOID_sumab) || x->plus_inf || x->minus_inf;
}

/* n * (sum of a * b) - (sum of a) * (sum of b), with its sign, in units of
 * 2^-2148.
 */
static void cross(struct bigint *to, const struct totals *t, uint64_t n)
{
    struct bigint a, b, product;
    finish_number(&a, sum_of(t, MONOID_sum));
    finish_number(&b, sum_of(t, MONOID_sumb));
    bigint_multiply(&product, &a, &b);
    finish_number(to, sum_of(t, MONOID_sumab));
    bigint_times(to, n);
    bigint_subtract(to, &product);
    to->negative &= to->words > 0;
}

static struct value covariance(const struct totals *t, uint64_t n)
{
    struct bigint above, below;
    if (is_special(t) || n < 2)
        return real(NAN);
    cross(&above, t, n);
    bigint_set(&below, n);
    bigint_times(&below, n - 1);
    return real(finish_ratio(&above, &below, sum_of(t, MONOID_sumab)->lsb,
                             false, t->decimals));
}

/* The square root of cross^2 / (spread of a * spread of b), with the sign of
 * cross.
 */
static struct value correlation(const struct totals *t, uint64_t n)
{
    struct bigint a, b, above, below;
    if (is_special(t))
        return real(NAN);
    finish_spread(&a, sum_of(t, MONOID_sum), sum_of(t, MONOID_sumsq), n);
    finish_spread(&b, sum_of(t, MONOID_sumb), sum_of(t, MONOID_sumsqb), n);
    bigint_multiply(&below, &a, &b);
    if (below.words == 0)
        return real(NAN);
    cross(&a, t, n);
    bigint_multiply(&above, &a, &a);
    above.negative = a.negative;
    return real(finish_ratio(&above, &below, 0, true, t->decimals));
}

FINISH(cov, covariance(t, n))
FINISH(corr, correlation(t, n))

/* The exact integer of a weighted sum over integers. */
static struct value integer_of(const struct exact *sum)
{
    struct value v = {.kind = VALUE_INTEGER};
    struct bigint x;
    finish_number(&x, sum);
    bigint_shift(&x, &x, -sum->lsb - 64 * (int)x.low);
    v.negative = x.negative && x.words > 0;
    memcpy(v.word, x.word, x.words * sizeof x.word[0]);
    return v;
}

/* Whether a number has a weight above 0. */
static bool has_weight(const struct totals *t)
{
    struct bigint weight;
    finish_number(&weight, sum_of(t, MONOID_sumb));
    return weight.words > 0;
}

/* Whether Inf, NaN or -0 among the values decides a weighted sum. Then sets
 * *value. Values of weight 0 do not make it -0. */
static bool special_sum(const struct totals *t, double *value)
{
    const struct exact *x = sum_of(t, MONOID_sumab);
    if (op_special_sum(t, MONOID_sumab, value))
        return true;
    *value = -0.0;
    return !x->not_negative_zero && t->n > x->nan && has_weight(t);
}

static struct value weighted_sum(const struct totals *t)
{
    const struct exact *x = sum_of(t, MONOID_sumab);
    double value;
    if (!dtype_is_float(t->dtype))
        return integer_of(x);
    return real(special_sum(t, &value)
                    ? value
                    : finish_quotient(x, 1, false, t->decimals));
}

static struct value weighted_mean(const struct totals *t)
{
    const struct exact *sum = sum_of(t, MONOID_sumab);
    const struct exact *weights = sum_of(t, MONOID_sumb);
    struct bigint above, below;
    double value;
    /* First, since the sum of weights lacks the weights of Inf. */
    if (special_sum(t, &value))
        return real(value);
    finish_number(&below, weights);
    if (below.words == 0)
        return real(NAN);
    finish_number(&above, sum);
    return real(finish_ratio(&above, &below, sum->lsb - weights->lsb, false,
                             t->decimals));
}

/* (W * sum of w x^2 - (sum of w x)^2) / (W * (W - less)) or its square root,
 * where W is the sum of the weights. */
static struct value weighted_variance(const struct totals *t, unsigned less,
                                      bool root)
{
    const struct exact *squares = sum_of(t, MONOID_sumaab);
    const struct exact *weights = sum_of(t, MONOID_sumb);
    struct bigint weight, rest, first, square, above, below;
    finish_number(&weight, weights);
    finish_number(&first, sum_of(t, MONOID_sumab));
    bigint_multiply(&square, &first, &first);
    finish_number(&first, squares);
    bigint_multiply(&above, &weight, &first);
    bigint_subtract(&above, &square);
    bigint_copy(&rest, &weight);
    bigint_set(&first, less);
    bigint_shift(&first, &first, weights->lsb);
    bigint_subtract(&rest, &first);
    bigint_multiply(&below, &weight, &rest);
    if (is_special(t) || below.words == 0 || below.negative)
        return real(NAN);
    return real(finish_ratio(&above, &below, squares->lsb - weights->lsb, root,
                             t->decimals));
}

/* An operation with weights, which has the name of the one without. */
#define WEIGHTED(name, value) static FINISH(weighted_##name, value)

WEIGHTED(sum, weighted_sum(t))
WEIGHTED(mean, weighted_mean(t))
WEIGHTED(var, weighted_variance(t, 1, false))
WEIGHTED(std, weighted_variance(t, 1, true))
WEIGHTED(var_pop, weighted_variance(t, 0, false))
WEIGHTED(std_pop, weighted_variance(t, 0, true))

#define ROW(name, monoids, identity)                                    \
    {                                                                   \
#name, "", monoids, true, SHOWN_ALWAYS, finish_weighted_##name, \
            identity                                                    \
    }

static const struct op weighted[] = {
    ROW(sum, SUMB | SUMAB, NULL),
    ROW(mean, SUMB | SUMAB, no_number),
    ROW(var, SUMB | SUMAB | SUMAAB, no_number),
    ROW(std, SUMB | SUMAB | SUMAAB, no_number),
    ROW(var_pop, SUMB | SUMAB | SUMAAB, no_number),
    ROW(std_pop, SUMB | SUMAB | SUMAAB, no_number),
};

const struct op *op_weighted(const struct op *op)
{
    for (size_t i = 0; i < sizeof weighted / sizeof weighted[0]; i++) {
        if (strcmp(op->name, weighted[i].name) == 0)
            return &weighted[i];
    }
    return NULL;
}

bool op_of_pairs(const struct op *op)
{
    return op->finish == finish_cov || op->finish == finish_corr;
}
