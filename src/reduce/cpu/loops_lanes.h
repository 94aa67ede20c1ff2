/* SPDX-License-Identifier: MIT */
/* The loops over lanes: see lanes.h. */
#pragma once

#include "reduce/cpu/inexact.h"
#include "reduce/cpu/lanes.h"
#include "reduce/cpu/loops_rows.h"

enum {
    LANE_STEPS = 8, /* steps between a load and a store of a sum */
    FIND_BLOCK = 64,
    NEAR = 1024, /* bytes between steps that are prefetched: not bursts */
};

/* Adds a block of columns. VALUE(v) is what element v adds, as f64. */
#define LANE_ADD(name, T, VALUE)                                             \
    ALWAYS_INLINE void name##_steps(double *restrict sum,                    \
                                    const char *restrict p, size_t pitch,    \
                                    size_t lanes, int steps)                 \
    {                                                                        \
        for (size_t l = 0; l < lanes; l++) {                                 \
            double s = sum[l];                                               \
            for (int i = 0; i < steps; i++)                                  \
                s += VALUE(ELEMENT_AT(T, p + (size_t)i * pitch, l));         \
            sum[l] = s;                                                      \
        }                                                                    \
    }                                                                        \
                                                                             \
    static bool name##_add(const struct lane_sums *s,                        \
                           const struct lane_block *b)                       \
    {                                                                        \
        const size_t near = b->pitch <= NEAR ? LANE_STEPS * b->pitch : 0;    \
        size_t i = 0;                                                        \
        inexact_begin();                                                     \
        for (; i + LANE_STEPS <= b->steps; i += LANE_STEPS) {                \
            prefetch_part(b->data + i * b->pitch, near);                     \
            name##_steps(s->sum, b->data + i * b->pitch, b->pitch, b->lanes, \
                         LANE_STEPS);                                        \
        }                                                                    \
        for (; i < b->steps; i++)                                            \
            name##_steps(s->sum, b->data + i * b->pitch, b->pitch, b->lanes, \
                         1);                                                 \
        return !inexact_end(s->sum, 1);                                      \
    }                                                                        \
                                                                             \
    ALWAYS_INLINE double name##_row(const char *p, size_t n)                 \
    {                                                                        \
        double part[ROW_LANES];                                              \
        size_t i = 0;                                                        \
        for (int l = 0; l < ROW_LANES; l++)                                  \
            part[l] = -0.0;                                                  \
        for (; i + ROW_LANES <= n; i += ROW_LANES) {                         \
            for (size_t k = 0; k < ROW_LANES * sizeof(T); k += CACHE_LINE)   \
                prefetch_ahead(p + i * sizeof(T) + k);                       \
            for (int l = 0; l < ROW_LANES; l++)                              \
                part[l] += VALUE(ELEMENT_AT(T, p, i + (size_t)l));           \
        }                                                                    \
        for (size_t l = 0; i + l < n; l++)                                   \
            part[l] += VALUE(ELEMENT_AT(T, p, i + l));                       \
        return row_total(part);                                              \
    }

/* Adds v to *sum. Returns the rounding error, by TwoSum (Knuth). */
ALWAYS_INLINE double two_sum(double *sum, double v)
{
    const double s = *sum, t = s + v, z = t - s;
    *sum = t;
    return (s - (t - z)) + (v - z);
}

/* SQUARES: also adds the rounding errors of squares. That of a square below
 * 2^-960 may be rounded, by less than the least f64. */
#define LANE_ADD_ALL(name, T, VALUE, SQUARES)                              \
    static bool name##_all(const struct lane_sums *to,                     \
                           const struct lane_block *b)                     \
    {                                                                      \
        double *restrict sum = to->sum, *restrict rest = to->rest,         \
                         *restrict bound = to->bound;                      \
        for (size_t i = 0; i < b->steps; i++) {                            \
            const char *restrict p = b->data + i * b->pitch;               \
            for (size_t l = 0; l < b->lanes; l++) {                        \
                const T x = ELEMENT_AT(T, p, l);                           \
                const double v = VALUE(x);                                 \
                double s = sum[l], r = rest[l];                            \
                double lost = __builtin_fabs(two_sum(&r, two_sum(&s, v))); \
                if (SQUARES) {                                             \
                    double more = product_error((double)x, (double)x, v);  \
                    lost += __builtin_fabs(two_sum(&r, more));             \
                    lost += v < 0x1p-960 && x != 0 ? 0x1p-1072 : 0;        \
                }                                                          \
                sum[l] = s;                                                \
                rest[l] = r;                                               \
                bound[l] += lost;                                          \
            }                                                              \
        }                                                                  \
        return true;                                                       \
    }

