/* SPDX-License-Identifier: MIT */
/* --reduce, --identity and --commutative. */
#pragma once

#include "fold/fold.h"

struct dataset;
struct op;
struct options;
struct plan;

/* Options that contradict each other. */
bool folds_check(const struct options *o, struct error *e);

/* Whether the operation goes with --reduce, or needs it. */
bool folds_check_op(const struct plan *plan, const struct op *op,
                    struct error *e);

/* What the plan keeps of the options; after the operations are known, and
 * before assertions ask for more. */
bool folds_resolve(struct plan *plan, const struct options *o, struct error *e);

/* Parses the expression for the columns of a dataset, which are known. */
bool folds_plan(const struct plan *plan, struct dataset *d, struct error *e);

void folds_close(struct plan *plan);
