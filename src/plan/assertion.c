/* SPDX-License-Identifier: MIT */
#include "plan/assertion.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "plan/merging_parts.h"
#include "plan/pairs.h"

/* Bytes: the most of an op's name, and of a column's name in a message. */
enum { WORD_MAX = 2 * PERCENT_NAME_MAX, SHOWN_BYTES = 100 };

/* The index of the name in the assertion's table. Adds it if it is new. */
static uint32_t index_of(struct assertion *a, const struct asserted *name)
{
    size_t i = 0;
    for (; i < a->names; i++) {
        const struct asserted *other = &a->name[i];
        if (other->op == name->op && other->of_column == name->of_column &&
            other->field == name->field &&
            expr_same_text(other->column, name->column))
            return (uint32_t)i;
    }
    a->name[a->names++] = *name;
    return (uint32_t)i;
}

static const char *op_name(size_t i, const void *context)
{
    const struct op *op = op_at(i);
    (void)context;
    return op ? op->name : NULL;
}

static bool unknown(const char *word, struct error *why)
{
    char quoted[QUOTE_MAX];
    const char *near =
        word[0] == '$' ? NULL : text_nearest(word, op_name, NULL);
    if (op_foreign(word, why))
        return false;
    if (near)
        return error_set(why, ERROR_USAGE,
                         "there is no operation %s; did you mean %s?",
                         quote(quoted, word), near);
    return error_set(why, ERROR_USAGE,
                     "there is no operation %s; for a column say max(NAME)",
                     quote(quoted, word));
}

/* The type of an op in a condition: any and alltrue are bools; others are
 * integers or floats, depending on the data. */
static enum expr_type type_of(const struct op *op)
{
    return text_has_word("any alltrue", op->name) ? EXPR_BOOL : EXPR_NUMBER;
}

/* Finds the meaning of a name, which is `op` or `op(column)`. */
static bool find(void *context, const struct expr_name *name,
                 struct expr_column *column, struct error *why)
{
    const bool is_call = name->call.at;
    const struct expr_text of = is_call ? name->call : name->name;
    char word[WORD_MAX] = "";
    if (of.at)
        snprintf(word, sizeof word, "%.*s",
                 (int)(of.bytes < sizeof word ? of.bytes : sizeof word - 1),
                 of.at);
    else
        snprintf(word, sizeof word, "$%zu", (size_t)name->field);
    const struct op *op = of.bytes < sizeof word ? op_find(word) : NULL;
    if (!op && is_call)
        return op_foreign(word, why) && false;
    if (!op)
        return unknown(word, why);
    struct asserted asserted = {.op = op, .of_column = is_call};
    if (is_call) {
        asserted.field = name->field;
        asserted.column = name->name;
        if (!name->field && !name->name.at)
            return false;
    }
    column->index = index_of(context, &asserted);
    column->type = type_of(op);
    return true;
}

static bool make(struct assertion *a, const char *text, struct error *e)
{
    const struct expr_source source = {"--assert", text, strlen(text), true};
    const struct expr_names names = {find, a};
    const size_t most = source.bytes < EXPR_BYTES ? source.bytes : EXPR_BYTES;
    /* A name has at least one byte. */
    a->name = calloc(most + 1, sizeof *a->name);
    if (!a->name)
        return error_memory(e);
    return expr_parse(&a->expr, source, true, &names, e);
}

/* Appends `"name",` to the list, with the quotes in it doubled. */
static void put_named(char **end, struct expr_text name)
{
    char *to = *end;
    *to++ = '"';
    for (size_t i = 0; i < name.bytes; i++) {
        *to++ = name.at[i];
        if (name.at[i] == '"')
            *to++ = '"';
    }
    *to++ = '"';
    *to++ = ',';
    *end = to;
}

static bool take_op(const struct plan *plan, struct asserted *name,
                    struct error *e)
{
    if (name->of_column && op_of_pairs(name->op))
        return error_set(e, ERROR_USAGE,
                         "--assert: %s needs two columns; say %s alone, and "
                         "the columns with -c",
                         name->op->name, name->op->name);
    if (!folds_check_op(plan, name->op, e))
        return false;
    if (op_is_histogram(name->op) || (plan->bins && op_of_ranks(name->op)))
        return error_set(e, ERROR_USAGE,
                         "--assert: %s cannot be combined with%s; assert it "
                         "in a separate run",
                         name->op->name,
                         plan->bins ? " a histogram" : " conditions");
    return pairs_take_op(plan, "--assert: ", &name->op, e);
}

/* Adds what a name needs to the plan. Appends its column to the list, unless an
 * expression computes the column. */
static bool require_name(struct plan *plan, struct asserted *name, char **end,
                         struct error *e)
{
    const struct formula_texts *t = &plan->texts;
    char text[QUOTE_MAX];
    if (!take_op(plan, name, e))
        return false;
    plan_need(plan, name->op);
    if (plan->has_axes)
        name->number = plan_number(plan, name->op);
    if (name->number == OPS_MAX)
        return error_set(e, ERROR_USAGE,
                         "--assert: with %s there are over %d operations; "
                         "assert it in a separate run",
                         name->op->name, OPS_MAX);
    plan->csv.spec.rows_only &= !name->of_column;
    name->is_saved = plan->merged;
    if (name->field && plan->merged && merged_number(plan, SAVED_has_header))
        return error_set(e, ERROR_USAGE,
                         "--assert: %s: states keep the names of columns, not "
                         "their numbers; say %s(NAME)",
                         asserted_text(name, text), name->op->name);
    if (name->column.bytes > 0 &&
        formula_named(t, name->column, t->count) == t->count)
        put_named(end, name->column);
    return true;
}

