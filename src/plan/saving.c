/* SPDX-License-Identifier: MIT */
/* What excludes --save-state and --merge. */
#include "plan/saving.h"

#include <string.h>

#include "base/quote.h"
#include "base/text.h"
#include "by/values.h"
#include "cli/options.h"
#include "cli/rows.h"

/* The options that --merge takes. The others belong to the question, which the
 * states have answered already. */
static const char merge_takes[] =
    "merge op output-format json digits interpolation empty order assert "
    "files0-from threads progress verbose quiet";

/* The options of printing. --merge takes them. In a job of gpureduce-mpi the
 * first rank uses them, once it has all states. */
static const char prints_by[] =
    "output-format json digits interpolation empty order";

static const struct {
    const char *name, *why;
} save_excludes[] = {
    {"merge", "--merge prints the results of states"},
    {"compare", "it has no states"},
    {"per-file", "a file of states has one result; run once for each FILE"},
    {"reduce", "its partials belong to their places in the data"},
    {"verify", "there are no results yet to compare"},
    {"assert", "give it to --merge, which knows all data"},
};

/* Why a named option excludes --save-state; NULL: it does not. */
static const char *save_excludes_why(const struct options *o, const char *name)
{
    const bool prints = text_has_word(prints_by, name);
    if (o->of_rank && (prints || strcmp(name, "assert") == 0))
        return NULL;
    for (size_t i = 0; i < sizeof save_excludes / sizeof *save_excludes; i++) {
        if (strcmp(save_excludes[i].name, name) == 0)
            return save_excludes[i].why;
    }
    return prints ? "give it to --merge, which prints" : NULL;
}

bool saving_check(const struct options *o, struct error *e)
{
    const struct option_row *row;
    for (size_t i = 0; (row = option_row(i)); i++) {
        if (!(o->given[i / 64] >> i % 64 & 1))
            continue;
        if (o->merge && !o->save && !text_has_word(merge_takes, row->name))
            return error_set(e, ERROR_USAGE,
                             "--merge and --%s exclude each other: the states "
                             "were computed when they were saved",
                             row->name);
        const char *why = o->save ? save_excludes_why(o, row->name) : NULL;
        if (why && (!o->merge || strcmp(row->name, "merge") == 0))
            return error_set(e, ERROR_USAGE,
                             "--save-state and --%s exclude each other: %s",
                             row->name, why);
    }
    return true;
}

void saving_resolve(struct plan *plan, const struct options *o)
{
    plan->save = o->save;
    plan->asked_as =
        (unsigned)(o->summary | o->describes << 1 | o->asked_all << 2);
    /* JSON says how many values are NaN. */
    if (o->save && !op_counts_nans(saving_monoids(plan)) &&
        !plan->csv.spec.rows_only)
        plan->monoids |= MONOID_BIT(count);
}

unsigned saving_monoids(const struct plan *plan)
{
    const unsigned set = plan->monoids;
    if (!plan->save || plan->bins || plan->by || !(set & MONOID_BIT(ranks)))
        return set;
    return (set & ~(MONOID_BIT(ranks) | MONOID_BIT(distinct))) |
           MONOID_BIT(tallies);
}

const char *saving_left(const struct plan *plan, const struct dataset *d)
{
    const unsigned values = MONOID_BIT(distinct) | MONOID_BIT(tallies);
    return !plan->save               ? NULL
           : d->has_axes             ? "the states of outputs are saved"
           : d->job.monoids & values ? "distinct values are saved"
                                     : NULL;
}

/* Refuses an operation whose states cannot be saved. */
static bool check_what_grows(const struct plan *plan, const struct dataset *d,
                             struct error *e)
{
    const unsigned by = d->job.by.monoids;
    const unsigned left =
        d->job.by.columns ? by & BY_VALUES : d->job.monoids & MONOID_BIT(ranks);
    const char *name = "what is asked for";
    for (size_t i = plan->ops; left && i-- > 0;) {
        if (op_monoids(plan->op[i], plan->nan) & left)
            name = plan->op[i]->name;
    }
    return !left ||
           error_set(e, ERROR_USAGE,
                     "--save-state cannot save what %s needs%s: it grows with "
                     "the data%s\n"
                     "Give all FILEs to one run.",
                     name, d->job.by.columns ? " by key" : "",
                     strcmp(name, "nunique") == 0 ? "; approx_nunique does not"
                                                  : "");
}

/* Of a part of the data, index() would count from the start of the part. */
static bool check_indexes(const struct plan *plan, const struct dataset *d,
                          struct error *e)
{
    const bool is_part = plan->parts > 0 || plan->save;
    for (size_t i = 0; is_part && d->derived && i < d->derived->formulas.inputs;
         i++) {
        if (d->derived->formulas.input[i].source == FORMULA_INDEX)
            return error_set(e, ERROR_USAGE,
                             "%s what depends on index(): it counts from the "
                             "start of the part",
                             plan->save ? "--save-state cannot save"
                                        : "--part cannot compute");
    }
    return true;
}

bool saving_check_dataset(const struct plan *plan, const struct dataset *d,
                          struct error *e)
{
    if (!check_indexes(plan, d, e))
        return false;
    if (!plan->save)
        return true;
    if (plan->packs.count > 0)
        return error_named(e, ERROR_USAGE, input_file(&d->inputs[0]),
                           "--save-state takes one array or table, and it has "
                           "several; name one of them, as FILE:NAME");
    if (!check_what_grows(plan, d, e))
        return false;
    if (d->job.by.spec.in_order)
        return error_set(e, ERROR_USAGE,
                         "--save-state cannot save prod of %s or pairs by key: "
                         "the values of each key are kept",
                         dtype_info(dataset_dtype(d, 0))->name);
    return !job_ordered(&d->job) ||
           error_set(e, ERROR_USAGE,
                     "--save-state cannot save prod of %s, which depends on "
                     "the order of the data; it can of integers%s",
                     dtype_info(dataset_dtype(d, 0))->name,
                     d->table && !d->derived ? ": -t i64" : "");
}
