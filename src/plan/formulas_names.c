/* SPDX-License-Identifier: MIT */
/* Finds the meaning of the names in expressions in a dataset, and sets the
 * columns that the dataset has with them. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "csv/schema/names.h"
#include "formula/reading.h"
#include "plan/formulas.h"
#include "plan/plan.h"

/* What finding names needs while an expression is parsed. */
struct finder {
    const struct plan *plan;
    struct dataset *d;
    struct formulas *f; /* of d; gets the inputs that names mean */
    size_t formula;     /* the number of the expression being parsed */
};

static bool is_named(struct expr_text name, const char *text)
{
    return expr_same_text(name, (struct expr_text){text, strlen(text)});
}

/* The number of an input of the formulas. Adds it if it is new. */
static uint32_t input_of(struct formulas *f, enum formula_source source,
                         size_t number)
{
    size_t i = 0;
    while (i < f->inputs &&
           !(f->input[i].source == source && f->input[i].number == number))
        i++;
    if (i == f->inputs)
        f->input[f->inputs++] = (struct formula_input){source, number};
    return (uint32_t)i;
}

static enum expr_type type_of(const struct finder *x)
{
    return x->d->inputs[0].is_bool           ? EXPR_BOOL
           : dtype_is_float(x->d->job.dtype) ? EXPR_FLOAT
                                             : EXPR_INTEGER;
}

/* Finds an earlier formula of this name. */
static bool find_computed(struct finder *x, const struct expr_name *name,
                          struct expr_column *column)
{
    const struct formula_texts *t = &x->plan->texts;
    for (size_t i = 0; i < t->lets && i < x->formula; i++) {
        if (name->field || !expr_same_text(t->name[i], name->name))
            continue;
        column->index = input_of(x->f, FORMULA_COMPUTED, i);
        column->type = x->f->expr[i].type;
        return true;
    }
    return false;
}

static bool find_in_raw(struct finder *x, const struct expr_name *name,
                        struct expr_column *column, struct error *why)
{
    if (!name->field && is_named(name->name, "x")) {
        column->index = input_of(x->f, FORMULA_ELEMENTS, 0);
        column->type = type_of(x);
        return true;
    }
    if (!name->field && is_named(name->name, "i")) {
        column->index = input_of(x->f, FORMULA_INDEX, 0);
        column->type = EXPR_INTEGER;
        return true;
    }
    return error_set(
        why, ERROR_USAGE,
        "there are no columns here: x is the value and i its index");
}

/* Finds a column of the table, which was matched with the name when the table
 * was made. */
static bool find_in_table(struct finder *x, const struct expr_name *name,
                          struct expr_column *column)
{
    const struct formula_texts *t = &x->plan->texts;
    const uint32_t *used = x->d->table->used;
    for (size_t i = 0; i < t->used_count; i++) {
        const struct csv_used *u = &t->used[i];
        const struct expr_text text = {u->name.at, u->name.bytes};
        if (name->field ? u->field != name->field
                        : u->field || !expr_same_text(text, name->name))
            continue;
        /* Without records the table has no columns. Then nothing is read, and
         * any number will do. */
        column->index = input_of(x->f, FORMULA_CELLS, used ? used[i] : i);
        column->type = type_of(x);
        column->may_be_text = true;
        return true;
    }
    return false;
}

static bool find(void *context, const struct expr_name *name,
                 struct expr_column *column, struct error *why)
{
    struct finder *x = context;
    if (name->call.at) {
        if (!is_named(name->call, "index") || name->name.at || name->field)
            return false;
        column->index = input_of(x->f, FORMULA_INDEX, 0);
        column->type = EXPR_INTEGER;
        return true;
    }
    return find_computed(x, name, column) ||
           (x->d->table ? find_in_table(x, name, column)
                        : find_in_raw(x, name, column, why));
}

static bool parse(struct finder *x, struct error *e)
{
    const struct formula_texts *t = &x->plan->texts;
    const struct expr_names names = {find, x};
    for (; x->formula < t->count; x->formula++) {
        struct expr *expr = &x->f->expr[x->formula];
        const bool is_condition =
            t->has_condition && x->formula + 1 == t->count;
        const struct expr_source *source = &t->source[x->formula];
        if (!expr_parse(expr, *source, is_condition, &names, e))
            return false;
        x->f->count++;
        if (expr->type == EXPR_TEXT)
            return expr_complain(source, 0, ERROR_USAGE, e,
                                 "a computed column has numbers, or true and "
                                 "false; len() and num() make numbers of "
                                 "texts");
    }
    x->f->has_condition = t->has_condition;
    return true;
}

