/* SPDX-License-Identifier: MIT */
/*
 * The number is scaled to twice what its decimals count, 2 * 10^digits, and of
 * that the floor is taken, in big integers; whether something was cut off is
 * kept beside it. The last bit is then the half by which it is rounded.
 */
#include "reduce/decimals.h"

#include <math.h>
#include <string.h>

#include "base/text.h"

typedef unsigned __int128 u128;

enum {
    CHUNK = 19, /* 10^19 fits a word */
    /* A numerator of 70 words, times 4 * 10^(2 * DECIMALS_DIGITS), which has
     * 7138 bits; or, where the exponent is positive, the greatest square so
     * scaled and the divisors: 2048 + 7138 + 128 bits. */
    BIG_WORDS = 70 + 7138 / 64 + 2,
};

struct big {
    unsigned words; /* no leading zero word */
    uint64_t word[BIG_WORDS];
};

static void trim(struct big *x)
{
    while (x->words > 0 && x->word[x->words - 1] == 0)
        x->words--;
}

static void times(struct big *x, uint64_t factor)
{
    u128 carry = 0;
    for (unsigned i = 0; i < x->words; i++) {
        carry += (u128)x->word[i] * factor;
        x->word[i] = (uint64_t)carry;
        carry >>= 64;
    }
    if (carry)
        x->word[x->words++] = (uint64_t)carry;
}

static void times_ten_to(struct big *x, unsigned n)
{
    for (unsigned step; n > 0; n -= step) {
        uint64_t power = 1;
        for (step = 0; step < CHUNK && step < n; step++)
            power *= 10;
        times(x, power);
    }
}

/* Returns what remains. */
static uint64_t divide(struct big *x, uint64_t divisor)
{
    u128 rest = 0;
    for (unsigned i = x->words; divisor > 1 && i-- > 0;) {
        rest = rest << 64 | x->word[i];
        x->word[i] = (uint64_t)(rest / divisor);
        rest %= divisor;
    }
    trim(x);
    return (uint64_t)rest;
}

static void shift_left(struct big *x, unsigned n)
{
    const unsigned words = n / 64;
    times(x, 1ull << n % 64);
    memmove(x->word + words, x->word, x->words * sizeof x->word[0]);
    memset(x->word, 0, words * sizeof x->word[0]);
    x->words += x->words > 0 ? words : 0;
}

/* Returns whether a bit was lost. */
static bool shift_right(struct big *x, unsigned n)
{
    const unsigned words = n / 64 < x->words ? n / 64 : x->words;
    const unsigned bits = n % 64;
    uint64_t lost = 0;
    for (unsigned i = 0; i < words; i++)
        lost |= x->word[i];
    x->words -= words;
    memmove(x->word, x->word + words, x->words * sizeof x->word[0]);
    if (bits > 0 && x->words > 0) {
        lost |= x->word[0] << (64 - bits);
        for (unsigned i = 0; i < x->words; i++) {
            const uint64_t above = i + 1 < x->words ? x->word[i + 1] : 0;
            x->word[i] = x->word[i] >> bits | above << (64 - bits);
        }
    }
    trim(x);
    return lost;
}

static bool is_less(const struct big *x, const struct big *y)
{
    unsigned i = x->words;
    if (x->words != y->words)
        return x->words < y->words;
    while (i > 0 && x->word[i - 1] == y->word[i - 1])
        i--;
    return i > 0 && x->word[i - 1] < y->word[i - 1];
}

/* x -= y, for x >= y. */
static void subtract(struct big *x, const struct big *y)
{
    unsigned borrow = 0;
    for (unsigned i = 0; i < x->words; i++) {
        u128 d = (u128)x->word[i] - (i < y->words ? y->word[i] : 0) - borrow;
        x->word[i] = (uint64_t)d;
        borrow = (unsigned)(d >> 64) & 1;
    }
    trim(x);
}

