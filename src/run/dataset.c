/* SPDX-License-Identifier: MIT */
#include "run/dataset.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "backend/registry.h"
#include "output/stages.h"
#include "run/axes.h"
#include "run/covers.h"
#include "run/histograms.h"
#include "run/instead.h"
#include "run/printer.h"
#include "run/report.h"
#include "run/row.h"
#include "saved/saved.h"

/* Appends the values of the operations of all rows, [rows][ops]. */
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
            if (!row_finish(d, c, plan->op[i], &totals, &value, e) ||
                !values_add(values, &value, e))
                return false;
        }
    }
    return true;
}

static void count_read(struct dataset *d, bool starts)
{
    if (d->derived)
        formulas_count_read(&d->derived->formulas, starts);
}

/* False, with the error, if all cells of a column that expressions read are
 * bad.
 */
static bool check_read(const struct dataset *d, struct error *e)
{
    const struct formulas *f = d->job.formulas;
    char name[QUOTE_MAX];
    for (size_t i = 0; f && f->read && i < f->inputs; i++) {
        if (f->read[i].bad == 0 || f->read[i].values > 0)
            continue;
        const struct csv_span column = dataset_input_name(d, i);
        return error_named(e, ERROR_DATA, d->inputs[0].name,
                           "each of the %" PRIu64 " cells of column %s that "
                           "expressions read is bad: not a number of this type",
                           f->read[i].bad,
                           quote_bytes(name, column.at, column.bytes));
    }
    return true;
}

/* Sets which backends reduced data; if there were no data, the first team's. */
static void add_up(struct outcome *outcome, const struct team *teams,
                   size_t count, const struct engine_report *report)
{
    outcome->bytes = report->bytes;
    outcome->backends = 0;
    for (size_t t = 0; t < count; t++) {
        if (report->team[t].bytes > 0 || (t == 0 && report->bytes == 0))
            outcome->backends |= backend_bit(teams[t].backend);
    }
}

/* Prints the report for --verbose. */
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

/* Finds the errors of --nan error and of damaged bools in states that are to be
 * saved: --merge would find them, too, but late. Keys are left to it. */
static bool check_saved(const struct plan *plan, const struct dataset *d,
                        const struct states *states, struct error *e)
{
    struct value rows;
    struct error why;
    for (size_t c = 0; !plan->by && c < d->rows; c++) {
        const struct totals totals = row_totals(plan, d, states, c);
        if (totals.is_bool && !row_check(d, c, &totals, &why))
            return row_blame(d, c, &why, e);
        if (plan->nan == NAN_ERROR &&
            !row_finish(d, c, op_find("rows"), &totals, &rows, e))
            return false;
    }
    return true;
}

/* Runs the passes after the first and appends the values. On failure nothing is
 * held. */
static bool settle(const struct plan *plan, struct dataset *d,
                   struct histograms *ranked, struct outcome *outcome,
                   struct engine_report *report, struct values *values,
                   struct error *e)
{
    struct reduced *reduced = &outcome->reduced;
    outcome->histogram = NULL;
    outcome->by = NULL;
    const bool suits = by_check_read(plan, d, e);
    if (suits && plan->save && check_saved(plan, d, &reduced->states, e))
        return true;
    const bool ok =
        suits && !plan->save && check_read(d, e) &&
        histograms_end(plan, d, ranked, outcome, report, e) &&
        (plan->by ? by_finish(plan, d, reduced, values, &outcome->by, e)
                  : finish_columns(plan, d, &reduced->states, values, e));
    if (!ok) {
        histograms_free(outcome->histogram, ranked ? ranked->groups : 0);
        outcome->histogram = NULL;
        reduced_close(reduced);
    }
    return ok;
}

/* False, with the error, if a device that was asked for is missing, even if the
 * CPU does the work. */
static bool probe_devices(const struct plan *plan, const struct dataset *d,
                          struct error *e)
{
    bool ok = true;
    for (unsigned i = 0; ok && d->left && i < plan->devices; i++)
        ok = !plan->backend->probe || plan->backend->probe(plan->device[i], e);
    return ok;
}

/* Finds the quantiles of merged states. */
static bool find_merged(const struct plan *plan, const struct dataset *d,
                        struct states *s, struct error *e)
{
    bool ok = true;
    if (!s->bank[MONOID_tallies] || !(plan->monoids & MONOID_BIT(ranks)))
        return true;
    s->size[MONOID_ranks] = sizeof(struct ranks);
    s->bank[MONOID_ranks] = calloc(s->groups + 1, sizeof(struct ranks));
    for (size_t g = 0; ok && g < s->groups; g++)
        ok = s->bank[MONOID_ranks] &&
             (dataset_is_text(d, g) ||
              covers_find(plan, schema_dtype(&s->schema, g),
                          &states_at(s, g, MONOID_tallies)->distinct,
                          &states_at(s, g, MONOID_ranks)->ranks));
    return ok || error_memory(e);
}

