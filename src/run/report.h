/* SPDX-License-Identifier: MIT */
/* -v: what a run over a dataset came to, besides its results. */
#pragma once

#include <stdio.h>

#include "plan/plan.h"

/* The name of a dataset's column, which may hold NUL; its `at` is NULL past the
 * last, and of binary data. */
struct csv_span report_column_name(const struct dataset *d, size_t column);

/* The rows of each column; who did it; where the time went. */
void report_print(FILE *to, const struct dataset *d,
                  const struct states *states,
                  const struct engine_report *report);