/* Sets a bit in a number that may have as many words. */
static void set_bit(struct big *x, unsigned bit)
{
    while (x->words <= bit / 64)
        x->word[x->words++] = 0;
    x->word[bit / 64] |= 1ull << bit % 64;
}

/* The square root, bit by bit as by hand: x is what is left of it. Returns
 * whether something is. */
static bool root_by_bits(struct big *x)
{
    struct big root = {.words = 0};
    for (unsigned bit = 64 * x->words; bit > 0;) {
        bit -= 2;
        set_bit(&root, bit);
        const bool fits = !is_less(x, &root);
        if (fits)
            subtract(x, &root);
        root.word[bit / 64] &= ~(1ull << bit % 64);
        trim(&root);
        shift_right(&root, 1);
        if (fits)
            set_bit(&root, bit);
    }
    const bool rest = x->words > 0;
    *x = root;
    return rest;
}

/* The root in f64 is off by at most 2^12, a step of Newton's from there by less
 * than 1, and upwards. */
uint64_t decimals_root(u128 x, bool *rest)
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

static bool take_root(struct big *x)
{
    bool rest;
    if (x->words > 2)
        return root_by_bits(x);
    const uint64_t low = x->words > 0 ? x->word[0] : 0;
    const uint64_t high = x->words > 1 ? x->word[1] : 0;
    x->word[0] = decimals_root((u128)high << 64 | low, &rest);
    x->words = 1;
    trim(x);
    return rest;
}

/* Half of it, rounded; rest: there is something more than it. */
static void halve(struct big *x, bool rest)
{
    const bool is_half = shift_right(x, 1);
    bool carry = is_half && (rest || (x->words > 0 && x->word[0] & 1));
    for (unsigned i = 0; carry && i < x->words; i++)
        carry = ++x->word[i] == 0;
    if (carry)
        x->word[x->words++] = 1;
}

/* Writes the number of units of the last decimal. */
static void put(struct decimals *to, struct big *x, bool negative)
{
    const uint64_t unit = 10000000000000000000u; /* 10^CHUNK */
    char room[DECIMALS_MAX], *const end = room + sizeof room, *first = end;
    char *out = to->text;
    while (x->words > 0) {
        const uint64_t part = divide(x, unit);
        first = text_digits(first, part, x->words > 0 ? CHUNK : 1);
    }
    while (end - first <= (ptrdiff_t)to->digits)
        *--first = '0';
    const size_t whole = (size_t)(end - first) - to->digits;
    if (negative)
        *out++ = '-';
    memcpy(out, first, whole);
    out += whole;
    if (to->digits > 0)
        *out++ = '.';
    memcpy(out, first + whole, to->digits);
    out[to->digits] = '\0';
}

void decimals_put(struct decimals *to, const struct decimals_of *x,
                  bool negative)
{
    struct big n; /* of which most is not set */
    bool rest = false;
    n.words = x->words;
    memcpy(n.word, x->word, x->words * sizeof x->word[0]);
    trim(&n);
    times_ten_to(&n, x->root ? 2 * to->digits : to->digits);
    times(&n, x->root ? 4 : 2);
    if (x->exponent >= 0)
        shift_left(&n, (unsigned)x->exponent);
    else
        rest = shift_right(&n, (unsigned)-x->exponent);
    rest |= divide(&n, x->divisor[0]) > 0;
    rest |= divide(&n, x->divisor[1]) > 0;
    if (x->root)
        rest |= take_root(&n);
    halve(&n, rest);
    put(to, &n, negative);
}

void decimals_put_double(struct decimals *to, double x)
{
    int exponent;
    const double fraction = frexp(fabs(x), &exponent);
    const uint64_t word = (uint64_t)ldexp(fraction, 53);
    const struct decimals_of of = {.word = &word,
                                   .words = 1,
                                   .exponent = exponent - 53,
                                   .divisor = {1, 1}};
    decimals_put(to, &of, signbit(x));
}
