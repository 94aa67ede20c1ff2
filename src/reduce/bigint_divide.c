/* SPDX-License-Identifier: MIT */
/* Quotients and square roots of integers. */
#include <math.h>
#include <string.h>

#include "reduce/bigint.h"

typedef unsigned __int128 u128;

uint64_t bigint_divide_word(struct bigint *x, uint64_t d)
{
    u128 rest = 0;
    for (unsigned i = x->words; d > 1 && i-- > 0;) {
        rest = rest << 64 | x->word[i];
        x->word[i] = (uint64_t)(rest / d);
        rest -= (u128)x->word[i] * d;
    }
    bigint_trim(x);
    return (uint64_t)rest;
}

/* Estimates the digit of x / d at word `at`; the result may be one too large.
 * It uses the two top words of d, whose top bit must be set, and three words of
 * x (Knuth, The Art of Computer Programming 2, 4.3.1 D). */
static uint64_t guess_digit(const uint64_t *x, const uint64_t *d, unsigned n)
{
    const u128 top = (u128)x[n] << 64 | x[n - 1];
    u128 digit = x[n] >= d[n - 1] ? UINT64_MAX : top / d[n - 1];
    u128 rest = top - digit * d[n - 1];
    while (rest >> 64 == 0 && digit * d[n - 2] > (rest << 64 | x[n - 2])) {
        digit--;
        rest += d[n - 1];
    }
    return (uint64_t)digit;
}

/* Subtracts digit * d from x[0] to x[n], in two's complement. Returns whether
 * the result is negative. */
static bool take_digits(uint64_t *x, const uint64_t *d, unsigned n,
                        uint64_t digit)
{
    uint64_t carry = 0;
    unsigned borrow = 0;
    for (unsigned i = 0; i <= n; i++) {
        const u128 product = (u128)digit * (i < n ? d[i] : 0) + carry;
        const u128 left = (u128)x[i] - (uint64_t)product - borrow;
        carry = (uint64_t)(product >> 64);
        x[i] = (uint64_t)left;
        borrow = (unsigned)(left >> 64) & 1;
    }
    return borrow;
}

static void give_back(uint64_t *x, const uint64_t *d, unsigned n)
{
    u128 sum = 0;
    for (unsigned i = 0; i < n; i++) {
        sum += (u128)x[i] + d[i];
        x[i] = (uint64_t)sum;
        sum >>= 64;
    }
}

/* Each digit of the quotient replaces the word of x that becomes 0. */
bool bigint_divide(struct bigint *x, const struct bigint *divisor)
{
    struct bigint d;
    const unsigned n = divisor->words;
    if (n == 1)
        return bigint_divide_word(x, divisor->word[0]) > 0;
    const int shift = __builtin_clzll(divisor->word[n - 1]);
    bigint_shift(&d, divisor, -shift);
    bigint_shift(x, x, -shift);
    const unsigned top = x->words;
    uint64_t rest = 0;
    x->word[top] = 0;
    for (unsigned at = top + 1 > n ? top + 1 - n : 0; at-- > 0;) {
        uint64_t *word = x->word + at, digit = guess_digit(word, d.word, n);
        if (take_digits(word, d.word, n, digit)) {
            give_back(word, d.word, n);
            digit--;
        }
        word[n] = digit;
    }
    for (unsigned i = 0; i < n && i < top; i++)
        rest |= x->word[i];
    x->words = top >= n ? top + 1 - n : 0;
    memmove(x->word, x->word + n, x->words * sizeof x->word[0]);
    bigint_trim(x);
    return rest;
}

/* Sets a bit, and adds words up to it. */
static void set_bit(struct bigint *x, unsigned bit)
{
    while (x->words <= bit / 64)
        x->word[x->words++] = 0;
    x->word[bit / 64] |= 1ull << bit % 64;
}

/* Computes the root bit by bit, as by hand. x becomes the remainder. */
static bool root_by_bits(struct bigint *x)
{
    struct bigint root;
    bigint_set(&root, 0);
    for (unsigned bit = 64 * x->words; bit > 0;) {
        bit -= 2;
        set_bit(&root, bit);
        const bool fits = !bigint_is_less(x, &root);
        if (fits)
            bigint_subtract(x, &root);
        root.word[bit / 64] &= ~(1ull << bit % 64);
        bigint_trim(&root);
        bigint_shift(&root, &root, 1);
        if (fits)
            set_bit(&root, bit);
    }
    const bool rest = x->words > 0;
    bigint_copy(x, &root);
    return rest;
}

/* The root in f64 has an error of at most 2^12. After a Newton step the error
 * is less than 1, and the result is not too small. */
static uint64_t root_of(u128 x, bool *rest)
{
    const double near = sqrt((double)x);
    uint64_t root = near < 0x1p64 ? (uint64_t)near : UINT64_MAX;
    u128 next = root > 0 ? (root + x / root) / 2 : 0;
    root = next < UINT64_MAX ? (uint64_t)next : UINT64_MAX;
    while ((u128)root * root > x)
        root--;
    *rest = (u128)root * root != x;
    return root;
}

bool bigint_root(struct bigint *x)
{
    bool rest;
    x->negative = false;
    x->low = 0;
    if (x->words > 2)
        return root_by_bits(x);
    const uint64_t low = x->words > 0 ? x->word[0] : 0;
    const uint64_t high = x->words > 1 ? x->word[1] : 0;
    bigint_set(x, root_of((u128)high << 64 | low, &rest));
    return rest;
}
