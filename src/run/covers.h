/* SPDX-License-Identifier: MIT */
/* What a first pass asks of groups whose values a sample bounds
 * (reduce/cover.h). */
#pragma once

#include "plan/plan.h"
#include "reduce/cover.h"

/* Replaces what the pass asks of each group that the sample is large enough
 * for, and of which little will be kept. Sets *part, the caller's to free after
 * the run, which those parts are in. False where there is no memory. */
bool covers_ask(const struct plan *plan, const struct dataset *d,
                struct rank_parts *parts, struct rank_part **part,
                struct error *e);

/* Calls op_ranks for all operations of the plan and of its assertions. `rank`
 * has room for covers_ranks_most. Returns how many ranks there are. */
size_t covers_ranks(const struct plan *plan, uint64_t n, uint64_t *rank);
size_t covers_ranks_most(const struct plan *plan);
