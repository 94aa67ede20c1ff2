/* SPDX-License-Identifier: MIT */
/*
 * A worker fills a slot with a chunk of a task, submits it to the device, and
 * lands the chunk before: it takes the device's answers. Outputs that they
 * leave open it computes from the data, as the CPU does for all outputs.
 */
#include "axis/offload.h"

#include <stdlib.h>
#include <string.h>

#include "base/meter.h"

/* A chunk that was submitted and has not landed. */
struct flight {
    bool is_busy;
    const struct task *task;
    struct part part;
    bool is_part, ends;
    const char *data;
};

struct offload {
    struct run *run;
    const struct axis_device *device;
    struct axis_context *context;
    struct axis_setup setup;
    struct tile tile;
    struct emission emission; /* of the task that lands, if the run emits */
    struct flight flight[AXIS_SLOTS];
    unsigned next;
    bool failed; /* a chunk failed: the worker starts no more chunks or tasks */
    bool *again; /* [setup.outputs], owned: the answers leave the output open */
    char *buffer; /* owned: data that is read again; or NULL */
};

/* Copies a part of the file, its rows side by side. */
static bool fill(struct offload *o, const struct task *task,
                 const struct part *p, char *to, struct error *e)
{
    const struct run *run = o->run;
    const struct input *input = run->input[task->file];
    const struct place at = block_place(run, task, p);
    for (size_t i = 0; i < at.runs; i++) {
        size_t got = 0;
        if (!file_read(run->file[task->file], input, to + i * at.run, at.run,
                       input->offset + at.offset + i * at.pitch, &got, e))
            return false;
        if (got < at.run)
            return file_shrank(input, at.run - got, e);
    }
    if (run->job->meter)
        atomic_fetch_add(&run->job->meter->cut, at.runs * at.run);
    return true;
}

/* Reduces some outputs of a chunk that has all of their elements: slabs, where
 * there is one item, or items of a slab. */
static bool again_from_slot(struct offload *o, const struct flight *f,
                            size_t output, size_t n, struct error *e)
{
    const size_t size = dtype_info(o->setup.dtype)->size;
    const size_t items = (size_t)f->part.items, rows = (size_t)f->part.rows;
    struct part some = f->part;
    const size_t slab = output / items, item = output % items;
    some.slab += slab;
    some.slabs = items == 1 ? n : 1;
    some.item += item;
    some.items = items == 1 ? 1 : n;
    return tile_whole(&o->tile, &some,
                      f->data + (slab * rows * items + item) * size,
                      items * size, e);
}

/* Reads some items of a slab again. */
static bool again_from_file(struct offload *o, const struct task *task,
                            uint64_t item, uint64_t items, struct error *e)
{
    const struct geometry *g = &o->run->job->geometry;
    const size_t pitch = (size_t)items * dtype_info(o->setup.dtype)->size;
    const size_t most = o->setup.bytes / pitch;
    struct part p = {task->part.slab, 1, 0, 0, item, items};
    if (!o->buffer && !(o->buffer = malloc(o->setup.bytes)))
        return error_memory(e);
    if (!tile_begin(&o->tile, part_output(g, &p), (size_t)items, e))
        return false;
    for (; p.row < g->rows; p.row += p.rows) {
        p.rows = g->rows - p.row < most ? g->rows - p.row : most;
        if (!fill(o, task, &p, o->buffer, e))
            return false;
        tile_add(&o->tile, &p, o->buffer, pitch);
    }
    tile_end(&o->tile);
    return tile_finish(&o->tile, &o->tile.states, e);
}

/* The number of outputs from i on that are left open and can be reduced
 * together. */
static size_t run_of(const struct offload *o, const struct flight *f, size_t i,
                     size_t n)
{
    const size_t items = (size_t)f->part.items;
    const size_t end = items == 1 ? n : i / items * items + items;
    const size_t most = f->is_part ? tile_outputs(o->run->job) : end - i;
    size_t k = 1;
    while (i + k < end && k < most && o->again[i + k])
        k++;
    return k;
}

/* Opens also the outputs beside those that are left open: to read one cell of
 * each row takes as long as to read and reduce NEAR. */
static void widen(struct offload *o, size_t n)
{
    enum { NEAR = 64 };
    for (size_t i = 0; i < n; i += NEAR) {
        const size_t some = n - i < NEAR ? n - i : NEAR;
        if (memchr(o->again + i, 1, some))
            memset(o->again + i, 1, some);
    }
}

/* Takes the answers for the outputs of a chunk or task. */
static bool take(struct offload *o, const struct flight *f,
                 const struct axis_answers *answers, struct error *e)
{
    const struct geometry *g = &o->run->job->geometry;
    const size_t n = (size_t)(f->part.slabs * f->part.items);
    bool ok = true;
    size_t k;
    offload_values(&o->tile, answers, part_output(g, &f->part), n, o->again);
    if (f->is_part)
        widen(o, n);
    for (size_t i = 0; ok && i < n; i += k) {
        k = 1;
        if (!o->again[i])
            continue;
        k = run_of(o, f, i, n);
        ok = f->is_part ? again_from_file(o, f->task, f->part.item + i, k, e)
                        : again_from_slot(o, f, i, k, e);
    }
    return ok;
}

/* Sets *keep to the place for the task's partial results, if other tasks share
 * its outputs. */
static bool reserve(struct offload *o, const struct task *task, char **keep,
                    struct error *e)
{
    const size_t bytes = axis_open_bytes(&o->setup, task->part.items);
    struct shared *s = &o->run->tasks.shared[task->shared];
    pthread_mutex_t *lock = &o->run->lock[task->shared % LOCKS];
    pthread_mutex_lock(lock);
    if (!s->keep)
        s->keep = malloc(s->left * bytes);
    *keep = s->keep ? s->keep + s->kept++ * bytes : NULL;
    pthread_mutex_unlock(lock);
    return *keep || error_memory(e);
}

