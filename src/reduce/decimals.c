/* SPDX-License-Identifier: MIT */
/*
 * The number is multiplied by 2 * 10^digits in big integers, and rounded down.
 * A flag records whether anything was cut off. The last bit then is half a unit
 * of the last decimal, so bit and flag decide the rounding.
 */
#include "reduce/decimals.h"

#include <math.h>
#include <string.h>

#include "base/text.h"

enum { CHUNK = 19 }; /* 10^19 fits a word */

static void times_ten_to(struct bigint *x, unsigned n)
{
    for (unsigned step; n > 0; n -= step) {
        uint64_t power = 1;
        for (step = 0; step < CHUNK && step < n; step++)
            power *= 10;
        bigint_times(x, power);
    }
}

/* Halves x, ties to even. rest: the exact number is greater than x, so a last
 * bit of 1 is no tie. */
static void halve(struct bigint *x, bool rest)
{
    const bool is_half = bigint_shift(x, x, 1);
    bool carry = is_half && (rest || (x->words > 0 && x->word[0] & 1));
    for (unsigned i = 0; carry && i < x->words; i++)
        carry = ++x->word[i] == 0;
    if (carry)
        x->word[x->words++] = 1;
}

/* Writes the number, given in units of the last decimal. */
static void put(struct decimals *to, struct bigint *x, bool negative)
{
    const uint64_t unit = 10000000000000000000u; /* 10^CHUNK */
    char room[DECIMALS_MAX], *const end = room + sizeof room, *first = end;
    char *out = to->text;
    while (x->words > 0) {
        const uint64_t part = bigint_divide_word(x, unit);
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

void decimals_put(struct decimals *to, const struct ratio *x, bool negative)
{
    struct bigint n;
    bigint_copy(&n, x->above);
    times_ten_to(&n, x->root ? 2 * to->digits : to->digits);
    bigint_times(&n, x->root ? 4 : 2);
    bool rest = bigint_shift(&n, &n, -x->exponent);
    rest |= bigint_divide(&n, x->below);
    if (x->root)
        rest |= bigint_root(&n);
    halve(&n, rest);
    put(to, &n, negative);
}

void decimals_put_double(struct decimals *to, double x)
{
    int exponent;
    const double fraction = frexp(fabs(x), &exponent);
    struct bigint above, below;
    bigint_set(&above, (uint64_t)ldexp(fraction, 53));
    bigint_set(&below, 1);
    const struct ratio ratio = {&above, &below, exponent - 53, false};
    decimals_put(to, &ratio, signbit(x));
}
