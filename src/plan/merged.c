/* SPDX-License-Identifier: MIT */
/* The plan of merged states: their question takes the place of inputs. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "by/values.h"
#include "csv/schema/table.h"
#include "format/format.h"
#include "plan/axes.h"
#include "plan/by.h"
#include "plan/merging_parts.h"

uint64_t merged_number(const struct plan *plan, enum saved_number_of which)
{
    return plan->merged->question.number[which];
}

struct saved_text merged_text(const struct plan *plan, enum saved_text_of which)
{
    return plan->merged->question.text[which];
}

bool merged_damaged(const struct plan *plan, struct error *e)
{
    return error_named(e, ERROR_DATA, plan->names.name[0],
                       "it is damaged: its question has no meaning");
}

/* Makes the table of the columns' names. */
static bool make_table(const struct plan *plan, struct csv_table *t,
                       struct error *e)
{
    struct saved_text list = merged_text(plan, SAVED_names), item;
    const struct saved_text is_text = merged_text(plan, SAVED_is_text);
    struct saved_text keys = merged_text(plan, SAVED_keys);
    size_t columns = 0;
    while (saved_next_item(&list, &item))
        columns++;
    while (t->keys < SAVED_KEYS_MAX && saved_next_item(&keys, &item))
        t->keys++;
    if (list.n > 0 || (is_text.n > 0 && is_text.n != columns))
        return merged_damaged(plan, e);
    list = merged_text(plan, SAVED_names);
    t->has_header = merged_number(plan, SAVED_has_header) != 0;
    t->columns = t->valued = columns;
    const size_t names = columns + t->keys;
    t->fields = merged_number(plan, SAVED_is_table) && names < 2 ? 2 : names;
    t->name = calloc(t->fields + 1, sizeof *t->name);
    t->field_of = calloc(names + 1, sizeof *t->field_of);
    t->is_text = is_text.n ? calloc(columns, 1) : NULL;
    /* Of each item, the length and two marks become a length and a NUL. */
    keys = merged_text(plan, SAVED_keys);
    t->names = malloc(list.n + keys.n + names * (sizeof(uint32_t) + 1) + 1);
    if (!t->name || !t->field_of || !t->names || (is_text.n && !t->is_text))
        return error_memory(e);
    char *to = t->names;
    for (size_t c = 0; c < names; c++) {
        saved_next_item(c < columns ? &list : &keys, &item);
        const uint32_t bytes = (uint32_t)item.n;
        memcpy(to, &bytes, sizeof bytes);
        t->name[c] = to + sizeof bytes;
        memcpy(t->name[c], item.at, item.n);
        t->name[c][item.n] = '\0';
        to = t->name[c] + item.n + 1;
        if (c >= columns)
            t->key_of[c - columns] = (uint32_t)c;
        t->field_of[c] = (uint32_t)c;
        if (c < columns && is_text.n)
            t->is_text[c] = is_text.at[c] == '1';
    }
    return true;
}

/* Sets how the cells were read, as run/saving.c wrote it, so that keys are
 * sorted as in a run over all data. */
static bool take_notation(struct plan *plan, struct error *e)
{
    struct saved_text list = merged_text(plan, SAVED_reading), item[3];
    struct csv_notation *n = &plan->csv.spec.notation;
    char text[200] = "";
    int parens = 0;
    for (size_t i = 0; i < 3; i++) {
        if (!saved_next_item(&list, &item[i]))
            return i == 0 || merged_damaged(plan, e);
    }
    memcpy(text, item[0].at,
           item[0].n < sizeof text ? item[0].n : sizeof text - 1);
    if (sscanf(text,
               "delimiter %*d, quote %*d, comment %*d, decimal '%c', missing "
               "%*d, bad %*d, ragged %*d, parentheses %d",
               &n->decimal, &parens) != 2 ||
        item[1].n > sizeof n->thousands || item[2].n > sizeof n->strip)
        return merged_damaged(plan, e);
    memcpy(n->thousands, item[1].at, item[1].n);
    memcpy(n->strip, item[2].at, item[2].n);
    n->thousands_bytes = (unsigned char)item[1].n;
    n->strip_bytes = (unsigned char)item[2].n;
    n->parens = parens;
    n->used = n->decimal != '.' || parens || item[1].n + item[2].n > 0;
    return true;
}

