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

#if defined(__SSE2__)
#include <immintrin.h>
#else
#include <fenv.h>
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

/* A number's square into the limbs. */
ALWAYS_INLINE void limbs_step(struct work *w, double x, bool wide)
{
    if (wide) {
        struct scaled s = scaled_of(x, -1074);
        unsigned __int128 square =
            (unsigned __int128)((__int128)s.value * s.value);
        limbs_add(w->limb, (int64_t)(square & ((1ull << 53) - 1)),
                  2 * s.position);
        limbs_add(w->limb, (int64_t)(square >> 53), 2 * s.position + 53);
        return;
    }
    struct scaled s = scaled_of(x * x, w->state.of.exact.lsb);
    limbs_add(w->limb, s.value, s.position);
}

/*
 * A block of any exponents but no Inf or NaN: each element's mantissa, shifted
 * by its exponent modulo 32, is added to one of 128 sums of 128 bits, chosen
 * by sign and exponent; Neal's large accumulator (arXiv 1505.05571) cut to
 * what stays in L1.
 */
ALWAYS_INLINE void spread_run(struct work *w, const void *data, size_t n,
                              enum exact_map map, bool wide, bool all_normal)
{
    const uint64_t fraction = 0xfffffffffffff;
    for (size_t i = 0; i < n; i++) {
        uint64_t bits = bits_of_double(element(data, i, wide));
        if (map == EXACT_MAGNITUDE)
            bits &= INT64_MAX;
        uint64_t place = bits >> 52; /* sign and exponent */
        uint64_t normal = all_normal || (place & 0x7ff) != 0;
        uint64_t mantissa = (bits & fraction) | normal << 52;
        place += !normal; /* subnormals weigh as the least normals */
        unsigned shift = place & 31;
        w->spread[place >> 5] +=
            (unsigned __int128)(mantissa >> 1 >> (63 - shift)) << 64 |
            mantissa << shift;
    }
}

/* The greatest and least magnitude of the block, as bits. */
ALWAYS_INLINE void magnitudes(const void *data, size_t n, bool wide,
                              int64_t *greatest, int64_t *least)
{
    int64_t high = 0, low = INT64_MAX;
    for (size_t i = 0; i < n; i++) {
        int64_t bits =
            (int64_t)bits_of_double(element(data, i, wide)) & INT64_MAX;
        high = bits > high ? bits : high;
        low = bits < low ? bits : low;
    }
    *greatest = high;
    *least = low;
}

struct survey {
    const void *data; /* the block, or a copy with 0 for Inf and NaN */
    int top;          /* every |x| < 2^top */
    bool all_normal;  /* no 0, no subnormal */
};

/* Looks a block over before it is tried again; counts its Inf and NaN. */
ALWAYS_INLINE struct survey survey(struct work *w, const void *data, size_t n,
                                   enum exact_map map, bool wide, void *clean)
{
    const int64_t inf = 0x7ff0000000000000;
    size_t size = wide ? 8 : 4;
    int64_t greatest, least;
    magnitudes(data, n, wide, &greatest, &least);
    if (greatest >= inf) {
        memcpy(clean, data, n * size);
        for (size_t i = 0; i < n; i++) {
            if (count_special(&w->state.of.exact, element(data, i, wide), map))
                memset((char *)clean + i * size, 0, size);
        }
        data = clean;
        magnitudes(data, n, wide, &greatest, &least);
    }
    return (struct survey){data, (int)(greatest >> 52) - 1022,
                           least >> 52 != 0};
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
    /* f16 has fewer bits than the f32 as which it is summed: windows down to
     * its least cover all that there is. */
    int least = w->state.of.exact.lsb;
    if (w->state.dtype == DTYPE_f16)
        least = map == EXACT_SQUARE ? -48 : -24;
    w->windows = windows_below(top, window_count(map, wide), least);
    w->anchored = true;
}

