/* SPDX-License-Identifier: MIT */
#include "axis/tasks.h"

#include <stdlib.h>

#include "axis/offload.h"
#include "base/memory.h"

enum {
    /* Bytes of the small slabs that one task reduces. */
    GROUP_BYTES = 4 << 20,
    /* Longer rows are cut into panels, so that the panels' sums stay in cache.
     */
    PANEL_BYTES = 64 << 10,
    /* The limit if a block has all rows: then no states are needed, and longer
     * runs of a row need fewer system calls. */
    PANEL_MOST = 256 << 10,
    /* The limits if panels stay mapped: rows of 8 KiB are two pages, and their
     * lanes fill the loops. */
    STAY_LEAST = 8 << 10,
    STAY_MOST = 16 << 10,
    /* If there are few panels, threads share the rows of each. Then there are
     * SHARES tasks for each thread, of at least SHARE_BYTES. If there is one
     * panel, each thread merges only once, so it has more tasks if their blocks
     * stay tall, and threads end at nearly the same time. */
    SHARES = 4,
    SHARES_ALONE = 32,
    SHARE_BYTES = 1 << 20,
    /* Merging an output takes as long as adding so many elements. */
    MERGE_ELEMENTS = 64,
    LINE_BYTES = 64, /* of a cache line */
    /* Most outputs of a task whose values are handed on, so that they are still
     * in cache then. */
    EMIT_OUTPUTS = 64 << 10,
};

/* Whether a task must have all elements of its outputs, in order. */
static bool needs_whole(const struct axis_job *job)
{
    return axis_gathers(job) || tile_ordered(job);
}

static uint64_t row_bytes(const struct axis_job *job)
{
    return geometry_row(&job->geometry) * dtype_info(job->dtype)->size;
}

/* To map and drop the rows of a panel one by one takes two system calls for
 * each. Each drop interrupts all threads, and takes away large pages that other
 * threads use. So if the memory can hold the files, they are mapped as a whole:
 * measured on 1024 rows of 1 MiB, 0.13 s instead of 0.23. */
bool tasks_stay(const struct axis_job *job)
{
    const struct geometry *g = &job->geometry;
    return !job->device &&
           g->slabs * g->rows * row_bytes(job) <= memory_limit();
}

/* Bytes of a panel's row if panels stay mapped: so few that most blocks have
 * all rows, and that all threads get panels. */
static uint64_t staying(const struct axis_job *job, uint64_t wanted)
{
    const struct geometry *g = &job->geometry;
    const uint64_t share = g->slabs * row_bytes(job) / wanted;
    const uint64_t bytes = least(share, STAY_MOST), all = SHARE_BYTES / g->rows;
    const uint64_t fewest = all > STAY_LEAST ? all : STAY_LEAST;
    return bytes > fewest ? bytes : fewest;
}

/* The same if each row of a block is mapped alone. */
static uint64_t passing(const struct axis_job *job)
{
    const struct geometry *g = &job->geometry;
    const uint64_t whole = g->rows > BLOCK_ROWS ? 0 : BLOCK_MOST / g->rows;
    if (whole < PANEL_BYTES ||
        g->slabs * row_bytes(job) / PANEL_MOST < job->threads)
        return PANEL_BYTES;
    return least(whole, PANEL_MOST);
}

static uint64_t panel_of(const struct axis_job *job, uint64_t wanted)
{
    const struct geometry *g = &job->geometry;
    const uint64_t item = g->inner_size * dtype_info(job->dtype)->size;
    const bool stays = tasks_stay(job) && !needs_whole(job);
    const uint64_t bytes = stays ? staying(job, wanted) : passing(job);
    const uint64_t most = (stays ? STAY_MOST : 2 * PANEL_BYTES) / item;
    uint64_t items = g->items <= most ? g->items : bytes / item;
    items = least(items, tile_outputs(job) / g->inner_outputs);
    return items > 0 ? items : 1;
}

/* If tasks must have whole outputs, panels are as narrow as it takes to give
 * every thread some, but not narrower than a cache line. */
static uint64_t narrow(const struct axis_job *job, size_t size, uint64_t items,
                       uint64_t wanted)
{
    const struct geometry *g = &job->geometry;
    const uint64_t line = ceiling(LINE_BYTES, g->inner_size * size);
    const uint64_t most = ceiling(g->slabs * g->items, wanted);
    if (!needs_whole(job))
        return items;
    return least(items, most > line ? ceiling(most, line) * line : line);
}

static struct cut cut_of(const struct axis_job *job)
{
    const struct geometry *g = &job->geometry;
    const size_t size = dtype_info(job->dtype)->size;
    const uint64_t slab = g->rows * row_bytes(job);
    /* A single thread needs no shares. */
    const uint64_t all = g->slabs * slab,
                   wanted = job->threads > 1 ? SHARES * job->threads : 1;
    uint64_t group = job->chunk_bytes ? job->chunk_bytes : GROUP_BYTES;
    struct cut cut = {0, panel_of(job, 2 * wanted), 1};
    if (!job->chunk_bytes && all / wanted < group)
        group = all / wanted;
    if (slab <= group || (slab <= GROUP_BYTES && g->slabs >= wanted)) {
        /* An ordered monoid takes a leaf of memory for each output of a tile.
         */
        const uint64_t most =
            job->emit && !tile_ordered(job) ? EMIT_OUTPUTS : tile_outputs(job);
        cut.slabs = least(group / slab, most / geometry_slab_outputs(g));
        cut.slabs = cut.slabs ? cut.slabs : 1;
        return cut;
    }
    cut.items = narrow(job, size, cut.items, wanted);
    const uint64_t panels = g->slabs * ceiling(g->items, cut.items);
    const uint64_t bytes = cut.items * g->inner_size * size * g->rows;
    const uint64_t outputs = cut.items * g->inner_outputs;
    /* A panel that is one block needs no states: one for each thread is enough.
     */
    if (panels < (g->rows > BLOCK_ROWS ? wanted : job->threads))
        cut.parts = ceiling(2 * wanted, panels);
    if (cut.parts > 1 && panels == 1 && g->rows / TALL_ROWS > cut.parts)
        cut.parts = least(g->rows / TALL_ROWS, SHARES_ALONE * job->threads);
    cut.parts = least(cut.parts, bytes / SHARE_BYTES);
    cut.parts = least(cut.parts, bytes / size / outputs / MERGE_ELEMENTS);
    if (needs_whole(job))
        cut.parts = 1;
    cut.parts = cut.parts ? least(cut.parts, g->rows) : 1;
    return cut;
}

