/* SPDX-License-Identifier: MIT */
/*
 * Least and greatest elements. The loops compare keys: integers of the
 * element's width in the order of the values, so that the compiler uses vector
 * min and max. The keys of NaN lie outside those of the infinities. A block is
 * read again for the index, from L1, only if it beats the best so far or, where
 * indexes are mapped, equals it.
 */
#pragma once

#include <string.h>

enum { EXTREMA_BLOCK = 4096 };

/* Steps the state by one element, given its wide key. */
static void extrema_step(struct extrema *x, uint64_t key, uint64_t bits,
                         uint64_t index)
{
    struct extremum e = {key, bits, index};
    if (extremum_beats(&e, &x->min, 0))
        x->min = e;
    if (extremum_beats(&e, &x->max, 1))
        x->max = e;
}

static void nan_step(struct extrema *x, uint64_t index)
{
    x->nans++;
    if (index < x->first_nan)
        x->first_nan = index;
}

/*
 * KEY(v)     the key of the stored element v, of type K
 * IS_NAN(k)  whether a NaN has the key k. A block has a NaN if and only if
 *            this is true of its least or its greatest key
 * WIDE(k)    the key that the state keeps
 * BITS(v)    the bits that the state keeps
 */
#define EXTREMA(name, T, K, K_MIN, K_MAX, KEY, IS_NAN, WIDE, BITS)            \
    static K name##_at(const char *p, size_t i, T *v)                         \
    {                                                                         \
        memcpy(v, p + i * sizeof *v, sizeof *v);                              \
        return KEY(*v);                                                       \
    }                                                                         \
                                                                              \
    static void name##_slow(struct accumulator *w, const char *p, size_t n,   \
                            uint64_t first)                                   \
    {                                                                         \
        struct extrema *x = &w->state->extrema;                               \
        for (size_t i = 0; i < n; i++) {                                      \
            T v;                                                              \
            K k = name##_at(p, i, &v);                                        \
            uint64_t at = first + i;                                          \
            if (w->index)                                                     \
                at = w->index(w->map, at);                                    \
            if (IS_NAN(k))                                                    \
                nan_step(x, at);                                              \
            else                                                              \
                extrema_step(x, WIDE(k), BITS(v), at);                        \
        }                                                                     \
    }                                                                         \
                                                                              \
    static void name##_find(struct extremum *e, uint64_t key, const char *p,  \
                            size_t n, uint64_t first)                         \
    {                                                                         \
        /* The key may be gone: a mapped file may change while it is read. */ \
        for (size_t i = 0; i < n; i++) {                                      \
            T v;                                                              \
            if (WIDE(name##_at(p, i, &v)) == key) {                           \
                *e = (struct extremum){key, BITS(v), first + i};              \
                return;                                                       \
            }                                                                 \
        }                                                                     \
    }                                                                         \
                                                                              \
    static void name(struct accumulator *w, const void *data, size_t n,       \
                     uint64_t first)                                          \
    {                                                                         \
        struct extrema *x = &w->state->extrema;                               \
        const char *p = data;                                                 \
        for (size_t i = 0; i < n; i += EXTREMA_BLOCK) {                       \
            size_t step = n - i < EXTREMA_BLOCK ? n - i : EXTREMA_BLOCK;      \
            const char *block = p + i * sizeof(T);                            \
            K low = K_MAX, high = K_MIN;                                      \
            for (size_t j = 0; j < step; j++) {                               \
                T v;                                                          \
                K k = name##_at(block, j, &v);                                \
                low = k < low ? k : low;                                      \
                high = k > high ? k : high;                                   \
            }                                                                 \
            bool mapped = w->index && (WIDE(low) <= x->min.key ||             \
                                       WIDE(high) >= x->max.key);             \
            if (mapped || IS_NAN(low) || IS_NAN(high)) {                      \
                name##_slow(w, block, step, first + i);                       \
                continue;                                                     \
            }                                                                 \
            if (WIDE(low) < x->min.key || x->min.index == INDEX_NONE)         \
                name##_find(&x->min, WIDE(low), block, step, first + i);      \
            if (WIDE(high) > x->max.key || x->max.index == INDEX_NONE)        \
                name##_find(&x->max, WIDE(high), block, step, first + i);     \
        }                                                                     \
    }

/* Floats: the bits order as signed integers once the low bits of negative
 * values are flipped. -0 becomes -1; the wide key makes it 0 again. */
#define FLOAT_EXTREMA(dtype, S, MAX)                                    \
    EXTREMA(extrema_##dtype, S, S, (S)(-(MAX)-1), MAX, KEY_##dtype,     \
            NAN_##dtype, WIDE_FLOAT, BITS_##dtype)                      \
    EXTREMA(absextrema_##dtype, S, S, 0, MAX, ABS_##dtype, NAN_##dtype, \
            WIDE_FLOAT, ABS_BITS_##dtype)

#define WIDE_FLOAT(k) ((uint64_t)((k) == -1 ? 0 : (int64_t)(k)) ^ 1ull << 63)
#define WIDE_SIGNED(k) ((uint64_t)(int64_t)(k) ^ 1ull << 63)
#define WIDE_UNSIGNED(k) ((uint64_t)(k))
#define NEVER(k) 0

#define FLIP(S, U, MAX, v) ((S)((v) ^ (((v) >> (8 * sizeof(S) - 1)) & (MAX))))
#define OUTSIDE(k, INF) ((k) > (INF) || (k) < -(INF)-1)

#define KEY_f16(v) FLIP(int16_t, uint16_t, INT16_MAX, v)
#define KEY_bf16 KEY_f16
#define KEY_f32(v) FLIP(int32_t, uint32_t, INT32_MAX, v)
#define KEY_f64(v) FLIP(int64_t, uint64_t, INT64_MAX, v)
#define ABS_f16(v) ((int16_t)((v)&INT16_MAX))
#define ABS_bf16 ABS_f16
#define ABS_f32(v) ((v)&INT32_MAX)
#define ABS_f64(v) ((v)&INT64_MAX)
#define NAN_f16(k) OUTSIDE(k, (int16_t)INF_BITS(f16))
#define NAN_bf16(k) OUTSIDE(k, (int16_t)INF_BITS(bf16))
#define NAN_f32(k) OUTSIDE(k, (int32_t)INF_BITS(f32))
#define NAN_f64(k) OUTSIDE(k, (int64_t)INF_BITS(f64))
#define BITS_f16(v) ((uint16_t)(v))
#define BITS_bf16(v) ((uint16_t)(v))
#define BITS_f32(v) ((uint32_t)(v))
#define BITS_f64(v) ((uint64_t)(v))
#define ABS_BITS_f16(v) ((uint64_t)ABS_f16(v))
#define ABS_BITS_bf16(v) ((uint64_t)ABS_f16(v))
#define ABS_BITS_f32(v) ((uint64_t)ABS_f32(v))
#define ABS_BITS_f64(v) ((uint64_t)ABS_f64(v))

FLOAT_EXTREMA(f16, int16_t, INT16_MAX)
FLOAT_EXTREMA(bf16, int16_t, INT16_MAX)
FLOAT_EXTREMA(f32, int32_t, INT32_MAX)
FLOAT_EXTREMA(f64, int64_t, INT64_MAX)

#define SAME(v) (v)

#define SIGNED_EXTREMA(bits)                                                \
    EXTREMA(extrema_i##bits, int##bits##_t, int##bits##_t, INT##bits##_MIN, \
            INT##bits##_MAX, SAME, NEVER, WIDE_SIGNED, BITS_i##bits)        \
    EXTREMA(absextrema_i##bits, int##bits##_t, uint##bits##_t, 0,           \
            UINT##bits##_MAX, ABS_i##bits, NEVER, WIDE_UNSIGNED, ABS_i##bits)

#define UNSIGNED_EXTREMA(bits)                                  \
    EXTREMA(extrema_u##bits, uint##bits##_t, uint##bits##_t, 0, \
            UINT##bits##_MAX, SAME, NEVER, WIDE_UNSIGNED, SAME)

#define BITS_i8(v) ((uint8_t)(v))
#define BITS_i16(v) ((uint16_t)(v))
#define BITS_i32(v) ((uint32_t)(v))
#define BITS_i64(v) ((uint64_t)(v))
#define ABS_i8(v) ((uint8_t)((v) < 0 ? 0 - (uint8_t)(v) : (v)))
#define ABS_i16(v) ((uint16_t)((v) < 0 ? 0 - (uint16_t)(v) : (v)))
#define ABS_i32(v) ((v) < 0 ? 0 - (uint32_t)(v) : (uint32_t)(v))
#define ABS_i64(v) ((v) < 0 ? 0 - (uint64_t)(v) : (uint64_t)(v))

SIGNED_EXTREMA(8)
SIGNED_EXTREMA(16)
SIGNED_EXTREMA(32)
SIGNED_EXTREMA(64)
UNSIGNED_EXTREMA(8)
UNSIGNED_EXTREMA(16)
UNSIGNED_EXTREMA(32)
UNSIGNED_EXTREMA(64)
#define absextrema_u8 extrema_u8
#define absextrema_u16 extrema_u16
#define absextrema_u32 extrema_u32
#define absextrema_u64 extrema_u64
