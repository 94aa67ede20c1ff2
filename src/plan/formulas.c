/* SPDX-License-Identifier: MIT */
#include "plan/formulas.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend/registry.h"
#include "base/quote.h"
#include "cli/options.h"
#include "csv/schema/names.h"
#include "expr/lexer.h"
#include "plan/plan.h"

size_t formula_named(const struct formula_texts *t, struct expr_text name,
                     size_t n)
{
    size_t i = 0;
    while (i < n && !(t->name[i].at && expr_same_text(t->name[i], name)))
        i++;
    return i;
}

static void add_source(struct formula_texts *t, const char *option,
                       const char *text)
{
    t->source[t->count++] =
        (struct expr_source){option, text, strlen(text), false};
}

static bool add_let(struct formula_texts *t, const struct let *let,
                    struct error *e)
{
    const struct expr_text name = {let->name, let->bytes};
    char quoted[QUOTE_MAX];
    if (formula_named(t, name, t->count) < t->count)
        return error_set(e, ERROR_USAGE, "--let: %s is given twice",
                         quote_bytes(quoted, name.at, name.bytes));
    t->name[t->count] = name;
    add_source(t, "--let", let->expr);
    return true;
}

/* Lists the name of a token, unless an earlier formula has it. */
static void add_used(struct formula_texts *t, size_t formula,
                     const struct lexer *l)
{
    const size_t before = formula < t->lets ? formula : t->lets;
    const size_t let = formula_named(t, l->name, before);
    if (l->token != TOKEN_FIELD && let < before) {
        t->used_lets |= (uint64_t)1 << let;
        return;
    }
    const struct csv_span name = {l->name.at, l->name.bytes};
    t->used[t->used_count++] = (struct csv_used){
        .name = l->token == TOKEN_FIELD ? (struct csv_span){"", 0} : name,
        .field = l->token == TOKEN_FIELD ? l->field : 0,
        .source = &t->source[formula],
        .at = l->at};
}

static void add_literal(struct formula_texts *t, size_t formula,
                        const struct lexer *l)
{
    const struct expr_source *source = &t->source[formula];
    t->literal[t->literals++] = (struct csv_used){
        .name = {source->text + l->at, l->next - l->at}, .source = source};
}

/* Drops the numbers from literal `first` on; keeps the words, such as true. */
static void drop_numbers(struct formula_texts *t, size_t first)
{
    size_t n = first;
    for (size_t i = first; i < t->literals; i++) {
        if (isalpha((unsigned char)t->literal[i].name.at[0]))
            t->literal[n++] = t->literal[i];
    }
    t->literals = n;
}

static bool is_index(struct expr_text name)
{
    return expr_same_text(name, (struct expr_text){"index", strlen("index")});
}

/* Lists the names in an expression, except those of functions, and the
 * constants that may be meant as names: words, and the numbers in operands
 * of && and || without a name or index(). Parentheses are ignored. */
static bool scan(struct formula_texts *t, size_t formula, char **room,
                 struct error *e)
{
    struct lexer l = {.source = &t->source[formula], .room = *room};
    if (l.source->bytes > EXPR_BYTES)
        return error_set(e, ERROR_USAGE,
                         "%s: the expression is longer than 64 KiB",
                         l.source->option);
    size_t first = t->literals;
    bool is_constant = true;
    if (!lexer_next(&l, e))
        return false;
    while (l.token != TOKEN_END) {
        const struct lexer name = l;
        if (l.token == TOKEN_LITERAL && l.value.type != EXPR_TEXT)
            add_literal(t, formula, &l);
        if (!lexer_next(&l, e))
            return false;
        const bool is_call = name.token == TOKEN_NAME && l.token == TOKEN_OPEN;
        const bool is_used = !is_call && (name.token == TOKEN_NAME ||
                                          name.token == TOKEN_QUOTED ||
                                          name.token == TOKEN_FIELD);
        if (is_used)
            add_used(t, formula, &name);
        is_constant &= !is_used && !(is_call && is_index(name.name));
        if (l.token != TOKEN_AND && l.token != TOKEN_OR && l.token != TOKEN_END)
            continue;
        if (!is_constant)
            drop_numbers(t, first);
        first = t->literals;
        is_constant = true;
    }
    *room = l.room;
    return true;
}

