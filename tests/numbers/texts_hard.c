/* SPDX-License-Identifier: MIT */
/* Texts on and near the midpoints of two floats. */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "decimal.h"
#include "texts.h"

/* Draws n and k of a midpoint n * 2^k of f64 or f32, subnormals included. */
static void any_midpoint(struct random *r, uint64_t *n, int *k)
{
    bool wide = random_below(r, 2);
    int fraction = wide ? 52 : 23, lowest = wide ? -1075 : -150;
    uint64_t top = 1ull << (fraction + 1);
    *n = random_next(r) % top | 1;
    *k = lowest;
    switch (random_below(r, 4)) {
    case 0: /* subnormal, with a fraction of any length */
        *n = *n >> random_below(r, (uint64_t)fraction) | 1;
        return;
    case 1: /* small exponents, which give few digits */
        *k = (int)random_below(r, 90) - 45 - fraction;
        break;
    default:
        *k += (int)random_below(r, wide ? 2046 : 254);
    }
    *n |= top;
    if (random_below(r, 4) == 0) /* next to a power of two */
        *n = random_below(r, 2) ? top | 1 : 2 * top - 1;
}

/* Writes digits and exponent as a text, with the point anywhere or nowhere. */
static size_t put_decimal(char *text, struct random *r, const char *digits,
                          size_t count, int64_t exponent)
{
    size_t n = put_sign(text, r);
    size_t point = random_below(r, 2) ? 1 : random_below(r, count + 1);
    if (random_below(r, 2))
        point = count;
    memcpy(text + n, digits, point);
    n += point;
    if (point < count)
        text[n++] = '.';
    memcpy(text + n, digits + point, count - point);
    n += count - point;
    exponent += (int64_t)(count - point);
    return exponent == 0 ? n : n + put_exponent(text + n, r, exponent);
}

/* A midpoint, cut to some digits or with digits appended, often one up or down
 * in the last digit. */
size_t make_midpoint(char *text, struct random *r)
{
    char digits[9 * DECIMAL_PARTS + 1000];
    struct decimal d;
    uint64_t n;
    int k;
    any_midpoint(r, &n, &k);
    decimal_set(&d, n, k);
    size_t count = decimal_digits(digits, &d), before = count;
    if (random_below(r, 2) && count > 17) {
        size_t most = random_below(r, 2) && count > 24 ? 24 : count;
        count = 17 + random_below(r, most - 16);
    } else if (random_below(r, 3) && count < 800) {
        count += random_below(r, 800 - count) + 1;
        memset(digits + before, random_below(r, 2) ? '0' : '9', count - before);
    }
    char *last = &digits[count - 1];
    if (count > before && *last == '9')
        digits[before - 1]--;
    uint64_t change = random_below(r, 3);
    if (change == 1 && *last < '9')
        ++*last;
    else if (change == 2 && *last > '0')
        --*last;
    return put_decimal(text, r, digits, count,
                       d.exponent + (int64_t)before - (int64_t)count);
}

/* Ties of at most 19 digits: w * 10^q, where w has a factor that is a power of
 * five (q < 0) or lacks one (q > 0). */
size_t make_tie(char *text, struct random *r)
{
    char digits[32];
    bool wide = random_below(r, 2), divided = random_below(r, 2);
    uint64_t top = wide ? 1ull << 53 : 1ull << 24, n = random_next(r) % top | 1;
    uint64_t w = n | top, fives = 1;
    unsigned q = (unsigned)random_below(r, 24);
    for (unsigned i = 0; i < q; i++) {
        if (divided && w > 10000000000000000000u / 5)
            q = i;
        else if (divided)
            w *= 5;
        else if (fives < top / 5)
            fives *= 5;
        else
            q = i;
    }
    if (!divided) {
        /* Odd: with the factors of five it has one bit more than a float. */
        w = (top + n) / fives | 1;
    }
    for (uint64_t i = random_below(r, 30); i > 0 && w < 5000000000000000000;
         i--)
        w *= 2;
    int count = sprintf(digits, "%" PRIu64, w);
    return put_decimal(text, r, digits, (size_t)count,
                       divided ? -(int64_t)q : (int64_t)q);
}

/* Texts of 12 to 16 digits of a midpoint of f32, which is a double. Rounding to
 * double first would often give a wrong f32. */
size_t make_near(char *text, struct random *r)
{
    uint32_t bits = (uint32_t)((127 - 20 + random_below(r, 40)) << 23 |
                               random_next(r) >> 41);
    float y, next;
    memcpy(&y, &bits, sizeof y);
    bits++;
    memcpy(&next, &bits, sizeof next);
    double midpoint = ((double)y + (double)next) / 2;
    return (size_t)sprintf(text, "%.*g", 12 + (int)random_below(r, 5),
                           midpoint);
}
