/* SPDX-License-Identifier: MIT */
/* Which devices reduce a dataset, with how many workers, in which chunks. */
#pragma once

#include "plan/plan.h"

/* Host threads: as many as asked for, or cores. */
unsigned device_threads(const struct options *o);

/* Checks the device asked for, as far as it must be known before the data is
 * read, and says why it is this one. */
bool device_choose(struct plan *plan, struct error *e);

/* Fills d->team; all else of the dataset is known. */
void device_teams(const struct plan *plan, struct dataset *d);

/* Fills other->team with another way than d's: plan_verification. */
void device_other(const struct plan *plan, const struct dataset *d,
                  struct dataset *other);
