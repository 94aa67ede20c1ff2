/* SPDX-License-Identifier: MIT */
#pragma once

#include "cli/options.h"
#include "plan/plan.h"

/* False, with ERROR_USAGE, where options contradict each other. */
bool plan_check(const struct options *o, struct error *e);

/* False, with ERROR_USAGE, where options contradict what an open input is. */
bool plan_check_input(const struct input *input, struct error *e);

/* Plans a dataset of which inputs and count are set and the first is open. */
bool dataset_plan(const struct plan *plan, struct dataset *d, struct error *e);

/* Adds to the error of a FILE that cannot be opened what to write if its name
 * is that of an operation, as other tools take it. Returns false. */
bool plan_name_operation(const char *name, struct error *e);
