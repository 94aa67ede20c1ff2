/* SPDX-License-Identifier: MIT */
/*
 * The fast path from a field's text to its number, for the CPU's loops.
 * Included by sources that are compiled once for each instruction set;
 * everything is static. It leaves to number.h: texts of over 32 bytes or over
 * 19 digits, blanks, words, and texts that are not numbers.
 *
 * [p, p + length) is the text. The 32 bytes before it must be readable; their
 * values do not matter. Nothing after it is read. An absent field has length -1
 * and is not a number.
 */
#pragma once

#include "csv/number/number.h"
#include "csv/number/number_run.h"
#include "reduce/float_format.h"

enum { NUMBER_QUICK_LENGTH = 32 };

/* Powers of ten, all exact. The last entry is for RUN_NO_POINT. */
/* clang-format off */
static const double number_tens[RUN_NO_POINT + 1] = {
    1e0, 1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
    1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, [RUN_NO_POINT] = 1};
/* clang-format on */

NUMBER_INLINE struct number_run number_run(const char *end, unsigned n)
{
    return n <= 16 ? run_16(end, n) : run_32(end, n);
}

NUMBER_LONG struct number_run number_run_long(const char *end, unsigned n)
{
    return number_run(end, n);
}

/* Reads the exponent in the n > 0 bytes before end: one to three digits,
 * perhaps after a sign. False for anything else. */
NUMBER_INLINE bool number_quick_exponent(const char *end, unsigned n, int *e)
{
    char sign = end[-(int)n];
    unsigned digits = n - (sign == '-' || sign == '+');
    uint32_t x;
    if (digits - 1 >= 3)
        return false;
    memcpy(&x, end - 4, sizeof x);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    x = __builtin_bswap32(x);
#endif
    /* The digits are the top bytes; the bytes below them become 0. */
    x = (x ^ 0x30303030) & ~0u << (32 - 8 * digits);
    if ((((x & 0x7f7f7f7f) + 0x76767676) | x) & 0x80808080)
        return false;
    int value = (int)(100 * (x >> 8 & 15) + 10 * (x >> 16 & 15) + (x >> 24));
    *e = sign == '-' ? -value : value;
    return true;
}

/* The first byte of the run that is neither digit nor point, if it is the `e`
 * of an exponent; else NULL. */
NUMBER_INLINE const char *number_quick_find(const char *end,
                                            const struct number_run *r)
{
    if (r->other == 0)
        return NULL;
    const char *e = end - 32 + __builtin_ctz(r->other);
    return (*e | 0x20) == 'e' && e + 1 < end ? e : NULL;
}

/* Reads a number with an exponent: n bytes that end at the `e`, and the bytes
 * after it up to `end`. */
NUMBER_INLINE bool number_quick_split(struct number_format f, unsigned n,
                                      const char *e, const char *end,
                                      const struct powers *t, uint64_t *bits)
{
    int q;
    if (!number_quick_exponent(end, (unsigned)(end - e - 1), &q))
        return false;
    struct number_run r = number_run(e, n);
    if (!r.plain)
        return false;
    *bits = number_scale(r.w, q - (int)(r.fraction % RUN_NO_POINT), t, f);
    return true;
}

/*
 * w / 10^fraction for a run of at most 16 bytes. It is rounded once (Clinger's
 * fast path). With a point, w has at most 15 digits and is below 2^53, so only
 * the division rounds. Without one, w is divided by 1, and only its conversion
 * to double rounds.
 *
 * An f32 is rounded twice, first to a double. Each midpoint of two floats is a
 * double. So the double nearest to the quotient is either that midpoint, or on
 * the same side of it as the quotient. Only the midpoint may be rounded
 * wrongly; then nothing is decided. These doubles are 0 or from 1e-15 to 1e16,
 * so the floats are normal, and their midpoints have a one and then zeros in
 * the 29 bits that are cut.
 */
NUMBER_INLINE bool number_quick_quotient(struct number_format f,
                                         const struct number_run *r,
                                         uint64_t *bits)
{
    double x = (double)(int64_t)r->w / number_tens[r->fraction];
    *bits = bits_of_double(x);
    if (f.fraction == 52)
        return true;
    bool decided = (*bits & 0x1fffffff) != 0x10000000;
    *bits = bits_of_float((float)x);
    return decided;
}

/* Reads the magnitude in the n bytes before end. */
NUMBER_LONG bool number_quick_long(struct number_format f, const char *end,
                                   unsigned n, const struct powers *t,
                                   uint64_t *bits)
{
    /* Looks for `e` where printf writes it, which saves the search. n is tested
     * last, because it is often about 4 and its branch is not predictable. */
    const char *e = end - 4;
    if ((*e | 0x20) != 'e' || n < 4) {
        struct number_run r = number_run(end, n);
        if (NUMBER_RARE(r.w > NUMBER_WIDE_LEAST) && f.fraction == 52 &&
            r.plain && r.fraction == RUN_NO_POINT)
            return false;
        if (n <= 16 && r.plain && number_quick_quotient(f, &r, bits))
            return true;
        if (r.plain) {
            *bits = number_scale(r.w, -(int)(r.fraction % RUN_NO_POINT), t, f);
            return true;
        }
        e = number_quick_find(end, &r);
        if (!e)
            return false;
    }
    return number_quick_split(f, n - (unsigned)(end - e), e, end, t, bits);
}

NUMBER_INLINE bool number_quick_float(struct number_format f, const char *p,
                                      size_t length, const struct powers *t,
                                      uint64_t *bits)
{
    struct number_run r;
    const char *end = p + (ptrdiff_t)length;
    bool negative = *p == '-';
    size_t n = length - (negative || *p == '+');
    uint64_t x, sign = (uint64_t)negative << (f.fraction == 52 ? 63 : 31);
    if (run_short(&r, end, n) && number_quick_quotient(f, &r, bits)) {
        *bits |= sign;
        return true;
    }
    bool decided = length - 1 < NUMBER_QUICK_LENGTH &&
                   number_quick_long(f, end, (unsigned)n, t, &x);
    *bits = decided ? x | sign : 0;
    return decided;
}

/* Does what number_float with DTYPE_f64 does, or returns false and decides
 * nothing. */
HD bool number_quick_f64(const char *p, size_t length, const struct powers *t,
                         uint64_t *bits)
{
    return number_quick_float(number_f64(), p, length, t, bits);
}

/* Does the same with DTYPE_f32. */
HD bool number_quick_f32(const char *p, size_t length, const struct powers *t,
                         uint64_t *bits)
{
    return number_quick_float(number_f32(), p, length, t, bits);
}

/* Does what number_integer does, or returns false and decides nothing. A
 * constant dtype is fastest. */
HD bool number_quick_integer(enum dtype dtype, const char *p, size_t length,
                             uint64_t *bits)
{
    const char *end = p + (ptrdiff_t)length;
    bool negative = *p == '-';
    size_t n = length - (negative || *p == '+');
    struct number_run r;
    if (!run_short(&r, end, n)) {
        if (length - 1 >= NUMBER_QUICK_LENGTH)
            return false;
        r = number_run_long(end, (unsigned)n);
    }
    *bits = number_integer_bits(dtype, r.w, negative);
    return r.plain && r.fraction == RUN_NO_POINT &&
           r.w <= number_limit(dtype, negative);
}
