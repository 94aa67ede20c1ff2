/* SPDX-License-Identifier: MIT */
/* Groups by key: the odd values. The device lists them, and the host adds them
 * to the records of their keys. */
#include <stdlib.h>

#include "backend/cuda/by_parts.h"

/* Fetches the numbers of the rows' keys. */
static bool fetch_numbers(struct cuda_by *b, const struct text_slot *s,
                          struct error *e)
{
    const size_t rows = s->report->rows;
    if (rows > b->room) {
        free(b->number);
        free(b->id);
        b->room = rows + rows / 4;
        b->number = malloc(b->room * sizeof *b->number);
        b->id = malloc(b->room * sizeof *b->id);
        b->room = b->number && b->id ? b->room : 0;
        if (b->room == 0)
            return error_memory(e);
    }
    return cuda_by_fetch(b->number, s->keys.number, rows * sizeof *b->number,
                         e);
}

/* Sets b->id[i] to the record of the key of row[i], for n rows. */
static bool find_ids(struct context *t, const uint32_t *row, size_t n,
                     struct error *e)
{
    struct cuda_by *b = t->by;
    for (size_t i = 0; i < n; i++) {
        const uint32_t number = b->number[row[i]];
        if (number >= b->known && !cuda_by_know(t, e))
            return false;
        b->id[row[i]] = b->record[number];
    }
    return true;
}

/* Adds the odd values of column `number`. `column` has these values and their
 * rows. */
static bool step_odd(struct context *t, const struct text_slot *s,
                     const struct column *column, size_t number,
                     struct error *e)
{
    struct cuda_by *b = t->by;
    const struct by_addend a = {grouper_own(b->grouper), number, column, b->id,
                                job_position(t->job, &s->chunk)};
    if (!find_ids(t, column->rows, column->n, e))
        return false;
    const enum distinct_lost lost = by_step(&a, NULL, NULL, column->n);
    return !lost || groups_refuse(NULL, lost, e);
}

static bool take_odd(struct context *t, const struct text_slot *s,
                     size_t number, struct error *e)
{
    const struct gpu_csv_buffers *to = &s->work.to;
    const size_t size = dtype_size(t->job->dtype), n = s->odds[number];
    const size_t at = number * to->pitch;
    char *values = malloc(n * size);
    uint32_t *rows = malloc(n * sizeof *rows);
    const struct column column = {
        .dtype = t->job->dtype, .n = n, .values = values, .rows = rows};
    const bool ok = (values && rows) || error_memory(e);
    const bool done =
        ok &&
        cuda_by_fetch(values, (char *)to->dense + at * size, n * size, e) &&
        cuda_by_fetch(rows, to->row_of + at, n * sizeof *rows, e) &&
        step_odd(t, s, &column, number, e);
    free(values);
    free(rows);
    return done;
}

bool cuda_by_take(struct context *t, struct text_slot *s, struct owner *owner,
                  struct error *e)
{
    struct cuda_by *b = t->by;
    bool fetched = false, ok = cuda_by_begin(b, owner, e);
    for (size_t c = 0; ok && s->report->rows > 0 && c < t->job->columns; c++) {
        if (s->odds[c] == 0)
            continue;
        ok = (fetched || fetch_numbers(b, s, e)) && take_odd(t, s, c, e);
        fetched = true;
    }
    b->rows += s->report->rows;
    return ok && (b->rows <= GPU_BY_ROWS_MAX / 2 || cuda_by_empty(t, e));
}
