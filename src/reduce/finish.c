/* SPDX-License-Identifier: MIT */
#include "reduce/finish.h"

#include <math.h>

typedef unsigned __int128 u128;

void finish_number(struct bigint *to, const struct exact *x)
{
    to->negative = exact_is_negative(x);
    to->low = x->first;
    to->words = x->room;
    exact_magnitude(x, to->word);
    bigint_trim(to);
}

void finish_value(struct bigint *to, const struct value *v, int exponent)
{
    int shift = 0;
    if (v->kind == VALUE_INTEGER) {
        bigint_set(to, v->word[0]);
        to->negative = v->negative;
    } else {
        /* The last bits of a subnormal are zeros here; they are shifted out. */
        const double fraction = frexp(fabs(v->real), &shift);
        bigint_set(to, (uint64_t)ldexp(fraction, 53));
        shift -= 53;
        to->negative = v->real < 0;
    }
    bigint_shift(to, to, exponent - shift);
}

static int bits_of_u128(u128 x)
{
    uint64_t high = (uint64_t)(x >> 64), low = (uint64_t)x;
    if (high)
        return 128 - __builtin_clzll(high);
    return low ? 64 - __builtin_clzll(low) : 0;
}

/* Rounds m * 2^exponent. With `rest`, the number is greater, by less than one
 * unit of m; then m must have more than 54 bits. */
static double round_to_double(u128 m, int exponent, bool rest)
{
    int bits = bits_of_u128(m);
    int lead = exponent + bits - 1;
    int keep = lead < -1022 ? 53 - (-1022 - lead) : 53;
    int drop = bits - keep;
    if (m == 0 || keep < 0)
        return 0.0;
    if (lead > 1023)
        return INFINITY;
    if (drop <= 0)
        return ldexp((double)(uint64_t)m, exponent);
    u128 kept = drop < 128 ? m >> drop : 0;
    u128 below = drop < 128 ? m & (((u128)1 << drop) - 1) : m;
    u128 half = (u128)1 << (drop - 1);
    if (below > half || (below == half && (rest || (kept & 1))))
        kept++;
    return ldexp((double)(uint64_t)kept, exponent + drop);
}

/* A quotient of 126 to 128 bits is enough to round it, or its root, to 53 bits.
 */
static double round_ratio(const struct ratio *x)
{
    struct bigint quotient;
    int drop = (int)bigint_bits(x->above) - (int)bigint_bits(x->below) - 127;
    if (x->above->words == 0)
        return 0.0;
    if (x->root && (x->exponent + drop) % 2 != 0)
        drop++;
    bool rest = bigint_shift(&quotient, x->above, drop);
    rest |= bigint_divide(&quotient, x->below);
    if (x->root)
        rest |= bigint_root(&quotient);
    const u128 high = quotient.words > 1 ? quotient.word[1] : 0;
    const int exponent = x->exponent + drop;
    return round_to_double(high << 64 | quotient.word[0],
                           x->root ? exponent / 2 : exponent, rest);
}

double finish_ratio(const struct bigint *above, const struct bigint *below,
                    int exponent, bool root, struct decimals *decimals)
{
    const struct ratio x = {above, below,
                            exponent + 64 * ((int)above->low - (int)below->low),
                            root};
    const bool negative = above->negative && above->words > 0;
    const double value = round_ratio(&x);
    if (decimals && isfinite(value))
        decimals_put(decimals, &x, negative);
    return negative ? -value : value;
}

double finish_quotient(const struct exact *x, uint64_t divisor, bool root,
                       struct decimals *decimals)
{
    struct bigint above, below;
    finish_number(&above, x);
    bigint_set(&below, divisor);
    return finish_ratio(&above, &below, x->lsb, root, decimals);
}

void finish_spread(struct bigint *to, const struct exact *sum,
                   const struct exact *squares, uint64_t n)
{
    struct bigint total, square;
    finish_number(&total, sum);
    bigint_multiply(&square, &total, &total);
    finish_number(to, squares);
    bigint_times(to, n);
    bigint_subtract(to, &square);
}

double finish_variance(const struct exact *sum, const struct exact *squares,
                       uint64_t n, uint64_t divisor, bool root,
                       struct decimals *decimals)
{
    struct bigint above, below;
    finish_spread(&above, sum, squares, n);
    bigint_set(&below, n);
    bigint_times(&below, divisor);
    return finish_ratio(&above, &below, squares->lsb, root, decimals);
}
