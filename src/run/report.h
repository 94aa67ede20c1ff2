/* SPDX-License-Identifier: MIT */
/* What -v says about a dataset, and how far the progress bar has to go. */
#pragma once

#include <stdio.h>

#include "output/progress.h"
#include "plan/plan.h"

/* Prints the numbers of rows of each column, the devices and their threads, and
 * where the time went. */
void report_print(FILE *to, const struct dataset *d,
                  const struct states *states,
                  const struct engine_report *report);

/* The number of bytes that a plan reads, for the progress bar: of the data or,
 * if they are not known, of the compressed files. */
struct progress_goal run_goal(const struct plan *plan);
