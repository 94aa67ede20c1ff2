/* SPDX-License-Identifier: MIT */
/* Which devices reduce a dataset, with how many workers, in which chunks. */
#pragma once

#include "plan/plan.h"

/* Host threads: as many as asked for, or cores. */
unsigned device_threads(const struct options *o);

/* Resolves the options of devices and chunks. Checks the device asked for, as
 * far as it must be known before the data is read. */
bool device_choose(struct plan *plan, const struct options *o, struct error *e);

/* Fills d->team; all else of the dataset is known. */
void device_teams(const struct plan *plan, struct dataset *d);
