/* SPDX-License-Identifier: MIT */
#include "texts.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static size_t put(char *text, const char *word)
{
    size_t n = strlen(word);
    memcpy(text, word, n);
    return n;
}

size_t put_sign(char *text, struct random *r)
{
    static const char *const signs[] = {"", "", "-", "+"};
    return put(text, signs[random_below(r, 4)]);
}

/* Writes n digits. Long runs of 0 and of 9 are as likely as other digits. */
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

size_t put_exponent(char *text, struct random *r, int64_t e)
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

/* Mostly exponents of finite results, sometimes any. */
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

/* Any text that the grammar allows. */
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

/* What programs print for any double or float. */
static size_t make_printed(char *text, struct random *r)
{
    static const char *const formats[] = {"%.*g", "%.*e"};
    int digits = (int)random_below(r, 26), exponent;
    uint64_t bits = random_next(r);
    double x;
    float y;
    memcpy(&x, &bits, sizeof x);
    memcpy(&y, &bits, sizeof y);
    if (random_below(r, 3) == 0)
        x = (double)y;
    else if (random_below(r, 2))
        x = ldexp(frexp(x, &exponent), (int)random_below(r, 40) - 20);
    return (size_t)sprintf(text, formats[random_below(r, 2)], digits, x);
}

/* A few digits, as in most cells. */
static size_t make_short(char *text, struct random *r)
{
    double x = (random_unit(r) - 0.5) * exp(random_unit(r) * 20);
    return (size_t)sprintf(text, "%.*f", (int)random_below(r, 8), x);
}

/* Integers near the limits of the integer types. */
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

/* A text of another class, with a few bytes changed, removed or added. */
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

/* inf, infinity, nan, and words that are similar to them. */
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
