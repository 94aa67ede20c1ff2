/* SPDX-License-Identifier: MIT */
/* Judges the conditions of --assert. */
#pragma once

#include "plan/plan.h"
#include "reduce/values.h"

/* Starts as zero. */
struct verdict {
    size_t failed;      /* conditions that are false, counted for each row */
    struct error first; /* the message of the first one */
};

/* Judges the conditions on a dataset. A condition that names columns for all
 * its operations is judged once, any other on each row. For an array, the
 * last rows of `values` are judged. False if a condition cannot be computed. */
bool verdict_add(struct verdict *v, const struct plan *plan,
                 const struct dataset *d, const struct reduced *reduced,
                 const struct values *values, struct error *e);

/* At the end: false, with an ERROR_ASSERT, if any failed. */
bool verdict_end(const struct verdict *v, struct error *e);
