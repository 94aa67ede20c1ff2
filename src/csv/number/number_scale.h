/* SPDX-License-Identifier: MIT */
/*
 * An integer times a power of ten, as the nearest float: the algorithm of
 * Eisel and Lemire (D. Lemire, "Number parsing at a gigabyte per second",
 * Software: Practice and Experience 51, 2021), without a fallback as shown
 * possible by N. Mushtak and D. Lemire ("Fast number parsing without
 * fallback", same journal, 53, 2023). Integers only: any rounding mode, host
 * and device give the same bits.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "csv/number/powers.h"
#include "reduce/float_format.h"

/* Inlined even at -O0 and into large callers, so that the compiler sees the
 * format as a constant. */
#if defined(__GNUC__) && !defined(__CUDACC__)
#define NUMBER_INLINE HD __attribute__((always_inline))
#else
#define NUMBER_INLINE HD
#endif

#if defined(__GNUC__)
#define NUMBER_RARE(x) __builtin_expect((x), 0)
#else
#define NUMBER_RARE(x) (x)
#endif

struct number_format {
    int fraction; /* bits of the fraction */
    int bias;
    /* The range of q for which w * 10^q, w < 2^64, can lie exactly midway
     * between two floats. For q > 0 the power of five must fit into the bits of
     * a midpoint; for q < 0 it must divide w. */
    int tie_first, tie_last;
};

NUMBER_INLINE struct number_format number_f64(void)
{
    struct number_format f = {FRACTION_f64, BIAS_f64, -4, 23};
    return f;
}

NUMBER_INLINE struct number_format number_f32(void)
{
    struct number_format f = {FRACTION_f32, BIAS_f32, -17, 10};
    return f;
}

NUMBER_INLINE uint64_t number_infinity(struct number_format f)
{
    return (uint64_t)(2 * f.bias + 1) << f.fraction;
}

/* Returns the high half of the product; *low is the low half. */
NUMBER_INLINE uint64_t number_multiply(uint64_t a, uint64_t b, uint64_t *low)
{
#ifdef __CUDA_ARCH__
    *low = a * b;
    return __umul64hi(a, b);
#else
    unsigned __int128 product = (unsigned __int128)a * b;
    *low = (uint64_t)product;
    return (uint64_t)(product >> 64);
#endif
}

/* x is not 0. */
NUMBER_INLINE int number_leading_zeros(uint64_t x)
{
#ifdef __CUDA_ARCH__
    return __clzll((long long)x);
#else
    return __builtin_clzll(x);
#endif
}

/* w * five, for w with its top bit set, as exactly as rounding needs. The
 * product with the high word of five alone is short by less than one unit of
 * its own high word. Rounding looks at the top fraction + 3 bits. The error
 * reaches them only where all bits below them are ones. For f64 these are 9
 * bits, and half of the doubles written with 18 or 19 digits have ones there.
 * So for f64 the second product is always computed: a branch would be
 * mispredicted. */
NUMBER_INLINE uint64_t number_product(uint64_t w, const struct power *five,
                                      uint64_t *low, struct number_format f)
{
    uint64_t below = ~0ull >> (f.fraction + 3);
    uint64_t high = number_multiply(w, five->high, low);
    if (f.fraction == 52 || NUMBER_RARE((high & below) == below)) {
        uint64_t unused, carried = number_multiply(w, five->low, &unused);
        *low += carried;
        high += *low < carried;
    }
    return high;
}

/* The bits of w * 10^q correctly rounded, ties to even; the caller adds the
 * sign. t is number_powers() on the host, a copy of it on the device. */
NUMBER_INLINE uint64_t number_scale(uint64_t w, int q, const struct powers *t,
                                    struct number_format f)
{
    if (NUMBER_RARE(w == 0 || q < POWERS_FIRST))
        return 0;
    if (NUMBER_RARE(q > POWERS_LAST))
        return number_infinity(f);
    int zeros = number_leading_zeros(w);
    uint64_t low;
    uint64_t high =
        number_product(w << zeros, &t->five[q - POWERS_FIRST], &low, f);
    int top = (int)(high >> 63);
    int drop = top + 64 - f.fraction - 3;
    /* The fraction, the bit above it, and one bit below it, which decides the
     * rounding. */
    uint64_t mantissa = high >> drop;
    /* 217706 / 2^16 is log2(10), closely enough that the floor is right at
     * every q. */
    int exponent = (217706 * q >> 16) + 63 + top - zeros + f.bias;
    if (NUMBER_RARE(exponent <= 0)) {
        /* A subnormal is never a tie: q is far below tie_first. */
        if (exponent < -62)
            return 0;
        mantissa >>= 1 - exponent;
        /* A carry makes it the least normal number, which is right. */
        return (mantissa + (mantissa & 1)) >> 1;
    }
    /* Rounds an exact tie to even. The product of a tie is a whole number of
     * high's units plus, since the reciprocals are rounded up, less than one of
     * low's. Any other product is over 2^-65 of itself away from a tie. */
    if (NUMBER_RARE(low == 0 && q >= f.tie_first && q <= f.tie_last &&
                    (mantissa & 3) == 1 && mantissa << drop == high))
        mantissa--;
    /* The bit above the fraction adds 1 to the exponent; so does a carry. */
    mantissa = ((uint64_t)(exponent - 1) << f.fraction) +
               ((mantissa + (mantissa & 1)) >> 1);
    uint64_t infinity = number_infinity(f);
    return mantissa < infinity ? mantissa : infinity;
}
