/* SPDX-License-Identifier: MIT */
/* Plans of results by key: --by. */
#pragma once

#include "plan/plan.h"

/* Refuses the options that cannot be combined with --by. */
bool by_check(const struct options *o, struct error *e);

/* Before the inputs are opened: sets plan->by. */
void by_resolve(struct plan *plan, const struct options *o);

/* Opens the file of --keys, if there is one. */
bool by_open(struct plan *plan, const struct options *o, struct error *e);

/* Refuses text where the keys are in a file. */
bool by_check_input(const struct plan *plan, const struct input *input,
                    struct error *e);

/* After the columns are known: makes the dataset's job one by keys. */
void by_plan(const struct plan *plan, struct dataset *d);

/* Refuses histograms whose range is not known of data that are read once. */
bool by_check_range(const struct plan *plan, const struct dataset *d,
                    struct error *e);

/* Why the backend leaves it to the CPU; NULL: it does not. */
const char *by_left_by(const struct backend *backend, const struct dataset *d);

/* Why it is reduced on the CPU; NULL: the device that was asked for does it. */
const char *by_left(const struct plan *plan, const struct dataset *d);

/* The same of elements, whose keys are in a file. */
bool by_plan_elements(const struct plan *plan, struct dataset *d,
                      struct error *e);
