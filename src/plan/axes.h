/* SPDX-License-Identifier: MIT */
/* --axis: which array the inputs are, and what goes with it. */
#pragma once

#include "plan/plan.h"

/* Options that do not go together. */
bool axes_check(const struct options *o, struct error *e);

/* Takes what the options say. */
void axes_resolve(struct plan *plan, const struct options *o);

bool axes_check_input(const struct plan *plan, const struct input *input,
                      struct error *e);

/* Makes the geometry of a dataset whose inputs were looked at. */
bool axes_plan(const struct plan *plan, struct dataset *d, struct error *e);

/* Why a backend leaves the array to the CPU; NULL: it does not, or is the CPU
 * or NULL. */
const char *axes_left(const struct plan *plan, const struct dataset *d,
                      const struct backend *backend);

/* Once it is known how many elements there are: sizes a first axis that was
 * open, and counts the dataset's rows of results. */
void axes_close(struct dataset *d, uint64_t elements);
