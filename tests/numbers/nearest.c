/* SPDX-License-Identifier: MIT */
/* Compares a decimal with the midpoints on both sides of a float, in integers
 * of any size. */
#include <stdlib.h>
#include <string.h>

#include "../unit/big.h"
#include "subjects.h"

/* x * 10^q. parse() limits exponents that are so large that they cannot
 * matter. */
struct number {
    bool negative;
    struct big x;
    int q;
};

static void parse(struct number *d, const char *p, size_t length)
{
    const char *end = p + length;
    bool point = false;
    long digits = 0, exponent = 0;
    d->negative = *p == '-';
    d->q = 0;
    big_set(&d->x, 0);
    for (p += *p == '-' || *p == '+'; p < end && (*p | 32) != 'e'; p++) {
        if (*p == '.') {
            point = true;
            continue;
        }
        big_times(&d->x, 10);
        big_plus(&d->x, *p - '0');
        digits += d->x.n > 0;
        d->q -= point;
    }
    if (p < end)
        exponent = strtol(p + 1, NULL, 10); /* saturates */
    /* With at most 850 digits, values beyond this are 0 or infinite anyway. */
    exponent = exponent > 2000 ? 2000 : exponent < -2000 ? -2000 : exponent;
    d->q += (int)exponent;
    if (digits + d->q > 400)
        d->q = (int)(400 - digits);
    if (digits + d->q < -400)
        d->q = (int)(-400 - digits);
}

static void times_power(struct big *x, unsigned base, int n)
{
    for (; n >= 8; n -= 8)
        big_times(x, (uint64_t)base * base * base * base * base * base * base *
                         base);
    for (; n > 0; n--)
        big_times(x, base);
}

/* Compares the magnitude with k * 2^e: -1, 0 or 1. */
static int compare(const struct number *d, uint64_t k, int e)
{
    struct big left = d->x, right;
    big_set(&right, k);
    times_power(d->q >= 0 ? &left : &right, 5, abs(d->q));
    int twos = d->q - e;
    big_shift(twos >= 0 ? &left : &right, (unsigned)abs(twos));
    return big_compare(&left, &right);
}

struct layout {
    int fraction, bias, width;
};

bool oracle_nearest(enum dtype dtype, const char *p, size_t length,
                    uint64_t bits)
{
    struct layout f = dtype == DTYPE_f64 ? (struct layout){52, 1023, 64}
                                         : (struct layout){23, 127, 32};
    struct number d;
    parse(&d, p, length);
    if (bits >> (f.width - 1) != d.negative)
        return false;
    bits &= ~(1ull << (f.width - 1));
    uint64_t infinity = (uint64_t)(2 * f.bias + 1) << f.fraction;
    if (bits > infinity)
        return false;
    uint64_t hidden = 1ull << f.fraction, low = bits & (hidden - 1);
    int exponent = (int)(bits >> f.fraction);
    uint64_t m = exponent > 0 ? low + hidden : low;
    int e = (exponent > 0 ? exponent : 1) - f.bias - f.fraction;
    bool even = m % 2 == 0;
    /* Midpoints are in quarters of the distance to the next float above. Below
     * a power of two the next float is only half as far. */
    uint64_t under = low == 0 && exponent > 1 ? 1 : 2;
    int above = bits == infinity ? -1 : compare(&d, 4 * m + 2, e - 2);
    int below = bits == 0 ? 1 : compare(&d, 4 * m - under, e - 2);
    return (above < 0 || (above == 0 && even)) &&
           (below > 0 || (below == 0 && even));
}
