/* SPDX-License-Identifier: MIT */
#include "run.h"

#include <stdlib.h>

#include "base/meter.h"
#include "base/quote.h"
#include "engine/engine.h"
#include "output/number.h"
#include "output/progress.h"
#include "output/results.h"
#include "output/stages.h"
#include "report.h"

/* Says with which data the trouble is, where that is one file or column. */
static bool blame(const struct dataset *d, size_t column,
                  const struct error *why, struct error *e)
{
    char file[QUOTE_MAX] = "", name[QUOTE_MAX] = "";
    if (d->count == 1)
        quote(file, d->inputs[0].name);
    if (d->job.text && d->job.columns > 1)
        quote(name, report_column_name(d, column));
    return error_set(e, why->kind, "%s%s%s%s%s%.2000s", file, *file ? ": " : "",
                     *name ? "column " : "", name, *name ? ": " : "",
                     why->text);
}

/* Reads the operations of one column. */
static bool finish_column(const struct options *o, const struct dataset *d,
                          size_t column, const struct partial *partial,
                          struct value *values, struct error *e)
{
    struct totals totals = {.dtype = d->job.dtype,
                            .nan = o->nan,
                            .empty = o->empty,
                            .n = partial->n};
    for (int m = 0; m < MONOIDS_END; m++)
        totals.state[m] = d->job.monoids >> m & 1 ? &partial->state[m] : NULL;
    for (size_t i = 0; i < o->ops; i++) {
        struct error why;
        if (!op_finish(o->op[i], &totals, &values[i], &why))
            return blame(d, column, &why, e);
    }
    return true;
}

/* Whether a GPU failed that nobody asked for: says so, and the CPU begins
 * again. What a GPU is given by auto can be read twice. */
static bool may_do_without(const struct options *o, struct progress *progress,
                           const struct error *e)
{
    if (e->kind != ERROR_DEVICE || o->device != DEVICE_AUTO)
        return false;
    progress_hold(progress);
    if (!o->quiet)
        fprintf(stderr,
                "gpureduce: %s\ngpureduce: beginning again without it\n",
                e->text);
    progress_resume(progress);
    return true;
}

/* Runs the dataset as planned: values[columns][ops]. */
static bool run_dataset(const struct options *o, const struct dataset *d,
                        struct progress *progress, struct value *values,
                        struct error *e)
{
    struct engine_report report;
    size_t columns = job_columns(&d->job);
    struct partial *partial = malloc((columns + 1) * sizeof *partial);
    if (!partial)
        return error_set(e, ERROR_DATA, "out of memory");
    struct meter *meter = d->job.meter;
    uint64_t dealt = atomic_load(&meter->dealt);
    uint64_t packed = atomic_load(&meter->packed);
    bool ok = engine_run(&d->job, d->team, d->teams, d->inputs, d->count,
                         partial, &report, e);
    if (!ok && may_do_without(o, progress, e)) {
        struct team cpu = d->team[0];
        cpu.backend = &backend_cpu;
        atomic_store(&meter->dealt, dealt);
        atomic_store(&meter->packed, packed);
        stages_clear(meter);
        ok = engine_run(&d->job, &cpu, 1, d->inputs, d->count, partial, &report,
                        e);
    }
    for (size_t c = 0; ok && c < columns; c++)
        ok = finish_column(o, d, c, &partial[c], &values[c * o->ops], e);
    if (ok && o->verbose) {
        progress_hold(progress);
        report_print(stderr, d, partial, &report);
        stages_clear(meter);
        progress_resume(progress);
    }
    free(partial);
    return ok;
}

static bool tell_difference(const struct dataset *d,
                            const struct dataset *other, size_t column,
                            const struct op *op, const struct value *first,
                            const struct value *second, struct error *e)
{
    char a[NUMBER_MAX], b[NUMBER_MAX];
    struct error why;
    error_set(&why, ERROR_DATA,
              "--verify: %s is %s on the %s, but %s on the %s in other "
              "chunks\nThe data changed, or this is a fault of the machine "
              "or of gpureduce.",
              op->name, number_text(a, first), d->team[0].backend->name,
              number_text(b, second), other->team[0].backend->name);
    return blame(d, column, &why, e);
}

/* --verify: the values once more, in another way. */
static bool verify_dataset(const struct plan *plan, const struct dataset *d,
                           struct progress *progress,
                           const struct value *values, struct error *e)
{
    const struct options *o = plan->options;
    struct dataset other;
    size_t n = job_columns(&d->job) * o->ops;
    struct value *again = calloc(n + 1, sizeof *again);
    if (!again)
        return error_set(e, ERROR_DATA, "out of memory");
    plan_verification(plan, d, &other);
    bool ok = run_dataset(o, &other, progress, again, e);
    for (size_t i = 0; ok && i < n; i++) {
        if (!value_same(&values[i], &again[i]))
            ok = tell_difference(d, &other, i / o->ops, o->op[i % o->ops],
                                 &values[i], &again[i], e);
    }
    free(again);
    return ok;
}

