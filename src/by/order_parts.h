/* SPDX-License-Identifier: MIT */
/* The sort of keys, shared by order.c and order_words.c. Include it there
 * only. */
#pragma once

#include "by/order.h"

enum {
    /* From so many on, threads share the work. */
    MANY = 1 << 15,
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
    unsigned threads;          /* that many items are shared between */
};

static inline struct text_cell text_of(const struct sorter *s,
                                       const struct item *x, size_t column)
{
    return order_key(s->g, x->place, column);
}

/* Sorts items that are equal in all columns before `column`. */
void sort_column(const struct sorter *s, struct item *item, size_t n,
                 size_t column);

/* Sorts items by their words alone, stable. */
void sort_by_word(const struct sorter *s, struct item *item, size_t n);

/* Sorts items whose words order numbers; equal ones by their texts, and then by
 * the next column. */
void sort_numbers(const struct sorter *s, struct item *item, size_t n,
                  size_t column);

/* Sorts items by the bytes of their texts, and equal ones by the next column.
 */
void sort_texts(const struct sorter *s, struct item *item, size_t n,
                size_t column);
