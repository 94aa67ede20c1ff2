/* SPDX-License-Identifier: MIT */
/* Sums over lanes of 64-bit integers. Each is split into two f64, which are
 * added to `sum` and to `rest`. */
#pragma once

#include "reduce/cpu/loops_rows.h"

/* Splits a 64-bit integer into halves; HIGH is the type of the upper one. */
#define LANE_LONG(dtype, HIGH)                                         \
    ALWAYS_INLINE double lane_high_##dtype(uint64_t v)                 \
    {                                                                  \
        return (double)(HIGH)(v >> 32) * 0x1p32;                       \
    }                                                                  \
                                                                       \
    static bool lane_##dtype##_v_add(const struct lane_sums *s,        \
                                     const struct lane_block *b)       \
    {                                                                  \
        double *restrict sum = s->sum, *restrict rest = s->rest;       \
        inexact_begin();                                               \
        for (size_t i = 0; i < b->steps; i++) {                        \
            const char *restrict p = b->data + i * b->pitch;           \
            for (size_t l = 0; l < b->lanes; l++) {                    \
                const uint64_t v = ELEMENT_AT(uint64_t, p, l);         \
                sum[l] += lane_high_##dtype(v);                        \
                rest[l] += (double)(uint32_t)v;                        \
            }                                                          \
        }                                                              \
        return !inexact_end(s->sum, 1);                                \
    }                                                                  \
                                                                       \
    static bool lane_##dtype##_v_rows(const struct lane_sums *s,       \
                                      const struct lane_block *b)      \
    {                                                                  \
        inexact_begin();                                               \
        for (size_t l = 0; l < b->lanes; l++) {                        \
            const char *p = b->data + l * b->pitch;                    \
            double high[ROW_LANES] = {0}, low[ROW_LANES] = {0};        \
            for (size_t i = 0; i < b->steps; i += ROW_LANES) {         \
                const size_t left = b->steps - i,                      \
                             n = left < ROW_LANES ? left : ROW_LANES;  \
                for (size_t k = 0; k < n; k++) {                       \
                    const uint64_t v = ELEMENT_AT(uint64_t, p, i + k); \
                    high[k] += lane_high_##dtype(v);                   \
                    low[k] += (double)(uint32_t)v;                     \
                }                                                      \
            }                                                          \
            s->sum[l] = row_total(high);                               \
            s->rest[l] = row_total(low);                               \
        }                                                              \
        return !inexact_end(s->sum, 1);                                \
    }

LANE_LONG(i64, int32_t)
LANE_LONG(u64, uint32_t)
