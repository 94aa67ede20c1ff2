/* SPDX-License-Identifier: MIT */
#include "run/axes.h"

#include <inttypes.h>

#include "axis/axis.h"
#include "backend/registry.h"
#include "base/memory.h"
#include "output/stages.h"
#include "plan/axes.h"
#include "run/histograms.h"
#include "run/instead.h"
#include "run/printer.h"
#include "run/report.h"
#include "run/trial.h"

/* Bytes of a chunk for --verify, which also uses the portable loops. */
static const uint64_t other_chunks = 768 << 10;

static struct axis_job job_of(const struct plan *plan, const struct dataset *d)
{
    const bool again = d->job.portable;
    return (struct axis_job){
        .geometry = d->geometry,
        .dtype = d->job.dtype,
        .is_bool = d->inputs[0].is_bool,
        .monoids = d->job.monoids,
        .op = plan->op,
        .ops = plan->save ? 0 : plan->ops,
        .asked = plan->asked,
        .has_shape = plan->shape_rank > 0,
        .places = plan->shape_rank > 0 ? plan->shape[0] : SIZE_OPEN,
        .nan = plan->nan,
        .empty = d->empty,
        .interpolation = plan->interpolation,
        .has_digits = plan->has_digits,
        .digits = plan->digits,
        .fast = d->job.fast,
        .portable = again,
        .threads = plan->settings.threads + again,
        .chunk_bytes = again ? other_chunks : plan->chunk_size,
        .meter = d->job.meter,
        .name = d->count == 1 ? d->inputs[0].name : NULL};
}

/* Sets the device of the team, unless that is the CPU. */
static void set_device(struct axis_job *job, const struct team *team)
{
    if (team->backend == backends[0])
        return;
    job->device = team->backend->axes;
    job->device_number = team->device;
    job->device_bytes = team->chunk_bytes;
    job->threads = team->workers;
}

/* The state to which a restart resets the run. */
struct start {
    size_t first; /* the number of the dataset's first value */
    uint64_t cut; /* the meter's `cut` */
};

/* Restarts the run, on the dataset's team. */
static bool restart(struct axis_job *job, struct dataset *d, struct start from,
                    struct values *values, struct axis_report *did,
                    struct error *e)
{
    set_device(job, &d->team[0]);
    stages_clear(job->meter);
    atomic_store(&job->meter->cut, from.cut);
    values->n = from.first;
    return axis_run(job, d->inputs, d->count, values, did, e);
}

/* Restarts the run on another team. */
static bool run_again(const struct plan *plan, struct dataset *d,
                      const struct team *team, struct start from,
                      struct values *values, struct axis_report *did,
                      struct error *e)
{
    struct axis_job job = job_of(plan, d);
    d->team[0] = *team;
    return restart(&job, d, from, values, did, e);
}

/* Reduces the array on the device of d->instead; if that fails, on the CPU. */
static bool run_instead(const struct plan *plan, struct dataset *d,
                        struct sink *sink, struct start from,
                        struct values *values, struct axis_report *did,
                        struct error *e)
{
    const struct team cpu = d->team[0];
    return run_again(plan, d, &d->instead, from, values, did, e) ||
           (instead_failed(plan, sink, e) &&
            run_again(plan, d, &cpu, from, values, did, e));
}

/* The bins of a histogram, which all outputs share. */
struct bins {
    struct histogram of;     /* the caller calls histogram_close */
    struct rank_parts asked; /* what the pass counts; points into `of` */
};

static bool set_bins(struct bins *bins, const struct plan *plan,
                     struct axis_job *job, struct error *e)
{
    const enum dtype dtype = dtype_info(job->dtype)->computed;
    *bins = (struct bins){.of = {.bins = 0}};
    if (!plan->bins)
        return true;
    if (!histograms_range(&bins->of, plan, dtype, e))
        return false;
    bins->asked = histogram_asks(&bins->of);
    job->histogram = &bins->of;
    job->parts = &bins->asked;
    /* The other monoids find the range, which is given, and what is an error:
     * NaN, or bools that are neither 0 nor 1. */
    if (plan->nan != NAN_ERROR && !job->is_bool)
        job->monoids = MONOID_BIT(ranks);
    return true;
}

