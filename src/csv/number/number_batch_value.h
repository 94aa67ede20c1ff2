/* SPDX-License-Identifier: MIT */
/* Turns eight runs into values of a dtype. Adds texts that it does not decide
 * to r->bad. */
#pragma once

#include "csv/number/number_batch_runs.h"
#include "csv/number/number_batch_runs_512.h"
#include "csv/number/number_batch_scale.h"

/*
 * w / 10^fraction where a double may not hold w: w = high + low, both doubles,
 * and high is the one nearest to w. The quotient q of high has a remainder that
 * is a double, too. So the correction that is added to q,
 *
 *     e = (remainder + low) / 10^fraction,
 *
 * is exact but for three roundings, each of at most 2^-53 of e. If a little
 * more and a little less than e give the same sum, that is the result. If not
 * (a tie, or one in 10^14 others), the text is not decided.
 */
BATCH_INLINE batch_f64 batch_quotient_32(struct batch_runs *r)
{
    const batch_f64 less = batch_set_f64(1 - 0x1p-50);
    const batch_f64 more = batch_set_f64(1 + 0x1p-50);
    batch_u64 fraction = batch_and(batch_fraction(r->points), batch_set(31));
    batch_f64 ten = batch_tens(fraction, 32), low;
    batch_f64 high = batch_split(r->w, &low);
    batch_f64 q = batch_divide_f64(high, ten);
    batch_f64 e = batch_remainder_f64(q, ten, high);
    e = batch_divide_f64(batch_add_f64(e, low), ten);
    batch_f64 x = batch_add_f64(q, batch_multiply_f64(e, less));
    batch_f64 y = batch_add_f64(q, batch_multiply_f64(e, more));
    r->bad |= batch_bits(batch_differ_f64(x, y));
    r->bad |= batch_bits(batch_above(fraction, batch_set(22)));
    return x;
}

/* number_quick_quotient for texts of at most 8 or 16 bytes. */
BATCH_INLINE batch_f64 batch_quotient(unsigned width,
                                      const struct batch_runs *r)
{
    return batch_divide_f64(batch_double(r->w),
                            batch_tens(batch_fraction(r->points), width));
}

BATCH_INLINE batch_u64 batch_sign(const struct batch_runs *r, batch_f64 x)
{
    return batch_or(batch_as_u64(x),
                    batch_keep(r->minus, batch_set(1ull << 63)));
}

/* A bit for each value, not negative, whose double does not decide its float:
 * see number_quick_quotient. Subnormal floats are never decided here, since
 * their midpoints are other doubles. */
BATCH_INLINE unsigned batch_undecided_f32(batch_f64 x)
{
    batch_u64 bits = batch_as_u64(x);
    batch_u64 cut = batch_and(bits, batch_set(0x1fffffff));
    unsigned is_small = batch_bits(batch_less_f64(x, batch_set_f64(0x1p-126))) &
                        ~batch_bits(batch_equal(bits, batch_set(0)));
    return is_small | batch_bits(batch_equal(cut, batch_set(0x10000000)));
}

/* A bit for each text that has a point. */
BATCH_INLINE unsigned batch_pointed(const struct batch_runs *r)
{
    return ~batch_bits(batch_equal(r->points, batch_set(0))) &
           ((1u << BATCH) - 1);
}

BATCH_INLINE batch_u64 batch_integer(enum dtype dtype, struct batch_runs *r)
{
    batch_u64 most = batch_set(number_limit(dtype, false));
    batch_u64 least = batch_set(number_limit(dtype, true));
    most = batch_select(r->minus, least, most);
    r->bad |= batch_bits(batch_above(r->w, most)) | batch_pointed(r);
    return batch_select(r->minus, batch_sub(batch_set(0), r->w), r->w);
}

/* The exponents that follow the runs. */
struct batch_exponents {
    bool any; /* whether the texts have exponents; a constant is fastest */
    batch_u64 e;
    const struct powers *powers;
};

/* w * 10^(e - fraction). The exponents have two digits at most, as batch_scale
 * requires. */
BATCH_INLINE batch_u64 batch_scaled(unsigned width, struct batch_runs *r,
                                    const struct batch_exponents *e)
{
    batch_u64 fraction =
        batch_and(batch_fraction(r->points), batch_set(width - 1));
    return batch_scale(r->w, batch_sub(e->e, fraction), e->powers, &r->bad);
}

/* A bit for each integer that f64 may not hold. */
BATCH_INLINE unsigned batch_wide(const struct batch_runs *r)
{
    return batch_bits(batch_above(r->w, batch_set(NUMBER_WIDE_LEAST))) &
           ~batch_pointed(r);
}

BATCH_INLINE batch_u64 batch_float(enum dtype dtype, unsigned width,
                                   struct batch_runs *r,
                                   const struct batch_exponents *e)
{
    batch_f64 x;
    if (e->any)
        x = batch_as_f64(batch_scaled(width, r, e));
    else
        x = width == 32 ? batch_quotient_32(r) : batch_quotient(width, r);
    if (dtype == DTYPE_f32)
        r->bad |= batch_undecided_f32(x);
    else if (width > 8 && !e->any)
        r->bad |= batch_wide(r);
    return batch_sign(r, x);
}

/* Reads eight texts as values of 64 bits (an f32 as f64). Sets in *bad a bit
 * for each that is not a number or not decided. width is 8, 16 or 32 bytes; the
 * caller marks longer texts as bad. */
BATCH_INLINE batch_u64 batch_values(enum dtype dtype, unsigned width,
                                    const struct batch_texts *t,
                                    const struct batch_exponents *e,
                                    unsigned *bad)
{
    struct batch_runs r = width == 8    ? batch_8(t)
                          : width == 16 ? batch_16(t)
                                        : batch_32(t);
    batch_u64 bits = dtype == DTYPE_f64 || dtype == DTYPE_f32
                         ? batch_float(dtype, width, &r, e)
                         : batch_integer(dtype, &r);
    *bad = r.bad;
    return bits;
}

/* Stores eight such values as the dtype. */
BATCH_INLINE void batch_store(enum dtype dtype, batch_u64 x, void *to)
{
    if (dtype == DTYPE_f64 || dtype == DTYPE_i64 || dtype == DTYPE_u64)
        batch_store_8(x, to);
    else if (dtype == DTYPE_f32)
        batch_store_f32(batch_as_f64(x), to);
    else if (dtype == DTYPE_i32 || dtype == DTYPE_u32)
        batch_store_4(x, to);
    else if (dtype == DTYPE_i16 || dtype == DTYPE_u16)
        batch_store_2(x, to);
    else
        batch_store_1(x, to);
}
