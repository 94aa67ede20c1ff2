/* SPDX-License-Identifier: MIT */
#include "reduce/quantile_place.h"

/* Reads a number of at most PERCENT_DIGITS digits without its point. Sets
 * *decimals to the number of digits after the point. */
static void parse_percent(const char *percent, struct bigint *digits,
                          unsigned *decimals)
{
    bool behind = false;
    bigint_set(digits, 0);
    *decimals = 0;
    for (; *percent; percent++) {
        struct bigint digit;
        if (*percent == '.') {
            behind = true;
            continue;
        }
        bigint_times(digits, 10);
        bigint_set(&digit, (uint64_t)(*percent - '0'));
        bigint_add(digits, &digit);
        *decimals += behind;
    }
}

static bool is_zero(const struct bigint *x)
{
    return x->words == 0;
}

/* Sets the place to percent / 100 (n - 1), exactly. */
static void find_rank(struct quantile_place *p, const char *percent, uint64_t n)
{
    struct bigint whole, part;
    unsigned decimals;
    parse_percent(percent, &p->above, &decimals);
    bigint_times(&p->above, n - 1);
    bigint_set(&p->below, 100);
    for (; decimals > 0; decimals--)
        bigint_times(&p->below, 10);
    bigint_copy(&whole, &p->above);
    bigint_divide(&whole, &p->below);
    p->rank = whole.words ? whole.word[0] : 0;
    bigint_multiply(&part, &whole, &p->below);
    bigint_subtract(&p->above, &part);
    p->is_between = !is_zero(&p->above);
}

/* Whether a place between two ranks is nearer to the upper one; if both are
 * equally near, whether the upper one is even. */
static bool is_nearer_to_next(const struct quantile_place *p)
{
    struct bigint twice;
    bigint_copy(&twice, &p->above);
    bigint_times(&twice, 2);
    if (bigint_is_less(&twice, &p->below))
        return false;
    return bigint_is_less(&p->below, &twice) || p->rank % 2 == 1;
}

void quantile_find_place(struct quantile_place *p, const char *percent,
                         enum interpolation interpolation, uint64_t n)
{
    find_rank(p, percent, n);
    if (!p->is_between || interpolation == INTERPOLATION_linear)
        return;
    if (interpolation == INTERPOLATION_midpoint) {
        bigint_set(&p->above, 1);
        bigint_set(&p->below, 2);
        return;
    }
    p->is_between = false;
    p->rank += interpolation == INTERPOLATION_higher ||
               (interpolation == INTERPOLATION_nearest && is_nearer_to_next(p));
}
