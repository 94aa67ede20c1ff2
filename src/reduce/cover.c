/* SPDX-License-Identifier: MIT */
#include "reduce/cover.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    /* Distance from a rank to each end of its bracket: so many standard
     * deviations, and so many more keys of the sample. */
    DEVIATIONS = 5,
    MARGIN = 8,
};

/* A stable step of a radix sort, by one digit of 8 bits. False: all keys have
 * the same digit, so nothing was moved. */
static bool sort_digit(uint64_t *to, const uint64_t *from, size_t n,
                       unsigned shift)
{
    size_t at[256] = {0}, sum = 0;
    for (size_t i = 0; i < n; i++)
        at[from[i] >> shift & 255]++;
    if (at[from[0] >> shift & 255] == n)
        return false;
    for (size_t d = 0; d < 256; d++) {
        const size_t count = at[d];
        at[d] = sum;
        sum += count;
    }
    for (size_t i = 0; i < n; i++)
        to[at[from[i] >> shift & 255]++] = from[i];
    return true;
}

/* Returns the sorted keys, in one of the two buffers. */
static const uint64_t *sort(const struct rank_sample *s, size_t n,
                            uint64_t *first, uint64_t *second)
{
    memcpy(first, s->key, n * sizeof *first);
    for (unsigned shift = 0; shift < 64; shift += 8) {
        if (sort_digit(second, first, n, shift)) {
            uint64_t *sorted = second;
            second = first;
            first = sorted;
        }
    }
    return first;
}

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

struct bracket {
    uint64_t low, high;
};

/* Returns the bracket of a rank. Adds to *kept the share of the numbers that
 * are probably in it. */
static struct bracket bracket_of(const struct rank_sample *s,
                                 const uint64_t *sorted, size_t n, double share,
                                 double *kept)
{
    const double at = share * (double)(n - 1);
    const double margin =
        MARGIN + DEVIATIONS * deviation(s, n, sorted[(size_t)at]);
    const bool is_first = at<margin, is_last = at + margin>(double)(n - 1);
    const size_t first = is_first ? 0 : (size_t)(at - margin),
                 last = is_last ? n - 1 : (size_t)(at + margin);
    *kept += (double)(last - first) / (double)n;
    return (struct bracket){is_first ? rank_least_key(s->dtype) : sorted[first],
                            is_last ? rank_greatest_key(s->dtype)
                                    : sorted[last]};
}

/* Adds a bracket after those of lower ranks. Brackets that overlap are merged.
 */
static void add_bracket(struct bracket *all, size_t *n, struct bracket b)
{
    while (*n > 0 && b.low <= all[*n - 1].high) {
        const struct bracket *last = &all[--*n];
        b.low = last->low < b.low ? last->low : b.low;
        b.high = last->high > b.high ? last->high : b.high;
    }
    all[(*n)++] = b;
}

static void add(struct rank_part *part, size_t *n, uint64_t low, uint64_t high,
                bool keeps)
{
    part[*n] = (struct rank_part){
        .low = low, .span = high - low, .first = (uint32_t)*n, .bins = !keeps};
    ++*n;
}

/* Cuts all numbers at the ends of the brackets, which are ascending. */
static size_t cut(enum dtype dtype, const struct bracket *b, size_t brackets,
                  struct rank_part part[COVER_PARTS])
{
    const uint64_t greatest = rank_greatest_key(dtype);
    uint64_t at = rank_least_key(dtype);
    size_t n = 0;
    for (size_t i = 0; i < brackets; i++) {
        if (at < b[i].low)
            add(part, &n, at, b[i].low - 1, false);
        add(part, &n, b[i].low, b[i].low, false);
        if (b[i].high - b[i].low > 1)
            add(part, &n, b[i].low + 1, b[i].high - 1, true);
        if (b[i].high > b[i].low)
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
    const uint64_t *sorted = sort(sample, keys, room, room + keys);
    for (size_t i = 0; i < shares; i++)
        add_bracket(bracket, &brackets,
                    bracket_of(sample, sorted, keys, share[i], kept));
    free(room);
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
