/* SPDX-License-Identifier: MIT */
#include "reduce/state.h"

#include <stddef.h>

const char *monoid_name(enum monoid monoid)
{
    static const char *const names[] = {
#define MONOID_NAME(name, what) #name,
        MONOIDS(MONOID_NAME)
#undef MONOID_NAME
    };
    return names[monoid];
}

enum exact_map monoid_map(enum monoid monoid)
{
    return monoid == MONOID_sumsq    ? EXACT_SQUARE
           : monoid == MONOID_sumabs ? EXACT_MAGNITUDE
                                     : EXACT_VALUE;
}

void state_init(struct state *s, enum monoid monoid, enum dtype dtype)
{
    s->monoid = monoid;
    s->dtype = dtype;
    s->n = 0;
    switch (monoid) {
    case MONOID_count:
        count_init(&s->of.count);
        break;
    case MONOID_prod:
        prod_init(&s->of.prod);
        break;
    case MONOID_extrema:
    case MONOID_absextrema:
        extrema_init(&s->of.extrema);
        break;
    default:
        exact_init(&s->of.exact, dtype, monoid_map(monoid));
        break;
    }
}

void state_merge(struct state *into, const struct state *from)
{
    into->n += from->n;
    switch (into->monoid) {
    case MONOID_count:
        count_merge(&into->of.count, &from->of.count);
        break;
    case MONOID_prod:
        prod_merge(&into->of.prod, &from->of.prod);
        break;
    case MONOID_extrema:
    case MONOID_absextrema:
        extrema_merge(&into->of.extrema, &from->of.extrema);
        break;
    default:
        exact_merge(&into->of.exact, &from->of.exact);
        break;
    }
}

uint64_t state_nans(const struct state *s)
{
    switch (s->monoid) {
    case MONOID_count:
        return s->of.count.nan;
    case MONOID_prod:
        return s->of.prod.nans;
    case MONOID_extrema:
    case MONOID_absextrema:
        return s->of.extrema.nans;
    default:
        return s->of.exact.nan;
    }
}

unsigned state_indexes(struct state *s, uint64_t *index[STATE_INDEXES])
{
    switch (s->monoid) {
    case MONOID_count:
        index[0] = &s->of.count.first_nan;
        return 1;
    case MONOID_extrema:
    case MONOID_absextrema:
        index[0] = &s->of.extrema.first_nan;
        index[1] = &s->of.extrema.min.index;
        index[2] = &s->of.extrema.max.index;
        return 3;
    default:
        return 0;
    }
}
