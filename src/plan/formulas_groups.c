/* SPDX-License-Identifier: MIT */
/* The columns that a dataset with expressions has: which are reduced, and what
 * they are called. */
#include <stdlib.h>
#include <string.h>

#include "csv/schema/names.h"
#include "plan/formulas.h"
#include "plan/plan.h"

/* Appends a column to the dataset's: of the table, or of a formula. */
static void add_group(struct dataset *d, size_t column, uint8_t formula)
{
    struct formulas *f = &d->derived->formulas;
    f->of_group[f->groups] = formula;
    f->column_of[f->groups] = (uint32_t)column;
    f->dtypes[f->groups++] = formula == FORMULA_NONE
                                 ? dtype_info(d->job.dtype)->computed
                                 : FORMULA_DTYPE;
}

/* The columns of the table that are reduced, then those of formulas, then the
 * weights. */
bool formulas_make_groups(const struct plan *plan, struct dataset *d,
                          struct error *e)
{
    struct formulas *f = &d->derived->formulas;
    const struct csv_table *t = d->table;
    const size_t valued = !t                         ? !plan->texts.has_map
                          : plan->csv.spec.rows_only ? 1
                                                     : t->valued;
    const size_t most = valued + f->count + 2;
    f->of_group = calloc(most, sizeof *f->of_group);
    f->column_of = calloc(most, sizeof *f->column_of);
    f->dtypes = calloc(most, sizeof *f->dtypes);
    if (!f->of_group || !f->column_of || !f->dtypes)
        return error_memory(e);
    for (size_t c = 0; c < valued; c++)
        add_group(d, c, FORMULA_NONE);
    for (size_t i = 0; !plan->csv.spec.rows_only && i < f->count; i++) {
        if (plan->texts.is_chosen[i])
            add_group(d, 0, (uint8_t)i);
    }
    if (f->groups == 0)
        add_group(d, 0, FORMULA_NONE);
    f->reduced = f->groups;
    if (t && t->has_weight && t->weight >= t->valued)
        add_group(d, t->weight, FORMULA_NONE);
    return true;
}

/* Puts a name at *room as csv_name reads it. */
static char *put_name(char **room, const char *text, size_t bytes)
{
    const uint32_t n = (uint32_t)bytes;
    char *at = *room + sizeof n;
    memcpy(*room, &n, sizeof n);
    memcpy(at, text, bytes);
    at[bytes] = '\0';
    *room = at + bytes + 1;
    return at;
}

static size_t bytes_of_names(const struct plan *plan)
{
    size_t bytes = 1;
    for (size_t i = 0; i < plan->texts.count; i++)
        bytes += plan->texts.source[i].bytes + plan->texts.name[i].bytes +
                 sizeof(uint32_t) + 1;
    return bytes;
}

/* Names computed columns as fields after those of the table. */
bool formulas_make_names(const struct plan *plan, struct dataset *d,
                         struct error *e)
{
    struct derived *x = d->derived;
    const struct formulas *f = &x->formulas;
    const struct formula_texts *texts = &plan->texts;
    const struct csv_table *t = d->table;
    struct csv_table *names = &x->names;
    names->name = calloc(t->fields + f->count + 1, sizeof *names->name);
    names->field_of = calloc(f->groups + 1, sizeof *names->field_of);
    names->is_text = calloc(f->groups + 1, sizeof *names->is_text);
    char *room = x->bytes = malloc(bytes_of_names(plan));
    if (!names->name || !names->field_of || !names->is_text || !room)
        return error_memory(e);
    names->has_header = t->has_header;
    names->columns = names->valued = f->groups;
    names->fields = t->fields;
    for (size_t g = 0; g < f->groups; g++) {
        const uint8_t i = f->of_group[g];
        const bool is_let = i != FORMULA_NONE && texts->name[i].at;
        names->field_of[g] = i == FORMULA_NONE ? t->field_of[f->column_of[g]]
                                               : (uint32_t)t->fields + i;
        names->is_text[g] =
            i == FORMULA_NONE && csv_is_text_column(t, f->column_of[g]);
        names->name[names->field_of[g]] =
            i == FORMULA_NONE ? t->name[names->field_of[g]]
            : is_let ? put_name(&room, texts->name[i].at, texts->name[i].bytes)
                     : put_name(&room, texts->source[i].text,
                                texts->source[i].bytes);
    }
    return true;
}
