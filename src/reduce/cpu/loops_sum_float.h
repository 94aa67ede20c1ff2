/* SPDX-License-Identifier: MIT */
/* Float sums. Each block is tried plainly if that may be exact, then with
 * compensation, then by windows. */
#pragma once

#include "reduce/cpu/loops_sum_compensated.h"
#include "reduce/cpu/loops_sum_plain.h"
#include "reduce/cpu/loops_sum_windows.h"

ALWAYS_INLINE void sum_floats(struct accumulator *w, const void *data, size_t n,
                              enum exact_map map, bool wide)
{
    const char *p = data;
    find_not_negative_zero(&w->state->exact, data, n, map, wide);
    if (sum_plainly(w, data, n, map, wide) ||
        sum_compensated(w, data, n, map, wide))
        return;
    while (n > 0) {
        size_t step = n < SUM_BLOCK ? n : SUM_BLOCK;
        sum_block(w, p, step, map, wide);
        p += step * (wide ? 8 : 4);
        n -= step;
    }
}

/* The elements as f32, in `to` if they are narrower, or as f64. */
#define NUMBERS_f16(to, p, n) (decode_f16(to, p, n), to)
#define NUMBERS_bf16(to, p, n) (decode_bf16(to, p, n), to)
#define NUMBERS_f32(to, p, n) (p)
#define NUMBERS_f64(to, p, n) (p)

/* `add` adds a block of the elements, at most PLAIN_BLOCK narrow ones. */
#define SUM_FLOAT(name, dtype, map, add, block)                          \
    static void name(struct accumulator *w, const void *data, size_t n,  \
                     uint64_t first)                                     \
    {                                                                    \
        const size_t size = dtype_size(DTYPE_##dtype), most = block;     \
        const char *p = data;                                            \
        (void)first;                                                     \
        for (size_t i = 0; i < n; i += most) {                           \
            float room[PLAIN_BLOCK];                                     \
            size_t step = n - i < most ? n - i : most;                   \
            (void)room;                                                  \
            add(w, NUMBERS_##dtype(room, p + size * i, step), step, map, \
                size == 8);                                              \
        }                                                                \
    }

/* f64 is summed plainly only if sums may round (--fast). */
#define SUM_FLOATS(dtype, block)                                         \
    SUM_FLOAT(sum_##dtype, dtype, EXACT_VALUE, sum_floats, block)        \
    SUM_FLOAT(sumabs_##dtype, dtype, EXACT_MAGNITUDE, sum_floats, block) \
    SUM_FLOAT(sumsq_##dtype, dtype, EXACT_SQUARE, sum_floats, block)

SUM_FLOATS(f16, PLAIN_BLOCK)
SUM_FLOATS(bf16, PLAIN_BLOCK)
SUM_FLOATS(f32, PLAIN_BLOCK)
SUM_FLOATS(f64, w->fast ? PLAIN_BLOCK : COMPENSATED_BLOCK)
