/* SPDX-License-Identifier: MIT */
#include "by/layout.h"

#include <stdlib.h>
#include <string.h>

#include "by/sum.h"
#include "by/values.h"

/* Bytes of a cache line. A record longer than half of it is padded to whole
 * lines. */
enum { LINE = 64 };

static uint32_t rounded(size_t bytes, size_t to)
{
    return (uint32_t)((bytes + to - 1) / to * to);
}

static bool is_narrow_sum(int monoid)
{
    return monoid == MONOID_sum;
}

static size_t state_bytes(int monoid, enum dtype dtype)
{
    const struct monoid_row *row = &monoids[monoid];
    if (is_narrow_sum(monoid))
        return sizeof(__int128);
    return row->compact ? row->compact->size(dtype) : row->size(dtype);
}

static void init_state(union state *s, int monoid, enum dtype dtype)
{
    const struct monoid_row *row = &monoids[monoid];
    if (is_narrow_sum(monoid))
        return;
    if (row->compact)
        row->compact->init(s, dtype);
    else
        row->init(s, dtype);
}

/* The monoids that by/step.c steps value by value. */
static unsigned direct_of(enum dtype dtype)
{
    const unsigned set = MONOID_BIT(sum) | MONOID_BIT(extrema) |
                         MONOID_BIT(ends) | MONOID_BIT(count);
    const unsigned powers =
        MONOID_BIT(sumsq) | MONOID_BIT(sumcube) | MONOID_BIT(sumfourth);
    return set | (dtype == DTYPE_f64 ? powers : 0);
}

static void place_states(struct by_layout *l)
{
    uint32_t at = sizeof(struct by_column);
    if (l->spec.keeps_bad) {
        l->bad = at;
        at += sizeof(uint64_t);
    }
    if (l->spec.has_texts && l->monoids & MONOID_BIT(ends)) {
        l->ends = at;
        at += sizeof(struct text_ends);
    }
    for (int m = 0; m < MONOIDS_END; m++) {
        if (!(l->monoids >> m & 1))
            continue;
        l->at[m] = at;
        at += rounded(state_bytes(m, l->dtype), sizeof(uint64_t));
    }
    l->stride = at;
}

static void place_columns(struct by_layout *l)
{
    l->first =
        sizeof(struct by_head) + (l->spec.is_first ? sizeof(uint64_t) : 0);
    l->bytes = l->first + (uint32_t)l->columns * l->stride;
    if (l->bytes > LINE / 2)
        l->bytes = rounded(l->bytes, LINE);
    l->spill_sum =
        sizeof(uint64_t) +
        rounded(monoids[MONOID_wide].compact->size(l->dtype), sizeof(uint64_t));
    l->spill =
        l->spill_sum +
        rounded(monoids[MONOID_sum].compact->size(l->dtype), sizeof(uint64_t));
}

static void init_columns(const struct by_layout *l)
{
    for (size_t c = 0; c < l->columns; c++) {
        char *column = layout_column(l, l->blank, c);
        for (int m = 0; m < MONOIDS_END; m++) {
            if (l->at[m])
                init_state(layout_state(l, column, m), m, l->dtype);
        }
        if (l->at[MONOID_ranks])
            layout_state(l, column, MONOID_ranks)->ranks.asked =
                &l->spec.ranks[c];
        if (l->ends)
            text_ends_init(layout_ends(l, column));
    }
}

bool layout_make(struct by_layout *l, const struct by_spec *spec,
                 enum dtype dtype, size_t columns, unsigned set)
{
    const unsigned values =
        spec->ranks ? BY_VALUES & ~MONOID_BIT(ranks) : BY_VALUES;
    *l = (struct by_layout){.spec = *spec,
                            .dtype = dtype,
                            .columns = columns,
                            .monoids = set & ~MONOID_BIT(wide) & ~values,
                            .values = set & values,
                            .has_wide = set & MONOID_BIT(wide)};
    l->direct = l->monoids & direct_of(dtype);
    place_states(l);
    place_columns(l);
    l->blank = calloc(1, l->bytes);
    if (!l->blank)
        return false;
    if (spec->is_first)
        *layout_first(l->blank) = INDEX_NONE;
    init_columns(l);
    return true;
}

void layout_free(struct by_layout *l)
{
    free(l->blank);
    l->blank = NULL;
}
