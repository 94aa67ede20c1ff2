/* SPDX-License-Identifier: MIT */
/* --axis: the array that the inputs are, and the options that exclude it. */
#pragma once

#include "plan/plan.h"

/* False with ERROR_USAGE if options of arrays contradict others. */
bool axes_check(const struct options *o, struct error *e);

/* Copies the options of arrays to the plan. */
void axes_resolve(struct plan *plan, const struct options *o);

/* False with ERROR_USAGE if --axis cannot be used with an open input. */
bool axes_check_input(const struct plan *plan, const struct input *input,
                      struct error *e);

/* Makes the geometry of a dataset. Its inputs, except deferred ones, are open.
 */
bool axes_plan(const struct plan *plan, struct dataset *d, struct error *e);

/* Refuses results of more than two axes as text, which shows at most a table.
 */
bool axes_check_rank(const struct plan *plan, const struct geometry *g,
                     struct error *e);

/* Why a backend leaves the array to the CPU. NULL: it does not; or `backend` is
 * the CPU or NULL. */
const char *axes_left(const struct plan *plan, const struct dataset *d,
                      const struct backend *backend);

/* Sets the size of a first axis that was open and the number of the dataset's
 * rows. Call it once the number of elements is known. */
void axes_close(struct dataset *d, uint64_t elements);
