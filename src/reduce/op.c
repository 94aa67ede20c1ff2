/* SPDX-License-Identifier: MIT */
#include "reduce/op.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "reduce/finish.h"

static struct value real(double x)
{
    return value_real(x, DTYPE_f64);
}

/* The NaNs among the data that the states of a set of monoids saw. */
static uint64_t nans_of(const struct totals *t, unsigned set)
{
    for (int m = 0; m < MONOIDS_END; m++) {
        if (set >> m & 1 && monoids[m].nans)
            return monoids[m].nans(t->state[m]);
    }
    return 0;
}

static bool is_nan(const struct totals *t, enum monoid monoid)
{
    return t->nan == NAN_PROPAGATE && nans_of(t, 1u << monoid) > 0;
}

static bool finish_count(const struct totals *t, uint64_t n, struct value *out,
                         struct error *e)
{
    (void)t, (void)e;
    *out = value_unsigned(n);
    return true;
}

/* The exact integer of a sum over integers. */
static struct value integer_of(const struct exact *x)
{
    struct value v = {.kind = VALUE_INTEGER, .negative = exact_sign(x) < 0};
    struct exact magnitude;
    exact_copy(&magnitude, x);
    if (v.negative)
        exact_negate(&magnitude);
    memcpy(v.word, magnitude.word, sizeof v.word);
    return v;
}

/* True where Inf or NaN among the addends settles a sum's value. */
static bool special_sum(const struct totals *t, enum monoid monoid,
                        double *value)
{
    const struct exact *x = &t->state[monoid]->exact;
    if (is_nan(t, monoid) || (x->plus_inf && x->minus_inf))
        *value = NAN;
    else if (x->plus_inf || x->minus_inf)
        *value = x->plus_inf ? INFINITY : -INFINITY;
    else
        return false;
    return true;
}

/* A sum of the monoid over n / divisor, or its root. */
static double sum_value(const struct totals *t, enum monoid monoid,
                        uint64_t divisor, bool root)
{
    const struct exact *x = &t->state[monoid]->exact;
    double value;
    if (special_sum(t, monoid, &value))
        return value;
    if (!x->not_negative_zero && t->n > x->nan)
        return -0.0;
    return root ? finish_root(x, divisor) : finish_quotient(x, divisor);
}

static bool finish_a_sum(const struct totals *t, enum monoid monoid,
                         struct value *out)
{
    *out = dtype_is_float(t->dtype) ? real(sum_value(t, monoid, 1, false))
                                    : integer_of(&t->state[monoid]->exact);
    return true;
}

#define FINISH(name, expression)                                               \
    static bool finish_##name(const struct totals *t, uint64_t n,              \
                              struct value *out, struct error *e)              \
    {                                                                          \
        (void)n, (void)e;                                                      \
        *out = expression;                                                     \
        return true;                                                           \
    }