/* Sets the states that --merge has merged. */
static bool take_merged(const struct plan *plan, const struct dataset *d,
                        struct outcome *outcome, struct error *e)
{
    struct saved *s = plan->merged;
    struct saved_text list = s->backends, item;
    *outcome = (struct outcome){.reduced = {.states = s->states,
                                            .skipped = s->skipped,
                                            .groups = s->groups},
                                .bytes = s->bytes};
    if (plan->merged_notes) {
        outcome->reduced.notes = *plan->merged_notes;
        *plan->merged_notes = (struct chunk_notes){NULL, 0};
    }
    for (size_t i = 0; d->has_axes && i < s->inputs; i++)
        outcome->records += s->input[i].elements;
    s->states = (struct states){.groups = 0};
    s->groups = NULL;
    while (saved_next_item(&list, &item)) {
        for (size_t i = 0; backends[i]; i++) {
            if (strlen(backends[i]->name) == item.n &&
                memcmp(backends[i]->name, item.at, item.n) == 0)
                outcome->backends |= backend_bit(backends[i]);
        }
    }
    if (find_merged(plan, d, &outcome->reduced.states, e))
        return true;
    reduced_close(&outcome->reduced);
    return false;
}

/* Changes the teams if a run that failed may be restarted with others: with
 * smaller ones, or with the CPU's. */
static bool replan(const struct plan *plan, struct dataset *d,
                   const struct team *cpu, struct sink *sink,
                   const struct error *e)
{
    if (instead_smaller(plan, d, e))
        return true;
    if (!instead_failed(plan, sink, e))
        return false;
    d->team[0] = *cpu;
    d->teams = 1;
    return true;
}

bool dataset_run(const struct plan *plan, struct dataset *d, struct sink *sink,
                 struct outcome *outcome, struct values *values,
                 struct npy_stream *stream, struct error *e)
{
    struct engine_report report;
    if (plan->merged)
        return take_merged(plan, d, outcome, e) &&
               settle(plan, d, NULL, outcome, NULL, values, e);
    if (!probe_devices(plan, d, e))
        return false;
    if (d->has_axes)
        return axes_run(plan, d, sink, outcome, values, stream, e);
    struct reduced *reduced = &outcome->reduced;
    const struct team cpu = d->team[0]; /* the CPU's if a GPU fails unasked */
    struct meter *meter = d->job.meter;
    uint64_t cut = atomic_load(&meter->cut);
    uint64_t packed = atomic_load(&meter->packed);
    struct histograms ranked;
    struct job job = d->job;
    char reason[TEAM_REASON];
    if (!instead_choose(d, reason, e))
        return false;
    bool ok = histograms_begin(plan, d, &job, &ranked, e);
    count_read(d, true);
    ok = ok && engine_run(&job, d->team, d->teams, d->inputs, d->count, reduced,
                          &report, e);
    while (!ok && replan(plan, d, &cpu, sink, e)) {
        atomic_store(&meter->cut, cut);
        atomic_store(&meter->packed, packed);
        stages_clear(meter);
        count_read(d, true);
        ok = engine_run(&job, d->team, d->teams, d->inputs, d->count, reduced,
                        &report, e);
    }
    count_read(d, false);
    if (ok) {
        add_up(outcome, d->team, d->teams, &report);
        if (*reason)
            memcpy(report.reason, reason, sizeof reason);
        ok = settle(plan, d, &ranked, outcome, &report, values, e);
    }
    if (ok && plan->verbose)
        tell(sink, d, outcome, &report, ranked.passes.more);
    histograms_close(&ranked);
    return ok;
}

/* Monoids whose states are large or grow with the data. The states of many
 * datasets might not fit in memory. */
enum {
    LARGE = MONOID_BIT(distinct) | MONOID_BIT(tallies) | MONOID_BIT(sketch) |
            MONOID_BIT(ranks),
};

/* Each FILE of a batch stays open until its end. */
enum { BATCH_FILES = 16 };

size_t dataset_batch(const struct plan *plan, size_t first)
{
    const struct input *whole = NULL;
    unsigned files = 0;
    size_t n = 0;
    for (; n < DATASET_BATCH && first + n < plan->dataset_count; n++) {
        const struct dataset *d = &plan->datasets[first + n];
        files += d->inputs[0].whole != whole;
        whole = d->inputs[0].whole;
        if (!whole || files > BATCH_FILES || d->has_axes || d->teams > 1 ||
            d->job.monoids & LARGE)
            break;
    }
    return plan->verbose || plan->by || n == 0 ? 1 : n;
}

bool dataset_run_batch(const struct plan *plan, const struct dataset *d,
                       size_t n, struct outcome *outcome, struct error *e)
{
    struct engine_part *part = calloc(n, sizeof *part);
    if (!part)
        return error_memory(e);
    bool ok = true;
    for (size_t i = 0; i < n; i++) {
        ok = ok && probe_devices(plan, &d[i], e);
        part[i] = (struct engine_part){.job = &d[i].job,
                                       .teams = d[i].team,
                                       .count = d[i].teams,
                                       .inputs = d[i].inputs,
                                       .inputs_count = d[i].count};
    }
    ok = ok && engine_run_all(part, n, plan->settings.threads, e);
    for (size_t i = 0; ok && i < n; i++) {
        outcome[i] = (struct outcome){.reduced = part[i].reduced};
        add_up(&outcome[i], d[i].team, d[i].teams, &part[i].report);
    }
    free(part);
    return ok;
}

bool dataset_settle(const struct plan *plan, struct dataset *d,
                    struct outcome *outcome, struct values *values,
                    struct error *e)
{
    return settle(plan, d, NULL, outcome, NULL, values, e);
}
