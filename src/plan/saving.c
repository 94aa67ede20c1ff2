/* SPDX-License-Identifier: MIT */
/* What excludes --save-state and --merge. */
#include "plan/saving.h"

#include <string.h>

#include "base/quote.h"
#include "base/text.h"
#include "cli/options.h"
#include "cli/rows.h"

/* The options that --merge takes. The others belong to the question, which the
 * states have answered already. */
static const char merge_takes[] =
    "merge op output-format json digits interpolation empty order assert "
    "files0-from threads progress verbose quiet";

/* Those of gpureduce-mpi that the first rank obeys once it has all states. */
static const char first_rank_takes[] =
    "assert output-format json digits empty order";

static const struct {
    const char *name, *why;
} save_excludes[] = {
    {"merge", "--merge prints the results of states"},
    {"compare", "it has no states"},
    {"per-file", "a file of states has one result; run once for each FILE"},
    {"axis", "the states of arrays along axes cannot be saved yet"},
    {"reduce", "its partials belong to their places in the data"},
    {"verify", "there are no results yet to compare"},
    {"assert", "give it to --merge, which knows all data"},
    {"output-format", "give it to --merge, which prints"},
    {"json", "give it to --merge, which prints"},
    {"digits", "give it to --merge, which prints"},
    {"empty", "give it to --merge, which prints"},
    {"order", "give it to --merge, which prints"},
};

bool saving_check(const struct options *o, struct error *e)
{
    const struct option_row *row;
    for (size_t i = 0; o->merge && (row = option_row(i)); i++) {
        if (o->given[i / 64] >> i % 64 & 1 &&
            !text_has_word(merge_takes, row->name))
            return error_set(e, ERROR_USAGE,
                             "--merge and --%s exclude each other: the states "
                             "were computed when they were saved",
                             row->name);
    }
    for (size_t i = 0; i < sizeof save_excludes / sizeof save_excludes[0];
         i++) {
        if (o->save &&
            !(o->of_rank &&
              text_has_word(first_rank_takes, save_excludes[i].name)) &&
            options_given(o, save_excludes[i].name))
            return error_set(e, ERROR_USAGE,
                             "--save-state and --%s exclude each other: %s",
                             save_excludes[i].name, save_excludes[i].why);
    }
    return true;
}

bool saving_resolve(struct plan *plan, const struct options *o, struct error *e)
{
    plan->save = o->save;
    plan->asked_as =
        (unsigned)(o->summary | o->describes << 1 | o->asked_all << 2);
    if (!o->save)
        return true;
    for (size_t i = 0; i < plan->ops; i++) {
        if (saved_left(op_monoids(plan->op[i], plan->nan)))
            return error_set(e, ERROR_USAGE,
                             "--save-state cannot save what %s needs: it grows "
                             "with the data%s\n"
                             "Give all FILEs to one run.",
                             plan->op[i]->name,
                             strcmp(plan->op[i]->name, "nunique") == 0
                                 ? "; approx_nunique does not"
                                 : "");
    }
    /* JSON says how many values are NaN. */
    if (!op_counts_nans(plan->monoids) && !plan->csv.spec.rows_only)
        plan->monoids |= MONOID_BIT(count);
    return true;
}

bool saving_check_dataset(const struct plan *plan, const struct dataset *d,
                          struct error *e)
{
    if (!plan->save)
        return true;
    if (plan->packs.count > 0)
        return error_named(e, ERROR_USAGE, d->inputs[0].name,
                           "--save-state takes one array or table, and it has "
                           "several; name one of them");
    if (d->job.by.file)
        return error_set(e, ERROR_USAGE,
                         "--save-state and --keys exclude each other: the "
                         "states of elements by key cannot be saved yet");
    if (saved_left(d->job.monoids | d->job.by.monoids))
        return error_set(e, ERROR_USAGE,
                         "--save-state cannot save what is asked for: it grows "
                         "with the data");
    for (size_t i = 0; d->derived && i < d->derived->formulas.inputs; i++) {
        if (d->derived->formulas.input[i].source == FORMULA_INDEX)
            return error_set(e, ERROR_USAGE,
                             "--save-state cannot save what depends on "
                             "index(): it counts from the start of the part");
    }
    if (d->job.by.spec.in_order)
        return error_set(e, ERROR_USAGE,
                         "--save-state cannot save prod of %s or pairs by key: "
                         "the values of each key are kept",
                         dtype_info(d->job.dtype)->name);
    return !job_ordered(&d->job) ||
           error_set(e, ERROR_USAGE,
                     "--save-state cannot save prod of %s, which depends on "
                     "the order of the data; it can of integers: -t i64",
                     dtype_info(d->job.dtype)->name);
}
