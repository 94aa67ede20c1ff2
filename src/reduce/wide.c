/* SPDX-License-Identifier: MIT */
#include "reduce/wide.h"

/* Whether a comes before b as a least one (or, with greater, a greatest). */
static bool beats(const struct wide_integer *a, const struct wide_integer *b,
                  bool greater)
{
    if (a->magnitude == 0 || b->magnitude == 0)
        return a->magnitude > 0;
    if (a->negative != b->negative)
        return a->negative != greater;
    if (a->magnitude != b->magnitude)
        return (a->magnitude > b->magnitude) == (a->negative != greater);
    return a->index < b->index;
}

static void keep(struct wide_integer *best, struct wide_integer x, bool greater)
{
    if (beats(&x, best, greater))
        *best = x;
}

void wide_merge(struct wide *into, const struct wide *from)
{
    into->rounded += from->rounded;
    keep(&into->min, from->min, false);
    keep(&into->max, from->max, true);
    keep(&into->absmin, from->absmin, false);
    keep(&into->absmax, from->absmax, true);
    if (from->first.index < into->first.index)
        into->first = from->first;
    /* INDEX_NONE is the greatest index, and the least after adding 1. */
    if (from->last.index + 1 > into->last.index + 1)
        into->last = from->last;
}

void wide_keep(struct wide *w, struct wide_integer x)
{
    struct wide_integer unsigned_x = {x.magnitude, x.index, false};
    wide_merge(w, &(struct wide){0, x, x, unsigned_x, unsigned_x, x, x});
}

int wide_compare(const struct wide_integer *w, double x)
{
    int sign = w->negative ? -1 : 1;
    double magnitude = w->negative ? -x : x;
    if (magnitude >= 0x1p64)
        return -sign;
    /* From 2^53 on a double is an integer; below, it is less. */
    if (magnitude < 0x1p53 || (uint64_t)magnitude < w->magnitude)
        return sign;
    return (uint64_t)magnitude > w->magnitude ? -sign : 0;
}
