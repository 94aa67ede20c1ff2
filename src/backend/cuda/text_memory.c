/* SPDX-License-Identifier: MIT */
/* The memory of text contexts, pinned and on the device, and how it is
 * divided. */
#include <stdlib.h>

#include "csv/simd/loops.h"
#include "csv/number/number.h"
#include "backend/cuda/by.h"

void text_close(struct context *t)
{
    if (!t)
        return;
    for (int i = 0; i < CUDA_TEXT_SLOTS; i++) {
        if (t->slot[i].stream)
            cudaStreamSynchronize(t->slot[i].stream);
        cuda_release_stream(t->slot[i].stream, t->job->device);
        cuda_release_device(&t->slot[i].own);
        cuda_clock_close(&t->slot[i].clock);
        free(t->slot[i].decided);
        free(t->slot[i].wide);
    }
    states_close(&t->copy);
    cuda_by_close(t->by);
    free(t->file_keys);
    cuda_release_device(&t->blocks);
    cuda_release_pinned(&t->host);
    cuda_release_device(&t->device);
    columns_close(t->columns);
    free(t);
}

size_t text_decoded(const struct job *job)
{
    return job->formulas ? job->formulas->cells : job->columns;
}

/* The number of columns that are decoded plus those that expressions make. */
static unsigned all_columns(const struct job *job)
{
    return (unsigned)(text_decoded(job) + (job->formulas ? job->columns : 0));
}

size_t text_report_bytes(const struct job *job)
{
    const struct gpu_csv_spec spec = {.columns = all_columns(job)};
    return gpu_csv_report_bytes(&spec);
}

/* Copies a few bytes that are not pinned, and waits for the copy. cudaMemcpy
 * cannot be used here: it may return while the copy is under way, and
 * non-blocking streams would not wait for it. */
static bool copy_to(void *to, const void *from, size_t bytes,
                    cudaStream_t stream, struct error *e)
{
    return cuda_to_device(to, from, bytes, stream, e) &&
           cuda_check(cudaStreamSynchronize(stream), "copying to it", e);
}

unsigned text_stepped(const struct job *job)
{
    return job->monoids & GPU_MONOIDS & ~job_ordered(job);
}

/* Wide integers are not among a column's values; take_wide steps them. */
unsigned text_on_host(const struct job *job)
{
    return job->monoids & ~GPU_MONOIDS & ~MONOID_BIT(wide) & ~job_ordered(job);
}

/* Bytes of the parts of a slot; `cells` belongs to the context. */
struct text_bytes {
    size_t text, report, results, numbers, cells, fields, scratch, states, odds,
        counts;
};

static struct text_bytes bytes_of(const struct job *job)
{
    const struct context *t = NULL;
    const struct schema schema = job_schema(job);
    return (struct text_bytes){
        .text = job_slot_bytes(job),
        .report = text_report_bytes(job),
        .results = job->columns * sizeof(struct gpu_result),
        .numbers = LISTED_MAX * sizeof(struct gpu_csv_number),
        .cells = LISTED_MAX * sizeof *t->cells,
        .fields = (text_decoded(job) + job->by.spec.keys) * sizeof(unsigned),
        .scratch = gpu_scratch_bytes((unsigned)job->columns),
        .states =
            states_dense_bytes(&schema, text_stepped(job)) + MONOIDS_END * 256,
        .odds = job->by.columns * sizeof(unsigned),
        .counts = sizeof(struct formula_counts)};
}

/* Bytes that the alignment of all parts may take. */
enum { PARTS = 256 * (7 * CUDA_TEXT_SLOTS + 4) };

static void prepare_memory(struct context *t)
{
    const struct text_bytes b = bytes_of(t->job);
    size_t slot = b.text + b.report + b.numbers + b.odds + b.counts;
    cuda_prepare_pinned(&t->host, t->job->device,
                        CUDA_TEXT_SLOTS * slot + b.cells + PARTS);
}

