/* SPDX-License-Identifier: MIT */
/* Chooses the devices, workers and chunks that reduce a dataset. */
#pragma once

#include "plan/plan.h"

/* The number of host threads: --threads, or the number of cores. */
unsigned device_threads(const struct options *o);

/* Resolves the options of devices and chunks. Checks the device asked for as
 * far as possible before the data are read. */
bool device_choose(struct plan *plan, const struct options *o, struct error *e);

/* Fills d->team. All other fields of the dataset must be set. */
void device_teams(const struct plan *plan, struct dataset *d);
