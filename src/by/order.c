/* SPDX-License-Identifier: MIT */
/*
 * Keys are sorted column by column, each by words of 64 bits: numbers by one
 * that orders their values, texts by eight bytes after the other. Only keys
 * that are equal so far are looked at again.
 */
#include "by/order.h"

#include <stdlib.h>
#include <string.h>

#include "reduce/float_format.h"

enum {
    /* Fewer are sorted by comparing whole texts. */
    FEW = 24,
    DIGITS = 256,
};

struct item {
    uint64_t word;
    struct by_place place;
};

struct sorter {
    const struct groups *g;
    classify_fn *classify;
    const void *context;
    size_t columns;
    struct item *first, *room; /* [n]: all items, and as much memory */
    uint8_t *class;            /* [n] */
};

struct text_cell order_key(const struct groups *g, struct by_place place,
                           size_t column)
{
    const struct by_table *t = &g->part[place.table].table;
    return key_column(key_text(&table_head(t, place.id)->key),
                      g->layout.spec.keys, column);
}

static struct text_cell text_of(const struct sorter *s, const struct item *x,
                                size_t column)
{
    return order_key(s->g, x->place, column);
}

/* A stable radix sort by word. room: where `item` is in s->room. */
static void sort_words_of(const struct sorter *s, struct item *item, size_t n)
{
    struct item *at = item, *to = s->room + (item - s->first);
    uint64_t all = 0;
    for (size_t i = 0; i < n; i++)
        all |= item[i].word ^ item[0].word;
    for (unsigned shift = 0; shift < 64; shift += 8) {
        size_t end[DIGITS] = {0}, sum = 0;
        if ((all >> shift & (DIGITS - 1)) == 0)
            continue;
        for (size_t i = 0; i < n; i++)
            end[at[i].word >> shift & (DIGITS - 1)]++;
        for (unsigned d = 0; d < DIGITS; d++) {
            const size_t here = end[d];
            end[d] = sum;
            sum += here;
        }
        for (size_t i = 0; i < n; i++)
            to[end[at[i].word >> shift & (DIGITS - 1)]++] = at[i];
        struct item *const swap = at;
        at = to;
        to = swap;
    }
    if (at != item)
        memcpy(item, at, n * sizeof *item);
}

static void sort_by_word(const struct sorter *s, struct item *item, size_t n)
{
    if (n >= DIGITS / 2) {
        sort_words_of(s, item, n);
        return;
    }
    for (size_t i = 1; i < n; i++) {
        const struct item x = item[i];
        size_t k = i;
        for (; k > 0 && item[k - 1].word > x.word; k--)
            item[k] = item[k - 1];
        item[k] = x;
    }
}

/* Up to eight bytes of a text from `offset` on, the first one highest. */
static uint64_t word_of(struct text_cell text, size_t offset)
{
    uint64_t word = 0;
    if (offset >= text.bytes)
        return 0;
    const size_t n = text.bytes - offset;
    memcpy(&word, text.at + offset, n < 8 ? n : 8);
    return __builtin_bswap64(word);
}

/* How many items from the first on have its word. */
static size_t run_of(const struct item *item, size_t n)
{
    size_t end = 1;
    while (end < n && item[end].word == item[0].word)
        end++;
    return end;
}

static int compare(struct text_cell a, struct text_cell b)
{
    const int order = memcmp(a.at, b.at, a.bytes < b.bytes ? a.bytes : b.bytes);
    return order ? order : (a.bytes > b.bytes) - (a.bytes < b.bytes);
}

static void sort_column(const struct sorter *s, struct item *item, size_t n,
                        size_t column);

/* Sorts texts that end alike but for NUL, or few: whole texts are compared.
 * Those that are equal go by their next column. */
static void sort_few(const struct sorter *s, struct item *item, size_t n,
                     size_t column)
{
    for (size_t i = 1; i < n; i++) {
        const struct item x = item[i];
        const struct text_cell text = text_of(s, &x, column);
        size_t k = i;
        for (; k > 0 && compare(text_of(s, &item[k - 1], column), text) > 0;
             k--)
            item[k] = item[k - 1];
        item[k] = x;
    }
    for (size_t i = 0, end; i < n; i = end) {
        const struct text_cell text = text_of(s, &item[i], column);
        for (end = i + 1;
             end < n && compare(text_of(s, &item[end], column), text) == 0;
             end++)
            ;
        sort_column(s, item + i, end - i, column + 1);
    }
}

/* Sorts texts that are equal before `offset`. */
static void sort_texts(const struct sorter *s, struct item *item, size_t n,
                       size_t column, size_t offset)
{
    size_t longest = 0, shortest = SIZE_MAX;
    if (n < FEW) {
        sort_few(s, item, n, column);
        return;
    }
    for (size_t i = 0; i < n; i++) {
        const struct text_cell text = text_of(s, &item[i], column);
        item[i].word = word_of(text, offset);
        longest = text.bytes > longest ? text.bytes : longest;
        shortest = text.bytes < shortest ? text.bytes : shortest;
    }
    /* Equal to their ends: where lengths differ, by NUL. */
    if (longest <= offset) {
        for (size_t i = 0; shortest < longest && i < n; i++)
            item[i].word = text_of(s, &item[i], column).bytes;
        if (shortest == longest) {
            sort_column(s, item, n, column + 1);
            return;
        }
    }
    sort_by_word(s, item, n);
    for (size_t i = 0, run; i < n; i += run) {
        run = run_of(item + i, n - i);
        if (longest <= offset)
            sort_column(s, item + i, run, column + 1);
        else
            sort_texts(s, item + i, run, column, offset + 8);
    }
}

/* What the item's text is; the word of a number orders it. */
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

/* Sorts the items by class; end[class] is where those of one end. */
static void sort_classes(const struct sorter *s, struct item *item, size_t n,
                         size_t column, size_t end[KEY_CLASSES])
{
    struct item *to = s->room + (item - s->first);
    uint8_t *class = s->class + (item - s->first);
    size_t sum = 0;
    memset(end, 0, KEY_CLASSES * sizeof *end);
    for (size_t i = 0; i < n; i++) {
        class[i] = (uint8_t)class_of(s, &item[i], column);
        end[class[i]]++;
        to[i] = item[i];
    }
    for (int c = 0; c < KEY_CLASSES; c++) {
        const size_t here = end[c];
        end[c] = sum;
        sum += here;
    }
    for (size_t i = 0; i < n; i++)
        item[end[class[i]]++] = to[i];
}

static void sort_column(const struct sorter *s, struct item *item, size_t n,
                        size_t column)
{
    size_t end[KEY_CLASSES];
    if (n < 2 || column >= s->columns)
        return;
    sort_classes(s, item, n, column, end);
    sort_by_word(s, item, end[KEY_NUMBER]);
    for (size_t i = 0, run; i < end[KEY_NUMBER]; i += run) {
        run = run_of(item + i, end[KEY_NUMBER] - i);
        if (run > 1)
            sort_texts(s, item + i, run, column, 0);
    }
    for (int class = KEY_NAN; class <= KEY_TEXT; class ++)
        sort_texts(s, item + end[class - 1], end[class] - end[class - 1],
                   column, 0);
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
                const void *context, struct error *e)
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
                                 item, room,     class};
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
    return o->place || groups_refuse(lost, e);
}

void order_free(struct by_order *o)
{
    distinct_give(o->place, (o->n + 1) * sizeof *o->place);
    *o = (struct by_order){.n = 0};
}
