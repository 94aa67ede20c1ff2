/* SPDX-License-Identifier: MIT */
#include "texts.h"

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "decimal.h"

static size_t put(char *text, const char *word)
{
    size_t n = strlen(word);
    memcpy(text, word, n);
    return n;
}

static size_t put_sign(char *text, struct random *r)
{
    static const char *const signs[] = {"", "", "-", "+"};
    return put(text, signs[random_below(r, 4)]);
}

/* n digits; long stretches of 0 and 9 are as likely as others. */
static size_t put_digits(char *text, struct random *r, size_t n)
{
    uint64_t style = random_below(r, 4);
    for (size_t i = 0; i < n; i++) {
        uint64_t digit = random_below(r, 10);
        if (style < 2)
            digit = random_below(r, 16) ? 9 * style : digit;
        text[i] = (char)('0' + digit);
    }
    return n;
}

static size_t put_exponent(char *text, struct random *r, int64_t e)
{
    size_t n = put(text, random_below(r, 2) ? "e" : "E");
    if (e < 0)
        text[n++] = '-';
    else if (random_below(r, 2))
        text[n++] = '+';
    if (random_below(r, 3) == 0)
        n += put(text + n, random_below(r, 2) ? "0" : "0000000");
    return n + (size_t)sprintf(text + n, "%" PRId64, e < 0 ? -e : e);
}

/* Mostly where results are finite, now and then anywhere. */
static int64_t any_exponent(struct random *r)
{
    switch (random_below(r, 8)) {
    case 0:
        return (int64_t)(random_next(r) >> 1 >> random_below(r, 60));
    case 1:
        return -(int64_t)(random_next(r) >> 1 >> random_below(r, 60));
    case 2:
        return (int64_t)random_below(r, 800) - 400;
    default:
        return (int64_t)random_below(r, 60) - 30;
    }
}

/* By the grammar alone. */
static size_t make_any(char *text, struct random *r)
{
    size_t n = put_sign(text, r);
    size_t longest = random_below(r, 16) ? 12 : 30;
    size_t whole = random_below(r, longest), part = random_below(r, longest);
    if (random_below(r, 8) == 0)
        n += put(text + n, "0000000000000000000000");
    n += put_digits(text + n, r, whole + (part == 0));
    if (part > 0 || random_below(r, 4) == 0)
        text[n++] = '.';
    n += put_digits(text + n, r, part);
    if (random_below(r, 3) == 0)
        n += put_exponent(text + n, r, any_exponent(r));
    return n;
}

/* What programs write of any double or float. */
static size_t make_printed(char *text, struct random *r)
{
    static const char *const formats[] = {"%.*g", "%.*e"};
    int digits = (int)random_below(r, 26);
    uint64_t bits = random_next(r);
    double x;
    float y;
    memcpy(&x, &bits, sizeof x);
    memcpy(&y, &bits, sizeof y);
    if (random_below(r, 3) == 0)
        x = (double)y;
    else if (random_below(r, 2))
        x = ldexp(x, -ilogb(x) + (int)random_below(r, 40) - 20);
    return (size_t)sprintf(text, formats[random_below(r, 2)], digits, x);
}

/* A few digits, such as cells have. */
static size_t make_short(char *text, struct random *r)
{
    double x = (random_unit(r) - 0.5) * exp(random_unit(r) * 20);
    return (size_t)sprintf(text, "%.*f", (int)random_below(r, 8), x);
}

/* n of midpoints n * 2^k of f64 (or, as often, f32), subnormals included. */
static void any_midpoint(struct random *r, uint64_t *n, int *k)
{
    bool wide = random_below(r, 2);
    int fraction = wide ? 52 : 23, lowest = wide ? -1075 : -150;
    uint64_t top = 1ull << (fraction + 1);
    *n = random_next(r) % top | 1;
    *k = lowest;
    switch (random_below(r, 4)) {
    case 0: /* subnormal, of any length */
        *n = *n >> random_below(r, (uint64_t)fraction) | 1;
        return;
    case 1: /* small exponents: of few digits */
        *k = (int)random_below(r, 90) - 45 - fraction;
        break;
    default:
        *k += (int)random_below(r, wide ? 2046 : 254);
    }
    *n |= top;
    if (random_below(r, 4) == 0) /* next to a power of two */
        *n = random_below(r, 2) ? top | 1 : 2 * top - 1;
}

