/* SPDX-License-Identifier: MIT */
/*
 * Decides numbers of over 19 digits that are so near to the middle of two
 * floats that their first 19 digits do not tell the side. They are rare: of
 * random long numbers about one in a thousand (10^-18 of the value, in 2^-53 of
 * it). So their cost does not matter, but deciding them needs integers of any
 * length. The C library has such integers: strtod of glibc (since 2.17) and of
 * musl rounds correctly whatever the length. It is maintained, so this file has
 * no big integers of its own; the tests do, and compare strtod with them.
 */
#define _GNU_SOURCE

#include "csv/number/number.h"

#include <locale.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "reduce/float_format.h"

/* printf writes all digits of a double. */
bool number_holds(double x, const char *p, const char *end)
{
    char text[320];
    /* A smaller double is that of an integer that it holds. */
    if (fabs(x) < 0x1p53 || !number_is_integer(p, end))
        return true;
    const int have = snprintf(text, sizeof text, "%.0f", fabs(x));
    p += *p == '-' || *p == '+';
    while (end - p > 1 && *p == '0')
        p++;
    return have == end - p && memcmp(text, p, (size_t)have) == 0;
}

/* The "C" locale, in which the decimal mark is a point. Made once and never
 * freed. */
static locale_t c_locale;
static pthread_once_t c_locale_once = PTHREAD_ONCE_INIT;

static void make_c_locale(void)
{
    c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
}

static uint64_t convert(enum dtype dtype, const char *text)
{
    if (dtype == DTYPE_f32)
        return bits_of_float(strtof_l(text, NULL, c_locale));
    return bits_of_double(strtod_l(text, NULL, c_locale));
}

bool number_resolve(enum dtype dtype, const char *p, const char *end,
                    uint64_t *bits, struct error *e)
{
    char stack[1024];
    size_t length = (size_t)(end - p);
    char *text = length < sizeof stack ? stack : malloc(length + 1);
    pthread_once(&c_locale_once, make_c_locale);
    bool ok = text && c_locale;
    if (ok) {
        memcpy(text, p, length);
        text[length] = '\0';
        *bits = convert(dtype, text);
    }
    if (text != stack)
        free(text);
    return ok || error_set(e, ERROR_DATA, "out of memory for a number");
}
