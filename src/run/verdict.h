/* SPDX-License-Identifier: MIT */
/* What --assert says of the results. */
#pragma once

#include "plan/plan.h"
#include "reduce/values.h"

/* Starts as zero. */
struct verdict {
    size_t failed;      /* conditions, of a row each */
    struct error first; /* of these */
};

/* Judges the conditions on a dataset: on each of its rows, but for those that
 * name all the columns they are about, on the dataset once. Of an array they
 * are the last of the values. False where one cannot be computed. */
bool verdict_add(struct verdict *v, const struct plan *plan,
                 const struct dataset *d, const struct reduced *reduced,
                 const struct values *values, struct error *e);

/* At the end: false, with an ERROR_ASSERT, if any failed. */
bool verdict_end(const struct verdict *v, struct error *e);
