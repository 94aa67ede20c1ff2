/* SPDX-License-Identifier: MIT */
#include "reduce/cover.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "reduce/select.h"

enum {
    /* Distance from a rank to each end of its bracket: so many standard
     * deviations, and so many more keys of the sample. */
    DEVIATIONS = 4,
    MARGIN = 8,
};

/*
 * The standard deviation of the number of sample keys below a given key. Keys
 * of a block are neighbours in the data and often alike, so a block may have no
 * more information than one key. So the deviation is estimated from blocks, not
 * keys. Each block is compared with the one before it: blocks are spread
 * evenly, so a trend over all data does not matter.
 */
static double deviation(const struct rank_sample *s, size_t n, uint64_t key)
{
    size_t below[2] = {0, 0}, start = 0;
    double sum = 0, before = 0;
    for (size_t i = 0; i < n; i++)
        below[0] += s->key[i] < key;
    const double share = (double)below[0] / (double)n;
    for (size_t b = 0; b < s->blocks; b++) {
        below[1] = 0;
        for (size_t i = start; i < s->end[b]; i++)
            below[1] += s->key[i] < key;
        const double off =
            (double)below[1] - share * (double)(s->end[b] - start);
        sum += b > 0 ? (off - before) * (off - before) : 0;
        before = off;
        start = s->end[b];
    }
    return sqrt(fmax(sum / 2, (double)n * share * (1 - share)));
}

/* Keys from low to high. An end that is frequent is not kept, since the
 * counters alone show its ranks. */
struct bracket {
    uint64_t low, high;
    bool low_is_frequent, high_is_frequent;
};

/* The sample's keys are copied to `key`, which selecting reorders. */
struct selection {
    const struct rank_sample *sample;
    size_t n;
    uint64_t *key, *scratch; /* [n] */
};

/* Sets the keys of some ascending ranks; those of equal ranks are the same. */
static void select_keys_of(const struct selection *s, struct rank_found *found,
                           size_t ranks)
{
    memcpy(s->key, s->sample->key, s->n * sizeof *s->key);
    select_ranks(DTYPE_u64, s->key, s->n, s->scratch, found, ranks);
}

static struct bracket bracket_of(const struct selection *s, double share)
{
    const struct rank_sample *sample = s->sample;
    const size_t end = s->n - 1;
    const double at = share * (double)end;
    struct rank_found middle = {.rank = (uint64_t)at};
    select_keys_of(s, &middle, 1);
    const double margin =
        MARGIN + DEVIATIONS * deviation(sample, s->n, middle.key);
    const bool is_first = at<margin, is_last = at + margin>(double) end;
    const size_t first = is_first ? 0 : (size_t)(at - margin),
                 last = is_last ? end : (size_t)(at + margin);
    struct rank_found found[] = {
        {.rank = first < MARGIN ? 0 : first - MARGIN},
        {.rank = first},
        {.rank = last},
        {.rank = last + MARGIN > end ? end : last + MARGIN}};
    select_keys_of(s, found, sizeof found / sizeof *found);
    return (struct bracket){
        is_first ? rank_least_key(sample->dtype) : found[1].key,
        is_last ? rank_greatest_key(sample->dtype) : found[2].key,
        is_first || found[0].key == found[1].key,
        is_last || found[2].key == found[3].key};
}

/* Adds a bracket after those of lower ranks. Brackets that overlap are merged.
 */
static void add_bracket(struct bracket *all, size_t *n, struct bracket b)
{
    while (*n > 0 && b.low <= all[*n - 1].high) {
        const struct bracket *last = &all[--*n];
        if (last->low <= b.low) {
            b.low = last->low;
            b.low_is_frequent = last->low_is_frequent;
        }
        if (last->high > b.high) {
            b.high = last->high;
            b.high_is_frequent = last->high_is_frequent;
        }
    }
    all[(*n)++] = b;
}

/* The keys between the frequent ends of a bracket. */
struct inner {
    uint64_t low, high;
    bool is_empty, is_kept; /* few keys are counted instead, each by itself */
};

static struct inner inner_of(const struct bracket *b, size_t brackets)
{
    const size_t most = (COVER_PARTS - 1) / brackets - COVER_ENDS,
                 singles = most < COVER_SINGLES ? most : COVER_SINGLES;
    const uint64_t low = b->low + b->low_is_frequent,
                   high = b->high - b->high_is_frequent;
    const bool is_empty = b->low == b->high || low > high;
    return (struct inner){low, high, is_empty,
                          !is_empty && high - low >= singles};
}