/* Takes one block of pinned memory and one of device memory, and divides
 * them. */
static bool open_memory(struct context *t, struct error *e)
{
    const struct text_bytes b = bytes_of(t->job);
    size_t device_all = CUDA_TEXT_SLOTS * (b.text + CSV_PADDING + b.fields +
                                           b.results + b.numbers + b.scratch +
                                           b.states + b.odds + b.counts) +
                        cuda_by_bytes(t->job) + sizeof *t->powers + PARTS;
    if (!cuda_pin(&t->host, e) ||
        !cuda_acquire_device(&t->device, t->job->device, device_all, e))
        return false;
    char *host = t->host.at, *device = t->device.at;
    for (int i = 0; i < CUDA_TEXT_SLOTS; i++) {
        struct text_slot *s = &t->slot[i];
        s->text = cuda_cut(&host, b.text);
        s->report = cuda_cut(&host, b.report);
        s->numbers = cuda_cut(&host, b.numbers);
        s->odds = cuda_cut(&host, b.odds);
        s->device_odds = cuda_cut(&device, b.odds);
        s->counts = cuda_cut(&host, b.counts);
        s->device_counts = cuda_cut(&device, b.counts);
        s->device_text = cuda_cut(&device, b.text + CSV_PADDING);
        s->field_of = cuda_cut(&device, b.fields);
        s->result = cuda_cut(&device, b.results);
        s->device_numbers = cuda_cut(&device, b.numbers);
        s->scratch = cuda_cut(&device, b.scratch);
        for (int m = 0; m < MONOIDS_END; m++) {
            s->states.size[m] = t->copy.size[m];
            if (t->copy.bank[m])
                s->states.bank[m] =
                    cuda_cut(&device, t->job->columns * t->copy.size[m]);
        }
    }
    t->cells = cuda_cut(&host, b.cells);
    t->powers = cuda_cut(&device, sizeof *t->powers);
    if (t->job->by.spec.keys > 0 &&
        !(t->by = cuda_by_open(t->job, device, t->slot[0].stream, e)))
        return false;
    return copy_to(t->powers, number_powers(), sizeof *t->powers,
                   t->slot[0].stream, e);
}

bool text_clear(struct context *t, struct text_slot *s, struct error *e)
{
    for (int m = 0; m < MONOIDS_END; m++) {
        if (t->copy.bank[m] &&
            !copy_to(s->states.bank[m], t->copy.bank[m],
                     t->job->columns * t->copy.size[m], s->stream, e))
            return false;
    }
    return true;
}

/* Sets the states of all slots to the identity, and the results to zeros. */
static bool clear_slots(struct context *t, struct error *e)
{
    const size_t results = bytes_of(t->job).results;
    for (int i = 0; i < CUDA_TEXT_SLOTS; i++) {
        struct text_slot *s = &t->slot[i];
        if (!text_clear(t, s, e) ||
            !cuda_check(cudaMemsetAsync(s->result, 0, results, s->stream),
                        "clearing results", e))
            return false;
    }
    return true;
}

static bool open_streams(struct context *t, struct error *e)
{
    for (int i = 0; i < CUDA_TEXT_SLOTS; i++) {
        t->slot[i].decided =
            malloc((text_decoded(t->job) + 1) * sizeof *t->slot[i].decided);
        if (!t->slot[i].decided)
            return error_memory(e);
        if (!cuda_acquire_stream(&t->slot[i].stream, t->job->device, e))
            return false;
        cuda_clock_open(&t->slot[i].clock, t->job->meter);
    }
    return true;
}

