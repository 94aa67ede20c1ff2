/* SPDX-License-Identifier: MIT */
#include "plan/plan.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/quote.h"
#include "plan/axes.h"
#include "plan/by.h"
#include "plan/check.h"
#include "plan/comparison.h"
#include "plan/device.h"
#include "plan/pairs.h"
#include "plan/part.h"
#include "plan/saving.h"

/* Whether the result changes if the first record, which may have no number, is
 * data. */
static bool counts_records(const struct op *op)
{
    static const char *const names[] = {"rows",           "count", "nunique",
                                        "approx_nunique", "mode",  "mode_count",
                                        "mode_ties",      "first", "last",
                                        "argmin",         "argmax"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (strcmp(op->name, names[i]) == 0)
            return true;
    }
    return false;
}

void plan_need(struct plan *plan, const struct op *op)
{
    const unsigned both = MONOID_BIT(sum) | MONOID_BIT(sumsq);
    plan->monoids |= op_monoids(op, plan->nan);
    plan->csv.spec.rows_only &= !op_reads_cells(op);
    plan->csv.counts_records |= counts_records(op);
    plan->csv.spec.all_texts |= op_reads_texts(op);
    /* Tallies count each distinct value, so the set of these is not needed. */
    if (plan->monoids & MONOID_BIT(tallies))
        plan->monoids &= ~MONOID_BIT(distinct);
    /* A variance is a small difference of two large numbers, so its sums must
     * stay exact. */
    if ((op->monoids & both) == both)
        plan->fast = false;
}

/* Without --bins: NumPy's default. */
enum { BINS_DEFAULT = 10 };

/* Sets the operations, and which of them are printed. */
static bool resolve_ops(struct plan *plan, const struct options *o,
                        struct error *e)
{
    if (!pairs_resolve(plan, o, e))
        return false;
    plan->nan = o->nan;
    plan->interpolation = o->interpolation;
    for (size_t i = 0; i < o->ops; i++) {
        if (op_is_histogram(o->op[i]))
            plan->bins = o->bins ? (size_t)o->bins : BINS_DEFAULT;
    }
    plan->has_range = options_given(o, "range");
    memcpy(plan->range, o->range, sizeof plan->range);
    plan->fast = o->fast;
    plan->verify = o->verify;
    plan->csv.spec.rows_only = true;
    plan->csv.spec.texts = !o->input.has_dtype && !plan->csv.spec.skip_bad;
    for (size_t i = 0; i < o->ops; i++) {
        const struct op *op = o->op[i];
        bool is_named = o->named >> i & 1;
        if (!is_named && pairs_leave_out(plan, op))
            continue;
        if (!pairs_take_op(plan, "", &op, e))
            return false;
        plan->op[plan->ops] = op;
        plan->shown[plan->ops++] =
            is_named || !o->summary ? SHOWN_ALWAYS : op->shown;
        plan->csv.spec.texts &= op_takes_text(op);
        plan_need(plan, op);
    }
    plan->asked = plan->ops;
    plan->only_rows = plan->csv.spec.rows_only;
    /* --missing error refuses missing cells in the named columns only. */
    if (plan->csv.columns && plan->csv.spec.missing_is_error)
        plan->csv.spec.rows_only = false;
    return true;
}

size_t plan_number(struct plan *plan, const struct op *op)
{
    size_t i = 0;
    while (i < plan->ops && plan->op[i] != op)
        i++;
    if (i < plan->ops || i == OPS_MAX)
        return i;
    plan->op[i] = op;
    plan->shown[i] = SHOWN_NEVER;
    return plan->ops++;
}

/* Adds the counts that elements of JSON have besides the ops asked for. They
 * need no other states than those ops, except a count of NaN if no op has
 * one. */
static void resolve_elements(struct plan *plan)
{
    static const char *const tallies[PLAN_TALLIES] = {[PLAN_MISSING] =
                                                          "n_missing",
                                                      [PLAN_BAD] = "n_bad",
                                                      [PLAN_NAN] = "n_nan",
                                                      [PLAN_ROWS] = "rows"};
    for (size_t i = 0; i < PLAN_TALLIES; i++) {
        /* For outputs of arrays, the other counts follow from the shape. */
        if (plan->has_axes && i != PLAN_NAN)
            continue;
        plan->tally[i] = plan_number(plan, op_find(tallies[i]));
        /* An array has one count of NaN, and its outputs only if asked for. */
        if (!plan->has_axes || plan->shown[plan->tally[i]] != SHOWN_ALWAYS)
            plan->shown[plan->tally[i]] = SHOWN_NEVER;
    }
    /* They show the number of records. */
    plan->csv.counts_records |= !plan->has_axes;
    if (!op_counts_nans(plan->monoids) && !plan->csv.spec.rows_only)
        plan->monoids |= MONOID_BIT(count);
    for (size_t i = 0; i < plan->asked; i++) {
        if (!op_is_mode(plan->op[i]))
            continue;
        plan->of_mode[0] = plan_number(plan, op_find("mode_count"));
        plan->of_mode[1] = plan_number(plan, op_find("mode_ties"));
    }
}

