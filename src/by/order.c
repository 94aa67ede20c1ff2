/* SPDX-License-Identifier: MIT */
/* Sorts keys column by column. In each: numbers by value, then NaN, texts, and
 * missing keys. */
#include <stdlib.h>
#include <string.h>

#include "base/share.h"
#include "by/order_parts.h"
#include "by/sort.h"
#include "reduce/float_format.h"

enum { FEW = 128 /* fewer items are sorted by insertion */ };

void sort_by_word(const struct sorter *s, struct by_item *item, size_t n)
{
    if (n >= FEW) {
        sort_items(item, s->room + (item - s->first), n);
        return;
    }
    for (size_t i = 1; i < n; i++) {
        const struct by_item x = item[i];
        size_t k = i;
        for (; k > 0 && item[k - 1].word > x.word; k--)
            item[k] = item[k - 1];
        item[k] = x;
    }
}

struct text_cell order_key(const struct groups *g, struct by_place place,
                           size_t column)
{
    const struct by_table *t = &g->part[place.table].table;
    return key_column(key_text(&table_head(t, place.id)->key),
                      g->layout.spec.keys, column);
}

void order_keep(const struct groups *g, struct by_item *item)
{
    const struct by_table *t = &g->part[item->place.table].table;
    const struct by_key *key = &table_head(t, item->place.id)->key;
    if (g->layout.spec.keys > 1 || key->bytes > sizeof item->word)
        return;
    item->word = key->word[0];
    item->place.bytes = (uint16_t)key->bytes;
}

struct text_cell order_text(const struct groups *g, const struct by_item *item,
                            size_t column)
{
    if (item->place.bytes == 0)
        return order_key(g, item->place, column);
    return (struct text_cell){(const char *)&item->word, item->place.bytes, 0};
}

enum key_class order_class(classify_fn *classify, const void *context,
                           size_t column, struct text_cell text,
                           struct key_words *words)
{
    struct key_number number;
    if (text.bytes == 0)
        return KEY_MISSING;
    const enum key_class class =
        classify ? classify(context, column, text, &number) : KEY_TEXT;
    if (class == KEY_NUMBER) {
        const double x = number.nearest == 0 ? 0 : number.nearest;
        const int64_t bits = (int64_t)bits_of_double(x);
        words->nearest = key_of_signed(bits ^ (bits >> 63 & INT64_MAX));
        words->rest = key_of_signed(number.rest);
    }
    return class;
}

/* Shared by the threads that classify the items of a column. */
struct classified {
    const struct sorter *s;
    struct by_item *item;
    size_t column;
};

static void classify_some(void *classified, size_t first, size_t end)
{
    const struct classified *c = classified;
    uint8_t *class = c->s->class + (c->item - c->s->first);
    for (size_t i = first; i < end; i++) {
        struct key_words words = {c->item[i].word, 0};
        class[i] =
            (uint8_t)order_class(c->s->classify, c->s->context, c->column,
                                 text_of(c->s, &c->item[i], c->column), &words);
        c->item[i].word = words.nearest;
    }
}

/* Sorts the items by class. Sets end[class] to where those of the class end. */
static void sort_classes(const struct sorter *s, struct by_item *item, size_t n,
                         size_t column, size_t end[KEY_CLASSES])
{
    struct by_item *to = s->room + (item - s->first);
    uint8_t *class = s->class + (item - s->first);
    struct classified all = {s, item, column};
    share_out(n < MANY ? 1 : s->threads, n, classify_some, &all);
    if (memcmp(class, class + 1, n - 1) == 0) { /* the usual case: one class */
        for (int c = 0; c < KEY_CLASSES; c++)
            end[c] = c < class[0] ? 0 : n;
        return;
    }
    memcpy(to, item, n * sizeof *to);
    for (int c = 0; c < KEY_CLASSES; c++) {
        end[c] = c ? end[c - 1] : 0;
        for (size_t i = 0; i < n; i++) {
            if (class[i] == c)
                item[end[c]++] = to[i];
        }
    }
}

void sort_column(const struct sorter *s, struct by_item *item, size_t n,
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

/* Lists the keys of some tables. */
static void list_some(void *sorter, size_t first, size_t end)
{
    const struct sorter *s = sorter;
    const bool is_first = s->g->layout.spec.is_first;
    struct by_item *item = s->first;
    for (size_t t = 0; t < end; t++) {
        const struct by_table *table = &s->g->part[t].table;
        const size_t n = t < first ? 0 : table->n;
        for (uint32_t i = 0; i < n; i++) {
            item[i].place = (struct by_place){(uint16_t)t, 0, i};
            item[i].word = is_first ? *layout_first(table_record(table, i)) : 0;
        }
        item += table->n;
    }
}

bool order_make(struct by_order *o, struct groups *g, classify_fn *classify,
                const void *context, unsigned threads, struct error *e)
{
    enum distinct_lost lost = DISTINCT_KEPT;
    const size_t n = groups_keys(g), bytes = (n + 1) * sizeof(struct by_item);
    struct by_item *item = distinct_take(bytes, &lost);
    struct by_item *room = item ? distinct_take(bytes, &lost) : NULL;
    uint8_t *class = room ? distinct_take(n + 1, &lost) : NULL;
    if (class) {
        struct sorter s = {g,    classify, context, g->layout.spec.keys,
                           item, room,     class,   threads};
        share_out(n < MANY ? 1 : threads, GROUPS_TABLES, list_some, &s);
        if (g->layout.spec.is_first)
            sort_by_word(&s, item, n);
        else
            sort_column(&s, item, n, 0);
    }
    *o = (struct by_order){class ? item : NULL, n};
    distinct_give(class, n + 1);
    distinct_give(room, bytes);
    if (!class)
        distinct_give(item, bytes);
    return class || groups_refuse(g, lost, e);
}

void order_free(struct by_order *o)
{
    distinct_give(o->item, (o->n + 1) * sizeof *o->item);
    *o = (struct by_order){.n = 0};
}
