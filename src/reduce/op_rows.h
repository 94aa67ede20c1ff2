/* SPDX-License-Identifier: MIT */
/*
 * The rows of the table of operations. OPS is their only list:
 *
 *   X(name, about, monoids, in_all, shown, identity)
 *
 * X's parameters are the members of struct op. The function finish_NAME is in
 * op_counts.c, op_sums.c, op_elements.c, op_quantiles.c, op_pairs.c or
 * op_distinct.c. Only files that finish or name operations include this one.
 */
#pragma once

#include "reduce/op.h"

#define COUNT MONOID_BIT(count)
#define SUM MONOID_BIT(sum)
#define SUMABS MONOID_BIT(sumabs)
#define SUMSQ MONOID_BIT(sumsq)
#define SUMCUBE MONOID_BIT(sumcube)
#define SUMFOURTH MONOID_BIT(sumfourth)
#define PROD MONOID_BIT(prod)
#define EXTREMA MONOID_BIT(extrema)
#define ABSEXTREMA MONOID_BIT(absextrema)
#define ENDS (MONOID_BIT(ends) | COUNT) /* `count` counts the NaN */
#define SUMB MONOID_BIT(sumb)
#define SUMSQB MONOID_BIT(sumsqb)
#define SUMAB MONOID_BIT(sumab)
#define SUMAAB MONOID_BIT(sumaab)
#define DISTINCT MONOID_BIT(distinct)
#define TALLIES (MONOID_BIT(tallies) | COUNT)
#define SKETCH MONOID_BIT(sketch)
#define RANKS MONOID_BIT(ranks)

#define OPS(X)                                                                 \
    X(rows, "number of records; of binary data, of values", 0, true,           \
      SHOWN_FOR_TEXT, NULL)                                                    \
    X(count, "number of values", 0, true, SHOWN_FOR_BINARY, NULL)              \
    X(n_missing, "number of missing cells", 0, true, SHOWN_IF_ANY, NULL)       \
    X(n_bad, "number of cells that --bad skip left out", 0, true,              \
      SHOWN_IF_ANY, NULL)                                                      \
    X(n_nan, "number of values that are NaN", COUNT, true, SHOWN_IF_ANY, NULL) \
    X(n_inf, "number of values that are infinite", COUNT, true, SHOWN_ALWAYS,  \
      NULL)                                                                    \
    X(sum, "sum of the values", SUM, true, SHOWN_ALWAYS, NULL)                 \
    X(prod, "product of the values", PROD, false, SHOWN_ALWAYS, NULL)          \
    X(min, "smallest value", EXTREMA, true, SHOWN_ALWAYS, identity_min)        \
    X(max, "largest value", EXTREMA, true, SHOWN_ALWAYS, identity_max)         \
    X(mean, "arithmetic mean", SUM, true, SHOWN_ALWAYS, no_number)             \
    X(argmin, "position of the smallest value, from 0", EXTREMA, true,         \
      SHOWN_ALWAYS, no_number)                                                 \
    X(argmax, "position of the largest value, from 0", EXTREMA, true,          \
      SHOWN_ALWAYS, no_number)                                                 \
    X(first, "first value", ENDS, false, SHOWN_ALWAYS, no_number)              \
    X(last, "last value", ENDS, false, SHOWN_ALWAYS, no_number)                \
    X(l1, "sum of the absolute values", SUMABS, true, SHOWN_ALWAYS, NULL)      \
    X(l2, "square root of the sum of squares", SUMSQ, true, SHOWN_ALWAYS,      \
      NULL)                                                                    \
    X(linf, "largest absolute value, or 0 without data", ABSEXTREMA, true,     \
      SHOWN_ALWAYS, NULL)                                                      \
    X(sumsq, "sum of the squares", SUMSQ, true, SHOWN_ALWAYS, NULL)            \
    X(rms, "square root of the mean of the squares", SUMSQ, true,              \
      SHOWN_ALWAYS, no_number)                                                 \
    X(var, "variance of a sample: divides by n - 1", SUM | SUMSQ, true,        \
      SHOWN_ALWAYS, no_number)                                                 \
    X(std, "standard deviation of a sample: by n - 1", SUM | SUMSQ, true,      \
      SHOWN_ALWAYS, no_number)                                                 \
    X(var_pop, "variance of all values: divides by n", SUM | SUMSQ, true,      \
      SHOWN_ALWAYS, no_number)                                                 \
    X(std_pop, "standard deviation of all values: by n", SUM | SUMSQ, true,    \
      SHOWN_ALWAYS, no_number)                                                 \
    X(skew, "skewness of a sample, corrected for its size",                    \
      SUM | SUMSQ | SUMCUBE, false, SHOWN_ALWAYS, no_number)                   \
    X(kurtosis, "excess kurtosis of a sample, corrected for its size",         \
      SUM | SUMSQ | SUMCUBE | SUMFOURTH, false, SHOWN_ALWAYS, no_number)       \
    X(median, "value in the middle of all in ascending order", RANKS, false,   \
      SHOWN_ALWAYS, no_number)                                                 \
    X(q1, "first quartile: p25", RANKS, false, SHOWN_ALWAYS, no_number)        \
    X(q3, "third quartile: p75", RANKS, false, SHOWN_ALWAYS, no_number)        \
    X(iqr, "third quartile minus the first", RANKS, false, SHOWN_ALWAYS,       \
      no_number)                                                               \
    X(p99, "percentile; any from p0 to p100, as p5 or p99.9", RANKS, false,    \
      SHOWN_ALWAYS, no_number)                                                 \
    X(histogram, "values in each of --bins bins; alone, a table",              \
      RANKS | EXTREMA, false, SHOWN_ALWAYS, NULL)                              \
    X(range, "largest value minus the smallest", EXTREMA, true, SHOWN_ALWAYS,  \
      no_number)                                                               \
    X(absmin, "smallest absolute value", ABSEXTREMA, true, SHOWN_ALWAYS,       \
      identity_absmin)                                                         \
    X(absmax, "largest absolute value", ABSEXTREMA, true, SHOWN_ALWAYS,        \
      identity_absmax)                                                         \
    X(any, "1 if any value is not zero, else 0", COUNT, true, SHOWN_ALWAYS,    \
      NULL)                                                                    \
    X(alltrue, "1 if no value is zero, else 0", COUNT, true, SHOWN_ALWAYS,     \
      NULL)                                                                    \
    X(cov, "covariance of two columns: divides by n - 1", SUM | SUMB | SUMAB,  \
      false, SHOWN_ALWAYS, no_number)                                          \
    X(corr, "Pearson's correlation of two columns",                            \
      SUM | SUMB | SUMSQ | SUMSQB | SUMAB, false, SHOWN_ALWAYS, no_number)     \
    X(nunique, "number of distinct values", DISTINCT, false, SHOWN_ALWAYS,     \
      NULL)                                                                    \
    X(approx_nunique, "estimate of that, within some percent, in 16 KiB",      \
      SKETCH, false, SHOWN_ALWAYS, NULL)                                       \
    X(mode, "most frequent value, the smallest of several", TALLIES, false,    \
      SHOWN_ALWAYS, no_number)                                                 \
    X(mode_count, "how often the most frequent value comes", TALLIES, false,   \
      SHOWN_ALWAYS, NULL)                                                      \
    X(mode_ties, "how many values come as often as that", TALLIES, false,      \
      SHOWN_ALWAYS, NULL)                                                      \
    X(reduce, "what --reduce makes of the values", 0, false, SHOWN_ALWAYS, NULL)

