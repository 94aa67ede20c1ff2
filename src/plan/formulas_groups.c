/* SPDX-License-Identifier: MIT */
/* Sets the columns of a dataset with expressions: which are reduced, and their
 * names. */
#include <stdlib.h>
#include <string.h>

#include "csv/schema/names.h"
#include "plan/formulas.h"
#include "plan/plan.h"

/* Appends a column of the table or of a formula to those of the dataset. */
static void add_group(struct dataset *d, size_t column, uint8_t formula)
{
    struct formulas *f = &d->derived->formulas;
    f->of_group[f->groups] = formula;
    f->column_of[f->groups] = (uint32_t)column;
    f->dtypes[f->groups++] = formula == FORMULA_NONE
                                 ? dtype_info(d->job.dtype)->computed
                                 : FORMULA_DTYPE;
}

static bool is_named(const struct csv_table *t, size_t field,
                     struct expr_text item)
{
    const struct csv_span name = csv_name(t, field);
    return t->has_header &&
           expr_same_text((struct expr_text){name.at, name.bytes}, item);
}

/* Whether an item, a number from 1 or a range, has the field, whose number is
 * from 0. */
static bool is_numbered(size_t field, struct expr_text item)
{
    const char *const last = item.at + item.bytes;
    char *end;
    const uint64_t from = strtoull(item.at, &end, 10);
    uint64_t to = from;
    if (end < last && *end == '-')
        to = ++end < last ? strtoull(end, &end, 10) : UINT64_MAX;
    return end == last && from <= field + 1 && field + 1 <= to;
}

/* The number of the table's columns up to the last one that is among the first
 * `items` items of --columns. A name takes precedence over a number. */
static size_t columns_of_items(const struct csv_table *t, size_t valued,
                               const struct expr_text *item, size_t items)
{
    size_t columns = 0;
    for (; items > 0; items--, item++) {
        size_t named = 0, numbered = 0;
        for (size_t c = 0; c < valued; c++) {
            named = is_named(t, t->field_of[c], *item) ? c + 1 : named;
            numbered = is_numbered(t->field_of[c], *item) ? c + 1 : numbered;
        }
        numbered = named ? named : numbered;
        columns = numbered > columns ? numbered : columns;
    }
    return columns;
}

/* Appends the columns of the table that are reduced and those of formulas, in
 * the order asked for. */
static void add_groups(const struct plan *plan, struct dataset *d,
                       size_t valued)
{
    const struct formula_texts *t = &plan->texts;
    size_t c = 0;
    for (size_t k = 0; !plan->csv.spec.rows_only && k < t->chosen_count; k++) {
        const struct chosen *chosen = &t->chosen[k];
        const size_t before =
            chosen->items == SIZE_MAX
                ? valued
                : columns_of_items(d->table, valued, t->item, chosen->items);
        while (c < before)
            add_group(d, c++, FORMULA_NONE);
        add_group(d, 0, chosen->formula);
    }
    while (c < valued)
        add_group(d, c++, FORMULA_NONE);
}

/* Sets the columns: those that are reduced, then the weights. */
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
    add_groups(plan, d, valued);
    if (f->groups == 0)
        add_group(d, 0, FORMULA_NONE);
    f->reduced = f->groups;
    if (t && t->has_weight && t->weight >= t->valued)
        add_group(d, t->weight, FORMULA_NONE);
    return true;
}

/* Writes a name to *room in the form that csv_name reads, and moves *room past
 * it. Returns the name. */
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
