/* SPDX-License-Identifier: MIT */
/* One row of the results: that of a column of text, or of a binary dataset. */
#pragma once

#include "plan/plan.h"
#include "reduce/states.h"

/* The totals of a column, which the operations read. */
struct totals row_totals(const struct plan *plan, const struct dataset *d,
                         const struct states *states, size_t column);

/* No column. A number comes after it, so that a loop can end there. */
#define ROW_NO_COLUMN (SIZE_MAX - 1)

/* Sets *e to the error `why`, preceded by the file, if there is only one, and
 * by the column. Returns false. */
bool row_blame(const struct dataset *d, size_t column, const struct error *why,
               struct error *e);

/* op_finish of a column's totals; the error is blamed. Of several files, it
 * says which one has the NaN that --nan error refuses. */
bool row_finish(const struct dataset *d, size_t column, const struct op *op,
                const struct totals *t, struct value *out, struct error *e);

/* False, with the error, if operations cannot read the column: all its cells
 * are bad, or it has bools that are neither 0 nor 1. */
bool row_check(const struct dataset *d, size_t column, const struct totals *t,
               struct error *e);
