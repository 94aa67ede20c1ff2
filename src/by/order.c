/* SPDX-License-Identifier: MIT */
/* Sorts keys column by column. In each: numbers by value, then NaN, texts, and
 * missing keys. */
#include <stdlib.h>
#include <string.h>

#include "base/share.h"
#include "by/order_parts.h"
#include "reduce/float_format.h"

struct text_cell order_key(const struct groups *g, struct by_place place,
                           size_t column)
{
    const struct by_table *t = &g->part[place.table].table;
    return key_column(key_text(&table_head(t, place.id)->key),
                      g->layout.spec.keys, column);
}

/* The class of the item's text. Sets the item's word if it is a number, so that
 * words are in the order of the numbers. */
static enum key_class class_of(const struct sorter *s, struct item *x,
                               size_t column)
{
    const struct text_cell text = text_of(s, x, column);
    double value;
    if (text.bytes == 0)
        return KEY_MISSING;
    const enum key_class class = s->classify(s->context, text, &value);
    if (class == KEY_NUMBER) {
        const int64_t bits = (int64_t)bits_of_double(value == 0 ? 0 : value);
        x->word = key_of_signed(bits ^ (bits >> 63 & INT64_MAX));
    }
    return class;
}

/* Shared by the threads that classify the items of a column. */
struct classified {
    const struct sorter *s;
    struct item *item;
    size_t column;
};

static void classify_some(void *classified, size_t first, size_t end)
{
    const struct classified *c = classified;
    uint8_t *class = c->s->class + (c->item - c->s->first);
    for (size_t i = first; i < end; i++)
        class[i] = (uint8_t)class_of(c->s, &c->item[i], c->column);
}

/* Sorts the items by class. Sets end[class] to where those of the class end. */
static void sort_classes(const struct sorter *s, struct item *item, size_t n,
                         size_t column, size_t end[KEY_CLASSES])
{
    struct item *to = s->room + (item - s->first);
    uint8_t *class = s->class + (item - s->first);
    size_t sum = 0;
    struct classified all = {s, item, column};
    share_out(n < MANY ? 1 : s->threads, n, classify_some, &all);
    memset(end, 0, KEY_CLASSES * sizeof *end);
    for (size_t i = 0; i < n; i++)
        end[class[i]]++;
    if (end[class[0]] == n) { /* the usual case: one class */
        for (int c = 0; c < KEY_CLASSES; c++)
            end[c] = c < class[0] ? 0 : n;
        return;
    }
    memcpy(to, item, n * sizeof *to);
    for (int c = 0; c < KEY_CLASSES; c++) {
        const size_t here = end[c];
        end[c] = sum;
        sum += here;
    }
    for (size_t i = 0; i < n; i++)
        item[end[class[i]]++] = to[i];
}

void sort_column(const struct sorter *s, struct item *item, size_t n,
                 size_t column)
{
    size_t end[KEY_CLASSES];
    if (n < 2 || column >= s->columns)
        return;
    sort_classes(s, item, n, column, end);
    sort_numbers(s, item, end[KEY_NUMBER], column);
    for (int class = KEY_NAN; class <= KEY_TEXT; class ++)
        sort_texts(s, item + end[class - 1], end[class] - end[class - 1],
                   column);
    sort_column(s, item + end[KEY_TEXT], end[KEY_MISSING] - end[KEY_TEXT],
                column + 1);
}

static void list_items(struct item *item, struct groups *g)
{
    const bool is_first = g->layout.spec.is_first;
    for (uint32_t t = 0; t < GROUPS_TABLES; t++) {
        const struct by_table *table = &g->part[t].table;
        for (uint32_t i = 0; i < table->n; i++, item++) {
            item->place = (struct by_place){t, i};
            item->word = is_first ? *layout_first(table_record(table, i)) : 0;
        }
    }
}

bool order_make(struct by_order *o, struct groups *g, classify_fn *classify,
                const void *context, unsigned threads, struct error *e)
{
    enum distinct_lost lost = DISTINCT_KEPT;
    const size_t n = groups_keys(g), bytes = (n + 1) * sizeof(struct item);
    struct item *item = distinct_take(bytes, &lost);
    struct item *room = item ? distinct_take(bytes, &lost) : NULL;
    uint8_t *class = room ? distinct_take(n + 1, &lost) : NULL;
    *o = (struct by_order){.n = n};
    if (class)
        o->place = distinct_take((n + 1) * sizeof *o->place, &lost);
    if (o->place) {
        const struct sorter s = {g,    classify, context, g->layout.spec.keys,
                                 item, room,     class,   threads};
        list_items(item, g);
        if (g->layout.spec.is_first)
            sort_by_word(&s, item, n);
        else
            sort_column(&s, item, n, 0);
        for (size_t i = 0; i < n; i++)
            o->place[i] = item[i].place;
    }
    distinct_give(class, n + 1);
    distinct_give(room, bytes);
    distinct_give(item, bytes);
    return o->place || groups_refuse(g, lost, e);
}

void order_free(struct by_order *o)
{
    distinct_give(o->place, (o->n + 1) * sizeof *o->place);
    *o = (struct by_order){.n = 0};
}
