/* SPDX-License-Identifier: MIT */
#include "by/sort.h"

#include "base/radix.h"

void sort_words(uint64_t *word, uint64_t *room, size_t n, unsigned from)
{
    radix_sort(word, room, n, sizeof *word, from);
}

void sort_items(struct by_item *item, struct by_item *room, size_t n)
{
    radix_sort(item, room, n, sizeof *item, 0);
}
