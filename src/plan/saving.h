/* SPDX-License-Identifier: MIT */
/* --save-state and --merge: what excludes them, and the plan of merged states.
 */
#pragma once

#include "plan/plan.h"
#include "saved/saved.h"

/* Refuses the options that exclude --save-state, or --merge. */
bool saving_check(const struct options *o, struct error *e);

/* With --save-state: adds what --merge needs to print any format. Call it once
 * the operations are known. */
void saving_resolve(struct plan *plan, const struct options *o);

/* The monoids of the plan. With --save-state, distinct values with their counts
 * take the place of ranks, which need all data; --merge finds these. */
unsigned saving_monoids(const struct plan *plan);

/* Why a device cannot reduce a dataset whose states are saved; NULL: it can. */
const char *saving_left(const struct plan *plan, const struct dataset *d);

/* With --save-state: refuses a dataset whose states cannot be saved; with
 * --part, one whose results are not those of a part. */
bool saving_check_dataset(const struct plan *plan, const struct dataset *d,
                          struct error *e);

/* With --merge: reads and merges the FILEs, and replaces the options that
 * belong to their question. The options' strings are the plan's afterwards. */
bool merging_open(struct plan *plan, struct options *o, struct notes *notes,
                  struct error *e);

/* Makes the inputs and the dataset of merged states. */
bool merging_plan(struct plan *plan, struct error *e);

void merging_close(struct plan *plan);
