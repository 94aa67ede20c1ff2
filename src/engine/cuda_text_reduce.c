/* SPDX-License-Identifier: MIT */
/* From decoded text to partials: what the host decides, and the reductions. */
#include <stdlib.h>
#include <string.h>

#include "csv/cell.h"
#include "engine/cuda_result.h"
#include "engine/cuda_text_parts.h"

static struct gpu_csv_column *counts_of(const struct text_slot *s)
{
    return (struct gpu_csv_column *)(s->report + 1);
}

/* Whether there is anything that is told of, or done, by the CPU alone. */
static bool is_for_cpu(const struct cuda_text *t, const struct text_slot *s)
{
    const struct gpu_csv_totals *r = s->report;
    bool missing = false;
    for (size_t c = 0; c < t->job->columns; c++)
        missing |= counts_of(s)[c].missing > 0;
    return r->stray || r->overflow || r->ragged != ~0u ||
           r->listed > LISTED_MAX ||
           (missing && t->job->text->missing_is_error);
}

/* The text of a listed cell, as the CPU's decoder would have it. */
static struct csv_span span_of(const struct text_slot *s,
                               const struct gpu_csv_cell *cell)
{
    const struct csv_table *table = s->input->table;
    struct csv_span span = {(const char *)s->chunk.data + cell->offset,
                            cell->length};
    bool is_last = table->field_of[cell->column] + 1 == table->fields;
    if (is_last && span.bytes > 0 && span.at[span.bytes - 1] == '\r')
        span.bytes--;
    return span;
}

/* Keeps an integer that f64 cannot hold for when the columns are reduced. */
static bool keep_wide(struct text_slot *s, const struct gpu_csv_cell *cell,
                      uint64_t magnitude, bool negative)
{
    if (!s->wide)
        s->wide = malloc(LISTED_MAX * sizeof *s->wide);
    if (!s->wide)
        return false;
    s->wide[s->wides++] = (struct text_wide){
        cell->column, {magnitude, cell->row, negative}};
    return true;
}

/* Decides the listed cells: counts them, and makes a list of the numbers, *n.
 * False where the chunk is for the CPU. */
static bool decide(struct cuda_text *t, struct text_slot *s, size_t *n)
{
    const struct csv_spec *spec = t->job->text;
    *n = 0;
    s->wides = 0;
    memset(s->decided, 0, t->job->columns * sizeof *s->decided);
    for (size_t i = 0; i < s->report->listed; i++) {
        const struct gpu_csv_cell *cell = &t->cells[i];
        uint64_t bits = 0;
        enum csv_cell kind = csv_cell_read(spec, s->input->table->dialect,
                                           span_of(s, cell), &bits);
        switch (kind) {
        case CSV_CELL_WIDE:
        case CSV_CELL_WIDE_MINUS:
            if (!keep_wide(s, cell, bits, kind == CSV_CELL_WIDE_MINUS))
                return false;
            break;
        case CSV_CELL_ROUNDED:
        case CSV_CELL_NUMBER:
            s->decided[cell->column].rounded += kind == CSV_CELL_ROUNDED;
            s->numbers[(*n)++] =
                (struct gpu_csv_number){cell->row, cell->column, bits};
            counts_of(s)[cell->column].used++;
            break;
        case CSV_CELL_MISSING:
            if (spec->missing_is_error)
                return false;
            counts_of(s)[cell->column].missing++;
            break;
        case CSV_CELL_BAD:
            if (!spec->skip_bad)
                return false;
            s->decided[cell->column].bad++;
            break;
        default:
            return false;
        }
    }
    return true;
}

/* Makes columns without gaps. */
static bool compact(struct cuda_text *t, struct text_slot *s, size_t n,
                    struct error *e)
{
    bool full = true;
    for (size_t c = 0; c < t->job->columns; c++)
        full &= counts_of(s)[c].used == s->report->rows;
    if (full && n == 0)
        return true;
    return cuda_check(cudaMemcpyAsync(s->device_numbers, s->numbers,
                                      n * sizeof *s->numbers,
                                      cudaMemcpyHostToDevice, s->stream),
                      "copying to it", e) &&
           cuda_check(gpu_csv_compact(&s->spec, &s->work, s->report->rows,
                                      s->device_numbers, n, s->stream),
                      "starting kernels", e);
}

/* A column's values on the device. */
static char *values_of(const struct cuda_text *t, const struct text_slot *s,
                       size_t column)
{
    const struct gpu_csv_buffers *to = &s->work.to;
    bool full = counts_of(s)[column].used == s->report->rows;
    char *base = full ? to->value : to->dense;
    return base + column * to->pitch * dtype_info(t->job->dtype)->size;
}

/* Starts the kernels of a column. */
static bool launch_column(struct cuda_text *t, struct text_slot *s,
                          size_t column, struct error *e)
{
    const struct job *job = t->job;
    unsigned used = counts_of(s)[column].used;
    struct gpu_result *result = &s->result[column];
    const struct gpu_chunk work = {values_of(t, s, column), used, result,
                                   s->scratch, NULL};
    unsigned monoids = job->monoids & ~job_ordered(job) & ~MONOID_BIT(ends);
    if (used == 0)
        return true;
    if (!cuda_check(gpu_launch(monoids, job->dtype, &work, s->stream),
                    "starting kernels", e))
        return false;
    return used == s->report->rows ||
           cuda_check(gpu_csv_map_indexes(
                          result, job->dtype,
                          s->work.to.row_of + column * s->work.to.pitch,
                          s->stream),
                      "starting kernels", e);
}

