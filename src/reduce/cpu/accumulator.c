/* SPDX-License-Identifier: MIT */
#include "reduce/cpu/accumulator.h"

#include <limits.h>
#include <string.h>

#include "base/cpu.h"

static bool is_power(enum monoid monoid)
{
    return monoid == MONOID_sumcube || monoid == MONOID_sumfourth;
}

static bool is_sum(enum monoid monoid)
{
    return monoid == MONOID_sum || monoid == MONOID_sumabs ||
           monoid == MONOID_sumsq || is_power(monoid);
}

static void forget_powers(struct accumulator *w)
{
    w->spread.power.least = UINT_MAX;
    w->spread.power.greatest = 0;
    w->n = 0;
}

void accumulator_init(struct accumulator *w, enum monoid monoid,
                      enum dtype dtype)
{
    w->monoid = monoid;
    w->dtype = dtype;
    w->state = NULL;
    w->n = 0;
    w->index = NULL;
    w->map = NULL;
    w->fast = false;
    w->started = w->anchored = false;
    w->rounding = w->uneven = w->hostile = (struct backoff){0};
    w->has_spread = false;
    /* The spread sums: 50 KiB for float sums, 128 KiB for powers. */
    if (is_sum(monoid) && dtype_is_float(dtype)) {
        memset(w->window, 0, sizeof w->window);
        memset(&w->spread, 0,
               is_power(monoid) ? sizeof w->spread : sizeof w->spread.mantissa);
        if (is_power(monoid))
            forget_powers(w);
    }
    memset(w->word, 0, sizeof w->word);
}

void accumulator_begin(struct accumulator *w, union state *state)
{
    w->state = state;
}

void accumulator_drain_windows(struct accumulator *w)
{
    for (int i = 0; w->anchored && i < WINDOWS_MAX; i++) {
        accumulator_add(w, w->window[i],
                        w->windows.low[i] - w->state->exact.lsb);
        w->window[i] = 0;
    }
}

/* Takes a sum of mantissas and its carries, and sets both to 0. */
static __int128 take_mantissas(struct accumulator *w, int place)
{
    uint64_t *sum = &w->spread.mantissa.sum[place];
    uint32_t *carry = &w->spread.mantissa.carry[place];
    __int128 value = ((__int128)*carry << 63) + *sum;
    *sum = 0;
    *carry = 0;
    return value;
}

/* The exponent field 0 means subnormals, which weigh as much as 1. */
static int weight_of(int e)
{
    return (e > 0 ? e : 1) - 1 - 1074;
}

static void drain_mantissas(struct accumulator *w)
{
    const uint64_t *sum = w->spread.mantissa.sum;
    const uint32_t *carry = w->spread.mantissa.carry;
    int lsb = w->state->exact.lsb;
    for (int e = 0; e < 2047; e++) {
        if (!(sum[e] | carry[e] | sum[2048 + e] | carry[2048 + e]))
            continue;
        __int128 positive = take_mantissas(w, e);
        accumulator_add(w, positive - take_mantissas(w, 2048 + e),
                        weight_of(e) - lsb);
    }
}

static void drain_squares(struct accumulator *w)
{
    int lsb = w->state->exact.lsb;
    for (int e = 0; e < 2047; e++) {
        unsigned __int128 *sum = &w->spread.square.sum[e];
        uint32_t *carry = &w->spread.square.carry[e];
        const int position = 2 * weight_of(e) - lsb;
        if (!(*sum | *carry))
            continue;
        accumulator_add(w, (__int128)*sum, position);
        accumulator_add(w, *carry, position + 127);
        *sum = *carry = 0;
    }
}

/* Adds the spread sums to the state, and sets them to 0. */
static void drain_spread(struct accumulator *w)
{
    if (!w->has_spread)
        return;
    if (w->monoid == MONOID_sumsq)
        drain_squares(w);
    else
        drain_mantissas(w);
    w->has_spread = false;
}

/* Takes a sum of powers, and sets it to 0. */
static __int128 take_power(struct accumulator *w, unsigned at)
{
    const __int128 sum = (__int128)w->spread.power.sum[at];
    w->spread.power.sum[at] = 0;
    return sum;
}

/* Adds the sums of exponent e to the state: m^3 * 2^(3 weight), or m^4. */
static void drain_power(struct accumulator *w, unsigned e)
{
    const bool is_cube = w->monoid == MONOID_sumcube;
    const bool wide = w->dtype == DTYPE_f64;
    const int power = is_cube ? 3 : 4, parts = wide ? power - 1 : 1;
    const int at[3] = {0, is_cube ? 53 : 54, 106};
    const int weight = (int)(e > 0 ? e : 1) - 1 - (wide ? 1074 : 149);
    const int position = power * weight - w->state->exact.lsb;
    const unsigned negative = wide ? 2048 : 256;
    for (unsigned i = 0; i < (unsigned)parts; i++) {
        __int128 sum = take_power(w, is_cube ? 2 * e + i : 4 * e + i);
        if (is_cube)
            sum -= take_power(w, 2 * (negative + e) + i);
        accumulator_add(w, sum, position + at[i]);
    }
}

void accumulator_drain_powers(struct accumulator *w)
{
    for (unsigned e = w->spread.power.least; e <= w->spread.power.greatest; e++)
        drain_power(w, e);
    forget_powers(w);
}

static void end_integers(struct accumulator *w)
{
    struct exact *x = &w->state->exact;
    for (unsigned i = 0; i < 4; i++) {
        if (w->word[i] != 0)
            exact_add_shifted(x, w->word[i], 64 * i);
        w->word[i] = 0;
    }
    x->not_negative_zero |= w->n > 0;
    w->n = 0;
}

void accumulator_end(struct accumulator *w)
{
    if (is_power(w->monoid) && dtype_is_float(w->dtype)) {
        accumulator_drain_powers(w);
    } else if (is_sum(w->monoid) && dtype_is_float(w->dtype)) {
        accumulator_drain_windows(w);
        drain_spread(w);
    } else if (is_sum(w->monoid)) {
        end_integers(w);
    }
    w->state = NULL;
}

void accumulator_ends(struct accumulator *w, const void *data, size_t n,
                      uint64_t first)
{
    const size_t size = dtype_info(w->dtype)->size;
    const char *p = data;
    if (!w->index)
        state_add_ends(w->state, w->dtype, p, n, first);
    for (size_t i = 0; w->index && i < n; i++)
        state_add_ends(w->state, w->dtype, p + i * size, 1,
                       w->index(w->map, first + i));
}

const struct cpu_loops *cpu_loops(size_t i)
{
    static const struct cpu_loops_of sets[] = {
#ifdef HAVE_X86_LOOPS
        {CPU_AVX512, &cpu_loops_avx512},
        {CPU_AVX2, &cpu_loops_avx2},
#endif
        {CPU_BASE, &cpu_loops_base},
    };
    return cpu_choose(sets, sizeof sets / sizeof sets[0], i);
}
