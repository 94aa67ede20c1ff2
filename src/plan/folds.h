/* SPDX-License-Identifier: MIT */
/* Plans the user's reduction: --reduce, --identity and --commutative. */
#pragma once

#include "fold/fold.h"

struct dataset;
struct op;
struct options;
struct plan;

/* False with ERROR_USAGE if these options contradict others. */
bool folds_check(const struct options *o, struct error *e);

/* False with ERROR_USAGE if the operation excludes --reduce, or needs it and it
 * is absent. */
bool folds_check_op(const struct plan *plan, const struct op *op,
                    struct error *e);

/* Copies these options to the plan. Call it after the operations are known and
 * before assertions add theirs. */
bool folds_resolve(struct plan *plan, const struct options *o, struct error *e);

/* Parses the expression for the dataset, whose columns are known. */
bool folds_plan(const struct plan *plan, struct dataset *d, struct error *e);

void folds_close(struct plan *plan);
