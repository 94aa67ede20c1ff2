/* SPDX-License-Identifier: MIT */
/* From decoded text to states: the cells that the host reads, and the
 * reductions. */
#include <stdlib.h>
#include <string.h>

#include "csv/cell/cell.h"
#include "backend/cuda/by.h"

static struct gpu_csv_column *counts_of(const struct text_slot *s)
{
    return (struct gpu_csv_column *)(s->report + 1);
}

/* The counts of a group's column. */
static const struct gpu_csv_column *
group_counts(const struct context *t, const struct text_slot *s, size_t group)
{
    return &counts_of(s)[(t->formulas ? text_decoded(t->job) : 0) + group];
}

/* Whether a chunk with odd cells is left to the CPU, because the host does not
 * know which rows are selected, or which keys they have. */
static bool is_strict(const struct context *t)
{
    return t->by || t->formulas;
}

/* Whether the chunk has something that only the CPU can reduce or report. */
static bool is_for_cpu(const struct context *t, const struct text_slot *s)
{
    const struct gpu_csv_totals *r = s->report;
    bool missing = false;
    for (size_t c = 0; c < text_decoded(t->job); c++)
        missing |= counts_of(s)[c].missing > 0;
    return r->stray || r->overflow || r->ragged != ~0u ||
           r->listed > LISTED_MAX || r->unkeyed ||
           (missing && t->job->text->missing_is_error);
}

/* The text of a listed cell, without a CR at the end of the record, as the
 * CPU's decoder has it. */
static struct csv_span span_of(const struct text_slot *s,
                               const struct gpu_csv_cell *cell)
{
    const struct csv_table *table = s->input->table;
    struct csv_span span = {(const char *)s->chunk.data + cell->offset,
                            cell->length};
    size_t bytes = span.bytes;
    if (table->field_of[cell->column] + 1 != table->fields)
        return span;
    while (bytes > 0 &&
           csv_is_gap(table->dialect, (unsigned char)span.at[bytes - 1]))
        bytes--;
    if (bytes > 0 && span.at[bytes - 1] == '\r')
        span.bytes = bytes - 1;
    return span;
}

/* Keeps an integer that f64 cannot hold for take_wide. False: out of memory. */
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

/* Reads the listed cells: counts them, and puts *n numbers into s->numbers.
 * False if the CPU must reduce the chunk. */
static bool decide(struct context *t, struct text_slot *s, size_t *n)
{
    const struct csv_spec *spec = t->job->text;
    *n = 0;
    s->wides = 0;
    memset(s->decided, 0, text_decoded(t->job) * sizeof *s->decided);
    for (size_t i = 0; i < s->report->listed; i++) {
        const struct gpu_csv_cell *cell = &t->cells[i];
        uint64_t bits = 0;
        enum csv_cell kind = csv_cell_read(spec, s->input->table->dialect,
                                           span_of(s, cell), &bits);
        switch (kind) {
        case CSV_CELL_WIDE:
        case CSV_CELL_WIDE_MINUS:
            /* A product needs the integer among the values. */
            if (is_strict(t) || job_ordered(t->job) ||
                !keep_wide(s, cell, bits, kind == CSV_CELL_WIDE_MINUS))
                return false;
            break;
        case CSV_CELL_ROUNDED:
            if (t->formulas)
                return false;
            /* fall through */
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
            if (!spec->skip_bad || is_strict(t))
                return false;
            s->decided[cell->column].bad++;
            break;
        default:
            return false;
        }
    }
    return true;
}

/* Starts to put the host's numbers into the columns and to close the gaps of
 * columns that have some. Columns that are added by key keep their gaps. */
static bool compact(struct context *t, struct text_slot *s, size_t n,
                    struct error *e)
{
    bool full = true;
    for (size_t c = 0; c < t->job->columns; c++)
        full &= t->by || counts_of(s)[c].used == s->report->rows;
    if (full && n == 0)
        return true;
    return cuda_to_device(s->device_numbers, s->numbers, n * sizeof *s->numbers,
                          s->stream, e) &&
           cuda_check(gpu_csv_compact(&s->spec, &s->work,
                                      t->by ? 0 : s->report->rows,
                                      s->device_numbers, n, s->stream),
                      "starting kernels", e);
}

/* The values of a group, on the device. */
static char *values_of(const struct context *t, const struct text_slot *s,
                       size_t group)
{
    const struct gpu_csv_buffers to = text_groups(t, s);
    bool full = group_counts(t, s, group)->used == s->report->rows;
    char *base = full ? to.value : to.dense;
    return base + group * to.pitch * dtype_info(t->job->dtype)->size;
}

/* Starts the kernels over all columns. The stage's time begins when the text is
 * decoded, so it includes the host's work on the cells. */
static bool launch_columns(struct context *t, struct text_slot *s,
                           struct error *e)
{
    if (t->by) {
        const bool added = cuda_by_add(t, s, e);
        cuda_clock_mark(&s->clock, STAGE_REDUCE, s->stream);
        return added;
    }
    const struct gpu_csv_buffers to = text_groups(t, s);
    const enum dtype dtype = t->job->dtype;
    const unsigned stepped = text_stepped(t->job);
    const uint64_t first = job_position(t->job, &s->chunk);
    const struct gpu_chunk work = {
        .result = s->result,
        .scratch = s->scratch,
        .columns = {(unsigned)t->job->columns, s->report->rows, to.pitch,
                    to.value, to.dense, to.row_of, to.column}};
    bool ok = s->report->rows == 0 ||
              (cuda_check(gpu_launch(stepped, dtype, &work, s->stream),
                          "starting kernels", e) &&
               cuda_check(gpu_settle(stepped, dtype, &work, first, &s->states,
                                     s->stream),
                          "starting kernels", e));
    cuda_clock_mark(&s->clock, STAGE_REDUCE, s->stream);
    return ok;
}

