/* SPDX-License-Identifier: MIT */
/* Prints expressions for --explain. */
#include "base/quote.h"
#include "plan/plan.h"

/* The user's reduction, which only the CPU runs. */
static void explain_folds(const struct plan *plan, const struct dataset *d,
                          FILE *to)
{
    static const char *const names[FOLD_KINDS] = {[EXPR_BOOL] = "bools",
                                                  [EXPR_INTEGER] = "integers",
                                                  [EXPR_FLOAT] = "floats"};
    char text[QUOTE_MAX];
    if (!d->folds)
        return;
    fprintf(to, "reduce\t%s (on the CPU, ", escape(text, plan->reduce));
    fprintf(to, d->table && plan->any_order
                    ? "in any order)\n"
                    : "in a tree fixed by the index)\n");
    fprintf(to, "  identity\t%s\n", escape(text, plan->identity));
    for (size_t i = 0; i < FOLD_KINDS; i++) {
        if (d->folds->has[i])
            fprintf(to, "  partials\t%s\n", names[d->folds->kind[i].type]);
    }
}

void explain_formulas(const struct plan *plan, const struct dataset *d,
                      FILE *to)
{
    const struct formula_texts *t = &plan->texts;
    char text[QUOTE_MAX], name[QUOTE_MAX];
    for (size_t i = 0; i < t->count; i++) {
        const bool is_condition = t->has_condition && i + 1 == t->count;
        fprintf(to, is_condition ? "where\t" : "  computed\t");
        if (t->name[i].at)
            fprintf(to, "%s = ",
                    escape_bytes(name, t->name[i].at, t->name[i].bytes));
        fprintf(to, "%s (on %s)\n", escape(text, t->source[i].text),
                d->team[0].backend->title);
    }
    if (d->counts_records)
        fprintf(to, "  slower\tindex() counts records: one thread reads them "
                    "in order\n");
    explain_folds(plan, d, to);
}
