/* SPDX-License-Identifier: MIT */
/* How often the data are read for quantiles, and what a pass counts. */
#pragma once

#include "plan/plan.h"

/* Plans the first pass over a dataset whose teams are known. */
void quantiles_plan(const struct plan *plan, struct dataset *d);

/* Bits of the bins of each of so many ranges, for as many copies as there are
 * workers where they fit, else for one. */
unsigned quantiles_bits(const struct dataset *d, size_t ranges);
