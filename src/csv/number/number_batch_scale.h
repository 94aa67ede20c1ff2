/* SPDX-License-Identifier: MIT */
/* Eight integers, each times a power of ten: number_scale with vectors. */
#pragma once

#include "csv/number/number_batch.h"

/* Returns the high halves of eight products, computed from four products of
 * 32-bit halves each; *low is their low halves. */
BATCH_INLINE batch_u64 batch_multiply(batch_u64 a, batch_u64 b, batch_u64 *low)
{
    const batch_u64 half = batch_set(0xffffffff);
    batch_u64 a_high = batch_right(a, 32), b_high = batch_right(b, 32);
    batch_u64 lowest = batch_multiply32(a, b);
    batch_u64 one = batch_multiply32(a, b_high);
    batch_u64 other = batch_multiply32(a_high, b);
    /* At most (2^32 - 1)^2 + 2 * (2^32 - 1) = 2^64 - 1. */
    batch_u64 middle = batch_add(batch_right(lowest, 32), other);
    middle = batch_add(middle, batch_and(one, half));
    *low = batch_or(batch_left(middle, 32), batch_and(lowest, half));
    batch_u64 high = batch_multiply32(a_high, b_high);
    high = batch_add(high, batch_right(one, 32));
    return batch_add(high, batch_right(middle, 32));
}

/* w * 5^q as number_product computes it for f64: returns the high 64 bits; *low
 * is the low ones. */
BATCH_INLINE batch_u64 batch_product(batch_u64 w, batch_u64 q,
                                     const struct powers *t, batch_u64 *low)
{
    batch_u64 place = batch_sub(q, batch_set((uint64_t)POWERS_FIRST));
    place = batch_left(place, 1);
    batch_u64 unused;
    batch_u64 high =
        batch_multiply(w, batch_gather(&t->five[0].high, place), low);
    batch_u64 carried =
        batch_multiply(w, batch_gather(&t->five[0].low, place), &unused);
    *low = batch_add(*low, carried);
    batch_mask carry = batch_above(carried, *low);
    return batch_add(high, batch_keep(carry, batch_set(1)));
}

/* The binary exponent of 10^q, as number_scale computes it: the floor of 217706
 * q / 2^16. The product is unsigned, so 2^15 is added to q first, and 217706 /
 * 2, a whole number, is subtracted at the end. */
BATCH_INLINE batch_u64 batch_binary_exponent(batch_u64 q)
{
    batch_u64 x = batch_add(q, batch_set(1u << 15));
    x = batch_right(batch_multiply32(x, batch_set(217706)), 16);
    return batch_sub(x, batch_set(217706 / 2));
}

/* The bits of the f64 nearest to w * 10^q, -150 <= q <= 150, which is 0 or
 * normal. Sets the bit in *bad of a text that may be a tie. */
BATCH_INLINE batch_u64 batch_scale(batch_u64 w, batch_u64 q,
                                   const struct powers *t, unsigned *bad)
{
    const batch_u64 one = batch_set(1), zero = batch_set(0);
    batch_mask is_zero = batch_equal(w, zero);
    batch_u64 zeros = batch_leading_zeros(w), low;
    batch_u64 high = batch_product(batch_left_by(w, zeros), q, t, &low);
    batch_u64 top = batch_right(high, 63);
    /* The fraction, the bit above it, and one bit below it, which decides the
     * rounding. */
    batch_u64 mantissa =
        batch_right_by(high, batch_add(top, batch_set(64 - 52 - 3)));
    batch_u64 exponent =
        batch_add(batch_binary_exponent(q), batch_set(63 + 1023 - 1));
    exponent = batch_sub(batch_add(exponent, top), zeros);
    /* The product of a tie has a low half of 0, and would be rounded up. */
    batch_u64 last = batch_and(mantissa, batch_set(3));
    *bad |=
        batch_bits(batch_equal(low, zero)) & batch_bits(batch_equal(last, one));
    mantissa = batch_add(mantissa, batch_and(mantissa, one));
    mantissa = batch_add(batch_right(mantissa, 1), batch_left(exponent, 52));
    return batch_select(is_zero, zero, mantissa);
}