/* Copies bytes of the device to newly allocated memory *to, which the caller
 * frees. */
static bool fetch(void **to, const void *from, size_t bytes, struct error *e)
{
    *to = malloc(bytes + 1);
    if (!*to)
        return error_memory(e);
    return cuda_check(cudaMemcpy(*to, from, bytes, cudaMemcpyDeviceToHost),
                      "copying results", e);
}

/* Fetches the values of a column and, if it has gaps, their rows. The caller
 * frees both, also on failure. */
static bool fetch_column(struct context *t, struct text_slot *s, size_t group,
                         struct column *column, void *fetched[2],
                         struct error *e)
{
    const struct gpu_csv_buffers to = text_groups(t, s);
    const size_t n = column->n;
    bool full = n == s->report->rows;
    bool ok = fetch(&fetched[0], values_of(t, s, group),
                    n * dtype_info(column->dtype)->size, e) &&
              (full || fetch(&fetched[1], to.row_of + group * to.pitch,
                             n * sizeof *to.row_of, e));
    column->values = fetched[0];
    column->rows = fetched[1];
    return ok;
}

/* Adds the counts of a column. Fetches its values if the host steps monoids
 * over them. If a product depends on order, the owner's part gets the values
 * too. */
static bool take_column(struct context *t, struct text_slot *s, size_t group,
                        struct owner *owner, struct error *e)
{
    const struct gpu_csv_column *counts = group_counts(t, s, group);
    const struct text_counts none = {0, 0};
    const struct text_counts *decided =
        t->formulas ? &none : &s->decided[group];
    const unsigned set = text_on_host(t->job);
    struct column column = {.dtype = t->job->dtype,
                            .n = counts->used,
                            .missing = counts->missing,
                            .bad = decided->bad,
                            .rounded = decided->rounded};
    void *fetched[2] = {NULL, NULL};
    bool ok = !(set || owner->part) || column.n == 0 ||
              fetch_column(t, s, group, &column, fetched, e);
    ok =
        ok && columns_add(t->columns, set, &column, &s->chunk, owner, group, e);
    if (ok && owner->part && !product_part_add(owner->part, group, &column))
        ok = error_memory(e);
    free(fetched[1]);
    free(fetched[0]);
    return ok;
}

static void take_wide(const struct context *t, const struct text_slot *s,
                      struct owner *owner)
{
    for (size_t i = 0; i < s->wides; i++) {
        size_t column = s->wide[i].column;
        struct wide_integer integer = s->wide[i].integer;
        integer.index += job_position(t->job, &s->chunk);
        states_step_wide(owner_take(owner, column), column, integer);
        owner_give(owner, column);
    }
}

bool text_advance(struct context *t, struct text_slot *s, struct error *e)
{
    size_t n = 0, listed;
    if (!cuda_check(cudaStreamSynchronize(s->stream), "decoding", e))
        return false;
    s->cpu = is_for_cpu(t, s);
    if (t->by && s->report->unkeyed && !cuda_by_look(t->by, e))
        return false;
    listed = s->cpu ? 0 : s->report->listed * sizeof *t->cells;
    if (listed > 0 && !cuda_check(cudaMemcpy(t->cells, s->work.to.list, listed,
                                             cudaMemcpyDeviceToHost),
                                  "copying results", e))
        return false;
    s->cpu = s->cpu || !decide(t, s, &n);
    s->started =
        s->cpu || ((t->formulas ? text_compute : compact)(t, s, n, e) &&
                   launch_columns(t, s, e));
    return s->started;
}

bool text_take(struct context *t, struct text_slot *s, struct owner *owner,
               struct error *e)
{
    const size_t columns = t->job->columns;
    bool ok = cuda_check(cudaStreamSynchronize(s->stream), "reducing", e);
    cuda_clock_put(&s->clock, s->chunk.bytes);
    if (ok && t->formulas && s->counts->odd)
        return columns_run(t->columns, &s->chunk, owner, e);
    owner->rows = s->report->rows;
    if (ok && job_ordered(t->job)) {
        owner->part = product_part_new(t->job);
        ok = owner->part || error_memory(e);
    }
    for (size_t i = 0; ok && i < columns; i++)
        ok = take_column(t, s, (owner->start + i) % columns, owner, e);
    if (ok)
        take_wide(t, s, owner);
    return ok && (!t->by || cuda_by_take(t, s, owner, e));
}

bool text_collect(struct context *t, unsigned slot, struct owner *owner,
                  struct error *e)
{
    struct text_slot *s = &t->slot[slot];
    for (int m = 0; m < MONOIDS_END; m++) {
        if (t->copy.bank[m] &&
            !cuda_to_host(t->copy.bank[m], s->states.bank[m],
                          t->job->columns * t->copy.size[m], s->stream, e))
            return false;
    }
    if (!cuda_check(cudaStreamSynchronize(s->stream), "copying results", e))
        return false;
    for (size_t c = 0; c < t->job->columns; c++) {
        states_merge(owner_take(owner, c), &t->copy, c, c + 1);
        owner_give(owner, c);
    }
    states_clear(&t->copy);
    if (t->by && slot + 1 == CUDA_TEXT_SLOTS &&
        !(cuda_by_end(t, owner, e) && columns_collect(t->columns, e)))
        return false;
    return text_clear(t, s, e);
}
