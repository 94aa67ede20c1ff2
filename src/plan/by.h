/* SPDX-License-Identifier: MIT */
/* Plans of results by key: --by. */
#pragma once

#include "plan/plan.h"

/* Refuses the options that cannot be combined with --by. */
bool by_check(const struct options *o, struct error *e);

/* Before the inputs are opened: sets plan->by. */
void by_resolve(struct plan *plan, const struct options *o);

/* After the columns are known: makes the dataset's job one by keys. */
void by_plan(const struct plan *plan, struct dataset *d);

/* Why it is reduced on the CPU; NULL: the device that was asked for does it. */
const char *by_left(const struct plan *plan, const struct dataset *d);
