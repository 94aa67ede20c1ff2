/* SPDX-License-Identifier: MIT */
/*
 * Exact float sums in four additions a vector. A sum s starts at a window's M
 * (see sum_windows.h) and each addend v goes into it by Dekker's FastTwoSum:
 *
 *     t = s + v, rounded;  h = t - s;  r = v - h;  s = t;  rest += r
 *
 * If neither subtraction rounds, t + r = s + v exactly, whatever the values. If
 * no addition to rest rounds either, s + rest is the exact sum. The processor's
 * sticky inexact flag says whether one of these three rounded, so no element
 * needs a test. Only the first addition may round; it suppresses exceptions,
 * which takes AVX-512. A square is t + e by FMA: t is computed without the flag
 * and e with it, since e may underflow; e is split once more. Inf, NaN and
 * overflow leave s outside M's binade for the rest of the block.
 *
 * For 64 bytes of f64 this takes 4 operations, two windows take 10; for squares
 * 10 and 24.
 */
#pragma once

#include "reduce/cpu/inexact.h"
#include "reduce/cpu/vector.h"

enum {
    COMPENSATED_SUMS = 4,
    /* Elements of a block. The flag is read at its end, which waits for all
     * operations under way. With blocks of half the size, these waits took 3 %
     * of a sum from memory. */
    COMPENSATED_BLOCK = 8192,
    /* A lane adds up at most 2^COMPENSATED_BITS elements of a block. So if all
     * |v| < 2^top, s stays within 2^(top + COMPENSATED_BITS) of M. Two more
     * bits allow for growth. In the worst case, rest is then exact for elements
     * whose exponents span 53 - 2 * 10 - 1 = 32 binades. */
    COMPENSATED_BITS = 8,
    COMPENSATED_ROOM = COMPENSATED_BITS + 2,
};

#if defined(__AVX512F__)
#define QUIETLY (_MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC)

ALWAYS_INLINE vdouble quiet_add(vdouble a, vdouble b)
{
    return _mm512_add_round_pd(a, b, QUIETLY);
}

ALWAYS_INLINE vdouble quiet_square(vdouble v)
{
    return _mm512_mul_round_pd(v, v, QUIETLY);
}

/* Sums and rests; [1] are those of the errors of squares. */
struct compensated {
    vdouble sum[2], rest[2];
};

ALWAYS_INLINE void compensated_add(struct compensated *c, vdouble v, int i)
{
    vdouble t = quiet_add(c->sum[i], v);
    vdouble rest = v - (t - c->sum[i]);
    c->sum[i] = t;
    c->rest[i] += rest;
}

ALWAYS_INLINE void compensated_step(struct compensated *c, vdouble v,
                                    enum exact_map map, bool wide)
{
    if (map == EXACT_SQUARE && wide) {
        vdouble square = quiet_square(v);
        compensated_add(c, square, 0);
        compensated_add(c, product_errors(v, v, square), 1);
        return;
    }
    compensated_add(c, addend_of(v, map), 0);
}

/* How many sums an element adds to. */
ALWAYS_INLINE int compensated_count(enum exact_map map, bool wide)
{
    return 1 + (wide && map == EXACT_SQUARE);
}

/* Adds up the sums that began at `magic`, in units of their window: less than
 * 2^51 a lane. False if one of them left M's binade. */
ALWAYS_INLINE bool compensated_units(const struct compensated *c, int i,
                                     double magic, int64_t *units)
{
    const vuint start = (vuint)((vdouble){0} + magic);
    vuint outside = {0}, total = {0}; /* of sums that left M, anything */
    uint64_t all = 0;
    for (int j = 0; j < COMPENSATED_SUMS; j++) {
        outside |= (vuint)c[j].sum[i] ^ start;
        total += (vuint)c[j].sum[i] - start;
    }
    for (int k = 0; k < VECTOR_LANES; k++)
        all += total[k];
    *units = (int64_t)all;
    return any_bits((vint)outside) >> 52 == 0;
}

