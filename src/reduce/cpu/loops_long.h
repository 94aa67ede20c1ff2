/* SPDX-License-Identifier: MIT */
/*
 * Sums over lanes of values that one f64 cannot hold: 64-bit integers, and
 * squares of f64. Each value is split into two f64, which are added to `sum`
 * and to `rest`.
 */
#pragma once

#include "reduce/cpu/loops_rows.h"

/* Splits a 64-bit integer into halves; HIGH is the type of the upper one. */
#define LANE_LONG(dtype, HIGH)                                        \
    ALWAYS_INLINE double lane_high_##dtype(uint64_t v)                \
    {                                                                 \
        return (double)(HIGH)(v >> 32) * 0x1p32;                      \
    }                                                                 \
                                                                      \
    static bool lane_##dtype##_v_add(const struct lane_sums *s,       \
                                     const struct lane_block *b)      \
    {                                                                 \
        double *restrict sum = s->sum, *restrict rest = s->rest;      \
        inexact_begin();                                              \
        for (size_t i = 0; i < b->steps; i++) {                       \
            const char *restrict p = b->data + i * b->pitch;          \
            for (size_t l = 0; l < b->lanes; l++) {                   \
                uint64_t v;                                           \
                memcpy(&v, p + l * sizeof v, sizeof v);               \
                sum[l] += lane_high_##dtype(v);                       \
                rest[l] += (double)(uint32_t)v;                       \
            }                                                         \
        }                                                             \
        return !inexact_end(s->sum, 1);                               \
    }                                                                 \
                                                                      \
    static bool lane_##dtype##_v_rows(const struct lane_sums *s,      \
                                      const struct lane_block *b)     \
    {                                                                 \
        inexact_begin();                                              \
        for (size_t l = 0; l < b->lanes; l++) {                       \
            const char *p = b->data + l * b->pitch;                   \
            double high[ROW_LANES] = {0}, low[ROW_LANES] = {0};       \
            for (size_t i = 0; i < b->steps; i += ROW_LANES) {        \
                const size_t left = b->steps - i,                     \
                             n = left < ROW_LANES ? left : ROW_LANES; \
                for (size_t k = 0; k < n; k++) {                      \
                    uint64_t v;                                       \
                    memcpy(&v, p + (i + k) * sizeof v, sizeof v);     \
                    high[k] += lane_high_##dtype(v);                  \
                    low[k] += (double)(uint32_t)v;                    \
                }                                                     \
            }                                                         \
            s->sum[l] += row_total(high);                             \
            s->rest[l] += row_total(low);                             \
        }                                                             \
        return !inexact_end(s->sum, 1);                               \
    }

LANE_LONG(i64, int32_t)
LANE_LONG(u64, uint32_t)

/* v * v - square: exact unless the square is near 0. */
ALWAYS_INLINE double lane_square_error(double v, double square)
{
#if defined(__FMA__) || defined(__ARM_FEATURE_FMA)
    return __builtin_fma(v, v, -square);
#else
    /* Dekker (1971); NaN where the splitting overflows, from 2^996 on. */
    const double c = v * 134217729.0, h = c - (c - v), l = v - h;
    return ((h * h - square) + 2.0 * (h * l)) + l * l;
#endif
}

/* Adds squares and their errors by TwoSum (Knuth). The error of a square below
 * 2^-960 may be rounded, by less than the least f64. */
static bool lane_f64_s_all(const struct lane_sums *to,
                           const struct lane_block *b)
{
    double *restrict sum = to->sum, *restrict rest = to->rest,
                     *restrict bound = to->bound;
    for (size_t i = 0; i < b->steps; i++) {
        const char *restrict p = b->data + i * b->pitch;
        for (size_t l = 0; l < b->lanes; l++) {
            double x;
            memcpy(&x, p + l * sizeof x, sizeof x);
            const double v = x * x, more = lane_square_error(x, v);
            const double s = sum[l], t = s + v, z = t - s;
            const double e = (s - (t - z)) + (v - z), r = rest[l], u = r + e,
                         y = u - r;
            const double d = (r - (u - y)) + (e - y), w = u + more, q = w - u;
            const double f = (u - (w - q)) + (more - q);
            const double tiny = v < 0x1p-960 && x != 0 ? 0x1p-1072 : 0;
            sum[l] = t;
            rest[l] = w;
            bound[l] += __builtin_fabs(d) + __builtin_fabs(f) + tiny;
        }
    }
    return true;
}
