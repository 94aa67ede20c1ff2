/* SPDX-License-Identifier: MIT */
/* Exact products of f64. The mantissas are multiplied as integers of up to 4 *
 * 53 bits, and the exponents are added. */
#include <math.h>

#include "reduce/exact.h"
#include "reduce/float_format.h"

typedef unsigned __int128 u128;

enum { MANTISSA_BITS = 53 };

/* Counts a product that has Inf or NaN among its factors. Only the signs of the
 * other factors are used, since their product could round to 0 or Inf. */
static void count_special(struct exact *x, const double *factor, unsigned n)
{
    double product = 1.0;
    for (unsigned i = 0; i < n; i++) {
        const bool is_number = isfinite(factor[i]) && factor[i] != 0;
        product *= is_number ? copysign(1.0, factor[i]) : factor[i];
    }
    if (isnan(product)) {
        x->nan++;
        return;
    }
    x->not_negative_zero = true;
    if (product < 0)
        x->minus_inf++;
    else
        x->plus_inf++;
}

static void add_signed(struct exact *x, u128 magnitude, unsigned position,
                       bool negative)
{
    exact_add_shifted(x, negative ? -(__int128)magnitude : (__int128)magnitude,
                      position);
}

/* Adds a * b * 2^position, where a and b have up to 106 bits. They are
 * multiplied by digits of 53 bits, in two halves that each fit a signed
 * integer. */
static void add_long(struct exact *x, u128 a, u128 b, unsigned position,
                     bool negative)
{
    const uint64_t mask = ((uint64_t)1 << MANTISSA_BITS) - 1;
    const uint64_t a0 = (uint64_t)a & mask, a1 = (uint64_t)(a >> MANTISSA_BITS);
    const uint64_t b0 = (uint64_t)b & mask, b1 = (uint64_t)(b >> MANTISSA_BITS);
    const u128 middle = (u128)a0 * b1 + (u128)a1 * b0;
    add_signed(x, (u128)a0 * b0 + ((middle & mask) << MANTISSA_BITS), position,
               negative);
    add_signed(x, (u128)a1 * b1 + (middle >> MANTISSA_BITS),
               position + 2 * MANTISSA_BITS, negative);
}

void exact_add_product(struct exact *x, const double *factor, unsigned n)
{
    u128 pair[2] = {1, 1};
    uint64_t signs = 0;
    int position = -x->lsb;
    for (unsigned i = 0; i < n; i++) {
        const uint64_t bits = bits_of_double(factor[i]);
        const uint64_t fraction = bits & ((1ull << 52) - 1);
        const int e = (int)(bits >> 52 & 0x7ff);
        if (e == 0x7ff) {
            count_special(x, factor, n);
            return;
        }
        /* Subnormals have the exponent of the least normals. */
        pair[i / 2] *= e > 0 ? fraction | 1ull << 52 : fraction;
        position += (e > 0 ? e : 1) - 1 - 1074;
        signs ^= bits;
    }
    const bool is_zero = pair[0] == 0 || pair[1] == 0;
    x->not_negative_zero |= !(is_zero && signs >> 63);
    if (is_zero)
        return;
    if (n <= 2)
        add_signed(x, pair[0], (unsigned)position, signs >> 63);
    else
        add_long(x, pair[0], pair[1], (unsigned)position, signs >> 63);
}