ALWAYS_INLINE double compensated_rest(const struct compensated *c, int i)
{
    vdouble rest = c[0].rest[i];
    double total = 0;
    for (int j = 1; j < COMPENSATED_SUMS; j++)
        rest += c[j].rest[i];
    for (int k = 0; k < VECTOR_LANES; k++)
        total += rest[k];
    return total;
}

/* Adds up n <= COMPENSATED_BLOCK elements. */
ALWAYS_INLINE void compensated_lanes(struct compensated *c, const void *data,
                                     size_t n, enum exact_map map, bool wide)
{
    const char *p = data;
    const size_t step = wide ? VECTOR_BYTES : VECTOR_BYTES / 2;
    size_t vectors = n / VECTOR_LANES;
    for (; vectors >= COMPENSATED_SUMS; vectors -= COMPENSATED_SUMS) {
        for (int j = 0; j < COMPENSATED_SUMS; j++, p += step) {
            prefetch_ahead(p);
            compensated_step(&c[j], load_lanes(p, wide), map, wide);
        }
    }
    for (; vectors > 0; vectors--, p += step)
        compensated_step(&c[0], load_lanes(p, wide), map, wide);
    if (n % VECTOR_LANES)
        compensated_step(&c[0], load_some(p, n % VECTOR_LANES, wide), map,
                         wide);
}

/* Adds n <= COMPENSATED_BLOCK elements to the state. False, without adding
 * any, if an operation that must be exact rounded or a sum left its window. */
ALWAYS_INLINE bool compensated_run(struct accumulator *w, const void *data,
                                   size_t n, enum exact_map map, bool wide)
{
    struct compensated c[COMPENSATED_SUMS];
    int count = compensated_count(map, wide);
    int lsb = w->state->exact.lsb;
    double rest[2] = {0};
    int64_t units[2] = {0};
    for (int j = 0; j < COMPENSATED_SUMS; j++) {
        for (int i = 0; i < count; i++) {
            c[j].sum[i] = (vdouble){0} + w->start.magic[i];
            c[j].rest[i] = (vdouble){0};
        }
    }
    inexact_begin();
    compensated_lanes(c, data, n, map, wide);
    for (int i = 0; i < count; i++)
        rest[i] = compensated_rest(c, i);
    if (inexact_end(rest, count))
        return false;
    for (int i = 0; i < count; i++) {
        if (!compensated_units(c, i, w->start.magic[i], &units[i]))
            return false;
    }
    for (int i = 0; i < count; i++) {
        struct scaled s = scaled_of(rest[i], lsb);
        accumulator_add(w, s.value, s.position);
        accumulator_add(w, units[i], (unsigned)(w->start.low[i] - lsb));
    }
    return true;
}

/* Restarts the sums over the block. False for Inf and NaN. */
ALWAYS_INLINE bool compensated_start(struct accumulator *w, const void *data,
                                     size_t n, enum exact_map map, bool wide)
{
    const struct magnitudes m = magnitudes(data, n, wide);
    const int top = map == EXACT_SQUARE ? 2 * m.top : m.top;
    w->start = windows_below(top + COMPENSATED_ROOM,
                             compensated_count(map, wide), w->state->exact.lsb);
    w->started = m.all_finite;
    return w->started;
}

/* Tries a compensated sum of the block; keeps it if it was exact. */
ALWAYS_INLINE bool sum_compensated(struct accumulator *w, const void *data,
                                   size_t n, enum exact_map map, bool wide)
{
    if (backoff_skips(&w->uneven))
        return false;
    return backoff_note(
        &w->uneven, (w->started && compensated_run(w, data, n, map, wide)) ||
                        (compensated_start(w, data, n, map, wide) &&
                         compensated_run(w, data, n, map, wide)));
}
#else
#define sum_compensated(w, data, n, map, wide) false
#endif