static bool launch_columns(struct cuda_text *t, struct text_slot *s,
                           struct error *e)
{
    size_t bytes = t->job->columns * sizeof *s->result;
    if (!cuda_check(cudaMemsetAsync(s->result, 0, bytes, s->stream),
                    "clearing results", e))
        return false;
    for (size_t c = 0; c < t->job->columns; c++) {
        if (!launch_column(t, s, c, e))
            return false;
    }
    bool ok = cuda_check(cudaMemcpyAsync(s->host_result, s->result, bytes,
                                         cudaMemcpyDeviceToHost, s->stream),
                         "copying results", e);
    /* Since it was decoded: time until the host had looked at it counts. */
    cuda_clock_mark(&s->clock, STAGE_REDUCE, s->stream);
    return ok;
}

/* Copies bytes of the device to new memory, *to, which the caller frees. */
static bool fetch(void **to, const void *from, size_t bytes, struct error *e)
{
    *to = malloc(bytes + 1);
    if (!*to)
        return error_set(e, ERROR_DATA, "out of memory");
    return cuda_check(cudaMemcpy(*to, from, bytes, cudaMemcpyDeviceToHost),
                      "copying results", e);
}

/* What must be multiplied in order is fetched for the fold. */
static bool fetch_values(struct cuda_text *t, struct text_slot *s,
                         size_t column, struct partial *out, struct error *e)
{
    return fetch(&out->values, values_of(t, s, column),
                 (size_t)out->n * dtype_info(t->job->dtype)->size, e);
}

/* The ends are found on the host, of the values as they are fetched. Where the
 * column has gaps, its rows are fetched too. */
static bool take_ends(struct cuda_text *t, struct text_slot *s, size_t column,
                      struct partial *out, struct error *e)
{
    const struct gpu_csv_buffers *to = &s->work.to;
    const size_t n = (size_t)out->n;
    struct job ends = *t->job;
    void *values = NULL, *rows = NULL;
    bool full = out->n == out->records;
    ends.monoids = MONOID_BIT(ends);
    bool ok = fetch(&values, values_of(t, s, column),
                    n * dtype_info(ends.dtype)->size, e) &&
              (full || fetch(&rows, to->row_of + column * to->pitch,
                             n * sizeof *to->row_of, e));
    if (ok)
        state_add_ends(&out->state[MONOID_ends], values, n, 0);
    if (ok && !full)
        columns_map_rows(&ends, rows, out);
    free(rows);
    free(values);
    return ok;
}

static bool take_column(struct cuda_text *t, struct text_slot *s, size_t column,
                        struct partial *out, struct error *e)
{
    const struct job *job = t->job;
    const struct chunk values = {.n = counts_of(s)[column].used};
    out->n = values.n;
    out->records = s->report->rows;
    out->missing = counts_of(s)[column].missing;
    out->bad = s->decided[column].bad;
    out->rounded = s->decided[column].rounded;
    const unsigned ends = job->monoids & MONOID_BIT(ends);
    for (int m = 0; m < MONOIDS_END; m++) {
        if ((job->monoids & ~ends) >> m & 1 && values.n > 0)
            cuda_take_state(&out->state[m], &s->host_result[column], &values,
                            NULL);
    }
    return (!ends || values.n == 0 || take_ends(t, s, column, out, e)) &&
           (!job_ordered(job) || fetch_values(t, s, column, out, e));
}

bool text_advance(struct cuda_text *t, struct text_slot *s, struct error *e)
{
    size_t n = 0, listed;
    if (!cuda_check(cudaStreamSynchronize(s->stream), "decoding", e))
        return false;
    s->cpu = is_for_cpu(t, s);
    listed = s->cpu ? 0 : s->report->listed * sizeof *t->cells;
    if (listed > 0 && !cuda_check(cudaMemcpy(t->cells, s->work.to.list, listed,
                                             cudaMemcpyDeviceToHost),
                                  "copying results", e))
        return false;
    s->cpu = s->cpu || !decide(t, s, &n);
    s->started = s->cpu || (compact(t, s, n, e) && launch_columns(t, s, e));
    return s->started;
}

bool text_take(struct cuda_text *t, struct text_slot *s, struct partial *out,
               struct error *e)
{
    bool ok = cuda_check(cudaStreamSynchronize(s->stream), "reducing", e);
    cuda_clock_put(&s->clock, s->chunk.bytes);
    for (size_t c = 0; c < t->job->columns; c++)
        partial_init(&out[c], t->job);
    for (size_t c = 0; ok && c < t->job->columns; c++)
        ok = take_column(t, s, c, &out[c], e);
    for (size_t i = 0; ok && i < s->wides; i++) {
        struct partial *p = &out[s->wide[i].column];
        wide_step(&p->wide, p->state, t->job->monoids, s->wide[i].integer);
        p->n++;
    }
    if (!ok)
        partial_drop(out, t->job->columns);
    return ok;
}
