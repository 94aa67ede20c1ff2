/* SPDX-License-Identifier: MIT */
/* Reads a key's sorted values into states that the operations read: quantiles,
 * distinct values and modes. */
#include <stdlib.h>

#include "by/order.h"
#include "reduce/keys.h"

static void read_ranks(const uint64_t *key, size_t n, size_t nans,
                       struct by_reading *r)
{
    const size_t found = ranks_asked(r->found, r->asked->op, r->asked->ops,
                                     r->asked->interpolation, n);
    for (size_t i = 0; i < found; i++)
        r->found[i].key = key[r->found[i].rank];
    ranks_init(&r->ranks.ranks);
    r->ranks.ranks.found = r->found;
    r->ranks.ranks.founds = found;
    r->ranks.ranks.nans = nans;
}

/* The mode is the least of the most frequent numbers, or NaN if there are more
 * NaN than of any number. */
static void read_distinct(enum dtype dtype, const uint64_t *key, size_t n,
                          size_t nans, struct by_reading *r)
{
    uint64_t runs = 0;
    r->mode = (struct distinct_mode){.count = 0};
    for (size_t i = 0, end; i < n; i = end) {
        for (end = i + 1; end < n && key[end] == key[i]; end++)
            ;
        r->mode.ties += end - i == r->mode.count;
        if (end - i > r->mode.count)
            r->mode = (struct distinct_mode){
                .count = end - i, .ties = 1, .bits = rank_bits(dtype, key[i])};
        runs++;
    }
    r->mode.ties += nans > 0 && nans == r->mode.count && !r->asked->skips_nan;
    if (nans > r->mode.count && !r->asked->skips_nan)
        r->mode = (struct distinct_mode){
            .count = nans, .ties = 1, .bits = keys_nan(dtype)};
    distinct_init(&r->distinct.distinct, true);
    r->distinct.distinct.mode = &r->mode;
    distinct_count(&r->distinct.distinct, runs + (nans > 0), nans > 0);
}

/* Reads the texts of a column. NULL: there are none. */
static void read_texts(const struct by_text_tally *texts, struct by_reading *r)
{
    r->mode = (struct distinct_mode){.count = 0};
    distinct_init(&r->distinct.distinct, true);
    r->distinct.distinct.mode = &r->mode;
    if (!texts)
        return;
    r->mode = (struct distinct_mode){
        texts->most, texts->ties, .text = texts->text, .bytes = texts->bytes};
    distinct_count(&r->distinct.distinct, texts->n, false);
}

void by_read_values(const struct by_table *t, uint32_t id, size_t column,
                    struct by_reading *r, struct totals *totals)
{
    const struct by_layout *l = t->layout;
    size_t n, nans;
    const uint64_t *key = by_values_of_record(t, id, column, &n, &nans);
    if (l->values & MONOID_BIT(ranks)) {
        read_ranks(key, n, nans, r);
        totals->state[MONOID_ranks] = &r->ranks;
    }
    if (!(l->values & ~MONOID_BIT(ranks)))
        return;
    const struct by_text_tally *texts = by_texts_of_record(t, id, column);
    if (totals->is_text)
        read_texts(texts, r);
    else
        read_distinct(l->dtype, key, n, nans, r);
    if (l->values & MONOID_BIT(distinct))
        totals->state[MONOID_distinct] = &r->distinct;
    if (l->values & MONOID_BIT(tallies))
        totals->state[MONOID_tallies] = &r->distinct;
}
