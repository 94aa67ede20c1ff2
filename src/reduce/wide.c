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

static void keep_all(struct wide *w, const struct wide *x)
{
    keep(&w->min, x->min, false);
    keep(&w->max, x->max, true);
    keep(&w->absmin, x->absmin, false);
    keep(&w->absmax, x->absmax, true);
    if (w->first.magnitude == 0 ||
        (x->first.magnitude && x->first.index < w->first.index))
        w->first = x->first;
    if (w->last.magnitude == 0 ||
        (x->last.magnitude && x->last.index > w->last.index))
        w->last = x->last;
}

static void add(struct state *s, __int128 value, unsigned shift)
{
    struct exact *x = &s->of.exact;
    exact_add_shifted(x, value, (unsigned)-x->lsb + shift);
    x->not_negative_zero = true;
    s->n++;
}

/* The square, of up to 128 bits, in two parts. */
static void add_square(struct state *s, uint64_t magnitude)
{
    unsigned __int128 square = (unsigned __int128)magnitude * magnitude;
    add(s, (__int128)(uint64_t)square, 0);
    add(s, (__int128)(square >> 64), 64);
    s->n--;
}

void wide_step(struct wide *w, struct state *states, unsigned monoids,
               struct wide_integer x)
{
    __int128 value = x.magnitude;
    struct wide_integer unsigned_x = {x.magnitude, x.index, false};
    if (monoids & MONOID_BIT(sum))
        add(&states[MONOID_sum], x.negative ? -value : value, 0);
    if (monoids & MONOID_BIT(sumabs))
        add(&states[MONOID_sumabs], value, 0);
    if (monoids & MONOID_BIT(sumsq))
        add_square(&states[MONOID_sumsq], x.magnitude);
    if (monoids & MONOID_BIT(count)) {
        states[MONOID_count].of.count.nonzero++;
        states[MONOID_count].n++;
    }
    keep_all(w, &(struct wide){x, x, unsigned_x, unsigned_x, x, x});
}

void wide_merge(struct wide *into, const struct wide *from, uint64_t records)
{
    struct wide moved = *from;
    moved.min.index += records;
    moved.max.index += records;
    moved.absmin.index += records;
    moved.absmax.index += records;
    moved.first.index += records;
    moved.last.index += records;
    keep_all(into, &moved);
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