/* Returns an array of n things with room for one more; NULL: out of memory. */
static void *grown(void *at, size_t n, size_t size, struct error *e)
{
    if ((n & (n - 1)) == 0)
        at = realloc(at, (n ? 2 * n : 1) * size);
    return at ? at : error_memory(e);
}

static bool add(struct tasks *t, size_t file, struct part part, size_t shared,
                struct error *e)
{
    struct task *task = grown(t->task, t->count, sizeof *task, e);
    if (!task)
        return false;
    t->task = task;
    task[t->count++] = (struct task){file, part, shared};
    return true;
}

/* Adds a set of outputs that n tasks share. A single task needs none. */
static bool add_shared(struct tasks *t, size_t n, size_t *number,
                       struct error *e)
{
    *number = NOT_SHARED;
    if (n <= 1)
        return true;
    struct shared *shared = grown(t->shared, t->shares, sizeof *shared, e);
    if (!shared)
        return false;
    t->shared = shared;
    shared[t->shares] = (struct shared){.left = n};
    *number = t->shares++;
    return true;
}

/* Adds tasks for slabs [from, to) of a file, `slabs` each. */
static bool group_slabs(struct tasks *t, const struct geometry *g, size_t file,
                        uint64_t from, uint64_t to, uint64_t slabs,
                        struct error *e)
{
    for (uint64_t s = from; s < to; s += slabs) {
        const struct part part = {s,       least(slabs, to - s), 0, g->rows, 0,
                                  g->items};
        if (!add(t, file, part, NOT_SHARED, e))
            return false;
    }
    return true;
}

/* The files from which the rows of a slab are read. */
struct source {
    const uint64_t
        *start;         /* [files + 1], the first row of each; NULL: one file */
    size_t file, files; /* the first file, and how many */
};

static uint64_t parts_in(uint64_t rows, uint64_t each)
{
    return each ? ceiling(rows, each) : 0;
}

static bool add_panel(struct tasks *t, struct part p, uint64_t rows,
                      uint64_t each, struct source from, struct error *e)
{
    const uint64_t whole[2] = {0, rows};
    const uint64_t *start = from.start ? from.start : whole;
    size_t shared, n = 0;
    for (size_t f = 0; f < from.files; f++)
        n += parts_in(start[f + 1] - start[f], each);
    if (!add_shared(t, n, &shared, e))
        return false;
    for (size_t f = 0; f < from.files; f++) {
        for (p.row = start[f]; p.row < start[f + 1]; p.row += each) {
            p.rows = least(each, start[f + 1] - p.row);
            if (!add(t, from.file + f, p, shared, e))
                return false;
        }
    }
    return true;
}

static bool add_slab(struct tasks *t, const struct geometry *g, uint64_t slab,
                     struct cut cut, struct source from, struct error *e)
{
    for (uint64_t i = 0; i < g->items; i += cut.items) {
        const struct part p = {slab, 1, 0,
                               0,    i, least(cut.items, g->items - i)};
        if (!add_panel(t, p, g->rows, ceiling(g->rows, cut.parts), from, e))
            return false;
    }
    return true;
}

bool tasks_make(struct tasks *t, const struct axis_job *job,
                const uint64_t *start, size_t files, struct error *e)
{
    const struct geometry *g = &job->geometry;
    const struct cut cut = job->device ? offload_cut(job) : cut_of(job);
    bool ok = true;
    *t = (struct tasks){0};
    if (g->slabs <= 1 && (cut.slabs == 0 || files > 1))
        ok = add_slab(t, g, 0, cut, (struct source){start, 0, files}, e);
    for (size_t f = 0; ok && g->slabs > 1 && f < files; f++) {
        if (cut.slabs > 0)
            ok = group_slabs(t, g, f, start[f], start[f + 1], cut.slabs, e);
        for (uint64_t s = start[f]; ok && cut.slabs == 0 && s < start[f + 1];
             s++)
            ok = add_slab(t, g, s, cut, (struct source){NULL, f, 1}, e);
    }
    if (g->slabs == 1 && cut.slabs > 0 && files == 1)
        ok = group_slabs(t, g, 0, 0, 1, 1, e);
    if (!ok)
        tasks_free(t);
    return ok;
}

void tasks_free(struct tasks *t)
{
    for (size_t i = 0; i < t->shares; i++) {
        states_close(&t->shared[i].states);
        free(t->shared[i].keep);
    }
    free(t->shared);
    free(t->task);
    *t = (struct tasks){0};
}
