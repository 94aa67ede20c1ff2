/* SPDX-License-Identifier: MIT */
/* Reports on a run over a dataset, for -v. */
#pragma once

#include <stdio.h>

#include "plan/plan.h"

/* Prints the numbers of rows of each column, the devices and their threads, and
 * where the time went. */
void report_print(FILE *to, const struct dataset *d,
                  const struct states *states,
                  const struct engine_report *report);
