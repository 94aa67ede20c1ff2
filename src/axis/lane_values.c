/* SPDX-License-Identifier: MIT */
/* Computes values of operations from lanes. */
#include <math.h>
#include <string.h>

#include "axis/lanes.h"

/* The rest of a row of directs is NULL. */
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"

/* Sets *value to the f64 nearest to sum + rest. False if the bound leaves open
 * which one that is. The bound was itself rounded, so a larger one is used. */
static bool round_sum(const struct lanes *l, size_t lane, enum lane_map map,
                      double *value)
{
    const double s = l->sum[map][lane], e = l->rest[map][lane];
    const double b = l->bound[map][lane] * 1.001 +
                     (l->bound[map][lane] > 0 ? fabs(e) * 0x1p-50 : 0);
    *value = e == 0 ? s : s + e; /* -0 stays */
    return s + (e - b) == s + (e + b);
}

static struct value of_element(const struct lanes *l, uint64_t bits)
{
    const enum dtype dtype = l->job->dtype;
    const unsigned shift = 64 - 8 * (unsigned)l->size;
    if (dtype_is_float(dtype))
        return value_real(dtype_to_double(dtype, bits), dtype);
    const int64_t x = (int64_t)(bits << shift) >> shift;
    if (!dtype_is_signed(dtype) || x >= 0)
        return value_unsigned(bits);
    return value_integer(true, 0 - (uint64_t)x, 0);
}

static bool value_sum(const struct lanes *l, size_t lane, enum lane_map map,
                      struct value *out)
{
    double x;
    if (!dtype_is_float(l->job->dtype)) {
        const __int128 all =
            (__int128)l->sum[map][lane] + (__int128)l->rest[map][lane];
        const unsigned __int128 size =
            (unsigned __int128)(all < 0 ? -all : all);
        *out = value_integer(all < 0, (uint64_t)size, (uint64_t)(size >> 64));
        return true;
    }
    if (!round_sum(l, lane, map, &x))
        return false;
    *out = value_real(x, DTYPE_f64);
    return true;
}

#define VALUE(name, expression)                                  \
    static bool value_##name(const struct lanes *l, size_t lane, \
                             struct value *out)                  \
    {                                                            \
        (void)l, (void)lane;                                     \
        *out = expression;                                       \
        return true;                                             \
    }
VALUE(count, value_unsigned(l->box.steps))
VALUE(zero, value_unsigned(0))
VALUE(min, of_element(l, lane_bits(l, lane, lane_step(l, LANE_LEAST, lane))))
VALUE(max, of_element(l, lane_bits(l, lane, lane_step(l, LANE_GREATEST, lane))))
VALUE(argmin, value_unsigned(lane_step(l, LANE_LEAST, lane)))
VALUE(argmax, value_unsigned(lane_step(l, LANE_GREATEST, lane)))
VALUE(first, of_element(l, lane_bits(l, lane, 0)))
VALUE(last, of_element(l, lane_bits(l, lane, l->box.steps - 1)))

static bool value_total(const struct lanes *l, size_t lane, struct value *out)
{
    return value_sum(l, lane, LANE_VALUE, out);
}

static bool value_l1(const struct lanes *l, size_t lane, struct value *out)
{
    return value_sum(l, lane, LANE_MAGNITUDE, out);
}

static bool value_sumsq(const struct lanes *l, size_t lane, struct value *out)
{
    return value_sum(l, lane, LANE_SQUARE, out);
}

/* If one f64 holds the sum exactly, dividing it rounds correctly. Otherwise
 * q = s / n is near the quotient, and FMA gives r = s - q n exactly. The
 * quotient is then q + (r + e) / n, where the second term has an error of a few
 * units of 2^-53 of itself, and of bound / n. */
static bool value_mean(const struct lanes *l, size_t lane, struct value *out)
{
    const double s = l->sum[LANE_VALUE][lane], e = l->rest[LANE_VALUE][lane],
                 b = l->bound[LANE_VALUE][lane], n = (double)l->box.steps;
    const double q = s / n;
    double more = 0, wide = 0;
    if (e != 0 || b != 0) {
        const double r = fma(-q, n, s);
        more = (r + e) / n;
        wide = (fabs(r) + fabs(e)) / n * 0x1p-50 + b / n * 1.001;
        /* The remainder of a tiny quotient may not be an f64. */
        if (fabs(s) < 0x1p-900 || q + (more - wide) != q + (more + wide))
            return false;
    }
    *out = value_real(more == 0 ? q : q + more, DTYPE_f64);
    return true;
}

/* Values of operations that are real numbers, for all lanes in one call. False
 * if the caller must compute the lanes one by one. */
