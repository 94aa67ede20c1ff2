/* SPDX-License-Identifier: MIT */
/*
 * Exact float sums by windows (see windows.h), a block at a time: if every
 * element of the block fits the worker's windows, their sums are kept; else
 * the windows are set anew over the block, and if that fails, too, its
 * elements go to the limbs one by one.
 *
 * Vectors are GNU C's, of the width that the instruction set has: written
 * once, they are SSE2, AVX2, AVX-512 or NEON code.
 */
#pragma once

#include <string.h>

#if defined(__AVX512F__) || defined(__AVX2__)
#include <immintrin.h>
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

enum {
    VECTOR_LANES = VECTOR_BYTES / 8,
    /* 8 KiB of f64: small enough to try twice from L1. A lane sums at most
     * 512 addends of 2^51, twice that in the second window of squares. */
    SUM_BLOCK = 1024,
};

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
    return __builtin_convertvector(v, vdouble);
}

ALWAYS_INLINE vdouble load_lanes(const void *p, bool wide)
{
    return wide ? load_f64(p) : load_f32(p);
}

/* v * v - square, exactly, where that is a double. */
ALWAYS_INLINE vdouble square_error(vdouble v, vdouble square)
{
#if defined(__AVX512F__)
    return _mm512_fmsub_pd(v, v, square);
#elif defined(__AVX2__)
    return _mm256_fmsub_pd(v, v, square);
#elif defined(__ARM_FEATURE_FMA)
    vdouble e;
    for (int i = 0; i < VECTOR_LANES; i++)
        e[i] = __builtin_fma(v[i], v[i], -square[i]);
    return e;
#else
    /* Dekker (1971); NaN where the splitting overflows, from 2^996 on. */
    vdouble c = v * 134217729.0;
    vdouble h = c - (c - v);
    vdouble l = v - h;
    return ((h * h - square) + 2.0 * (h * l)) + l * l;
#endif
}

struct window_lanes {
    vdouble magic[WINDOWS_MAX];
    vuint sum[WINDOWS_MAX]; /* of bits(t), modulo 2^64 */
    vint outside; /* bits 52 to 63: some addend missed the first window */
    vint rest;    /* but for the sign: something missed the last one */
    vint tiny;    /* the sign: a square's error may have underflowed */
};

/* Adds v to windows from to to; returns what is left of it. */
ALWAYS_INLINE vdouble window_add(struct window_lanes *w, vdouble v, int i)
{
    vdouble t = v + w->magic[i];
    w->sum[i] += (vuint)t;
    if (i == 0)
        w->outside |= (vint)t ^ (vint)w->magic[0];
    return v - (t - w->magic[i]);
}

ALWAYS_INLINE void window_step(struct window_lanes *w, vdouble v,
                               enum exact_map map, bool wide)
{
    const vint magnitude_mask = (vint){0} + INT64_MAX;
    if (map == EXACT_MAGNITUDE)
        v = (vdouble)((vint)v & magnitude_mask);
    if (map == EXACT_SQUARE && wide) {
        const vint least = (vint){0} + ((1023ll - 485) << 52);
        vint bits = (vint)v & magnitude_mask;
        vdouble square = v * v;
        vdouble error = square_error(v, square);
        w->tiny |= (bits - least) & ~(bits - 1);
        square = window_add(w, square, 0);
        w->rest |= (vint)window_add(w, square, 1);
        error = window_add(w, error, 1);
        w->rest |= (vint)window_add(w, error, 2);
        return;
    }
    if (map == EXACT_SQUARE)
        v *= v; /* 48 bits: exact */
    v = window_add(w, v, 0);
    if (wide || map == EXACT_SQUARE)
        v = window_add(w, v, 1);
    w->rest |= (vint)v;
}

/* How many windows, and so addends of bits(magic), an element brings. */
ALWAYS_INLINE int window_count(enum exact_map map, bool wide)
{
    return 1 + wide + (map == EXACT_SQUARE);
}

/* Sums n <= SUM_BLOCK elements in the windows, sum[i] counting 2^low[i].
 * False, and nothing is meant by sum, when some element does not fit. */
