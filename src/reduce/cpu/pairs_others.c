/* SPDX-License-Identifier: MIT */
/* Adds the marked rows of a pair: rows without a value, with NaN or Inf, or
 * with integers that f64 cannot hold. */
#include <math.h>

#include "reduce/cpu/pairs_parts.h"

/* A row's value as a sum of two f64. */
static void split(const struct kept *k, size_t row, double part[2])
{
    size_t low = 0, end = k->wides;
    part[0] = k->value[row];
    part[1] = copysign(0, part[0]); /* the parts of -0 add up to -0 */
    if (k->mark[row] != MARK_WIDE)
        return;
    while (end - low > 1) {
        const size_t middle = low + (end - low) / 2;
        *(k->wide[middle].index > row ? &end : &low) = middle;
    }
    const double sign = k->wide[low].negative ? -1 : 1;
    part[0] = sign * (double)(k->wide[low].magnitude >> 32 << 32);
    part[1] = sign * (double)(k->wide[low].magnitude & UINT32_MAX);
}

/* Adds a row with a wide integer: the products of all parts. */
static void add_wide_row(const struct addend *x, size_t row)
{
    double part[2][2], factor[3];
    split(x->side[0], row, part[0]);
    split(x->side[1], row, part[1]);
    for (int i = 0; i < SUMS; i++) {
        if (!(pairs_has(x->p, pair_sums[i].monoid)))
            continue;
        struct exact *sum = addend_sum(x, pair_sums[i].monoid);
        for (unsigned choice = 0; choice < 1u << pair_sums[i].factors;
             choice++) {
            for (unsigned f = 0; f < pair_sums[i].factors; f++)
                factor[f] = part[pair_sums[i].side[f]][choice >> f & 1];
            exact_add_product(sum, factor, pair_sums[i].factors);
        }
    }
}

/* The sign of a row's value. For a wide integer, the upper part has it. */
static int sign_of(const struct kept *k, size_t row)
{
    double part[2];
    split(k, row, part);
    return (part[0] > 0) - (part[0] < 0);
}

/* Counts a row with Inf, by the sign of the product. */
static void add_infinite_row(const struct addend *x, size_t row)
{
    const int product = sign_of(x->side[0], row) * sign_of(x->side[1], row);
    for (int i = 0; i < SUMS; i++) {
        if (!pairs_has(x->p, pair_sums[i].monoid))
            continue;
        addend_sum(x, pair_sums[i].monoid)->plus_inf += product >= 0;
        addend_sum(x, pair_sums[i].monoid)->minus_inf += product <= 0;
    }
}

/* Counts NaN in all sums, and records the first one. */
static void add_nans(const struct addend *x, uint64_t nans, uint64_t first)
{
    size_t r = 0;
    for (int i = 0; i < SUMS; i++) {
        if (pairs_has(x->p, pair_sums[i].monoid))
            addend_sum(x, pair_sums[i].monoid)->nan += nans;
    }
    if (!(x->p->set & MONOID_BIT(count)) || nans == 0)
        return;
    struct count *count = &states_at(x->states, x->group, MONOID_count)->count;
    for (;; r++) {
        const unsigned marks = x->side[0]->mark[r] | x->side[1]->mark[r];
        if (marks & MARK_NAN && !(marks & MARK_NO_VALUE))
            break;
    }
    const struct count seen = {.nan = nans, .first_nan = first + r};
    count_merge(count, &seen);
}

void pairs_add_others(const struct addend *x, uint64_t first)
{
    struct tally *tally = &x->states->tally[x->group];
    uint64_t nans = 0, others = 0;
    for (unsigned marks = 0; marks < MARKS_END; marks++) {
        const uint64_t n = x->p->seen[marks];
        const bool has_value = !(marks & MARK_NO_VALUE);
        tally->bad += marks & MARK_BAD ? n : 0;
        tally->missing += !has_value && !(marks & MARK_BAD) ? n : 0;
        tally->n += has_value ? n : 0;
        nans += has_value && marks & MARK_NAN ? n : 0;
        others += has_value && marks && !(marks & MARK_NAN) ? n : 0;
    }
    add_nans(x, nans, first);
    for (size_t r = 0; others > 0; r++) {
        const unsigned marks = x->side[0]->mark[r] | x->side[1]->mark[r];
        if (marks == 0 || marks & (MARK_NO_VALUE | MARK_NAN))
            continue;
        if (marks & MARK_INF)
            add_infinite_row(x, r);
        else
            add_wide_row(x, r);
        others--;
    }
}