/* Adds what the conditions need to the plan: ops, and a header with names. */
static bool require(struct plan *plan, struct error *e)
{
    size_t bytes = 1;
    for (size_t i = 0; i < plan->assertions; i++)
        bytes += 4 * plan->assertion[i].expr.source.bytes;
    char *end = plan->named = malloc(bytes);
    if (!end)
        return error_memory(e);
    for (size_t i = 0; i < plan->assertions; i++) {
        const struct assertion *a = &plan->assertion[i];
        for (size_t k = 0; k < a->names; k++) {
            if (!require_name(plan, &a->name[k], &end, e))
                return false;
        }
    }
    end -= end > plan->named;
    *end = '\0';
    plan->csv.named = *plan->named ? plan->named : NULL;
    return true;
}

bool assertions_make(struct plan *plan, const char *const *text, size_t n,
                     struct error *e)
{
    plan->assertion = calloc(n ? n : 1, sizeof *plan->assertion);
    if (!plan->assertion)
        return error_memory(e);
    for (; plan->assertions < n; plan->assertions++) {
        struct assertion *a = &plan->assertion[plan->assertions];
        if (!make(a, text[plan->assertions], e)) {
            free(a->name);
            return false;
        }
    }
    return require(plan, e);
}

void assertions_free(struct plan *plan)
{
    for (size_t i = 0; i < plan->assertions; i++) {
        expr_free(&plan->assertion[i].expr);
        free(plan->assertion[i].name);
    }
    free(plan->assertion);
    free(plan->named);
}

static bool is_meant(const struct dataset *d, const struct asserted *name,
                     size_t column)
{
    const struct csv_span called = dataset_column_name(d->names, column);
    const struct expr_text text = {called.at, called.bytes};
    /* Without a header, states keep numbers as names. */
    if (name->field && name->is_saved) {
        char number[24];
        snprintf(number, sizeof number, "%" PRIu64, name->field);
        return expr_same_text(text, (struct expr_text){number, strlen(number)});
    }
    /* Computed columns have numbers that no field has. */
    return name->field ? d->names->field_of[column] + 1 == name->field &&
                             name->field <= d->names->fields
                       : expr_same_text(text, name->column);
}

const char *asserted_text(const struct asserted *name, char out[QUOTE_MAX])
{
    const bool is_long = name->column.bytes > SHOWN_BYTES;
    char column[QUOTE_MAX];
    if (!name->of_column)
        snprintf(out, QUOTE_MAX, "%s", name->op->name);
    else if (name->field)
        snprintf(out, QUOTE_MAX, "%s($%" PRIu64 ")", name->op->name,
                 name->field);
    else
        snprintf(out, QUOTE_MAX, "%s(%s%s)", name->op->name,
                 escape_bytes(column, name->column.at,
                              is_long ? SHOWN_BYTES : name->column.bytes),
                 is_long ? "..." : "");
    return out;
}

static bool complain(const struct dataset *d, const struct asserted *name,
                     const char *why, struct error *e)
{
    char text[QUOTE_MAX];
    return error_named(e, ERROR_USAGE, d->inputs[0].name, "--assert: %s: %s",
                       asserted_text(name, text), why);
}

static const char *column_name(size_t i, const void *context)
{
    const struct dataset *d = context;
    return i < dataset_columns(d) ? d->names->name[d->names->field_of[i]]
                                  : NULL;
}

static bool unknown_column(const struct dataset *d, const struct asserted *name,
                           struct error *e)
{
    char why[3 * QUOTE_MAX], quoted[QUOTE_MAX] = "", word[WORD_MAX];
    snprintf(word, sizeof word, "%.*s",
             (int)(name->column.bytes < sizeof word ? name->column.bytes : 0),
             name->column.bytes ? name->column.at : "");
    const char *near = text_nearest(word, column_name, d);
    snprintf(why, sizeof why, "this column is not one of those reduced%s%s%s",
             near ? "; did you mean " : "", near ? quote(quoted, near) : "",
             near ? "?" : "");
    return complain(d, name, why, e);
}

bool asserted_column(const struct dataset *d, const struct asserted *name,
                     size_t *column, struct error *e)
{
    size_t found = 0;
    if (!d->names)
        return complain(d, name,
                        d->table ? "no column is reduced"
                                 : "these data have no columns",
                        e);
    for (size_t c = 0; c < dataset_columns(d); c++) {
        if (is_meant(d, name, c) && found++ == 0)
            *column = c;
    }
    if (found > 1)
        return complain(d, name,
                        name->is_saved ? "several columns have this name"
                                       : "several columns have this name; say "
                                         "$N for field N",
                        e);
    return found == 1 || unknown_column(d, name, e);
}

/* Refuses anything but counts for a column of text, since conditions compute
 * with numbers. */
static bool check_text(const struct dataset *d, const struct asserted *name,
                       size_t column, struct error *e)
{
    static const char counts[] = "rows count n_missing n_bad n_nan "
                                 "nunique approx_nunique mode_count mode_ties";
    bool is_text = false;
    for (size_t c = 0; c < d->job.columns; c++)
        is_text |= (!name->of_column || c == column) && dataset_is_text(d, c);
    return !is_text || text_has_word(counts, name->op->name) ||
           complain(d, name,
                    "a column of text has no number for this; of it take "
                    "rows, count, n_missing, nunique or mode_count",
                    e);
}

bool assertions_check(const struct plan *plan, const struct dataset *d,
                      struct error *e)
{
    size_t column = 0;
    for (size_t i = 0; i < plan->assertions; i++) {
        const struct assertion *a = &plan->assertion[i];
        for (size_t k = 0; k < a->names; k++) {
            const struct asserted *name = &a->name[k];
            if ((name->of_column && !asserted_column(d, name, &column, e)) ||
                !check_text(d, name, column, e))
                return false;
        }
    }
    return true;
}