static bool reals_sum(const struct lanes *l, double *to)
{
    bool all = true;
    memcpy(to, l->sum[LANE_VALUE], l->box.lanes * sizeof *to);
    for (size_t i = 0; all && i < l->rests[LANE_VALUE]; i++)
        all = round_sum(l, i, LANE_VALUE, &to[i]);
    return all;
}

static bool reals_mean(const struct lanes *l, double *to)
{
    const double n = (double)l->box.steps;
    for (size_t i = 0; i < l->box.lanes; i++)
        to[i] = l->sum[LANE_VALUE][i] / n;
    return !l->rests[LANE_VALUE];
}

/* -0 and +0 have the same key, so the sign of a zero is read from the data. */
static bool reals_extremum(const struct lanes *l, enum lane_side side,
                           double *to)
{
    const bool is_f32 = l->job->dtype == DTYPE_f32;
    for (size_t i = 0; i < l->box.lanes; i++) {
        const uint64_t step = lane_step(l, side, i);
        float x = 0;
        if (is_f32)
            memcpy(&x, lane_element(l, i, step), sizeof x);
        to[i] = is_f32 ? (double)x
                       : dtype_to_double(l->job->dtype, lane_bits(l, i, step));
    }
    return true;
}

static bool reals_min(const struct lanes *l, double *to)
{
    return reals_extremum(l, LANE_LEAST, to);
}

static bool reals_max(const struct lanes *l, double *to)
{
    return reals_extremum(l, LANE_GREATEST, to);
}

/* The same for operations whose values are integers of at least 0. */
static void wholes_argmin(const struct lanes *l, uint64_t *to)
{
    for (size_t i = 0; i < l->box.lanes; i++)
        to[i] = lane_step(l, LANE_LEAST, i);
}

static void wholes_argmax(const struct lanes *l, uint64_t *to)
{
    for (size_t i = 0; i < l->box.lanes; i++)
        to[i] = lane_step(l, LANE_GREATEST, i);
}

static void wholes_count(const struct lanes *l, uint64_t *to)
{
    for (size_t i = 0; i < l->box.lanes; i++)
        to[i] = l->box.steps;
}

static const struct direct directs[] = {
    {"count", 0, value_count, NULL, false, wholes_count},
    {"rows", 0, value_count},
    {"n_missing", 0, value_zero},
    {"n_bad", 0, value_zero},
    {"n_nan", 0, value_zero},
    {"n_inf", 0, value_zero},
    {"sum", MONOID_BIT(sum), value_total, reals_sum, true},
    {"mean", MONOID_BIT(sum), value_mean, reals_mean, true},
    {"l1", MONOID_BIT(sumabs), value_l1},
    {"sumsq", MONOID_BIT(sumsq), value_sumsq},
    {"min", MONOID_BIT(extrema), value_min, reals_min, false},
    {"max", MONOID_BIT(extrema), value_max, reals_max, false},
    {"argmin", MONOID_BIT(extrema), value_argmin, NULL, false, wholes_argmin},
    {"argmax", MONOID_BIT(extrema), value_argmax, NULL, false, wholes_argmax},
    {"first", 0, value_first},
    {"last", 0, value_last},
};

const struct direct *lanes_direct(const struct op *op)
{
    for (size_t i = 0; i < sizeof directs / sizeof directs[0]; i++) {
        if (strcmp(directs[i].op, op->name) == 0)
            return &directs[i];
    }
    return NULL;
}

bool lanes_value(const struct lanes *l, size_t lane, size_t op,
                 struct value *out)
{
    return l->direct[op]->value(l, lane, out);
}

/* Sets the values of one operation for all lanes, if one function can. */
static bool set_values(const struct lanes *l, const struct direct *d,
                       struct values *values, size_t first)
{
    const struct axis_job *job = l->job;
    union {
        double real[LANES_MAX];
        uint64_t whole[LANES_MAX];
    } to;
    if (d->wholes) {
        d->wholes(l, to.whole);
        values_set_wholes(values, first, job->ops, to.whole, l->box.lanes);
        return true;
    }
    /* An f64 holds integers of up to 32 bits, and their sums. */
    const bool is_float = dtype_is_float(job->dtype);
    if (!d->reals || (!is_float && l->size == 8) || !d->reals(l, to.real))
        return false;
    if (is_float || d->reals == reals_mean)
        values_set_reals(values, first, job->ops, to.real, l->box.lanes,
                         d->is_f64 ? DTYPE_f64 : job->dtype);
    else
        values_set_integers(values, first, job->ops, to.real, l->box.lanes);
    return true;
}

bool lanes_values(const struct lanes *l, struct values *values, size_t first)
{
    bool all = l->are_clean;
    for (size_t i = 0; all && i < l->job->ops; i++)
        all = set_values(l, l->direct[i], values, first + i);
    return all;
}
