/* SPDX-License-Identifier: MIT */
/*
 * The keys of --by and their records, in the order of their first rows: for
 * each the texts of its columns, its rows and its first row; then for each
 * column that is reduced its values, bad cells, ends of texts and states.
 */
#include <stdlib.h>
#include <string.h>

#include "by/element.h"
#include "by/order.h"
#include "by/sum.h"
#include "saved/parts.h"

/* Sets a sum that may have a spill to one that needs none. False if it needs
 * one: *trimmed is then its state. */
static bool narrow_sum(char *narrow, union state *trimmed,
                       const struct groups *g, struct by_place place,
                       size_t column)
{
    struct by_reading reading; /* large, and mostly not set */
    struct totals totals = {.n = 0};
    reading.asked = NULL;
    by_read(g, place, column, &reading, &totals);
    exact_trim(&trimmed->exact, &reading.sum.exact);
    return by_sum_narrow(narrow, &trimmed->exact,
                         dtype_is_float(g->layout.dtype));
}

/* Writes a sum as the record has it, if it fits that; else as a state. */
static void put_sum(struct saved_bytes *to, const struct groups *g,
                    struct by_place place, size_t column, const char *at)
{
    const bool has_spill = ((const struct by_column *)at)->spill;
    const char *sum = at + g->layout.at[MONOID_sum];
    char narrow[BY_SUM_BYTES];
    union state trimmed;
    if (has_spill && !narrow_sum(narrow, &trimmed, g, place, column))
        saved_put_state(to, MONOID_sum, &trimmed);
    else
        saved_put_text(
            to, (struct saved_text){has_spill ? narrow : sum, BY_SUM_BYTES});
}

static void put_column(struct saved_bytes *to, const struct groups *g,
                       struct by_place place, size_t column)
{
    const struct by_layout *l = &g->layout;
    const struct by_table *t = &g->part[place.table].table;
    char *at = layout_column(l, table_record(t, place.id), column);
    const struct by_column *c = (const struct by_column *)at;
    saved_put_number(to, c->n, 8);
    saved_put_number(to, l->bad ? *(const uint64_t *)(at + l->bad) : 0, 8);
    if (l->ends)
        saved_put_ends(to, layout_ends(l, at));
    for (int m = 0; m < MONOIDS_END; m++) {
        if (m == MONOID_wide && l->has_wide && c->spill)
            saved_put_state(to, MONOID_wide,
                            spill_wide(table_spill_at(t, c->spill)));
        else if (m == MONOID_wide && l->has_wide)
            saved_put_number(to, 0, 4);
        else if (m == MONOID_sum && l->at[m])
            put_sum(to, g, place, column, at);
        else if (l->at[m])
            saved_put_state(to, (enum monoid)m, layout_state(l, at, m));
    }
}

static void put_key(struct saved_bytes *to, const struct groups *g,
                    struct by_place place)
{
    const struct by_table *t = &g->part[place.table].table;
    for (size_t k = 0; k < g->layout.spec.keys; k++) {
        const struct text_cell text = order_key(g, place, k);
        saved_put_text(to, (struct saved_text){text.at, text.bytes});
    }
    saved_put_number(to, table_head(t, place.id)->rows, 8);
    saved_put_number(
        to,
        g->layout.spec.is_first ? *layout_first(table_record(t, place.id)) : 0,
        8);
    for (size_t c = 0; c < g->layout.columns; c++)
        put_column(to, g, place, c);
}

bool saved_put_keys(struct saved_bytes *to, struct groups *g, struct error *e)
{
    struct by_order order;
    if (!order_make(&order, g, NULL, NULL, 1, e))
        return false;
    saved_put_number(to, order.n, 8);
    for (size_t i = 0; i < order.n; i++) {
        order_prefetch(g, &order, i);
        put_key(to, g, order.item[i].place);
    }
    order_free(&order);
    return true;
}

void saved_put_table(struct saved_bytes *to, const struct groups *g,
                     uint32_t table)
{
    const size_t n = g->part[table].table.n;
    saved_put_number(to, n, 8);
    for (uint32_t i = 0; i < n; i++)
        put_key(to, g, (struct by_place){.table = table, .id = i});
}

/* Reads the texts of a key into *room, as one text that KEY_SHORT bytes can be
 * read from. */
static struct text_cell get_key(struct saved_reader *r, const struct groups *g,
                                bool is_text, struct saved_bytes *room)
{
    const size_t keys = g->layout.spec.keys;
    room->n = 0;
    for (size_t k = 0; k < keys; k++) {
        const struct saved_text text = saved_get_text(r);
        const size_t used = room->n;
        r->failed |= !is_text && text.n != KEY_ELEMENT;
        if (!saved_grow(room, text.n + KEY_LENGTH_BYTES + KEY_SHORT))
            break;
        char *to = (char *)room->at + used;
        const struct text_cell cell = {text.at, (uint32_t)text.n, 0};
        room->n =
            (size_t)(key_append(to, cell, k + 1 == keys) - (char *)room->at);
    }
    r->lost |= room->failed;
    r->failed |= r->lost;
    return (struct text_cell){(const char *)room->at, (uint32_t)room->n, 0};
}

/* The integers that f64 cannot hold go to a spill. */
static void get_wide(struct saved_reader *r, struct by_table *t,
                     struct by_column *column, uint64_t elements)
{
    enum distinct_lost lost = DISTINCT_KEPT;
    struct saved_reader ahead = *r;
    if (saved_get_number(&ahead, 4) == 0) {
        *r = ahead;
        return;
    }
    char *spill = table_spill(t, column, &lost);
    r->lost |= !spill;
    r->failed |= r->lost;
    if (!r->failed)
        saved_get_state(r, MONOID_wide, t->layout->dtype, column->n, elements,
                        spill_wide(spill));
}

