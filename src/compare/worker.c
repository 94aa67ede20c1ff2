/* SPDX-License-Identifier: MIT */
#include "compare/worker.h"

#include <stdlib.h>

bool compare_worker_open(struct compare_worker *w, struct compare_state *run,
                         struct error *e)
{
    const struct compare_job *job = run->job;
    const struct compare_stepper_options stepping = {
        job->dtype[0],    job->dtype[1],  job->tolerance,
        run->index.index, run->index.map, false};
    w->run = run;
    if (!compare_result_open(&w->part, job, e))
        return false;
    if (!compare_reader_open(&w->reader, job, e))
        goto free_part;
    w->stepper = compare_stepper_open(&stepping, e);
    if (w->stepper)
        return true;
    compare_reader_close(&w->reader);
free_part:
    compare_result_free(&w->part);
    return false;
}

void compare_worker_close(struct compare_worker *w)
{
    compare_stepper_close(w->stepper);
    compare_reader_close(&w->reader);
    compare_result_free(&w->part);
}

/* A view of a block's column that starts at row `at`. */
struct cells {
    const struct compare_column *column;
    uint64_t at;
};

static enum compare_cell cell_at(const struct cells *c, size_t i)
{
    const unsigned char *gap = c->column->gap;
    return gap ? (enum compare_cell)gap[c->at + i] : COMPARE_VALUE;
}

static struct compare_number number_at(const struct cells *c, enum dtype dtype,
                                       size_t i)
{
    const struct compare_column *column = c->column;
    const uint64_t row = c->at + i;
    size_t low = 0, high = column->wides;
    if (cell_at(c, i) == COMPARE_VALUE)
        return compare_number_of(dtype, column->values +
                                            row * dtype_info(dtype)->size);
    while (high - low > 1) {
        const size_t middle = low + (high - low) / 2;
        if (column->wide[middle].index <= row)
            low = middle;
        else
            high = middle;
    }
    return compare_number_of_wide(&column->wide[low]);
}

/* Compares a pair with a cell that is missing or an integer that f64 cannot
 * hold. */
static void compare_cells(struct compare_worker *w, size_t c,
                          const struct cells *a, const struct cells *b,
                          size_t i, uint64_t index)
{
    struct compare_tally *t = &w->part.tally[c];
    const enum dtype dtype = w->run->job->dtype[0];
    const bool lacks_a = cell_at(a, i) == COMPARE_MISSING,
               lacks_b = cell_at(b, i) == COMPARE_MISSING;
    if (lacks_a || lacks_b) {
        t->missing++;
        t->one_missing += lacks_a != lacks_b;
        if (lacks_a != lacks_b)
            compare_tally_mismatch(t, index);
        return;
    }
    const struct compare_number x = number_at(a, dtype, i),
                                y = number_at(b, dtype, i);
    compare_step_numbers(w->stepper, t,
                         states_at(&w->part.squares, c, MONOID_sumsq), &x, &y,
                         index);
}

static void compare_column(struct compare_worker *w, size_t c,
                           const struct cells *a, const struct cells *b,
                           const struct compare_overlap *o)
{
    const size_t size = dtype_info(w->run->job->dtype[0])->size;
    size_t i = 0;
    while (i < o->n) {
        size_t from = i;
        if (!a->column->gap && !b->column->gap)
            i = o->n;
        while (i < o->n && cell_at(a, i) == COMPARE_VALUE &&
               cell_at(b, i) == COMPARE_VALUE)
            i++;
        if (i > from)
            compare_step(w->stepper, &w->part.tally[c],
                         states_at(&w->part.squares, c, MONOID_sumsq),
                         a->column->values + (a->at + from) * size,
                         b->column->values + (b->at + from) * size, i - from,
                         o->index + from);
        for (; i < o->n && (cell_at(a, i) != COMPARE_VALUE ||
                            cell_at(b, i) != COMPARE_VALUE);
             i++)
            compare_cells(w, c, a, b, i, o->index + i);
    }
}

static void compare_elements(struct compare_worker *w,
                             const struct compare_overlap *o)
{
    const char *data[2];
    for (int i = 0; i < 2; i++)
        data[i] = (const char *)o->block[i]->chunk.data +
                  o->at[i] * dtype_info(w->run->job->dtype[i])->size;
    compare_step(w->stepper, w->part.tally,
                 states_at(&w->part.squares, 0, MONOID_sumsq), data[0], data[1],
                 o->n, o->index);
}

static void compare_overlap(struct compare_worker *w,
                            const struct compare_overlap *o)
{
    uint64_t start = meter_now();
    w->part.rows += o->n;
    if (!w->run->job->text)
        compare_elements(w, o);
    for (size_t c = 0; c < o->block[0]->columns; c++) {
        const struct cells a = {&o->block[0]->column[c], o->at[0]},
                           b = {&o->block[1]->column[c], o->at[1]};
        compare_column(w, c, &a, &b, o);
    }
    meter_add(w->run->job->meter, STAGE_REDUCE, start, 0);
}

static struct compare_block *new_block(const struct compare_job *job,
                                       unsigned side)
{
    struct compare_block *block = calloc(1, sizeof *block);
    if (!block || compare_block_room(block, job, side))
        return block;
    free(block);
    return NULL;
}

/* Reads a block of an input, for any thread to compare. */
static void read_block(struct compare_worker *w, unsigned side)
{
    struct compare_queue *q = &w->run->queue;
    struct compare_block *block = new_block(w->run->job, side);
    struct chunker *chunker = w->run->chunker[side];
    enum chunk_next next = CHUNK_END;
    struct error e;
    if (block) {
        next = compare_block_cut(&w->reader, chunker, block, side);
    } else {
        error_memory(&e);
        compare_queue_fail(q, &e);
    }
    compare_queue_cut(q, side);
    if (next == CHUNK_READY) {
        compare_block_decode(&w->reader, chunker, block, q->side[side].input);
        w->part.bytes += block->rows_bytes;
        w->part.rounded[side] += block->rounded;
    }
    if (next == CHUNK_END && block) {
        free(block->buffer);
        free(block);
        block = NULL;
    }
    compare_queue_put(q, side, block);
}

void compare_free_block(struct compare_state *run, struct compare_block *block)
{
    struct error e;
    if (!compare_block_free(run->job, run->chunker[block->side], block, &e))
        compare_queue_fail(&run->queue, &e);
    free(block);
}

void *compare_worker_run(void *worker)
{
    struct compare_worker *w = worker;
    struct compare_queue *q = &w->run->queue;
    struct compare_overlap overlap;
    struct compare_block *used;
    unsigned side;
    for (;;) {
        switch (compare_queue_take(q, &side, &overlap, &used)) {
        case COMPARE_READ:
            read_block(w, side);
            break;
        case COMPARE_PAIR:
            compare_overlap(w, &overlap);
            compare_queue_release(q, &overlap);
            break;
        case COMPARE_FREE:
            compare_free_block(w->run, used);
            break;
        case COMPARE_STOP:
            return NULL;
        }
    }
}
