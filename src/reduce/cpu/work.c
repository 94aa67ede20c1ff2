/* SPDX-License-Identifier: MIT */
#include "reduce/cpu/work.h"

#include <string.h>

static bool is_sum(enum monoid monoid)
{
    return monoid == MONOID_sum || monoid == MONOID_sumabs ||
           monoid == MONOID_sumsq;
}

void work_init(struct work *w, enum monoid monoid, enum dtype dtype)
{
    state_init(&w->state, monoid, dtype);
    w->index = NULL;
    w->map = NULL;
    w->anchored = false;
    w->hostile = w->penalty = 0;
    w->rounding = w->rounding_penalty = 0;
    memset(w->window, 0, sizeof w->window);
    memset(w->limb, 0, sizeof w->limb);
    memset(w->spread, 0, sizeof w->spread);
    w->has_spread = false;
    w->low = w->high = 0;
}

static void limb_add(int64_t *limb, int64_t value, unsigned position)
{
    struct deposit d = deposit_split(value, position);
    for (int i = 0; i < 3; i++)
        limb[d.limb + (unsigned)i] += d.part[i];
}

void work_drain_windows(struct work *w)
{
    const int piece = 62;
    for (int i = 0; w->anchored && i < WINDOWS_MAX; i++) {
        if (w->window[i] == 0)
            continue;
        unsigned at = (unsigned)(w->windows.low[i] - w->state.of.exact.lsb);
        int64_t low = (int64_t)w->window[i] & ((1ll << piece) - 1);
        limb_add(w->limb, low, at);
        limb_add(w->limb, (int64_t)(w->window[i] >> piece), at + piece);
        w->window[i] = 0;
    }
}

static void drain_spread(struct work *w)
{
    for (int i = 0; w->has_spread && i < 64; i++) {
        /* At most 2^28 addends of 85 bits: the difference fits. */
        __int128 value = (__int128)(w->spread[i] - w->spread[64 + i]);
        int position = 32 * i - 1075 - w->state.of.exact.lsb;
        if (position < 0) {
            /* A multiple of 2^lsb: no bits are lost. */
            value = position > -127 ? value >> -position : 0;
            position = 0;
        }
        exact_add_shifted(&w->state.of.exact, value, (unsigned)position);
    }
    if (w->has_spread)
        memset(w->spread, 0, sizeof w->spread);
    w->has_spread = false;
}

void work_take(struct work *w, struct state *out)
{
    struct exact *exact = &w->state.of.exact;
    if (is_sum(w->state.monoid)) {
        if (dtype_is_float(w->state.dtype)) {
            size_t limbs = 2 * (size_t)exact->words;
            work_drain_windows(w);
            drain_spread(w);
            exact_add_limbs(exact, w->limb, limbs);
            memset(w->limb, 0, limbs * sizeof w->limb[0]);
        } else {
            exact_add_shifted(exact, w->low, 0);
            exact_add_shifted(exact, w->high, 64);
            w->low = w->high = 0;
            exact->not_negative_zero = w->state.n > 0;
        }
    }
    *out = w->state;
    state_init(&w->state, out->monoid, out->dtype);
}

const struct cpu_loops *cpu_loops(size_t i)
{
    const struct cpu_loops *list[4];
    size_t n = 0;
#ifdef HAVE_X86_LOOPS
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx512f") &&
        __builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512vl"))
        list[n++] = &cpu_loops_avx512;
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
        __builtin_cpu_supports("f16c"))
        list[n++] = &cpu_loops_avx2;
#endif
    list[n++] = &cpu_loops_base;
    return i < n ? list[i] : NULL;
}
