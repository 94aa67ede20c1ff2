/* SPDX-License-Identifier: MIT */
/* A stable radix sort of elements that start with a 64-bit word. */
#pragma once

#include <string.h>

#include "base/element.h"

/* Sorts n elements of `size` bytes by the bits of their words from number
 * `from` on. `room` is scratch for n elements. `size` is a constant in each
 * copy of this function. */
static inline __attribute__((always_inline)) void
radix_sort(void *element, void *room, size_t n, size_t size, unsigned from)
{
    enum { DIGIT = 8, DIGITS = 1 << DIGIT };
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
