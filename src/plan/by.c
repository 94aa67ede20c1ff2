/* SPDX-License-Identifier: MIT */
#include "plan/by.h"

#include <string.h>

#include "backend/registry.h"
#include "base/quote.h"
#include "cli/options.h"
#include "csv/schema/names.h"
#include "format/format.h"

static const char *option_of(const struct options *o)
{
    return o->keys ? "keys" : "by";
}

static bool check_op(const struct options *o, const struct op *op,
                     struct error *e)
{
    return !op_of_pairs(op) || o->nan != NAN_ERROR ||
           error_set(e, ERROR_USAGE,
                     "%s with --%s cannot say where a NaN is; leave out --nan "
                     "error",
                     op->name, option_of(o));
}

/* Makes the job's keys, of so many columns. Values that are needed in the order
 * of the data, or in pairs, are kept until the end (run/by_kept.h). */
static void make_keys(const struct plan *plan, struct dataset *d, size_t keys,
                      size_t columns)
{
    const enum dtype dtype = d->job.dtypes ? d->job.dtypes[0] : d->job.dtype;
    const unsigned set = d->job.monoids;
    const unsigned kept = plan->of_pairs          ? set & ~MONOID_BIT(wide)
                          : dtype_is_float(dtype) ? set & MONOID_BIT(prod)
                                                  : 0;
    /* Elements are read to find a NaN or a bool that is an error. */
    const bool rows_only = plan->csv.spec.rows_only && (d->table || set == 0);
    d->job.columns = rows_only ? 1 : columns;
    d->job.by = (struct job_by){.spec = {.keys = keys,
                                         .is_first = plan->by_first,
                                         .in_order = d->folds || kept,
                                         .rounds = kept && !plan->of_pairs},
                                .monoids = rows_only ? 0 : set & ~kept,
                                .columns = rows_only ? 0 : columns};
    d->job.monoids &= MONOID_BIT(wide);
}

static bool check_options(const struct options *o, struct error *e)
{
    const char *other = options_given_of(o, "axis compare weights assert");
    if (other)
        return error_set(e, ERROR_USAGE, "--%s and --%s exclude each other",
                         option_of(o), other);
    if (o->form == FORM_npy)
        return error_set(e, ERROR_USAGE,
                         "--%s and -O npy exclude each other: the results are "
                         "a table with keys; say -O csv or -O json",
                         option_of(o));
    return true;
}

static bool check_keys(const struct options *o, struct error *e)
{
    if (!o->keys)
        return !options_given(o, "keys-dtype") ||
               error_set(e, ERROR_USAGE,
                         "--keys-dtype is the type of --keys FILE; give it, "
                         "too, or leave this out");
    if (o->csv.by)
        return error_set(e, ERROR_USAGE,
                         "--by and --keys exclude each other: --by is for "
                         "columns of text, --keys for raw data and .npy");
    return !o->per_file ||
           error_set(e, ERROR_USAGE,
                     "--keys and --per-file exclude each other: the keys are "
                     "those of all FILEs, one after the other");
}

bool by_check(const struct options *o, struct error *e)
{
    if (!check_keys(o, e))
        return false;
    if (!o->csv.by && !o->keys)
        return !options_given(o, "order") ||
               error_set(e, ERROR_USAGE,
                         "--order is for the keys of --by; give --by COLUMNS "
                         "too, or leave it out");
    if (o->csv.by && !*o->csv.by)
        return error_set(e, ERROR_USAGE,
                         "--by takes the names or numbers of columns");
    if (!check_options(o, e))
        return false;
    for (size_t i = 0; i < o->ops; i++) {
        if (!check_op(o, o->op[i], e))
            return false;
    }
    return true;
}

void by_resolve(struct plan *plan, const struct options *o)
{
    plan->by = o->csv.by || o->keys;
    /* --merge may ask for either order. */
    plan->by_first = o->by_first || (o->save && !o->keeps_keys);
    if (!o->csv.by)
        return;
    plan->csv.counts_records = true;
    plan->csv.spec.all_texts = plan->csv.spec.texts;
}

bool by_check_range(const struct plan *plan, const struct dataset *d,
                    struct error *e)
{
    return !plan_is_by(d) || !plan->bins || plan->has_range ||
           dataset_is_readable_twice(d) ||
           error_named(e, ERROR_USAGE, d->inputs[0].name,
                       "it cannot be read twice, first for the range of the "
                       "bins; say --range A,B");
}

