/* SPDX-License-Identifier: MIT */
/* From decoded text to states: what the host decides, and the reductions. */
#include <stdlib.h>
#include <string.h>

#include "csv/cell.h"
#include "engine/cuda_text_parts.h"

static struct gpu_csv_column *counts_of(const struct text_slot *s)
{
    return (struct gpu_csv_column *)(s->report + 1);
}

/* Whether there is anything that is told of, or done, by the CPU alone. */
static bool is_for_cpu(const struct lane *t, const struct text_slot *s)
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
    s->wide[s->wides++] =
        (struct text_wide){cell->column, {magnitude, cell->row, negative}};
    return true;
}

/* Decides the listed cells: counts them, and makes a list of the numbers, *n.
 * False where the chunk is for the CPU. */
static bool decide(struct lane *t, struct text_slot *s, size_t *n)
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
static bool compact(struct lane *t, struct text_slot *s, size_t n,
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
static char *values_of(const struct lane *t, const struct text_slot *s,
                       size_t column)
{
    const struct gpu_csv_buffers *to = &s->work.to;
    bool full = counts_of(s)[column].used == s->report->rows;
    char *base = full ? to->value : to->dense;
    return base + column * to->pitch * dtype_info(t->job->dtype)->size;
}

/* Starts the kernels over all columns. Since the text was decoded: time until
 * the host had looked at it counts. */
static bool launch_columns(struct lane *t, struct text_slot *s,
                           struct error *e)
{
    const struct gpu_csv_buffers *to = &s->work.to;
    const enum dtype dtype = t->job->dtype;
    const unsigned stepped = text_stepped(t->job);
    const struct places places = {s->chunk.sequence, NULL};
    const struct gpu_chunk work = {
        .result = s->result,
        .scratch = s->scratch,
        .columns = {(unsigned)t->job->columns, s->report->rows, to->pitch,
                    to->value, to->dense, to->row_of, to->column}};
    bool ok = s->report->rows == 0 ||
              (cuda_check(gpu_launch(stepped, dtype, &work, s->stream),
                          "starting kernels", e) &&
               cuda_check(gpu_settle(stepped, dtype, &work,
                                     places_of_row(&places, 0), &s->states,
                                     s->stream),
                          "starting kernels", e));
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

/* What must be multiplied in order is fetched. */
static bool fetch_values(struct lane *t, struct text_slot *s, size_t column,
                         struct parcel *parcel, struct error *e)
{
    struct parcel_column *to = &parcel->column[column];
    to->n = counts_of(s)[column].used;
    size_t bytes = to->n * dtype_info(t->job->dtype)->size;
    parcel->bytes += bytes;
    return fetch(&to->values, values_of(t, s, column), bytes, e);
}

/* The host steps what kernels do not, over the values as they are fetched.
 * Where the column has gaps, its rows are fetched too. */
static bool step_on_host(struct lane *t, struct text_slot *s, size_t column,
                         struct states *states, struct error *e)
{
    const struct gpu_csv_buffers *to = &s->work.to;
    const unsigned set = text_on_host(t->job);
    const size_t n = counts_of(s)[column].used;
    void *values = NULL, *rows = NULL;
    bool full = n == s->report->rows;
    if (set == 0 || n == 0)
        return true;
    bool ok = fetch(&values, values_of(t, s, column),
                    n * dtype_info(t->job->dtype)->size, e) &&
              (full || fetch(&rows, to->row_of + column * to->pitch,
                             n * sizeof *to->row_of, e));
    if (ok) {
        const struct places places = {s->chunk.sequence, rows};
        columns_step(t->columns, set, values, n, &places, states, column);
    }
    free(rows);
    free(values);
    return ok;
}

static bool take_column(struct lane *t, struct text_slot *s, size_t column,
                        struct owner *owner, struct error *e)
{
    const struct gpu_csv_column *counts = &counts_of(s)[column];
    const struct text_counts *decided = &s->decided[column];
    struct states *states = owner_take(owner, column);
    struct tally *tally = &states->tally[column];
    tally->n += counts->used;
    tally->missing += counts->missing;
    tally->bad += decided->bad;
    if (states->bank[MONOID_wide])
        states_at(states, column, MONOID_wide)->wide.rounded +=
            decided->rounded;
    bool ok = step_on_host(t, s, column, states, e);
    owner_give(owner, column);
    return ok &&
           (!owner->parcel || fetch_values(t, s, column, owner->parcel, e));
}

static void take_wide(const struct text_slot *s, struct owner *owner)
{
    const struct places places = {s->chunk.sequence, NULL};
    for (size_t i = 0; i < s->wides; i++) {
        size_t column = s->wide[i].column;
        struct wide_integer integer = s->wide[i].integer;
        integer.index = places_of_row(&places, integer.index);
        states_step_wide(owner_take(owner, column), column, integer);
        owner_give(owner, column);
    }
}

bool text_advance(struct lane *t, struct text_slot *s, struct error *e)
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

bool text_take(struct lane *t, struct text_slot *s, struct owner *owner,
               struct error *e)
{
    const size_t columns = t->job->columns;
    bool ok = cuda_check(cudaStreamSynchronize(s->stream), "reducing", e);
    cuda_clock_put(&s->clock, s->chunk.bytes);
    owner->rows = s->report->rows;
    if (ok && job_ordered(t->job)) {
        owner->parcel = parcel_new(t->job);
        ok = owner->parcel || error_set(e, ERROR_DATA, "out of memory");
    }
    for (size_t i = 0; ok && i < columns; i++)
        ok = take_column(t, s, (owner->start + i) % columns, owner, e);
    if (ok)
        take_wide(s, owner);
    return ok;
}

bool cuda_text_collect(struct lane *t, unsigned slot, struct owner *owner,
                       struct error *e)
{
    struct text_slot *s = &t->slot[slot];
    for (int m = 0; m < MONOIDS_END; m++) {
        if (t->copy.bank[m] &&
            !cuda_check(cudaMemcpyAsync(t->copy.bank[m], s->states.bank[m],
                                        t->job->columns * t->copy.size[m],
                                        cudaMemcpyDeviceToHost, s->stream),
                        "copying results", e))
            return false;
    }
    if (!cuda_check(cudaStreamSynchronize(s->stream), "copying results", e))
        return false;
    for (size_t c = 0; c < t->job->columns; c++) {
        states_merge(owner_take(owner, c), &t->copy, c, c + 1);
        owner_give(owner, c);
    }
    states_clear(&t->copy);
    return text_clear(t, s, e);
}
