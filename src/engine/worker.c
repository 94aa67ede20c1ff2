/* SPDX-License-Identifier: MIT */
#include "engine/worker.h"

void worker_init(struct worker *w, struct run *run, const struct team *team,
                 int device)
{
    *w = (struct worker){.run = run, .team = team, .job = run->job};
    w->job.device = device;
    w->job.chunk_bytes = team->chunk_bytes;
    w->kind = team->backend->contexts(&w->job);
}

void worker_report(const struct worker *w, struct team_report *report)
{
    if (!w->opened)
        return;
    report->workers++;
    report->bytes += w->bytes;
    if ((w->job.chunk_bytes < w->team->chunk_bytes || w->team->is_short) &&
        (report->chunk_bytes == 0 || w->job.chunk_bytes < report->chunk_bytes))
        report->chunk_bytes = w->job.chunk_bytes;
}

void worker_end(struct worker *w)
{
    if (w->context)
        w->kind->close(w->context);
    w->context = NULL;
}

void worker_move(struct worker *w, struct run *run, const struct team *team,
                 int device)
{
    const struct job *a = &w->job, *b = &run->job;
    struct context *context = w->context;
    const bool same =
        context && w->kind->is_reusable && w->team->backend == team->backend &&
        a->chunk_bytes >= team->chunk_bytes && a->dtype == b->dtype &&
        a->monoids == b->monoids && a->reading == b->reading &&
        a->formulas == b->formulas && a->folds == b->folds && !a->index.index &&
        !b->index.index;
    if (!same)
        worker_end(w);
    worker_init(w, run, team, device);
    w->context = same ? context : NULL;
    w->keeps = true;
}

/* Stops the chunker after this chunk. */
static void fail(struct run *run, uint64_t sequence, const struct error *e)
{
    run->chunker_kind->stop(run->chunker, sequence);
    first_error_note(&run->failure, sequence, e);
    products_stop(run->products, sequence);
}

/* Waits for the work on the slot's chunk, gives the chunk back, and pushes its
 * part of the products. */
static void finish_chunk(struct worker *w, unsigned slot)
{
    struct run *run = w->run;
    struct chunk *chunk = &w->chunk[slot];
    struct owner *owner = &w->owner;
    struct error e;
    w->busy[slot] = false;
    owner->rows = owner->skipped = 0;
    /* A record window in which no record starts was not submitted. */
    bool ok = chunk->bytes == 0 || w->kind->wait(w->context, slot, owner, &e);
    struct product_part *part = owner->part;
    owner->part = NULL;
    if (ok && chunk->error_after) {
        e = *chunk->error_after;
        ok = false;
    }
    /* Missing input takes precedence over errors found in it. */
    ok = run->chunker_kind->done(run->chunker, chunk, &e) && ok;
    ok = ok && owner_note(owner, chunk, &e);
    if (!ok) {
        product_part_free(part);
        fail(run, chunk->sequence, &e);
    } else if (run->products) {
        uint64_t at = 0;
        products_push(run->products, chunk->sequence, part);
        if (run->job.folds && products_failed(run->products, &at, &e))
            fail(run, at, &e);
    }
}

/* Gets a chunk into the slot and submits it. False: there are no more chunks,
 * or the run failed. */
static bool feed(struct worker *w, unsigned slot)
{
    struct run *run = w->run;
    struct chunk *chunk = &w->chunk[slot];
    const struct want want = {w->kind->slot(w->context, slot),
                              w->job.chunk_bytes,
                              w->team->backend->reads_anywhere};
    struct error e;
    enum chunk_next next =
        run->chunker_kind->next(run->chunker, &want, chunk, &e);
    if (next == CHUNK_END)
        return false;
    if (next == CHUNK_ERROR) {
        fail(run, chunk->sequence, &e);
        return false;
    }
    if (chunk->bytes > 0 && !w->kind->submit(w->context, slot, chunk, &e)) {
        struct error unused;
        run->chunker_kind->done(run->chunker, chunk, &unused);
        fail(run, chunk->sequence, &e);
        return false;
    }
    w->busy[slot] = true;
    w->bytes += chunk_data_bytes(chunk);
    atomic_fetch_add_explicit(&run->meter->cut, chunk_data_bytes(chunk),
                              memory_order_relaxed);
    return true;
}

/* Adds the results that the slots have kept to the owner's states. A failure
 * counts as later than that of any chunk, and keeps workers from getting more
 * chunks. */
static void collect_states(struct worker *w)
{
    const uint64_t after_all = UINT64_MAX - 1;
    struct error e;
    for (unsigned i = 0; w->kind->collect && i < w->kind->slots; i++) {
        if (!w->kind->collect(w->context, i, &w->owner, &e))
            fail(w->run, after_all, &e);
    }
}

static bool has_place(const struct worker *w)
{
    return w->joins || w->index < atomic_load_explicit(&w->run->places,
                                                       memory_order_relaxed);
}

static bool open_context(struct worker *w, struct error *e)
{
    uint64_t start = meter_now();
    if (!owner_open(&w->owner, &w->run->total, &w->job, e))
        return false;
    do {
        if (!w->context)
            w->context = w->kind->open(&w->job, e);
    } while (!w->context && e->lacks_memory &&
             team_halve(w->team, &w->job.chunk_bytes));
    if (!w->context)
        owner_close(&w->owner);
    w->opened = w->context;
    meter_add(w->run->meter, STAGE_START_UP, start, 0);
    return w->context;
}

void run_take_place(struct run *run)
{
    unsigned places = atomic_load(&run->places);
    while (places > 0 &&
           !atomic_compare_exchange_weak(&run->places, &places, places - 1))
        ;
}

/* Takes one of the places that are kept for joining workers. False: none is
 * left. */
static bool take_kept(struct run *run)
{
    unsigned kept = atomic_load(&run->kept);
    while (kept > 0 &&
           !atomic_compare_exchange_weak(&run->kept, &kept, kept - 1))
        ;
    return kept > 0;
}

void *worker_run(void *worker)
{
    struct worker *w = worker;
    unsigned slot = 0, slots = w->kind->slots;
    uint64_t start;
    struct error e;
    if (!open_context(w, &e)) {
        w->refused = e;
        /* Counts as earlier than any data. */
        if (!w->joins && !(w->may_leave && e.lacks_memory))
            fail(w->run, 0, &e);
        return NULL;
    }
    if (w->joins && !take_kept(w->run))
        run_take_place(w->run);
    do {
        if (w->busy[slot])
            finish_chunk(w, slot);
    } while (has_place(w) && feed(w, slot) &&
             (slot = (slot + 1) % slots, true));
    /* Ends the chunks still in the slots, in the order in which they were
     * submitted. */
    for (unsigned i = 0; i < slots; i++) {
        if (w->busy[slot])
            finish_chunk(w, slot);
        slot = (slot + 1) % slots;
    }
    collect_states(w);
    if (!w->keeps)
        worker_end(w);
    start = meter_now();
    owner_close(&w->owner);
    meter_add(w->run->meter, STAGE_MERGE, start, 0);
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