#define OP_DECLARE(name, about, monoids, in_all, shown, identity)             \
    bool finish_##name(const struct totals *t, uint64_t n, struct value *out, \
                       struct error *e);
OPS(OP_DECLARE)
#undef OP_DECLARE

/* Defines finish_NAME as an expression of t and n. */
#define FINISH(name, expression)                                              \
    bool finish_##name(const struct totals *t, uint64_t n, struct value *out, \
                       struct error *e)                                       \
    {                                                                         \
        (void)t, (void)n, (void)e;                                            \
        *out = expression;                                                    \
        return true;                                                          \
    }

/* The element with these raw bits. */
struct value op_element_value(const struct totals *t, uint64_t bits);

/* Identities, in op_identities.c. */
struct value no_number(enum dtype dtype);
struct value identity_min(enum dtype dtype);
struct value identity_max(enum dtype dtype);
struct value identity_absmin(enum dtype dtype);
struct value identity_absmax(enum dtype dtype);

/* The number of NaN among the data, read from the states of the set's monoids.
 * A state that was not computed counts 0. */
uint64_t op_nans(const struct totals *t, unsigned set);

/* Whether Inf or NaN among the addends decides the sum. Then sets *value. */
bool op_special_sum(const struct totals *t, enum monoid monoid, double *value);

/* Whether the op's value is NaN because the data have one. */
static inline bool op_is_nan(const struct totals *t, enum monoid monoid)
{
    return t->nan == NAN_PROPAGATE && op_nans(t, 1u << monoid) > 0;
}

/* The number in the name of a percentile; NULL for other ops. */
const char *op_percent(const struct op *op);

static inline struct value real(double x)
{
    return value_real(x, DTYPE_f64);
}
