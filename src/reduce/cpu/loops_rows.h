/* SPDX-License-Identifier: MIT */
/*
 * Sums of many short rows. The loops take as many rows as a vector has lanes
 * and sum each into a vector of its own; then they add up and transpose these
 * vectors in one go. If the end of a row does not fill a vector, the other
 * lanes are -0, which changes no sum. A vector holds several rows if these have
 * 1, 2 or 4 elements without gaps.
 */
#pragma once

#include "reduce/cpu/inexact.h"
#include "reduce/cpu/lanes.h"

enum {
    ROW_LANES = 32,  /* partial sums of a row */
    SHORT_ROW = 512, /* longer rows are summed one by one, in ROW_LANES sums */
};

ALWAYS_INLINE double row_total(double part[ROW_LANES])
{
    for (int n = ROW_LANES / 2; n > 0; n /= 2) {
        for (int l = 0; l < n; l++)
            part[l] += part[l + n];
    }
    return part[0];
}

/* The sums of neighbouring lanes: first the pairs of a, then those of b. */
ALWAYS_INLINE vdouble pair_sums(vdouble a, vdouble b)
{
#if defined(__AVX512F__)
    return __builtin_shufflevector(a, b, 0, 2, 4, 6, 8, 10, 12, 14) +
           __builtin_shufflevector(a, b, 1, 3, 5, 7, 9, 11, 13, 15);
#elif defined(__AVX2__)
    return __builtin_shufflevector(a, b, 0, 2, 4, 6) +
           __builtin_shufflevector(a, b, 1, 3, 5, 7);
#else
    return __builtin_shufflevector(a, b, 0, 2) +
           __builtin_shufflevector(a, b, 1, 3);
#endif
}

/* Sums of n neighbours in n vectors; n is a power of two. */
ALWAYS_INLINE vdouble fold_rows(vdouble *v, int n)
{
    for (int m = n / 2; m > 0; m /= 2) {
        for (int i = 0; i < m; i++)
            v[i] = pair_sums(v[2 * i], v[2 * i + 1]);
    }
    return v[0];
}

ALWAYS_INLINE void prefetch_part(const char *p, size_t bytes)
{
    for (size_t i = 0; i < bytes; i += CACHE_LINE)
        prefetch_ahead(p + i);
}

/* All bits set in the lanes [first, end). */
static inline vint lanes_between(size_t first, size_t end)
{
    vint keep;
    for (size_t i = 0; i < VECTOR_LANES; i++)
        keep[i] = i >= first && i < end ? -1 : 0;
    return keep;
}

/* v in the lanes of `keep`, -0 in the others. */
ALWAYS_INLINE vdouble keep_lanes(vdouble v, vint keep)
{
    const vint bits = ((vint)v & keep) | (~keep & INT64_MIN);
    return (vdouble)bits;
}

/* Loads a vector of elements as f64. Small integers take two steps, which are
 * named where one instruction does each: GCC 12 converts element by element. */
#if defined(__AVX512F__)
#define LANE_WIDEN(v, step) _mm512_cvtepi32_pd(_mm256_##step##_epi32(v))
#elif defined(__AVX2__)
#define LANE_WIDEN(v, step) _mm256_cvtepi32_pd(_mm_##step##_epi32(v))
#endif
#if defined(LANE_WIDEN)
#define LANE_LOAD_SMALL(dtype, T, step)                    \
    ALWAYS_INLINE vdouble lane_load_##dtype(const char *p) \
    {                                                      \
        __m128i v = {0};                                   \
        memcpy(&v, p, VECTOR_LANES * sizeof(T));           \
        return (vdouble)LANE_WIDEN(v, step);               \
    }
#else
#define LANE_LOAD_SMALL(dtype, T, step) LANE_LOAD(dtype, T, int32_t)
#endif
#define LANE_LOAD(dtype, T, step)                                        \
    ALWAYS_INLINE vdouble lane_load_##dtype(const char *p)               \
    {                                                                    \
        T v __attribute__((vector_size(VECTOR_LANES * sizeof(T))));      \
        typedef step wide                                                \
            __attribute__((vector_size(VECTOR_LANES * sizeof(step))));   \
        memcpy(&v, p, sizeof v);                                         \
        return __builtin_convertvector(__builtin_convertvector(v, wide), \
                                       vdouble);                         \
    }
#define LANE_LOAD_HALF(dtype)                              \
    ALWAYS_INLINE vdouble lane_load_##dtype(const char *p) \
    {                                                      \
        float v[VECTOR_LANES];                             \
        decode_##dtype(v, p, VECTOR_LANES);                \
        return load_f32(v);                                \
    }
LANE_LOAD_HALF(f16)
LANE_LOAD_HALF(bf16)
#define lane_load_f32 load_f32
LANE_LOAD(f64, double, double)
LANE_LOAD_SMALL(i8, int8_t, cvtepi8)
LANE_LOAD_SMALL(i16, int16_t, cvtepi16)
LANE_LOAD(i32, int32_t, int32_t)
LANE_LOAD_SMALL(u8, uint8_t, cvtepu8)
LANE_LOAD_SMALL(u16, uint16_t, cvtepu16)
LANE_LOAD(u32, uint32_t, uint32_t)

