/* SPDX-License-Identifier: MIT */
/* One row of the results: a column of a dataset, or all of a binary one. */
#pragma once

#include "plan/plan.h"
#include "reduce/states.h"

/* What a column left, for the operations. */
struct totals row_totals(const struct plan *plan, const struct dataset *d,
                         const struct states *states, size_t column);

/* Says with which data the trouble is, where that is one file or column.
 * Returns false. */
bool row_blame(const struct dataset *d, size_t column, const struct error *why,
               struct error *e);

/* False, with the error, where the operations cannot be read from: a column of
 * nothing but bad cells, or bools that are neither 0 nor 1. */
bool row_check(const struct dataset *d, size_t column, const struct totals *t,
               struct error *e);
