/* SPDX-License-Identifier: MIT */
/* Elements by the keys of a file. These contexts use the slots of contexts for
 * text, but their chunks have values and keys that need no decoding. */
#include <stdlib.h>

#include "backend/cuda/by.h"
#include "by/element.h"
#include "chunk/key_file.h"

/* The most elements of a chunk, rounded up to whole words of the bitmap
 * `used`. */
static size_t rows_of(const struct job *job)
{
    const size_t n = job_slot_bytes(job) / dtype_info(job->dtype)->size;
    return (n + 31) / 32 * 32;
}

/* Bytes of a slot in memory of the host; device_bytes: in memory of the
 * device. */
static size_t host_bytes(const struct job *job)
{
    return job_slot_bytes(job) + rows_of(job) * sizeof(uint64_t) +
           sizeof(struct gpu_csv_totals) + sizeof(unsigned) + 4 * 256;
}

static size_t device_bytes(const struct job *job)
{
    const size_t rows = rows_of(job);
    return 2 * job_slot_bytes(job) + rows * sizeof(uint64_t) +
           2 * rows * sizeof(uint32_t) + rows / 8 + 2 * sizeof(unsigned) +
           7 * 256;
}

static void cut_slot(const struct context *t, struct text_slot *s, char **host,
                     char **device)
{
    const size_t rows = rows_of(t->job), bytes = job_slot_bytes(t->job);
    struct gpu_csv_buffers *to = &s->work.to;
    s->text = cuda_cut(host, bytes);
    s->element_keys = cuda_cut(host, rows * sizeof *s->element_keys);
    s->report = cuda_cut(host, sizeof *s->report);
    s->odds = cuda_cut(host, sizeof *s->odds);
    s->device_text = cuda_cut(device, bytes);
    s->device_keys = cuda_cut(device, rows * sizeof *s->device_keys);
    s->keys.number = cuda_cut(device, rows * sizeof *s->keys.number);
    s->device_odds = cuda_cut(device, 2 * sizeof *s->device_odds);
    to->pitch = rows;
    to->value = s->device_text;
    to->dense = cuda_cut(device, bytes);
    to->row_of = cuda_cut(device, rows * sizeof *to->row_of);
    to->used = cuda_cut(device, rows / 8);
}

static bool open_memory(struct context *t, struct error *e)
{
    const struct job *job = t->job;
    bool ok = cuda_pin(&t->host, e) &&
              cuda_acquire_device(
                  &t->device, job->device,
                  CUDA_TEXT_SLOTS * device_bytes(job) + cuda_by_bytes(job), e);
    char *host = t->host.at, *device = t->device.at;
    for (int i = 0; ok && i < CUDA_TEXT_SLOTS; i++) {
        struct text_slot *s = &t->slot[i];
        cut_slot(t, s, &host, &device);
        /* Every row has a value: set all bits. */
        ok = cuda_acquire_stream(&s->stream, job->device, e) &&
             cuda_check(cudaMemsetAsync(s->work.to.used, 0xff, rows_of(job) / 8,
                                        s->stream),
                        "clearing memory", e);
        cuda_clock_open(&s->clock, job->meter);
    }
    return ok && (t->by = cuda_by_open(job, device, t->slot[0].stream, e));
}

static struct context *by_elements_open(const struct job *job, struct error *e)
{
    struct context *t = calloc(1, sizeof *t);
    if (!t)
        return error_memory(e);
    t->job = job;
    cuda_prepare_pinned(&t->host, job->device,
                        CUDA_TEXT_SLOTS * host_bytes(job));
    t->file_keys = malloc(rows_of(job) * sizeof(uint64_t));
    t->columns = t->file_keys ? columns_open(job, e) : error_memory(e);
    if (t->columns && cuda_ready(job->device, e) && open_memory(t, e))
        return t;
    text_close(t);
    return NULL;
}

static void *by_elements_slot(struct context *t, unsigned slot)
{
    return t->slot[slot].text;
}

/* Starts to copy the chunk and its keys, and to find the numbers of the
 * keys. */
static bool start(struct context *t, struct text_slot *s, struct error *e)
{
    const struct key_file *file = t->job->by.file;
    const size_t n = s->chunk.n;
    if (!key_file_read(file, s->chunk.first, n, t->file_keys, e))
        return false;
    element_keys(s->element_keys, file->input.dtype, t->file_keys, n);
    cuda_clock_begin(&s->clock, s->stream);
    bool ok =
        cuda_to_device(s->device_text, s->text,
                       n * dtype_info(t->job->dtype)->size, s->stream, e) &&
        cuda_to_device(s->device_keys, s->element_keys,
                       n * sizeof *s->element_keys, s->stream, e);
    cuda_clock_mark(&s->clock, STAGE_COPY, s->stream);
    s->report->rows = (unsigned)n;
    return ok && cuda_check(cuda_by_find(t->by, s), "starting kernels", e) &&
           cuda_to_host(&s->report->unkeyed, s->device_odds + 1,
                        sizeof s->report->unkeyed, s->stream, e);
}

static bool by_elements_submit(struct context *t, unsigned slot,
                               const struct chunk *chunk, struct error *e)
{
    struct text_slot *s = &t->slot[slot];
    s->chunk = *chunk;
    s->on_gpu = !cuda_by_is_full(t->by);
    return !s->on_gpu || start(t, s, e);
}

/* Adds a chunk whose keys all have numbers. */
static bool add(struct context *t, struct text_slot *s, struct owner *owner,
                struct error *e)
{
    const struct column column = {.dtype = t->job->dtype, .n = s->chunk.n};
    bool ok = cuda_by_add(t, s, e);
    cuda_clock_mark(&s->clock, STAGE_REDUCE, s->stream);
    ok = ok && cuda_check(cudaStreamSynchronize(s->stream), "reducing", e);
    cuda_clock_put(&s->clock, s->chunk.bytes);
    owner->rows = s->chunk.n;
    return ok && columns_add(t->columns, 0, &column, &s->chunk, owner, 0, e) &&
           cuda_by_take(t, s, owner, e);
}

static bool by_elements_wait(struct context *t, unsigned slot,
                             struct owner *owner, struct error *e)
{
    struct text_slot *s = &t->slot[slot];
    if (s->on_gpu &&
        !cuda_check(cudaStreamSynchronize(s->stream), "finding keys", e))
        return false;
    if (s->on_gpu && !s->report->unkeyed)
        return add(t, s, owner, e);
    return (!s->on_gpu || cuda_by_look(t->by, e)) &&
           columns_run(t->columns, &s->chunk, owner, e);
}

static bool by_elements_collect(struct context *t, unsigned slot,
                                struct owner *owner, struct error *e)
{
    return slot + 1 < CUDA_TEXT_SLOTS ||
           (cuda_by_end(t, owner, e) && columns_collect(t->columns, e));
}

const struct context_kind cuda_by_contexts = {
    CUDA_TEXT_SLOTS,  by_elements_open,    by_elements_slot, by_elements_submit,
    by_elements_wait, by_elements_collect, text_close,       false};
