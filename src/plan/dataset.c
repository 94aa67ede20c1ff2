/* SPDX-License-Identifier: MIT */
/* Plans a dataset, and opens it late if it must be. */
#include "base/quote.h"
#include "chunk/reading.h"
#include "csv/schema/names.h"
#include "plan/axes.h"
#include "plan/by.h"
#include "plan/check.h"
#include "plan/device.h"
#include "plan/pairs.h"
#include "plan/quantiles.h"
#include "plan/saving.h"

static bool check_dtypes(const struct dataset *d, struct error *e)
{
    for (size_t i = 1; i < d->count; i++) {
        if (!d->inputs[i].deferred &&
            !input_same_dtype(&d->inputs[0], &d->inputs[i], e))
            return false;
    }
    return true;
}

/* The first input that can be read only once, or NULL. */
static const struct input *input_of_one_reading(const struct dataset *d)
{
    for (size_t i = 0; i < d->count; i++) {
        const struct input *input = &d->inputs[i];
        if (!input->regular && !input->again &&
            !(input->is_file && input->ended))
            return input;
    }
    return NULL;
}

bool dataset_is_readable_twice(const struct dataset *d)
{
    return !input_of_one_reading(d);
}

static bool check_readable_twice(const struct dataset *d, struct error *e)
{
    char name[QUOTE_MAX];
    const struct input *input = input_of_one_reading(d);
    return !input ||
           error_set(e, ERROR_USAGE,
                     "%s: --verify needs files that can be read twice",
                     quote(name, input->name));
}

/* Refuses pipes that open later if the opened files hold no records. These do
 * not show which columns are numeric, and a pipe may have other columns. */
static bool check_no_pipes(const struct dataset *d, struct error *e)
{
    char empty[QUOTE_MAX], pipe[QUOTE_MAX];
    for (size_t i = 0; i < d->count; i++) {
        if (d->inputs[i].deferred)
            return error_set(e, ERROR_DATA,
                             "%s holds no records, so it cannot say which "
                             "columns to read from the pipe %s; give it after "
                             "the pipe",
                             quote(empty, d->inputs[0].name),
                             quote(pipe, d->inputs[i].name));
    }
    return true;
}

static struct job job_of(const struct plan *plan, const struct input *first)
{
    struct job job = {.dtype = first->dtype,
                      .monoids = saving_monoids(plan),
                      .reading = &reading_elements,
                      .fast = plan->fast,
                      .meter = plan->settings.meter};
    /* The extremes of bools show whether there are other bytes than 0 and 1. */
    if (first->is_bool)
        job.monoids |= MONOID_BIT(extrema);
    return job;
}

/* Refuses an error that cannot be found, since no cell is read. */
static bool check_cells(const struct plan *plan, const struct dataset *d,
                        struct error *e)
{
    const bool misses = plan->csv.spec.missing_is_error && !plan->by &&
                        !plan->texts.has_condition;
    return !plan->csv.spec.rows_only || (!misses && plan->nan != NAN_ERROR) ||
           error_named(e, ERROR_USAGE, d->inputs[0].name,
                       "-o rows reads no cell, so --%s error would find none; "
                       "say -o rows,count",
                       misses ? "missing" : "nan");
}

/* The first table that has records, else the first that has fields, else the
 * first one. */
static const struct csv_table *find_table(const struct plan *plan,
                                          const struct dataset *d)
{
    for (size_t i = 0; !plan->settings.like && i < d->count; i++) {
        const struct input *input = &d->inputs[i];
        if (!input->deferred && input_is_text(input) &&
            input->table->fields > 0)
            return input->table;
    }
    return (plan->settings.like ? plan->settings.like : &d->inputs[0])->table;
}

static bool plan_columns(const struct plan *plan, struct dataset *d,
                         struct error *e)
{
    d->table = find_table(plan, d);
    const bool is_listed = plan->csv.columns || plan->csv.spec.rows_only;
    if ((d->table->fields == 0 || (!d->table->has_records && !is_listed)) &&
        !check_no_pipes(d, e))
        return false;
    d->job.reading = &reading_records;
    d->job.notes = plan->has_places || plan->assertions > 0;
    d->job.counts = plan->save;
    d->job.text = &plan->csv.spec;
    /* Without a record there is no column, but there are results. */
    d->job.columns = d->table->columns;
    if (d->job.columns == 0 || plan->csv.spec.rows_only)
        d->job.columns = 1;
    if (d->job.dtype == DTYPE_f64 && d->job.monoids & ~MONOID_BIT(count))
        d->job.monoids |= MONOID_BIT(wide);
    if (d->table->columns > 0 && !plan->csv.spec.rows_only)
        d->names = d->table;
    if (!check_cells(plan, d, e) || !formulas_plan(plan, d, e))
        return false;
    if (d->job.dtype == DTYPE_f64 && d->folds)
        d->job.monoids |= MONOID_BIT(wide);
    for (size_t c = 0; d->names && plan->csv.spec.texts && c < d->job.columns &&
                       c < d->names->valued;
         c++)
        d->job.texts |= csv_is_text_column(d->names, c);
    /* A column is printed with its name, unless it is the only column of the
     * table or the only one that -c names. */
    d->by_column =
        d->names && !plan->only_rows &&
        (d->job.columns > 1 || (!plan->csv.columns && d->table->fields > 1));
    return by_plan(plan, d, e) && pairs_plan(plan, d, e);
}

