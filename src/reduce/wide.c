/* SPDX-License-Identifier: MIT */
#include "reduce/wide.h"

#include <stdlib.h>

#define NO_INTEGER           \
    {                        \
        0, INDEX_NONE, false \
    }
#define NO_INTEGERS \
    NO_INTEGER, NO_INTEGER, NO_INTEGER, NO_INTEGER, NO_INTEGER, NO_INTEGER

struct wide wide_here;
struct wide wide_lost = {0, &wide_here, NO_INTEGERS};

void wide_init(struct wide *w)
{
    *w = (struct wide){0, &wide_here, NO_INTEGERS};
}

void wide_init_compact(struct wide *w)
{
    w->rounded = 0;
    w->elsewhere = NULL;
}

void wide_close(struct wide *w)
{
    if (w->elsewhere != &wide_here && w->elsewhere != &wide_lost)
        free(w->elsewhere);
}

void wide_copy(struct wide *to, const struct wide *from)
{
    wide_init(to);
    wide_merge(to, from);
}

/* Whether a beats b as the minimum or, with greater, as the maximum. */
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

/* The dense state to which integers are added; NULL: it is lost. */
static struct wide *whole_of(struct wide *w)
{
    struct wide *whole = wide_whole(w);
    if (w->elsewhere == &wide_lost)
        return NULL;
    if (whole)
        return whole;
    whole = malloc(sizeof *whole);
    w->elsewhere = whole ? whole : &wide_lost;
    if (whole)
        wide_init(whole);
    return whole;
}

static void merge_integers(struct wide *into, const struct wide *from)
{
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

void wide_merge(struct wide *into, const struct wide *from)
{
    const struct wide *integers = wide_whole(from);
    into->rounded += from->rounded;
    if (from->elsewhere == &wide_lost) {
        wide_close(into);
        into->elsewhere = &wide_lost;
    }
    if (!integers || integers->first.index == INDEX_NONE)
        return;
    struct wide *to = whole_of(into);
    if (to)
        merge_integers(to, integers);
}

void wide_keep(struct wide *w, struct wide_integer x)
{
    struct wide_integer unsigned_x = {x.magnitude, x.index, false};
    wide_merge(
        w, &(struct wide){0, &wide_here, x, x, unsigned_x, unsigned_x, x, x});
}

double wide_nearest(const struct wide_integer *w)
{
    return w->negative ? -(double)w->magnitude : (double)w->magnitude;
}

size_t wide_inexact(const struct wide_integer *w, size_t n)
{
    size_t inexact = 0;
    for (size_t i = 0; i < n; i++)
        inexact += wide_compare(&w[i], wide_nearest(&w[i])) != 0;
    return inexact;
}

int wide_compare(const struct wide_integer *w, double x)
{
    int sign = w->negative ? -1 : 1;
    double magnitude = w->negative ? -x : x;
    if (magnitude >= 0x1p64)
        return -sign;
    /* A double of at least 2^53 is an integer. Smaller ones are less than w. */
    if (magnitude < 0x1p53 || (uint64_t)magnitude < w->magnitude)
        return sign;
    return (uint64_t)magnitude > w->magnitude ? -sign : 0;
}