/* Digits and exponent as a text, the point anywhere among them or nowhere. */
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

/* A midpoint, cut to some digits, or with more; one up or one down at the end
 * or far out. */
static size_t make_midpoint(char *text, struct random *r)
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

/* Ties of at most 19 digits, w * 10^q with w times or by a power of five. */
static size_t make_tie(char *text, struct random *r)
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
        /* Odd, so that with the fives it has one bit more than a float. */
        w = (top + n) / fives | 1;
    }
    for (uint64_t i = random_below(r, 30); i > 0 && w < 5000000000000000000;
         i--)
        w *= 2;
    int count = sprintf(digits, "%" PRIu64, w);
    return put_decimal(text, r, digits, (size_t)count,
                       divided ? -(int64_t)q : (int64_t)q);
}

/* Within 16 bytes or so of a midpoint of f32, which is a double: rounded twice
 * it would often come out wrong. */
static size_t make_near(char *text, struct random *r)
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

/* About the limits of the integers. */
static size_t make_whole(char *text, struct random *r)
{
    size_t n = put_sign(text, r);
    unsigned bits = 7 + (unsigned)random_below(r, 60);
    unsigned __int128 x = (unsigned __int128)1
                          << (random_below(r, 2) ? (bits + 1) / 8 * 8 : bits);
    x >>= random_below(r, 2);
    x += random_below(r, 2) ? random_below(r, 7) : random_next(r) >> 1;
    x -= x > 3 ? 3 : 0;
    if (random_below(r, 2) == 0)
        n += put(text + n, &"000000000000000000000000"[random_below(r, 24)]);
    if (x >> 64)
        return n + (size_t)sprintf(text + n, "%" PRIu64 "%018" PRIu64,
                                   (uint64_t)(x / 1000000000000000000),
                                   (uint64_t)(x % 1000000000000000000));
    return n + (size_t)sprintf(text + n, "%" PRIu64, (uint64_t)x);
}

/* A text of another class, with a few bytes changed, gone or come. */
static size_t make_broken(char *text, struct random *r)
{
    static const char bytes[] = "0123456789..eE+-infatyINFxX_/: ,\"\xb1\xff";
    size_t n = random_below(r, 2) ? make_short(text, r) : make_any(text, r);
    for (uint64_t i = 1 + random_below(r, 3); i > 0; i--) {
        char byte = bytes[random_below(r, sizeof bytes - 1)];
        size_t at = random_below(r, n);
        uint64_t how = random_below(r, 3);
        if (how == 0 && n > 1) {
            memmove(text + at, text + at + 1, --n - at);
        } else {
            if (how == 1)
                memmove(text + at + 1, text + at, n++ - at);
            text[at] = byte;
        }
    }
    return n;
}

/* inf, infinity and nan, and what is nearly one. */
static size_t make_word(char *text, struct random *r)
{
    static const char *const words[] = {"inf", "infinity", "nan"};
    size_t n = put_sign(text, r);
    size_t start = n;
    n += put(text + n, words[random_below(r, 3)]);
    for (size_t i = start; i < n; i++)
        text[i] ^= (char)(random_below(r, 2) << 5);
    if (random_below(r, 4) == 0)
        text[random_below(r, n)] ^= (char)(1u << random_below(r, 7));
    if (random_below(r, 4) == 0)
        n -= n > 1;
    return n;
}

const struct text_class text_classes[] = {
    {"any", make_any, 16},     {"printed", make_printed, 8},
    {"short", make_short, 8},  {"midpoint", make_midpoint, 2},
    {"tie", make_tie, 4},      {"near", make_near, 4},
    {"whole", make_whole, 10}, {"broken", make_broken, 10},
    {"word", make_word, 2},    {NULL, NULL, 0},
};
