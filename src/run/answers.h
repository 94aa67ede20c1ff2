/* SPDX-License-Identifier: MIT */
/* The results of a run as its datasets are reduced, a row for each column of
 * each, and what is said of them on standard error. */
#pragma once

#include <stdbool.h>

#include "base/error.h"
#include "output/progress.h"
#include "output/results.h"
#include "plan/plan.h"

struct answers {
    const struct options *options;
    struct result *row;
    size_t n, datasets;
    bool by_column; /* some column is printed with its name */
    bool has_text, has_binary;
    const struct op *op[OPS_MAX]; /* those that are printed */
};

/* Whether the results are rows of a table, which may have empty cells. */
bool answers_are_table(const struct options *o, const struct dataset *d);

/* Adds the rows of a dataset and takes ownership of the values,
 * [job_groups][ops]. After a failure they are still the caller's. */
bool answers_add(struct answers *a, const struct dataset *d,
                 struct value *values, struct error *e);

/* After the last dataset: leaves out what the summary has nothing to say of.
 * The results borrow from the answers. */
struct results answers_results(struct answers *a);

/* Says that values are left empty, if any are. */
void answers_note_empty(const struct answers *a, const struct results *r);

void answers_free(struct answers *a);

/* Notes how much of the dataset was skipped or rounded. */
void answers_note(struct notes *notes, const struct dataset *d,
                  const struct reduced *reduced);