/* Ends a task that shares its outputs with others. The last of these tasks
 * merges the partial results of all. */
static bool join(struct offload *o, unsigned slot, const struct flight *f,
                 struct error *e)
{
    struct shared *s = &o->run->tasks.shared[f->task->shared];
    pthread_mutex_t *lock = &o->run->lock[f->task->shared % LOCKS];
    struct axis_answers answers;
    pthread_mutex_lock(lock);
    const bool is_last = --s->left == 0;
    pthread_mutex_unlock(lock);
    if (!is_last)
        return true;
    const bool ok = o->device->merge(o->context, slot, s->keep, s->kept,
                                     f->part.items, &answers, e) &&
                    take(o, f, &answers, e);
    free(s->keep);
    s->keep = NULL;
    return ok;
}

/* Takes the answers of a task and hands its values on. */
static bool take_and_emit(struct offload *o, const struct flight *f,
                          const struct axis_answers *answers, struct error *e)
{
    struct run *run = o->run;
    const size_t task = (size_t)(f->task - run->tasks.task);
    return emission_begin(&o->emission, &run->emissions, run->job,
                          &f->task->part, e) &&
           take(o, f, answers, e) &&
           emission_end(&o->emission, &run->emissions, run->job, task, e);
}

/* Waits for the work on a slot's chunk, and takes its answers. */
static bool land(struct offload *o, unsigned slot, struct error *e)
{
    struct flight *f = &o->flight[slot];
    struct axis_answers answers = {0};
    if (!f->is_busy)
        return true;
    f->is_busy = false;
    if (!o->device->wait(o->context, slot, &answers, e))
        return false;
    if (f->is_part && !f->ends)
        return true;
    if (f->task->shared != NOT_SHARED)
        return join(o, slot, f, e);
    return o->run->emits ? take_and_emit(o, f, &answers, e)
                         : take(o, f, &answers, e);
}

static void fail_at(struct offload *o, const struct part *p,
                    const struct error *e)
{
    o->failed = true;
    files_fail(o->run, part_output(&o->run->job->geometry, p), e);
}

/* Lands the slot's chunk, if it has one. Notes a failure. */
static bool clear(struct offload *o, unsigned slot)
{
    struct error e;
    if (land(o, slot, &e))
        return true;
    fail_at(o, &o->flight[slot].part, &e);
    return false;
}

static bool start(struct offload *o, const struct task *task,
                  const struct part *p, struct axis_chunk *chunk,
                  struct error *e)
{
    const unsigned slot = o->next++ % AXIS_SLOTS;
    if (!clear(o, slot))
        return true; /* the failure is noted, and the run stops */
    char *data = o->device->slot(o->context, slot);
    chunk->outer = p->slabs;
    chunk->length = p->rows;
    chunk->inner = p->items;
    if (!fill(o, task, p, data, e) ||
        !o->device->submit(o->context, slot, chunk, e))
        return false;
    o->flight[slot] =
        (struct flight){true, task, *p, chunk->is_part, chunk->ends, data};
    return true;
}

static bool do_task(struct offload *o, const struct task *task, struct error *e)
{
    const size_t size = dtype_info(o->setup.dtype)->size;
    const uint64_t rows = o->setup.bytes / size / task->part.items;
    const uint64_t end = task->part.row + task->part.rows;
    struct axis_chunk chunk = {0};
    struct part p = task->part;
    chunk.is_part = task->shared != NOT_SHARED || p.rows * p.slabs > rows;
    if (!chunk.is_part)
        return start(o, task, &p, &chunk, e);
    if (task->shared != NOT_SHARED && !reserve(o, task, &chunk.keep, e))
        return false;
    for (; p.row < end && !o->failed; p.row += p.rows) {
        p.rows = end - p.row < rows ? end - p.row : rows;
        chunk.first = p.row;
        chunk.ends = p.row + p.rows == end;
        if (!start(o, task, &p, &chunk, e))
            return false;
        chunk.adds = true;
    }
    return true;
}

static bool open_worker(struct offload *o, struct run *run, struct error *e)
{
    const struct axis_job *job = run->job;
    *o = (struct offload){.run = run, .device = job->device};
    o->setup = offload_setup(job);
    if (!tile_open(&o->tile, job, run->emits ? &o->emission.sink : run->sink,
                   e))
        return false;
    o->again = malloc(o->setup.outputs * sizeof *o->again);
    o->context = o->again ? o->device->open(&o->setup, e) : NULL;
    if (o->context)
        return true;
    if (!o->again)
        error_memory(e);
    free(o->again);
    tile_close(&o->tile);
    return false;
}

void offload_work(struct run *run)
{
    struct offload o;
    struct error e;
    size_t i;
    if (!open_worker(&o, run, &e)) {
        if (e.lacks_memory)
            first_error_note(&run->refused, 0, &e);
        else
            files_fail(run, 0, &e);
        return;
    }
    run->opened++;
    while (!o.failed && !atomic_load(&run->stopped) &&
           (i = atomic_fetch_add(&run->next, 1)) < run->tasks.count) {
        if (!do_task(&o, &run->tasks.task[i], &e))
            fail_at(&o, &run->tasks.task[i].part, &e);
    }
    for (i = 0; i < AXIS_SLOTS; i++)
        clear(&o, o.next++ % AXIS_SLOTS);
    o.device->close(o.context);
    free(o.again);
    free(o.buffer);
    values_free(&o.emission.values);
    tile_close(&o.tile);
}