bool by_check_names(const struct plan *plan, const struct dataset *d,
                    struct error *e)
{
    const struct csv_table *t = dataset_key_names(d);
    char quoted[QUOTE_MAX];
    if (!t || !(FORMS_WITH_ELEMENTS >> plan->form & 1))
        return true;
    for (size_t k = 0; k < t->keys; k++) {
        const struct csv_span name = csv_name(t, t->field_of[t->key_of[k]]);
        for (size_t i = 0; i < k; i++) {
            if (csv_span_same(name, csv_name(t, t->field_of[t->key_of[i]])))
                return error_named(
                    e, ERROR_USAGE, d->inputs[0].name,
                    "two columns of --by have the name %s, and JSON cannot "
                    "tell them apart; say -O csv",
                    quote_bytes(quoted, name.at, name.bytes));
        }
    }
    return true;
}

bool by_plan(const struct plan *plan, struct dataset *d, struct error *e)
{
    if (!plan->by)
        return true;
    const struct formulas *f = d->derived ? &d->derived->formulas : NULL;
    make_keys(plan, d, dataset_key_names(d)->keys,
              f ? f->reduced : d->table->valued);
    for (size_t k = 0; f && k < f->keys; k++)
        d->job.by.spec.computed |= (unsigned)(f->key[k].formula != FORMULA_NONE)
                                   << k;
    d->job.by.spec.keeps_bad = plan->csv.spec.skip_bad;
    d->job.by.spec.has_texts = d->job.texts;
    d->by_column = false;
    return by_check_names(plan, d, e);
}

const char *by_left_by(const struct backend *backend, const struct dataset *d)
{
    return backend->by_left ? backend->by_left(&d->job)
                            : "--by runs on the CPU";
}

const char *by_left(const struct plan *plan, const struct dataset *d)
{
    return plan->backend && plan->backend != backends[0]
               ? by_left_by(plan->backend, d)
               : NULL;
}

bool by_open(struct plan *plan, const struct options *o, struct error *e)
{
    struct input_settings settings = o->keys_input;
    settings.csv = &plan->csv;
    settings.meter = plan->settings.meter;
    return !o->keys || key_file_open(&plan->keys, o->keys, &settings, e);
}

bool by_check_input(const struct plan *plan, const struct input *input,
                    struct error *e)
{
    return !plan->keys.is_open || !input_is_text(input) ||
           error_named(e, ERROR_USAGE, input->name,
                       "--keys is for raw data and .npy, but this is text; "
                       "say --by COLUMNS");
}

/* Whether both are arrays of several axes, but of other sizes, as where one is
 * transposed. */
static bool are_other_shapes(const struct input *a, const struct input *b)
{
    return a->shape && b->shape && a->rank > 1 && b->rank > 1 &&
           (a->rank != b->rank ||
            memcmp(a->shape, b->shape, a->rank * sizeof *a->shape) != 0);
}

/* False, with the error, if the inputs' lengths are known and --keys has not
 * one key for each element, or another shape. */
static bool check_length(const struct plan *plan, const struct dataset *d,
                         struct error *e)
{
    const uint64_t elements = d->bytes / dtype_info(d->job.dtype)->size;
    if (d->count == 1 && are_other_shapes(&d->inputs[0], &plan->keys.input))
        return error_named(e, ERROR_USAGE, plan->keys.input.name,
                           "its shape is not that of the data; if its elements "
                           "are keys in their order, save numpy.ravel(keys)");
    return d->bytes == INPUT_UNKNOWN || elements == plan->keys.n ||
           key_file_differs(&plan->keys, elements, e);
}

bool by_check_order(const struct plan *plan, const struct dataset *d,
                    struct error *e)
{
    for (size_t i = 0; plan->keys.is_open && i < d->count; i++) {
        if (d->inputs[i].is_fortran)
            return error_named(e, ERROR_USAGE, d->inputs[i].name,
                               "--keys with data in Fortran order is not "
                               "available yet; save "
                               "numpy.ascontiguousarray(array)");
    }
    return true;
}

bool by_plan_elements(const struct plan *plan, struct dataset *d,
                      struct error *e)
{
    /* With --where alone, `dtypes` has the dtype that these elements widen to.
     */
    const struct formulas *f = d->job.formulas;
    const enum dtype dtype =
        f && f->of_group[0] != FORMULA_NONE ? f->dtypes[0] : d->job.dtype;
    if (!plan->by)
        return true;
    if (!by_check_order(plan, d, e))
        return false;
    if (dtype_info(dtype)->computed != dtype)
        return error_named(e, ERROR_USAGE, d->inputs[0].name,
                           "--keys with data of %s is not available yet; "
                           "--map x reads them as f64",
                           dtype_info(dtype)->name);
    if (!check_length(plan, d, e))
        return false;
    make_keys(plan, d, 1, 1);
    d->job.by.file = &plan->keys;
    return true;
}
