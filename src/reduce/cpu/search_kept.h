/* SPDX-License-Identifier: MIT */
/* Searches for ranks among keys that are in memory, as passes over data do. */
#pragma once

#include "reduce/cpu/accumulator.h"
#include "reduce/search.h"

/* Ends a search whose keys were kept, by the loops of the unsigned integers.
 * False where there is no memory. */
bool search_kept(struct rank_search *s, const struct cpu_loops *loops,
                 struct error *e);