/* Notes how many values are in no bin. */
static void note_outside(const struct dataset *d, struct sink *sink,
                         const struct axis_report *did)
{
    if (did->outside + did->nans == 0 || d->job.portable)
        return;
    notes_add(&sink->notes, "outside", NOTE_COUNTED,
              d->count == 1 ? d->inputs[0].name : NULL,
              "values in no bin: %" PRIu64 " outside of --range, %" PRIu64
              " NaN",
              did->outside, did->nans);
}

/* Makes the states of all outputs, which are saved. */
static bool open_kept(const struct dataset *d, const struct axis_job *job,
                      struct states *kept, struct error *e)
{
    const struct schema schema = {.groups = d->rows,
                                  .dtype = dtype_info(job->dtype)->computed};
    const size_t each = states_bytes(
        &(struct schema){1, schema.dtype, NULL, false, NULL}, job->monoids);
    if (d->rows > memory_limit() / (each + 1))
        return memory_refuse(e, "keeping the states of so many outputs");
    return states_open(kept, &schema, job->monoids, e);
}

/* Whether values were written, so that the run cannot be restarted. */
static bool has_written(const struct axis_job *job)
{
    return job->emit && ((const struct npy_stream *)job->emit->context)->began;
}

/* Runs the job. Restarts it in smaller chunks if the device lacks memory, and
 * on d->instead if the trial finds that faster. */
static bool reduce(const struct plan *plan, struct dataset *d,
                   struct sink *sink, struct axis_job *job, struct trial *trial,
                   struct values *values, struct axis_report *did,
                   struct error *e)
{
    const struct start from = {values->n, atomic_load(&d->job.meter->cut)};
    trial_begin(trial, d, job);
    bool ok = axis_run(job, d->inputs, d->count, values, did, e);
    while (!ok && !has_written(job) && instead_smaller(plan, d, e))
        ok = restart(job, d, from, values, did, e);
    return ok && (!did->is_cut_short ||
                  run_instead(plan, d, sink, from, values, did, e));
}

bool axes_run(const struct plan *plan, struct dataset *d, struct sink *sink,
              struct outcome *outcome, struct values *values,
              struct npy_stream *stream, struct error *e)
{
    const struct axis_emit emit = {npy_stream_emit, stream};
    struct axis_job job = job_of(plan, d);
    struct axis_report did;
    struct trial trial;
    struct bins bins;
    struct states kept = {.groups = 0};
    set_device(&job, &d->team[0]);
    if (stream && npy_stream_suits(plan, d)) {
        npy_stream_start(stream, d);
        job.emit = &emit;
    }
    if (plan->save && !open_kept(d, &job, &kept, e))
        return false;
    job.keep = plan->save ? &kept : NULL;
    const bool ok = set_bins(&bins, plan, &job, e) &&
                    reduce(plan, d, sink, &job, &trial, values, &did, e);
    histogram_close(&bins.of);
    if (!ok) {
        states_close(&kept);
        return false;
    }
    note_outside(d, sink, &did);
    axes_close(d, did.elements);
    *outcome = (struct outcome){.reduced.states = kept,
                                .bytes = did.bytes,
                                .records = did.elements,
                                .backends = backend_bit(d->team[0].backend)};
    if (plan->verbose) {
        struct engine_report report = {.wall = did.wall, .bytes = did.bytes};
        report.team[0].workers = did.workers;
        report.team[0].bytes = did.bytes;
        if (d->team[0].is_short)
            report.team[0].chunk_bytes = d->team[0].chunk_bytes;
        if (d->left)
            snprintf(report.reason, sizeof report.reason, "on the CPU: %s",
                     d->left);
        else
            memcpy(report.reason, trial.reason, sizeof report.reason);
        report_print(sink_hold(sink), d, &outcome->reduced.states, &report);
        stages_clear(d->job.meter);
        sink_resume(sink);
    }
    return true;
}
