/* SPDX-License-Identifier: MIT */
/* Merges records into those of another table, and checks and maps all states of
 * a table. */
#include <string.h>

#include "by/sum.h"
#include "by/table.h"
#include "reduce/float_format.h"

/* The same column of the same key in two tables. */
struct pair {
    struct by_table *into;
    const struct by_table *from;
    char *to, *at; /* in a record of `into`; in one of `from` */
};

static enum distinct_lost merge_spills(const struct pair *p)
{
    const struct by_layout *l = p->into->layout;
    enum distinct_lost lost = DISTINCT_KEPT;
    const struct by_column *column = (const struct by_column *)p->at;
    if (!column->spill)
        return DISTINCT_KEPT;
    char *to = table_spill(p->into, (struct by_column *)p->to, &lost);
    char *at = table_spill_at(p->from, column->spill);
    if (!to)
        return lost;
    *spill_minus_zeros(to) += *spill_minus_zeros(at);
    monoids[MONOID_wide].merge(spill_wide(to), spill_wide(at));
    monoids[MONOID_sum].merge(spill_sum(l, to), spill_sum(l, at));
    return DISTINCT_KEPT;
}

/* Adds the sum p->at to p->to. If the result does not fit, adds p->at to the
 * spill of p->to instead. */
static enum distinct_lost merge_sums(const struct pair *p)
{
    const struct by_layout *l = p->into->layout;
    enum distinct_lost lost = DISTINCT_KEPT;
    char *to = p->to + l->at[MONOID_sum];
    const char *at = p->at + l->at[MONOID_sum];
    __int128 a, b;
    memcpy(&a, to, sizeof a);
    memcpy(&b, at, sizeof b);
    if (__builtin_add_overflow(a, b, &a)) {
        char *spill = table_spill(p->into, (struct by_column *)p->to, &lost);
        if (!spill)
            return lost;
        by_sum_widen(&spill_sum(l, spill)->exact, at, dtype_is_float(l->dtype));
        return DISTINCT_KEPT;
    }
    memcpy(to, &a, sizeof a);
    return DISTINCT_KEPT;
}

static enum distinct_lost merge_column(const struct pair *p)
{
    const struct by_layout *l = p->into->layout;
    enum distinct_lost lost = merge_spills(p);
    ((struct by_column *)p->to)->n += ((struct by_column *)p->at)->n;
    if (l->bad)
        *(uint64_t *)(p->to + l->bad) += *(uint64_t *)(p->at + l->bad);
    if (l->ends)
        text_ends_merge(layout_ends(l, p->to), layout_ends(l, p->at));
    for (int m = 0; m < MONOIDS_END && !lost; m++) {
        if (!l->at[m])
            continue;
        if (m == MONOID_sum)
            lost = merge_sums(p);
        else
            monoids[m].merge(layout_state(l, p->to, m),
                             layout_state(l, p->at, m));
    }
    return lost;
}

static enum distinct_lost merge_record(struct by_table *into,
                                       const struct by_table *from, char *to,
                                       char *at)
{
    const struct by_layout *l = into->layout;
    enum distinct_lost lost = DISTINCT_KEPT;
    ((struct by_head *)to)->rows += ((struct by_head *)at)->rows;
    if (l->spec.is_first && *layout_first(at) < *layout_first(to))
        *layout_first(to) = *layout_first(at);
    for (size_t c = 0; c < l->columns && !lost; c++) {
        const struct pair p = {into, from, layout_column(l, to, c),
                               layout_column(l, at, c)};
        lost = merge_column(&p);
    }
    return lost;
}

enum distinct_lost table_merge(struct by_table *into,
                               const struct by_table *from,
                               const uint32_t *which, size_t n)
{
    enum { BATCH = 256 };
    struct key_sought key[BATCH];
    uint32_t at[BATCH], id[BATCH];
    enum distinct_lost lost = DISTINCT_KEPT;
    for (size_t first = 0; first < n && !lost; first += BATCH) {
        const size_t batch = n - first < BATCH ? n - first : BATCH;
        for (uint32_t i = 0; i < batch; i++) {
            at[i] = which ? which[first + i] : (uint32_t)first + i;
            key[i] = key_seek_kept(&table_head(from, at[i])->key);
        }
        lost = table_find(into, key, batch, NULL, id);
        for (size_t i = 0; i < batch && !lost; i++) {
            char *to = table_record(into, id[i]);
            ((struct by_head *)to)->rows--; /* table_find has counted one */
            lost = merge_record(into, from, to, table_record(from, at[i]));
        }
    }
    return lost;
}

/* False, with the error, if a state of the column ran out of memory. */
static bool check_column(const struct by_layout *l, char *column,
                         struct error *e)
{
    if (l->ends && layout_ends(l, column)->lost)
        return error_memory(e);
    for (int m = 0; m < MONOIDS_END; m++) {
        const struct compact *compact = monoids[m].compact;
        if (!l->at[m] || m == MONOID_sum || !compact ||
            !compact->is_lost(layout_state(l, column, m)))
            continue;
        if (compact->refuse)
            return compact->refuse(layout_state(l, column, m), e);
        return error_memory(e);
    }
    return true;
}

bool table_check(const struct by_table *t, struct error *e)
{
    const struct by_layout *l = t->layout;
    bool ok = true;
    for (size_t i = 1; i <= t->spills; i++) {
        char *spill = table_spill_at(t, i);
        if (monoids[MONOID_wide].compact->is_lost(spill_wide(spill)) ||
            monoids[MONOID_sum].compact->is_lost(spill_sum(l, spill)))
            return error_memory(e);
    }
    unsigned owning = l->ends;
    for (int m = 0; m < MONOIDS_END; m++)
        owning |= m != MONOID_sum && monoids[m].compact ? l->at[m] : 0;
    for (size_t i = 0; ok && owning && i < t->n * l->columns; i++)
        ok = check_column(
            l,
            layout_column(l, table_record(t, i / l->columns), i % l->columns),
            e);
    return ok;
}

static void map_states(struct by_table *t,
                       uint64_t (*map)(const void *context, uint64_t position),
                       const void *context)
{
    const struct by_layout *l = t->layout;
    for (int m = 0; m < MONOIDS_END; m++) {
        if (!l->at[m] || m == MONOID_sum ||
            monoid_need((enum monoid)m, l->dtype) != NEED_POSITIONS)
            continue;
        for (size_t i = 0; i < t->n; i++) {
            for (size_t c = 0; c < l->columns; c++) {
                char *column = layout_column(l, table_record(t, i), c);
                state_map((enum monoid)m, layout_state(l, column, m), map,
                          context);
            }
        }
    }
}

void table_map(struct by_table *t,
               uint64_t (*map)(const void *context, uint64_t position),
               const void *context)
{
    map_states(t, map, context);
    for (size_t i = 0; t->layout->ends && i < t->n * t->layout->columns; i++) {
        const size_t columns = t->layout->columns;
        char *record = table_record(t, i / columns);
        text_ends_map(layout_ends(t->layout, layout_column(t->layout, record,
                                                           i % columns)),
                      map, context);
    }
    for (size_t i = 1; i <= t->spills; i++)
        state_map(MONOID_wide, spill_wide(table_spill_at(t, i)), map, context);
    for (size_t i = 0; t->layout->spec.is_first && i < t->n; i++) {
        uint64_t *first = layout_first(table_record(t, i));
        *first = map(context, *first);
    }
}
