/* SPDX-License-Identifier: MIT */
/*
 * Vectors for the float sums, by GNU C's vector types, as wide as those of the
 * instruction set. The compiler turns one source into SSE2, AVX2, AVX-512 or
 * NEON code. `wide` says that elements are f64; otherwise they are f32.
 */
#pragma once

#include <string.h>

#include "base/element.h"
#include "reduce/cpu/accumulator.h"

#if defined(__SSE2__)
#include <immintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif

#if defined(__AVX512F__)
enum { VECTOR_BYTES = 64 };
#elif defined(__AVX2__)
enum { VECTOR_BYTES = 32 };
#else
enum { VECTOR_BYTES = 16 };
#endif

typedef double vdouble __attribute__((vector_size(VECTOR_BYTES)));
typedef int64_t vint __attribute__((vector_size(VECTOR_BYTES)));
typedef uint64_t vuint __attribute__((vector_size(VECTOR_BYTES)));
typedef float vfloat_half __attribute__((vector_size(VECTOR_BYTES / 2)));

#define ALWAYS_INLINE static inline __attribute__((always_inline))
/* Names and texts made of LOOPS, the name of the set. */
#define JOIN2(a, b) a##b
#define JOIN(a, b) JOIN2(a, b)
#define TEXT2(a) #a
#define TEXT(a) TEXT2(a)

enum {
    VECTOR_LANES = VECTOR_BYTES / 8,
    PREFETCH_AHEAD = 6144, /* bytes, as the next */
    CACHE_LINE = 64,
};

/* Prefetches beyond the current page, where the hardware's prefetchers stop.
 * The target is L2, since a prefetch into L1 holds one of the few line buffers
 * that the loads need. The distance was measured: 16 threads summing f64 of a
 * mapped file with compensation reached 139 GB/s with 6144 bytes, 131 with 3072
 * and 115 without. */
ALWAYS_INLINE void prefetch_ahead(const char *p)
{
    __builtin_prefetch(p + PREFETCH_AHEAD, 0, 2);
}

/* The sign bit; v without it; the bits v of a float in the order of floats. */
#define SIGN(T) (1ull << (8 * sizeof(T) - 1))
#define CLEAR_SIGN(T, v) ((v) & (T)(SIGN(T) - 1))
#define FLIP(S, v) ((S)((v) ^ CLEAR_SIGN(S, (v) >> (8 * sizeof(S) - 1))))

ALWAYS_INLINE vdouble load_f64(const void *p)
{
    vdouble v;
    memcpy(&v, p, sizeof v);
    return v;
}

ALWAYS_INLINE vdouble load_f32(const void *p)
{
    vfloat_half v;
    memcpy(&v, p, sizeof v);
    /* GCC 12 would convert halves, or element by element. */
#if defined(__AVX512F__)
    return _mm512_cvtps_pd((__m256)v);
#elif defined(__AVX2__)
    return _mm256_cvtps_pd((__m128)v);
#elif defined(__aarch64__)
    return (vdouble)vcvt_f64_f32((float32x2_t)v);
#else
    return __builtin_convertvector(v, vdouble);
#endif
}

ALWAYS_INLINE vdouble load_lanes(const void *p, bool wide)
{
    return wide ? load_f64(p) : load_f32(p);
}

/* Sets to[n] to the elements at `from`, by the machine's conversions. */
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
    for (; i + 8 <= n; i += 8) {
        uint8x16_t h = vld1q_u8((const uint8_t *)from + 2 * i);
        vst1q_f32(to + i, vcvt_f32_f16(vreinterpret_f16_u8(vget_low_u8(h))));
        vst1q_f32(to + i + 4, vcvt_high_f32_f16(vreinterpretq_f16_u8(h)));
    }
#endif
    for (; i < n; i++)
        to[i] = f16_to_float(ELEMENT_AT(uint16_t, from, i));
}

/* A bf16 is the upper half of an f32: compilers make vector shifts of this. */
static inline void decode_bf16(float *to, const char *from, size_t n)
{
    for (size_t i = 0; i < n; i++)
        to[i] = bf16_to_float(ELEMENT_AT(uint16_t, from, i));
}

