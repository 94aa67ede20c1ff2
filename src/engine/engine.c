/* SPDX-License-Identifier: MIT */
#include "engine/engine.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "engine/fold.h"
#include "engine/records.h"

enum { SLOTS_MAX = 8 };

struct run {
    const struct job *job;
    const struct backend *backend;
    struct dealer dealer;   /* of elements */
    struct records records; /* of text */
    struct fold *fold;
};

struct worker {
    struct run *run;
    struct lane *lane;
    bool busy[SLOTS_MAX], empty[SLOTS_MAX];
    struct chunk chunk[SLOTS_MAX];
    struct engine_times times;
    pthread_t thread;
    struct partial *partial; /* [job_columns] */
};

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Text has a dealer of its own. */
static enum dealt deal(struct run *run, void *to, struct chunk *chunk,
                       struct error *e)
{
    return run->job->text ? records_next(&run->records, to, chunk, e)
                          : dealer_next(&run->dealer, to, chunk, e);
}

static bool done(struct run *run, const struct chunk *chunk, struct error *e)
{
    return run->job->text ? records_done(&run->records, chunk, e)
                          : dealer_done(&run->dealer, chunk, e);
}

static void fail(struct run *run, uint64_t sequence, const struct error *e)
{
    if (run->job->text)
        records_stop(&run->records, sequence);
    else
        dealer_stop(&run->dealer);
    fold_fail(run->fold, sequence, e);
}

/* Hands what the slot's chunk came to to the fold. */
static void collect(struct worker *w, unsigned slot)
{
    struct run *run = w->run;
    struct error e;
    double start = now();
    w->busy[slot] = false;
    bool empty = w->empty[slot];
    bool ok = empty || run->backend->wait(w->lane, slot, w->partial, &e);
    bool had = ok && !empty;
    if (ok && w->chunk[slot].trouble) {
        e = *w->chunk[slot].trouble;
        ok = false;
    }
    /* That data was not there is what goes wrong first. */
    ok = done(run, &w->chunk[slot], &e) && ok;
    w->times.reduce += now() - start;
    if (ok)
        fold_push(run->fold, w->chunk[slot].sequence,
                  empty ? NULL : w->partial);
    else
        fail(run, w->chunk[slot].sequence, &e);
    if (had && !ok)
        partial_drop(w->partial, job_columns(run->job));
}

/* Fills the slot and submits it. False when there is no more to do. */
static bool feed(struct worker *w, unsigned slot)
{
    struct run *run = w->run;
    struct chunk *chunk = &w->chunk[slot];
    struct error e;
    double start = now();
    void *to = run->backend->slot(w->lane, slot);
    enum dealt dealt = deal(run, to, chunk, &e);
    double filled = now();
    w->times.read += filled - start;
    if (dealt == DEALT_END)
        return false;
    /* A window in which no record starts: nothing to submit. */
    w->empty[slot] = run->job->text && chunk->bytes == 0;
    bool ok =
        dealt == DEALT_CHUNK &&
        (w->empty[slot] || run->backend->submit(w->lane, slot, chunk, &e));
    w->times.reduce += now() - filled;
    if (!ok) {
        if (dealt == DEALT_CHUNK)
            done(run, chunk, &e);
        fail(run, chunk->sequence, &e);
        return false;
    }
    w->busy[slot] = true;
    w->times.bytes += run->job->text
                          ? chunk->bytes
                          : chunk->n * dtype_info(run->job->dtype)->size;
    return true;
}

static struct lane *open_lane(struct worker *w, struct error *e)
{
    const struct job *job = w->run->job;
    w->partial = calloc(job_columns(job), sizeof *w->partial);
    if (!w->partial) {
        error_set(e, ERROR_DATA, "out of memory");
        return NULL;
    }
    struct lane *lane = w->run->backend->open(job, e);
    if (!lane)
        free(w->partial);
    return lane;
}

static void *work_all(void *arg)
{
    struct worker *w = arg;
    struct run *run = w->run;
    unsigned slot = 0, slots = run->job->text ? run->backend->text_slots
                                              : run->backend->slots;
    struct error e;
    double start = now();
    w->lane = open_lane(w, &e);
    w->times.open = now() - start;
    if (!w->lane) {
        /* Comes before any data. */
        fail(run, 0, &e);
        return NULL;
    }
    do {
        if (w->busy[slot])
            collect(w, slot);
    } while (feed(w, slot) && (slot = (slot + 1) % slots, true));
    /* What is still under way, in the order in which it was submitted. */
    for (unsigned i = 0; i < slots; i++) {
        slot = (slot + 1) % slots;
        if (w->busy[slot])
            collect(w, slot);
    }
    run->backend->close(w->lane);
    free(w->partial);
    return NULL;
}

/* Runs the workers; one of them is this thread. Fewer will do when no more
 * threads can be had; returns how many there were. */
static unsigned run_workers(struct worker *workers, unsigned threads)
{
    unsigned started = 1;
    while (started < threads &&
           pthread_create(&workers[started].thread, NULL, work_all,
                          &workers[started]) == 0)
        started++;
    work_all(&workers[0]);
    for (unsigned i = 1; i < started; i++)
        pthread_join(workers[i].thread, NULL);
    return started;
}

static void add_times(struct engine_times *times, const struct worker *workers,
                      unsigned threads)
{
    for (unsigned i = 0; i < threads; i++) {
        times->open += workers[i].times.open;
        times->read += workers[i].times.read;
        times->reduce += workers[i].times.reduce;
        times->bytes += workers[i].times.bytes;
    }
    times->workers = threads;
}

static bool open_dealer(struct run *run, struct job *job, struct input *inputs,
                        size_t count, struct error *e)
{
    bool may_map = run->backend->reads_anywhere;
    if (job->text)
        return records_init(&run->records, inputs, count, job->chunk_bytes,
                            may_map, job->portable, e);
    if (!dealer_init(&run->dealer, inputs, count, job->chunk_bytes, may_map, e))
        return false;
    job->map = dealer_has_map(&run->dealer) ? &run->dealer : NULL;
    return true;
}

static void close_dealer(struct run *run)
{
    if (run->job->text)
        records_free(&run->records);
    else
        dealer_free(&run->dealer);
}

bool engine_run(const struct job *job, const struct backend *backend,
                unsigned threads, struct input *inputs, size_t count,
                struct partial *out, struct engine_times *times,
                struct error *e)
{
    struct job mapped = *job;
    struct run run = {.job = &mapped, .backend = backend};
    double start = now();
    bool ok = false;
    struct worker *workers = calloc(threads, sizeof *workers);
    *times = (struct engine_times){0};
    if (!workers)
        return error_set(e, ERROR_DATA, "out of memory");
    if (!open_dealer(&run, &mapped, inputs, count, e))
        goto free_workers;
    run.fold = fold_new(&mapped, e);
    if (!run.fold)
        goto free_dealer;
    for (unsigned i = 0; i < threads; i++)
        workers[i].run = &run;
    unsigned started = run_workers(workers, threads);
    add_times(times, workers, started);
    ok = !run.fold->failed;
    fold_finish(run.fold);
    times->wall = now() - start;
    if (ok)
        memcpy(out, run.fold->total, job_columns(job) * sizeof *out);
    else
        *e = run.fold->error;
    fold_free(run.fold);
free_dealer:
    close_dealer(&run);
free_workers:
    free(workers);
    return ok;
}
