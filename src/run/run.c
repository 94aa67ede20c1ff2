/* SPDX-License-Identifier: MIT */
#include "run/run.h"

#include "backend/registry.h"
#include "run/answers.h"
#include "run/axes.h"
#include "run/comparison.h"
#include "base/meter.h"
#include "base/quote.h"
#include "engine/engine.h"
#include "output/number.h"
#include "output/stages.h"
#include "run/goal.h"
#include "run/histograms.h"
#include "run/places.h"
#include "run/printer.h"
#include "run/report.h"
#include "run/row.h"
#include "run/verdict.h"

/* Reads the operations of every column: [rows][ops] values more. */
static bool finish_columns(const struct plan *plan, const struct dataset *d,
                           const struct states *states, struct values *values,
                           struct error *e)
{
    struct error why;
    struct value value;
    struct decimals decimals = {.digits = plan->digits};
    for (size_t c = 0; c < d->rows; c++) {
        struct totals totals = row_totals(plan, d, states, c);
        totals.decimals = plan->has_digits ? &decimals : NULL;
        if (!row_check(d, c, &totals, &why))
            return row_blame(d, c, &why, e);
        for (size_t i = 0; i < plan->ops; i++) {
            if (!op_finish(plan->op[i], &totals, &value, &why))
                return row_blame(d, c, &why, e);
            if (!values_add(values, &value, e))
                return false;
        }
    }
    return true;
}

/* Whether a GPU failed that nobody asked for: says so, and the CPU begins
 * again. What a GPU is given by auto can be read twice. */
static bool may_do_without(const struct plan *plan, struct sink *sink,
                           const struct error *e)
{
    if (e->kind != ERROR_DEVICE || plan->backend)
        return false;
    sink_say(sink, e->text);
    sink_say(sink, "beginning again without it");
    return true;
}

/* Fills in who had some of the data; of no data, who waited for some. */
static void add_up(struct outcome *outcome, const struct team *teams,
                   size_t count, const struct engine_report *report)
{
    outcome->bytes = report->bytes;
    outcome->backends = 0;
    for (size_t t = 0; t < count; t++) {
        const bool had_some = report->team[t].bytes > 0;
        for (size_t i = 0; backends[i]; i++) {
            if (backends[i] == teams[t].backend &&
                (had_some || (t == 0 && report->bytes == 0)))
                outcome->backends |= 1u << i;
        }
    }
}

/* --verbose. */
static void tell(struct sink *sink, const struct dataset *d,
                 const struct outcome *outcome,
                 const struct engine_report *report, unsigned more)
{
    FILE *to = sink_hold(sink);
    if (more > 0)
        fprintf(to, "read %u time%s more for the ranks of values\n", more,
                more == 1 ? "" : "s");
    report_print(to, d, &outcome->reduced.states, report);
    stages_clear(d->job.meter);
    sink_resume(sink);
}

/* A device that was asked for must be there, though the CPU does the work. */
static bool probe_devices(const struct plan *plan, const struct dataset *d,
                          struct error *e)
{
    bool ok = true;
    for (unsigned i = 0; ok && d->left && i < plan->devices; i++)
        ok = !plan->backend->probe || plan->backend->probe(plan->device[i], e);
    return ok;
}

/* Runs the dataset as planned and adds its values. On success outcome->reduced
 * is the caller's to close. */
static bool run_dataset(const struct plan *plan, struct dataset *d,
                        struct sink *sink, struct outcome *outcome,
                        struct values *values, struct npy_stream *stream,
                        struct error *e)
{
    struct engine_report report;
    if (!probe_devices(plan, d, e))
        return false;
    if (d->has_axes)
        return axes_run(plan, d, sink, outcome, values, stream, e);
    struct reduced *reduced = &outcome->reduced;
    const struct team *teams = d->team;
    size_t count = d->teams;
    struct team cpu;
    struct meter *meter = d->job.meter;
    uint64_t cut = atomic_load(&meter->cut);
    uint64_t packed = atomic_load(&meter->packed);
    struct histograms ranked;
    struct job job = d->job;
    outcome->histogram = NULL;
    outcome->by = NULL;
    bool ok = histograms_begin(plan, d, &job, &ranked, e);
    ok = ok && engine_run(&job, d->team, d->teams, d->inputs, d->count, reduced,
                          &report, e);
    if (!ok && may_do_without(plan, sink, e)) {
        cpu = d->team[0];
        cpu.backend = backends[0];
        teams = &cpu;
        count = 1;
        atomic_store(&meter->cut, cut);
        atomic_store(&meter->packed, packed);
        stages_clear(meter);
        ok =
            engine_run(&job, &cpu, 1, d->inputs, d->count, reduced, &report, e);
    }
    if (ok) {
        add_up(outcome, teams, count, &report);
        ok = histograms_end(plan, d, &ranked, outcome, &report, e) &&
             (plan->by ? by_finish(plan, d, reduced, values, &outcome->by, e)
                       : finish_columns(plan, d, &reduced->states, values, e));
        if (!ok)
            reduced_close(reduced);
    }
    if (ok && plan->verbose)
        tell(sink, d, outcome, &report, ranked.passes.more);
    histograms_close(&ranked);
    return ok;
}

