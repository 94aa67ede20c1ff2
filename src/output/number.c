/* SPDX-License-Identifier: MIT */
#include "output/number.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *integer_text(char out[NUMBER_MAX], const struct value *v)
{
    uint64_t word[VALUE_WORDS];
    char digits[NUMBER_MAX];
    size_t at = sizeof digits;
    bool more = true;
    memcpy(word, v->word, sizeof word);
    digits[--at] = '\0';
    while (more) {
        unsigned __int128 rest = 0;
        more = false;
        for (int i = VALUE_WORDS; i-- > 0;) {
            rest = rest << 64 | word[i];
            word[i] = (uint64_t)(rest / 10);
            rest %= 10;
            more |= word[i] != 0;
        }
        digits[--at] = (char)('0' + (int)rest);
    }
    snprintf(out, NUMBER_MAX, "%s%s", v->negative ? "-" : "", digits + at);
    return out;
}

/* d.ddd...e[+-]xx */
struct decimal {
    char digits[20]; /* without the point or trailing zeros */
    int count;
    int exponent; /* of the first digit */
};

static bool reads_back(const char *text, double x, enum dtype dtype)
{
    return dtype == DTYPE_f32
               ? strtof(text, NULL) == (float)x
               : dtype_from_double(dtype, strtod(text, NULL)) ==
                     dtype_from_double(dtype, x);
}

/* Rounding to `count` digits can miss the one of that length that reads back:
 * below a power of two the neighbours are nearer than above. The next decimal
 * up is tried, too. */
static bool shortest_of(struct decimal *d, double x, enum dtype dtype,
                        int count)
{
    char text[40];
    snprintf(text, sizeof text, "%.*e", count - 1, x);
    for (int attempt = 0; attempt < 2; attempt++) {
        if (reads_back(text, x, dtype)) {
            d->count = 0;
            for (const char *p = text; *p != 'e'; p++) {
                if (*p != '.')
                    d->digits[d->count++] = *p;
            }
            d->digits[d->count] = '\0';
            d->exponent = atoi(strchr(text, 'e') + 1);
            return true;
        }
        char *last = strchr(text, 'e') - 1;
        if (*last == '9' || *last == '.')
            return false;
        ++*last;
    }
    return false;
}

static void shortest(struct decimal *d, double x, enum dtype dtype)
{
    int count = 1;
    while (!shortest_of(d, x, dtype, count))
        count++;
    while (d->count > 1 && d->digits[d->count - 1] == '0')
        d->digits[--d->count] = '\0';
}

static const char *real_text(char out[NUMBER_MAX], double x, enum dtype dtype)
{
    struct decimal d;
    const char *sign = signbit(x) ? "-" : "";
    if (isnan(x))
        return strcpy(out, "nan");
    if (isinf(x) || x == 0) {
        snprintf(out, NUMBER_MAX, "%s%s", sign, x == 0 ? "0" : "inf");
        return out;
    }
    shortest(&d, fabs(x), dtype);
    int point = d.exponent + 1; /* digits before it */
    if (d.exponent < -5 || d.exponent >= 16)
        snprintf(out, NUMBER_MAX, "%s%c%s%se%+03d", sign, d.digits[0],
                 d.count > 1 ? "." : "", d.digits + 1, d.exponent);
    else if (point <= 0)
        snprintf(out, NUMBER_MAX, "%s0.%.*s%s", sign, -point, "00000",
                 d.digits);
    else if (point >= d.count)
        snprintf(out, NUMBER_MAX, "%s%s%.*s", sign, d.digits, point - d.count,
                 "0000000000000000");
    else
        snprintf(out, NUMBER_MAX, "%s%.*s.%s", sign, point, d.digits,
                 d.digits + point);
    return out;
}

const char *number_text(char out[NUMBER_MAX], const struct value *value)
{
    if (value->kind == VALUE_NONE)
        return strcpy(out, "");
    return value->kind == VALUE_INTEGER
               ? integer_text(out, value)
               : real_text(out, value->real, value->dtype);
}