static bool scan_all(struct formula_texts *t, struct error *e)
{
    size_t bytes = 1;
    for (size_t i = 0; i < t->count; i++)
        bytes += t->source[i].bytes + 1;
    t->used = calloc(bytes, sizeof *t->used);
    t->literal = calloc(bytes, sizeof *t->literal);
    char *room = t->bytes = malloc(bytes);
    if (!t->used || !t->literal || !t->bytes)
        return error_memory(e);
    for (size_t i = 0; i < t->count; i++) {
        if (!scan(t, i, &room, e))
            return false;
    }
    return true;
}

static bool is_chosen(const struct formula_list *list, size_t formula)
{
    size_t k = 0;
    while (k < list->count && list->chosen[k].formula != formula)
        k++;
    return k < list->count;
}

static void choose(struct formula_texts *t, struct formula_list *list,
                   size_t formula, size_t items)
{
    if (is_chosen(list, formula))
        return;
    t->used_lets |= (uint64_t)1 << formula;
    list->chosen[list->count++] = (struct chosen){(uint8_t)formula, items};
}

/* Splits the text of --columns or --by as csv_list_open does: chooses the
 * computed columns, and copies the other items to list->others, and their names
 * to list->item. */
static bool choose_listed(struct formula_texts *t, struct formula_list *list,
                          const char *text, struct error *e)
{
    const size_t bytes = strlen(text);
    struct csv_walk walk = {.text = {text, bytes},
                            .dialect = csv_dialect_of(',')};
    struct csv_span item;
    size_t items = 0;
    char *to = list->others = malloc(3 * bytes + 4); /* if all are empty */
    char *room = list->names = calloc(bytes + 1, 1); /* a NUL ends a number */
    list->item = malloc((bytes + 1) * sizeof *list->item);
    if (!to || !room || !list->item)
        return error_memory(e);
    while (csv_walk_next(&walk, &item)) {
        const struct csv_span name = csv_name_of(item, walk.dialect, room);
        const struct expr_text called = {name.at, name.bytes};
        const size_t i = formula_named(t, called, t->lets);
        room += item.bytes;
        if (i < t->lets) {
            choose(t, list, i, items);
            continue;
        }
        list->item[items] = called;
        /* An empty item is refused later, and an empty list would not be. */
        to += sprintf(to, "%s%.*s", items++ > 0 ? "," : "",
                      item.bytes > 0 ? (int)item.bytes : 2,
                      item.bytes > 0 ? item.at : "\"\"");
    }
    *to = '\0';
    return true;
}

static bool choose_keys(struct plan *plan, const struct options *o,
                        struct error *e)
{
    struct formula_list *keys = &plan->texts.keys;
    if (!o->csv.by || plan->texts.lets == 0)
        return true;
    if (!choose_listed(&plan->texts, keys, o->csv.by, e))
        return false;
    plan->csv.by = *keys->others ? keys->others : NULL;
    return true;
}

static bool choose_columns(struct plan *plan, const struct options *o,
                           struct error *e)
{
    struct formula_texts *t = &plan->texts;
    struct formula_list *columns = &t->columns;
    const char *other = options_given_of(o, "columns exclude");
    if (t->has_map && other)
        return error_set(e, ERROR_USAGE,
                         "--map is the column that is reduced, so it cannot be "
                         "combined with --%s; name it with -e NAME=EXPR",
                         other);
    if (o->csv.columns && t->lets > 0 &&
        !choose_listed(t, columns, o->csv.columns, e))
        return false;
    for (size_t i = 0; !t->has_map && !o->csv.columns && i < t->lets; i++) {
        if (!is_chosen(&t->keys, i))
            choose(t, columns, i, SIZE_MAX);
    }
    if (t->has_map)
        choose(t, columns, t->lets, SIZE_MAX);
    plan->csv.computes = columns->count > 0;
    if (columns->others)
        plan->csv.columns = columns->others;
    if (t->has_map)
        plan->csv.columns = "";
    return true;
}