static bool make_inputs(struct plan *plan, enum dtype dtype, bool is_bool,
                        struct error *e)
{
    const struct saved *s = plan->merged;
    const struct saved_text data = merged_text(plan, SAVED_data);
    const bool is_text = data.n == 4 && memcmp(data.at, "text", 4) == 0;
    const size_t n = s->inputs;
    if (n == 0)
        return merged_damaged(plan, e);
    plan->inputs = calloc(n + 1, sizeof *plan->inputs);
    for (size_t i = 0; plan->inputs && i < n; i++) {
        struct saved_input *x = &s->input[i];
        struct input *input = &plan->inputs[plan->input_count++];
        *input = (struct input){.name = x->name,
                                .settings = &plan->settings,
                                .format = format_find(is_text ? "csv" : "raw"),
                                .dtype = dtype,
                                .is_bool = is_bool,
                                .fd = -1,
                                .offset = x->offset,
                                .records = x->elements,
                                .is_fortran = x->rank > 0,
                                .rank = x->rank};
        input->taken = x->elements * dtype_info(dtype)->size;
        if (is_text && !(input->table = calloc(1, sizeof *input->table)))
            return error_memory(e);
        if (x->rank > 0 && !(input->shape = malloc(sizeof x->shape)))
            return error_memory(e);
        if (x->rank > 0)
            memcpy(input->shape, x->shape, sizeof x->shape);
    }
    if (!plan->inputs)
        return error_memory(e);
    return !is_text || (take_notation(plan, e) &&
                        make_table(plan, plan->inputs[0].table, e));
}

/* The monoids whose operations the states answer. Distinct values with their
 * counts have the values of all ranks. */
static unsigned merged_answers(const struct plan *plan)
{
    const unsigned has = plan->merged->monoids;
    const unsigned of_values = MONOID_BIT(distinct) | MONOID_BIT(ranks);
    return has & MONOID_BIT(tallies) ? has | of_values : has;
}

/* Whether no states, or none by key, answer the operation. */
static bool is_never_saved(const struct plan *plan, const struct dataset *d,
                           const struct op *op)
{
    return op_is_histogram(op) || op_is_fold(op) ||
           (op->monoids & MONOID_BIT(prod) && dtype_is_float(d->job.dtype)) ||
           (plan->merged->groups &&
            (op_monoids(op, plan->nan) & BY_VALUES || op_of_pairs(op)));
}

/* False, with the error, if the states cannot answer the operation. */
static bool check_op(const struct plan *plan, const struct dataset *d,
                     const struct op *op, struct error *e)
{
    const char *file = plan->names.name[0];
    const bool of_pairs = d->job.pairing.kind == PAIRING_ONE ||
                          d->job.pairing.kind == PAIRING_MATRIX;
    const unsigned need = op_monoids(op, plan->nan);
    const bool reads = op_reads_cells(op);
    if (is_never_saved(plan, d, op))
        return error_named(e, ERROR_USAGE, file,
                           "no states answer %s; give all data to one run",
                           op->name);
    if ((reads && need & ~merged_answers(plan)) ||
        of_pairs != op_of_pairs(op) ||
        (merged_number(plan, SAVED_rows_only) && reads) ||
        (d->job.texts && !op_takes_text(op)))
        return error_named(e, ERROR_USAGE, file,
                           "its states do not answer %s; save them with -o %s",
                           op->name, op->name);
    return true;
}

/* States always have what is only computed, such as the counts of JSON. */
static bool check_ops(const struct plan *plan, const struct dataset *d,
                      struct error *e)
{
    for (size_t i = 0; i < plan->asked; i++) {
        if (!check_op(plan, d, plan->op[i], e))
            return false;
    }
    for (size_t i = 0; i < plan->assertions; i++) {
        for (size_t k = 0; k < plan->assertion[i].names; k++) {
            if (!check_op(plan, d, plan->assertion[i].name[k].op, e))
                return false;
        }
    }
    return true;
}

