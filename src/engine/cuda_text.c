/* SPDX-License-Identifier: MIT */
#include "engine/cuda_text.h"

#include <stdlib.h>
#include <string.h>

#include "csv.h"
#include "csv/cell.h"
#include "csv/number.h"
#include "engine/columns.h"
#include "engine/cuda_memory.h"
#include "engine/cuda_result.h"
#include "engine/stretch.h"
#include "input/input.h"

enum {
    /* Cells of a chunk that the host decides, one by one. */
    LISTED_MAX = 64 << 10,
    /* Fields are taken to be of two bytes, with what ends them: for chunks of
     * shorter ones there is the CPU. */
    FIELD_BYTES = 2,
    ROWS_MORE = 1024,
};

struct slot {
    struct chunk chunk;
    bool on_gpu; /* the chunk went there */
    char *text;  /* pinned, job_slot_bytes */
    char *device_text;
    const struct input *input; /* the spec and the buffers are for */
    struct gpu_csv_spec spec;
    struct gpu_csv_chunk work;
    unsigned *field_of; /* device, [columns] */
    void *block;        /* device: the buffers */
    size_t block_bytes;
    struct gpu_csv_totals *report; /* pinned, with the columns' counts */
    /* Of its own: what follows on one slot shall not wait for the copy of the
     * other. */
    cudaStream_t stream;
};

struct cuda_text {
    const struct job *job;
    struct columns *columns; /* the CPU's way */
    struct cuda_pinned host;
    void *device;
    struct powers *powers; /* device */
    void *scratch;         /* device */
    struct gpu_result *result, *host_result; /* [columns] */
    struct gpu_csv_cell *cells;              /* pinned, [LISTED_MAX] */
    struct gpu_csv_number *numbers, *device_numbers; /* [LISTED_MAX] */
    struct gpu_csv_words words;
    struct slot slot[CUDA_SLOTS];
};

void cuda_text_close(struct cuda_text *t)
{
    if (!t)
        return;
    for (int i = 0; i < CUDA_SLOTS; i++) {
        if (t->slot[i].stream) {
            cudaStreamSynchronize(t->slot[i].stream);
            cudaStreamDestroy(t->slot[i].stream);
        }
        cudaFree(t->slot[i].block);
    }
    cuda_unpin(&t->host);
    cudaFree(t->device);
    columns_close(t->columns);
    free(t);
}

static size_t report_bytes(const struct job *job)
{
    return sizeof(struct gpu_csv_totals) +
           job->columns * sizeof(struct gpu_csv_column);
}

/* One block of pinned memory and one of the device, cut in parts. */
static bool open_memory(struct cuda_text *t, struct error *e)
{
    const struct job *job = t->job;
    size_t text = job_slot_bytes(job), report = report_bytes(job);
    size_t results = job->columns * sizeof *t->result;
    size_t numbers = LISTED_MAX * sizeof *t->numbers;
    size_t cells = LISTED_MAX * sizeof *t->cells;
    size_t fields = job->columns * sizeof(unsigned);
    size_t host_all = CUDA_SLOTS * (text + report) + results + numbers + cells +
                      256 * (2 * CUDA_SLOTS + 3);
    size_t device_all = CUDA_SLOTS * (text + CSV_PADDING + fields) + results +
                        numbers + GPU_SCRATCH_BYTES + sizeof *t->powers +
                        256 * (2 * CUDA_SLOTS + 4);
    if (!cuda_pin(&t->host, host_all, e) ||
        !cuda_check(cudaMalloc(&t->device, device_all),
                    "no memory on the device", e))
        return false;
    char *host = t->host.at, *device = t->device;
    for (int i = 0; i < CUDA_SLOTS; i++) {
        t->slot[i].text = cuda_cut(&host, text);
        t->slot[i].report = cuda_cut(&host, report);
        t->slot[i].device_text = cuda_cut(&device, text + CSV_PADDING);
        t->slot[i].field_of = cuda_cut(&device, fields);
    }
    t->host_result = cuda_cut(&host, results);
    t->numbers = cuda_cut(&host, numbers);
    t->cells = cuda_cut(&host, cells);
    t->result = cuda_cut(&device, results);
    t->device_numbers = cuda_cut(&device, numbers);
    t->scratch = cuda_cut(&device, GPU_SCRATCH_BYTES);
    t->powers = cuda_cut(&device, sizeof *t->powers);
    return cuda_check(cudaMemcpy(t->powers, number_powers(), sizeof *t->powers,
                                 cudaMemcpyHostToDevice),
                      "copying to it", e);
}

static bool open_streams(struct cuda_text *t, struct error *e)
{
    for (int i = 0; i < CUDA_SLOTS; i++) {
        if (!cuda_check(cudaStreamCreateWithFlags(&t->slot[i].stream,
                                                  cudaStreamNonBlocking),
                        "no stream", e))
            return false;
    }
    return true;
}

