/* SPDX-License-Identifier: MIT */
#include "by/sort.h"

#include <string.h>

enum { DIGIT = 8, DIGITS = 1 << DIGIT };

static void swap(uint64_t **a, uint64_t **b)
{
    uint64_t *const c = *a;
    *a = *b;
    *b = c;
}

void sort_words(uint64_t *word, uint64_t *room, size_t n, unsigned from)
{
    uint64_t *at = word, *to = room, all = 0;
    for (size_t i = 0; i < n; i++)
        all |= word[i] ^ word[0];
    for (unsigned shift = from; shift < 64; shift += DIGIT) {
        size_t end[DIGITS] = {0}, sum = 0;
        if ((all >> shift & (DIGITS - 1)) == 0)
            continue;
        for (size_t i = 0; i < n; i++)
            end[at[i] >> shift & (DIGITS - 1)]++;
        for (unsigned d = 0; d < DIGITS; d++) {
            const size_t here = end[d];
            end[d] = sum;
            sum += here;
        }
        for (size_t i = 0; i < n; i++)
            to[end[at[i] >> shift & (DIGITS - 1)]++] = at[i];
        swap(&at, &to);
    }
    if (at != word)
        memcpy(word, at, n * sizeof *word);
}