#define LANE_LOOPS(dtype, suffix, T, VALUE, MAP, SQUARES)    \
    LANE_ADD(lane_##dtype##_##suffix, T, VALUE)              \
    LANE_ADD_ALL(lane_##dtype##_##suffix, T, VALUE, SQUARES) \
    LANE_SHORT_ROWS(dtype, suffix, T, MAP)
/* WIDE: squares need not fit an f64. */
#define LANE_FLOAT(dtype, T, VALUE, WIDE)                                   \
    ALWAYS_INLINE double lane_magnitude_##dtype(T v)                        \
    {                                                                       \
        return __builtin_fabs(VALUE(v));                                    \
    }                                                                       \
    ALWAYS_INLINE double lane_square_##dtype(T v)                           \
    {                                                                       \
        return (double)VALUE(v) * (double)VALUE(v);                         \
    }                                                                       \
    LANE_LOOPS(dtype, v, T, VALUE, EXACT_VALUE, false)                      \
    LANE_LOOPS(dtype, m, T, lane_magnitude_##dtype, EXACT_MAGNITUDE, false) \
    LANE_LOOPS(dtype, s, T, lane_square_##dtype, EXACT_SQUARE, WIDE)

LANE_FLOAT(f16, uint16_t, (double)f16_to_float, false)
LANE_FLOAT(bf16, uint16_t, (double)bf16_to_float, false)
LANE_FLOAT(f32, float, (double), false)
LANE_FLOAT(f64, double, (double), true)

#define LANE_INTEGER(dtype, T)              \
    LANE_ADD(lane_##dtype##_v, T, (double)) \
    LANE_SHORT_ROWS(dtype, v, T, EXACT_VALUE)
LANE_INTEGER(i8, int8_t)
LANE_INTEGER(i16, int16_t)
LANE_INTEGER(i32, int32_t)
LANE_INTEGER(u8, uint8_t)
LANE_INTEGER(u16, uint16_t)
LANE_INTEGER(u32, uint32_t)

/* INT is an integer of the element's width, K the type of keys. KEY is the key
 * of the element v. BEATS compares two keys. */
#define LANE_EXTREMUM(name, INT, K, U, KEY, BEATS)                             \
    ALWAYS_INLINE K name##_at(const char *p, size_t i)                         \
    {                                                                          \
        const INT v = ELEMENT_AT(INT, p, i);                                   \
        return KEY;                                                            \
    }                                                                          \
                                                                               \
    static void name(const struct lane_extrema *x, const struct lane_block *b) \
    {                                                                          \
        K *restrict key = x->key;                                              \
        U *restrict at = x->at;                                                \
        for (size_t l = 0; l < b->lanes; l++) {                                \
            key[l] = name##_at(b->data, l);                                    \
            at[l] = 0;                                                         \
        }                                                                      \
        for (size_t i = 1; i < b->steps; i++) {                                \
            const char *restrict p = b->data + i * b->pitch;                   \
            for (size_t l = 0; l < b->lanes; l++) {                            \
                const K k = name##_at(p, l), old = key[l];                     \
                const U place = at[l];                                         \
                at[l] = k BEATS old ? (U)i : place;                            \
                key[l] = k BEATS old ? k : old;                                \
            }                                                                  \
        }                                                                      \
    }                                                                          \
                                                                               \
    /* The first element with the key; the last element if none has it. */     \
    static U name##_find(const char *p, size_t n, K key)                       \
    {                                                                          \
        size_t i = 0;                                                          \
        for (; i + FIND_BLOCK <= n; i += FIND_BLOCK) {                         \
            int any = 0;                                                       \
            for (size_t j = 0; j < FIND_BLOCK; j++)                            \
                any |= name##_at(p, i + j) == key;                             \
            if (any)                                                           \
                break;                                                         \
        }                                                                      \
        while (i + 1 < n && name##_at(p, i) != key)                            \
            i++;                                                               \
        return (U)i;                                                           \
    }                                                                          \
                                                                               \
    static void name##_rows(const struct lane_extrema *x,                      \
                            const struct lane_block *b)                        \
    {                                                                          \
        K *key = x->key;                                                       \
        U *at = x->at;                                                         \
        for (size_t l = 0; l < b->lanes; l++) {                                \
            const char *p = b->data + l * b->pitch;                            \
            K part[ROW_LANES];                                                 \
            for (int j = 0; j < ROW_LANES; j++)                                \
                part[j] = name##_at(p, 0);                                     \
            size_t i = 0;                                                      \
            for (; i + ROW_LANES <= b->steps; i += ROW_LANES) {                \
                for (int j = 0; j < ROW_LANES; j++) {                          \
                    const K k = name##_at(p, i + (size_t)j), old = part[j];    \
                    part[j] = k BEATS old ? k : old;                           \
                }                                                              \
            }                                                                  \
            K best = part[0];                                                  \
            for (int j = 1; j < ROW_LANES; j++)                                \
                best = part[j] BEATS best ? part[j] : best;                    \
            for (; i < b->steps; i++) {                                        \
                const K k = name##_at(p, i);                                   \
                best = k BEATS best ? k : best;                                \
            }                                                                  \
            key[l] = best;                                                     \
            at[l] = name##_find(p, b->steps, best);                            \
        }                                                                      \
    }

#define LANE_EXTREMA(dtype, INT, K, U, KEY)           \
    LANE_EXTREMUM(lane_##dtype##_least, INT, K, U,    \
                  KEY(dtype, INT, K, SIGN(K)), <)     \
    LANE_EXTREMUM(lane_##dtype##_greatest, INT, K, U, \
                  KEY(dtype, INT, K, SIGN(K) - 1), >)

/* The key of a float. Makes the key of -0, which flipping leaves at -1, 0. NaN
 * go to the end where a comparison sees them. */
#define LANE_KEY_FLOAT(dtype, INT, K, END)     \
    (CLEAR_SIGN(INT, v) > (INT)INF_BITS(dtype) \
         ? (K)(END)                            \
         : (K)FLIP(INT, v) + (FLIP(INT, v) == -1))
#define LANE_KEY_INTEGER(dtype, INT, K, END) v
#define LANE_KEY_UNSIGNED(dtype, INT, K, END) (K)(v ^ SIGN(INT))
LANE_EXTREMA(f16, int16_t, int32_t, uint32_t, LANE_KEY_FLOAT)
LANE_EXTREMA(bf16, int16_t, int32_t, uint32_t, LANE_KEY_FLOAT)
LANE_EXTREMA(f32, int32_t, int32_t, uint32_t, LANE_KEY_FLOAT)
LANE_EXTREMA(f64, int64_t, int64_t, uint64_t, LANE_KEY_FLOAT)
LANE_EXTREMA(i8, int8_t, int32_t, uint32_t, LANE_KEY_INTEGER)
LANE_EXTREMA(i16, int16_t, int32_t, uint32_t, LANE_KEY_INTEGER)
LANE_EXTREMA(i32, int32_t, int32_t, uint32_t, LANE_KEY_INTEGER)
LANE_EXTREMA(u8, uint8_t, int32_t, uint32_t, LANE_KEY_INTEGER)
LANE_EXTREMA(u16, uint16_t, int32_t, uint32_t, LANE_KEY_INTEGER)
LANE_EXTREMA(u32, uint32_t, int32_t, uint32_t, LANE_KEY_UNSIGNED)
LANE_EXTREMA(i64, int64_t, int64_t, uint64_t, LANE_KEY_INTEGER)
LANE_EXTREMA(u64, uint64_t, int64_t, uint64_t, LANE_KEY_UNSIGNED)

/* Transposes rows to columns. The compiler makes shuffles of a constant number
 * of steps. */
#define LANE_TURN(T)                                                        \
    ALWAYS_INLINE void turn_##T(T *restrict to, const char *restrict p,     \
                                size_t lanes, size_t steps)                 \
    {                                                                       \
        for (size_t i = 0; i < steps; i++) {                                \
            for (size_t l = 0; l < lanes; l++)                              \
                memcpy(&to[i * lanes + l], p + (l * steps + i) * sizeof(T), \
                       sizeof(T));                                          \
        }                                                                   \
    }                                                                       \
    static void lane_turn_##T(void *to, const struct lane_block *b)         \
    {                                                                       \
        if (b->steps == 2)                                                  \
            turn_##T(to, b->data, b->lanes, 2);                             \
        else if (b->steps == 3)                                             \
            turn_##T(to, b->data, b->lanes, 3);                             \
        else if (b->steps == 4)                                             \
            turn_##T(to, b->data, b->lanes, 4);                             \
        else if (b->steps == 8)                                             \
            turn_##T(to, b->data, b->lanes, 8);                             \
        else                                                                \
            turn_##T(to, b->data, b->lanes, b->steps);                      \
    }
LANE_TURN(uint8_t)
LANE_TURN(uint16_t)
LANE_TURN(uint32_t)
LANE_TURN(uint64_t)
