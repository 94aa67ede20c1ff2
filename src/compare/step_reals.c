/* SPDX-License-Identifier: MIT */
#include <math.h>

#include "base/element.h"
#include "compare/step_parts.h"
#include "reduce/float_format.h"

void compare_offer(const struct compare_stepper *s,
                   const struct compare_pairs *k, struct compare_worst *w,
                   const void *quantity, uint64_t greatest)
{
    if (greatest < w->bits)
        return;
    for (size_t i = 0; i < k->n; i++) {
        if (ELEMENT_AT(uint64_t, quantity, i) != greatest)
            continue;
        compare_worst_offer(w, greatest, compare_index(s, k->place + i));
        if (!s->o.index)
            return;
    }
}

bool compare_is_far(const struct compare_tolerance *t, double d,
                    double magnitude)
{
    return d > 0 && !(d <= t->absolute + t->relative * magnitude &&
                      d < (double)INFINITY);
}

/* Finds the first mismatch of a block that has some. */
static void find_mismatch(const struct compare_stepper *s,
                          const struct compare_pairs *k)
{
    struct compare_tally *t = k->t;
    for (size_t i = 0; i < k->n; i++) {
        if (!s->o.index && k->place + i >= t->first_mismatch)
            return;
        if (!compare_is_far(&s->o.tolerance, s->difference[i], s->magnitude[i]))
            continue;
        const uint64_t index = compare_index(s, k->place + i);
        if (index < t->first_mismatch)
            t->first_mismatch = index;
    }
}

/* Offers the greatest quotient, if it may be the greatest so far. It is above
 * 0, since the difference of two numbers, a and b, is at least 2^-66 |b|. */
static void offer_quotient(struct compare_stepper *s,
                           const struct compare_pairs *k)
{
    const double greatest =
        s->loops->divide(s->difference, s->magnitude, k->n, s->quotient);
    compare_offer(s, k, &k->t->relative, s->quotient, bits_of_double(greatest));
}

static void offer_exact(const struct compare_stepper *s,
                        const struct compare_pairs *k)
{
    uint64_t greatest = 0;
    for (size_t i = 0; i < k->n; i++)
        greatest = s->integer[i] > greatest ? s->integer[i] : greatest;
    if (greatest > 0)
        compare_offer(s, k, &k->t->absolute, s->integer, greatest);
}

bool compare_add_reals(struct compare_stepper *s, const struct compare_pairs *k)
{
    struct compare_tally *t = k->t;
    const struct compare_judged judged =
        s->loops->judge(s->difference, s->magnitude, k->n, &s->o.tolerance,
                        double_of_bits(t->relative.bits));
    if (judged.greatest == 0)
        return false;
    t->mismatches += judged.mismatches;
    if (judged.mismatches > 0)
        find_mismatch(s, k);
    if (s->way == WAY_INTEGERS)
        offer_exact(s, k);
    else
        compare_offer(s, k, &t->absolute, s->difference,
                      bits_of_double(judged.greatest));
    if (judged.may_beat)
        offer_quotient(s, k);
    s->squares(&s->accumulator, s->difference, k->n, k->place);
    return true;
}

void compare_add_nans(const struct compare_stepper *s,
                      const struct compare_pairs *k,
                      const struct compare_nans *nans)
{
    const unsigned size = dtype_info(s->o.a)->size,
                   other = dtype_info(s->o.b)->size;
    k->t->nans.either += nans->either;
    k->t->nans.one += nans->one;
    k->t->mismatches += nans->one;
    for (size_t i = 0; nans->one > 0 && i < k->n; i++) {
        const double x = dtype_to_double(s->o.a,
                                         dtype_load(s->o.a, k->a + i * size)),
                     y = dtype_to_double(s->o.b,
                                         dtype_load(s->o.b, k->b + i * other));
        const uint64_t index = compare_index(s, k->place + i);
        if (!s->o.index && index >= k->t->first_mismatch)
            return;
        if ((x != x) != (y != y) && index < k->t->first_mismatch)
            k->t->first_mismatch = index;
    }
}

void compare_add_steps(const struct compare_stepper *s,
                       const struct compare_pairs *k)
{
    const uint64_t greatest =
        s->loops->steps[s->log_size](k->a, k->b, k->n, s->number_max);
    if (greatest > k->t->steps)
        k->t->steps = greatest;
}
