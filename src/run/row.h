/* SPDX-License-Identifier: MIT */
/* One row of the results: that of a column of text, or of a binary dataset. */
#pragma once

#include "plan/plan.h"
#include "reduce/states.h"

/* The totals of a column, which the operations read. */
struct totals row_totals(const struct plan *plan, const struct dataset *d,
                         const struct states *states, size_t column);

/* Sets *e to the error `why`, preceded by the file or column if there is only
 * one. Returns false. */
bool row_blame(const struct dataset *d, size_t column, const struct error *why,
               struct error *e);

/* False, with the error, if operations cannot read the column: all its cells
 * are bad, or it has bools that are neither 0 nor 1. */
bool row_check(const struct dataset *d, size_t column, const struct totals *t,
               struct error *e);
