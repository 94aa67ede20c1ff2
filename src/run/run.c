/* SPDX-License-Identifier: MIT */
#include "run/run.h"

#include <stdlib.h>
#include <string.h>

#include "base/meter.h"
#include "base/quote.h"
#include "chunk/file.h"
#include "output/number.h"
#include "output/stages.h"
#include "run/answers.h"
#include "run/comparison.h"
#include "run/dataset.h"
#include "run/histograms.h"
#include "run/joint.h"
#include "run/places.h"
#include "run/printer.h"
#include "run/report.h"
#include "run/row.h"
#include "run/saving.h"
#include "run/verdict.h"
#include "saved/saved.h"

/* Writes a value as messages show it. */
static void show(char out[QUOTE_MAX + NUMBER_MAX], const struct value *value)
{
    if (value->kind == VALUE_TEXT)
        quote_bytes(out, value->text, value->bytes);
    else
        number_text(out, value);
}

static bool tell_difference(const struct dataset *d,
                            const struct dataset *other, size_t column,
                            const struct op *op, const struct value *first,
                            const struct value *second, struct error *e)
{
    char a[QUOTE_MAX + NUMBER_MAX], b[QUOTE_MAX + NUMBER_MAX];
    struct error why;
    show(a, first);
    show(b, second);
    error_set(&why, ERROR_DATA,
              "--verify: %s is %s on the %s, but %s on the %s in other "
              "chunks\nThe data changed, or this is a fault of the machine "
              "or of gpureduce.",
              op->name, a, d->team[0].backend->name, b,
              other->team[0].backend->name);
    return row_blame(d, column, &why, e);
}

static bool verify_histograms(const struct dataset *d,
                              const struct outcome *first,
                              const struct outcome *second, struct error *e)
{
    struct error why;
    struct histogram room[2] = {{.bins = 0}, {.bins = 0}};
    bool ok = true, has_memory = true;
    size_t row = 0;
    while (ok && row < d->rows) {
        const struct histogram *a = histogram_of_row(first->histogram,
                                                     first->by, row, &room[0]),
                               *b = histogram_of_row(second->histogram,
                                                     second->by, row, &room[1]);
        has_memory = a && b;
        ok = has_memory && histogram_same(a, b);
        row += ok;
    }
    free(room[0].count);
    free(room[1].count);
    if (ok)
        return true;
    if (!has_memory)
        return error_memory(e);
    error_set(&why, ERROR_DATA,
              "--verify: the histogram differs in other chunks\n"
              "The data changed, or this is a fault of the machine or of "
              "gpureduce.");
    return row_blame(d, first->by ? row % first->by->columns : row, &why, e);
}

static bool has_same_key(const struct by_rows *a, const struct by_rows *b,
                         size_t row, size_t column)
{
    struct by_text rooms[2];
    const struct text_cell x = by_row_key(a, row, column, false, &rooms[0]),
                           y = by_row_key(b, row, column, false, &rooms[1]);
    return x.bytes == y.bytes &&
           (x.bytes == 0 || memcmp(x.at, y.at, x.bytes) == 0);
}

/* a and b: NULL without --by. */
static bool verify_keys(const struct by_rows *a, const struct by_rows *b,
                        struct error *e)
{
    bool ok = !a || a->order.n == b->order.n;
    for (size_t i = 0; ok && a && i < a->order.n * a->keys; i++)
        ok = has_same_key(a, b, i / a->keys * a->columns, i % a->keys);
    return ok || error_set(e, ERROR_DATA, "--verify: the data changed");
}

/* For --verify: reduces the dataset again, in other chunks, and compares the
 * values with those from number `first` on. */
static bool verify_dataset(const struct plan *plan, const struct dataset *d,
                           struct sink *sink, const struct values *values,
                           size_t first, const struct outcome *before,
                           struct error *e)
{
    struct dataset other = dataset_verification(plan, d);
    struct outcome outcome = {0};
    struct values again = {0};
    const size_t columns = plan->by ? dataset_rows_of_key(d) : d->rows;
    bool ok = dataset_run(plan, &other, sink, &outcome, &again, NULL, e);
    if (ok)
        reduced_close(&outcome.reduced);
    if (ok && again.n != values->n - first)
        ok = error_set(e, ERROR_DATA, "--verify: the data changed");
    ok = ok && verify_keys(before->by, outcome.by, e);
    if (ok && outcome.histogram)
        ok = verify_histograms(d, before, &outcome, e);
    for (size_t i = 0; ok && i < again.n; i++) {
        const struct value a = values_at(values, first + i),
                           b = values_at(&again, i);
        if (!value_same(&a, &b))
            ok = tell_difference(d, &other, i / plan->ops % columns,
                                 plan->op[i % plan->ops], &a, &b, e);
    }
    values_free(&again);
    histograms_free(outcome.histogram, columns);
    by_rows_free(outcome.by);
    return ok;
}

/* False, with the error, if a file changed while it was read. */
static bool are_unchanged(const struct plan *plan, const struct dataset *d,
                          struct error *e)
{
    return inputs_are_unchanged(d->inputs, d->count, e) &&
           (!plan->keys.is_open ||
            inputs_are_unchanged(&plan->keys.input, 1, e));
}

