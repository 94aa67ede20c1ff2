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
    /* Rows more than the first chunk needs, for later ones: a part, and some. */
    ROWS_PART = 4,
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
    bool owns_block;    /* else it is part of the lane's */
    struct gpu_result *result, *host_result; /* [columns] */
    void *scratch; /* device */
    struct gpu_csv_number *numbers, *device_numbers; /* [LISTED_MAX] */
    /* The reductions were started, or, with cpu, the chunk is for the CPU. */
    bool started, cpu;
    uint64_t *bad; /* [columns] */
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
    void *blocks;          /* device: the slots' first buffers */
    struct gpu_csv_cell *cells; /* pinned, [LISTED_MAX] */
    struct gpu_csv_words words;
    unsigned newest; /* slot submitted last */
    struct slot slot[CUDA_TEXT_SLOTS];
};

void cuda_text_close(struct cuda_text *t)
{
    if (!t)
        return;
    for (int i = 0; i < CUDA_TEXT_SLOTS; i++) {
        if (t->slot[i].stream) {
            cudaStreamSynchronize(t->slot[i].stream);
            cudaStreamDestroy(t->slot[i].stream);
        }
        if (t->slot[i].owns_block)
            cudaFree(t->slot[i].block);
        free(t->slot[i].bad);
    }
    cudaFree(t->blocks);
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

/* A small copy of memory that is not pinned, done when it returns: cudaMemcpy
 * may return when the bytes are on their way, and streams that do not block
 * would not wait for them. */
static bool copy_to(void *to, const void *from, size_t bytes,
                    cudaStream_t stream, struct error *e)
{
    return cuda_check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyHostToDevice,
                                      stream),
                      "copying to it", e) &&
           cuda_check(cudaStreamSynchronize(stream), "copying to it", e);
}

/* One block of pinned memory and one of the device, cut in parts. */
static bool open_memory(struct cuda_text *t, struct error *e)
{
    const struct job *job = t->job;
    size_t text = job_slot_bytes(job), report = report_bytes(job);
    size_t results = job->columns * sizeof(struct gpu_result);
    size_t numbers = LISTED_MAX * sizeof(struct gpu_csv_number);
    size_t cells = LISTED_MAX * sizeof *t->cells;
    size_t fields = job->columns * sizeof(unsigned);
    const size_t slots = CUDA_TEXT_SLOTS, parts = 256 * (4 * slots + 4);
    size_t host_all =
        slots * (text + report + results + numbers) + cells + parts;
    size_t device_all = slots * (text + CSV_PADDING + fields + results +
                                 numbers + GPU_SCRATCH_BYTES) +
                        sizeof *t->powers + parts;
    if (!cuda_pin(&t->host, host_all, e) ||
        !cuda_check(cudaMalloc(&t->device, device_all),
                    "no memory on the device", e))
        return false;
    char *host = t->host.at, *device = t->device;
    for (int i = 0; i < CUDA_TEXT_SLOTS; i++) {
        struct slot *s = &t->slot[i];
        s->text = cuda_cut(&host, text);
        s->report = cuda_cut(&host, report);
        s->host_result = cuda_cut(&host, results);
        s->numbers = cuda_cut(&host, numbers);
        s->device_text = cuda_cut(&device, text + CSV_PADDING);
        s->field_of = cuda_cut(&device, fields);
        s->result = cuda_cut(&device, results);
        s->device_numbers = cuda_cut(&device, numbers);
        s->scratch = cuda_cut(&device, GPU_SCRATCH_BYTES);
    }
    t->cells = cuda_cut(&host, cells);
    t->powers = cuda_cut(&device, sizeof *t->powers);
    return copy_to(t->powers, number_powers(), sizeof *t->powers,
                   t->slot[0].stream, e);
}

