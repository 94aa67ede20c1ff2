/* SPDX-License-Identifier: MIT */
/* Searches for the values of ranks among keys that are in memory. */
#pragma once

#include "reduce/cpu/accumulator.h"
#include "reduce/search.h"

/* Adds the keys of all pieces to a state of ranks, as if they were unsigned
 * integers of the dtype's width. *w is scratch memory of the caller. */
void kept_run(const struct rank_piece *kept, enum dtype dtype,
              const struct cpu_loops *loops, struct accumulator *w,
              union state *state);

/* Finishes a search whose keys were kept. False if memory ran out. */
bool search_kept(struct rank_search *s, const struct cpu_loops *loops,
                 struct error *e);