/* Finishes a dataset, whose values are the last ones, from number `first` on:
 * notes, judges the conditions, and verifies. */
static bool take(const struct plan *plan, const struct dataset *d,
                 struct sink *sink, struct outcome *outcome, size_t first,
                 struct answers *answers, struct verdict *verdict,
                 struct error *e)
{
    const struct reduced *reduced = &outcome->reduced;
    struct meter *meter = d->job.meter;
    const uint64_t packed = atomic_load(&meter->packed);
    answers_note(&sink->notes, d, reduced);
    if (plan->save) {
        const bool is_saved =
            are_unchanged(plan, d, e) && saving_write(plan, d, outcome, e);
        reduced_close(&outcome->reduced);
        return is_saved;
    }
    bool ok = verdict_add(verdict, plan, d, reduced, &answers->values, e) &&
              answers_add(answers, d, outcome, e) && are_unchanged(plan, d, e);
    if (ok && plan->verbose && !plan->by) {
        places_print(sink_hold(sink), answers);
        sink_resume(sink);
    }
    /* Reading data again to find lines counts neither as progress nor as a
     * stage. */
    atomic_store(&meter->packed, packed);
    stages_clear(meter);
    reduced_close(&outcome->reduced);
    return ok &&
           (!plan->verify ||
            verify_dataset(plan, d, sink, &answers->values, first, outcome, e));
}

static bool reduce_dataset(const struct plan *plan,
                           const struct dataset *planned, struct sink *sink,
                           struct answers *answers, struct verdict *verdict,
                           struct error *e)
{
    const size_t first = answers->values.n;
    struct dataset d;
    struct outcome outcome;
    return dataset_open(plan, planned, &d, e) &&
           dataset_run(plan, &d, sink, &outcome, &answers->values,
                       answers->stream, e) &&
           take(plan, &d, sink, &outcome, first, answers, verdict, e);
}

/* Reduces n datasets together. */
static bool reduce_batch(const struct plan *plan, struct dataset *d, size_t n,
                         struct sink *sink, struct answers *answers,
                         struct verdict *verdict, struct error *e)
{
    struct outcome *outcome = malloc(n * sizeof *outcome);
    if (!outcome)
        return error_memory(e);
    bool ok = dataset_run_batch(plan, d, n, outcome, e);
    for (size_t i = 0, settled = ok ? n : 0; i < settled; i++) {
        const size_t first = answers->values.n;
        if (!ok)
            reduced_close(&outcome[i].reduced);
        ok = ok &&
             dataset_settle(plan, &d[i], &outcome[i], &answers->values, e) &&
             take(plan, &d[i], sink, &outcome[i], first, answers, verdict, e);
    }
    free(outcome);
    return ok;
}

/* Closes the FILEs whose last array is among datasets `from` to `to`. */
static void close_packs(const struct plan *plan, size_t from, size_t to)
{
    for (size_t i = from; i < to; i++) {
        const struct input *whole = plan->datasets[i].inputs[0].whole;
        if (whole && (i + 1 == plan->dataset_count ||
                      plan->datasets[i + 1].inputs[0].whole != whole))
            file_forget(whole->pack);
    }
}

static bool reduce_all(const struct plan *plan, struct sink *sink,
                       struct answers *answers, struct verdict *verdict,
                       struct error *e)
{
    bool ok = true;
    size_t n;
    for (size_t i = 0; ok && i < plan->dataset_count; i += n) {
        struct dataset *d = &plan->datasets[i];
        n = dataset_batch(plan, i);
        ok = n == 1 ? reduce_dataset(plan, d, sink, answers, verdict, e)
                    : reduce_batch(plan, d, n, sink, answers, verdict, e);
        close_packs(plan, i, i + n);
    }
    return ok;
}

/* Whether the run can begin: --save-state can write its file. */
static bool may_begin(const struct plan *plan, struct error *e)
{
    return !plan->save || saved_may_store(plan->save, e);
}

bool run_plan(const struct plan *plan, struct sink *sink, int fd,
              struct error *e)
{
    struct npy_stream stream;
    struct answers answers = {.plan = plan, .stream = &stream};
    struct verdict verdict = {0};
    struct answers_empty empty = {.n = 0};
    bool ok = may_begin(plan, e), different = false;
    if (!ok)
        return false;
    npy_stream_open(&stream, plan, fd);
    if (plan->has_bar)
        progress_start(&sink->bar, plan->settings.meter, run_goal(plan),
                       plan->has_bar_always);
    if (plan->compares)
        ok = comparison_run(plan, sink, &answers, &different, e);
    else
        ok = reduce_all(plan, sink, &answers, &verdict, e);
    progress_stop(&sink->bar);
    if (ok && !plan->compares)
        answers_find_empty(&answers, &empty);
    if (plan->joint)
        ok = plan->joint->agree(&answers, ok, &empty, e);
    if (ok) {
        sink_notes(sink);
        answers_note_empty(&sink->notes, &empty, plan);
        ok = stream.began ? writer_end(&stream.p.to, e)
                          : plan->save || answers_print(&answers, fd, e);
    }
    if (ok)
        sink_notes(sink);
    answers_free(&answers);
    if (ok && different)
        return error_set(e, ERROR_DIFFERENT, "%s", "");
    return ok && verdict_end(&verdict, e);
}
