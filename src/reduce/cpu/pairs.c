/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "reduce/cpu/pairs_parts.h"

const struct pair_sum pair_sums[SUMS] = {
    {MONOID_sum, MONOID_sum, 1, {0}},
    {MONOID_sumb, MONOID_sum, 1, {1}},
    {MONOID_sumsq, MONOID_sumsq, 2, {0, 0}},
    {MONOID_sumsqb, MONOID_sumsq, 2, {1, 1}},
    {MONOID_sumab, MONOID_sum, 2, {0, 1}},
    {MONOID_sumaab, MONOID_sum, 3, {0, 0, 1}},
};

const enum monoid pair_target[ACCUMULATORS] = {
    MONOID_sum,   MONOID_sumb,   MONOID_sumsq,  MONOID_sumsqb, MONOID_sumab,
    MONOID_sumab, MONOID_sumaab, MONOID_sumaab, MONOID_sumaab};

/* Adds n values to accumulator i. */
static void run(const struct addend *x, int i, const double *value, size_t n)
{
    struct accumulator *w = &x->p->accumulator[i];
    x->p->loops->run[w->monoid][DTYPE_f64](w, value, n, 0);
}

/* Adds the products of n pairs, in two accumulators from `product` on. */
static void add_products(const struct addend *x, int product, const double *a,
                         const double *b, size_t n)
{
    struct pairs *p = x->p;
    const unsigned made = p->loops->products(a, b, n, p->product, p->error);
    struct exact *sum = addend_sum(x, pair_target[product]);
    if (!(made & PRODUCTS_INEXACT))
        run(x, product, p->product, n);
    if (made == PRODUCTS_ROUND)
        run(x, product + 1, p->error, n);
    for (size_t i = 0; made & PRODUCTS_INEXACT && i < n; i++)
        exact_add_product(sum, (const double[]){a[i], b[i]}, 2);
}

/* Adds the products a * a * b, where a square is a sum of two f64. */
static void add_cubes(const struct addend *x, const double *a, const double *b,
                      size_t n)
{
    struct pairs *p = x->p;
    const unsigned made = p->loops->products(a, a, n, p->square, p->rest);
    struct exact *sum = addend_sum(x, MONOID_sumaab);
    for (size_t i = 0; made & PRODUCTS_INEXACT && i < n; i++)
        exact_add_product(sum, (const double[]){a[i], a[i], b[i]}, 3);
    if (!(made & PRODUCTS_INEXACT))
        add_products(x, CUBE, p->square, b, n);
    if (made == PRODUCTS_ROUND)
        add_products(x, CUBE_ERROR, p->rest, b, n);
}

/* Adds n pairs of numbers; with `alone`, also to the sums of one column. */
static void add_block(const struct addend *x, const double *a, const double *b,
                      size_t n, bool alone)
{
    for (int i = 0; alone && i < ALONE; i++) {
        if (pairs_has(x->p, pair_target[i]))
            run(x, i, pair_sums[i].side[0] ? b : a, n);
    }
    if (pairs_has(x->p, MONOID_sumab))
        add_products(x, PRODUCT, a, b, n);
    if (pairs_has(x->p, MONOID_sumaab))
        add_cubes(x, a, b, n);
}

/* Gathers those of the rows [at, at + n) that are plain numbers in both
 * columns. Returns how many there are. */
static size_t compact(const struct addend *x, size_t at, size_t n)
{
    struct pairs *p = x->p;
    const struct kept *a = x->side[0], *b = x->side[1];
    size_t plain = 0;
    for (size_t r = at; r < at + n; r++) {
        const unsigned marks = a->mark[r] | b->mark[r];
        p->a[plain] = a->value[r];
        p->b[plain] = b->value[r];
        plain += marks == 0;
        p->seen[marks]++;
    }
    memset(p->a + plain, 0, ROOM * sizeof p->a[0]);
    memset(p->b + plain, 0, ROOM * sizeof p->b[0]);
    return plain;
}

/* Adds the sums of each column alone. The columns have no gaps. */
static void add_columns(const struct addend *x)
{
    struct pairs *p = x->p;
    for (int i = 0; i < ALONE; i++) {
        struct kept *k = x->side[pair_sums[i].side[0]];
        const bool squares = pair_sums[i].factors == 2;
        struct accumulator *w = &p->accumulator[i];
        if (!pairs_has(p, pair_target[i]))
            continue;
        if (!k->is_made[squares]) {
            monoids[pair_sums[i].alone].compact->init(&k->sum[squares],
                                                      DTYPE_f64);
            k->is_made[squares] = true;
            accumulator_begin(w, &k->sum[squares]);
            run(x, i, k->value, p->rows);
            accumulator_end(w);
        }
        exact_merge(addend_sum(x, pair_sums[i].monoid), &k->sum[squares].exact);
    }
}

/* Adds all pairs of numbers. */
static void add_numbers(const struct addend *x, bool is_marked)
{
    struct pairs *p = x->p;
    if (!is_marked)
        add_columns(x);
    for (int i = is_marked ? 0 : ALONE; i < ACCUMULATORS; i++) {
        if (pairs_has(p, pair_target[i]))
            accumulator_begin(&p->accumulator[i],
                              states_at(x->states, x->group, pair_target[i]));
    }
    for (size_t at = 0; at < p->rows; at += BLOCK) {
        const size_t n = p->rows - at < BLOCK ? p->rows - at : BLOCK;
        if (is_marked)
            add_block(x, p->a, p->b, compact(x, at, n), true);
        else
            add_block(x, x->side[0]->value + at, x->side[1]->value + at, n,
                      false);
    }
    for (int i = is_marked ? 0 : ALONE; i < ACCUMULATORS; i++) {
        if (pairs_has(p, pair_target[i]))
            accumulator_end(&p->accumulator[i]);
    }
}

void pairs_add(struct pairs *p, struct column_pair pair, uint64_t first,
               struct states *states, size_t group)
{
    struct kept *a = &p->column[pair.first], *b = &p->column[pair.second];
    const struct addend x = {p, {a, b}, states, group};
    const bool is_marked = a->is_marked || b->is_marked;
    memset(p->seen, 0, sizeof p->seen);
    add_numbers(&x, is_marked);
    if (is_marked)
        pairs_add_others(&x, first);
    else
        states->tally[group].n += p->rows;
}
