/* SPDX-License-Identifier: MIT */
/* The table of output formats, and the choice of the ops that they print. */

#include "base/terminal.h"
#include "run/joint.h"

static const struct form forms[] = {
#define FORM_ROW(name, elements, ...) [FORM_##name] = {__VA_ARGS__},
    OUTPUT_FORMATS(FORM_ROW)
#undef FORM_ROW
};

struct value printer_value(const struct printer *p,
                           const struct answers_part *part, size_t row,
                           size_t op)
{
    const struct answers *a = p->answers;
    return values_at(&a->values, (part->first + row) * a->plan->ops + op);
}

bool answers_any(const struct answers *a, size_t op)
{
    const size_t ops = a->plan->ops;
    if (a->plan->joint && a->plan->joint->any[op])
        return true;
    for (size_t i = op; i < a->values.n; i += ops) {
        if (values_at(&a->values, i).word[0] != 0)
            return true;
    }
    return false;
}

static bool is_shown(const struct answers *a, size_t op)
{
    switch (a->plan->shown[op]) {
    case SHOWN_FOR_TEXT:
        return a->has_text;
    case SHOWN_FOR_BINARY:
        return a->has_binary;
    case SHOWN_IF_ANY:
        return answers_any(a, op);
    case SHOWN_NEVER:
        return false;
    default:
        return true;
    }
}

static void choose_ops(struct printer *p)
{
    const struct plan *plan = p->answers->plan;
    for (size_t i = 0; i < plan->ops; i++) {
        if (is_shown(p->answers, i)) {
            p->index[p->ops] = i;
            p->op[p->ops++] = plan->op[i];
        }
    }
}

bool answers_print(const struct answers *a, int fd, struct error *e)
{
    struct printer p;
    p.answers = a;
    p.form = &forms[a->plan->form];
    p.by_file = a->plan->per_file || a->plan->packs.by_file;
    p.by_part = a->plan->packs.count > 0;
    p.by_column = a->by_column;
    p.ops = p.cells = p.elements = 0;
    p.has_bars = a->plan->form == FORM_text && terminal_is(fd);
    p.edges = (struct print_edges){.of = NULL};
    choose_ops(&p);
    if (a->plan->form == FORM_npy && !npy_check(&p, e))
        return false;
    if ((a->plan->form == FORM_csv || a->plan->form == FORM_tsv) &&
        !print_by_check(a, e))
        return false;
    writer_start(&p.to, fd);
    const bool is_table = a->plan->bins > 0 && !a->plan->has_axes &&
                          !(FORMS_WITH_ELEMENTS >> a->plan->form & 1);
    for (size_t i = 0; is_table && i < a->parts; i++)
        p.by_column |= a->part[i].by && a->part[i].by->columns > 1;
    if (p.form->begin && !is_table)
        p.form->begin(&p);
    for (size_t i = 0; i < a->parts; i++)
        (is_table ? print_histograms : p.form->part)(&p, &a->part[i]);
    if (p.form->end && !is_table)
        p.form->end(&p);
    edges_free(&p.edges);
    return writer_end(&p.to, e);
}