static bool plan_elements(const struct plan *plan, struct dataset *d,
                          struct error *e)
{
    return formulas_plan(plan, d, e) && by_plan_elements(plan, d, e);
}

bool dataset_plan(const struct plan *plan, struct dataset *d, struct error *e)
{
    if (!check_dtypes(d, e) || (plan->verify && !check_readable_twice(d, e)))
        return false;
    d->bytes = inputs_bytes(d->inputs, d->count);
    d->job = job_of(plan, &d->inputs[0]);
    if (!(input_is_text(&d->inputs[0]) ? plan_columns(plan, d, e)
                                       : plan_elements(plan, d, e)) ||
        !by_check_range(plan, d, e) || !folds_plan(plan, d, e) ||
        !assertions_check(plan, d, e) || !saving_check_dataset(plan, d, e))
        return false;
    d->rows = plan->only_rows ? 1 : job_groups(&d->job);
    if (!axes_plan(plan, d, e))
        return false;
    /* In a table, an undefined value is an empty cell rather than an error. */
    d->empty =
        plan->empty == EMPTY_ERROR && (d->by_column || plan->packs.count > 0)
            ? EMPTY_BLANK
            : plan->empty;
    device_teams(plan, d);
    quantiles_plan(plan, d);
    return true;
}

bool dataset_open(const struct plan *plan, const struct dataset *planned,
                  struct dataset *ready, struct error *e)
{
    struct input *first = &planned->inputs[0];
    *ready = *planned;
    return !first->deferred ||
           (input_open_deferred(first, first, e) &&
            plan_check_input(first, e) && pairs_check_input(plan, first, e) &&
            axes_check_input(plan, first, e) &&
            by_check_input(plan, first, e) && dataset_plan(plan, ready, e));
}

static const char *quoted_name(char out[QUOTE_MAX],
                               const struct csv_table *names, size_t column)
{
    const struct csv_span name = dataset_column_name(names, column);
    return name.at ? quote_bytes(out, name.at, name.bytes) : "";
}

const char *dataset_group_name(char out[GROUP_NAME_MAX],
                               const struct csv_table *names,
                               const struct pairing *pairing, size_t group)
{
    char first[QUOTE_MAX], second[QUOTE_MAX];
    const bool is_column =
        pairing->kind == PAIRING_NONE || pairing->kind == PAIRING_WEIGHTS;
    const struct column_pair pair = is_column
                                        ? (struct column_pair){group, group}
                                        : pairing_at(pairing, group);
    out[0] = '\0';
    if (!dataset_column_name(names, pair.second).at)
        return out;
    quoted_name(first, names, pair.first);
    quoted_name(second, names, pair.second);
    if (is_column)
        snprintf(out, GROUP_NAME_MAX, "column %s", first);
    else
        snprintf(out, GROUP_NAME_MAX, "columns %s and %s", first, second);
    return out;
}

bool dataset_is_text(const struct dataset *d, size_t column)
{
    return d->job.texts && csv_is_text_column(d->names, column);
}

enum dtype dataset_dtype(const struct dataset *d, size_t row)
{
    return d->job.dtypes ? d->job.dtypes[row] : d->job.dtype;
}

bool dataset_is_bool(const struct dataset *d, size_t row)
{
    return d->inputs[0].is_bool && dataset_dtype(d, row) == d->inputs[0].dtype;
}

struct csv_span dataset_input_name(const struct dataset *d, size_t input)
{
    const struct csv_table *t = d->table;
    const size_t field = t->field_of[d->job.formulas->input[input].number];
    return t->name[field] ? csv_name(t, field) : (struct csv_span){NULL, 0};
}

struct csv_span dataset_column_name(const struct csv_table *names,
                                    size_t column)
{
    return names && column < names->columns
               ? csv_name(names, names->field_of[column])
               : (struct csv_span){NULL, 0};
}
