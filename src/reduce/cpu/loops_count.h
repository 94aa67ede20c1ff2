/* SPDX-License-Identifier: MIT */
/* Counts of NaN, Inf and nonzero elements. A comparison gives a mask as wide as
 * the element, and masks are summed in that width. So a block is as long as a
 * counter of that width allows. */
#pragma once

#include "reduce/cpu/vector.h"

#define COUNT_BLOCK(T) (sizeof(T) == 1 ? 255 : 4096)

static void find_first_nan(struct accumulator *w, const char *p, size_t n,
                           uint64_t first)
{
    struct count *c = &w->state->count;
    const size_t size = dtype_size(w->dtype);
    for (size_t i = 0; i < n; i++) {
        double x =
            dtype_to_double(w->dtype, dtype_load(w->dtype, p + i * size));
        uint64_t index = first + i;
        if (x == x)
            continue;
        if (w->index)
            index = w->index(w->map, index);
        if (index < c->first_nan)
            c->first_nan = index;
    }
}

/* INF holds the bits of infinity; 0: the dtype has no NaN. */
#define COUNT(dtype, U, INF)                                               \
    static void count_##dtype(struct accumulator *w, const void *data,     \
                              size_t n, uint64_t first)                    \
    {                                                                      \
        const U inf_bits = (U)(INF);                                       \
        const U sign = inf_bits ? (U)(1ull << (8 * sizeof(U) - 1)) : 0;    \
        struct count *c = &w->state->count;                                \
        const char *p = data;                                              \
        for (size_t i = 0; i < n; i += COUNT_BLOCK(U)) {                   \
            size_t step = n - i < COUNT_BLOCK(U) ? n - i : COUNT_BLOCK(U); \
            U nan = 0, inf = 0, nonzero = 0;                               \
            for (size_t j = 0; j < step; j++) {                            \
                const U x = ELEMENT_AT(U, p, i + j) & (U)~sign;            \
                nan += inf_bits && x > inf_bits;                           \
                inf += inf_bits && x == inf_bits;                          \
                nonzero += x != 0;                                         \
            }                                                              \
            if (nan && (c->nan == 0 || w->index))                          \
                find_first_nan(w, p + i * sizeof(U), step, first + i);     \
            c->nan += nan;                                                 \
            c->inf += inf;                                                 \
            c->nonzero += nonzero;                                         \
        }                                                                  \
    }

COUNT(f16, uint16_t, INF_BITS(f16))
COUNT(bf16, uint16_t, INF_BITS(bf16))
COUNT(f32, uint32_t, INF_BITS(f32))
COUNT(f64, uint64_t, INF_BITS(f64))
COUNT(i8, uint8_t, 0)
COUNT(i16, uint16_t, 0)
COUNT(i32, uint32_t, 0)
COUNT(i64, uint64_t, 0)
#define count_u8 count_i8
#define count_u16 count_i16
#define count_u32 count_i32
#define count_u64 count_i64
