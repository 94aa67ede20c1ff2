/* SPDX-License-Identifier: MIT */
/*
 * A cell's text as a number: the grammar, and its value rounded once, ties to
 * even, directly in the dtype. For the host and for device code; reads bytes
 * one by one and allocates nothing. The quick ways of the CPU are in
 * number_fast.h, and give the same.
 */
#pragma once

#include "csv/number/number_scale.h"
#include "reduce/dtype.h"

enum number_kind {
    NUMBER_OK,
    NUMBER_BAD,      /* no number of that dtype */
    NUMBER_UNDECIDED /* a number, with more digits than were looked at */
};

/* Digits that a uint64_t surely holds; bytes of the least integer that f64 may
 * not hold, 2^53 + 1. */
enum { NUMBER_DIGITS = 19, NUMBER_WIDE_DIGITS = 16 };

/* Integers up to here are f64; the quick ways leave larger ones alone. */
#define NUMBER_WIDE_LEAST (1ull << 53)

/* (w + less than 1) * 10^q: w exactly, if exact. */
struct number_decimal {
    uint64_t w;
    int64_t q;
    bool exact;
};

NUMBER_INLINE bool number_is_digit(char c)
{
    return (unsigned char)(c - '0') < 10;
}

/* Digits with a point among them or none. Returns their end; NULL where there
 * is no digit. Leading zeros do not count among the NUMBER_DIGITS. */
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

/* What follows the digits: nothing, or an exponent, added to d->q. */
NUMBER_INLINE bool number_exponent(const char *p, const char *end,
                                   struct number_decimal *d)
{
    /* More than any text has digits to make up for, and far from overflow. */
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

/* Whether [p, end) is a sign or none and digits. */
NUMBER_INLINE bool number_is_integer(const char *p, const char *end)
{
    p += p < end && (*p == '-' || *p == '+');
    if (p == end)
        return false;
    while (p < end && number_is_digit(*p))
        p++;
    return p == end;
}

/* Whether [p, end) is word, written in lower case, in any case. */
NUMBER_INLINE bool number_is_word(const char *p, const char *end,
                                  const char *word)
{
    for (; p < end && *word; p++, word++) {
        /* No other byte than a letter becomes a letter. */
        if ((*p | 0x20) != *word)
            return false;
    }
    return p == end && !*word;
}

/* inf, infinity or nan. */
NUMBER_INLINE bool number_special(const char *p, const char *end,
                                  struct number_format f, uint64_t *bits)
{
    *bits = number_infinity(f);
    if (number_is_word(p, end, "inf") || number_is_word(p, end, "infinity"))
        return true;
    *bits |= 1ull << (f.fraction - 1);
    return number_is_word(p, end, "nan");
}

/* Where the rest of the digits does not change the result, it is decided. */
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
        /* One NaN for all. */
        *bits |= *bits == number_infinity(f) ? sign : 0;
        return NUMBER_OK;
    }
    if (!number_exponent(rest, end, &d))
        return NUMBER_BAD;
    kind = number_round(&d, t, f, bits);
    *bits |= sign;
    return kind;
}

/* The float that [p, end), not empty and without blanks, stands for; dtype is
 * f32 or f64, best a constant. *bits is set by NUMBER_OK: raw bits, in the low
 * bytes. A NaN is always the quiet positive one. NUMBER_UNDECIDED asks for
 * number_resolve, on the host. */
HD enum number_kind number_float(enum dtype dtype, const char *p,
                                 const char *end, const struct powers *t,
                                 uint64_t *bits)
{
    return dtype == DTYPE_f32 ? number_read(number_f32(), p, end, t, bits)
                              : number_read(number_f64(), p, end, t, bits);
}

/* The largest magnitude of an integer dtype, of the numbers of this sign. */
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

/* The same for an integer dtype: a sign or none and digits, nothing else.
 * Never undecided. */
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

struct error;

/* Host only: decides what number_float left undecided, for f32 and f64, by the
 * C library. Takes any length. False, with an error, where there is no memory.
 * Any thread; the rounding mode must be the default. */
EXTERN_C bool number_resolve(enum dtype dtype, const char *p, const char *end,
                             uint64_t *bits, struct error *e);
