/* SPDX-License-Identifier: MIT */
/*
 * Exact sums of the cubes and fourth powers of floats. An element is m * 2^w,
 * where m is an integer of 53 bits and w follows from its exponent; so a sum of
 * m^3 or m^4 is kept for each exponent. With m^2 = a + b * 2^53,
 *
 *   m^3 = am + bm * 2^53      m^4 = a^2 + 2ab * 2^53 + b^2 * 2^106
 *
 * and the sums of am and bm, or of a^2, ab and b^2, have 128 bits, which hold
 * 2^22 addends of 106 bits. For f32 and narrower types m has 24 bits, so m^3
 * and m^4 are not cut. Only Inf and NaN need a slow path; exponents never do.
 * Windows (loops_sum_windows.h) would take as many instructions: a fourth power
 * of ordinary f64 spans six of them, in six parts.
 */
#pragma once

#include "reduce/cpu/loops_sum_float.h"
#include "reduce/cpu/loops_sum_windows.h"

ALWAYS_INLINE uint64_t power_bits(const void *data, size_t i, bool wide)
{
    return wide ? ELEMENT_AT(uint64_t, data, i) : ELEMENT_AT(uint32_t, data, i);
}

/* A mantissa as an integer. */
ALWAYS_INLINE uint64_t power_mantissa(uint64_t bits, bool wide, bool all_normal)
{
    const uint64_t one = 1ull << (wide ? 52 : 23);
    const uint64_t inf = (wide ? 0x7ffull : 0xff) * one;
    const bool is_normal = all_normal || bits & inf;
    return (bits & (one - 1)) | (is_normal ? one : 0);
}

/* The sums that an element adds to: by exponent, and for cubes by sign, too. */
ALWAYS_INLINE unsigned __int128 *power_sums(void *table, uint64_t bits,
                                            enum exact_map map, bool wide)
{
    const int fraction = wide ? 52 : 23, row = map == EXACT_CUBE ? 5 : 6;
    const uint64_t exponents = wide ? 2047 : 255;
    const uint64_t places = map == EXACT_CUBE ? 2 * exponents + 1 : exponents;
    return (unsigned __int128 *)((char *)table +
                                 (bits >> (fraction - row) & places << row));
}

ALWAYS_INLINE void power_add(void *table, uint64_t bits, enum exact_map map,
                             bool wide, bool all_normal)
{
    typedef unsigned __int128 u128;
    const uint64_t m = power_mantissa(bits, wide, all_normal);
    const u128 square = (u128)m * (wide ? m << 11 : m);
    const uint64_t a = wide ? (uint64_t)square >> 11 : (uint64_t)square;
    const uint64_t b = wide ? (uint64_t)(square >> 64) : 0;
    u128 *sum = power_sums(table, bits, map, wide);
    sum[0] += (u128)a * (map == EXACT_CUBE ? m : a);
    if (!wide)
        return;
    sum[1] += (u128)b * (map == EXACT_CUBE ? m : a);
    if (map == EXACT_FOURTH)
        sum[2] += (u128)b * b;
}

/* The range of exponents of the elements that are not 0, and whether all
 * elements are normal numbers. */
struct power_range {
    unsigned least, greatest;
    bool all_normal;
};

#define POWER_SURVEY(name, T, most, fraction)                                \
    ALWAYS_INLINE struct power_range name(const void *data, size_t n)        \
    {                                                                        \
        T high = 0, low = most, low_but_0 = most - 1;                        \
        for (size_t i = 0; i < n; i++) {                                     \
            const T x = ELEMENT_AT(T, data, i) & most;                       \
            const T number = (x - 1) & most; /* 0 gives `most` */            \
            high = x > high ? x : high;                                      \
            low = x < low ? x : low;                                         \
            low_but_0 = number < low_but_0 ? number : low_but_0;             \
        }                                                                    \
        return (struct power_range){(unsigned)((low_but_0 + 1) >> fraction), \
                                    (unsigned)(high >> fraction),            \
                                    low >> fraction > 0};                    \
    }

POWER_SURVEY(power_survey_f64, int64_t, INT64_MAX, 52)
POWER_SURVEY(power_survey_f32, int32_t, INT32_MAX, 23)

ALWAYS_INLINE struct power_range power_survey(const void *data, size_t n,
                                              bool wide)
{
    return wide ? power_survey_f64(data, n) : power_survey_f32(data, n);
}

ALWAYS_INLINE void power_add_all(void *table, const void *data, size_t n,
                                 enum exact_map map, bool wide, bool all_normal)
{
    enum { LINE = 8 };
    size_t i = 0;
    for (; i + LINE <= n; i += LINE) {
        for (int j = 0; j < LINE; j++)
            power_add(table, power_bits(data, i + j, wide), map, wide,
                      all_normal);
    }
    for (; i < n; i++)
        power_add(table, power_bits(data, i, wide), map, wide, all_normal);
}

/* Adds n <= SUM_BLOCK elements. */
ALWAYS_INLINE void power_block(struct accumulator *w, const void *data,
                               size_t n, enum exact_map map, bool wide)
{
    double clean[SUM_BLOCK];
    w->state->exact.not_negative_zero = true;
    struct power_range range = power_survey(data, n, wide);
    if (range.greatest == (wide ? 2047 : 255)) {
        copy_numbers(w, data, n, map, wide, clean);
        data = clean;
        range = power_survey(data, n, wide);
    }
    if (w->n + n > POWER_ADDENDS)
        accumulator_drain_powers(w);
    w->n += n;
    if (range.least < w->spread.power.least)
        w->spread.power.least = range.least;
    if (range.greatest > w->spread.power.greatest)
        w->spread.power.greatest = range.greatest;
    if (range.all_normal)
        power_add_all(w->spread.power.sum, data, n, map, wide, true);
    else
        power_add_all(w->spread.power.sum, data, n, map, wide, false);
}

#define SUM_POWERS(dtype)                                                 \
    SUM_FLOAT(sumcube_##dtype, dtype, EXACT_CUBE, power_block, SUM_BLOCK) \
    SUM_FLOAT(sumfourth_##dtype, dtype, EXACT_FOURTH, power_block, SUM_BLOCK)

SUM_POWERS(f16)
SUM_POWERS(bf16)
SUM_POWERS(f32)
SUM_POWERS(f64)