/* Whether all bytes of a sum are 0. */
static bool is_blank(struct saved_text sum)
{
    static const char zeros[BY_SUM_BYTES];
    return memcmp(sum.at, zeros, sizeof zeros) == 0;
}

/* Whether n values of a key, at least the NaN, can have this sum. Its flag is
 * set unless the others are all -0. */
static bool is_of_values(const struct exact *x, uint64_t n)
{
    const uint64_t infs = x->plus_inf + x->minus_inf, others = n - x->nan;
    return infs + (x->room > 0) <= others &&
           (x->not_negative_zero ? others > 0 : infs == 0);
}

/* A sum goes to the record, or to a spill if it does not fit. Before version 3
 * all sums were written as states. */
static void get_sum(struct saved_reader *r, struct by_table *t, char *at)
{
    const struct by_layout *l = t->layout;
    struct by_column *column = (struct by_column *)at;
    const struct saved_text bytes = saved_get_text(r);
    enum distinct_lost lost = DISTINCT_KEPT;
    union state s;
    if (r->failed)
        return;
    if (bytes.n == BY_SUM_BYTES) {
        memcpy(at + l->at[MONOID_sum], bytes.at, bytes.n);
        r->failed = column->n == 0 && !is_blank(bytes);
        return;
    }
    r->failed = !state_read(MONOID_sum, l->dtype, column->n, &s,
                            (const uint8_t *)bytes.at, bytes.n);
    const struct exact *sum = &s.exact;
    /* A sum without any addend but -0 and NaN has minus zeros. */
    const bool has_minus = !sum->not_negative_zero;
    r->failed = r->failed || !is_of_values(sum, column->n);
    if (r->failed || (has_minus && column->n == 0) ||
        by_sum_narrow(at + l->at[MONOID_sum], sum, dtype_is_float(l->dtype)))
        return;
    char *spill = table_spill(t, column, &lost);
    r->lost |= !spill;
    r->failed |= r->lost;
    if (r->failed)
        return;
    monoids[MONOID_sum].merge(spill_sum(l, spill), &s);
    if (has_minus)
        *spill_minus_zeros(spill) = column->n - sum->nan;
}

static void get_column(struct saved_reader *r, struct by_table *t, uint32_t id,
                       size_t number, uint64_t elements)
{
    const struct by_layout *l = t->layout;
    char *at = layout_column(l, table_record(t, id), number);
    struct by_column *column = (struct by_column *)at;
    column->n = saved_get_number(r, 8);
    const uint64_t bad = saved_get_number(r, 8);
    const uint64_t rows = table_head(t, id)->rows;
    r->failed |= column->n > rows || bad > rows - column->n;
    if (l->bad)
        *(uint64_t *)(at + l->bad) = bad;
    if (l->ends)
        saved_get_ends(r, elements, layout_ends(l, at));
    for (int m = 0; m < MONOIDS_END && !r->failed; m++) {
        if (m == MONOID_wide && l->has_wide)
            get_wide(r, t, column, elements);
        else if (m == MONOID_sum && l->at[m])
            get_sum(r, t, at);
        else if (l->at[m])
            saved_get_state(r, (enum monoid)m, l->dtype, column->n, elements,
                            layout_state(l, at, m));
    }
}

bool saved_get_keys(struct saved_reader *r, struct groups *g,
                    const struct saved_question *q, uint64_t elements)
{
    const bool is_text = q->text[SAVED_data].n == 4;
    struct saved_bytes room = {NULL, 0, 0, false};
    struct saved_text list = q->text[SAVED_keys];
    enum dtype dtype;
    r->failed |= !is_text && !saved_next_dtype(&list, &dtype);
    for (uint64_t n = saved_get_number(r, 8); !r->failed && n > 0; n--) {
        const struct text_cell key = get_key(r, g, is_text, &room);
        const uint64_t rows = saved_get_number(r, 8);
        const uint64_t first = saved_get_number(r, 8);
        r->failed |= (g->layout.spec.is_first && first >= elements) ||
                     rows == 0 || rows >> 62 ||
                     (!is_text && !element_has_key(dtype, key));
        if (r->failed)
            break;
        const struct key_sought sought = key_seek(key);
        struct by_table *t = &g->part[table_of(key_hash(key))].table;
        const size_t before = t->n;
        uint32_t id;
        r->lost = table_find(t, &sought, 1, NULL, &id);
        r->failed = r->lost || t->n == before; /* a key comes once */
        if (r->failed)
            break;
        char *record = table_record(t, id);
        ((struct by_head *)record)->rows = rows;
        if (g->layout.spec.is_first)
            *layout_first(record) = first;
        for (size_t c = 0; c < g->layout.columns && !r->failed; c++)
            get_column(r, t, id, c, elements);
    }
    free(room.at);
    return !r->failed;
}

bool saved_merge_keys(struct groups *into, struct groups *from, struct error *e)
{
    enum distinct_lost lost = DISTINCT_KEPT;
    for (size_t i = 0; !lost && i < GROUPS_TABLES; i++)
        lost = table_merge(&into->part[i].table, &from->part[i].table, NULL,
                           from->part[i].table.n);
    return !lost || groups_refuse(into, lost, e);
}
