/* SPDX-License-Identifier: MIT */
/*
 * Exact float sums by windows (sum_windows.h), block by block:
 *
 * 1. If every element of the block fits the worker's windows, their sums stand.
 * 2. Otherwise the windows move to cover the block, which is tried again.
 * 3. If that fails, each element is added to the sum of its own exponent
 *    (loops_sum_spread.h).
 */
#pragma once

#include "reduce/cpu/loops_sum_spread.h"
#include "reduce/cpu/vector.h"

enum {
    /* 8 KiB of f64: the second try reads them from L1. A lane sums at most 512
     * addends of 2^51, and twice that in the second window of squares. */
    SUM_BLOCK = 1024,
};

struct window_lanes {
    vdouble magic[WINDOWS_MAX];
    vuint sum[WINDOWS_MAX]; /* of bits(t), modulo 2^64 */
    vint outside; /* a bit of 52 to 63: an addend missed the first window */
    vint rest;    /* a bit but the sign: an addend has bits below the last */
    vint tiny;    /* the sign bit: a square's error may have underflowed */
};

/* Adds v to window i. Returns the part of v below it. */
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
    if (map == EXACT_SQUARE && wide) {
        const vint least =
            (vint){0} + ((1023ll + WINDOW_SQUARE_EXPONENT) << 52);
        vint bits = (vint)v & INT64_MAX;
        vdouble square = v * v;
        vdouble error = product_errors(v, v, square);
        w->tiny |= (bits - least) & ~(bits - 1);
        square = window_add(w, square, 0);
        w->rest |= (vint)window_add(w, square, 1);
        error = window_add(w, error, 1);
        w->rest |= (vint)window_add(w, error, 2);
        return;
    }
    v = window_add(w, addend_of(v, map), 0);
    if (wide || map == EXACT_SQUARE)
        v = window_add(w, v, 1);
    w->rest |= (vint)v;
}

/* How many windows an element adds to. */
ALWAYS_INLINE int window_count(enum exact_map map, bool wide)
{
    return 1 + wide + (map == EXACT_SQUARE);
}

/* Adds n <= SUM_BLOCK elements to the windows. False, without adding any, if
 * one does not fit. */
ALWAYS_INLINE bool windows_run(struct accumulator *w, const void *data,
                               size_t n, enum exact_map map, bool wide)
{
    size_t size = wide ? 8 : 4;
    struct window_lanes l = {.outside = {0}};
    const char *p = data;
    size_t vectors = n / VECTOR_LANES;
    for (int i = 0; i < WINDOWS_MAX; i++)
        l.magic[i] = (vdouble){0} + w->windows.magic[i];
    for (size_t i = 0; i < vectors; i++, p += VECTOR_LANES * size) {
        prefetch_ahead(p);
        window_step(&l, load_lanes(p, wide), map, wide);
    }
    if (n % VECTOR_LANES) {
        window_step(&l, load_some(p, n % VECTOR_LANES, wide), map, wide);
        vectors++;
    }
    if (any_bits(l.outside) >> 52 || any_bits(l.rest) << 1 ||
        any_bits(l.tiny) >> 63)
        return false;
    for (int i = 0; i < window_count(map, wide); i++) {
        uint64_t total = 0;
        uint64_t addends = vectors * VECTOR_LANES;
        if (wide && map == EXACT_SQUARE && i == 1)
            addends *= 2;
        for (int j = 0; j < VECTOR_LANES; j++)
            total += l.sum[i][j];
        w->window[i] +=
            (int64_t)(total - addends * bits_of_double(w->windows.magic[i]));
    }
    return true;
}

/* Copies a block, counts its Inf and NaN, and replaces these by 0. */
ALWAYS_INLINE void copy_numbers(struct accumulator *w, const void *data,
                                size_t n, enum exact_map map, bool wide,
                                void *clean)
{
    size_t size = wide ? 8 : 4;
    memcpy(clean, data, n * size);
    for (size_t i = 0; i < n; i++) {
        if (count_special(&w->state->exact, element(data, i, wide), map))
            memset((char *)clean + i * size, 0, size);
    }
}

/* Sets windows for |x| < 2^top, higher by the bits of a window's 51 that an
 * element does not need, so that larger elements may follow. */
ALWAYS_INLINE void anchor(struct accumulator *w, int top, enum exact_map map,
                          bool wide)
{
    accumulator_drain_windows(w);
    if (map == EXACT_SQUARE)
        top = 2 * top;
    else
        top += 4;
    /* f16 is summed as f32 but has fewer bits: its windows need not reach below
     * its own least bit. */
    int least = w->state->exact.lsb;
    if (w->dtype == DTYPE_f16)
        least = map == EXACT_SQUARE ? 2 * LSB_f16 : LSB_f16;
    w->windows = windows_below(top, window_count(map, wide), least);
    w->anchored = true;
}

ALWAYS_INLINE void sum_block(struct accumulator *w, const void *data, size_t n,
                             enum exact_map map, bool wide)
{
    double clean[SUM_BLOCK];
    bool skips = backoff_skips(&w->hostile);
    if (w->anchored && !skips && windows_run(w, data, n, map, wide)) {
        backoff_note(&w->hostile, true);
        return;
    }
    struct magnitudes m = magnitudes(data, n, wide);
    if (!m.all_finite) {
        copy_numbers(w, data, n, map, wide, clean);
        data = clean;
        m = magnitudes(data, n, wide);
    }
    if (!skips) {
        anchor(w, m.top, map, wide);
        if (backoff_note(&w->hostile, windows_run(w, data, n, map, wide)))
            return;
    }
    w->has_spread = true;
    if (m.all_normal)
        spread_run(w, data, n, map, wide, true);
    else
        spread_run(w, data, n, map, wide, false);
}
