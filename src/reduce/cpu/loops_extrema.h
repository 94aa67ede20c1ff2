/* SPDX-License-Identifier: MIT */
/*
 * Least and greatest elements. The loops compare keys: integers of the
 * element's width in the order of the values, so that the compiler uses vector
 * min and max. The keys of NaN lie outside those of the infinities. A block is
 * read again for the index, from L1, only if it beats the best so far or, where
 * indexes are mapped, equals it.
 */
#pragma once

#include "reduce/cpu/vector.h"

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
 * S, U        the type of a stored element, and the unsigned type of its width
 * VALUE(U, v) the bits that the state keeps of an element v
 * KEY(S, k)   the key of these bits; k has the key's type K
 * INF         the bits of infinity; 0: no key is that of NaN. A block has a NaN
 *             if and only if its least or its greatest key is that of one
 * WIDE(k)     the key that the state keeps
 */
#define EXTREMA(name, S, U, K, VALUE, KEY, INF, WIDE)                         \
    static K name##_at(const char *p, size_t i, U *bits)                      \
    {                                                                         \
        const S v = ELEMENT_AT(S, p, i);                                      \
        *bits = (U)VALUE(U, v);                                               \
        return KEY(S, (K)*bits);                                              \
    }                                                                         \
                                                                              \
    static bool name##_is_nan(K k)                                            \
    {                                                                         \
        const K inf = (K)(INF);                                               \
        return inf != 0 && (k > inf || k < (K)(-inf - 1));                    \
    }                                                                         \
                                                                              \
    static void name##_slow(struct accumulator *w, const char *p, size_t n,   \
                            uint64_t first)                                   \
    {                                                                         \
        struct extrema *x = &w->state->extrema;                               \
        for (size_t i = 0; i < n; i++) {                                      \
            U bits;                                                           \
            K k = name##_at(p, i, &bits);                                     \
            uint64_t at = first + i;                                          \
            if (w->index)                                                     \
                at = w->index(w->map, at);                                    \
            if (name##_is_nan(k))                                             \
                nan_step(x, at);                                              \
            else                                                              \
                extrema_step(x, WIDE(k), bits, at);                           \
        }                                                                     \
    }                                                                         \
                                                                              \
    static void name##_find(struct extremum *e, uint64_t key, const char *p,  \
                            size_t n, uint64_t first)                         \
    {                                                                         \
        /* The key may be gone: a mapped file may change while it is read. */ \
        for (size_t i = 0; i < n; i++) {                                      \
            U bits;                                                           \
            if (WIDE(name##_at(p, i, &bits)) == key) {                        \
                *e = (struct extremum){key, bits, first + i};                 \
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
            const char *block = p + i * sizeof(S);                            \
            U bits;                                                           \
            K low = name##_at(block, 0, &bits), high = low;                   \
            for (size_t j = 0; j < step; j++) {                               \
                K k = name##_at(block, j, &bits);                             \
                low = k < low ? k : low;                                      \
                high = k > high ? k : high;                                   \
            }                                                                 \
            bool mapped = w->index && (WIDE(low) <= x->min.key ||             \
                                       WIDE(high) >= x->max.key);             \
            if (mapped || name##_is_nan(low) || name##_is_nan(high)) {        \
                name##_slow(w, block, step, first + i);                       \
                continue;                                                     \
            }                                                                 \
            if (WIDE(low) < x->min.key || x->min.index == INDEX_NONE)         \
                name##_find(&x->min, WIDE(low), block, step, first + i);      \
            if (WIDE(high) > x->max.key || x->max.index == INDEX_NONE)        \
                name##_find(&x->max, WIDE(high), block, step, first + i);     \
        }                                                                     \
    }

#define WIDE_FLOAT(k) ((uint64_t)((k) == -1 ? 0 : (int64_t)(k)) ^ 1ull << 63)
#define WIDE_SIGNED(k) ((uint64_t)(int64_t)(k) ^ 1ull << 63)
#define WIDE_UNSIGNED(k) ((uint64_t)(k))
#define NEVER(k) 0
#define SAME(T, v) (v)
#define MAGNITUDE(U, v) ((v) < 0 ? 0 - (U)(v) : (U)(v))

/* Floats: the bits order as signed integers once the low bits of negative
 * values are flipped. -0 becomes -1; the wide key makes it 0 again. */
#define FLOAT_EXTREMA(dtype, S, U)                                             \
    EXTREMA(extrema_##dtype, S, U, S, SAME, FLIP, INF_BITS(dtype), WIDE_FLOAT) \
    EXTREMA(absextrema_##dtype, S, U, S, CLEAR_SIGN, SAME, INF_BITS(dtype),    \
            WIDE_FLOAT)

FLOAT_EXTREMA(f16, int16_t, uint16_t)
FLOAT_EXTREMA(bf16, int16_t, uint16_t)
FLOAT_EXTREMA(f32, int32_t, uint32_t)
FLOAT_EXTREMA(f64, int64_t, uint64_t)

#define INTEGER_EXTREMA(bits, S, U)                                         \
    EXTREMA(extrema_i##bits, S, U, S, SAME, SAME, 0, WIDE_SIGNED)           \
    EXTREMA(absextrema_i##bits, S, U, U, MAGNITUDE, SAME, 0, WIDE_UNSIGNED) \
    EXTREMA(extrema_u##bits, U, U, U, SAME, SAME, 0, WIDE_UNSIGNED)

INTEGER_EXTREMA(8, int8_t, uint8_t)
INTEGER_EXTREMA(16, int16_t, uint16_t)
INTEGER_EXTREMA(32, int32_t, uint32_t)
INTEGER_EXTREMA(64, int64_t, uint64_t)
#define absextrema_u8 extrema_u8
#define absextrema_u16 extrema_u16
#define absextrema_u32 extrema_u32
#define absextrema_u64 extrema_u64
