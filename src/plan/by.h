/* SPDX-License-Identifier: MIT */
/* Plans results by key: --by and --keys. */
#pragma once

#include "plan/plan.h"

/* Refuses the options that cannot be combined with --by. */
bool by_check(const struct options *o, struct error *e);

/* Copies the options to the plan. Call it before the inputs are opened. */
void by_resolve(struct plan *plan, const struct options *o);

/* Opens the file of --keys, if there is one. */
bool by_open(struct plan *plan, const struct options *o, struct error *e);

/* Refuses an input of text if --keys is given. */
bool by_check_input(const struct plan *plan, const struct input *input,
                    struct error *e);

/* Makes the dataset's job one by key. Call it once the columns are known. */
bool by_plan(const struct plan *plan, struct dataset *d, struct error *e);

/* Refuses two columns of the key with one name where the output is JSON, whose
 * readers keep one of them. */
bool by_check_names(const struct plan *plan, const struct dataset *d,
                    struct error *e);

/* Refuses a histogram without --range if the data can be read only once. */
bool by_check_range(const struct plan *plan, const struct dataset *d,
                    struct error *e);

/* Why the backend leaves results by key to the CPU; NULL: it does not. */
const char *by_left_by(const struct backend *backend, const struct dataset *d);

/* As by_left_by, for the device that was asked for, if any. */
const char *by_left(const struct plan *plan, const struct dataset *d);

/* Refuses an open input in Fortran order if --keys is given. An input that is
 * opened during the run must be checked after it. */
bool by_check_order(const struct plan *plan, const struct dataset *d,
                    struct error *e);

/* As by_plan, for elements, whose keys are in the file of --keys. */
bool by_plan_elements(const struct plan *plan, struct dataset *d,
                      struct error *e);
