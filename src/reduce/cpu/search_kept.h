/* SPDX-License-Identifier: MIT */
/* Searches for ranks among keys that are in memory, as passes over data do. */
#pragma once

#include "reduce/cpu/accumulator.h"
#include "reduce/search.h"

/* Adds the keys of all pieces, which are those of values of the dtype, to a
 * state of ranks, by the loops of the unsigned integers. *w is scratch. */
void kept_run(const struct rank_piece *kept, enum dtype dtype,
              const struct cpu_loops *loops, struct accumulator *w,
              union state *state);

/* Ends a search whose keys were kept, by the loops of the unsigned integers.
 * False where there is no memory. */
bool search_kept(struct rank_search *s, const struct cpu_loops *loops,
                 struct error *e);
