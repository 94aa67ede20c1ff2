/* SPDX-License-Identifier: MIT */
/* Reads the record of a key into states that the operations read. */
#include "by/order.h"
#include "by/sum.h"
#include "reduce/float_format.h"

/* Makes an exact sum of reduce/exact.h of the record's sum and its spill. No
 * memory is needed: a compact state has room for a record's sum, and a dense
 * one for all. */
static void read_sum(const struct by_layout *l, char *column, char *spill,
                     struct by_reading *r)
{
    const struct by_column *c = (const struct by_column *)column;
    struct exact *sum = &r->sum.exact;
    uint64_t minus_zeros = 0;
    if (!spill) {
        exact_init_compact(sum, l->dtype, EXACT_VALUE);
    } else {
        exact_init(sum, l->dtype, EXACT_VALUE);
        exact_merge(sum, &spill_sum(l, spill)->exact);
        minus_zeros = *spill_minus_zeros(spill);
    }
    by_sum_widen(sum, column + l->at[MONOID_sum], dtype_is_float(l->dtype));
    sum->not_negative_zero = c->n - sum->nan > minus_zeros;
}

static void read_states(const struct by_table *t, char *column,
                        struct by_reading *r, struct totals *totals)
{
    const struct by_layout *l = t->layout;
    const uint64_t number = ((const struct by_column *)column)->spill;
    char *spill = number ? table_spill_at(t, number) : NULL;
    for (int m = 0; m < MONOIDS_END; m++)
        totals->state[m] = l->at[m] ? layout_state(l, column, m) : NULL;
    if (l->has_wide)
        totals->state[MONOID_wide] =
            spill ? spill_wide(spill) : (const union state *)&r->none;
    if (!l->at[MONOID_sum])
        return;
    read_sum(l, column, spill, r);
    totals->state[MONOID_sum] = &r->sum;
}

void by_read(const struct groups *g, struct by_place place, size_t column,
             struct by_reading *r, struct totals *totals)
{
    const struct by_table *t = &g->part[place.table].table;
    const struct by_layout *l = &g->layout;
    char *record = table_record(t, place.id);
    totals->rows = totals->n = ((struct by_head *)record)->rows;
    totals->missing = totals->bad = 0;
    if (l->columns == 0)
        return;
    char *at = layout_column(l, record, column);
    wide_init_compact(&r->none);
    totals->n = ((struct by_column *)at)->n;
    totals->text = l->ends ? layout_ends(l, at) : NULL;
    totals->bad = l->bad ? *(uint64_t *)(at + l->bad) : 0;
    totals->missing = totals->rows - totals->n - totals->bad;
    read_states(t, at, r, totals);
    if (l->values)
        by_read_values(t, place.id, column, r, totals);
}

bool by_read_sum(const struct groups *g, struct by_place place, size_t column,
                 double *sum)
{
    const struct by_layout *l = &g->layout;
    char *record = table_record(&g->part[place.table].table, place.id);
    const char *at = layout_column(l, record, column);
    const struct by_column *c = (const struct by_column *)at;
    __int128 value;
    if (l->dtype != DTYPE_f64 || c->spill || c->n == 0)
        return false;
    memcpy(&value, at + l->at[MONOID_sum], sizeof value);
    *sum = (double)value * double_of_bits((uint64_t)(1023 + BY_SUM_LSB) << 52);
    return true; /* rounded once: the product is exact */
}

const struct ranks *by_read_ranks(const struct groups *g, struct by_place place,
                                  size_t column, uint64_t *n)
{
    const struct by_table *t = &g->part[place.table].table;
    char *at = layout_column(&g->layout, table_record(t, place.id), column);
    *n = ((struct by_column *)at)->n;
    return &layout_state(&g->layout, at, MONOID_ranks)->ranks;
}
