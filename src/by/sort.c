/* SPDX-License-Identifier: MIT */
#include "by/sort.h"

#include <string.h>

#include "base/element.h"

enum { DIGIT = 8, DIGITS = 1 << DIGIT };

/* The sort of elements of `size` bytes that start with their word. */
static inline __attribute__((always_inline)) void
sort(void *element, void *room, size_t n, size_t size, unsigned from)
{
    char *at = element, *to = room;
    const uint64_t first = n > 0 ? ELEMENT_AT(uint64_t, at, 0) : 0;
    uint64_t all = 0;
    for (size_t i = 0; i < n; i++)
        all |= ELEMENT_AT(uint64_t, at + i * size, 0) ^ first;
    for (unsigned shift = from; shift < 64; shift += DIGIT) {
        size_t end[DIGITS] = {0}, sum = 0;
        if ((all >> shift & (DIGITS - 1)) == 0)
            continue;
        for (size_t i = 0; i < n; i++) {
            const uint64_t word = ELEMENT_AT(uint64_t, at + i * size, 0);
            end[word >> shift & (DIGITS - 1)]++;
        }
        for (unsigned d = 0; d < DIGITS; d++) {
            const size_t here = end[d];
            end[d] = sum;
            sum += here;
        }
        for (size_t i = 0; i < n; i++) {
            const uint64_t word = ELEMENT_AT(uint64_t, at + i * size, 0);
            const size_t place = end[word >> shift & (DIGITS - 1)]++;
            memcpy(to + place * size, at + i * size, size);
        }
        char *const sorted = to;
        to = at;
        at = sorted;
    }
    if (at != element)
        memcpy(element, at, n * size);
}

void sort_words(uint64_t *word, uint64_t *room, size_t n, unsigned from)
{
    sort(word, room, n, sizeof *word, from);
}

void sort_items(struct by_item *item, struct by_item *room, size_t n)
{
    sort(item, room, n, sizeof *item, 0);
}
