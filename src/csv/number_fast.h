/* SPDX-License-Identifier: MIT */
/*
 * The quick way from a field's text to its number, for the CPU's loops: to be
 * included by sources compiled once for each instruction set, everything is
 * static. What it does not decide, number.h does: texts longer than 32 bytes or
 * of more than 19 digits, blanks, words, and all that is no number.
 *
 * [p, p + length) is the text; the 32 bytes before it have to be readable, what
 * they are does not matter. Nothing is read after it.
 */
#pragma once

#include "csv/number.h"
#include "csv/number_run.h"
#include "reduce/float16.h"

enum { NUMBER_QUICK_LENGTH = 32 };

/* Exact; the last is for RUN_NO_POINT. */
static const double number_tens[RUN_NO_POINT + 1] = {1e0,
                                                     1e1,
                                                     1e2,
                                                     1e3,
                                                     1e4,
                                                     1e5,
                                                     1e6,
                                                     1e7,
                                                     1e8,
                                                     1e9,
                                                     1e10,
                                                     1e11,
                                                     1e12,
                                                     1e13,
                                                     1e14,
                                                     1e15,
                                                     [RUN_NO_POINT] = 1};

NUMBER_INLINE struct number_run number_run(const char *end, unsigned n)
{
    return n <= 16 ? run_16(end, n) : run_32(end, n);
}

/* The exponent in the n > 0 bytes before end. False where it is unusual. */
NUMBER_INLINE bool number_quick_exponent(const char *end, unsigned n, int *e)
{
    const char *p = end - n;
    bool negative = *p == '-';
    unsigned digits = n - (negative || *p == '+'), value = 0;
    if (digits - 1 >= 3)
        return false;
    for (unsigned i = 3; i > 0; i--) {
        unsigned digit = (unsigned)(end[-(int)i] - '0');
        /* A byte before the first digit counts as 0. */
        digit = i > digits ? 0 : digit;
        if (digit > 9)
            return false;
        value = 10 * value + digit;
    }
    *e = negative ? -(int)value : (int)value;
    return true;
}

/* A run that is not plain because of `e`: q becomes its exponent, the run what
 * is before. */
NUMBER_INLINE bool number_quick_split(const char *end, unsigned n,
                                      struct number_run *r, int *q)
{
    unsigned width = n <= 16 ? 16 : 32;
    if (r->other == 0)
        return false;
    const char *e = end - width + __builtin_ctz(r->other);
    unsigned tail = (unsigned)(end - e) - 1;
    if ((*e | 0x20) != 'e' || tail == 0 || !number_quick_exponent(end, tail, q))
        return false;
    *r = number_run(e, n - tail - 1);
    return r->plain;
}

/* w / 10^fraction of a run of at most 16 bytes. Exact but for one rounding
 * (Clinger's fast path): with a point w has 15 digits, below 2^53; without one
 * it is divided by 1, and rounded where it becomes a double. */
NUMBER_INLINE double number_quotient(const struct number_run *r)
{
    return (double)(int64_t)r->w / number_tens[r->fraction];
}

/* All but what a few exact doubles can do. */
NUMBER_INLINE bool number_quick_scale(struct number_format f, const char *end,
                                      unsigned n, struct number_run r,
                                      const struct powers *t, uint64_t *bits)
{
    int q = 0;
    if (!r.plain && !number_quick_split(end, n, &r, &q))
        return false;
    q -= (int)(r.fraction % RUN_NO_POINT);
    *bits = number_scale(r.w, q, t, f);
    return true;
}

/* As number_float with DTYPE_f64; false where it decides nothing. */
HD bool number_quick_f64(const char *p, size_t length, const struct powers *t,
                         uint64_t *bits)
{
    if (length - 1 >= NUMBER_QUICK_LENGTH)
        return false;
    const char *end = p + length;
    bool negative = *p == '-';
    unsigned n = (unsigned)length - (negative || *p == '+');
    uint64_t sign = (uint64_t)negative << 63;
    struct number_run r = number_run(end, n);
    if (n <= 16 && r.plain) {
        *bits = bits_of_double(number_quotient(&r)) ^ sign;
        return true;
    }
    bool decided = number_quick_scale(number_f64(), end, n, r, t, bits);
    *bits |= sign;
    return decided;
}

/* As number_float with DTYPE_f32. The double nearest to x lies on the same side
 * as x of every double, so of every midpoint of two floats, or upon it: only
 * there is rounding it once more not the same as rounding x. Doubles under
 * consideration are 0 or from 1e-15 to 1e16: normal floats, whose midpoints
 * have a one and then zeros in the 29 bits that are cut. */
HD bool number_quick_f32(const char *p, size_t length, const struct powers *t,
                         uint64_t *bits)
{
    if (length - 1 >= NUMBER_QUICK_LENGTH)
        return false;
    const char *end = p + length;
    bool negative = *p == '-';
    unsigned n = (unsigned)length - (negative || *p == '+');
    uint64_t sign = (uint64_t)negative << 31;
    struct number_run r = number_run(end, n);
    if (n <= 16 && r.plain) {
        double x = number_quotient(&r);
        *bits = bits_of_float((float)x) ^ sign;
        if ((bits_of_double(x) & 0x1fffffff) != 0x10000000)
            return true;
    }
    bool decided = number_quick_scale(number_f32(), end, n, r, t, bits);
    *bits |= sign;
    return decided;
}

/* As number_integer; dtype is best a constant. */
HD bool number_quick_integer(enum dtype dtype, const char *p, size_t length,
                             uint64_t *bits)
{
    if (length - 1 >= NUMBER_QUICK_LENGTH)
        return false;
    const char *end = p + length;
    bool negative = *p == '-';
    unsigned n = (unsigned)length - (negative || *p == '+');
    struct number_run r = number_run(end, n);
    *bits = number_integer_bits(dtype, r.w, negative);
    return r.plain && r.fraction == RUN_NO_POINT &&
           r.w <= number_limit(dtype, negative);
}
