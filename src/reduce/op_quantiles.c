/* SPDX-License-Identifier: MIT */
/* Operations computed from the values of ranks. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "reduce/finish.h"
#include "reduce/op_rows.h"
#include "reduce/quantile_place.h"

/* The percents of each op. A percentile has its percent in its name. */
static const struct {
    bool (*finish)(const struct totals *t, uint64_t n, struct value *out,
                   struct error *e);
    const char *percent[2];
} rows[] = {{finish_median, {"50", NULL}},
            {finish_q1, {"25", NULL}},
            {finish_q3, {"75", NULL}},
            {finish_iqr, {"25", "75"}},
            {finish_p99, {NULL, NULL}}};

enum { ROWS = sizeof rows / sizeof rows[0] };

static size_t row_of(const struct op *op)
{
    size_t i = 0;
    while (i < ROWS && rows[i].finish != op->finish)
        i++;
    return i;
}

bool op_of_ranks(const struct op *op)
{
    return row_of(op) < ROWS;
}

const char *op_percent(const struct op *op)
{
    return op->finish == finish_p99 ? op->name + 1 : NULL;
}

size_t op_ranks(const struct op *op, enum interpolation interpolation,
                uint64_t n, uint64_t rank[OP_RANKS_MAX])
{
    const size_t row = row_of(op);
    size_t ranks = 0;
    for (size_t i = 0; row < ROWS && i < 2; i++) {
        const char *percent =
            rows[row].percent[i] || i > 0 ? rows[row].percent[i] : op->name + 1;
        struct quantile_place p;
        if (!percent)
            continue;
        quantile_find_place(&p, percent, interpolation, n);
        rank[ranks++] = p.rank;
        if (p.is_between)
            rank[ranks++] = p.rank + 1;
    }
    return ranks;
}

size_t ranks_asked(struct rank_found *to, const struct op *const *op,
                   size_t ops, enum interpolation interpolation, uint64_t n)
{
    size_t all = 0, ranks = 0;
    for (size_t i = 0; n > 0 && i < ops; i++) {
        uint64_t rank[OP_RANKS_MAX];
        const size_t here = op_ranks(op[i], interpolation, n, rank);
        for (size_t k = 0; k < here; k++)
            to[all++] = (struct rank_found){.rank = rank[k]};
    }
    qsort(to, all, sizeof *to, rank_compare);
    for (size_t i = 0; i < all; i++) {
        if (i == 0 || to[i].rank != to[ranks - 1].rank)
            to[ranks++] = to[i];
    }
    return ranks;
}

/* The value that a pass found for a rank. -0 becomes 0. */
static struct value value_at(const struct totals *t, uint64_t rank)
{
    const struct ranks *r = &t->state[MONOID_ranks]->ranks;
    const struct rank_found *x = r->found
                                     ? bsearch(&rank, r->found, r->founds,
                                               sizeof *r->found, rank_compare)
                                     : NULL;
    if (!x)
        return value_none();
    if (x->wide.magnitude)
        return value_integer(x->wide.negative, x->wide.magnitude, 0);
    struct value value = op_element_value(t, rank_bits(t->dtype, x->key));
    if (value.kind == VALUE_REAL && value.real == 0)
        value.real = 0;
    return value;
}

/* The unit of a number's mantissa: that of the least f64, or 1. */
static int exponent_of(const struct totals *t)
{
    return dtype_is_float(t->dtype) ? -1074 : 0;
}

/* A quantile: an element, or the finite number above / below * 2^exponent. */
struct quantile {
    bool is_element;
    struct value value; /* the element, or a value that is not finite */
    struct bigint above, below;
};

static bool is_infinite(const struct value *v)
{
    return v->kind == VALUE_REAL && isinf(v->real);
}

static void set_element(struct quantile *q, const struct value *v, int exponent)
{
    q->is_element = true;
    q->value = *v;
    bigint_set(&q->below, 1);
    if (!is_infinite(v))
        finish_value(&q->above, v, exponent);
}

