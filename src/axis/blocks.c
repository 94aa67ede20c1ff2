/* SPDX-License-Identifier: MIT */
/* Brings blocks of mapped files into memory and gives them back. */
#include "axis/files_parts.h"

#include <stdlib.h>
#include <string.h>

#include "source/swap.h"

enum {
    /* Bytes of a block, unless these are fewer than TALL_ROWS rows. */
    BLOCK_BYTES = 4 << 20,
    /* Bytes of a taller block, or of one whose pages stay mapped. */
    TALL_BYTES = 32 << 20,
};

uint64_t block_rows(const struct axis_job *job, const struct part *p)
{
    const struct geometry *g = &job->geometry;
    const uint64_t row =
        p->items * g->inner_size * dtype_info(job->dtype)->size;
    const bool stays = p->items < g->items && tasks_stay(job);
    uint64_t rows = (stays ? TALL_BYTES : BLOCK_BYTES) / row;
    if (axis_gathers(job))
        return p->rows;
    if (rows < TALL_ROWS)
        rows = least(TALL_ROWS, TALL_BYTES / row);
    if (rows < BLOCK_ROWS)
        rows = least(BLOCK_ROWS, BLOCK_MOST / row);
    /* Blocks have whole leaves of the product. */
    rows = rows > PROD_LEAF ? rows / PROD_LEAF * PROD_LEAF : rows;
    return rows ? rows : 1;
}

struct place block_place(const struct run *run, const struct task *task,
                         const struct part *p)
{
    const struct geometry *g = &run->job->geometry;
    const size_t size = dtype_info(run->job->dtype)->size;
    const size_t row = geometry_row(g) * size, item = g->inner_size * size;
    const uint64_t start = run->start[task->file];
    const bool by_slab = g->slabs > 1;
    const uint64_t rows =
        by_slab ? (p->slab - start) * g->rows + p->row : p->row - start;
    struct place place = {rows * row + p->item * item, p->rows, p->items * item,
                          row, false};
    if (p->items == g->items) {
        place.run = p->slabs * p->rows * row;
        place.runs = 1;
    } else if (axis_gathers(run->job) || tasks_stay(run->job)) {
        place.is_lazy = true;
    }
    return place;
}

/* The pages of a lazy place are read when they are first used, and stay mapped.
 */
const char *block_take(struct run *run, const struct task *task,
                       struct place at)
{
    const struct input *input = run->input[task->file];
    struct open_file *file = run->file[task->file];
    const char *data = NULL;
    for (size_t i = 0; i < (at.is_lazy ? 1 : at.runs); i++) {
        const char *range =
            file_range(file, input, input->offset + at.offset + i * at.pitch,
                       at.is_lazy ? 0 : at.run);
        data = i == 0 ? range : data;
    }
    return data;
}

/* Maps or drops one worker's share of file f. */
static void map_share(struct run *run, unsigned worker, size_t f, bool drops)
{
    const struct input *input = run->input[f];
    struct open_file *file = run->file[f];
    const uint64_t each = ceiling(input->bytes, run->workers);
    const uint64_t end = least(each * (worker + 1), input->bytes);
    uint64_t at = each * worker;
    if (drops && at < end)
        map_drop(&file->map, input->offset + at, end - at);
    for (; !drops && at < end && !run->stopped; at += BLOCK_BYTES)
        file_range(file, input, input->offset + at,
                   least(BLOCK_BYTES, end - at));
}

void blocks_stay(struct run *run, unsigned worker, bool drops)
{
    const struct axis_job *job = run->job;
    const bool has_panels = run->tasks.task[0].part.items < job->geometry.items;
    for (size_t f = 0; has_panels && tasks_stay(job) && f < run->files; f++)
        map_share(run, worker, f, drops);
}

const char *block_turn(const struct run *run, const char *data, struct place at,
                       struct turned *to)
{
    const size_t bytes = at.runs * at.run;
    if (bytes > to->room) {
        free(to->data);
        to->data = malloc(bytes);
        to->room = to->data ? bytes : 0;
    }
    for (size_t i = 0; to->data && i < at.runs; i++) {
        char *run_of = to->data + i * at.run;
        memcpy(run_of, data + i * at.pitch, at.run);
        swap_elements(run_of, at.run, dtype_info(run->job->dtype)->size);
    }
    return to->data;
}

bool block_give(struct run *run, const struct task *task, struct place at)
{
    const struct input *input = run->input[task->file];
    struct map *map = &run->file[task->file]->map;
    const uint64_t offset = input->offset + at.offset;
    const uint64_t last = offset + (at.runs - 1) * at.pitch;
    if (at.is_lazy)
        return map_check(map, last + at.run, 0);
    for (size_t i = 0; i + 1 < at.runs; i++)
        map_drop(map, offset + i * at.pitch, at.run);
    return map_check(map, last, at.run);
}