struct context *text_open(const struct job *job, struct error *e)
{
    struct context *t = calloc(1, sizeof *t);
    if (!t)
        return error_memory(e);
    t->job = job;
    const struct schema schema = job_schema(job);
    prepare_memory(t);
    t->columns = columns_open(job, e);
    if (job->formulas)
        t->formulas = cuda_formulas_start(job->formulas, NULL, job->device, e);
    bool ok = t->columns && (t->formulas || !job->formulas) &&
              states_open_dense(&t->copy, &schema, text_stepped(job), e) &&
              cuda_ready(job->device, e) && open_streams(t, e) &&
              open_memory(t, e) && clear_slots(t, e) &&
              (!t->formulas || cuda_formulas_ready(t->formulas, e));
    if (ok)
        return t;
    text_close(t);
    return NULL;
}

/* Gives a slot a block of `need` bytes on the device. The first time, all slots
 * get a share of one block, because allocating takes a millisecond under the
 * driver's lock; later, the slot gets one of its own. */
static bool grow_block(struct context *t, struct text_slot *s, size_t need,
                       struct error *e)
{
    need = (need + 255) / 256 * 256;
    if (!t->blocks.at) {
        if (!cuda_acquire_device(&t->blocks, t->job->device,
                                 CUDA_TEXT_SLOTS * need, e))
            return false;
        for (int i = 0; i < CUDA_TEXT_SLOTS; i++) {
            t->slot[i].block = (char *)t->blocks.at + i * need;
            t->slot[i].block_bytes = need;
        }
        return true;
    }
    cuda_release_device(&s->own);
    s->block_bytes = 0;
    if (!cuda_acquire_device(&s->own, t->job->device, need, e))
        return false;
    s->block = s->own.at;
    s->block_bytes = need;
    return true;
}

/* Copies to the device which fields are columns and which are keys. */
static bool copy_fields(struct context *t, struct text_slot *s, struct error *e)
{
    const struct csv_table *table = s->chunk.input->table;
    const size_t columns = text_decoded(t->job);
    unsigned keys[CSV_KEYS_MAX];
    for (size_t k = 0; k < t->job->by.spec.keys; k++)
        keys[k] = table->field_of[table->key_of[k]];
    return copy_to(s->field_of, table->field_of, columns * sizeof *s->field_of,
                   s->stream, e) &&
           copy_to(s->field_of + columns, keys,
                   t->job->by.spec.keys * sizeof *keys, s->stream, e);
}

struct gpu_csv_words text_words(const struct job *job, size_t first,
                                struct csv_dialect dialect)
{
    const struct csv_words *from = &job->text->words;
    struct gpu_csv_words words = {0};
    for (size_t i = first; i < from->n; i++)
        gpu_csv_words_add(&words, from->word[i].text, from->word[i].bytes,
                          dialect);
    return words;
}

bool text_suit(struct context *t, struct text_slot *s, struct error *e)
{
    const struct job *job = t->job;
    const struct input *input = s->chunk.input;
    const struct csv_table *table = input->table;
    struct gpu_csv_room room = {.bytes = job_slot_bytes(job),
                                .listed = LISTED_MAX};
    room.rows =
        (unsigned)(s->chunk.lines + s->chunk.lines / ROWS_PART + ROWS_MORE);
    s->spec =
        (struct gpu_csv_spec){.dtype = job->dtype,
                              .dialect = table->dialect,
                              .notation = job->text->notation,
                              .fields = (unsigned)table->fields,
                              .columns = all_columns(job),
                              .field_of = s->field_of,
                              .powers = t->powers,
                              .words = text_words(job, 0, table->dialect)};
    const size_t cut = gpu_csv_cut(&s->work.to, &s->spec, &room, NULL);
    const size_t need = cut + cuda_by_slot_bytes(t, s->work.to.pitch);
    if (need > s->block_bytes && !grow_block(t, s, need, e))
        return false;
    gpu_csv_cut(&s->work.to, &s->spec, &room, s->block);
    s->spec.columns = (unsigned)text_decoded(job);
    if (t->by)
        cuda_by_suit(t, s, (char *)s->block + cut);
    s->input = input;
    return copy_fields(t, s, e);
}
