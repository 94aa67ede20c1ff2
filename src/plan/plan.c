/* SPDX-License-Identifier: MIT */
#include "plan/plan.h"

#include <stdlib.h>
#include <string.h>

#include "base/quote.h"
#include "plan/check.h"
#include "plan/device.h"

static bool check_text(const struct options *o, const struct input *input,
                       struct error *e)
{
    char name[QUOTE_MAX];
    if (!input_is_text(input)) {
        if (!o->text_option)
            return true;
        return error_set(e, ERROR_USAGE,
                         "%s: --%s is for text, and this is taken as %s\n"
                         "Give --format csv or --format tsv if it is text.",
                         quote(name, input->name), o->text_option,
                         input->format->name);
    }
    if (o->has_dtype && dtype_info(o->dtype)->size <= 2 &&
        dtype_is_float(o->dtype))
        return error_set(e, ERROR_USAGE, "%s: text is not read as %s; take f32",
                         quote(name, input->name), dtype_info(o->dtype)->name);
    if (o->has_order && o->big_endian)
        return error_set(e, ERROR_USAGE, "%s: text has no byte order",
                         quote(name, input->name));
    if (o->skip_bytes)
        return error_set(e, ERROR_USAGE, "%s: --skip-bytes is for raw data",
                         quote(name, input->name));
    return true;
}

static unsigned monoids_of(const struct options *o)
{
    unsigned set = 0;
    for (size_t i = 0; i < o->ops; i++)
        set |= op_monoids(o->op[i], o->nan);
    return set;
}

static bool any_reads_cells(const struct options *o)
{
    for (size_t i = 0; i < o->ops; i++) {
        if (op_reads_cells(o->op[i]))
            return true;
    }
    return false;
}

/* Whether the answer depends on the first record being one, though it may hold
 * no number. */
static bool counts_records(const struct options *o)
{
    static const char *const names[] = {"rows",  "count", "nunique", "mode",
                                        "first", "last",  "argmin",  "argmax"};
    for (size_t i = 0; i < o->ops; i++) {
        for (size_t n = 0; n < sizeof names / sizeof names[0]; n++) {
            if (strcmp(o->op[i]->name, names[n]) == 0)
                return true;
        }
    }
    return false;
}

/* How numbers are written. Parentheses among the characters to strip mean that
 * `(5)` is -5. */
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
    if (o->delimiter == (unsigned char)n->decimal)
        return error_set(e, ERROR_USAGE,
                         "--decimal and --delimiter are the same character\n"
                         "Without --delimiter, cells in quotes tell them "
                         "apart.");
    n->used = n->decimal != '.' || n->thousands_bytes > 0 || o->strip;
    return true;
}

static void make_dialect_settings(struct csv_settings *csv,
                                  const struct options *o)
{
    csv->delimiter = o->delimiter;
    csv->quote = o->quote;
    csv->comment = o->comment;
    csv->skip_lines = o->skip_lines;
    csv->header = o->header;
    csv->columns = o->columns;
    csv->exclude = o->exclude;
    csv->counts_records = counts_records(o);
}

static bool make_text_settings(struct plan *plan, struct error *e)
{
    const struct options *o = plan->options;
    struct csv_spec *spec = &plan->csv.spec;
    make_dialect_settings(&plan->csv, o);
    spec->dtype = o->has_dtype ? o->dtype : DTYPE_f64;
    spec->missing_is_error = o->missing_is_error;
    spec->skip_bad = o->skip_bad;
    spec->is_bool = o->is_bool;
    spec->rows_only = !any_reads_cells(o);
    /* A product is made of f64, in the order of the values. */
    spec->round_wide = monoids_of(o) & MONOID_BIT(prod);
    spec->ragged = o->ragged;
    if (!make_notation(&spec->notation, o, e) ||
        !csv_words_init(&spec->words,
                        o->na_only ? o->na_only : CSV_WORDS_DEFAULT, e) ||
        (o->na && !csv_words_add(&spec->words, o->na, e)))
        return false;
    plan->settings.csv = &plan->csv;
    return true;
}

/* Whether it is text with a record, which says what columns there are. */
static bool has_records(const struct input *input)
{
    return !input->deferred && input_is_text(input) &&
           input->table->has_records;
}

static bool open_inputs(struct plan *plan, struct error *e)
{
    static const char *const standard_input = "-";
    const struct options *o = plan->options;
    const char *const *names = o->files ? o->file : &standard_input;
    size_t count = o->files ? o->files : 1;
    plan->settings = (struct input_settings){
        .format = o->format,
        .has_dtype = o->has_dtype,
        .dtype = o->dtype,
        .is_bool = o->is_bool,
        .has_order = o->has_order,
        .big_endian = o->big_endian,
        .skip_bytes = o->skip_bytes,
        .text_option = o->text_option,
        .threads = device_threads(o),
    };
    if (!make_text_settings(plan, e))
        return false;
    plan->inputs = calloc(count, sizeof *plan->inputs);
    if (!plan->inputs)
        return error_set(e, ERROR_DATA, "out of memory");
    for (size_t i = 0; i < count; i++) {
        if (!input_open(&plan->inputs[i], names[i], &plan->settings, i > 0, e))
            return false;
        plan->input_count++;
        if (!plan->inputs[i].deferred && !check_text(o, &plan->inputs[i], e))
            return false;
        if (!plan->settings.like && !o->per_file &&
            has_records(&plan->inputs[i]))
            plan->settings.like = &plan->inputs[i];
    }
    return true;
}

