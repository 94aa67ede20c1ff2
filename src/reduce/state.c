/* SPDX-License-Identifier: MIT */
#include "reduce/state.h"

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
    case MONOID_ends:
        ends_init(&s->of.ends);
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
    case MONOID_ends:
        ends_merge(&into->of.ends, &from->of.ends);
        break;
    default:
        exact_merge(&into->of.exact, &from->of.exact);
        break;
    }
}

static struct end_element element_at(enum dtype dtype, const char *p, size_t i,
                                     uint64_t first)
{
    uint64_t bits = dtype_load(dtype, p + i * dtype_info(dtype)->size);
    return (struct end_element){bits, first + i};
}

static bool is_nan(enum dtype dtype, const char *p)
{
    if (!dtype_is_float(dtype))
        return false;
    double x = dtype_to_double(dtype, dtype_load(dtype, p));
    return x != x;
}

void state_add_ends(struct state *s, const void *data, size_t n, uint64_t first)
{
    const enum dtype dtype = s->dtype;
    const size_t size = dtype_info(dtype)->size;
    const char *p = data;
    size_t from = 0, to = n;
    struct ends ends;
    s->n += n;
    if (n == 0)
        return;
    ends_init(&ends);
    while (from < n && is_nan(dtype, p + from * size))
        from++;
    while (to > from && is_nan(dtype, p + (to - 1) * size))
        to--;
    ends.first = element_at(dtype, p, 0, first);
    ends.last = element_at(dtype, p, n - 1, first);
    if (from < to) {
        ends.first_number = element_at(dtype, p, from, first);
        ends.last_number = element_at(dtype, p, to - 1, first);
    }
    ends_merge(&s->of.ends, &ends);
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
    case MONOID_ends:
        return 0;
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
    case MONOID_ends:
        index[0] = &s->of.ends.first.index;
        index[1] = &s->of.ends.last.index;
        index[2] = &s->of.ends.first_number.index;
        index[3] = &s->of.ends.last_number.index;
        return 4;
    default:
        return 0;
    }
}
