/* SPDX-License-Identifier: MIT */
#include "engine/worker.h"

#include <stdlib.h>

void worker_init(struct worker *w, struct run *run, const struct team *team,
                 int gpu)
{
    *w = (struct worker){.run = run, .team = team, .job = run->job};
    w->job.gpu = gpu;
    w->job.chunk_bytes = team->chunk_bytes;
}

static void fail(struct run *run, uint64_t sequence, const struct error *e)
{
    dealing_stop(&run->dealing, sequence);
    fold_fail(run->fold, sequence, e);
}

/* Hands what the slot's chunk came to to the fold. */
static void collect(struct worker *w, unsigned slot)
{
    struct run *run = w->run;
    struct chunk *chunk = &w->chunk[slot];
    struct error e;
    w->busy[slot] = false;
    /* A window in which no record starts was not submitted. */
    bool empty = chunk->bytes == 0;
    bool ok = empty || w->team->backend->wait(w->lane, slot, w->partial, &e);
    bool had = ok && !empty;
    if (ok && chunk->trouble) {
        e = *chunk->trouble;
        ok = false;
    }
    /* That data was not there is what goes wrong first. */
    ok = dealing_done(&run->dealing, chunk, &e) && ok;
    if (ok)
        fold_push(run->fold, chunk->sequence, empty ? NULL : w->partial);
    else
        fail(run, chunk->sequence, &e);
    if (had && !ok)
        partial_drop(w->partial, job_columns(&w->job));
}

/* Fills the slot and submits it. False when there is no more to do. */
static bool feed(struct worker *w, unsigned slot)
{
    struct run *run = w->run;
    const struct backend *backend = w->team->backend;
    struct chunk *chunk = &w->chunk[slot];
    const struct want want = {backend->slot(w->lane, slot),
                              w->team->chunk_bytes, backend->reads_anywhere};
    struct error e;
    enum dealt dealt = dealing_next(&run->dealing, &want, chunk, &e);
    if (dealt == DEALT_END)
        return false;
    if (dealt == DEALT_ERROR) {
        fail(run, chunk->sequence, &e);
        return false;
    }
    if (chunk->bytes > 0 && !backend->submit(w->lane, slot, chunk, &e)) {
        struct error unused;
        dealing_done(&run->dealing, chunk, &unused);
        fail(run, chunk->sequence, &e);
        return false;
    }
    w->busy[slot] = true;
    w->bytes += chunk_data_bytes(chunk);
    atomic_fetch_add_explicit(&run->meter->dealt, chunk_data_bytes(chunk),
                              memory_order_relaxed);
    return true;
}

static bool has_place(const struct worker *w)
{
    return w->joins || w->index < atomic_load_explicit(&w->run->places,
                                                       memory_order_relaxed);
}

static bool open_lane(struct worker *w, struct error *e)
{
    uint64_t start = meter_now();
    w->partial = calloc(job_columns(&w->job), sizeof *w->partial);
    if (!w->partial)
        return error_set(e, ERROR_DATA, "out of memory");
    w->lane = w->team->backend->open(&w->job, e);
    if (!w->lane)
        free(w->partial);
    meter_add(w->run->meter, STAGE_START_UP, start, 0);
    return w->lane;
}

void run_take_place(struct run *run)
{
    unsigned places = atomic_load(&run->places);
    while (places > 0 &&
           !atomic_compare_exchange_weak(&run->places, &places, places - 1))
        ;
}

void *worker_run(void *worker)
{
    struct worker *w = worker;
    const struct backend *backend = w->team->backend;
    unsigned slot = 0;
    unsigned slots = w->job.text ? backend->text_slots : backend->slots;
    struct error e;
    if (!open_lane(w, &e)) {
        w->refused = e;
        /* Comes before any data. */
        if (!w->joins)
            fail(w->run, 0, &e);
        return NULL;
    }
    if (w->joins && !atomic_exchange(&w->run->kept, false))
        run_take_place(w->run);
    do {
        if (w->busy[slot])
            collect(w, slot);
    } while (has_place(w) && feed(w, slot) &&
             (slot = (slot + 1) % slots, true));
    /* What is still under way, in the order in which it was submitted. */
    for (unsigned i = 0; i < slots; i++) {
        if (w->busy[slot])
            collect(w, slot);
        slot = (slot + 1) % slots;
    }
    backend->close(w->lane);
    free(w->partial);
    return NULL;
}

unsigned workers_start(struct worker *workers, unsigned count)
{
    unsigned started = 0;
    while (started < count &&
           pthread_create(&workers[started].thread, NULL, worker_run,
                          &workers[started]) == 0)
        started++;
    return started;
}

void workers_wait(struct worker *workers, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        pthread_join(workers[i].thread, NULL);
}
