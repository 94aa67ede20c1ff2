/* SPDX-License-Identifier: MIT */
#include "plan/by.h"

#include <string.h>

#include "backend/registry.h"
#include "base/quote.h"
#include "cli/options.h"
#include "format/format.h"

/* Monoids of which there is one of all rows. */
#define OF_ALL                                                         \
    (MONOID_BIT(distinct) | MONOID_BIT(tallies) | MONOID_BIT(sketch) | \
     MONOID_BIT(ranks))

static bool check_op(const struct options *o, const struct op *op,
                     struct error *e)
{
    const bool is_integer =
        o->input.has_dtype && !dtype_is_float(o->input.dtype);
    if (op_of_pairs(op))
        return error_set(e, ERROR_USAGE,
                         "%s with --by is not available yet; it takes "
                         "operations of one column",
                         op->name);
    if (op->monoids & OF_ALL)
        return error_set(e, ERROR_USAGE,
                         "%s with --by is not available yet; --help=ops "
                         "lists others",
                         op->name);
    if (op->monoids & MONOID_BIT(prod) && !is_integer)
        return error_set(e, ERROR_USAGE,
                         "%s with --by is for integers, whose product does "
                         "not depend on their order: say -t i64",
                         op->name);
    return true;
}

static bool check_options(const struct options *o, struct error *e)
{
    static const char *const excluded[] = {"axis", "compare", "weights",
                                           "assert"};
    for (size_t i = 0; i < sizeof excluded / sizeof excluded[0]; i++) {
        if (options_given(o, excluded[i]))
            return error_set(e, ERROR_USAGE, "--by and --%s exclude each other",
                             excluded[i]);
    }
    if (o->form == FORM_npy)
        return error_set(e, ERROR_USAGE,
                         "--by and -O npy exclude each other: the keys are "
                         "texts; say -O csv or -O json");
    return true;
}

bool by_check(const struct options *o, struct error *e)
{
    if (!o->csv.by)
        return !options_given(o, "order") ||
               error_set(e, ERROR_USAGE,
                         "--order is for the keys of --by; give --by COLUMNS "
                         "too, or leave it out");
    if (!*o->csv.by)
        return error_set(e, ERROR_USAGE,
                         "--by takes the names or numbers of columns");
    if (!check_options(o, e))
        return false;
    for (size_t i = 0; i < o->ops; i++) {
        if (!check_op(o, o->op[i], e))
            return false;
    }
    return true;
}

void by_resolve(struct plan *plan, const struct options *o)
{
    plan->by = o->csv.by != NULL;
    plan->by_first = o->by_first;
    if (!plan->by)
        return;
    plan->csv.counts_records = true;
    plan->csv.spec.texts = plan->csv.spec.all_texts = false;
}

void by_plan(const struct plan *plan, struct dataset *d)
{
    const bool rows_only = plan->csv.spec.rows_only;
    if (!plan->by)
        return;
    const size_t columns =
        d->derived ? d->derived->formulas.reduced : d->table->valued;
    d->job.columns = rows_only ? 1 : columns;
    d->job.by = (struct job_by){.spec = {.keys = d->table->keys,
                                         .is_first = plan->by_first,
                                         .keeps_bad = plan->csv.spec.skip_bad},
                                .monoids = rows_only ? 0 : d->job.monoids,
                                .columns = rows_only ? 0 : columns};
    d->job.monoids &= MONOID_BIT(wide);
    d->by_column = false;
}

const char *by_left(const struct plan *plan, const struct dataset *d)
{
    const struct backend *backend = plan->backend;
    if (!backend)
        return "--by runs on the CPU unless another device is asked for";
    if (backend == backends[0])
        return NULL;
    return backend->by_left ? backend->by_left(&d->job)
                            : "--by runs on the CPU";
}
