/* SPDX-License-Identifier: MIT */
#include "reduce/search.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "reduce/cover.h"

static unsigned shift_of(uint64_t span, unsigned bits)
{
    const unsigned length = span ? 64 - (unsigned)__builtin_clzll(span) : 0;
    return length > bits ? length - bits : 0;
}

static struct rank_part part_of(uint64_t low, uint64_t high, unsigned bits)
{
    struct rank_part part = {.low = low, .span = high - low};
    part.shift = shift_of(part.span, bits);
    part.bins = bits > 0 ? (uint32_t)(part.span >> part.shift) + 1 : 0;
    return part;
}

void rank_ask_all(struct rank_parts *to, struct rank_part *part,
                  enum dtype dtype, unsigned bits)
{
    *part = part_of(rank_least_key(dtype), rank_greatest_key(dtype), bits);
    *to = (struct rank_parts){.parts = 1,
                              .bins = part->bins ? part->bins + 1 : 0,
                              .keeps = bits == 0,
                              .takes_wides = true,
                              .part = part};
}

bool search_open(struct rank_search *s, enum dtype dtype, uint64_t n,
                 const uint64_t *rank, size_t ranks, struct error *e)
{
    *s = (struct rank_search){.dtype = dtype, .n = n};
    s->target = malloc((ranks + 1) * sizeof *s->target);
    s->part = malloc((ranks + 1) * sizeof *s->part);
    if (!s->target || !s->part)
        return error_memory(e);
    for (size_t i = 0; i < ranks; i++)
        s->target[i] = (struct rank_target){rank[i], rank_least_key(dtype),
                                            rank_greatest_key(dtype), 0, n};
    qsort(s->target, ranks, sizeof *s->target, rank_compare);
    for (size_t i = 0; i < ranks; i++) {
        if (i == 0 || s->target[i].rank != s->target[i - 1].rank)
            s->target[s->targets++] = s->target[i];
    }
    return true;
}

void search_close(struct rank_search *s)
{
    free(s->target);
    free(s->part);
    memory_give(s->wides.room * sizeof *s->wides.at);
    free(s->wides.at);
    rank_pieces_free(s->kept);
    *s = (struct rank_search){.n = 0};
}

bool search_is_done(const struct rank_search *s)
{
    size_t i = 0;
    while (i < s->targets && s->target[i].low == s->target[i].high)
        i++;
    return i == s->targets;
}

/* Whether target i is the first with its range, and the range has several keys.
 */
static bool is_open(const struct rank_search *s, size_t i)
{
    const struct rank_target *t = &s->target[i];
    return t->low < t->high && (i == 0 || t->low != t[-1].low);
}

uint64_t search_left(const struct rank_search *s, size_t *ranges)
{
    uint64_t n = 0;
    *ranges = 0;
    for (size_t i = 0; i < s->targets; i++) {
        if (is_open(s, i)) {
            n += s->target[i].n;
            ++*ranges;
        }
    }
    return n;
}

void search_ask(struct rank_search *s, bool keeps, unsigned bits)
{
    size_t parts = 0, bins = 0;
    for (size_t i = 0; i < s->targets; i++) {
        if (!is_open(s, i))
            continue;
        struct rank_part *part = &s->part[parts++];
        *part = part_of(s->target[i].low, s->target[i].high, keeps ? 0 : bits);
        part->first = (uint32_t)bins;
        bins += keeps ? 0 : part->bins + 1;
    }
    s->asked = (struct rank_parts){
        .parts = parts, .bins = bins, .keeps = keeps, .part = s->part};
}

