/* SPDX-License-Identifier: MIT */
/*
 * The rows of the table of operations. OPS is their only list:
 *
 *   X(name, about, monoids, in_all, shown, identity)
 *
 * as the members of struct op; its function finish_NAME is in op_counts.c,
 * op_sums.c or op_elements.c. For op.c and these alone.
 */
#pragma once

#include "reduce/op.h"

#define COUNT MONOID_BIT(count)
#define SUM MONOID_BIT(sum)
#define SUMABS MONOID_BIT(sumabs)
#define SUMSQ MONOID_BIT(sumsq)
#define PROD MONOID_BIT(prod)
#define EXTREMA MONOID_BIT(extrema)
#define ABSEXTREMA MONOID_BIT(absextrema)
#define ENDS (MONOID_BIT(ends) | COUNT) /* which counts the NaN */

#define OPS(X)                                                                 \
    X(rows, "records, or elements of binary data", 0, true, SHOWN_FOR_TEXT,    \
      NULL)                                                                    \
    X(count, "number of elements", 0, true, SHOWN_FOR_BINARY, NULL)            \
    X(n_missing, "missing cells", 0, true, SHOWN_IF_ANY, NULL)                 \
    X(n_bad, "cells skipped as bad", 0, true, SHOWN_IF_ANY, NULL)              \
    X(n_nan, "elements that are NaN", COUNT, true, SHOWN_IF_ANY, NULL)         \
    X(n_inf, "elements that are infinite", COUNT, true, SHOWN_ALWAYS, NULL)    \
    X(sum, "sum", SUM, true, SHOWN_ALWAYS, NULL)                               \
    X(prod, "product", PROD, false, SHOWN_ALWAYS, NULL)                        \
    X(min, "least value", EXTREMA, true, SHOWN_ALWAYS, identity_min)           \
    X(max, "greatest value", EXTREMA, true, SHOWN_ALWAYS, identity_max)        \
    X(mean, "arithmetic mean", SUM, true, SHOWN_ALWAYS, no_number)             \
    X(argmin, "index of the first least value", EXTREMA, true, SHOWN_ALWAYS,   \
      no_number)                                                               \
    X(argmax, "index of the first greatest value", EXTREMA, true,              \
      SHOWN_ALWAYS, no_number)                                                 \
    X(first, "first element", ENDS, false, SHOWN_ALWAYS, no_number)            \
    X(last, "last element", ENDS, false, SHOWN_ALWAYS, no_number)              \
    X(l1, "sum of magnitudes", SUMABS, true, SHOWN_ALWAYS, NULL)               \
    X(l2, "root of the sum of squares", SUMSQ, true, SHOWN_ALWAYS, NULL)       \
    X(linf, "greatest magnitude, 0 of no data", ABSEXTREMA, true,              \
      SHOWN_ALWAYS, NULL)                                                      \
    X(sumsq, "sum of squares", SUMSQ, true, SHOWN_ALWAYS, NULL)                \
    X(rms, "root of the mean square", SUMSQ, true, SHOWN_ALWAYS, no_number)    \
    X(var, "sample variance", SUM | SUMSQ, true, SHOWN_ALWAYS, no_number)      \
    X(std, "sample standard deviation", SUM | SUMSQ, true, SHOWN_ALWAYS,       \
      no_number)                                                               \
    X(var_pop, "population variance", SUM | SUMSQ, true, SHOWN_ALWAYS,         \
      no_number)                                                               \
    X(std_pop, "population standard deviation", SUM | SUMSQ, true,             \
      SHOWN_ALWAYS, no_number)                                                 \
    X(range, "greatest less least value", EXTREMA, true, SHOWN_ALWAYS,         \
      no_number)                                                               \
    X(absmin, "least magnitude", ABSEXTREMA, true, SHOWN_ALWAYS,               \
      identity_absmin)                                                         \
    X(absmax, "greatest magnitude", ABSEXTREMA, true, SHOWN_ALWAYS,            \
      identity_absmax)                                                         \
    X(any, "1 if some element is not zero, else 0", COUNT, true, SHOWN_ALWAYS, \
      NULL)                                                                    \
    X(alltrue, "1 if no element is zero, else 0", COUNT, true, SHOWN_ALWAYS,   \
      NULL)

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

/* Identities, in op_identities.c. */
struct value no_number(enum dtype dtype);
struct value identity_min(enum dtype dtype);
struct value identity_max(enum dtype dtype);
struct value identity_absmin(enum dtype dtype);
struct value identity_absmax(enum dtype dtype);

/* The NaNs among the data, as the states of a set of monoids have seen them;
 * those that were not computed have none. */
uint64_t op_nans(const struct totals *t, unsigned set);

/* Whether the op's value is NaN as there are some among the data. */
static inline bool op_is_nan(const struct totals *t, enum monoid monoid)
{
    return t->nan == NAN_PROPAGATE && op_nans(t, 1u << monoid) > 0;
}

static inline struct value real(double x)
{
    return value_real(x, DTYPE_f64);
}
