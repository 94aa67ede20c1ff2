/* SPDX-License-Identifier: MIT */
#include "big.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void trim(struct big *x)
{
    while (x->n > 0 && x->limb[x->n - 1] == 0)
        x->n--;
    x->negative = x->negative && x->n > 0;
}

static void push(struct big *x, uint32_t limb)
{
    if (x->n == BIG_LIMBS)
        abort();
    x->limb[x->n++] = limb;
}

void big_set(struct big *x, uint64_t value)
{
    x->negative = false;
    x->n = 2;
    x->limb[0] = (uint32_t)value;
    x->limb[1] = (uint32_t)(value >> 32);
    trim(x);
}

void big_set_signed(struct big *x, __int128 value)
{
    unsigned __int128 u = (unsigned __int128)value;
    x->negative = value < 0;
    if (x->negative)
        u = -u;
    for (x->n = 0; x->n < 4; x->n++, u >>= 32)
        x->limb[x->n] = (uint32_t)u;
    trim(x);
}

void big_negate(struct big *x)
{
    x->negative = !x->negative && x->n > 0;
}

static int compare_magnitudes(const struct big *a, const struct big *b)
{
    if (a->n != b->n)
        return a->n < b->n ? -1 : 1;
    for (unsigned i = a->n; i-- > 0;) {
        if (a->limb[i] != b->limb[i])
            return a->limb[i] < b->limb[i] ? -1 : 1;
    }
    return 0;
}

int big_compare(const struct big *a, const struct big *b)
{
    if (a->negative != b->negative)
        return a->negative ? -1 : 1;
    int order = compare_magnitudes(a, b);
    return a->negative ? -order : order;
}

/* *to = |to| + sign * |x|, which must not be negative. */
static void add_magnitude(struct big *to, const struct big *x, int sign)
{
    int64_t carry = 0;
    for (unsigned i = 0; i < x->n || carry != 0; i++) {
        if (i == to->n)
            push(to, 0);
        carry +=
            (int64_t)to->limb[i] + (i < x->n ? sign * (int64_t)x->limb[i] : 0);
        to->limb[i] = (uint32_t)carry;
        carry >>= 32;
    }
    trim(to);
}

void big_add(struct big *to, const struct big *x)
{
    if (to->negative == x->negative) {
        add_magnitude(to, x, 1);
    } else if (compare_magnitudes(to, x) >= 0) {
        add_magnitude(to, x, -1);
    } else {
        struct big sum = *x;
        add_magnitude(&sum, to, -1);
        *to = sum;
    }
}

void big_subtract(struct big *from, const struct big *x)
{
    struct big negative = *x;
    big_negate(&negative);
    big_add(from, &negative);
}

void big_multiply(struct big *to, const struct big *x)
{
    struct big product = {.negative = to->negative != x->negative};
    for (unsigned i = 0; i < to->n + x->n; i++)
        push(&product, 0);
    for (unsigned i = 0; i < to->n; i++) {
        uint64_t carry = 0;
        for (unsigned j = 0; j < x->n; j++) {
            carry += (uint64_t)to->limb[i] * x->limb[j] + product.limb[i + j];
            product.limb[i + j] = (uint32_t)carry;
            carry >>= 32;
        }
        product.limb[i + x->n] = (uint32_t)carry;
    }
    trim(&product);
    *to = product;
}

void big_times(struct big *to, uint64_t factor)
{
    struct big x;
    big_set(&x, factor);
    big_multiply(to, &x);
}

void big_plus(struct big *to, int64_t addend)
{
    struct big x;
    big_set_signed(&x, addend);
    big_add(to, &x);
}

void big_shift(struct big *x, unsigned bits)
{
    struct big power;
    big_set(&power, 1ull << bits % 32);
    if (x->n + bits / 32 > BIG_LIMBS)
        abort();
    if (x->n == 0)
        return;
    memmove(x->limb + bits / 32, x->limb, x->n * sizeof x->limb[0]);
    memset(x->limb, 0, bits / 32 * sizeof x->limb[0]);
    x->n += bits / 32;
    big_multiply(x, &power);
}

void big_of_words(struct big *x, const uint64_t *word, size_t words)
{
    *x = (struct big){.n = 0};
    for (size_t i = 0; i < words; i++) {
        push(x, (uint32_t)word[i]);
        push(x, (uint32_t)(word[i] >> 32));
    }
    trim(x);
    if (word[words - 1] >> 63) {
        struct big modulus;
        big_set(&modulus, 1);
        big_shift(&modulus, 64 * (unsigned)words);
        big_subtract(x, &modulus);
    }
}

bool big_to_words(const struct big *x, uint64_t *word, size_t words)
{
    struct big positive = *x, back;
    if (x->negative) {
        big_set(&positive, 1);
        big_shift(&positive, 64 * (unsigned)words);
        big_add(&positive, x);
    }
    for (size_t i = 0; i < words; i++) {
        uint64_t low = 2 * i < positive.n ? positive.limb[2 * i] : 0;
        uint64_t high = 2 * i + 1 < positive.n ? positive.limb[2 * i + 1] : 0;
        word[i] = low | high << 32;
    }
    big_of_words(&back, word, words);
    return big_compare(&back, x) == 0;
}

bool big_of_text(struct big *x, const char *text)
{
    bool negative = *text == '-';
    big_set(x, 0);
    text += negative;
    if (*text == '\0')
        return false;
    for (; *text; text++) {
        if (*text < '0' || *text > '9')
            return false;
        big_times(x, 10);
        big_plus(x, *text - '0');
    }
    if (negative)
        big_negate(x);
    return true;
}

void big_of_double(struct big *x, int *exponent, double value)
{
    int64_t m = (int64_t)ldexp(frexp(value, exponent), 53);
    *exponent = m == 0 ? 0 : *exponent - 53;
    for (; m != 0 && m % 2 == 0; m /= 2)
        ++*exponent;
    big_set_signed(x, m);
}