/* Adds the element at its index for each op that is an index. */
static void resolve_places(struct plan *plan)
{
    for (size_t i = 0; i < plan->asked; i++) {
        plan->element[i] = OPS_MAX;
        if (plan->has_axes)
            continue;
        const struct op *element = op_element(plan->op[i]);
        plan->element[i] = element ? plan_number(plan, element) : OPS_MAX;
        plan->has_places |= element != NULL;
    }
}

static void resolve_output(struct plan *plan, const struct options *o)
{
    const bool is_table =
        o->summary || o->describes || o->asked_all || o->per_file ||
        o->csv.by || o->keys ||
        (plan->has_axes && (plan->asked > 1 || o->form != FORM_text));
    plan->empty = o->empty == EMPTY_ERROR && is_table ? EMPTY_BLANK : o->empty;
    plan->form = o->form;
    plan->has_digits = o->has_digits;
    plan->digits = (unsigned)o->digits;
    if (FORMS_WITH_ELEMENTS >> plan->form & 1)
        resolve_elements(plan);
    if (FORMS_WITH_ELEMENTS >> plan->form & 1 || o->verbose)
        resolve_places(plan);
    if (plan->compares && (FORMS_WITH_ELEMENTS >> plan->form & 1 || o->verbose))
        comparison_elements(plan);
    plan->per_file = o->per_file;
    plan->op_per_line =
        (o->summary || o->describes) && !plan->compares && !plan->has_axes;
    plan->verbose = o->verbose;
    plan->has_bar = o->progress != PROGRESS_NEVER && !o->quiet;
    plan->has_bar_always = o->progress == PROGRESS_ALWAYS;
}

/* Sets the notation of numbers. Parentheses among the characters to strip mean
 * that `(5)` is -5. */
static bool make_notation(struct csv_notation *n, const struct options *o,
                          struct error *e)
{
    *n = (struct csv_notation){.decimal = o->decimal ? o->decimal : '.'};
    const char *thousands = o->thousands ? o->thousands : "";
    const char *strip = o->strip ? o->strip : "";
    n->thousands_bytes = (unsigned char)strnlen(thousands, CSV_CHAR_MAX);
    memcpy(n->thousands, thousands, n->thousands_bytes);
    n->parens = strchr(strip, '(') && strchr(strip, ')');
    for (; *strip; strip++) {
        if (n->parens && (*strip == '(' || *strip == ')'))
            continue;
        if (n->strip_bytes == CSV_STRIP_MAX)
            return error_set(e, ERROR_USAGE, "--strip takes at most %d bytes",
                             CSV_STRIP_MAX);
        n->strip[n->strip_bytes++] = *strip;
    }
    if (o->csv.delimiter == (unsigned char)n->decimal)
        return error_set(e, ERROR_USAGE,
                         o->decimal
                             ? "--decimal and --delimiter are the same "
                               "character\n"
                               "Without --delimiter, cells in quotes tell them "
                               "apart."
                             : "--delimiter . is the decimal mark, too\n"
                               "Say --decimal , if numbers have commas.");
    n->used = n->decimal != '.' || n->thousands_bytes > 0 || o->strip;
    return true;
}

/* Refuses a list of missing words such as -99,9 where that may be one number.
 */
static bool check_words(const char *list, struct error *e)
{
    char quoted[QUOTE_MAX];
    for (const char *p = list; (p = strchr(p, ',')); p++) {
        const bool splits = p > list && isdigit((unsigned char)p[-1]) &&
                            isdigit((unsigned char)p[1]);
        if (splits && !memchr(list, '"', (size_t)(p - list)))
            return error_set(
                e, ERROR_USAGE,
                "--na %s: with --decimal , it may be one number or "
                "a list\n"
                "Put a number in double quotes, or a blank after "
                "the comma of a list.",
                quote(quoted, list));
    }
    return true;
}

static bool resolve_input(struct plan *plan, const struct options *o,
                          struct notes *notes, struct meter *meter,
                          struct error *e)
{
    struct csv_spec *spec = &plan->csv.spec;
    plan->settings.csv = &plan->csv;
    plan->settings.threads = device_threads(o);
    plan->settings.meter = meter;
    plan->csv.notes = notes;
    spec->dtype = o->input.has_dtype ? o->input.dtype : DTYPE_f64;
    spec->is_bool = o->input.is_bool;
    if (!make_notation(&spec->notation, o, e) ||
        !csv_words_init(&spec->words,
                        o->na_only ? o->na_only : CSV_WORDS_DEFAULT, e))
        return false;
    spec->words.own = o->na_only ? 0 : spec->words.n;
    if (spec->notation.decimal == ',' &&
        !(check_words(o->na ? o->na : "", e) &&
          check_words(o->na_only ? o->na_only : "", e)))
        return false;
    return !o->na || csv_words_add(&spec->words, o->na, e);
}

