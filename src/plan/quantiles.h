/* SPDX-License-Identifier: MIT */
/* Plans whether quantiles may read the data more than once, and what the first
 * pass counts. */
#pragma once

#include "plan/plan.h"

/* Plans the first pass over a dataset. Its teams must be known. */
void quantiles_plan(const struct plan *plan, struct dataset *d);

/* The logarithm to base 2 of the number of bins for each of the ranges. If they
 * fit in memory, each worker has a copy of all bins; otherwise the workers
 * share one copy. */
unsigned quantiles_bits(const struct dataset *d, size_t ranges);
