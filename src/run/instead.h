/* SPDX-License-Identifier: MIT */
/* Distinct values of elements: a device may count them far faster than the CPU,
 * but alone, and only a look at the data says how long the CPU would take. */
#pragma once

#include "output/sink.h"
#include "plan/plan.h"

/* Whether the device of dataset->instead ends the run sooner than the CPU, by a
 * sample of files that are in the page cache; it then replaces the teams. Says
 * why in `reason`, or nothing where no device was planned. False where there is
 * no memory. */
bool instead_choose(struct dataset *d, char reason[TEAM_REASON],
                    struct error *e);

/* Whether a GPU failed that nobody asked for: says so, and the CPU begins
 * again. What a GPU is given by auto can be read twice. */
bool instead_failed(const struct plan *plan, struct sink *sink,
                    const struct error *e);
