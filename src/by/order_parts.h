/* SPDX-License-Identifier: MIT */
/* What order.c and order_words.c share to sort keys. Only they include it. */
#pragma once

#include "by/order.h"

enum {
    /* Threads share the work from this many items on. */
    MANY = 1 << 15,
};

struct sorter {
    const struct groups *g;
    classify_fn *classify;
    const void *context;          /* for classify */
    size_t columns;               /* of a key */
    struct by_item *first, *room; /* [n]: all items; scratch of the same size */
    uint8_t *class;               /* [n]: scratch for the class of each item */
    unsigned threads;             /* how many may share the work */
};

static inline struct text_cell text_of(const struct sorter *s,
                                       const struct by_item *x, size_t column)
{
    return order_key(s->g, x->place, column);
}

/* Sorts items that are equal in all columns before `column`. */
void sort_column(const struct sorter *s, struct by_item *item, size_t n,
                 size_t column);

/* A stable sort of items by their words alone. */
void sort_by_word(const struct sorter *s, struct by_item *item, size_t n);

/* Sorts items of class KEY_NUMBER by their words; equal ones by their texts,
 * and then by the next column. */
void sort_numbers(const struct sorter *s, struct by_item *item, size_t n,
                  size_t column);

/* Sorts items by the bytes of their texts, and equal ones by the next column.
 */
void sort_texts(const struct sorter *s, struct by_item *item, size_t n,
                size_t column);