/* Sets the array of states along axes: axis 0 joins the arrays. */
static bool make_geometry(const struct plan *plan, struct geometry *g)
{
    struct saved_text list = merged_text(plan, SAVED_axes), item;
    const struct saved *s = plan->merged;
    struct error unused;
    uint64_t others = 1;
    while (!g->keeps && saved_next_item(&list, &item)) {
        char text[40] = "", *end = text;
        memcpy(text, item.at, item.n < sizeof text ? item.n : 0);
        g->keeps = g->rank > 0 && strcmp(text, "keepdims") == 0;
        if (g->keeps)
            continue;
        if (g->rank == RANK_MAX)
            return false;
        g->size[g->rank] = strtoull(text, &end, 10);
        g->reduced[g->rank] = strcmp(end, " reduced") == 0;
        if (g->rank == 0 ? strcmp(text, "any reduced") != 0
                         : end == text || (!g->reduced[g->rank] &&
                                           strcmp(end, " kept") != 0))
            return false;
        if (g->rank > 0 && g->reduced[g->rank] &&
            __builtin_mul_overflow(others, g->size[g->rank], &others))
            return false;
        g->rank++;
    }
    g->reduced[0] = true;
    g->size[0] = others ? s->elements / others : 0;
    return list.n == 0 && geometry_make(g, &unused) && !s->groups &&
           geometry_results(g) == merged_number(plan, SAVED_groups) &&
           merged_number(plan, SAVED_pairing) == PAIRING_NONE;
}

static bool make_dataset(struct plan *plan, struct dataset *d, struct error *e)
{
    const struct saved *s = plan->merged;
    *d = (struct dataset){.inputs = plan->inputs,
                          .count = plan->input_count,
                          .table = plan->inputs[0].table,
                          .by_column = merged_number(plan, SAVED_is_named)};
    d->names = d->table && d->table->columns > 0 ? d->table : NULL;
    d->job = (struct job){
        .dtype = plan->inputs[0].dtype,
        .dtypes = s->dtypes,
        .monoids = s->whole,
        .text = d->table ? &plan->csv.spec : NULL,
        .columns = (size_t)merged_number(plan, SAVED_columns),
        .pairing = {(enum pairing_kind)merged_number(plan, SAVED_pairing),
                    (size_t)merged_number(plan, SAVED_paired),
                    (size_t)merged_number(plan, SAVED_weight)},
        .texts = d->table && d->table->is_text,
        .meter = plan->settings.meter};
    if (s->groups) {
        s->groups->layout.spec.is_first = plan->by_first;
        d->job.by = (struct job_by){
            .spec = s->groups->layout.spec,
            .monoids = s->monoids,
            .columns = (size_t)merged_number(plan, SAVED_by_columns)};
    }
    if (d->by_column && (!d->names || d->names->columns < dataset_columns(d)))
        return merged_damaged(plan, e);
    d->rows = plan->only_rows && !plan->has_axes ? 1 : job_groups(&d->job);
    /* One count for all columns, without a name unless a condition has one. */
    if (plan->only_rows && plan->assertions == 0) {
        d->job.by.columns = 0;
        d->job.texts = false;
        d->names = NULL;
    }
    d->by_column = d->by_column && !plan->only_rows;
    d->empty =
        plan->empty == EMPTY_ERROR && d->by_column ? EMPTY_BLANK : plan->empty;
    d->has_axes = plan->has_axes;
    if (d->has_axes && (d->table || !make_geometry(plan, &d->geometry)))
        return merged_damaged(plan, e);
    if (d->has_axes && !axes_check_rank(plan, &d->geometry, e))
        return false;
    return by_check_names(plan, d, e) && check_ops(plan, d, e) &&
           assertions_check(plan, d, e);
}

bool merging_plan(struct plan *plan, struct error *e)
{
    struct saved_text keys = merged_text(plan, SAVED_keys);
    if (!make_inputs(plan, plan->settings.dtype, plan->settings.is_bool, e))
        return false;
    if (plan->merged->groups && !plan->inputs[0].table &&
        !saved_next_dtype(&keys, &plan->keys.input.dtype))
        return merged_damaged(plan, e);
    plan->datasets = calloc(1, sizeof *plan->datasets);
    if (!plan->datasets)
        return error_memory(e);
    plan->dataset_count = 1;
    return make_dataset(plan, plan->datasets, e);
}