/* a + (b - a) above / below = (a (below - above) + b above) / below */
static void interpolate(struct quantile *q, const struct value *a,
                        const struct value *b, const struct quantile_place *p,
                        int exponent)
{
    struct bigint low, high, rest;
    q->is_element = false;
    q->value = real(0);
    if (is_infinite(a) || is_infinite(b)) {
        /* Between -Inf and Inf there is no value. */
        q->value.real =
            (is_infinite(a) ? a->real : 0) + (is_infinite(b) ? b->real : 0);
        return;
    }
    finish_value(&low, a, exponent);
    finish_value(&high, b, exponent);
    bigint_copy(&rest, &p->below);
    bigint_subtract(&rest, &p->above);
    bigint_multiply(&q->above, &low, &rest);
    bigint_multiply(&rest, &high, &p->above);
    bigint_add(&q->above, &rest);
    bigint_copy(&q->below, &p->below);
}

/* False if the ranks' values are not known. */
static bool find_quantile(struct quantile *q, const struct totals *t,
                          const char *percent, uint64_t n)
{
    struct quantile_place p;
    quantile_find_place(&p, percent, t->interpolation, n);
    const struct value a = value_at(t, p.rank);
    const struct value b = p.is_between ? value_at(t, p.rank + 1) : a;
    if (value_same(&a, &b))
        set_element(q, &a, exponent_of(t));
    else
        interpolate(q, &a, &b, &p, exponent_of(t));
    return a.kind != VALUE_NONE && b.kind != VALUE_NONE;
}

static bool no_ranks(const char *name, struct error *e)
{
    return error_set(e, ERROR_DATA, "%s: its ranks were not searched for",
                     name);
}

/* Under `linear` and `midpoint` a quantile of integers is a real, so that its
 * type does not depend on the values; but an integer that f64 cannot hold stays
 * exact. */
static struct value as_real(const struct value *v, enum interpolation how)
{
    const bool is_small = !v->word[1] && v->word[0] <= (uint64_t)1 << 53;
    const double x = (double)v->word[0];
    return v->kind == VALUE_INTEGER && is_small &&
                   (how == INTERPOLATION_linear ||
                    how == INTERPOLATION_midpoint)
               ? real(v->negative ? -x : x)
               : *v;
}

static bool finish_percent(const struct totals *t, uint64_t n,
                           const char *percent, struct value *out,
                           struct error *e)
{
    struct quantile q;
    *out = real(NAN);
    if (op_is_nan(t, MONOID_ranks))
        return true;
    if (!find_quantile(&q, t, percent, n))
        return no_ranks("the quantile", e);
    *out = as_real(&q.value, t->interpolation);
    if (!q.is_element && isfinite(q.value.real))
        *out = real(finish_ratio(&q.above, &q.below, exponent_of(t), false,
                                 t->decimals));
    return true;
}

bool finish_median(const struct totals *t, uint64_t n, struct value *out,
                   struct error *e)
{
    return finish_percent(t, n, "50", out, e);
}

bool finish_q1(const struct totals *t, uint64_t n, struct value *out,
               struct error *e)
{
    return finish_percent(t, n, "25", out, e);
}

bool finish_q3(const struct totals *t, uint64_t n, struct value *out,
               struct error *e)
{
    return finish_percent(t, n, "75", out, e);
}

bool finish_p99(const struct totals *t, uint64_t n, struct value *out,
                struct error *e)
{
    return finish_percent(t, n, t->percent, out, e);
}

/* high - low, rounded once. Brings low.above / low.below and high.above /
 * high.below to one denominator. */
static double difference(const struct quantile *low,
                         const struct quantile *high, const struct totals *t)
{
    struct bigint above, other, below;
    bigint_multiply(&above, &high->above, &low->below);
    bigint_multiply(&other, &low->above, &high->below);
    bigint_multiply(&below, &low->below, &high->below);
    bigint_subtract(&above, &other);
    return finish_ratio(&above, &below, exponent_of(t), false, t->decimals);
}

static double infinity_of(const struct quantile *q)
{
    return q->value.kind == VALUE_REAL && !isfinite(q->value.real)
               ? q->value.real
               : 0;
}

bool finish_iqr(const struct totals *t, uint64_t n, struct value *out,
                struct error *e)
{
    struct quantile low, high;
    *out = real(NAN);
    if (op_is_nan(t, MONOID_ranks))
        return true;
    if (!find_quantile(&low, t, "25", n) || !find_quantile(&high, t, "75", n))
        return no_ranks("iqr", e);
    const double wide = infinity_of(&high) - infinity_of(&low);
    *out = real(wide == 0 ? difference(&low, &high, t) : wide);
    return true;
}