/* A value as a message shows it. */
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
                              const struct histogram *a,
                              const struct histogram *b, struct error *e)
{
    struct error why;
    size_t row = 0;
    while (row < d->rows && histogram_same(&a[row], &b[row]))
        row++;
    if (row == d->rows)
        return true;
    error_set(&why, ERROR_DATA,
              "--verify: the histogram differs in other chunks\n"
              "The data changed, or this is a fault of the machine or of "
              "gpureduce.");
    return row_blame(d, row, &why, e);
}

/* --verify: the values from the first one on once more, in another way. */
static bool verify_dataset(const struct plan *plan, const struct dataset *d,
                           struct sink *sink, const struct values *values,
                           size_t first, const struct histogram *histogram,
                           struct error *e)
{
    struct dataset other = dataset_verification(plan, d);
    struct outcome outcome;
    struct values again = {0};
    const size_t columns =
        plan->by && d->job.by.columns ? d->job.by.columns : d->rows;
    bool ok = run_dataset(plan, &other, sink, &outcome, &again, NULL, e);
    if (ok)
        reduced_close(&outcome.reduced);
    if (ok && outcome.histogram)
        ok = verify_histograms(d, histogram, outcome.histogram, e);
    if (ok && again.n != values->n - first)
        ok = error_set(e, ERROR_DATA, "--verify: the data changed");
    for (size_t i = 0; ok && i < again.n; i++) {
        const struct value a = values_at(values, first + i),
                           b = values_at(&again, i);
        if (!value_same(&a, &b))
            ok = tell_difference(d, &other, i / plan->ops % columns,
                                 plan->op[i % plan->ops], &a, &b, e);
    }
    values_free(&again);
    histograms_free(outcome.histogram, d->rows);
    by_rows_free(outcome.by);
    return ok;
}

static bool reduce_dataset(const struct plan *plan,
                           const struct dataset *planned, struct sink *sink,
                           struct answers *answers, struct verdict *verdict,
                           struct error *e)
{
    const size_t first = answers->values.n;
    struct dataset d;
    struct outcome outcome;
    if (!dataset_open(plan, planned, &d, e) ||
        !run_dataset(plan, &d, sink, &outcome, &answers->values,
                     answers->stream, e))
        return false;
    const struct reduced *reduced = &outcome.reduced;
    struct meter *meter = d.job.meter;
    const uint64_t packed = atomic_load(&meter->packed);
    answers_note(&sink->notes, &d, reduced);
    bool ok = verdict_add(verdict, plan, &d, reduced, &answers->values, e) &&
              answers_add(answers, &d, &outcome, e);
    if (ok && plan->verbose && !plan->by) {
        places_print(sink_hold(sink), answers);
        sink_resume(sink);
    }
    /* What was read once more, for lines, is neither progress nor a stage. */
    atomic_store(&meter->packed, packed);
    stages_clear(meter);
    reduced_close(&outcome.reduced);
    return ok &&
           (!plan->verify || verify_dataset(plan, &d, sink, &answers->values,
                                            first, outcome.histogram, e));
}

bool run_plan(const struct plan *plan, struct sink *sink, int fd,
              struct error *e)
{
    struct npy_stream stream;
    struct answers answers = {.plan = plan, .stream = &stream};
    struct verdict verdict = {0};
    bool ok = true, different = false;
    npy_stream_open(&stream, plan, fd);
    if (plan->has_bar)
        progress_start(&sink->bar, plan->settings.meter, run_goal(plan),
                       plan->has_bar_always);
    if (plan->compares)
        ok = comparison_run(plan, sink, &answers, &different, e);
    for (size_t i = 0; ok && !plan->compares && i < plan->dataset_count; i++)
        ok = reduce_dataset(plan, &plan->datasets[i], sink, &answers, &verdict,
                            e);
    progress_stop(&sink->bar);
    if (ok) {
        sink_notes(sink);
        if (!plan->compares)
            answers_note_empty(&sink->notes, &answers);
        ok = stream.began ? writer_end(&stream.p.to, e)
                          : answers_print(&answers, fd, e);
    }
    if (ok)
        sink_notes(sink);
    answers_free(&answers);
    if (ok && different)
        return error_set(e, ERROR_DIFFERENT, "%s", "");
    return ok && verdict_end(&verdict, e);
}