size_t search_wides_below(const struct rank_search *s, uint64_t key)
{
    size_t low = 0, high = s->wides.n;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (s->wides.at[middle].key < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

size_t search_wides_end(const struct rank_search *s, uint64_t high)
{
    return high == UINT64_MAX ? s->wides.n : search_wides_below(s, high + 1);
}

static int by_value(const void *a, const void *b)
{
    const struct wide_integer *x = &((const struct rank_wide *)a)->value,
                              *y = &((const struct rank_wide *)b)->value;
    const int order =
        (x->magnitude > y->magnitude) - (x->magnitude < y->magnitude);
    return x->negative != y->negative ? y->negative - x->negative
           : x->negative              ? -order
                                      : order;
}

static void take_wides(struct rank_search *s, struct ranks *left)
{
    s->wides = left->wides;
    left->wides = (struct rank_wides){.n = 0};
    if (s->wides.n > 0)
        qsort(s->wides.at, s->wides.n, sizeof *s->wides.at, by_value);
}

/* Adds the wide integers of a part to its bins and its reach. */
static void count_wides(const struct rank_search *s,
                        const struct rank_part *part, uint64_t *count,
                        struct rank_reach *reach)
{
    const size_t end = search_wides_end(s, part->low + part->span);
    for (size_t i = search_wides_below(s, part->low); i < end; i++) {
        const uint64_t d = s->wides.at[i].key - part->low;
        count[d >> part->shift]++;
        reach->least = d < reach->least ? d : reach->least;
        reach->greatest = d > reach->greatest ? d : reach->greatest;
    }
}

bool search_changed(struct error *e)
{
    return error_set(e, ERROR_DATA,
                     "the data changed between two passes over them: their "
                     "quantiles are not known");
}

/* Narrows a target's range, the part, to the bin that has its rank. `below`
 * values are below the bin. */
static void enter_bin(struct rank_target *t, const struct rank_part *part,
                      const struct rank_reach *reach, uint64_t bin,
                      uint64_t below, uint64_t n)
{
    const uint64_t first = bin << part->shift,
                   last = first + (((uint64_t)1 << part->shift) - 1);
    const uint64_t from = first > reach->least ? first : reach->least,
                   to = last < reach->greatest ? last : reach->greatest;
    t->low = part->low + from;
    t->high = part->low + to;
    t->below = below;
    t->n = n;
}

/* Narrows all targets of the part. *i is the first of them, then the next after
 * them. */
static bool narrow_part(struct rank_search *s, const struct rank_part *part,
                        uint64_t *count, struct rank_reach *reach, size_t *i,
                        struct error *e)
{
    struct rank_target *t = &s->target[*i], *const end = &s->target[s->targets];
    const uint64_t n = t->n;
    uint64_t below = t->below, seen = 0;
    count_wides(s, part, count, reach);
    for (uint64_t bin = 0; bin < part->bins; bin++) {
        while (t < end && t->low == part->low &&
               t->high == part->low + part->span &&
               t->rank - below < count[bin])
            enter_bin(t++, part, reach, bin, below, count[bin]);
        below += count[bin];
        seen += count[bin];
    }
    *i = (size_t)(t - s->target);
    return seen == n || search_changed(e);
}

static bool narrow_counts(struct rank_search *s, const struct rank_parts *asked,
                          struct ranks *left, struct error *e)
{
    size_t i = 0;
    for (size_t p = 0; p < asked->parts; p++) {
        const struct rank_part *part = &asked->part[p];
        while (i < s->targets && (s->target[i].low != part->low ||
                                  s->target[i].high != part->low + part->span))
            i++;
        if (i < s->targets && !narrow_part(s, part, left->count + part->first,
                                           &left->reach[p], &i, e))
            return false;
    }
    return true;
}

/* Takes the keys that a pass kept. */
static bool take_kept(struct rank_search *s, const struct rank_parts *asked,
                      struct ranks *left, struct error *e)
{
    size_t ranges, wides = 0;
    const uint64_t n = search_left(s, &ranges);
    rank_pieces_free(s->kept);
    s->is_kept = true;
    s->kept = left->kept;
    left->kept = NULL;
    s->kept_n = 0;
    for (const struct rank_piece *p = s->kept; p; p = p->next)
        s->kept_n += p->n;
    for (size_t i = 0; i < asked->parts; i++)
        wides += search_wides_end(s, asked->part[i].low + asked->part[i].span) -
                 search_wides_below(s, asked->part[i].low);
    return s->kept_n + wides == n || search_changed(e);
}

bool search_narrow(struct rank_search *s, struct ranks *left, struct error *e)
{
    const struct rank_parts *asked = left->asked;
    if (s->targets == 0)
        return true;
    if (asked->takes_wides)
        take_wides(s, left);
    if (asked->covers)
        return cover_narrow(s, left, e);
    if (asked->keeps)
        return take_kept(s, asked, left, e);
    if (!ranks_can_count(left))
        return error_memory(e);
    return narrow_counts(s, asked, left, e);
}

void search_write(const struct rank_search *s, struct rank_found *to)
{
    for (size_t i = 0; i < s->targets; i++) {
        const struct rank_target *t = &s->target[i];
        const size_t first = search_wides_below(s, t->low),
                     wides = search_wides_end(s, t->low) - first;
        const uint64_t at = t->rank - t->below, numbers = t->n - wides;
        to[i] = (struct rank_found){.rank = t->rank, .key = t->low};
        if (at >= numbers)
            to[i].wide = s->wides.at[first + (at - numbers)].value;
    }
}
