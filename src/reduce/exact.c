/* SPDX-License-Identifier: MIT */
#include "reduce/exact.h"

#include <string.h>

void exact_init(struct exact *x, enum dtype dtype, enum exact_map map)
{
    x->nan = x->plus_inf = x->minus_inf = 0;
    x->not_negative_zero = false;
    x->lsb = EXACT_LSB(dtype, map);
    x->words = EXACT_WORDS_OF(dtype, map);
    memset(x->word, 0, x->words * sizeof x->word[0]);
}

static void add_words(struct exact *x, const uint64_t *word)
{
    unsigned __int128 carry = 0;
    for (uint32_t i = 0; i < x->words; i++) {
        carry += (unsigned __int128)x->word[i] + word[i];
        x->word[i] = (uint64_t)carry;
        carry >>= 64;
    }
}

void exact_merge(struct exact *into, const struct exact *from)
{
    into->nan += from->nan;
    into->plus_inf += from->plus_inf;
    into->minus_inf += from->minus_inf;
    into->not_negative_zero |= from->not_negative_zero;
    add_words(into, from->word);
}

void exact_negate(struct exact *x)
{
    uint64_t swap = x->plus_inf, carry = 1;
    x->plus_inf = x->minus_inf;
    x->minus_inf = swap;
    for (uint32_t i = 0; i < x->words; i++) {
        x->word[i] = ~x->word[i] + carry;
        carry = carry && x->word[i] == 0;
    }
}

int exact_compare(const struct exact *a, const struct exact *b)
{
    uint32_t top = a->words - 1;
    if (a->word[top] != b->word[top])
        return (int64_t)a->word[top] < (int64_t)b->word[top] ? -1 : 1;
    for (uint32_t i = top; i-- > 0;) {
        if (a->word[i] != b->word[i])
            return a->word[i] < b->word[i] ? -1 : 1;
    }
    return 0;
}

int exact_sign(const struct exact *x)
{
    if (x->word[x->words - 1] >> 63)
        return -1;
    for (uint32_t i = 0; i < x->words; i++) {
        if (x->word[i])
            return 1;
    }
    return 0;
}

void exact_copy(struct exact *to, const struct exact *from)
{
    memcpy(to, from,
           offsetof(struct exact, word) + from->words * sizeof from->word[0]);
}
