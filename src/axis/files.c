/* SPDX-License-Identifier: MIT */
#include "axis/files.h"

#include <stdlib.h>

#include "axis/files_parts.h"
#include "axis/offload.h"
#include "base/meter.h"

/* A run with fewer values keeps them all until the end. */
enum { EMIT_LEAST = 1 << 19 };

struct worker {
    struct run *run;
    unsigned number;
    struct tile tile;
    /* Outputs that tasks share, whose states the tile holds until this worker
     * merges them: their index in tasks->shared, or NOT_SHARED; and how many
     * tasks it has added to them. */
    size_t held, holds;
    struct emission emission;
    struct turned turned; /* a block of a big-endian file */
    pthread_t thread;
    const struct axis_watch *watch; /* NULL: another worker asks it */
};

bool files_suit(const struct axis_job *job, const struct input *inputs,
                size_t count)
{
    const struct geometry *g = &job->geometry;
    size_t files = 0;
    for (size_t i = 0; i < count; i++) {
        if (inputs[i].compression)
            return false;
        if (inputs[i].bytes == 0)
            continue;
        files++;
        if (!inputs[i].regular ||
            inputs[i].bytes % dtype_info(job->dtype)->size > 0)
            return false;
    }
    return files > 0 && files <= FILES_MAX &&
           (files == 1 || g->slabs > 1 || g->rows > 1) &&
           (files == 1 || !(job->monoids & MONOID_BIT(prod))) &&
           (files == 1 || g->slabs > 1 || !axis_gathers(job));
}

void files_fail(struct run *run, uint64_t output, const struct error *e)
{
    atomic_store(&run->stopped, true);
    first_error_note(&run->failure, output, e);
    if (run->emits)
        turns_stop(&run->emissions.turns);
}

/* Whether a task is a single block with all elements of its outputs. */
static bool is_whole(const struct worker *w, const struct task *task)
{
    return task->shared == NOT_SHARED &&
           (task->part.slabs > 1 ||
            task->part.rows <= block_rows(w->run->job, &task->part));
}

static bool add_block(struct worker *w, const struct task *task,
                      const struct part *p, const char *data, size_t pitch,
                      struct error *e)
{
    if (is_whole(w, task))
        return tile_whole(&w->tile, p, data, pitch, e);
    tile_add(&w->tile, p, data, pitch);
    return true;
}

/* Takes a block, adds it and gives it back. */
static bool use_block(struct worker *w, const struct task *task,
                      const struct part *p, struct error *e)
{
    struct run *run = w->run;
    struct meter *meter = run->job->meter;
    const struct place at = block_place(run, task, p);
    const size_t bytes = at.runs * at.run;
    const bool turns = run->input[task->file]->big_endian;
    const char *data = block_take(run, task, at);
    const uint64_t start = meter_now();
    if (turns)
        data = block_turn(run, data, at, &w->turned);
    const size_t pitch = turns && at.runs > 1 ? at.run : at.pitch;
    const bool ok =
        (data || error_memory(e)) && add_block(w, task, p, data, pitch, e);
    meter_add(meter, STAGE_REDUCE, start, bytes);
    if (meter)
        atomic_fetch_add(&meter->cut, bytes);
    return block_give(run, task, at) ? ok
                                     : file_was_cut(run->input[task->file], e);
}

static void ask_watch(struct worker *w)
{
    if (!w->watch || w->watch->goes_on(w->watch->context))
        return;
    w->watch = NULL;
    atomic_store(&w->run->is_cut_short, true);
    atomic_store(&w->run->stopped, true);
}

/* Adds a task's part to the tile, block by block. Stops early if the run is cut
 * short. */
static bool add_part(struct worker *w, const struct task *task, struct error *e)
{
    const uint64_t rows = block_rows(w->run->job, &task->part);
    const uint64_t end = task->part.row + task->part.rows;
    struct part p = task->part;
    for (; p.row < end && !w->run->is_cut_short; p.row += p.rows) {
        if (p.slabs == 1)
            p.rows = end - p.row < rows ? end - p.row : rows;
        if (!use_block(w, task, &p, e))
            return false;
        ask_watch(w);
    }
    return true;
}

/* Merges the tile's states with those of other workers for the same outputs.
 * The last worker sets the outputs' values. */
static bool merge(struct worker *w, struct error *e)
{
    struct run *run = w->run;
    struct shared *s = &run->tasks.shared[w->held];
    pthread_mutex_t *lock = &run->lock[w->held % LOCKS];
    bool ok = true;
    pthread_mutex_lock(lock);
    if (s->states.groups == 0) {
        s->states = w->tile.states;
        w->tile.states = (struct states){.groups = 0};
    } else {
        states_merge(&s->states, &w->tile.states, 0, s->states.groups);
    }
    s->left -= w->holds;
    if (s->left == 0) {
        ok = tile_finish(&w->tile, &s->states, e);
        states_close(&s->states);
    }
    pthread_mutex_unlock(lock);
    return ok;
}

/* Merges the states that the worker holds, if there are some. */
static void release(struct worker *w)
{
    struct error e;
    if (w->held != NOT_SHARED && !merge(w, &e))
        files_fail(w->run, w->tile.output, &e);
    w->held = NOT_SHARED;
    w->holds = 0;
}

static bool do_task(struct worker *w, const struct task *task, struct error *e)
{
    const struct geometry *g = &w->run->job->geometry;
    const uint64_t output = part_output(g, &task->part);
    if (task->shared != w->held)
        release(w);
    if (is_whole(w, task))
        return add_part(w, task, e);
    if (w->held == NOT_SHARED &&
        !tile_begin(&w->tile, output, (size_t)part_outputs(g, &task->part), e))
        return false;
    if (!add_part(w, task, e))
        return false;
    w->held = task->shared;
    w->holds++;
    if (task->shared != NOT_SHARED)
        return true;
    tile_end(&w->tile);
    return tile_finish(&w->tile, &w->tile.states, e);
}

