/* SPDX-License-Identifier: MIT */
#include "engine/columns.h"

#include <stdlib.h>
#include <string.h>

#include "base/meter.h"
#include "input/input.h"
#include "reduce/cpu/work.h"

struct columns {
    const struct job *job;
    const struct cpu_loops *loops;
    struct csv_decoder *decoder;
    struct work work[MONOIDS_END];
};

struct columns *columns_open(const struct job *job, struct error *e)
{
    struct columns *c = aligned_alloc(64, (sizeof *c + 63) / 64 * 64);
    if (!c) {
        error_set(e, ERROR_DATA, "out of memory");
        return NULL;
    }
    c->job = job;
    c->loops = job->portable ? &cpu_loops_base : cpu_loops(0);
    c->decoder = csv_decoder_new(job->text, job->portable, e);
    if (!c->decoder) {
        free(c);
        return NULL;
    }
    for (int m = 0; m < MONOIDS_END; m++) {
        if (!(job->monoids >> m & 1))
            continue;
        work_init(&c->work[m], (enum monoid)m, job->dtype);
        c->work[m].fast = job->fast;
    }
    return c;
}

void columns_close(struct columns *c)
{
    if (c)
        csv_decoder_free(c->decoder);
    free(c);
}

static void map_row(const uint32_t *rows, uint64_t *index)
{
    if (*index != INDEX_NONE)
        *index = rows[*index];
}

void columns_map_rows(const struct job *job, const uint32_t *rows,
                      struct partial *p)
{
    for (int m = 0; m < MONOIDS_END; m++) {
        if (!(job->monoids >> m & 1))
            continue;
        uint64_t *index[STATE_INDEXES];
        unsigned n = state_indexes(&p->state[m], index);
        for (unsigned i = 0; i < n; i++)
            map_row(rows, index[i]);
    }
}

/* What must be multiplied in order is kept for the fold. */
static bool keep_values(const struct csv_column *column, struct partial *out,
                        size_t size, struct error *e)
{
    out->values = malloc(column->n * size + 1);
    if (!out->values)
        return error_set(e, ERROR_DATA, "out of memory");
    memcpy(out->values, column->values, column->n * size);
    return true;
}

/* Steps the integers of a column that f64 cannot hold into its partial. */
static void add_wide(const struct job *job, const struct csv_column *column,
                     struct partial *out)
{
    out->rounded = column->rounded;
    out->wide = (struct wide){.min.magnitude = 0};
    for (size_t i = 0; i < column->wides; i++) {
        const struct csv_wide *w = &column->wide[i];
        wide_step(&out->wide, out->state, job->monoids,
                  (struct wide_integer){w->magnitude, w->row, w->negative});
    }
    out->n += column->wides;
}

/* Reduces the values of a column. The partial's records, missing and bad are the
 * caller's. */
static bool reduce(struct columns *c, const struct csv_column *column,
                   struct partial *out, struct error *e)
{
    const struct job *job = c->job;
    size_t size = dtype_info(job->dtype)->size;
    unsigned ordered = job_ordered(job);
    const char *p = column->values;
    out->n = column->n;
    out->values = NULL;
    for (size_t i = 0; i < column->n; i += CHUNK_ELEMENTS) {
        size_t left = column->n - i;
        size_t n = left < CHUNK_ELEMENTS ? left : CHUNK_ELEMENTS;
        for (int m = 0; m < MONOIDS_END; m++) {
            if ((job->monoids & ~ordered) >> m & 1)
                c->loops->run[m][job->dtype](&c->work[m], p + i * size, n, i);
        }
    }
    for (int m = 0; m < MONOIDS_END; m++) {
        if (job->monoids >> m & 1)
            work_take(&c->work[m], &out->state[m]);
    }
    if (column->rows)
        columns_map_rows(job, column->rows, out);
    add_wide(job, column, out);
    return !ordered || keep_values(column, out, size, e);
}

bool columns_run(struct columns *c, const struct chunk *chunk,
                 struct partial *out, struct error *e)
{
    const struct csv_text text = {chunk->data, chunk->bytes, chunk->line,
                                  chunk->input->table, chunk->input->name};
    struct meter *meter = c->job->meter;
    uint64_t at = meter_now();
    size_t rows = 0;
    bool ok = csv_decode_begin(c->decoder, &text, &rows, e);
    at = meter_add(meter, STAGE_DECODE, at, chunk->bytes);
    size_t done = 0;
    for (; ok && done < c->job->columns; done++) {
        struct csv_column column;
        csv_decode_column(c->decoder, done, &column);
        at = meter_add(meter, STAGE_DECODE, at, 0);
        out[done].records = rows;
        out[done].skipped = csv_decode_skipped(c->decoder);
        out[done].missing = column.missing;
        out[done].bad = column.bad;
        ok = reduce(c, &column, &out[done], e);
        at = meter_add(meter, STAGE_REDUCE, at,
                       done == 0 ? chunk->bytes : 0);
    }
    ok = ok && csv_decode_end(c->decoder, e);
    if (!ok)
        partial_drop(out, done);
    return ok;
}
