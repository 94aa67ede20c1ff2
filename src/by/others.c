/* SPDX-License-Identifier: MIT */
/* Adds what a column has besides its values: bad cells and wide integers. */
#include "by/step.h"

static enum distinct_lost step_wide(const struct by_addend *a,
                                    struct wide_integer x)
{
    const struct by_layout *l = a->table->layout;
    enum distinct_lost lost = DISTINCT_KEPT;
    if (l->values || (l->spec.in_order && !l->spec.rounds))
        return DISTINCT_WIDE;
    char *column =
        layout_column(l, table_record(a->table, a->id[x.index]), a->number);
    char *spill = table_spill(a->table, (struct by_column *)column, &lost);
    if (!spill)
        return lost;
    x.index += a->first;
    ((struct by_column *)column)->n++;
    monoids[MONOID_wide].step_wide(spill_wide(spill), x);
    for (int m = 0; m < MONOIDS_END; m++) {
        if (m == MONOID_sum && l->at[m])
            monoids[m].step_wide(spill_sum(l, spill), x);
        else if (l->at[m] && monoids[m].step_wide)
            monoids[m].step_wide(layout_state(l, column, m), x);
    }
    return DISTINCT_KEPT;
}

static void count_bad(const struct by_addend *a, const uint32_t row)
{
    const struct by_layout *l = a->table->layout;
    char *column =
        layout_column(l, table_record(a->table, a->id[row]), a->number);
    ++*(uint64_t *)(column + l->bad);
}

enum distinct_lost by_step_others(const struct by_addend *a,
                                  const uint64_t *hash, unsigned table)
{
    const struct column *c = a->column;
    enum distinct_lost lost = DISTINCT_KEPT;
    for (size_t i = 0; c->bad_rows && i < c->bad; i++) {
        if (!hash || table_of(hash[c->bad_rows[i]]) == table)
            count_bad(a, c->bad_rows[i]);
    }
    for (size_t i = 0; i < c->wides && !lost; i++) {
        if (!hash || table_of(hash[c->wide[i].index]) == table)
            lost = step_wide(a, c->wide[i]);
    }
    return lost;
}
