/* SPDX-License-Identifier: MIT */
/* Groups by key: memory of the device, and chunks that are added there. */
#include "backend/cuda/by.h"

#include <stdlib.h>

#include "backend/cuda/by_parts.h"

enum {
    /* Most bytes of a context's bins. This is enough for about 40 columns with
     * sums and extremes. */
    BINS_BYTES = 256 << 20,
};

/* The monoids that the device adds by key. The host steps odd values one by
 * one, and can do so for squares of f64 only. */
static unsigned device_set(enum dtype dtype)
{
    return MONOID_BIT(sum) | MONOID_BIT(extrema) | MONOID_BIT(count) |
           (dtype == DTYPE_f64 ? MONOID_BIT(sumsq) : 0);
}

static struct gpu_by_set set_of(unsigned set)
{
    return (struct gpu_by_set){.sums = set & MONOID_BIT(sum),
                               .zeros = set & MONOID_BIT(count),
                               .extremes = set & MONOID_BIT(extrema),
                               .squares = set & MONOID_BIT(sumsq)};
}

const char *cuda_by_left(const struct job *job)
{
    const struct job_by *by = &job->by;
    const unsigned set = by->monoids & ~MONOID_BIT(wide);
    if (by->columns == 0)
        return "rows alone are counted by key on the CPU";
    if (by->spec.in_order)
        return "the values of each key are kept on the CPU";
    if (job->formulas)
        return "expressions by key run on the CPU";
    if (dtype_is_float(job->dtype) && dtype_size(job->dtype) < 4)
        return "floats of less than 32 bits are grouped on the CPU";
    if (job->text && (job->text->is_bool || job->texts))
        return "truth values are read one by one, on the CPU";
    if (set & ~device_set(job->dtype))
        return "of these operations not all run on a GPU by key";
    if (gpu_by_bytes(set_of(set), (unsigned)by->columns) > BINS_BYTES)
        return "so many columns by key need too much memory on a GPU";
    return NULL;
}

/* Bytes of each part of the device's memory. */
struct by_bytes {
    size_t slots, keys, bins;
};

static struct by_bytes bytes_of(const struct job *job)
{
    return (struct by_bytes){.slots = GPU_BY_SLOTS * sizeof(uint64_t),
                             .keys = GPU_BY_KEYS * sizeof(struct gpu_by_key),
                             .bins = gpu_by_bytes(set_of(job->by.monoids),
                                                  (unsigned)job->by.columns)};
}

size_t cuda_by_bytes(const struct job *job)
{
    const struct by_bytes b = bytes_of(job);
    return job->by.spec.keys > 0 ? b.slots + b.keys + b.bins + 4 * 256 : 0;
}

static bool open_device(struct cuda_by *b, char *block, cudaStream_t stream,
                        struct error *e)
{
    const unsigned columns = (unsigned)b->job->by.columns;
    const struct by_bytes bytes = bytes_of(b->job);
    b->dictionary.slot = cuda_cut(&block, bytes.slots);
    b->dictionary.n = cuda_cut(&block, sizeof(unsigned));
    b->dictionary.key = cuda_cut(&block, bytes.keys);
    b->bins = cuda_cut(&block, bytes.bins);
    /* Clears the slots and the count that follows them. */
    return cuda_check(cudaMemsetAsync(b->dictionary.slot, 0, bytes.slots + 256,
                                      stream),
                      "clearing memory", e) &&
           cuda_check(gpu_by_clear(b->bins, b->set, columns, stream),
                      "clearing memory", e) &&
           cuda_check(cudaStreamSynchronize(stream), "clearing memory", e);
}

struct cuda_by *cuda_by_open(const struct job *job, void *block,
                             cudaStream_t stream, struct error *e)
{
    struct cuda_by *b = calloc(1, sizeof *b);
    if (!b)
        return error_memory(e);
    b->job = job;
    b->set = set_of(job->by.monoids);
    b->record = malloc(GPU_BY_KEYS * sizeof *b->record);
    if ((b->record || error_memory(e)) && open_device(b, block, stream, e) &&
        cuda_check(cudaEventCreateWithFlags(&b->added, cudaEventDisableTiming),
                   "cannot be used", e))
        return b;
    cuda_by_close(b);
    return NULL;
}

void cuda_by_close(struct cuda_by *b)
{
    if (!b)
        return;
    if (b->added)
        cudaEventDestroy(b->added);
    grouper_close(b->grouper);
    free(b->record);
    free(b->number);
    free(b->id);
    free(b);
}

bool cuda_by_is_full(const struct cuda_by *b)
{
    return b->is_full;
}

/* The bytes of a slot that gpu_csv_cut does not count: a key's number for each
 * row. */
size_t cuda_by_slot_bytes(const struct context *t, size_t pitch)
{
    return t->by ? pitch * sizeof(uint32_t) + 256 : 0;
}

void cuda_by_suit(struct context *t, struct text_slot *s, void *block)
{
    const struct cuda_by *b = t->by;
    s->keys = (struct gpu_csv_keys){
        .columns = (unsigned)t->job->by.spec.keys,
        .field_of = s->field_of + t->job->columns,
        .words = text_words(t->job, t->job->text->words.own, s->spec.dialect),
        .missing_is_error = t->job->text->missing_is_error,
        .dictionary = b->dictionary,
        .number = block};
}

bool cuda_by_look(struct cuda_by *b, struct error *e)
{
    unsigned n;
    if (!cuda_check(
            cudaMemcpy(&n, b->dictionary.n, sizeof n, cudaMemcpyDeviceToHost),
            "copying results", e))
        return false;
    b->is_full = n >= GPU_BY_KEYS;
    return true;
}

cudaError_t cuda_by_find(const struct cuda_by *b, const struct text_slot *s)
{
    return gpu_by_find(&b->dictionary, s->device_keys, s->report->rows,
                       s->keys.number, s->device_odds + 1, s->stream);
}

/* Streams share the bins: each chunk waits until the one before it has been
 * added. */
bool cuda_by_add(struct context *t, struct text_slot *s, struct error *e)
{
    struct cuda_by *b = t->by;
    const struct gpu_csv_buffers *to = &s->work.to;
    const struct gpu_by_chunk chunk = {.dtype = t->job->dtype,
                                       .set = b->set,
                                       .columns = (unsigned)t->job->columns,
                                       .rows = s->report->rows,
                                       .first = job_position(t->job, &s->chunk),
                                       .key = s->keys.number,
                                       .pitch = to->pitch,
                                       .value = to->value,
                                       .used = to->used,
                                       .bins = b->bins,
                                       .odds = s->device_odds,
                                       .odd = to->dense,
                                       .odd_row = to->row_of};
    return cuda_check(cudaStreamWaitEvent(s->stream, b->added, 0),
                      "starting kernels", e) &&
           cuda_check(gpu_by_add(&chunk, s->stream), "starting kernels", e) &&
           cuda_check(cudaEventRecord(b->added, s->stream), "starting kernels",
                      e) &&
           cuda_to_host(s->odds, s->device_odds,
                        t->job->columns * sizeof *s->odds, s->stream, e);
}