ALWAYS_INLINE bool windows_run(const void *data, size_t n, enum exact_map map,
                               bool wide, const struct windows *windows,
                               int64_t sum[WINDOWS_MAX])
{
    size_t size = wide ? 8 : 4;
    struct window_lanes w = {.outside = {0}};
    const char *p = data;
    size_t vectors = n / VECTOR_LANES;
    for (int i = 0; i < WINDOWS_MAX; i++)
        w.magic[i] = (vdouble){0} + windows->magic[i];
    for (size_t i = 0; i < vectors; i++, p += VECTOR_LANES * size)
        window_step(&w, load_lanes(p, wide), map, wide);
    if (n % VECTOR_LANES) {
        char last[VECTOR_BYTES] = {0};
        memcpy(last, p, n % VECTOR_LANES * size);
        window_step(&w, load_lanes(last, wide), map, wide);
        vectors++;
    }
    uint64_t outside = 0, rest = 0, tiny = 0;
    for (int j = 0; j < VECTOR_LANES; j++) {
        outside |= (uint64_t)w.outside[j];
        rest |= (uint64_t)w.rest[j];
        tiny |= (uint64_t)w.tiny[j];
    }
    if (outside >> 52 || rest << 1 || tiny >> 63)
        return false;
    for (int i = 0; i < window_count(map, wide); i++) {
        uint64_t total = 0;
        uint64_t addends = vectors * VECTOR_LANES;
        if (wide && map == EXACT_SQUARE && i == 1)
            addends *= 2;
        for (int j = 0; j < VECTOR_LANES; j++)
            total += w.sum[i][j];
        sum[i] = (int64_t)(total - addends * bits_of_double(windows->magic[i]));
    }
    return true;
}

ALWAYS_INLINE double element(const void *data, size_t i, bool wide)
{
    if (wide) {
        double x;
        memcpy(&x, (const char *)data + 8 * i, sizeof x);
        return x;
    }
    float x;
    memcpy(&x, (const char *)data + 4 * i, sizeof x);
    return (double)x;
}

/* Counts an Inf or NaN; false for a number. */
static inline bool count_special(struct exact *exact, double x,
                                 enum exact_map map)
{
    uint64_t bits = bits_of_double(x);
    if ((bits >> 52 & 0x7ff) != 0x7ff)
        return false;
    if (bits << 12)
        exact->nan++;
    else if (bits >> 63 && map == EXACT_VALUE)
        exact->minus_inf++;
    else
        exact->plus_inf++;
    return true;
}

static inline void limbs_add(int64_t *limb, int64_t value, unsigned position)
{
    struct deposit d = deposit_split(value, position);
    limb[d.limb] += d.part[0];
    limb[d.limb + 1] += d.part[1];
    limb[d.limb + 2] += d.part[2];
}

/* One element into the limbs. */
ALWAYS_INLINE void limbs_step(struct work *w, double x, enum exact_map map,
                              bool wide)
{
    struct exact *exact = &w->state.of.exact;
    if (count_special(exact, x, map))
        return;
    if (map == EXACT_MAGNITUDE)
        x = __builtin_fabs(x);
    if (map == EXACT_SQUARE && wide) {
        struct scaled s = scaled_of(x, -1074);
        unsigned __int128 square =
            (unsigned __int128)((__int128)s.value * s.value);
        limbs_add(w->limb, (int64_t)(square & ((1ull << 53) - 1)),
                  2 * s.position);
        limbs_add(w->limb, (int64_t)(square >> 53), 2 * s.position + 53);
        return;
    }
    if (map == EXACT_SQUARE)
        x *= x;
    struct scaled s = scaled_of(x, exact->lsb);
    limbs_add(w->limb, s.value, s.position);
}

/* Copies the block with 0 for every Inf and NaN, which are counted, and tells
 * the exponent bound: every |x| < 2^*top. */
ALWAYS_INLINE const void *survey(struct work *w, const void *data, size_t n,
                                 enum exact_map map, bool wide, void *clean,
                                 int *top)
{
    struct exact *exact = &w->state.of.exact;
    bool dirty = false;
    int most = -1074;
    for (size_t i = 0; i < n; i++) {
        uint64_t bits = bits_of_double(element(data, i, wide));
        int exponent = (int)(bits >> 52 & 0x7ff) - 1022;
        dirty |= exponent == 1025;
        most = exponent > most && exponent < 1025 ? exponent : most;
    }
    *top = most;
    if (!dirty)
        return data;
    memcpy(clean, data, n * (wide ? 8 : 4));
    for (size_t i = 0; i < n; i++) {
        if (count_special(exact, element(data, i, wide), map))
            memset((char *)clean + i * (wide ? 8 : 4), 0, wide ? 8 : 4);
    }
    return clean;
}

ALWAYS_INLINE void commit(struct work *w, const int64_t *sum, int windows)
{
    for (int i = 0; i < windows; i++)
        w->window[i] += sum[i];
    w->penalty = 0;
}

