/* SPDX-License-Identifier: MIT */
/*
 * Reads a cell's text as a number: the grammar, and the value rounded once,
 * ties to even, directly in the dtype. For the host and for device code; reads
 * bytes one by one and allocates nothing. The CPU's fast paths in number_fast.h
 * give the same result.
 */
#pragma once

#include "csv/number/number_scale.h"
#include "reduce/dtype.h"

enum number_kind {
    NUMBER_OK,
    NUMBER_BAD, /* not a number of that dtype */
    /* A number; the digits that were read do not decide its value. */
    NUMBER_UNDECIDED
};

/* NUMBER_DIGITS: how many digits always fit a uint64_t. NUMBER_WIDE_DIGITS: how
 * many digits 2^53 + 1 has, the least integer that f64 cannot hold. */
enum { NUMBER_DIGITS = 19, NUMBER_WIDE_DIGITS = 16 };

/* f64 holds all integers up to this one, 2^53. The fast paths leave larger ones
 * to the slow path. */
#define NUMBER_WIDE_LEAST (1ull << 53)

/* The decimal (w + x) * 10^q with 0 <= x < 1; x = 0 if exact. */
struct number_decimal {
    uint64_t w;
    int64_t q;
    bool exact;
};

NUMBER_INLINE bool number_is_digit(char c)
{
    return (unsigned char)(c - '0') < 10;
}

/* Reads digits, perhaps with a point among them. Returns where they end, or
 * NULL if there is no digit. Leading zeros do not count among the
 * NUMBER_DIGITS. */
NUMBER_INLINE const char *number_mantissa(const char *p, const char *end,
                                          struct number_decimal *d)
{
    int kept = 0;
    bool point = false, any = false;
    d->w = 0;
    d->q = 0;
    d->exact = true;
    for (; p < end; p++) {
        if (number_is_digit(*p)) {
            unsigned digit = (unsigned)(*p - '0');
            any = true;
            if (kept < NUMBER_DIGITS) {
                d->w = 10 * d->w + digit;
                kept += d->w != 0;
                d->q -= point;
            } else {
                d->exact = d->exact && digit == 0;
                d->q += !point;
            }
        } else if (*p == '.' && !point) {
            point = true;
        } else {
            break;
        }
    }
    return any ? p : NULL;
}

/* Reads the text after the digits: nothing, or an exponent, which it adds to
 * d->q. False for anything else. */
NUMBER_INLINE bool number_exponent(const char *p, const char *end,
                                   struct number_decimal *d)
{
    /* A larger exponent need not be exact: no text has enough digits to offset
     * it. Ten times this does not overflow. */
    const int64_t enough = 1ll << 56;
    int64_t exponent = 0;
    bool negative;
    if (p == end)
        return true;
    if ((*p | 0x20) != 'e' || ++p == end)
        return false;
    negative = *p == '-';
    p += *p == '-' || *p == '+';
    if (p == end)
        return false;
    for (; p < end && number_is_digit(*p); p++) {
        if (exponent < enough)
            exponent = 10 * exponent + (*p - '0');
    }
    d->q += negative ? -exponent : exponent;
    return p == end;
}

/* Whether [p, end) is digits, perhaps after a sign. */
NUMBER_INLINE bool number_is_integer(const char *p, const char *end)
{
    p += p < end && (*p == '-' || *p == '+');
    if (p == end)
        return false;
    while (p < end && number_is_digit(*p))
        p++;
    return p == end;
}

/* Whether [p, end) is `word`, ignoring case. `word` is in lower case. */
NUMBER_INLINE bool number_is_word(const char *p, const char *end,
                                  const char *word)
{
    for (; p < end && *word; p++, word++) {
        /* Setting this bit turns a byte into a lower-case letter only if it was
         * a letter. */
        if ((*p | 0x20) != *word)
            return false;
    }
    return p == end && !*word;
}

/* Reads inf, infinity or nan. */
NUMBER_INLINE bool number_special(const char *p, const char *end,
                                  struct number_format f, uint64_t *bits)
{
    *bits = number_infinity(f);
    if (number_is_word(p, end, "inf") || number_is_word(p, end, "infinity"))
        return true;
    *bits |= 1ull << (f.fraction - 1);
    return number_is_word(p, end, "nan");
}

