/* SPDX-License-Identifier: MIT */
/* Plans how often the data are read for quantiles, and what a pass counts. */
#pragma once

#include "plan/plan.h"

/* Plans the first pass over a dataset. Its teams must be known. */
void quantiles_plan(const struct plan *plan, struct dataset *d);

/* The bits of the number of a range's bins, if there are so many ranges. Memory
 * is divided among a copy of all bins for each worker if these fit, otherwise
 * it is all for one copy. */
unsigned quantiles_bits(const struct dataset *d, size_t ranges);