/* Sets windows over |x| < 2^top, with some room above where there is any: a
 * window holds what of its 51 bits an element's own do not take. */
ALWAYS_INLINE void anchor(struct work *w, int top, enum exact_map map,
                          bool wide)
{
    work_drain_windows(w);
    if (map == EXACT_SQUARE)
        top = 2 * top;
    else
        top += 4;
    w->windows = windows_below(top, window_count(map, wide),
                               w->state.of.exact.lsb);
    w->anchored = true;
}

ALWAYS_INLINE void sum_block(struct work *w, const void *data, size_t n,
                             enum exact_map map, bool wide)
{
    double clean[SUM_BLOCK];
    int64_t sum[WINDOWS_MAX];
    int windows = window_count(map, wide);
    if (w->hostile > 0) {
        w->hostile--;
    } else {
        int top;
        if (w->anchored && windows_run(data, n, map, wide, &w->windows, sum)) {
            commit(w, sum, windows);
            return;
        }
        data = survey(w, data, n, map, wide, clean, &top);
        anchor(w, top, map, wide);
        if (windows_run(data, n, map, wide, &w->windows, sum)) {
            commit(w, sum, windows);
            return;
        }
        w->penalty = w->penalty < 64 ? 2 * w->penalty + 1 : w->penalty;
        w->hostile = w->penalty;
    }
    for (size_t i = 0; i < n; i++)
        limbs_step(w, element(data, i, wide), map, wide);
}

/* Looks for anything but -0, until it was found once. */
ALWAYS_INLINE void find_not_negative_zero(struct exact *exact,
                                          const void *data, size_t n,
                                          enum exact_map map, bool wide)
{
    if (map != EXACT_VALUE)
        exact->not_negative_zero = true;
    for (size_t i = 0; i < n && !exact->not_negative_zero; i++) {
        double x = element(data, i, wide);
        exact->not_negative_zero = x == x && bits_of_double(x) != 1ull << 63;
    }
}

ALWAYS_INLINE void sum_floats(struct work *w, const void *data, size_t n,
                              enum exact_map map, bool wide)
{
    const char *p = data;
    w->state.n += n;
    find_not_negative_zero(&w->state.of.exact, data, n, map, wide);
    while (n > 0) {
        size_t step = n < SUM_BLOCK ? n : SUM_BLOCK;
        sum_block(w, p, step, map, wide);
        p += step * (wide ? 8 : 4);
        n -= step;
    }
}

/* f16 and bf16 become f32, a block at a time. */
#define SUM_NARROW(name, map, decode)                                          \
    static void name(struct work *w, const void *data, size_t n,               \
                     uint64_t first)                                           \
    {                                                                          \
        const char *p = data;                                                  \
        (void)first;                                                           \
        for (size_t i = 0; i < n; i += SUM_BLOCK) {                            \
            float block[SUM_BLOCK];                                            \
            uint16_t bits[SUM_BLOCK];                                          \
            size_t step = n - i < SUM_BLOCK ? n - i : SUM_BLOCK;               \
            memcpy(bits, p + 2 * i, 2 * step);                                 \
            for (size_t j = 0; j < step; j++)                                  \
                block[j] = decode(bits[j]);                                    \
            sum_floats(w, block, step, map, false);                            \
        }                                                                      \
    }

#define SUM_FLOAT(name, map, wide)                                             \
    static void name(struct work *w, const void *data, size_t n,               \
                     uint64_t first)                                           \
    {                                                                          \
        (void)first;                                                           \
        sum_floats(w, data, n, map, wide);                                     \
    }

SUM_NARROW(sum_f16, EXACT_VALUE, f16_to_float)
SUM_NARROW(sumabs_f16, EXACT_MAGNITUDE, f16_to_float)
SUM_NARROW(sumsq_f16, EXACT_SQUARE, f16_to_float)
SUM_NARROW(sum_bf16, EXACT_VALUE, bf16_to_float)
SUM_NARROW(sumabs_bf16, EXACT_MAGNITUDE, bf16_to_float)
SUM_NARROW(sumsq_bf16, EXACT_SQUARE, bf16_to_float)
SUM_FLOAT(sum_f32, EXACT_VALUE, false)
SUM_FLOAT(sumabs_f32, EXACT_MAGNITUDE, false)
SUM_FLOAT(sumsq_f32, EXACT_SQUARE, false)
SUM_FLOAT(sum_f64, EXACT_VALUE, true)
SUM_FLOAT(sumabs_f64, EXACT_MAGNITUDE, true)
SUM_FLOAT(sumsq_f64, EXACT_SQUARE, true)