/* Rounds the decimal. Undecided if digits beyond w may change the result. */
NUMBER_INLINE enum number_kind number_round(const struct number_decimal *d,
                                            const struct powers *t,
                                            struct number_format f,
                                            uint64_t *bits)
{
    int q = (int)(d->q < POWERS_FIRST - 1  ? POWERS_FIRST - 1
                  : d->q > POWERS_LAST + 1 ? POWERS_LAST + 1
                                           : d->q);
    *bits = number_scale(d->w, q, t, f);
    if (d->exact || number_scale(d->w + 1, q, t, f) == *bits)
        return NUMBER_OK;
    return NUMBER_UNDECIDED;
}

NUMBER_INLINE enum number_kind number_read(struct number_format f,
                                           const char *p, const char *end,
                                           const struct powers *t,
                                           uint64_t *bits)
{
    struct number_decimal d;
    uint64_t sign = (uint64_t)(*p == '-') << (f.fraction == 52 ? 63 : 31);
    const char *rest;
    enum number_kind kind;
    p += *p == '-' || *p == '+';
    rest = number_mantissa(p, end, &d);
    if (!rest) {
        if (!number_special(p, end, f, bits))
            return NUMBER_BAD;
        /* Every NaN is the same one, without a sign. */
        *bits |= *bits == number_infinity(f) ? sign : 0;
        return NUMBER_OK;
    }
    if (!number_exponent(rest, end, &d))
        return NUMBER_BAD;
    kind = number_round(&d, t, f, bits);
    *bits |= sign;
    return kind;
}

/* Reads [p, end), not empty and without blanks, as a float. dtype is f32 or
 * f64; a constant is fastest. With NUMBER_OK, *bits is the value's bits, in the
 * low bytes. A NaN is always the quiet positive one. After NUMBER_UNDECIDED,
 * the host calls number_resolve. */
HD enum number_kind number_float(enum dtype dtype, const char *p,
                                 const char *end, const struct powers *t,
                                 uint64_t *bits)
{
    return dtype == DTYPE_f32 ? number_read(number_f32(), p, end, t, bits)
                              : number_read(number_f64(), p, end, t, bits);
}

/* The largest magnitude that an integer dtype holds with this sign. */
NUMBER_INLINE uint64_t number_limit(enum dtype dtype, bool negative)
{
    bool is_signed = dtype_class(dtype) == 'i';
    uint64_t most = ~0ull >> (64 - 8 * dtype_size(dtype));
    if (is_signed)
        return (most >> 1) + negative;
    return negative ? 0 : most;
}

/* A magnitude and its sign as raw bits, in the low bytes. */
NUMBER_INLINE uint64_t number_integer_bits(enum dtype dtype, uint64_t w,
                                           bool negative)
{
    uint64_t bits = negative ? 0 - w : w;
    return bits & ~0ull >> (64 - 8 * dtype_size(dtype));
}

/* Reads [p, end), not empty, as an integer dtype: digits, perhaps after a sign.
 * *bits as for number_float. Never undecided. */
HD enum number_kind number_integer(enum dtype dtype, const char *p,
                                   const char *end, uint64_t *bits)
{
    bool negative = *p == '-';
    uint64_t limit = number_limit(dtype, negative), w = 0;
    p += *p == '-' || *p == '+';
    if (p == end)
        return NUMBER_BAD;
    for (; p < end; p++) {
        unsigned digit = (unsigned)(*p - '0');
        if (!number_is_digit(*p) || w > limit / 10 || digit > limit - 10 * w)
            return NUMBER_BAD;
        w = 10 * w + digit;
    }
    *bits = number_integer_bits(dtype, w, negative);
    return NUMBER_OK;
}

/* Host only: whether x, which [p, end) was read as, is exactly the number. True
 * for text that is not an integer. */
EXTERN_C bool number_holds(double x, const char *p, const char *end);

struct error;

/* Host only: decides a number that number_float left undecided, of any length,
 * for f32 and f64, by the C library. False, with an error, where there is no
 * memory. Any thread; the rounding mode must be the default. */
EXTERN_C bool number_resolve(enum dtype dtype, const char *p, const char *end,
                             uint64_t *bits, struct error *e);