ALWAYS_INLINE void sum_block(struct work *w, const void *data, size_t n,
                             enum exact_map map, bool wide)
{
    double clean[SUM_BLOCK];
    int64_t sum[WINDOWS_MAX];
    int windows = window_count(map, wide);
    if (w->anchored && w->hostile == 0 &&
        windows_run(data, n, map, wide, &w->windows, sum)) {
        commit(w, sum, windows);
        return;
    }
    struct survey s = survey(w, data, n, map, wide, clean);
    if (w->hostile > 0) {
        w->hostile--;
    } else {
        anchor(w, s.top, map, wide);
        if (windows_run(s.data, n, map, wide, &w->windows, sum)) {
            commit(w, sum, windows);
            return;
        }
        w->penalty = w->penalty < 64 ? 2 * w->penalty + 1 : w->penalty;
        w->hostile = w->penalty;
    }
    if (map == EXACT_SQUARE) {
        for (size_t i = 0; i < n; i++)
            limbs_step(w, element(s.data, i, wide), wide);
        return;
    }
    w->has_spread = true;
    if (s.all_normal)
        spread_run(w, s.data, n, map, wide, true);
    else
        spread_run(w, s.data, n, map, wide, false);
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

/*
 * Narrow floats are mostly summed as they are: an f64 holds an exact sum of
 * f32 whose exponents are not too far apart, and the processor tells whether
 * one of the additions rounded, by its sticky inexact flag. A block's sum that
 * did not goes to the limbs; else the block goes through the windows.
 */
enum { PLAIN_BLOCK = 4096, PLAIN_SUMS = 8 };

#if defined(__SSE2__)
static inline void inexact_clear(void)
{
    _mm_setcsr(_mm_getcsr() & ~(unsigned)_MM_EXCEPT_INEXACT);
}

static inline bool inexact_raised(void)
{
    return _mm_getcsr() & _MM_EXCEPT_INEXACT;
}
#else
static inline void inexact_clear(void)
{
    feclearexcept(FE_INEXACT);
}

static inline bool inexact_raised(void)
{
    return fetestexcept(FE_INEXACT) != 0;
}
#endif

/* Sums n <= PLAIN_BLOCK f32. False when it had to round, or came to no
 * number. */
ALWAYS_INLINE bool plain_run(const void *data, size_t n, enum exact_map map,
                             double *total)
{
    const vint mask = (vint){0} + (map == EXACT_VALUE ? -1 : INT64_MAX);
    const char *p = data;
    const size_t step = VECTOR_BYTES / 2;
    size_t vectors = n / VECTOR_LANES;
    vdouble sum[PLAIN_SUMS];
    double all = 0;
    memset(sum, 0, sizeof sum);
    inexact_clear();
    /* The additions below depend on loads that may not move above this. */
    __asm__ volatile("" ::: "memory");
    for (; vectors >= PLAIN_SUMS; vectors -= PLAIN_SUMS) {
        for (int j = 0; j < PLAIN_SUMS; j++, p += step)
            sum[j] += (vdouble)((vint)load_f32(p) & mask);
    }
    for (; vectors > 0; vectors--, p += step)
        sum[0] += (vdouble)((vint)load_f32(p) & mask);
    if (n % VECTOR_LANES) {
        char last[VECTOR_BYTES] = {0};
        memcpy(last, p, n % VECTOR_LANES * sizeof(float));
        sum[0] += (vdouble)((vint)load_f32(last) & mask);
    }
    for (int j = 1; j < PLAIN_SUMS; j++)
        sum[0] += sum[j];
    for (int i = 0; i < VECTOR_LANES; i++)
        all += sum[0][i];
    /* Nor the flag be read before the last addition. */
    __asm__ volatile("" : "+m"(all) : : "memory");
    *total = all;
    return !inexact_raised() && all - all == 0;
}

ALWAYS_INLINE void sum_narrow(struct work *w, const void *data, size_t n,
                              enum exact_map map)
{
    double total;
    if (w->rounding > 0) {
        w->rounding--;
    } else if (plain_run(data, n, map, &total)) {
        struct scaled s = scaled_of(total, w->state.of.exact.lsb);
        find_not_negative_zero(&w->state.of.exact, data, n, map, false);
        limbs_add(w->limb, s.value, s.position);
        w->state.n += n;
        w->rounding_penalty = 0;
        return;
    } else {
        w->rounding_penalty = w->rounding_penalty < 64
                                  ? 2 * w->rounding_penalty + 1
                                  : w->rounding_penalty;
        w->rounding = w->rounding_penalty;
    }
    sum_floats(w, data, n, map, false);
}

static inline void decode_f16(float *to, const char *from, size_t n)
{
    size_t i = 0;
#if defined(__F16C__)
    for (; i + 8 <= n; i += 8) {
        __m128i h = _mm_loadu_si128((const __m128i *)(from + 2 * i));
        _mm256_storeu_ps(to + i, _mm256_cvtph_ps(h));
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

#define decode_f32(to, from, n) (void)(to)

/* f32 needs no decoding: `direct`. */
#define SUM_NARROW(name, map, size, decode, direct)                            \
    static void name(struct work *w, const void *data, size_t n,               \
                     uint64_t first)                                           \
    {                                                                          \
        const char *p = data;                                                  \
        (void)first;                                                           \
        for (size_t i = 0; i < n; i += PLAIN_BLOCK) {                          \
            float block[PLAIN_BLOCK];                                          \
            const void *x = block;                                             \
            size_t step = n - i < PLAIN_BLOCK ? n - i : PLAIN_BLOCK;           \
            if (direct)                                                        \
                x = p + size * i;                                              \
            else                                                               \
                decode(block, p + size * i, step);                             \
            if (map == EXACT_SQUARE)                                           \
                sum_floats(w, x, step, map, false);                            \
            else                                                               \
                sum_narrow(w, x, step, map);                                   \
        }                                                                      \
    }

#define SUM_FLOAT(name, map, wide)                                             \
    static void name(struct work *w, const void *data, size_t n,               \
                     uint64_t first)                                           \
    {                                                                          \
        (void)first;                                                           \
        sum_floats(w, data, n, map, wide);                                     \
    }

#define SUM_NARROWS(dtype, size, direct)                                       \
    SUM_NARROW(sum_##dtype, EXACT_VALUE, size, decode_##dtype, direct)         \
    SUM_NARROW(sumabs_##dtype, EXACT_MAGNITUDE, size, decode_##dtype, direct)  \
    SUM_NARROW(sumsq_##dtype, EXACT_SQUARE, size, decode_##dtype, direct)

SUM_NARROWS(f16, 2, false)
SUM_NARROWS(bf16, 2, false)
SUM_NARROWS(f32, 4, true)
SUM_FLOAT(sum_f64, EXACT_VALUE, true)
SUM_FLOAT(sumabs_f64, EXACT_MAGNITUDE, true)
SUM_FLOAT(sumsq_f64, EXACT_SQUARE, true)
