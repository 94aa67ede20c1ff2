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
    if (sum_plainly(w, data, n, map, wide) ||
        sum_compensated(w, data, n, map, wide))
        return;
    find_not_negative_zero(&w->state->exact, data, n, map, wide);
    while (n > 0) {
        size_t step = n < SUM_BLOCK ? n : SUM_BLOCK;
        sum_block(w, p, step, map, wide);
        p += step * (wide ? 8 : 4);
        n -= step;
    }
}

static inline void decode_f16(float *to, const char *from, size_t n)
{
    size_t i = 0;
#if defined(__F16C__)
    for (; i + 8 <= n; i += 8) {
        __m128i h = _mm_loadu_si128((const __m128i *)(from + 2 * i));
        _mm256_storeu_ps(to + i, _mm256_cvtph_ps(h));
    }
    for (; i + 4 <= n; i += 4)
        _mm_storeu_ps(to + i, _mm_cvtph_ps(_mm_loadu_si64(from + 2 * i)));
#elif defined(__AARCH64EL__)
    for (; i + 4 <= n; i += 4) {
        uint8x8_t h = vld1_u8((const uint8_t *)from + 2 * i);
        vst1q_f32(to + i, vcvt_f32_f16(vreinterpret_f16_u8(h)));
    }
#endif
    for (; i < n; i++) {
        uint16_t h;
        memcpy(&h, from + 2 * i, sizeof h);
        to[i] = f16_to_float(h);
    }
}

static inline void decode_bf16(float *to, const char *from, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        uint16_t h;
        memcpy(&h, from + 2 * i, sizeof h);
        to[i] = bf16_to_float(h);
    }
}

/* Sums a stored type of two bytes: widens blocks to f32 for that loop. */
#define SUM_NARROW(name, map, decode, sum, BLOCK)                       \
    static void name(struct accumulator *w, const void *data, size_t n, \
                     uint64_t first)                                    \
    {                                                                   \
        const char *p = data;                                           \
        (void)first;                                                    \
        for (size_t i = 0; i < n; i += BLOCK) {                         \
            float block[BLOCK];                                         \
            size_t step = n - i < BLOCK ? n - i : BLOCK;                \
            decode(block, p + 2 * i, step);                             \
            sum(w, block, step, map, false);                            \
        }                                                               \
    }

/* f64 is summed plainly only if sums may round (--fast). */
ALWAYS_INLINE size_t sum_block_of(const struct accumulator *w, bool wide)
{
    return wide && !w->fast ? COMPENSATED_BLOCK : PLAIN_BLOCK;
}

#define SUM_FLOAT(name, map, size)                                      \
    static void name(struct accumulator *w, const void *data, size_t n, \
                     uint64_t first)                                    \
    {                                                                   \
        (void)first;                                                    \
        const size_t block = sum_block_of(w, size == 8);                \
        for (size_t i = 0; i < n; i += block) {                         \
            size_t step = n - i < block ? n - i : block;                \
            sum_floats(w, (const char *)data + size * i, step, map,     \
                       size == 8);                                      \
        }                                                               \
    }

#define SUM_NARROWS(dtype)                                                  \
    SUM_NARROW(sum_##dtype, EXACT_VALUE, decode_##dtype, sum_floats,        \
               PLAIN_BLOCK)                                                 \
    SUM_NARROW(sumabs_##dtype, EXACT_MAGNITUDE, decode_##dtype, sum_floats, \
               PLAIN_BLOCK)                                                 \
    SUM_NARROW(sumsq_##dtype, EXACT_SQUARE, decode_##dtype, sum_floats,     \
               PLAIN_BLOCK)

SUM_NARROWS(f16)
SUM_NARROWS(bf16)
SUM_FLOAT(sum_f32, EXACT_VALUE, 4)
SUM_FLOAT(sumabs_f32, EXACT_MAGNITUDE, 4)
SUM_FLOAT(sumsq_f32, EXACT_SQUARE, 4)
SUM_FLOAT(sum_f64, EXACT_VALUE, 8)
SUM_FLOAT(sumabs_f64, EXACT_MAGNITUDE, 8)
SUM_FLOAT(sumsq_f64, EXACT_SQUARE, 8)
