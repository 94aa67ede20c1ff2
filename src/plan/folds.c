/* SPDX-License-Identifier: MIT */
#include "plan/folds.h"

#include <stdlib.h>
#include <string.h>

#include "backend/registry.h"
#include "base/quote.h"
#include "cli/options.h"
#include "plan/plan.h"

static bool check_alone(const struct options *o, struct error *e)
{
    const char *option = options_given_of(o, "identity commutative");
    return !option ||
           error_set(e, ERROR_USAGE,
                     "--%s belongs to --reduce EXPR; give that too", option);
}

bool folds_check(const struct options *o, struct error *e)
{
    const char *other = options_given_of(o, "axis compare weights");
    if (!o->reduce)
        return check_alone(o, e);
    if (!o->identity)
        return error_set(e, ERROR_USAGE,
                         "--reduce needs --identity VALUE, which changes no "
                         "partial: 0 of a sum, -inf of a maximum");
    if (other)
        return error_set(e, ERROR_USAGE, "--reduce and --%s exclude each other",
                         other);
    if (o->commutative && o->verify)
        return error_set(e, ERROR_USAGE,
                         "--verify and --commutative exclude each other: "
                         "partials in another order may differ");
    if (o->backend && o->backend != backends[0])
        return error_set(e, ERROR_USAGE,
                         "--reduce runs on the CPU alone; leave out --device "
                         "%s",
                         o->backend->name);
    return true;
}

bool folds_check_op(const struct plan *plan, const struct op *op,
                    struct error *e)
{
    if (!plan->reduce && op_is_fold(op))
        return error_set(e, ERROR_USAGE,
                         "reduce is the result of --reduce EXPR --identity "
                         "VALUE; give these too");
    return !plan->reduce ||
           !(op_of_pairs(op) || op->monoids & MONOID_BIT(prod)) ||
           error_set(e, ERROR_USAGE,
                     "--reduce and -o %s cannot be combined; ask for them in "
                     "separate runs",
                     op->name);
}

bool folds_resolve(struct plan *plan, const struct options *o, struct error *e)
{
    plan->reduce = o->reduce;
    plan->identity = o->identity;
    plan->any_order = o->commutative;
    for (size_t i = 0; i < plan->ops; i++) {
        if (!folds_check_op(plan, plan->op[i], e))
            return false;
    }
    return true;
}

/* The type of a group's values, as the expression gets them. */
static enum expr_type element_of(const struct dataset *d, size_t group)
{
    const struct formulas *f = d->job.formulas;
    if (f && f->of_group[group] != FORMULA_NONE) {
        const enum expr_type type = f->expr[f->of_group[group]].type;
        return type == EXPR_BOOL || type == EXPR_INTEGER ? type : EXPR_FLOAT;
    }
    return d->inputs[0].is_bool           ? EXPR_BOOL
           : dtype_is_float(d->job.dtype) ? EXPR_FLOAT
                                          : EXPR_INTEGER;
}

static bool add_kind(const struct plan *plan, struct dataset *d, size_t group,
                     struct error *e)
{
    struct folds *f = d->folds;
    const enum expr_type element = element_of(d, group);
    struct fold *fold = &f->kind[element];
    f->kind_of[group] = (uint8_t)element;
    if (f->has[element])
        return true;
    fold->skips_nan = plan->nan == NAN_SKIP;
    fold->file = f->file;
    fold->items = plan_is_by(d) ? "of the key, those"
                  : d->table    ? "records"
                                : "elements";
    return fold_parse(f, element, plan->reduce, plan->identity, e);
}

bool folds_plan(const struct plan *plan, struct dataset *d, struct error *e)
{
    struct folds *f = d->folds;
    const size_t groups = job_groups(&d->job);
    char file[QUOTE_MAX];
    if (!f)
        return true;
    f->any_order = plan->any_order;
    f->kind_of = calloc(groups, 1);
    if (d->count == 1 && !plan_is_by(d))
        f->file = strdup(escape(file, d->inputs[0].name));
    if (!f->kind_of || (d->count == 1 && !plan_is_by(d) && !f->file))
        return error_memory(e);
    for (size_t g = 0; g < groups; g++) {
        if (!add_kind(plan, d, g, e))
            return false;
    }
    /* By key, values are kept and combined at the end (run/by_folds.h). */
    d->job.folds = plan_is_by(d) ? NULL : f;
    return true;
}

void folds_close(struct plan *plan)
{
    for (size_t i = 0; plan->datasets && i < plan->dataset_count; i++) {
        if (plan->datasets[i].folds)
            folds_free(plan->datasets[i].folds);
        free(plan->datasets[i].folds);
    }
}
