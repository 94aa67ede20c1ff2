/* SPDX-License-Identifier: MIT */
/* Stable radix sorts. `room` is scratch for n elements. */
#pragma once

#include "by/order.h"

/* Sorts words by their bits from number `from` on. */
void sort_words(uint64_t *word, uint64_t *room, size_t n, unsigned from);

/* Sorts items by their words. */
void sort_items(struct by_item *item, struct by_item *room, size_t n);