#define FINISH_SUM(name, monoid)                                               \
    static bool finish_##name(const struct totals *t, uint64_t n,              \
                              struct value *out, struct error *e)              \
    {                                                                          \
        (void)n, (void)e;                                                      \
        return finish_a_sum(t, MONOID_##monoid, out);                          \
    }

static const struct count *count_of(const struct totals *t)
{
    return &t->state[MONOID_count]->count;
}

FINISH(rows, value_unsigned(t->rows))
FINISH(n_missing, value_unsigned(t->missing))
FINISH(n_bad, value_unsigned(t->bad))
FINISH(n_nan, value_unsigned(count_of(t)->nan))
FINISH(n_inf, value_unsigned(count_of(t)->inf))
FINISH_SUM(sum, sum)
FINISH_SUM(l1, sumabs)
FINISH_SUM(sumsq, sumsq)
FINISH(mean, real(sum_value(t, MONOID_sum, n, false)))
FINISH(l2, real(sum_value(t, MONOID_sumsq, 1, true)))
FINISH(rms, real(sum_value(t, MONOID_sumsq, n, true)))

/* The variance with `less` degrees of freedom fewer than n, or its root. */
static struct value variance(const struct totals *t, uint64_t n, unsigned less,
                             bool root)
{
    const struct exact *sum = &t->state[MONOID_sum]->exact;
    const struct exact *squares = &t->state[MONOID_sumsq]->exact;
    if (is_nan(t, MONOID_sum) || squares->plus_inf || n <= less)
        return real(NAN);
    return real(finish_variance(sum, squares, n, n - less, root));
}

FINISH(var, variance(t, n, 1, false))
FINISH(std, variance(t, n, 1, true))
FINISH(var_pop, variance(t, n, 0, false))
FINISH(std_pop, variance(t, n, 0, true))

/* The element with these raw bits; of_magnitude: bits is an |x|, so that an
 * integer's are unsigned. */
static struct value element_value(const struct totals *t, uint64_t bits,
                                  bool of_magnitude)
{
    if (dtype_is_float(t->dtype))
        return value_real(dtype_to_double(t->dtype, bits), t->dtype);
    if (of_magnitude || !dtype_is_signed(t->dtype))
        return value_unsigned(bits);
    unsigned shift = 64 - 8 * dtype_info(t->dtype)->size;
    int64_t x = (int64_t)(bits << shift) >> shift;
    return value_integer(x < 0, x < 0 ? 0 - (uint64_t)x : (uint64_t)x, 0);
}

/* The integers that f64 cannot hold; NULL: they were not looked for. */
static const struct wide *wide_of(const struct totals *t)
{
    return t->state[MONOID_wide] ? &t->state[MONOID_wide]->wide : NULL;
}

/* The integer beside the f64 values, if it is the extremum and not x; else
 * NULL. Of equal ones it is the first. */
static const struct wide_integer *wide_extremum(const struct totals *t,
                                                enum monoid monoid,
                                                bool greatest,
                                                const struct extremum *x)
{
    const struct wide *wide = wide_of(t);
    if (!wide)
        return NULL;
    const struct wide_integer *w =
        monoid == MONOID_extrema
            ? (greatest ? &wide->max : &wide->min)
            : (greatest ? &wide->absmax : &wide->absmin);
    if (w->magnitude == 0)
        return NULL;
    if (x->index == INDEX_NONE)
        return w;
    int order = wide_compare(w, dtype_to_double(t->dtype, x->bits));
    bool is_it = order == 0 ? w->index < x->index : greatest == (order > 0);
    return is_it ? w : NULL;
}

/* The least or greatest element and its index. */
static struct value extremum(const struct totals *t, enum monoid monoid,
                             bool greatest, uint64_t *index)
{
    const struct extrema *found = &t->state[monoid]->extrema;
    const struct extremum *x = greatest ? &found->max : &found->min;
    const struct wide_integer *w = wide_extremum(t, monoid, greatest, x);
    *index = found->first_nan;
    if (is_nan(t, monoid))
        return value_real(NAN, t->dtype);
    *index = w ? w->index : x->index;
    if (w)
        return value_integer(w->negative, w->magnitude, 0);
    return element_value(t, x->bits, monoid == MONOID_absextrema);
}

static struct value extremum_value(const struct totals *t, enum monoid monoid,
                                   bool greatest)
{
    uint64_t index;
    return extremum(t, monoid, greatest, &index);
}

static struct value extremum_index(const struct totals *t, bool greatest)
{
    uint64_t index;
    extremum(t, MONOID_extrema, greatest, &index);
    return value_unsigned(index);
}

static struct value end(const struct totals *t, bool last)
{
    const struct ends *x = &t->state[MONOID_ends]->ends;
    const struct end_element *number =
        last ? &x->last_number : &x->first_number;
    const struct end_element *any = last ? &x->last : &x->first;
    const struct end_element *found = t->nan == NAN_SKIP ? number : any;
    const struct wide *wide = wide_of(t);
    const struct wide_integer *w =
        !wide ? NULL : last ? &wide->last : &wide->first;
    /* INDEX_NONE is the greatest index, and the least after adding 1. */
    if (w && w->magnitude &&
        (last ? w->index + 1 > found->index + 1 : w->index < found->index))
        return value_integer(w->negative, w->magnitude, 0);
    return element_value(t, found->bits, false);
}

FINISH(first, end(t, false))
FINISH(last, end(t, true))
FINISH(min, extremum_value(t, MONOID_extrema, false))
FINISH(max, extremum_value(t, MONOID_extrema, true))
FINISH(argmin, extremum_index(t, false))
FINISH(argmax, extremum_index(t, true))
FINISH(absmin, extremum_value(t, MONOID_absextrema, false))
FINISH(absmax, extremum_value(t, MONOID_absextrema, true))

static bool finish_linf(const struct totals *t, uint64_t n, struct value *out,
                        struct error *e)
{
    if (n > 0)
        return finish_absmax(t, n, out, e);
    *out = dtype_is_float(t->dtype) ? value_real(0, t->dtype)
                                    : value_unsigned(0);
    return true;
}

/* x += the value, an integer or a finite f64. */
static void add_value(struct exact *x, const struct value *v, bool subtract)
{
    int exponent = 0;
    __int128 mantissa = v->word[0];
    bool negative = v->negative;
    if (v->kind == VALUE_REAL) {
        negative = v->real < 0;
        mantissa = (int64_t)ldexp(frexp(fabs(v->real), &exponent), 53);
        exponent -= 53;
        /* A subnormal's last bits are zeros. */
        for (; exponent < x->lsb && mantissa; exponent++)
            mantissa /= 2;
    }
    exact_add_shifted(x, negative != subtract ? -mantissa : mantissa,
                      (unsigned)(exponent - x->lsb));
}

/* high - low, rounded once. */
static double real_difference(const struct value *high,
                              const struct value *low)
{
    struct exact x;
    if (high->kind == VALUE_REAL && low->kind == VALUE_REAL)
        return high->real - low->real;
    if (high->kind == VALUE_REAL && isinf(high->real))
        return high->real;
    if (low->kind == VALUE_REAL && isinf(low->real))
        return -low->real;
    exact_init(&x, DTYPE_f64, EXACT_VALUE);
    add_value(&x, high, false);
    add_value(&x, low, true);
    return finish_quotient(&x, 1);
}

static bool finish_range(const struct totals *t, uint64_t n, struct value *out,
                         struct error *e)
{
    struct value low = extremum_value(t, MONOID_extrema, false);
    struct value high = extremum_value(t, MONOID_extrema, true);
    (void)n, (void)e;
    if (dtype_is_float(t->dtype)) {
        *out = real(real_difference(&high, &low));
        return true;
    }
    __int128 a = low.word[0], b = high.word[0];
    __int128 range = (high.negative ? -b : b) - (low.negative ? -a : a);
    *out = value_integer(false, (uint64_t)range, (uint64_t)(range >> 64));
    return true;
}

static bool finish_integer_prod(const struct prod_integer *p,
                                struct value *out, struct error *e)
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

static bool finish_prod(const struct totals *t, uint64_t n, struct value *out,
                        struct error *e)
{
    const struct prod *p = &t->state[MONOID_prod]->prod;
    (void)n;
    if (!dtype_is_float(t->dtype))
        return finish_integer_prod(&p->integer, out, e);
    struct prod_node node = prod_value(p);
    /* Past these the result is 0 or Inf, whatever the mantissa. */
    int64_t limit = 4096;
    int64_t exponent = node.exponent > limit    ? limit
                       : node.exponent < -limit ? -limit
                                                : node.exponent;
    double value = ldexp(node.mantissa, (int)exponent);
    if (is_nan(t, MONOID_prod) || (p->zeros && p->infs))
        value = NAN;
    else if (p->zeros || p->infs)
        value = copysign(p->zeros ? 0.0 : INFINITY, node.mantissa);
    *out = real(value);
    return true;
}

static bool finish_any(const struct totals *t, uint64_t n, struct value *out,
                       struct error *e)
{
    const struct count *c = count_of(t);
    (void)n, (void)e;
    *out = value_unsigned(c->nonzero > (t->nan == NAN_SKIP ? c->nan : 0));
    return true;
}

static bool finish_alltrue(const struct totals *t, uint64_t n,
                           struct value *out, struct error *e)
{
    const struct count *c = count_of(t);
    (void)e;
    *out = value_unsigned(c->nonzero - (t->nan == NAN_SKIP ? c->nan : 0) == n);
    return true;
}

static struct value no_number(enum dtype dtype)
{
    (void)dtype;
    return real(NAN);
}

static uint64_t greatest_unsigned(enum dtype dtype)
{
    return UINT64_MAX >> (64 - 8 * dtype_info(dtype)->size);
}

static struct value identity_min(enum dtype dtype)
{
    if (dtype_is_float(dtype))
        return value_real(INFINITY, dtype);
    return value_unsigned(greatest_unsigned(dtype) >> dtype_is_signed(dtype));
}

static struct value identity_max(enum dtype dtype)
{
    if (dtype_is_float(dtype))
        return value_real(-INFINITY, dtype);
    if (!dtype_is_signed(dtype))
        return value_unsigned(0);
    return value_integer(true, greatest_unsigned(dtype) / 2 + 1, 0);
}

static struct value identity_absmin(enum dtype dtype)
{
    if (dtype_is_float(dtype) || !dtype_is_signed(dtype))
        return identity_min(dtype);
    return value_unsigned(greatest_unsigned(dtype) / 2 + 1);
}

static struct value identity_absmax(enum dtype dtype)
{
    return dtype_is_float(dtype) ? value_real(0, dtype) : value_unsigned(0);
}

#define COUNT MONOID_BIT(count)
#define SUM MONOID_BIT(sum)
#define SUMABS MONOID_BIT(sumabs)
#define SUMSQ MONOID_BIT(sumsq)
#define EXTREMA MONOID_BIT(extrema)
#define ABSEXTREMA MONOID_BIT(absextrema)
#define ENDS (MONOID_BIT(ends) | COUNT) /* which counts the NaN */

#define ROW(name, about, monoids, in_all, shown, identity)            \
    {                                                                 \
#name, about, monoids, in_all, shown, finish_##name, identity \
    }
#define OP(name, about, monoids, identity) \
    ROW(name, about, monoids, true, SHOWN_ALWAYS, identity)

static const struct op table[] = {
    ROW(rows, "records, or elements of binary data", 0, true, SHOWN_FOR_TEXT,
        NULL),
    ROW(count, "number of elements", 0, true, SHOWN_FOR_BINARY, NULL),
    ROW(n_missing, "missing cells", 0, true, SHOWN_IF_ANY, NULL),
    ROW(n_bad, "cells skipped as bad", 0, true, SHOWN_IF_ANY, NULL),
    ROW(n_nan, "elements that are NaN", COUNT, true, SHOWN_IF_ANY, NULL),
    OP(n_inf, "elements that are infinite", COUNT, NULL),
    OP(sum, "sum", SUM, NULL),
    ROW(prod, "product", MONOID_BIT(prod), false, SHOWN_ALWAYS, NULL),
    OP(min, "least value", EXTREMA, identity_min),
    OP(max, "greatest value", EXTREMA, identity_max),
    OP(mean, "arithmetic mean", SUM, no_number),
    OP(argmin, "index of the first least value", EXTREMA, no_number),
    OP(argmax, "index of the first greatest value", EXTREMA, no_number),
    ROW(first, "first element", ENDS, false, SHOWN_ALWAYS, no_number),
    ROW(last, "last element", ENDS, false, SHOWN_ALWAYS, no_number),
    OP(l1, "sum of magnitudes", SUMABS, NULL),
    OP(l2, "root of the sum of squares", SUMSQ, NULL),
    OP(linf, "greatest magnitude, 0 of no data", ABSEXTREMA, NULL),
    OP(sumsq, "sum of squares", SUMSQ, NULL),
    OP(rms, "root of the mean square", SUMSQ, no_number),
    OP(var, "sample variance", SUM | SUMSQ, no_number),
    OP(std, "sample standard deviation", SUM | SUMSQ, no_number),
    OP(var_pop, "population variance", SUM | SUMSQ, no_number),
    OP(std_pop, "population standard deviation", SUM | SUMSQ, no_number),
    OP(range, "greatest less least value", EXTREMA, no_number),
    OP(absmin, "least magnitude", ABSEXTREMA, identity_absmin),
    OP(absmax, "greatest magnitude", ABSEXTREMA, identity_absmax),
    OP(any, "1 if some element is not zero, else 0", COUNT, NULL),
    OP(alltrue, "1 if no element is zero, else 0", COUNT, NULL),
};

const struct op *op_at(size_t i)
{
    return i < sizeof table / sizeof table[0] ? &table[i] : NULL;
}

bool op_reads_cells(const struct op *op)
{
    return op->finish != finish_rows;
}

unsigned op_monoids(const struct op *op, enum nan_mode nan)
{
    unsigned set = op->monoids;
    if (nan == NAN_ERROR || (nan == NAN_SKIP && set == 0))
        set |= MONOID_BIT(count);
    return set;
}

bool op_finish(const struct op *op, const struct totals *t, struct value *out,
               struct error *e)
{
    uint64_t nans = nans_of(t, op_monoids(op, t->nan));
    if (t->nan == NAN_ERROR && nans > 0)
        return error_set(e, ERROR_DATA,
                         "element %" PRIu64 " is NaN; --nan skip leaves NaN "
                         "out",
                         t->state[MONOID_count]->count.first_nan);
    uint64_t n = t->n - (t->nan == NAN_SKIP ? nans : 0);
    if (n > 0 || !op->identity)
        return op->finish(t, n, out, e);
    if (t->empty == EMPTY_ERROR)
        return error_set(e, ERROR_DATA,
                         "%s is undefined for empty input; --empty identity "
                         "prints its identity",
                         op->name);
    *out = t->empty == EMPTY_BLANK ? value_none() : op->identity(t->dtype);
    if (t->is_bool && out->kind == VALUE_INTEGER && out->word[0] > 1)
        *out = value_unsigned(1);
    return true;
}
