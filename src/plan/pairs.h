/* SPDX-License-Identifier: MIT */
/* Operations on pairs of columns: two columns, or a column and its weights. */
#pragma once

#include "cli/options.h"
#include "plan/plan.h"

/* Sets whether the plan reduces pairs, weighted columns, or neither. False with
 * ERROR_USAGE if the device asked for cannot. */
bool pairs_resolve(struct plan *plan, const struct options *o, struct error *e);

/* Replaces *op by its weighted form if there are weights. False if the plan's
 * other ops exclude it; `says` begins the message. */
bool pairs_take_op(const struct plan *plan, const char *says,
                   const struct op **op, struct error *e);

/* Whether a list such as `all` leaves the op out, since it takes no weights. */
bool pairs_leave_out(const struct plan *plan, const struct op *op);

/* Sets the pairs of a dataset. Its table and columns must be set. */
bool pairs_plan(const struct plan *plan, struct dataset *d, struct error *e);

/* False if pairs are asked for and the input has one column. */
bool pairs_check_input(const struct plan *plan, const struct input *input,
                       struct error *e);