struct cuda_text *cuda_text_open(const struct job *job, struct error *e)
{
    const struct csv_words *words = &job->text->words;
    struct cuda_text *t = calloc(1, sizeof *t);
    if (!t) {
        error_set(e, ERROR_DATA, "out of memory");
        return NULL;
    }
    t->job = job;
    for (size_t i = 0; i < words->n; i++)
        gpu_csv_words_add(&t->words, words->word[i].text, words->word[i].bytes);
    t->columns = columns_open(job, e);
    bool ok = t->columns &&
              cuda_check(cudaSetDevice(job->gpu), "cannot be used", e) &&
              open_memory(t, e) && open_streams(t, e);
    if (ok)
        return t;
    cuda_text_close(t);
    return NULL;
}

void *cuda_text_slot(struct cuda_text *t, unsigned slot)
{
    return t->slot[slot].text;
}

/* Makes the slot's buffers those for an input's records. */
static bool suit(struct cuda_text *t, struct slot *s, const struct input *input,
                 struct error *e)
{
    const struct job *job = t->job;
    const struct csv_table *table = input->table;
    struct gpu_csv_room room = {.bytes = job_slot_bytes(job),
                                .listed = LISTED_MAX};
    room.rows = (unsigned)(room.bytes / (FIELD_BYTES * table->fields)) +
                ROWS_MORE;
    s->spec = (struct gpu_csv_spec){.dtype = job->dtype,
                                    .delimiter = table->delimiter,
                                    .fields = (unsigned)table->fields,
                                    .columns = (unsigned)job->columns,
                                    .field_of = s->field_of,
                                    .powers = t->powers,
                                    .words = t->words};
    size_t need = gpu_csv_cut(&s->work.to, &s->spec, &room, NULL);
    if (need > s->block_bytes) {
        cudaFree(s->block);
        s->block = NULL;
        s->block_bytes = 0;
        if (!cuda_check(cudaMalloc(&s->block, need), "no memory on the device",
                        e))
            return false;
        s->block_bytes = need;
    }
    gpu_csv_cut(&s->work.to, &s->spec, &room, s->block);
    s->input = input;
    return cuda_check(cudaMemcpy(s->field_of, table->field_of,
                                 job->columns * sizeof *s->field_of,
                                 cudaMemcpyHostToDevice),
                      "copying to it", e);
}

/* Whether the chunk is in the slot: longer ones are not. */
static bool is_in_slot(const struct cuda_text *t, const struct slot *s,
                       const struct chunk *chunk)
{
    const char *p = chunk->data;
    return chunk->bytes > 0 && p >= s->text &&
           p + chunk->bytes <= s->text + job_slot_bytes(t->job);
}

bool cuda_text_submit(struct cuda_text *t, unsigned slot,
                      const struct chunk *chunk, struct error *e)
{
    struct slot *s = &t->slot[slot];
    s->chunk = *chunk;
    s->on_gpu = is_in_slot(t, s, chunk);
    if (!s->on_gpu)
        return true;
    if (s->input != chunk->input && !suit(t, s, chunk->input, e))
        return false;
    s->work.text = (const unsigned char *)s->device_text;
    s->work.bytes = chunk->bytes;
    return cuda_check(cudaMemcpyAsync(s->device_text, chunk->data, chunk->bytes,
                                      cudaMemcpyHostToDevice, s->stream),
                      "copying to it", e) &&
           cuda_check(gpu_csv_decode(&s->spec, &s->work, s->stream),
                      "starting kernels", e) &&
           cuda_check(cudaMemcpyAsync(s->report, s->work.to.totals,
                                      report_bytes(t->job),
                                      cudaMemcpyDeviceToHost, s->stream),
                      "copying results", e);
}

static struct gpu_csv_column *counts_of(const struct slot *s)
{
    return (struct gpu_csv_column *)(s->report + 1);
}