static bool open_streams(struct cuda_text *t, struct error *e)
{
    for (int i = 0; i < CUDA_TEXT_SLOTS; i++) {
        t->slot[i].bad = malloc(t->job->columns * sizeof *t->slot[i].bad);
        if (!t->slot[i].bad)
            return error_set(e, ERROR_DATA, "out of memory");
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
              open_streams(t, e) && open_memory(t, e);
    if (ok)
        return t;
    cuda_text_close(t);
    return NULL;
}

void *cuda_text_slot(struct cuda_text *t, unsigned slot)
{
    return t->slot[slot].text;
}

/* Gives a slot a block of its own; or, when none has any, all of them a share
 * of one, for allocating takes a millisecond under the driver's lock. */
static bool grow_block(struct cuda_text *t, struct slot *s, size_t need,
                       struct error *e)
{
    need = (need + 255) / 256 * 256;
    if (!t->blocks) {
        if (!cuda_check(cudaMalloc(&t->blocks, CUDA_TEXT_SLOTS * need),
                        "no memory on the device", e))
            return false;
        for (int i = 0; i < CUDA_TEXT_SLOTS; i++) {
            t->slot[i].block = (char *)t->blocks + i * need;
            t->slot[i].block_bytes = need;
        }
        return true;
    }
    if (s->owns_block)
        cudaFree(s->block);
    s->block = NULL;
    s->block_bytes = 0;
    s->owns_block = true;
    if (!cuda_check(cudaMalloc(&s->block, need), "no memory on the device", e))
        return false;
    s->block_bytes = need;
    return true;
}

/* Makes the slot's buffers those for the records of the chunk's input. */
static bool suit(struct cuda_text *t, struct slot *s, struct error *e)
{
    const struct job *job = t->job;
    const struct input *input = s->chunk.input;
    const struct csv_table *table = input->table;
    struct gpu_csv_room room = {.bytes = job_slot_bytes(job),
                                .listed = LISTED_MAX};
    room.rows = (unsigned)(s->chunk.lines + s->chunk.lines / ROWS_PART +
                           ROWS_MORE);
    s->spec = (struct gpu_csv_spec){.dtype = job->dtype,
                                    .delimiter = table->delimiter,
                                    .fields = (unsigned)table->fields,
                                    .columns = (unsigned)job->columns,
                                    .field_of = s->field_of,
                                    .powers = t->powers,
                                    .words = t->words};
    size_t need = gpu_csv_cut(&s->work.to, &s->spec, &room, NULL);
    if (need > s->block_bytes && !grow_block(t, s, need, e))
        return false;
    gpu_csv_cut(&s->work.to, &s->spec, &room, s->block);
    s->input = input;
    return copy_to(s->field_of, table->field_of,
                   job->columns * sizeof *s->field_of, s->stream, e);
}

/* Whether the chunk is in the slot: longer ones are not. */
static bool is_in_slot(const struct cuda_text *t, const struct slot *s,
                       const struct chunk *chunk)
{
    const char *p = chunk->data;
    return chunk->bytes > 0 && p >= s->text &&
           p + chunk->bytes <= s->text + job_slot_bytes(t->job);
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
static bool decide(struct cuda_text *t, struct slot *s, size_t *n)
{
    const struct csv_spec *spec = t->job->text;
    *n = 0;
    memset(s->bad, 0, t->job->columns * sizeof *s->bad);
    for (size_t i = 0; i < s->report->listed; i++) {
        const struct gpu_csv_cell *cell = &t->cells[i];
        uint64_t bits = 0;
        switch (csv_cell_read(spec, span_of(s, cell), &bits)) {
        case CSV_CELL_NUMBER:
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
            s->bad[cell->column]++;
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
    return cuda_check(cudaMemcpyAsync(s->device_numbers, s->numbers,
                                      n * sizeof *s->numbers,
                                      cudaMemcpyHostToDevice, s->stream),
                      "copying to it", e) &&
           cuda_check(gpu_csv_compact(&s->spec, &s->work, s->report->rows,
                                      s->device_numbers, n, s->stream),
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
    struct gpu_result *result = &s->result[column];
    const struct gpu_chunk work = {values_of(t, s, column), used, result,
                                   s->scratch, NULL};
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
    size_t bytes = t->job->columns * sizeof *s->result;
    if (!cuda_check(cudaMemsetAsync(s->result, 0, bytes, s->stream),
                    "clearing results", e))
        return false;
    for (size_t c = 0; c < t->job->columns; c++) {
        if (!launch_column(t, s, c, e))
            return false;
    }
    return cuda_check(cudaMemcpyAsync(s->host_result, s->result, bytes,
                                      cudaMemcpyDeviceToHost, s->stream),
                      "copying results", e);
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
    out->bad = s->bad[column];
    for (int m = 0; m < MONOIDS_END; m++) {
        if (job->monoids >> m & 1 && values.n > 0)
            cuda_take_state(&out->state[m], &s->host_result[column], &values,
                            NULL);
    }
    return !job_ordered(job) || fetch_values(t, s, column, out, e);
}

/* When a slot's text is decoded: starts the reductions. */
static bool advance(struct cuda_text *t, struct slot *s, struct error *e)
{
    size_t n = 0, listed;
    if (!cuda_check(cudaStreamSynchronize(s->stream), "decoding", e))
        return false;
    s->started = true;
    s->cpu = is_for_cpu(t, s);
    listed = s->cpu ? 0 : s->report->listed * sizeof *t->cells;
    if (listed > 0 &&
        !cuda_check(cudaMemcpy(t->cells, s->work.to.list, listed,
                               cudaMemcpyDeviceToHost),
                    "copying results", e))
        return false;
    s->cpu = s->cpu || !decide(t, s, &n);
    return s->cpu || (compact(t, s, n, e) && launch_columns(t, s, e));
}

static bool take(struct cuda_text *t, struct slot *s, struct partial *out,
                 struct error *e)
{
    bool ok = cuda_check(cudaStreamSynchronize(s->stream), "reducing", e);
    for (size_t c = 0; c < t->job->columns; c++)
        partial_init(&out[c], t->job);
    for (size_t c = 0; ok && c < t->job->columns; c++)
        ok = take_column(t, s, c, &out[c], e);
    if (!ok)
        partial_drop(out, t->job->columns);
    return ok;
}

static bool start(struct cuda_text *t, struct slot *s, struct error *e)
{
    const struct chunk *chunk = &s->chunk;
    bool suits = s->input == chunk->input &&
                 chunk->lines <= s->work.to.room.rows;
    if (!suits && !suit(t, s, e))
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

/* The slot before was decoded while this one was filled: its reductions are
 * started now and run while the next is filled, so that nobody waits for them. */
bool cuda_text_submit(struct cuda_text *t, unsigned slot,
                      const struct chunk *chunk, struct error *e)
{
    struct slot *s = &t->slot[slot], *before = &t->slot[t->newest];
    s->chunk = *chunk;
    s->started = false;
    s->on_gpu = is_in_slot(t, s, chunk);
    if (s->on_gpu && !start(t, s, e))
        return false;
    t->newest = slot;
    return before == s || !before->on_gpu || before->started ||
           advance(t, before, e);
}

bool cuda_text_wait(struct cuda_text *t, unsigned slot, struct partial *out,
                    struct error *e)
{
    struct slot *s = &t->slot[slot];
    if (!s->on_gpu)
        return columns_run(t->columns, &s->chunk, out, e);
    if (!s->started && !advance(t, s, e))
        return false;
    s->on_gpu = false;
    return s->cpu ? columns_run(t->columns, &s->chunk, out, e)
                  : take(t, s, out, e);
}