static bool check_dtypes(const struct dataset *d, struct error *e)
{
    for (size_t i = 1; i < d->count; i++) {
        if (!d->inputs[i].deferred &&
            !input_same_dtype(&d->inputs[0], &d->inputs[i], e))
            return false;
    }
    return true;
}

/* Whether sums may round. Not where a variance is made of them: it is the
 * small difference of two large numbers. */
static bool may_be_fast(const struct options *o)
{
    const unsigned both = MONOID_BIT(sum) | MONOID_BIT(sumsq);
    for (size_t i = 0; i < o->ops; i++) {
        if ((o->op[i]->monoids & both) == both)
            return false;
    }
    return o->fast;
}

static bool check_readable_twice(const struct dataset *d, struct error *e)
{
    char name[QUOTE_MAX];
    for (size_t i = 0; i < d->count; i++) {
        const struct input *input = &d->inputs[i];
        if (!input->regular && !input->again &&
            !(input->is_file && input->ended))
            return error_set(e, ERROR_USAGE,
                             "%s: --verify needs files that can be read twice",
                             quote(name, d->inputs[i].name));
    }
    return true;
}

/* The table of the first input that has records, else of the first one. */
static const struct csv_table *table_of(const struct dataset *d)
{
    for (size_t i = 0; i < d->count; i++) {
        if (has_records(&d->inputs[i]))
            return d->inputs[i].table;
    }
    return d->inputs[0].table;
}

/* Of a dataset whose opened files hold no records: a pipe that opens later may
 * have columns, and they cannot be planned for then. */
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

bool plan_dataset(const struct plan *plan, struct dataset *d, struct error *e)
{
    const struct options *o = plan->options;
    if (!input_open_deferred(&d->inputs[0], e) ||
        !check_text(o, &d->inputs[0], e) || !check_dtypes(d, e) ||
        (o->verify && !check_readable_twice(d, e)))
        return false;
    d->bytes = inputs_bytes(d->inputs, d->count);
    d->job = (struct job){.dtype = d->inputs[0].dtype,
                          .monoids = monoids_of(o),
                          .reading = &reading_elements,
                          .fast = may_be_fast(o)};
    /* The extremes of bools show whether there are other bytes than 0 and 1. */
    if (d->inputs[0].is_bool)
        d->job.monoids |= MONOID_BIT(extrema);
    if (input_is_text(&d->inputs[0])) {
        d->job.reading = &reading_records;
        d->job.text = &plan->csv.spec;
        d->table = table_of(d);
        if (d->table->fields == 0 && !check_no_pipes(d, e))
            return false;
        /* Without a record there is no column, but there are results. */
        d->job.columns = d->table->columns;
        if (d->job.columns == 0 || plan->csv.spec.rows_only)
            d->job.columns = 1;
        if (d->job.dtype == DTYPE_f64 && d->job.monoids & ~MONOID_BIT(count))
            d->job.monoids |= MONOID_BIT(wide);
    }
    device_teams(plan, d);
    return true;
}

void plan_verification(const struct plan *plan, const struct dataset *d,
                       struct dataset *other)
{
    *other = *d;
    other->job.portable = true;
    device_other(plan, d, other);
}

static bool plan_datasets(struct plan *plan, struct error *e)
{
    bool apart = plan->options->per_file;
    plan->dataset_count = apart ? plan->input_count : 1;
    plan->datasets = calloc(plan->dataset_count, sizeof *plan->datasets);
    if (!plan->datasets)
        return error_set(e, ERROR_DATA, "out of memory");
    for (size_t i = 0; i < plan->dataset_count; i++) {
        struct dataset *d = &plan->datasets[i];
        d->inputs = &plan->inputs[i];
        d->count = apart ? 1 : plan->input_count;
        if (!d->inputs[0].deferred && !plan_dataset(plan, d, e))
            return false;
    }
    return true;
}

bool plan_make(struct plan *plan, const struct options *options,
               struct notes *notes, struct error *e)
{
    *plan = (struct plan){.options = options, .csv = {.notes = notes}};
    return plan_check(options, e) && open_inputs(plan, e) &&
           device_choose(plan, e) && plan_datasets(plan, e);
}

void plan_free(struct plan *plan)
{
    for (size_t i = 0; i < plan->input_count; i++)
        input_close(&plan->inputs[i]);
    free(plan->inputs);
    free(plan->datasets);
}