/* Sums rows while a whole vector of rows is left. Returns how many. */
#define LANE_SHORT_ROWS(dtype, map, T, MAP)                                    \
    ALWAYS_INLINE vdouble lane_##dtype##_##map##_load(const char *p)           \
    {                                                                          \
        return addend_of(lane_load_##dtype(p), MAP);                           \
    }                                                                          \
                                                                               \
    ALWAYS_INLINE size_t lane_##dtype##_##map##_dense(                         \
        double *sum, const struct lane_block *b, int n)                        \
    {                                                                          \
        size_t l = 0;                                                          \
        for (; l + VECTOR_LANES <= b->lanes; l += VECTOR_LANES) {              \
            const char *p = b->data + l * (size_t)n * sizeof(T);               \
            vdouble v[VECTOR_LANES];                                           \
            prefetch_part(p, VECTOR_LANES *(size_t)n * sizeof(T));             \
            for (int i = 0; i < n; i++)                                        \
                v[i] = lane_##dtype##_##map##_load(                            \
                    p + (size_t)i * VECTOR_LANES * sizeof(T));                 \
            v[0] = fold_rows(v, n);                                            \
            memcpy(sum + l, v, sizeof v[0]);                                   \
        }                                                                      \
        return l;                                                              \
    }                                                                          \
                                                                               \
    static size_t lane_##dtype##_##map##_short(double *sum,                    \
                                               const struct lane_block *b)     \
    {                                                                          \
        const size_t n = b->steps, rest = (n - 1) % VECTOR_LANES + 1;          \
        const size_t whole = (n - rest) * sizeof(T);                           \
        const size_t last = whole ? (n - VECTOR_LANES) * sizeof(T) : 0;        \
        const vint keep =                                                      \
            whole == 0 ? lanes_between(0, n)                                   \
                       : lanes_between(VECTOR_LANES - rest, VECTOR_LANES);     \
        /* The last vector of the last row may reach past the block. */        \
        const size_t end = (b->lanes - 1) * b->pitch + n * sizeof(T);          \
        const size_t part = VECTOR_LANES * VECTOR_LANES * sizeof(T);           \
        const bool is_dense = b->pitch == n * sizeof(T);                       \
        size_t l = 0;                                                          \
        for (; l + VECTOR_LANES <= b->lanes &&                                 \
               (l + VECTOR_LANES - 1) * b->pitch + last +                      \
                       VECTOR_LANES * sizeof(T) <=                             \
                   end;                                                        \
             l += VECTOR_LANES) {                                              \
            const char *p = b->data + l * b->pitch;                            \
            vdouble v[VECTOR_LANES];                                           \
            if (is_dense)                                                      \
                prefetch_part(p, part);                                        \
            for (int r = 0; r < VECTOR_LANES; r++)                             \
                v[r] = keep_lanes(lane_##dtype##_##map##_load(                 \
                                      p + last + (size_t)r * b->pitch),        \
                                  keep);                                       \
            for (size_t i = 0; i < whole; i += VECTOR_LANES * sizeof(T)) {     \
                if (is_dense)                                                  \
                    prefetch_part(p + i * VECTOR_LANES + part, part);          \
                for (int r = 0; r < VECTOR_LANES; r++)                         \
                    v[r] += lane_##dtype##_##map##_load(p + i +                \
                                                        (size_t)r * b->pitch); \
            }                                                                  \
            v[0] = fold_rows(v, VECTOR_LANES);                                 \
            memcpy(sum + l, v, sizeof v[0]);                                   \
        }                                                                      \
        return l;                                                              \
    }                                                                          \
                                                                               \
    static bool lane_##dtype##_##map##_rows(const struct lane_sums *s,         \
                                            const struct lane_block *b)        \
    {                                                                          \
        const bool is_dense = b->pitch == b->steps * sizeof(T);                \
        size_t l = 0;                                                          \
        inexact_begin();                                                       \
        if (is_dense && b->steps == 1)                                         \
            l = lane_##dtype##_##map##_dense(s->sum, b, 1);                    \
        else if (is_dense && b->steps == 2)                                    \
            l = lane_##dtype##_##map##_dense(s->sum, b, 2);                    \
        else if (is_dense && b->steps == 4 && VECTOR_LANES >= 4)               \
            l = lane_##dtype##_##map##_dense(s->sum, b, 4);                    \
        else if (is_dense && b->steps == 8 && VECTOR_LANES >= 8)               \
            l = lane_##dtype##_##map##_dense(s->sum, b, 8);                    \
        else if (b->steps < SHORT_ROW)                                         \
            l = lane_##dtype##_##map##_short(s->sum, b);                       \
        for (; l < b->lanes; l++)                                              \
            s->sum[l] =                                                        \
                lane_##dtype##_##map##_row(b->data + l * b->pitch, b->steps);  \
        return !inexact_end(s->sum, 1);                                        \
    }
