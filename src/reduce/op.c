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

/* The NaNs among the data that the state of one of the op's monoids saw. */
static uint64_t nans_of(const struct totals *t, unsigned monoids)
{
    for (int m = 0; m < MONOIDS_END; m++) {
        if (monoids >> m & 1)
            return state_nans(t->state[m]);
    }
    return 0;
}

static bool is_nan(const struct totals *t, enum monoid monoid)
{
    return t->nan == NAN_PROPAGATE && state_nans(t->state[monoid]) > 0;
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
    struct exact magnitude = *x;
    if (v.negative)
        exact_negate(&magnitude);
    memcpy(v.word, magnitude.word, sizeof v.word);
    return v;
}

/* True where Inf or NaN among the addends settles a sum's value. */
static bool special_sum(const struct totals *t, enum monoid monoid,
                        double *value)
{
    const struct exact *x = &t->state[monoid]->of.exact;
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
    const struct state *s = t->state[monoid];
    double value;
    if (special_sum(t, monoid, &value))
        return value;
    if (!s->of.exact.not_negative_zero && s->n > state_nans(s))
        return -0.0;
    return root ? finish_root(&s->of.exact, divisor)
                : finish_quotient(&s->of.exact, divisor);
}

static bool finish_a_sum(const struct totals *t, enum monoid monoid,
                         struct value *out)
{
    *out = dtype_is_float(t->dtype) ? real(sum_value(t, monoid, 1, false))
                                    : integer_of(&t->state[monoid]->of.exact);
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
    const struct exact *sum = &t->state[MONOID_sum]->of.exact;
    const struct exact *squares = &t->state[MONOID_sumsq]->of.exact;
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

static struct value extremum(const struct totals *t, enum monoid monoid,
                             bool greatest)
{
    const struct extrema *x = &t->state[monoid]->of.extrema;
    if (is_nan(t, monoid))
        return value_real(NAN, t->dtype);
    return element_value(t, greatest ? x->max.bits : x->min.bits,
                         monoid == MONOID_absextrema);
}

static struct value extremum_index(const struct totals *t, bool greatest)
{
    const struct extrema *x = &t->state[MONOID_extrema]->of.extrema;
    if (is_nan(t, MONOID_extrema))
        return value_unsigned(x->first_nan);
    return value_unsigned(greatest ? x->max.index : x->min.index);
}

FINISH(min, extremum(t, MONOID_extrema, false))
FINISH(max, extremum(t, MONOID_extrema, true))
FINISH(argmin, extremum_index(t, false))
FINISH(argmax, extremum_index(t, true))
FINISH(absmin, extremum(t, MONOID_absextrema, false))
FINISH(absmax, extremum(t, MONOID_absextrema, true))

static bool finish_linf(const struct totals *t, uint64_t n, struct value *out,
                        struct error *e)
{
    if (n > 0)
        return finish_absmax(t, n, out, e);
    *out = dtype_is_float(t->dtype) ? value_real(0, t->dtype)
                                    : value_unsigned(0);
    return true;
}

static bool finish_range(const struct totals *t, uint64_t n, struct value *out,
                         struct error *e)
{
    struct value low = extremum(t, MONOID_extrema, false);
    struct value high = extremum(t, MONOID_extrema, true);
    (void)n, (void)e;
    if (low.kind == VALUE_REAL) {
        *out = real(high.real - low.real);
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
    const struct prod *p = &t->state[MONOID_prod]->of.prod;
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
    const struct count *c = &t->state[MONOID_count]->of.count;
    (void)n, (void)e;
    *out = value_unsigned(c->nonzero > (t->nan == NAN_SKIP ? c->nan : 0));
    return true;
}

static bool finish_all(const struct totals *t, uint64_t n, struct value *out,
                       struct error *e)
{
    const struct count *c = &t->state[MONOID_count]->of.count;
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

#define SUM MONOID_BIT(sum)
#define SUMABS MONOID_BIT(sumabs)
#define SUMSQ MONOID_BIT(sumsq)
#define EXTREMA MONOID_BIT(extrema)
#define ABSEXTREMA MONOID_BIT(absextrema)

static const struct op table[] = {
    {"count", {0}, "number of elements", 0, true, finish_count, NULL},
    {"sum", {0}, "sum", SUM, true, finish_sum, NULL},
    {"prod", {0}, "product", MONOID_BIT(prod), false, finish_prod, NULL},
    {"min", {0}, "least value", EXTREMA, true, finish_min, identity_min},
    {"max", {0}, "greatest value", EXTREMA, true, finish_max, identity_max},
    {"mean", {"avg"}, "arithmetic mean", SUM, true, finish_mean, no_number},
    {"argmin", {0}, "index of the first least value", EXTREMA, true,
     finish_argmin, no_number},
    {"argmax", {0}, "index of the first greatest value", EXTREMA, true,
     finish_argmax, no_number},
    {"l1", {0}, "sum of magnitudes", SUMABS, true, finish_l1, NULL},
    {"l2", {"norm"}, "root of the sum of squares", SUMSQ, true, finish_l2,
     NULL},
    {"linf", {0}, "greatest magnitude, 0 of no data", ABSEXTREMA, true,
     finish_linf, NULL},
    {"sumsq", {0}, "sum of squares", SUMSQ, true, finish_sumsq, NULL},
    {"rms", {0}, "root of the mean square", SUMSQ, true, finish_rms,
     no_number},
    {"var", {0}, "sample variance", SUM | SUMSQ, true, finish_var, no_number},
    {"std", {"stddev"}, "sample standard deviation", SUM | SUMSQ, true,
     finish_std, no_number},
    {"var_pop", {0}, "population variance", SUM | SUMSQ, true, finish_var_pop,
     no_number},
    {"std_pop", {0}, "population standard deviation", SUM | SUMSQ, true,
     finish_std_pop, no_number},
    {"range", {0}, "greatest less least value", EXTREMA, true, finish_range,
     no_number},
    {"absmin", {0}, "least magnitude", ABSEXTREMA, true, finish_absmin,
     identity_absmin},
    {"absmax", {0}, "greatest magnitude", ABSEXTREMA, true, finish_absmax,
     identity_absmax},
    {"any", {0}, "1 if some element is not zero, else 0", MONOID_BIT(count),
     true, finish_any, NULL},
    {"all", {"alltrue"}, "1 if no element is zero, else 0", MONOID_BIT(count), true,
     finish_all, NULL},
};

const struct op *op_at(size_t i)
{
    return i < sizeof table / sizeof table[0] ? &table[i] : NULL;
}

const struct op *op_find(const char *name)
{
    const struct op *op;
    for (size_t i = 0; (op = op_at(i)); i++) {
        if (strcmp(name, op->name) == 0)
            return op;
        for (int a = 0; a < 2; a++) {
            if (op->alias[a] && strcmp(name, op->alias[a]) == 0)
                return op;
        }
    }
    return NULL;
}

unsigned op_monoids(const struct op *op, enum nan_mode nan)
{
    unsigned monoids = op->monoids;
    if (nan == NAN_ERROR || (nan == NAN_SKIP && monoids == 0))
        monoids |= MONOID_BIT(count);
    return monoids;
}

bool op_finish(const struct op *op, const struct totals *t, struct value *out,
               struct error *e)
{
    uint64_t nans = nans_of(t, op_monoids(op, t->nan));
    if (t->nan == NAN_ERROR && nans > 0)
        return error_set(e, ERROR_DATA,
                         "element %" PRIu64 " is NaN\n"
                         "Try --nan skip to leave NaN out.",
                         t->state[MONOID_count]->of.count.first_nan);
    uint64_t n = t->n - (t->nan == NAN_SKIP ? nans : 0);
    if (n > 0 || !op->identity)
        return op->finish(t, n, out, e);
    if (t->empty == EMPTY_IDENTITY) {
        *out = op->identity(t->dtype);
        return true;
    }
    return error_set(e, ERROR_DATA,
                     "%s of no data has no value\n"
                     "Try --empty identity to print what stands for it.",
                     op->name);
}