/* The share of the sample's n keys that are in a part that is kept. */
static double kept_of(const struct rank_sample *s, size_t n, struct inner inner)
{
    size_t kept = 0;
    for (size_t i = 0; inner.is_kept && i < n; i++)
        kept += s->key[i] - inner.low <= inner.high - inner.low;
    return (double)kept / (double)n;
}

static void add(struct rank_part *part, size_t *n, uint64_t low, uint64_t high,
                bool keeps)
{
    part[*n] = (struct rank_part){
        .low = low, .span = high - low, .first = (uint32_t)*n, .bins = !keeps};
    ++*n;
}

static void add_inner(struct rank_part *part, size_t *n, struct inner inner)
{
    if (inner.is_kept)
        add(part, n, inner.low, inner.high, true);
    else if (!inner.is_empty)
        for (uint64_t i = 0; i <= inner.high - inner.low; i++)
            add(part, n, inner.low + i, inner.low + i, false);
}

/* Cuts all numbers at the ends of the brackets, which are ascending. */
static size_t cut(enum dtype dtype, const struct bracket *b, size_t brackets,
                  struct rank_part part[COVER_PARTS])
{
    const uint64_t greatest = rank_greatest_key(dtype);
    uint64_t at = rank_least_key(dtype);
    size_t n = 0;
    for (size_t i = 0; i < brackets; i++) {
        const bool is_one = b[i].low == b[i].high;
        const struct inner inner = inner_of(&b[i], brackets);
        if (at < b[i].low)
            add(part, &n, at, b[i].low - 1, false);
        if (is_one || b[i].low_is_frequent)
            add(part, &n, b[i].low, b[i].low, false);
        add_inner(part, &n, inner);
        if (!is_one && b[i].high_is_frequent)
            add(part, &n, b[i].high, b[i].high, false);
        if (b[i].high == greatest)
            return n;
        at = b[i].high + 1;
    }
    add(part, &n, at, greatest, false);
    return n;
}

bool cover_make(const struct rank_sample *sample, const double *share,
                size_t shares, struct rank_part part[COVER_PARTS], size_t *n,
                double *kept, struct error *e)
{
    const size_t keys = sample->blocks ? sample->end[sample->blocks - 1] : 0;
    struct bracket bracket[COVER_SHARES];
    size_t brackets = 0;
    *n = 0;
    *kept = 0;
    if (keys < COVER_SAMPLES || shares == 0 || shares > COVER_SHARES)
        return true;
    uint64_t *room = malloc(2 * keys * sizeof *room);
    if (!room)
        return error_memory(e);
    const struct selection selection = {sample, keys, room, room + keys};
    for (size_t i = 0; i < shares; i++)
        add_bracket(bracket, &brackets, bracket_of(&selection, share[i]));
    free(room);
    for (size_t i = 0; i < brackets; i++)
        *kept += kept_of(sample, keys, inner_of(&bracket[i], brackets));
    *n = cut(sample->dtype, bracket, brackets, part);
    return true;
}

/* Returns how many numbers there are up to the end of a part, wide integers
 * included. */
static uint64_t up_to(const struct rank_search *s, const struct ranks *left,
                      size_t part)
{
    const struct rank_part *p = &left->asked->part[part];
    return (left->count ? left->count[part] : 0) +
           search_wides_end(s, p->low + p->span);
}

/* Whether the values of all ranks are known or among the kept numbers. */
static bool place_targets(struct rank_search *s, const struct ranks *left)
{
    const struct rank_parts *asked = left->asked;
    bool all_known = true;
    for (size_t i = 0, k = 0; i < s->targets; i++) {
        struct rank_target *t = &s->target[i];
        while (k + 1 < asked->parts && t->rank >= up_to(s, left, k))
            k++;
        const struct rank_part *p = &asked->part[k];
        t->low = p->low;
        t->high = p->low + p->span;
        t->below = k > 0 ? up_to(s, left, k - 1) : 0;
        t->n = up_to(s, left, k) - t->below;
        all_known = all_known && (p->span == 0 || p->bins == 0);
    }
    return all_known;
}

bool cover_narrow(struct rank_search *s, struct ranks *left, struct error *e)
{
    if (up_to(s, left, left->asked->parts - 1) != s->n)
        return search_changed(e);
    s->is_kept = place_targets(s, left) && !left->crowded;
    if (!s->is_kept)
        return true;
    s->kept = left->kept;
    left->kept = NULL;
    for (const struct rank_piece *p = s->kept; p; p = p->next)
        s->kept_n += p->n;
    return true;
}
