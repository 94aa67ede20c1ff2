/* SPDX-License-Identifier: MIT */
#include "engine/columns.h"

#include <stdlib.h>

#include "base/meter.h"
#include "input/input.h"
#include "reduce/cpu/work.h"

struct columns {
    const struct job *job;
    const struct cpu_loops *loops;
    struct csv_decoder *decoder;
    unsigned stepped; /* monoids whose loops run over a column */
    struct work work[MONOIDS_END];
    union state local[MONOIDS_END];
};

struct columns *columns_open(const struct job *job, struct error *e)
{
    struct columns *c = aligned_alloc(64, (sizeof *c + 63) / 64 * 64);
    if (!c) {
        error_set(e, ERROR_DATA, "out of memory");
        return NULL;
    }
    c->job = job;
    /* Wide integers are no values: the decoder lists them. */
    c->stepped = job->monoids & ~job_ordered(job) & ~MONOID_BIT(wide);
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

/* The context is a struct places. */
static uint64_t places_of_value(const void *places, uint64_t value)
{
    const struct places *p = places;
    return places_of_row(p, p->rows ? p->rows[value] : value);
}

/* Runs every monoid over the values, a block at a time that stays in cache. */
static void run_loops(struct columns *c, unsigned set, const void *values,
                      size_t n)
{
    const struct job *job = c->job;
    const size_t size = dtype_info(job->dtype)->size;
    const char *p = values;
    for (size_t i = 0; i < n; i += CHUNK_ELEMENTS) {
        size_t step = n - i < CHUNK_ELEMENTS ? n - i : CHUNK_ELEMENTS;
        for (int m = 0; m < MONOIDS_END; m++) {
            if (set >> m & 1)
                c->loops->run[m][job->dtype](&c->work[m], p + i * size, step,
                                             i);
        }
    }
}

void columns_step(struct columns *c, unsigned set, const void *values, size_t n,
                  const struct places *places, struct states *states,
                  size_t group)
{
    const enum dtype dtype = c->job->dtype;
    for (int m = 0; m < MONOIDS_END; m++) {
        if (!(set >> m & 1))
            continue;
        bool is_local = monoid_need((enum monoid)m, dtype) == NEED_POSITIONS;
        if (is_local)
            monoids[m].init(&c->local[m], dtype);
        work_begin(&c->work[m],
                   is_local ? &c->local[m] : states_at(states, group, m));
    }
    run_loops(c, set, values, n);
    for (int m = 0; m < MONOIDS_END; m++) {
        if (!(set >> m & 1))
            continue;
        work_end(&c->work[m]);
        if (monoid_need((enum monoid)m, dtype) != NEED_POSITIONS)
            continue;
        state_map((enum monoid)m, &c->local[m], places_of_value, places);
        monoids[m].merge(states_at(states, group, m), &c->local[m]);
    }
}

/* Adds what a chunk has of a column. */
static void add_column(struct columns *c, const struct csv_column *column,
                       uint64_t sequence, struct owner *owner, size_t group)
{
    const struct places places = {sequence, column->rows};
    struct states *states = owner_take(owner, group);
    struct tally *tally = &states->tally[group];
    tally->n += c->job->text->rows_only ? owner->rows : column->n;
    tally->missing += column->missing;
    tally->bad += column->bad;
    if (column->n > 0)
        columns_step(c, c->stepped, column->values, column->n, &places, states,
                     group);
    if (states->bank[MONOID_wide])
        states_at(states, group, MONOID_wide)->wide.rounded += column->rounded;
    for (size_t i = 0; i < column->wides; i++) {
        const struct csv_wide *w = &column->wide[i];
        states_step_wide(states, group,
                         (struct wide_integer){w->magnitude,
                                               places_of_row(&places, w->row),
                                               w->negative});
    }
    owner_give(owner, group);
}

static bool add_columns(struct columns *c, const struct chunk *chunk,
                        struct owner *owner, struct error *e)
{
    const struct job *job = c->job;
    const bool detail = meter_wants_detail(job->meter);
    uint64_t at = meter_now();
    for (size_t i = 0; i < job->columns; i++) {
        size_t group = (owner->start + i) % job->columns;
        struct csv_column column;
        csv_decode_column(c->decoder, group, &column);
        if (detail)
            at = meter_add(job->meter, STAGE_DECODE, at, 0);
        add_column(c, &column, chunk->sequence, owner, group);
        if (owner->parcel && !parcel_add(owner->parcel, group, column.values,
                                         column.n, job->dtype))
            return error_set(e, ERROR_DATA, "out of memory");
        if (detail)
            at = meter_add(job->meter, STAGE_REDUCE, at, 0);
    }
    meter_add(job->meter, detail ? STAGE_REDUCE : STAGE_DECODE, at, 0);
    meter_put(job->meter, STAGE_REDUCE, 0, chunk->bytes);
    return true;
}

bool columns_run(struct columns *c, const struct chunk *chunk,
                 struct owner *owner, struct error *e)
{
    const struct csv_text text = {chunk->data, chunk->bytes, chunk->line,
                                  chunk->input->table, chunk->input->name};
    uint64_t start = meter_now();
    size_t rows = 0;
    bool ok = csv_decode_begin(c->decoder, &text, &rows, e);
    meter_add(c->job->meter, STAGE_DECODE, start, chunk->bytes);
    owner->rows = rows;
    owner->skipped = csv_decode_skipped(c->decoder);
    if (ok && job_ordered(c->job)) {
        owner->parcel = parcel_new(c->job);
        ok = owner->parcel || error_set(e, ERROR_DATA, "out of memory");
    }
    return ok && add_columns(c, chunk, owner, e) &&
           csv_decode_end(c->decoder, e);
}