/* Rows of results as they come. */
struct rows {
    struct result *row;
    size_t n;
    bool by_column;
};

static void free_rows(struct rows *rows)
{
    for (size_t i = 0; i < rows->n; i++) {
        /* One block a dataset, held by its first row. */
        if (i == 0 || rows->row[i].file != rows->row[i - 1].file)
            free(rows->row[i].value);
    }
    free(rows->row);
}

static bool add_rows(struct rows *rows, const struct dataset *d,
                     struct value *values, size_t ops, struct error *e)
{
    size_t columns = job_columns(&d->job);
    struct result *grown =
        realloc(rows->row, (rows->n + columns + 1) * sizeof *grown);
    if (!grown)
        return error_set(e, ERROR_DATA, "out of memory");
    rows->row = grown;
    rows->by_column |= columns > 1;
    for (size_t c = 0; c < columns; c++)
        rows->row[rows->n++] = (struct result){
            d->inputs[0].name, report_column_name(d, c), &values[c * ops]};
    return true;
}

static bool reduce_dataset(const struct plan *plan, struct dataset *d,
                           struct meter *meter, struct progress *progress,
                           struct rows *rows, struct error *e)
{
    const struct options *o = plan->options;
    if (!plan_dataset(plan, d, e))
        return false;
    d->job.meter = meter;
    for (size_t i = 0; i < d->count; i++)
        d->inputs[i].meter = meter;
    size_t n = job_columns(&d->job) * o->ops;
    struct value *values = calloc(n + 1, sizeof *values);
    if (!values)
        return error_set(e, ERROR_DATA, "out of memory");
    bool ok = run_dataset(o, d, progress, values, e) &&
              (!o->verify || verify_dataset(plan, d, progress, values, e)) &&
              add_rows(rows, d, values, o->ops, e);
    if (!ok)
        free(values);
    return ok;
}

/* Data bytes, or INPUT_UNKNOWN. An empty file has been read to its end. */
static uint64_t bytes_of(const struct input *input)
{
    if (input->bytes == INPUT_UNKNOWN && input->ended)
        return input->head_bytes - (input->offset < input->head_bytes
                                        ? input->offset
                                        : input->head_bytes);
    return input->bytes;
}

/* Bytes of its file, where it is a compressed one. */
static uint64_t packed_bytes_of(const struct input *input)
{
    return input->again ? input->file_bytes : INPUT_UNKNOWN;
}

/* Of all inputs together, which --verify reads twice. */
static uint64_t sum_of(const struct plan *plan,
                       uint64_t (*of)(const struct input *input))
{
    uint64_t sum = 0;
    for (size_t i = 0; i < plan->input_count; i++) {
        uint64_t bytes = of(&plan->inputs[i]);
        for (int times = plan->options->verify ? 2 : 1; times > 0; times--) {
            if (bytes == INPUT_UNKNOWN ||
                __builtin_add_overflow(sum, bytes, &sum))
                return PROGRESS_UNKNOWN;
        }
    }
    return sum;
}

/* What data there are, or where that is not known, compressed ones. */
static struct progress_goal goal_of(const struct plan *plan)
{
    struct progress_goal goal = {.bytes = sum_of(plan, bytes_of)};
    goal.packed = goal.bytes == PROGRESS_UNKNOWN;
    if (goal.packed)
        goal.bytes = sum_of(plan, packed_bytes_of);
    return goal;
}

bool run_plan(const struct plan *plan, int fd, struct error *e)
{
    const struct options *o = plan->options;
    struct rows rows = {NULL, 0, false};
    struct meter meter = {.detail = o->verbose};
    struct progress progress = {.running = false};
    bool ok = true;
    if (o->progress != PROGRESS_NEVER && !o->quiet)
        progress_start(&progress, &meter, goal_of(plan),
                       o->progress == PROGRESS_ALWAYS);
    for (size_t i = 0; ok && i < plan->dataset_count; i++)
        ok = reduce_dataset(plan, &plan->datasets[i], &meter, &progress, &rows,
                            e);
    progress_stop(&progress);
    if (ok && !o->quiet)
        notes_print(plan->csv.notes, stderr, "gpureduce: ");
    struct results results = {
        o->op,         o->ops, rows.row, rows.n, plan->dataset_count > 1,
        rows.by_column};
    ok = ok && results_text(&results, fd, e);
    free_rows(&rows);
    return ok;
}
