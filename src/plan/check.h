/* SPDX-License-Identifier: MIT */
/* Refuses options that contradict each other or the inputs; plans a dataset. */
#pragma once

#include "cli/options.h"
#include "plan/plan.h"

/* False with ERROR_USAGE if options contradict each other. */
bool plan_check(const struct options *o, struct error *e);

/* False with ERROR_USAGE if options contradict the format of an open input. */
bool plan_check_input(const struct input *input, struct error *e);

/* Plans a dataset whose inputs and count are set; the first input is open. */
bool dataset_plan(const struct plan *plan, struct dataset *d, struct error *e);

/* If a FILE that cannot be opened has the name of an operation, which other
 * tools take there, adds to its error how to ask for it. Returns false. */
bool plan_name_operation(const char *name, struct error *e);
