/* SPDX-License-Identifier: MIT */
/* --part R/N: narrows the inputs to one of N parts of their data. */
#pragma once

#include "plan/plan.h"

/* Refuses what --part cannot be combined with. */
bool part_check(const struct options *o, struct error *e);

/* False, with the error, if an input cannot be cut. Reads nothing. */
bool part_check_inputs(const struct plan *plan, struct error *e);

/* Narrows the plan's open inputs to the part, if one is asked for. Parts are
 * cut between elements, or where a record starts, and compressed files not at
 * all. False, with the error, if an
 * input cannot be cut. */
bool part_cut(struct plan *plan, const struct options *o, struct error *e);