static bool check_used(const struct formula_texts *t, struct error *e)
{
    char name[QUOTE_MAX];
    for (size_t i = 0; i < t->lets; i++) {
        if (!(t->used_lets >> i & 1))
            return error_set(
                e, ERROR_USAGE,
                "--let: nothing uses %s; name it in --columns or "
                "--by, or leave it out",
                quote_bytes(name, t->name[i].at, t->name[i].bytes));
    }
    return true;
}

static bool check_options(const struct options *o, struct error *e)
{
    for (size_t i = 0; o->csv.weights && i < o->lets; i++) {
        const struct let *let = &o->let[i];
        if (strlen(o->csv.weights) == let->bytes &&
            memcmp(o->csv.weights, let->name, let->bytes) == 0)
            return error_set(e, ERROR_USAGE,
                             "--weights takes a column of the file; --let "
                             "computes '%s'",
                             o->csv.weights);
    }
    const char *option = o->where ? "where"
                         : o->map ? "map"
                                  : "let",
               *other = options_given_of(o, "compare axis");
    return !other ||
           error_set(e, ERROR_USAGE, "--%s and --%s exclude each other", option,
                     other);
}

bool formulas_resolve(struct plan *plan, const struct options *o,
                      struct error *e)
{
    struct formula_texts *t = &plan->texts;
    if (!o->where && !o->map && o->lets == 0)
        return true;
    if (!check_options(o, e))
        return false;
    for (size_t i = 0; i < o->lets; i++) {
        if (!add_let(t, &o->let[i], e))
            return false;
    }
    t->lets = t->count;
    t->has_map = o->map;
    t->has_condition = o->where;
    if (o->map)
        add_source(t, "--map", o->map);
    if (o->where)
        add_source(t, "--where", o->where);
    if (!scan_all(t, e) || !choose_keys(plan, o, e) ||
        !choose_columns(plan, o, e) || !check_used(t, e))
        return false;
    plan->csv.used = t->used;
    plan->csv.used_count = t->used_count;
    plan->csv.literal = t->literal;
    plan->csv.literals = t->literals;
    /* An expression may count a record of which no cell is a number. */
    plan->csv.counts_records = true;
    return true;
}

const char *formulas_left(const struct plan *plan, struct dataset *d)
{
    struct formulas *f = d->derived ? &d->derived->formulas : NULL;
    const struct input *first = &d->inputs[0];
    if (!f || !plan->backend || plan->backend == backends[0])
        return NULL;
    if (plan->devices > 1)
        return "expressions take one GPU";
    for (size_t i = 0; i < d->count; i++) {
        if (d->inputs[i].is_fortran || d->inputs[i].deferred)
            return "the order of the elements is not known or not the file's";
    }
    if (d->table && plan->csv.spec.skip_bad)
        return "the CPU counts the bad cells that expressions read";
    if (d->counts_records)
        return "one thread of the CPU counts the records for index()";
    const char *why = plan->backend->formulas_left
                          ? plan->backend->formulas_left(&d->job)
                          : "expressions run on the CPU";
    return why ? why
               : formulas_kernel(f, d->job.dtype, first->is_bool,
                                 d->table ? csv_columns(d->table) : 0);
}

static void close_list(struct formula_list *list)
{
    free(list->others);
    free(list->item);
    free(list->names);
}

void formulas_close(struct plan *plan)
{
    for (size_t i = 0; plan->datasets && i < plan->dataset_count; i++) {
        struct derived *x = plan->datasets[i].derived;
        if (!x)
            continue;
        formulas_free(&x->formulas);
        free(x->names.name);
        free(x->names.field_of);
        free(x->names.is_text);
        free(x->bytes);
        free(x);
    }
    free(plan->texts.used);
    free(plan->texts.literal);
    free(plan->texts.bytes);
    close_list(&plan->texts.columns);
    close_list(&plan->texts.keys);
}
