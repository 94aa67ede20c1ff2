/* SPDX-License-Identifier: MIT */
/* Searches for the values of ranks among keys that are in memory. */
#pragma once

#include "reduce/cpu/accumulator.h"
#include "reduce/search.h"

/* What passes over kept keys use. */
struct kept_loops {
    const struct cpu_loops *loops;
    unsigned threads; /* at most so many */
};

/* Adds the keys of all pieces to a state of ranks, which knows what is asked,
 * as if they were unsigned integers of the dtype's width. Without memory, the
 * state is lost. */
void kept_run(const struct rank_piece *kept, enum dtype dtype,
              struct kept_loops use, struct ranks *to);

/* Finishes a search whose keys were kept. False if memory ran out. */
bool search_kept(struct rank_search *s, struct kept_loops use, struct error *e);
