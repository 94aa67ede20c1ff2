/* SPDX-License-Identifier: MIT */
#include "output/number.h"

#include <math.h>
#include <string.h>

#include "base/text.h"
#include "output/shortest.h"

/* The put functions write text without a NUL and return its end. */
static char *put(char *to, const char *from, size_t n)
{
    memcpy(to, from, n);
    return to + n;
}

static char *put_zeros(char *to, int n)
{
    memset(to, '0', (size_t)n);
    return to + n;
}

static char *put_integer(char *to, const struct value *v)
{
    enum { DIGITS = 19 };
    const uint64_t unit = 10000000000000000000u; /* 10^DIGITS */
    uint64_t word[VALUE_WORDS];
    char digits[NUMBER_MAX], *const end = digits + sizeof digits, *first = end;
    int words = VALUE_WORDS;
    memcpy(word, v->word, sizeof word);
    for (;;) {
        unsigned __int128 rest = 0;
        while (words > 0 && word[words - 1] == 0)
            words--;
        if (words <= 1)
            break;
        for (int i = words; i-- > 0;) {
            rest = rest << 64 | word[i];
            word[i] = (uint64_t)(rest / unit);
            rest %= unit;
        }
        first = text_digits(first, (uint64_t)rest, DIGITS);
    }
    first = text_digits(first, word[0], first == end);
    if (v->negative)
        *to++ = '-';
    return put(to, first, (size_t)(end - first));
}

/* Writes d.ddd...e[+-]xx. */
static char *put_scientific(char *to, const char *digits, int count,
                            int exponent)
{
    char text[4], *const end = text + sizeof text;
    *to++ = digits[0];
    if (count > 1)
        *to++ = '.';
    to = put(to, digits + 1, (size_t)count - 1);
    *to++ = 'e';
    *to++ = exponent < 0 ? '-' : '+';
    const char *first =
        text_digits(end, (uint64_t)(exponent < 0 ? -exponent : exponent), 2);
    return put(to, first, (size_t)(end - first));
}

/* The most digits of a real number, all of which are copied: a copy of a fixed
 * number of bytes calls no function. */
enum { DIGITS_MAX = 20 };

static char *put_digits(char *to, const char *digits, int n)
{
    memcpy(to, digits, DIGITS_MAX);
    return to + n;
}

/* x is finite and above 0. */
static char *put_magnitude(char *to, double x, enum dtype dtype)
{
    struct decimal d = shortest_decimal(x, dtype);
    char room[2 * DIGITS_MAX] = {0}, *const end = room + DIGITS_MAX;
    for (; d.digits % 10 == 0; d.exponent++)
        d.digits /= 10;
    const char *digits = text_digits(end, d.digits, 1);
    const int count = (int)(end - digits);
    const int point = count + d.exponent; /* digits before it */
    if (point < -4 || point > 16)
        return put_scientific(to, digits, count, point - 1);
    if (point >= count)
        return put_zeros(put(to, digits, (size_t)count), point - count);
    if (point <= 0) {
        to = put_zeros(put(to, "0.", 2), -point);
        return put_digits(to, digits, count);
    }
    to = put_digits(to, digits, point);
    *to++ = '.';
    return put_digits(to, digits + point, count - point);
}

static char *put_real(char *to, double x, enum dtype dtype)
{
    if (isnan(x))
        return put(to, "nan", 3);
    if (signbit(x))
        *to++ = '-';
    if (isinf(x))
        return put(to, "inf", 3);
    return x == 0 ? put_zeros(to, 1) : put_magnitude(to, fabs(x), dtype);
}

size_t number_text(char out[NUMBER_MAX], const struct value *value)
{
    char *end = out;
    if (value->kind == VALUE_INTEGER)
        end = put_integer(out, value);
    else if (value->kind == VALUE_REAL && value->text)
        end = put(out, value->text, strlen(value->text));
    else if (value->kind == VALUE_REAL)
        end = put_real(out, value->real, value->dtype);
    *end = '\0';
    return (size_t)(end - out);
}

static bool is_json_number(const struct value *v)
{
    uint64_t high = 0;
    if (v->kind == VALUE_REAL)
        return isfinite(v->real);
    for (int i = 1; i < VALUE_WORDS; i++)
        high |= v->word[i];
    return high == 0 && v->word[0] <= 1ull << 53;
}

size_t number_json(char out[NUMBER_MAX], const struct value *value)
{
    char *end = out + number_text(out, value);
    if (value->kind == VALUE_NONE) {
        end = put(out, "null", 4);
    } else if (!is_json_number(value)) {
        memmove(out + 1, out, (size_t)(end - out));
        *out = '"';
        *++end = '"';
        end++;
    } else if (value->kind == VALUE_REAL &&
               !memchr(out, '.', (size_t)(end - out)) && !strchr(out, 'e')) {
        end = put(end, ".0", 2);
    }
    *end = '\0';
    return (size_t)(end - out);
}
