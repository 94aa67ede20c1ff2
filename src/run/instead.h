/* SPDX-License-Identifier: MIT */
/* Chooses the device for distinct values of elements. A GPU may count them far
 * faster than the CPU, but only if it reduces all data itself. How long the CPU
 * would take depends on the data. */
#pragma once

#include "output/sink.h"
#include "plan/plan.h"

/* Replaces the teams by that of d->instead if a sample of the data, in files in
 * the page cache, shows that it would end the run sooner. Sets `reason` to the
 * decision and why; to "" if no such device was planned or there is no sample.
 * False if memory ran out. */
bool instead_choose(struct dataset *d, char reason[TEAM_REASON],
                    struct error *e);

/* Whether the error is that of a GPU that the user did not ask for. If so,
 * prints it, and the caller restarts the run on the CPU: the plan gives such a
 * GPU only data that can be read twice. */
bool instead_failed(const struct plan *plan, struct sink *sink,
                    const struct error *e);

/* Whether the error is that a device that the user asked for lacks memory, and
 * the run may be restarted with smaller chunks or fewer workers, which are then
 * the dataset's. False if they are the least, or for data that can be read only
 * once. */
bool instead_smaller(const struct plan *plan, struct dataset *d,
                     const struct error *e);