/* Does task number i, then hands its values on if the run emits. */
static bool do_and_emit(struct worker *w, size_t i, struct error *e)
{
    struct run *run = w->run;
    const struct task *task = &run->tasks.task[i];
    if (!run->emits)
        return do_task(w, task, e);
    return emission_begin(&w->emission, &run->emissions, run->job, &task->part,
                          e) &&
           do_task(w, task, e) &&
           emission_end(&w->emission, &run->emissions, run->job, i, e);
}

static void *work(void *worker)
{
    struct worker *w = worker;
    struct run *run = w->run;
    struct error e;
    size_t i;
    w->held = NOT_SHARED;
    if (run->job->device) {
        offload_work(run);
        return NULL;
    }
    struct axis_sink *sink = run->emits ? &w->emission.sink : run->sink;
    if (!tile_open(&w->tile, run->job, sink, &e)) {
        files_fail(run, 0, &e);
        return NULL;
    }
    blocks_stay(run, w->number, false);
    while (!atomic_load(&run->stopped) &&
           (i = atomic_fetch_add(&run->next, 1)) < run->tasks.count) {
        const struct task *task = &run->tasks.task[i];
        if (!do_and_emit(w, i, &e))
            files_fail(run, part_output(&run->job->geometry, &task->part), &e);
    }
    release(w);
    blocks_stay(run, w->number, true);
    tile_close(&w->tile);
    values_free(&w->emission.values);
    free(w->turned.data);
    return NULL;
}

/* Runs the tasks, the calling thread among the workers. If not all threads
 * start, those that do are enough. Returns how many ran. */
static unsigned run_workers(struct run *run, struct error *e)
{
    unsigned wanted = run->job->threads, started = 1;
    if (wanted > run->tasks.count)
        wanted = (unsigned)run->tasks.count;
    struct worker *workers = calloc(wanted ? wanted : 1, sizeof *workers);
    if (!workers) {
        error_memory(e);
        return 0;
    }
    run->workers = wanted;
    for (unsigned i = 0; i < wanted; i++) {
        workers[i].run = run;
        workers[i].number = i;
    }
    while (started < wanted && pthread_create(&workers[started].thread, NULL,
                                              work, &workers[started]) == 0)
        started++;
    workers[0].watch = run->emits ? NULL : run->job->watch;
    work(&workers[0]);
    for (unsigned i = 1; i < started; i++)
        pthread_join(workers[i].thread, NULL);
    free(workers);
    return started;
}

/* Opens the inputs that are not empty, and computes where each starts in the
 * array. */
static bool open_files(struct run *run, struct input *inputs, size_t count,
                       bool *unmapped, struct error *e)
{
    const struct geometry *g = &run->job->geometry;
    const size_t size = dtype_info(run->job->dtype)->size;
    const uint64_t slab = g->rows * geometry_row(g);
    const uint64_t unit = size * (g->slabs > 1 ? slab : geometry_row(g));
    for (size_t i = 0; i < count; i++) {
        if (inputs[i].bytes == 0)
            continue;
        run->input[run->files] = &inputs[i];
        run->file[run->files] = file_take(&inputs[i], true, e);
        if (!run->file[run->files])
            return false;
        *unmapped |= !run->job->device && !run->file[run->files]->is_mapped;
        run->start[run->files + 1] =
            run->start[run->files] + inputs[i].bytes / unit;
        run->files++;
    }
    return true;
}

/* Static initialisation cannot fail, and these locks need no destruction. */
static void make_locks(struct run *run)
{
    run->failure.lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
    run->refused.lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
    for (size_t i = 0; i < LOCKS; i++)
        run->lock[i] = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
}

static bool run_tasks(struct run *run, struct axis_report *report,
                      struct error *e)
{
    const struct axis_job *job = run->job;
    report->outputs = geometry_outputs(&job->geometry);
    for (size_t i = 0; i < run->files; i++)
        report->bytes += run->input[i]->bytes;
    report->elements = report->bytes / dtype_info(job->dtype)->size;
    make_locks(run);
    if (!tasks_make(&run->tasks, job, run->start, run->files, e))
        return false;
    run->emits = job->emit && run->tasks.shares == 0 &&
                 report->outputs >= EMIT_LEAST &&
                 emissions_open(&run->emissions, job, &run->tasks.task[0].part);
    if (!run->emits && !tile_extend(run->sink, job, report->outputs, e))
        return false;
    const unsigned started = run_workers(run, e);
    report->workers = job->device ? run->opened : started;
    report->is_cut_short = run->is_cut_short;
    return started > 0 &&
           (run->is_cut_short ||
            (first_error_none(&run->failure, e) &&
             (run->opened > 0 || first_error_none(&run->refused, e))));
}

bool files_run(const struct axis_job *job, struct input *inputs, size_t count,
               struct axis_sink *sink, struct axis_report *report,
               bool *unmapped, struct error *e)
{
    struct run *run = calloc(1, sizeof *run);
    if (!run)
        return error_memory(e);
    run->job = job;
    run->sink = sink;
    *unmapped = false;
    const bool ok = open_files(run, inputs, count, unmapped, e) && !*unmapped &&
                    run_tasks(run, report, e);
    for (size_t i = 0; i < FILES_MAX && run->file[i]; i++)
        file_release(run->file[i]);
    if (run->emits)
        emissions_close(&run->emissions);
    tasks_free(&run->tasks);
    free(run);
    return ok;
}