/* The first n elements of a vector, then 0. */
ALWAYS_INLINE vdouble load_some(const void *p, size_t n, bool wide)
{
    char some[VECTOR_BYTES] = {0};
    memcpy(some, p, n * (wide ? 8 : 4));
    return load_lanes(some, wide);
}

/* What elements v add: their values, magnitudes or squares. Squares of f32 are
 * exact. */
ALWAYS_INLINE vdouble addend_of(vdouble v, enum exact_map map)
{
    return map == EXACT_SQUARE      ? v * v
           : map == EXACT_MAGNITUDE ? (vdouble)((vint)v & INT64_MAX)
                                    : v;
}

/* The bits that are set in any lane. */
ALWAYS_INLINE uint64_t any_bits(vint v)
{
    uint64_t bits = 0;
    for (int i = 0; i < VECTOR_LANES; i++)
        bits |= (uint64_t)v[i];
    return bits;
}

ALWAYS_INLINE double element(const void *data, size_t i, bool wide)
{
    return wide ? ELEMENT_AT(double, data, i)
                : (double)ELEMENT_AT(float, data, i);
}

/* a * b - product: exact where an f64 can hold it, else maybe NaN. */
ALWAYS_INLINE double product_error(double a, double b, double product)
{
#if defined(__FMA__) || defined(__ARM_FEATURE_FMA)
    return __builtin_fma(a, b, -product);
#else
    /* Dekker (1971); NaN from 2^996 on, where the splitting overflows. */
    double c = a * 134217729.0, d = b * 134217729.0;
    double a1 = c - (c - a), a2 = a - a1;
    double b1 = d - (d - b), b2 = b - b1;
    return ((a1 * b1 - product) + a1 * b2 + a2 * b1) + a2 * b2;
#endif
}

ALWAYS_INLINE vdouble product_errors(vdouble a, vdouble b, vdouble product)
{
#if defined(__AVX512F__)
    return _mm512_fmsub_pd(a, b, product);
#elif defined(__AVX2__)
    return _mm256_fmsub_pd(a, b, product);
#else
    for (int i = 0; i < VECTOR_LANES; i++)
        product[i] = product_error(a[i], b[i], product[i]);
    return product;
#endif
}

/* If x is Inf or NaN, counts it and returns true. */
static inline bool count_special(struct exact *exact, double x,
                                 enum exact_map map)
{
    uint64_t bits = bits_of_double(x);
    if ((bits >> 52 & 0x7ff) != 0x7ff)
        return false;
    if (bits << 12)
        exact->nan++;
    else if (bits >> 63 && (map == EXACT_VALUE || map == EXACT_CUBE))
        exact->minus_inf++;
    else
        exact->plus_inf++;
    return true;
}

/* Notes whether any element is not -0. Skips the test once one was found. */
ALWAYS_INLINE void find_not_negative_zero(struct exact *exact, const void *data,
                                          size_t n, enum exact_map map,
                                          bool wide)
{
    if (map != EXACT_VALUE)
        exact->not_negative_zero = true;
    for (size_t i = 0; i < n && !exact->not_negative_zero; i++) {
        double x = element(data, i, wide);
        exact->not_negative_zero = x == x && bits_of_double(x) != 1ull << 63;
    }
}

struct magnitudes {
    int top;         /* every number has |x| < 2^top */
    bool all_finite; /* no Inf, no NaN */
    bool all_normal; /* no 0, no subnormal */
};

ALWAYS_INLINE struct magnitudes magnitudes(const void *data, size_t n,
                                           bool wide)
{
    int64_t high = 0, low = INT64_MAX;
    for (size_t i = 0; i < n; i++) {
        int64_t bits =
            (int64_t)bits_of_double(element(data, i, wide)) & INT64_MAX;
        high = bits > high ? bits : high;
        low = bits < low ? bits : low;
    }
    return (struct magnitudes){(int)(high >> 52) - 1022,
                               high < 0x7ff0000000000000, low >> 52 != 0};
}
