/* SPDX-License-Identifier: MIT */
/* Elements of every type and kind, passes over them in pieces, and a comparison
 * of the values of ranks with sorted data. */
#pragma once

#include <math.h>

#include "check.h"
#include "reduce/cpu/search_kept.h"
#include "reduce/state.h"

enum { ELEMENTS = 40000, WIDES = 60, RANKS = 6 };

/* Elements, and their sorted values. long double holds every element of every
 * type exactly. */
struct sample {
    enum dtype dtype;
    size_t n, size;
    char data[ELEMENTS * 8];
    struct wide_integer wide[WIDES];
    size_t wides;
    long double sorted[ELEMENTS + WIDES]; /* without NaN */
    size_t numbers;
};

static long double value_of(enum dtype dtype, uint64_t bits)
{
    const unsigned shift = 64 - 8 * dtype_info(dtype)->size;
    if (dtype_is_float(dtype))
        return (long double)dtype_to_double(dtype, bits);
    return dtype_is_signed(dtype)
               ? (long double)((int64_t)(bits << shift) >> shift)
               : (long double)bits;
}

static int by_value(const void *a, const void *b)
{
    const long double x = *(const long double *)a, y = *(const long double *)b;
    return (x > y) - (x < y);
}

/* Bits of any kind: random, few values, neighbours, constant, subnormal. */
static uint64_t draw(int kind, uint64_t some)
{
    switch (kind) {
    case 0:
        return check_random();
    case 1:
        return check_below(3) * some;
    case 2:
        return some + check_below(50);
    case 3:
        return some;
    default:
        return check_below(200);
    }
}

static void add_wide(struct sample *s, uint64_t some)
{
    struct wide_integer *w = &s->wide[s->wides++];
    w->magnitude = (1ull << 53) + 1 + (some >> 11) + check_below(3000);
    w->negative = check_below(2);
    s->sorted[s->numbers++] =
        w->negative ? -(long double)w->magnitude : (long double)w->magnitude;
}

static void make(struct sample *s, enum dtype dtype)
{
    const int kind = (int)check_below(5);
    const uint64_t some = check_random();
    s->dtype = dtype;
    s->size = dtype_info(dtype)->size;
    s->n = check_below(3) ? check_below(300) : check_below(ELEMENTS);
    s->wides = s->numbers = 0;
    for (size_t i = 0; i < s->n; i++) {
        const uint64_t bits = draw(kind, some);
        memcpy(s->data + i * s->size, &bits, s->size);
        const long double x =
            value_of(dtype, dtype_load(dtype, s->data + i * s->size));
        if (!isnan(x))
            s->sorted[s->numbers++] = x;
    }
    for (uint64_t i = dtype == DTYPE_f64 ? check_below(WIDES) : 0; i > 0; i--)
        add_wide(s, some);
    qsort(s->sorted, s->numbers, sizeof *s->sorted, by_value);
}

/* Runs a pass in pieces, each with its own state, and merges the states. */
static void run(const struct sample *s, const struct cpu_loops *loops,
                const struct rank_parts *asked, struct ranks *all)
{
    static struct accumulator w;
    ranks_init(all);
    all->asked = asked;
    for (size_t at = 0, step; at < s->n || at == 0; at += step) {
        union state state;
        step = 1 + check_below(s->n + 1 - at);
        step = step < s->n - at ? step : s->n - at;
        ranks_init(&state.ranks);
        state.ranks.asked = asked;
        accumulator_init(&w, MONOID_ranks, s->dtype);
        accumulator_begin(&w, &state);
        loops->run[MONOID_ranks][s->dtype](&w, s->data + at * s->size, step, 0);
        accumulator_end(&w);
        for (size_t i = 0; at == 0 && i < s->wides; i++)
            monoids[MONOID_ranks].step_wide(&state, s->wide[i]);
        ranks_merge(all, &state.ranks);
        ranks_close(&state.ranks);
        step += s->n == 0;
    }
}

static long double found_value(const struct sample *s,
                               const struct rank_found *found)
{
    const long double x = (long double)found->wide.magnitude;
    if (found->wide.magnitude)
        return found->wide.negative ? -x : x;
    return value_of(s->dtype, rank_bits(s->dtype, found->key));
}

static void check_found(const struct sample *s,
                        const struct rank_search *search,
                        const struct cpu_loops *loops)
{
    struct rank_found found[RANKS];
    search_write(search, found);
    for (size_t i = 0; i < search->targets; i++)
        CHECK(found_value(s, &found[i]) == s->sorted[found[i].rank],
              "%s %s, n %zu, wides %zu, rank %" PRIu64 ": %Lg, not %Lg",
              loops->name, dtype_info(s->dtype)->name, s->n, s->wides,
              found[i].rank, found_value(s, &found[i]),
              s->sorted[found[i].rank]);
}

/* Draws ranks: the least, the greatest, and some between, one of them twice. */
static void draw_ranks(const struct sample *s, uint64_t rank[RANKS])
{
    rank[0] = 0;
    rank[1] = s->numbers ? s->numbers - 1 : 0;
    for (size_t i = 2; s->numbers && i < RANKS; i++)
        rank[i] = i == 3 ? rank[2] : check_below(s->numbers);
}

/* Runs passes until all values are found, then checks them. The first pass asks
 * for `asked`. */
static void search_on(const struct sample *s, const struct cpu_loops *loops,
                      const struct rank_parts *asked,
                      const uint64_t rank[RANKS])
{
    struct rank_search search;
    struct ranks left;
    struct error e = {.text = ""};
    size_t ranges;
    run(s, loops, asked, &left);
    CHECK_U64(ranks_numbers(&left), s->numbers);
    bool ok = search_open(&search, s->dtype, s->numbers, rank,
                          s->numbers ? RANKS : 0, &e);
    while (ok) {
        ok = search_narrow(&search, &left, &e);
        ranks_close(&left);
        if (ok && search.is_kept)
            ok = search_kept(&search, (struct kept_loops){loops, 3}, &e);
        if (!ok || search_is_done(&search))
            break;
        const bool keeps = search_left(&search, &ranges) < 1000;
        search_ask(&search, keeps, 1 + (unsigned)check_below(12));
        run(s, loops, &search.asked, &left);
    }
    CHECK(ok, "%s", e.text);
    if (ok)
        check_found(s, &search, loops);
    search_close(&search);
}
