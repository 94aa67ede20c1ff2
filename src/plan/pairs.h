/* SPDX-License-Identifier: MIT */
/* What is computed of pairs of columns: of two, or of one and its weights. */
#pragma once

#include "cli/options.h"
#include "plan/plan.h"

/* Settles what the plan is of: pairs, weighted columns, or neither. False, with
 * ERROR_USAGE, for devices that have no such groups. */
bool pairs_resolve(struct plan *plan, const struct options *o, struct error *e);

/* Makes the op the one that is computed: of the name, with weights if there are
 * any. `says` begins a message. False where the others exclude it. */
bool pairs_take_op(const struct plan *plan, const char *says,
                   const struct op **op, struct error *e);

/* Whether the op may be left out where it was not asked for by name, as it
 * takes no weights. */
bool pairs_leave_out(const struct plan *plan, const struct op *op);

/* Sets the pairs of a dataset, whose table and columns are set. */
bool pairs_plan(const struct plan *plan, struct dataset *d, struct error *e);

/* False where an input of one column is asked for pairs. */
bool pairs_check_input(const struct plan *plan, const struct input *input,
                       struct error *e);
