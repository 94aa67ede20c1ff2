/* SPDX-License-Identifier: MIT */
#include "engine/engine.h"

#include <stdlib.h>

#include "engine/join.h"
#include "engine/queue.h"
#include "engine/worker.h"
#include "format/input.h"

static bool any_reads_anywhere(const struct team *teams, size_t count)
{
    for (size_t t = 0; t < count; t++) {
        if (teams[t].backend->reads_anywhere)
            return true;
    }
    return false;
}

static unsigned workers_of(const struct team *teams, size_t count)
{
    unsigned workers = 0;
    for (size_t t = 0; t < count; t++)
        workers += teams[t].waits ? 0 : teams[t].workers;
    return workers;
}

static void init_workers(struct worker *workers, struct run *run,
                         const struct team *teams, size_t count)
{
    for (size_t t = 0; t < count; t++) {
        for (unsigned i = 0; !teams[t].waits && i < teams[t].workers; i++) {
            worker_init(workers, run, &teams[t], teams[t].device);
            workers->index = t == 0 ? i : 0;
            workers->may_leave = count == 1;
            workers++;
        }
    }
}

/* Adds what the workers did. The run fails if none of a team had a context. */
static void report_workers(struct run *run, struct engine_report *report,
                           const struct worker *workers, unsigned count,
                           const struct team *teams)
{
    for (unsigned i = 0; i < count; i++)
        worker_report(&workers[i], &report->team[workers[i].team - teams]);
    for (unsigned i = 0; i < count; i++) {
        if (report->team[workers[i].team - teams].workers == 0)
            first_error_note(&run->failure, 0, &workers[i].refused);
    }
}

/* Whether the last team waits to join, and its backend suits the run. */
static bool may_join(const struct team *last, const struct job *job)
{
    const struct backend *backend = last->backend;
    return last->waits &&
           (!backend->suits_ranks || !job->ranks || backend->suits_ranks(job));
}

/* Runs the teams; the calling thread is the first worker. If not all threads
 * start, those that do are enough. */
static bool run_teams(struct run *run, const struct team *teams, size_t count,
                      uint64_t bytes, struct engine_report *report,
                      struct error *e)
{
    unsigned wanted = workers_of(teams, count);
    const struct team *last = &teams[count - 1];
    struct joiner *joiner = NULL;
    struct worker *workers = calloc(wanted, sizeof *workers);
    if (!workers)
        return error_memory(e);
    init_workers(workers, run, teams, count);
    if (may_join(last, &run->job) && bytes != INPUT_UNKNOWN) {
        run->places = teams[0].workers;
        joiner = join_start(run, &teams[0], last, bytes);
    }
    unsigned started = 1 + workers_start(workers + 1, wanted - 1);
    worker_run(&workers[0]);
    workers_wait(workers + 1, started - 1);
    report_workers(run, report, workers, started, teams);
    join_end(joiner, &report->team[0], &report->team[count - 1],
             report->reason);
    for (size_t t = 0; t < count; t++)
        report->bytes += report->team[t].bytes;
    free(workers);
    return first_error_none(&run->failure, e);
}

static bool open_run(struct run *run, struct error *e)
{
    if (!total_open(&run->total, &run->job, e))
        return false;
    if (job_ordered(&run->job) || run->job.folds) {
        run->products = products_new(&run->job, e);
        if (!run->products)
            goto close_total;
    }
    if (pthread_mutex_init(&run->failure.lock, NULL) == 0)
        return true;
    error_memory(e);
    products_free(run->products);
close_total:
    total_close(&run->total);
    return false;
}

static void close_run(struct run *run)
{
    pthread_mutex_destroy(&run->failure.lock);
    products_free(run->products);
    total_close(&run->total);
}

/* Moves the states and the notes to *out. */
static bool finish(struct run *run, struct reduced *out, struct error *e)
{
    if (!products_finish(run->products, &run->total.states, e) ||
        !total_finish(&run->total, e))
        return false;
    *out = (struct reduced){run->total.states, run->total.skipped,
                            run->total.notes, run->total.groups};
    run->total.groups = NULL;
    run->total.states = (struct states){.groups = 0};
    run->total.notes = (struct chunk_notes){NULL, 0};
    return true;
}

void reduced_close(struct reduced *r)
{
    states_close(&r->states);
    free(r->notes.note);
    r->notes = (struct chunk_notes){NULL, 0};
    groups_free(r->groups);
    r->groups = NULL;
}

/* Opens the run that workers share. NULL on failure. */
static struct run *begin(const struct job *job, const struct team *teams,
                         size_t count, struct input *inputs,
                         size_t inputs_count, struct error *e)
{
    const struct chunker_options cutting = {any_reads_anywhere(teams, count),
                                            job->portable};
    struct run *run = calloc(1, sizeof *run);
    if (!run)
        return error_memory(e);
    run->job = *job;
    run->meter = job->meter ? job->meter : &run->own;
    run->job.meter = run->meter;
    run->job.run = run;
    run->job.is_shared = count > 1;
    run->places = UINT32_MAX;
    run->chunker_kind = job->reading->chunker;
    run->chunker = run->chunker_kind->open(inputs, inputs_count, &cutting,
                                           &run->job.index, e);
    if (!run->chunker)
        goto free_run;
    if (open_run(run, e))
        return run;
    run->chunker_kind->close(run->chunker);
free_run:
    free(run);
    return NULL;
}

static void end(struct run *run)
{
    if (!run)
        return;
    close_run(run);
    run->chunker_kind->close(run->chunker);
    free(run);
}

bool engine_run(const struct job *job, const struct team *teams, size_t count,
                struct input *inputs, size_t inputs_count, struct reduced *out,
                struct engine_report *report, struct error *e)
{
    const uint64_t start = meter_now();
    *report = (struct engine_report){0};
    struct run *run = begin(job, teams, count, inputs, inputs_count, e);
    const bool ok = run &&
                    run_teams(run, teams, count,
                              inputs_bytes(inputs, inputs_count), report, e) &&
                    finish(run, out, e);
    report->wall = 1e-9 * (double)(meter_now() - start);
    end(run);
    return ok;
}

static void close_parts(struct engine_part *part, size_t n)
{
    for (size_t i = 0; i < n; i++)
        reduced_close(&part[i].reduced);
}

/* Ends the runs in order. On failure it frees everything. */
static bool finish_all(struct queue *q, struct engine_part *part, size_t n,
                       struct error *e)
{
    for (size_t i = 0; i < n; i++) {
        struct run *run = q->at[i].run;
        if (!first_error_none(&run->failure, e) ||
            !finish(run, &part[i].reduced, e)) {
            close_parts(part, i);
            return false;
        }
        part[i].report = (struct engine_report){.bytes = q->at[i].bytes};
        part[i].report.team[0].bytes = q->at[i].bytes;
    }
    return true;
}

bool engine_run_all(struct engine_part *part, size_t n, unsigned threads,
                    struct error *e)
{
    struct queue q = {.at = calloc(n, sizeof *q.at), .n = n};
    bool ok = q.at || error_memory(e);
    for (size_t i = 0; ok && i < n; i++) {
        struct engine_part *p = &part[i];
        q.at[i].team = &p->teams[0];
        q.at[i].run = begin(p->job, p->teams, 1, p->inputs, p->inputs_count, e);
        ok = q.at[i].run;
    }
    ok = ok && queue_run(&q, threads, e) && finish_all(&q, part, n, e);
    for (size_t i = 0; q.at && i < n; i++)
        end(q.at[i].run);
    free(q.at);
    return ok;
}
