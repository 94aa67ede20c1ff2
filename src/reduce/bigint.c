/* SPDX-License-Identifier: MIT */
#include "reduce/bigint.h"

#include <string.h>

typedef unsigned __int128 u128;

void bigint_set(struct bigint *x, uint64_t value)
{
    x->negative = false;
    x->low = 0;
    x->words = value != 0;
    x->word[0] = value;
}

void bigint_copy(struct bigint *to, const struct bigint *from)
{
    to->negative = from->negative;
    to->low = from->low;
    to->words = from->words;
    memcpy(to->word, from->word, from->words * sizeof from->word[0]);
}

void bigint_trim(struct bigint *x)
{
    while (x->words > 0 && x->word[x->words - 1] == 0)
        x->words--;
}

void bigint_times(struct bigint *x, uint64_t factor)
{
    uint64_t carry = 0;
    for (unsigned i = 0; i < x->words; i++) {
        const u128 product = (u128)x->word[i] * factor + carry;
        x->word[i] = (uint64_t)product;
        carry = (uint64_t)(product >> 64);
    }
    if (carry)
        x->word[x->words++] = carry;
    bigint_trim(x);
}

void bigint_multiply(struct bigint *out, const struct bigint *a,
                     const struct bigint *b)
{
    out->negative = a->negative != b->negative;
    out->low = a->low + b->low;
    out->words = a->words + b->words;
    memset(out->word, 0, out->words * sizeof out->word[0]);
    for (unsigned i = 0; i < a->words; i++) {
        uint64_t carry = 0;
        for (unsigned j = 0; j < b->words; j++) {
            const u128 sum = (u128)a->word[i] * b->word[j] + out->word[i + j];
            const u128 total = sum + carry;
            out->word[i + j] = (uint64_t)total;
            carry = (uint64_t)(total >> 64);
        }
        out->word[i + b->words] = carry;
    }
    bigint_trim(out);
}

/* Stores the words from number `low` on, even if the lowest of them are 0. */
static void lower(struct bigint *x, unsigned low)
{
    if (low >= x->low)
        return;
    const unsigned more = x->words > 0 ? x->low - low : 0;
    memmove(x->word + more, x->word, x->words * sizeof x->word[0]);
    memset(x->word, 0, more * sizeof x->word[0]);
    x->words += more;
    x->low = low;
}

/* Word number i, where word 0 has the weight 1, whatever `low` is. */
static uint64_t word_at(const struct bigint *x, unsigned i)
{
    return i >= x->low && i - x->low < x->words ? x->word[i - x->low] : 0;
}

bool bigint_is_less(const struct bigint *a, const struct bigint *b)
{
    const unsigned least = a->low < b->low ? a->low : b->low;
    const unsigned end_a = a->low + a->words, end_b = b->low + b->words;
    unsigned i = end_a > end_b ? end_a : end_b;
    while (i > least && word_at(a, i - 1) == word_at(b, i - 1))
        i--;
    return i > least && word_at(a, i - 1) < word_at(b, i - 1);
}

/* |a| += |b|. */
static void add(struct bigint *a, const struct bigint *b)
{
    lower(a, b->low);
    const unsigned at = b->low - a->low;
    u128 sum = 0;
    while (a->words < at + b->words)
        a->word[a->words++] = 0;
    for (unsigned i = at; i < a->words; i++) {
        sum += (u128)a->word[i] + (i - at < b->words ? b->word[i - at] : 0);
        a->word[i] = (uint64_t)sum;
        sum >>= 64;
    }
    if (sum > 0)
        a->word[a->words++] = 1;
}

/* |a| -= |b|, for |a| >= |b|. */
static void subtract(struct bigint *a, const struct bigint *b)
{
    unsigned borrow = 0;
    lower(a, b->low);
    const unsigned at = b->low - a->low;
    for (unsigned i = at; i < a->words; i++) {
        const uint64_t minus = i - at < b->words ? b->word[i - at] : 0;
        const u128 d = (u128)a->word[i] - minus - borrow;
        a->word[i] = (uint64_t)d;
        borrow = (unsigned)(d >> 64) & 1;
    }
    bigint_trim(a);
}

static void add_signed(struct bigint *a, const struct bigint *b, bool negative)
{
    if (b->words == 0)
        return;
    if (a->words == 0) {
        bigint_copy(a, b);
        a->negative = negative;
    } else if (a->negative == negative) {
        add(a, b);
    } else if (bigint_is_less(a, b)) {
        struct bigint difference;
        bigint_copy(&difference, b);
        subtract(&difference, a);
        bigint_copy(a, &difference);
        a->negative = negative;
    } else {
        subtract(a, b);
    }
}

void bigint_add(struct bigint *a, const struct bigint *b)
{
    add_signed(a, b, b->negative);
}

void bigint_subtract(struct bigint *a, const struct bigint *b)
{
    add_signed(a, b, !b->negative);
}

unsigned bigint_bits(const struct bigint *x)
{
    if (x->words == 0)
        return 0;
    return 64 * x->words - (unsigned)__builtin_clzll(x->word[x->words - 1]);
}

static void shift_left(struct bigint *out, const struct bigint *x,
                       unsigned shift)
{
    const unsigned words = x->words > 0 ? shift / 64 : 0, bits = shift % 64;
    const unsigned n = x->words;
    out->negative = x->negative;
    out->low = x->low;
    memmove(out->word + words, x->word, n * sizeof x->word[0]);
    memset(out->word, 0, words * sizeof out->word[0]);
    out->words = words + n;
    if (bits > 0)
        bigint_times(out, 1ull << bits);
}

static bool shift_right(struct bigint *out, const struct bigint *x,
                        unsigned shift)
{
    const unsigned words = shift / 64 < x->words ? shift / 64 : x->words;
    const unsigned bits = shift % 64, n = x->words - words;
    uint64_t lost = 0;
    for (unsigned i = 0; i < words; i++)
        lost |= x->word[i];
    if (bits > 0 && n > 0)
        lost |= x->word[words] << (64 - bits);
    for (unsigned i = 0; i < n; i++) {
        const uint64_t above = i + 1 < n ? x->word[words + i + 1] : 0;
        const uint64_t moved = bits > 0 ? above << (64 - bits) : 0;
        out->word[i] = x->word[words + i] >> bits | moved;
    }
    out->negative = x->negative;
    out->low = x->low;
    out->words = n;
    bigint_trim(out);
    return lost;
}

bool bigint_shift(struct bigint *out, const struct bigint *x, int shift)
{
    if (shift >= 0)
        return shift_right(out, x, (unsigned)shift);
    shift_left(out, x, (unsigned)-shift);
    return false;
}