/* Whether there is anything that is told of, or done, by the CPU alone. */
static bool is_for_cpu(const struct cuda_text *t, const struct slot *s)
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
static struct csv_span span_of(const struct slot *s,
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

/* Decides the listed cells: counts them, and makes a list of the numbers, *n.
 * False where the chunk is for the CPU. */
static bool decide(struct cuda_text *t, struct slot *s, struct partial *out,
                   size_t *n)
{
    const struct csv_spec *spec = t->job->text;
    *n = 0;
    for (size_t i = 0; i < s->report->listed; i++) {
        const struct gpu_csv_cell *cell = &t->cells[i];
        uint64_t bits = 0;
        switch (csv_cell_read(spec, span_of(s, cell), &bits)) {
        case CSV_CELL_NUMBER:
            t->numbers[(*n)++] =
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
            out[cell->column].bad++;
            break;
        default:
            return false;
        }
    }
    return true;
}

/* Makes columns without gaps. */
static bool compact(struct cuda_text *t, struct slot *s, size_t n,
                    struct error *e)
{
    bool full = true;
    for (size_t c = 0; c < t->job->columns; c++)
        full &= counts_of(s)[c].used == s->report->rows;
    if (full && n == 0)
        return true;
    return cuda_check(cudaMemcpyAsync(t->device_numbers, t->numbers,
                                      n * sizeof *t->numbers,
                                      cudaMemcpyHostToDevice, s->stream),
                      "copying to it", e) &&
           cuda_check(gpu_csv_compact(&s->spec, &s->work, s->report->rows,
                                      t->device_numbers, n, s->stream),
                      "starting kernels", e);
}

/* A column's values on the device. */
static char *values_of(const struct cuda_text *t, const struct slot *s,
                       size_t column)
{
    const struct gpu_csv_buffers *to = &s->work.to;
    bool full = counts_of(s)[column].used == s->report->rows;
    char *base = full ? to->value : to->dense;
    return base + column * to->pitch * dtype_info(t->job->dtype)->size;
}

/* Starts the kernels of a column. */
static bool launch_column(struct cuda_text *t, struct slot *s, size_t column,
                          struct error *e)
{
    const struct job *job = t->job;
    unsigned used = counts_of(s)[column].used;
    struct gpu_result *result = &t->result[column];
    const struct gpu_chunk work = {values_of(t, s, column), used, result,
                                   t->scratch, NULL};
    unsigned monoids = job->monoids & ~job_ordered(job);
    if (used == 0)
        return true;
    if (!cuda_check(gpu_launch(monoids, job->dtype, &work, s->stream),
                    "starting kernels", e))
        return false;
    return used == s->report->rows ||
           cuda_check(gpu_csv_map_indexes(
                          result,
                          s->work.to.row_of + column * s->work.to.pitch,
                          s->stream),
                      "starting kernels", e);
}

static bool launch_columns(struct cuda_text *t, struct slot *s,
                           struct error *e)
{
    size_t bytes = t->job->columns * sizeof *t->result;
    if (!cuda_check(cudaMemsetAsync(t->result, 0, bytes, s->stream),
                    "clearing results", e))
        return false;
    for (size_t c = 0; c < t->job->columns; c++) {
        if (!launch_column(t, s, c, e))
            return false;
    }
    return cuda_check(cudaMemcpyAsync(t->host_result, t->result, bytes,
                                      cudaMemcpyDeviceToHost, s->stream),
                      "copying results", e) &&
           cuda_check(cudaStreamSynchronize(s->stream), "reducing", e);
}

/* What must be multiplied in order is fetched for the fold. */
static bool fetch_values(struct cuda_text *t, struct slot *s, size_t column,
                         struct partial *out, struct error *e)
{
    size_t bytes = (size_t)out->n * dtype_info(t->job->dtype)->size;
    out->values = malloc(bytes + 1);
    if (!out->values)
        return error_set(e, ERROR_DATA, "out of memory");
    return cuda_check(cudaMemcpy(out->values, values_of(t, s, column), bytes,
                                 cudaMemcpyDeviceToHost),
                      "copying results", e);
}

static bool take_column(struct cuda_text *t, struct slot *s, size_t column,
                        struct partial *out, struct error *e)
{
    const struct job *job = t->job;
    const struct chunk values = {.n = counts_of(s)[column].used};
    out->n = values.n;
    out->records = s->report->rows;
    out->missing = counts_of(s)[column].missing;
    for (int m = 0; m < MONOIDS_END; m++) {
        if (job->monoids >> m & 1 && values.n > 0)
            cuda_take_state(&out->state[m], &t->host_result[column], &values,
                            NULL);
    }
    return !job_ordered(job) || fetch_values(t, s, column, out, e);
}

static bool reduce(struct cuda_text *t, struct slot *s, size_t n,
                   struct partial *out, struct error *e)
{
    bool ok = compact(t, s, n, e) && launch_columns(t, s, e);
    for (size_t c = 0; ok && c < t->job->columns; c++)
        ok = take_column(t, s, c, &out[c], e);
    if (!ok)
        partial_drop(out, t->job->columns);
    return ok;
}

bool cuda_text_wait(struct cuda_text *t, unsigned slot, struct partial *out,
                    struct error *e)
{
    struct slot *s = &t->slot[slot];
    size_t n = 0, listed;
    if (!s->on_gpu)
        return columns_run(t->columns, &s->chunk, out, e);
    if (!cuda_check(cudaStreamSynchronize(s->stream), "decoding", e))
        return false;
    if (is_for_cpu(t, s))
        return columns_run(t->columns, &s->chunk, out, e);
    listed = s->report->listed * sizeof *t->cells;
    if (listed > 0 &&
        !cuda_check(cudaMemcpy(t->cells, s->work.to.list, listed,
                               cudaMemcpyDeviceToHost),
                    "copying results", e))
        return false;
    for (size_t c = 0; c < t->job->columns; c++)
        partial_init(&out[c], t->job);
    if (!decide(t, s, out, &n))
        return columns_run(t->columns, &s->chunk, out, e);
    return reduce(t, s, n, out, e);
}
