/* SPDX-License-Identifier: MIT */
#include "plan/comparison.h"

#include <inttypes.h>
#include <stdio.h>

#include "backend/registry.h"
#include "base/quote.h"
#include "csv/schema/match.h"

static const struct op ops[] = {
#define COMPARISON_ROW(name, shown, about) \
    {#name, about, 0, false, shown, 0, 0},
    COMPARISON_OPS(COMPARISON_ROW)
#undef COMPARISON_ROW
};

static bool check_skips(const struct options *o, struct error *e)
{
    if (o->csv.spec.skip_bad)
        return error_set(e, ERROR_USAGE,
                         "--bad skip and --compare exclude each other: a cell "
                         "that is skipped is not compared");
    if (o->csv.spec.ragged == CSV_RAGGED_SKIP)
        return error_set(e, ERROR_USAGE,
                         "--ragged skip and --compare exclude each other: "
                         "after a skipped record, the records no longer line "
                         "up");
    return true;
}

bool comparison_check(const struct options *o, struct error *e)
{
    const char *tolerance = options_given_of(o, "atol rtol"),
               *other = options_given_of(o, "op nan empty fast verify assert "
                                            "per-file weights");
    if (!o->compare)
        return !tolerance || error_set(e, ERROR_USAGE,
                                       "--%s is for --compare: gpureduce "
                                       "--compare --%s 1e-9 FILE FILE",
                                       tolerance, tolerance);
    if (other)
        return error_set(e, ERROR_USAGE,
                         "--%s and --compare exclude each other", other);
    if (o->backend && o->backend != backends[0])
        return error_set(e, ERROR_USAGE,
                         "--compare runs on the CPU; leave out --device %s",
                         o->backend->name);
    return check_skips(o, e);
}

void comparison_ops(struct plan *plan, const struct options *o)
{
    plan->compares = true;
    plan->backend = backends[0];
    plan->devices = 1;
    plan->chunk_size = o->chunk_size;
    plan->tolerance = (struct compare_tolerance){o->atol, o->rtol};
    plan->ops = plan->asked = COMPARISON_OPS_END;
    for (size_t i = 0; i < COMPARISON_OPS_END; i++) {
        plan->op[i] = &ops[i];
        plan->shown[i] = ops[i].shown;
    }
    /* The pairs of records depend on whether the first record is data. */
    plan->csv.counts_records = true;
    plan->csv.matches = !plan->csv.columns;
    plan->csv.spec.compares = true;
}

void comparison_elements(struct plan *plan)
{
    plan->element[COMPARISON_argmax_abs] = COMPARISON_max_abs;
    plan->element[COMPARISON_argmax_rel] = COMPARISON_max_rel;
    plan->has_places = true;
}

/* Writes "(3, 4)", as NumPy does. */
static const char *shape_text(char out[QUOTE_MAX], const struct input *input)
{
    size_t used = (size_t)snprintf(out, QUOTE_MAX, "(");
    for (unsigned d = 0; d < input->rank && used < QUOTE_MAX - 32; d++)
        used += (size_t)snprintf(out + used, QUOTE_MAX - used, "%s%" PRIu64,
                                 d > 0 ? ", " : "", input->shape[d]);
    snprintf(out + used, QUOTE_MAX - used, input->rank == 1 ? ",)" : ")");
    return out;
}

static bool check_shapes(const struct input *a, const struct input *b,
                         struct error *e)
{
    char first[QUOTE_MAX], other[QUOTE_MAX], shape[2][QUOTE_MAX];
    bool same = !a->shape || !b->shape || a->rank == b->rank;
    for (unsigned d = 0; same && a->shape && b->shape && d < a->rank; d++)
        same = a->shape[d] == b->shape[d];
    if (!same)
        return error_set(e, ERROR_DATA,
                         "%s has the shape %s, but %s has %s\n"
                         "Data of different shape cannot be compared.",
                         quote(first, a->name), shape_text(shape[0], a),
                         quote(other, b->name), shape_text(shape[1], b));
    if (a->is_fortran == b->is_fortran)
        return true;
    return error_set(e, ERROR_DATA,
                     "%s is in Fortran order, but %s is in C order\n"
                     "Save one of them again: numpy.save(\"FILE\", "
                     "numpy.ascontiguousarray(array)).",
                     quote(first, a->is_fortran ? a->name : b->name),
                     quote(other, a->is_fortran ? b->name : a->name));
}

/* Checks that both inputs have as many elements, if that is known. */
static bool check_lengths(const struct input *a, const struct input *b,
                          struct error *e)
{
    char first[QUOTE_MAX], other[QUOTE_MAX];
    const unsigned size[2] = {dtype_info(a->dtype)->size,
                              dtype_info(b->dtype)->size};
    if (a->bytes == INPUT_UNKNOWN || b->bytes == INPUT_UNKNOWN ||
        a->bytes % size[0] || b->bytes % size[1] ||
        a->bytes / size[0] == b->bytes / size[1])
        return true;
    return error_set(e, ERROR_DATA,
                     "%s has %" PRIu64 " elements, but %s has %" PRIu64
                     "\nData of different shape cannot be compared.",
                     quote(first, a->name), a->bytes / size[0],
                     quote(other, b->name), b->bytes / size[1]);
}

static bool check_binary(const struct input *a, const struct input *b,
                         struct error *e)
{
    char first[QUOTE_MAX], other[QUOTE_MAX];
    const struct input *assumed = a->dtype_assumed ? a : b;
    if (a->dtype != b->dtype && assumed->dtype_assumed)
        return error_set(e, ERROR_USAGE,
                         "%s is %s, and nothing says the type of %s\n"
                         "Give --dtype.",
                         quote(first, assumed == a ? b->name : a->name),
                         input_dtype_name(assumed == a ? b : a),
                         quote(other, assumed->name));
    return check_shapes(a, b, e) && check_lengths(a, b, e);
}

/* Notes which fields are not compared. Without --columns, fields are in order.
 */
static void note_left_out(const struct plan *plan,
                          const struct csv_table *table)
{
    char name[QUOTE_MAX], number[32];
    size_t field = 0;
    while (field < table->columns && table->field_of[field] == field)
        field++;
    const size_t others = table->fields - table->columns - 1;
    snprintf(number, sizeof number, "%zu", field + 1);
    notes_add(plan->csv.notes, "compared", NOTE_ASSUMED, NULL,
              "compared %zu of %zu columns, without %s%s: %s numbers in the "
              "first records%s",
              table->columns, table->fields,
              quote(name, table->has_header ? table->name[field] : number),
              others > 0 ? " and others" : "",
              others > 0 ? "they do not hold" : "it does not hold",
              plan->csv.exclude ? ", or is excluded" : "");
}

static bool check_text(const struct plan *plan, const struct input *a,
                       const struct input *b, struct error *e)
{
    char first[QUOTE_MAX], other[QUOTE_MAX];
    struct csv_table *const table[2] = {a->table, b->table};
    const struct csv_table *x = a->table, *y = b->table;
    if (x->fields != y->fields && !plan->csv.columns && x->fields && y->fields)
        return error_set(e, ERROR_DATA,
                         "%s has %zu columns, but %s has %zu\n"
                         "--columns says which ones to compare.",
                         quote(first, a->name), x->fields,
                         quote(other, b->name), y->fields);
    if (plan->csv.matches &&
        !csv_match(table, (const char *[]){a->name, b->name}, e))
        return false;
    if (!plan->csv.columns && x->columns < x->fields && y->fields)
        note_left_out(plan, x);
    return true;
}

bool comparison_check_inputs(const struct plan *plan, struct error *e)
{
    const struct input *a = &plan->inputs[0], *b = &plan->inputs[1];
    char first[QUOTE_MAX], other[QUOTE_MAX];
    if (input_is_text(a) != input_is_text(b))
        return error_set(e, ERROR_USAGE,
                         "%s is text but %s is not\nGive --format.",
                         quote(first, input_is_text(a) ? a->name : b->name),
                         quote(other, input_is_text(a) ? b->name : a->name));
    return input_is_text(a) ? check_text(plan, a, b, e) : check_binary(a, b, e);
}

/* Two streams need a thread each: one program may write both. */
static unsigned threads_of(const struct plan *plan)
{
    const unsigned least =
        !plan->inputs[0].regular && !plan->inputs[1].regular ? 2 : 1;
    return plan->settings.threads > least ? plan->settings.threads : least;
}

struct compare_job comparison_job(const struct plan *plan)
{
    const struct dataset *first = &plan->datasets[0];
    const enum dtype a = first->job.dtype, b = plan->inputs[1].dtype;
    const size_t bytes = first->team[0].chunk_bytes;
    return (struct compare_job){
        .reading = first->job.reading,
        .text = first->job.text,
        .dtype = {a, b},
        .columns = job_groups(&first->job),
        .chunk_bytes = {bytes, first->job.text
                                   ? bytes
                                   : bytes / dtype_size(a) * dtype_size(b)},
        .threads = threads_of(plan),
        .tolerance = plan->tolerance,
        .meter = plan->settings.meter};
}
