/* SPDX-License-Identifier: MIT */
/* -v: what a run over a dataset came to, besides its results. */
#pragma once

#include <stdio.h>

#include "plan/plan.h"

/* The rows of each column; who did it; where the time went. */
void report_print(FILE *to, const struct dataset *d,
                  const struct states *states,
                  const struct engine_report *report);
