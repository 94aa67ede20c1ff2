/* SPDX-License-Identifier: MIT */
#include "reduce/finish.h"

#include <math.h>
#include <string.h>

typedef unsigned __int128 u128;

/* An unsigned integer of as many bits as a variance's numerator can have: the
 * square of a sum of f64 has twice 35 words, and n * squares one more than
 * EXACT_WORDS. */
enum { WIDE_WORDS = EXACT_WORDS + 2 };

struct wide {
    unsigned low;   /* words of zeros below, which are not kept */
    unsigned words; /* no leading zero word */
    uint64_t word[WIDE_WORDS];
};

static void wide_trim(struct wide *w)
{
    while (w->words > 0 && w->word[w->words - 1] == 0)
        w->words--;
}

/* |x|. */
static void wide_of(struct wide *w, const struct exact *x)
{
    w->low = x->first;
    w->words = x->room;
    exact_magnitude(x, w->word);
    wide_trim(w);
}

static void wide_times(struct wide *w, uint64_t factor)
{
    u128 carry = 0;
    for (unsigned i = 0; i < w->words; i++) {
        carry += (u128)w->word[i] * factor;
        w->word[i] = (uint64_t)carry;
        carry >>= 64;
    }
    w->word[w->words++] = (uint64_t)carry;
    wide_trim(w);
}

static void wide_square(struct wide *out, const struct wide *x)
{
    memset(out->word, 0, 2 * x->words * sizeof out->word[0]);
    out->low = 2 * x->low;
    out->words = 2 * x->words;
    for (unsigned i = 0; i < x->words; i++) {
        u128 carry = 0;
        for (unsigned j = 0; j < x->words; j++) {
            carry += (u128)x->word[i] * x->word[j] + out->word[i + j];
            out->word[i + j] = (uint64_t)carry;
            carry >>= 64;
        }
        out->word[i + x->words] = (uint64_t)carry;
    }
    wide_trim(out);
}

/* Keeps the words from number `low` on, which may be zeros. */
static void wide_lower(struct wide *w, unsigned low)
{
    if (low >= w->low)
        return;
    const unsigned more = w->low - low;
    memmove(w->word + more, w->word, w->words * sizeof w->word[0]);
    memset(w->word, 0, more * sizeof w->word[0]);
    w->words += more;
    w->low = low;
}

/* a -= b, for a >= b. */
static void wide_subtract(struct wide *a, const struct wide *b)
{
    unsigned borrow = 0;
    if (b->words == 0)
        return;
    wide_lower(a, b->low);
    uint64_t *word = a->word + (b->low - a->low);
    const unsigned n = a->words - (b->low - a->low);
    for (unsigned i = 0; i < n; i++) {
        u128 d = (u128)word[i] - (i < b->words ? b->word[i] : 0) - borrow;
        word[i] = (uint64_t)d;
        borrow = (unsigned)(d >> 64) & 1;
    }
    wide_trim(a);
}

static int wide_bits(const struct wide *w)
{
    if (w->words == 0)
        return 0;
    return (int)(64 * w->words) - __builtin_clzll(w->word[w->words - 1]);
}

static int bits_of_u128(u128 x)
{
    uint64_t high = (uint64_t)(x >> 64), low = (uint64_t)x;
    if (high)
        return 128 - __builtin_clzll(high);
    return low ? 64 - __builtin_clzll(low) : 0;
}

/* floor(w / 2^i) mod 2^64; i >= -1024. */
static uint64_t wide_from(const struct wide *w, int i)
{
    const int at = (i + 1024) / 64 - 16, shift = (i + 1024) % 64;
    const uint64_t low = at >= 0 && at < (int)w->words ? w->word[at] : 0;
    const uint64_t high =
        at >= -1 && at + 1 < (int)w->words ? w->word[at + 1] : 0;
    return shift > 0 ? low >> shift | high << (64 - shift) : low;
}