static bool make_formulas(const struct plan *plan, struct dataset *d,
                          struct error *e)
{
    const struct formula_texts *t = &plan->texts;
    struct formulas *f = &d->derived->formulas;
    struct finder x = {plan, d, f, 0};
    f->expr = calloc(t->count, sizeof *f->expr);
    f->input = calloc(t->used_count + t->count + 2, sizeof *f->input);
    if (plan->csv.spec.skip_bad && d->table &&
        !(f->read = calloc(t->used_count + t->count + 2, sizeof *f->read)))
        return error_memory(e);
    return ((f->expr && f->input) || error_memory(e)) && parse(&x, e);
}

/* Whether index() is used on text. It needs the number of all records before,
 * so one worker reads them in order. */
static bool counts_records(const struct dataset *d)
{
    const struct formulas *f = &d->derived->formulas;
    bool counts = false;
    for (size_t i = 0; i < f->inputs; i++)
        counts |= f->input[i].source == FORMULA_INDEX;
    return d->table && counts;
}

/* Whether raw data have the name already. */
static bool is_of_raw(struct expr_text name)
{
    return is_named(name, "x") || is_named(name, "i");
}

/* Whether the number of a field is its name. */
static bool is_number_of_field(const struct csv_table *t, struct expr_text name)
{
    size_t number = 0, i = 0;
    while (i < name.bytes && isdigit((unsigned char)name.at[i]) &&
           number <= t->fields)
        number = 10 * number + (size_t)(name.at[i++] - '0');
    return i == name.bytes && i > 0 && name.at[0] != '0' && number <= t->fields;
}

/* Whether a field has the name. */
static bool is_of_table(const struct csv_table *t, struct expr_text name)
{
    if (!t->has_header)
        return is_number_of_field(t, name);
    for (size_t k = 0; t->name && k < t->fields; k++) {
        if (!t->name[k])
            continue;
        const struct csv_span field = csv_name(t, k);
        if (expr_same_text(name, (struct expr_text){field.at, field.bytes}))
            return true;
    }
    return false;
}

/* False, with the error, if a computed column has the name of a field. */
static bool check_new(const struct plan *plan, const struct dataset *d,
                      struct error *e)
{
    const struct formula_texts *t = &plan->texts;
    for (size_t i = 0; i < t->lets; i++) {
        if (!d->table && is_of_raw(t->name[i]))
            return expr_complain(&t->source[i], 0, ERROR_USAGE, e,
                                 "x is the value and i its index; choose "
                                 "another name");
        if (d->table && is_of_table(d->table, t->name[i]))
            return expr_complain(
                &t->source[i], 0, ERROR_USAGE, e,
                "the data has a column of this name already; choose "
                "another one");
    }
    return true;
}

bool formulas_plan(const struct plan *plan, struct dataset *d, struct error *e)
{
    struct derived *x = d->derived;
    const struct csv_table *t = d->table;
    if (!x)
        return true;
    if (!t && plan->texts.lets > 0 && !plan->texts.has_map)
        return error_named(e, ERROR_USAGE, d->inputs[0].name,
                           "this has one column; say --map EXPR for what is "
                           "reduced instead of it, or --where EXPR");
    if (t && plan->by && plan->csv.computes && d->job.dtype != FORMULA_DTYPE)
        return error_named(e, ERROR_USAGE, d->inputs[0].name,
                           "--dtype cannot be combined with --by and computed "
                           "columns; leave it out");
    if (!make_formulas(plan, d, e) || !check_new(plan, d, e) ||
        !formulas_make_groups(plan, d, e) || !formulas_make_keys(plan, d, e))
        return false;
    d->job.formulas = &x->formulas;
    d->job.reading =
        t ? &reading_formulas_of_records : &reading_formulas_of_elements;
    d->job.dtypes = x->formulas.dtypes;
    if (t) {
        d->job.columns = x->formulas.groups;
        d->counts_records = counts_records(d);
        if ((x->formulas.keys > 0 ||
             (t->fields > 0 && !plan->csv.spec.rows_only)) &&
            !formulas_make_names(plan, d, e))
            return false;
        if (t->fields > 0 && !plan->csv.spec.rows_only)
            d->names = &x->names;
    }
    /* `wide` keeps large integers, and counts those that were rounded, in a
     * condition too. */
    d->job.monoids |= t && d->job.dtype == DTYPE_f64 ? MONOID_BIT(wide) : 0;
    for (size_t g = 0; g < x->formulas.groups; g++) {
        if (x->formulas.of_group[g] != FORMULA_NONE &&
            d->job.monoids & ~MONOID_BIT(count))
            d->job.monoids |= MONOID_BIT(wide);
    }
    return true;
}

bool formulas_pair(struct dataset *d, struct error *e)
{
    if (!d->derived || d->job.pairing.kind == PAIRING_NONE)
        return true;
    if (d->job.dtype != FORMULA_DTYPE)
        return error_named(
            e, ERROR_USAGE, d->inputs[0].name,
            "--dtype cannot be combined with expressions and pairs "
            "of columns; leave it out");
    d->derived->formulas.packs_rows = true;
    d->job.dtypes = NULL;
    return true;
}