/* Whether the input is known to be text with a record, so that its columns are
 * known. */
static bool has_records(const struct input *input)
{
    return input_is_text(input) && input->table->has_records;
}

static bool open_inputs(struct plan *plan, struct error *e)
{
    const struct file_names *names = &plan->names;
    if (plan->compares && names->count != 2)
        return error_set(e, ERROR_USAGE,
                         "--compare takes two FILEs, not %zu: gpureduce "
                         "--compare FILE FILE",
                         names->count);
    plan->inputs = calloc(names->count, sizeof *plan->inputs);
    if (!plan->inputs)
        return error_memory(e);
    for (size_t i = 0; i < names->count; i++) {
        struct input *input = &plan->inputs[i];
        plan->csv.others_follow =
            i + 1 < names->count && !plan->compares && !plan->per_file;
        if (!input_open(input, names->name[i], &plan->settings,
                        i > 0 && !plan->compares, e))
            return plan_name_operation(names->name[i], e);
        plan->input_count++;
        if (!input->deferred && !input->pack &&
            !(plan_check_input(input, e) && pairs_check_input(plan, input, e) &&
              axes_check_input(plan, input, e) &&
              by_check_input(plan, input, e)))
            return false;
        if (!plan->settings.like && !plan->per_file && has_records(input))
            plan->settings.like = input;
        if (!plan->csv.kinds && plan->per_file && has_records(input))
            plan->csv.kinds = input->table;
    }
    return packs_open(plan, e);
}

static bool plan_datasets(struct plan *plan, struct error *e)
{
    bool apart = plan->per_file || plan->packs.count > 0;
    plan->dataset_count = apart ? plan->input_count : 1;
    plan->datasets = calloc(plan->dataset_count, sizeof *plan->datasets);
    if (!plan->datasets)
        return error_memory(e);
    for (size_t i = 0; i < plan->dataset_count; i++) {
        struct dataset *d = &plan->datasets[i];
        d->inputs = &plan->inputs[i];
        if (plan->texts.count > 0 &&
            !(d->derived = calloc(1, sizeof *d->derived)))
            return error_memory(e);
        if (plan->reduce && !(d->folds = calloc(1, sizeof *d->folds)))
            return error_memory(e);
        d->count = apart || plan->compares ? 1 : plan->input_count;
        if (!d->inputs[0].deferred && !dataset_plan(plan, d, e))
            return false;
        plan->reads_again |= d->reads_again;
    }
    return true;
}

bool plan_look(struct plan *plan, const struct options *o, struct notes *notes,
               struct meter *meter, struct error *e)
{
    *plan = (struct plan){.settings = o->input, .csv = o->csv};
    axes_resolve(plan, o);
    struct options merged = *o;
    if (o->merge &&
        !(saving_check(o, e) && file_names_find(&plan->names, o, e) &&
          merging_open(plan, &merged, notes, e)))
        return false;
    if (!plan_check(&merged, e) ||
        !(o->merge || file_names_find(&plan->names, o, e)))
        return false;
    o = &merged;
    if (o->compare)
        comparison_ops(plan, o);
    else if (!resolve_ops(plan, o, e))
        return false;
    saving_resolve(plan, o);
    by_resolve(plan, o);
    resolve_output(plan, o);
    return formulas_resolve(plan, o, e) && folds_resolve(plan, o, e) &&
           assertions_make(plan, o->assertion, o->assertions, e) &&
           resolve_input(plan, o, notes, meter, e) && by_open(plan, o, e) &&
           (plan->merged || open_inputs(plan, e));
}

bool plan_make(struct plan *plan, const struct options *o, struct notes *notes,
               struct meter *meter, struct error *e)
{
    if (!plan_look(plan, o, notes, meter, e))
        return false;
    if (plan->merged)
        return merging_plan(plan, e);
    if (plan->compares)
        return comparison_check_inputs(plan, e) && plan_datasets(plan, e);
    return part_cut(plan, o, e) && device_choose(plan, o, e) &&
           plan_datasets(plan, e);
}

void plan_free(struct plan *plan)
{
    for (size_t i = 0; i < plan->input_count; i++)
        input_close(&plan->inputs[i]);
    free(plan->inputs);
    packs_close(&plan->packs);
    formulas_close(plan);
    folds_close(plan);
    free(plan->datasets);
    assertions_free(plan);
    file_names_free(&plan->names);
    key_file_close(&plan->keys);
    merging_close(plan);
}