/* Whether any bit below number i is set. */
static bool wide_any_below(const struct wide *w, int i)
{
    for (int j = 0; j < (int)w->words && 64 * j < i; j++) {
        int left = i - 64 * j;
        uint64_t mask = left >= 64 ? UINT64_MAX : (1ull << left) - 1;
        if (w->word[j] & mask)
            return true;
    }
    return false;
}

/* floor(n * 2^-drop / d), which must fit 128 bits; drop may be negative.
 * *rest tells whether the exact quotient is larger. Long division, of as many
 * bits a step as a remainder leaves room for. */
static u128 wide_divide(const struct wide *n, int drop, u128 d, bool *rest)
{
    const int room = 128 - bits_of_u128(d);
    const int step = room > 64 ? 64 : room > 0 ? room : 1;
    const uint64_t mask = UINT64_MAX >> (64 - step);
    u128 quotient = 0, remainder = 0;
    int at = drop + (wide_bits(n) - drop - 1) / step * step;
    for (; at >= drop; at -= step) {
        const bool carry = remainder >> 127; /* then d has 128 bits */
        remainder = remainder << step | (wide_from(n, at) & mask);
        const u128 digit = carry ? 1 : remainder / d;
        remainder -= digit * d;
        quotient = quotient << step | digit;
    }
    *rest = remainder != 0 || wide_any_below(n, drop);
    return quotient;
}

/* m * 2^exponent, plus something less than one unit of m if rest. m has more
 * than 54 bits unless rest is false. */
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

/* n / d * 2^exponent, or its root. */
static double round_ratio(const struct wide *n, u128 d, int exponent, bool root)
{
    bool rest, root_rest = false;
    exponent += 64 * (int)n->low;
    /* A quotient of 126 to 128 bits: enough for 53 and a root of 53. */
    int drop = wide_bits(n) - bits_of_u128(d) - 127;
    if (root && (exponent + drop) % 2 != 0)
        drop++;
    if (n->words == 0)
        return 0.0;
    u128 quotient = wide_divide(n, drop, d, &rest);
    if (!root)
        return round_to_double(quotient, exponent + drop, rest);
    uint64_t r = decimals_root(quotient, &root_rest);
    return round_to_double(r, (exponent + drop) / 2, rest || root_rest);
}

/* The number n / (divisor * more) * 2^exponent, or its root: rounded to f64,
 * and to decimals if they are asked for. */
static double finish(const struct wide *n, uint64_t divisor, uint64_t more,
                     int exponent, bool root, bool negative,
                     struct decimals *decimals)
{
    const double value = round_ratio(n, (u128)divisor * more, exponent, root);
    const struct decimals_of x = {.word = n->word,
                                  .words = n->words,
                                  .exponent = exponent + 64 * (int)n->low,
                                  .divisor = {divisor, more},
                                  .root = root};
    if (decimals && isfinite(value))
        decimals_put(decimals, &x, negative);
    return negative ? -value : value;
}

double finish_quotient(const struct exact *x, uint64_t divisor,
                       struct decimals *decimals)
{
    struct wide n;
    wide_of(&n, x);
    return finish(&n, divisor, 1, x->lsb, false, exact_is_negative(x),
                  decimals);
}

double finish_root(const struct exact *x, uint64_t divisor,
                   struct decimals *decimals)
{
    struct wide n;
    wide_of(&n, x);
    return finish(&n, divisor, 1, x->lsb, true, false, decimals);
}

double finish_variance(const struct exact *sum, const struct exact *squares,
                       uint64_t n, uint64_t divisor, bool root,
                       struct decimals *decimals)
{
    struct wide total, square, numerator;
    wide_of(&total, sum);
    wide_square(&square, &total);
    wide_of(&numerator, squares);
    wide_times(&numerator, n);
    wide_subtract(&numerator, &square);
    return finish(&numerator, n, divisor, squares->lsb, root, false, decimals);
}
