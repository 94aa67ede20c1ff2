/* SPDX-License-Identifier: MIT */
/* Sets the columns of a dataset with expressions: which are reduced, which are
 * the key, and their names. */
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

/* The number of the table's columns, which are fields[0, n), up to the last one
 * that is among the first `items` items of a list. A name takes precedence over
 * a number. */
static size_t columns_of_items(const struct csv_table *t,
                               const uint32_t *fields, size_t n,
                               const struct expr_text *item, size_t items)
{
    size_t columns = 0;
    for (; items > 0; items--, item++) {
        size_t named = 0, numbered = 0;
        for (size_t c = 0; c < n; c++) {
            named = is_named(t, fields[c], *item) ? c + 1 : named;
            numbered = is_numbered(fields[c], *item) ? c + 1 : numbered;
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
    const struct formula_list *list = &plan->texts.columns;
    size_t c = 0;
    for (size_t k = 0; !plan->csv.spec.rows_only && k < list->count; k++) {
        const struct chosen *chosen = &list->chosen[k];
        const size_t before =
            chosen->items == SIZE_MAX
                ? valued
                : columns_of_items(d->table, d->table->field_of, valued,
                                   list->item, chosen->items);
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

/* Appends a column of the key: one of the table, or of a formula. */
static void add_key(struct formulas *f, size_t of_table, uint8_t formula)
{
    f->key[f->keys++] = (struct formula_key){formula, of_table};
}

bool formulas_make_keys(const struct plan *plan, struct dataset *d,
                        struct error *e)
{
    const struct formula_list *list = &plan->texts.keys;
    const struct csv_table *t = d->table;
    struct formulas *f = &d->derived->formulas;
    uint32_t field[CSV_KEYS_MAX];
    size_t of_table = 0;
    if (list->count == 0)
        return true;
    if (t->keys + list->count > CSV_KEYS_MAX)
        return error_named(e, ERROR_USAGE, d->inputs[0].name,
                           "--by takes at most %d columns, not %zu",
                           CSV_KEYS_MAX, t->keys + list->count);
    f->key = calloc(t->keys + list->count, sizeof *f->key);
    if (!f->key)
        return error_memory(e);
    for (size_t k = 0; k < t->keys; k++)
        field[k] = t->field_of[t->key_of[k]];
    for (size_t k = 0; k < list->count; k++) {
        const size_t before = columns_of_items(t, field, t->keys, list->item,
                                               list->chosen[k].items);
        while (of_table < before)
            add_key(f, of_table++, FORMULA_NONE);
        add_key(f, 0, list->chosen[k].formula);
    }
    while (of_table < t->keys)
        add_key(f, of_table++, FORMULA_NONE);
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

/* Names a column, which is one of the table or computed. Returns the number of
 * its field in *names. */
static uint32_t name_column(const struct plan *plan, const struct dataset *d,
                            uint8_t formula, size_t column, char **room)
{
    const struct formula_texts *texts = &plan->texts;
    const struct csv_table *t = d->table;
    if (formula == FORMULA_NONE) {
        const uint32_t field = t->field_of[column];
        d->derived->names.name[field] = t->name[field];
        return field;
    }
    const uint32_t field = (uint32_t)t->fields + formula;
    const bool is_let = texts->name[formula].at;
    char **name = &d->derived->names.name[field];
    if (!*name)
        *name = is_let ? put_name(room, texts->name[formula].at,
                                  texts->name[formula].bytes)
                       : put_name(room, texts->source[formula].text,
                                  texts->source[formula].bytes);
    return field;
}

/* Names computed columns as fields after those of the table. */
bool formulas_make_names(const struct plan *plan, struct dataset *d,
                         struct error *e)
{
    struct derived *x = d->derived;
    const struct formulas *f = &x->formulas;
    const struct csv_table *t = d->table;
    struct csv_table *names = &x->names;
    const bool has_columns = t->fields > 0 && !plan->csv.spec.rows_only;
    const size_t groups = has_columns ? f->groups : 0;
    names->name = calloc(t->fields + f->count + 1, sizeof *names->name);
    names->field_of = calloc(groups + f->keys + 1, sizeof *names->field_of);
    names->is_text = calloc(groups + 1, sizeof *names->is_text);
    char *room = x->bytes = malloc(bytes_of_names(plan));
    if (!names->name || !names->field_of || !names->is_text || !room)
        return error_memory(e);
    names->has_header = t->has_header;
    names->columns = names->valued = groups;
    names->fields = t->fields;
    names->keys = f->keys;
    for (size_t g = 0; g < groups; g++) {
        const uint8_t i = f->of_group[g];
        names->field_of[g] = name_column(plan, d, i, f->column_of[g], &room);
        names->is_text[g] =
            i == FORMULA_NONE && csv_is_text_column(t, f->column_of[g]);
    }
    for (size_t k = 0; k < f->keys; k++) {
        const struct formula_key *key = &f->key[k];
        names->key_of[k] = (uint32_t)(groups + k);
        names->field_of[groups + k] =
            name_column(plan, d, key->formula, t->key_of[key->of_table], &room);
    }
    return true;
}
