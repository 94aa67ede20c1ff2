/* SPDX-License-Identifier: MIT */
#include "compare/compare.h"

#include <stdlib.h>

#include "compare/worker.h"

/* Limit of an input's blocks: BLOCKS_EACH for each thread, and BLOCKS_MORE. */
enum { BLOCKS_EACH = 2, BLOCKS_MORE = 2 };

bool compare_result_open(struct compare_result *r,
                         const struct compare_job *job, struct error *e)
{
    const enum dtype unit = compare_unit(job->dtype[0], job->dtype[1]);
    const struct schema schema = {.groups = job->columns, .dtype = unit};
    *r = (struct compare_result){.unit = unit};
    r->tally = malloc(job->columns * sizeof *r->tally);
    if (!r->tally)
        return error_memory(e);
    for (size_t c = 0; c < job->columns; c++)
        r->tally[c] = compare_tally_none();
    if (states_open(&r->squares, &schema, MONOID_BIT(sumsq), e))
        return true;
    free(r->tally);
    return false;
}

void compare_result_free(struct compare_result *r)
{
    free(r->tally);
    free(r->notes.note);
    states_close(&r->squares);
}

/* Adds the results of a worker. */
static void result_merge(struct compare_result *into,
                         const struct compare_result *from, size_t columns)
{
    for (size_t c = 0; c < columns; c++)
        compare_tally_merge(&into->tally[c], &from->tally[c]);
    states_merge(&into->squares, &from->squares, 0, columns);
    into->rows += from->rows;
    into->bytes += from->bytes;
    for (int i = 0; i < 2; i++)
        into->rounded[i] += from->rounded[i];
}

/* Runs the workers. The calling thread is the first. If some workers cannot be
 * opened or started, the others do all the work. */
static bool run_workers(struct compare_state *run, struct compare_result *out,
                        struct error *e)
{
    const unsigned threads = run->job->threads;
    struct compare_worker *workers = calloc(threads, sizeof *workers);
    unsigned opened = 0, started = 1;
    if (!workers)
        return error_memory(e);
    while (opened < threads && compare_worker_open(&workers[opened], run, e))
        opened++;
    while (started < opened &&
           pthread_create(&workers[started].thread, NULL, compare_worker_run,
                          &workers[started]) == 0)
        started++;
    if (opened > 0)
        compare_worker_run(&workers[0]);
    for (unsigned i = 1; i < started; i++)
        pthread_join(workers[i].thread, NULL);
    for (unsigned i = 0; i < opened; i++) {
        result_merge(out, &workers[i].part, run->job->columns);
        compare_worker_close(&workers[i]);
    }
    free(workers);
    return opened > 0;
}

static bool finish(struct compare_state *run, struct compare_result *out,
                   struct error *e)
{
    struct compare_queue *q = &run->queue;
    struct compare_block *block;
    while ((block = compare_queue_left(q)))
        compare_free_block(run, block);
    if (q->failed)
        *e = q->error;
    return !q->failed && (!states_lost(&out->squares) || error_memory(e));
}

static bool run_queue(struct compare_state *run, struct input inputs[2],
                      struct compare_result *out, struct error *e)
{
    const struct compare_job *job = run->job;
    const unsigned limit = BLOCKS_EACH * job->threads + BLOCKS_MORE;
    if (!compare_result_open(out, job, e))
        return false;
    bool ok = compare_queue_open(&run->queue, inputs, limit,
                                 job->text ? "records" : "elements", e);
    if (ok) {
        ok = run_workers(run, out, e) && finish(run, out, e);
        out->notes = run->queue.notes;
        compare_queue_close(&run->queue);
    }
    if (!ok)
        compare_result_free(out);
    return ok;
}

bool compare_run(const struct compare_job *job, struct input inputs[2],
                 struct compare_result *out, struct error *e)
{
    const struct chunker_kind *kind = job->reading->chunker;
    const struct chunker_options cutting = {.may_map = true};
    struct compare_state run = {.job = job};
    struct index_map unused;
    run.chunker[0] = kind->open(&inputs[0], 1, &cutting, &run.index, e);
    if (!run.chunker[0])
        return false;
    run.chunker[1] = kind->open(&inputs[1], 1, &cutting, &unused, e);
    bool ok = run.chunker[1] && run_queue(&run, inputs, out, e);
    if (run.chunker[1])
        kind->close(run.chunker[1]);
    kind->close(run.chunker[0]);
    return ok;
}
