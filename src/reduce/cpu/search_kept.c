/* SPDX-License-Identifier: MIT */
#include "reduce/cpu/search_kept.h"

#include <stdlib.h>

#include "base/memory.h"

enum {
    /* A range has 2^BITS bins, or 2^BITS_OF_MANY if there are more than
     * FEW_RANGES. */
    FEW_RANGES = 8,
    BITS = 16,
    BITS_OF_MANY = 11,
    /* If at most 1 in SMALL_PART of the keys in memory is in a range, those
     * keys are copied. */
    SMALL_PART = 8,
};

void kept_run(const struct rank_piece *kept, enum dtype dtype,
              const struct cpu_loops *loops, struct accumulator *w,
              union state *state)
{
    const enum dtype keys = rank_keys_dtype(dtype);
    accumulator_init(w, MONOID_ranks, keys);
    accumulator_begin(w, state);
    for (const struct rank_piece *p = kept; p; p = p->next)
        loops->run[MONOID_ranks][keys](w, rank_keys(p), p->n, 0);
    accumulator_end(w);
}

static bool pass(struct rank_search *s, const struct cpu_loops *loops,
                 struct accumulator *w, struct error *e)
{
    size_t ranges;
    const uint64_t left = search_left(s, &ranges);
    union state state;
    search_ask(s, left <= s->kept_n / SMALL_PART,
               ranges <= FEW_RANGES ? BITS : BITS_OF_MANY);
    ranks_init(&state.ranks);
    state.ranks.asked = &s->asked;
    kept_run(s->kept, s->dtype, loops, w, &state);
    const bool ok = state.ranks.lost ? memory_refuse(e, RANKS_LOST)
                                     : search_narrow(s, &state.ranks, e);
    ranks_close(&state.ranks);
    return ok;
}

bool search_kept(struct rank_search *s, const struct cpu_loops *loops,
                 struct error *e)
{
    struct accumulator *w = malloc(sizeof *w);
    bool ok = w || error_memory(e);
    while (ok && !search_is_done(s) && s->kept_n >= SEARCH_SORTED)
        ok = pass(s, loops, w, e);
    free(w);
    return ok && (search_is_done(s) || search_sort(s, e));
}
