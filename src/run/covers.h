/* SPDX-License-Identifier: MIT */
/* The ranks of quantiles: narrows what a first pass asks of them, by a sample
 * of the data (reduce/cover.h), and finds their values in merged states. */
#pragma once

#include "plan/plan.h"
#include "reduce/cover.h"

/* Narrows what the pass asks of each group whose sample is large enough, if it
 * will then keep few keys. The narrowed parts are in *part, which the caller
 * frees after the run. False if memory ran out. */
bool covers_ask(const struct plan *plan, const struct dataset *d,
                struct rank_parts *parts, struct rank_part **part,
                struct error *e);

/* Calls op_ranks for all operations of the plan and of its assertions. The
 * caller gives `rank` room for covers_ranks_most. Returns how many ranks there
 * are. */
size_t covers_ranks(const struct plan *plan, uint64_t n, uint64_t *rank);
size_t covers_ranks_most(const struct plan *plan);

/* Sets the values of the ranks that the plan asks for, from distinct values and
 * how often each comes. False if memory ran out. */
bool covers_find(const struct plan *plan, enum dtype dtype,
                 const struct distinct *from, struct ranks *to);
