/* SPDX-License-Identifier: MIT */
#include "backend/cuda/text.h"

#include "csv/simd/loops.h"
#include "backend/cuda/by.h"

static void *slot_of(struct context *t, unsigned slot)
{
    return t->slot[slot].text;
}

/* Whether the kernels can read the chunk. They cannot read truth values,
 * columns of text or comments, and would take a line of blanks for a record of
 * one field. A job that only counts records does not need them. */
static bool suits_kernels(const struct context *t, const struct chunk *chunk)
{
    const struct csv_table *table = chunk->input->table;
    return !t->job->text->is_bool && !t->job->text->rows_only &&
           !t->job->texts && table->fields > table->dialect.blank &&
           (!t->formulas || csv_columns(table) == text_decoded(t->job)) &&
           !csv_has_comment(chunk->data, chunk->bytes, table->dialect);
}

/* Whether the device decodes the chunk: it is not empty, and it is in the slot.
 * A chunk that is too long for the slot is elsewhere. */
static bool is_for_device(const struct context *t, const struct text_slot *s,
                          const struct chunk *chunk)
{
    const char *p = chunk->data;
    return chunk->bytes > 0 && p >= s->text &&
           p + chunk->bytes <= s->text + job_slot_bytes(t->job) &&
           suits_kernels(t, chunk) && !(t->by && cuda_by_is_full(t->by));
}

static bool start(struct context *t, struct text_slot *s, struct error *e)
{
    const struct chunk *chunk = &s->chunk;
    bool suits =
        s->input == chunk->input && chunk->lines <= s->work.to.room.rows;
    if (!suits && !text_suit(t, s, e))
        return false;
    s->work.text = (const unsigned char *)s->device_text;
    s->work.bytes = chunk->bytes;
    cuda_clock_begin(&s->clock, s->stream);
    /* A thread loads the whole step that holds the end of the text. */
    bool ok = cuda_to_device(s->device_text, chunk->data,
                             chunk->bytes + CSV_PADDING, s->stream, e);
    cuda_clock_mark(&s->clock, STAGE_COPY, s->stream);
    ok = ok &&
         cuda_check(gpu_csv_decode(&s->spec, t->by ? &s->keys : NULL, &s->work,
                                   s->stream),
                    "starting kernels", e) &&
         cuda_to_host(s->report, s->work.to.totals, text_report_bytes(t->job),
                      s->stream, e);
    cuda_clock_mark(&s->clock, STAGE_DECODE, s->stream);
    return ok;
}

/* Starts to decode this slot, and to reduce the slot before, which the device
 * decoded while the worker filled this one. Both run while the worker fills the
 * next slot, so the worker waits for neither. */
static bool submit(struct context *t, unsigned slot, const struct chunk *chunk,
                   struct error *e)
{
    struct text_slot *s = &t->slot[slot], *before = &t->slot[t->newest];
    s->chunk = *chunk;
    s->started = s->failed = false;
    s->on_gpu = is_for_device(t, s, chunk);
    if (s->on_gpu && !start(t, s, e))
        return false;
    t->newest = slot;
    /* `wait` reports a failure later, for the other slot's chunk. */
    if (before != s && before->on_gpu && !before->started)
        before->failed = !text_advance(t, before, &before->error);
    return true;
}

static bool wait(struct context *t, unsigned slot, struct owner *owner,
                 struct error *e)
{
    struct text_slot *s = &t->slot[slot];
    if (!s->on_gpu)
        return columns_run(t->columns, &s->chunk, owner, e);
    if (s->failed) {
        *e = s->error;
        return false;
    }
    if (!s->started && !text_advance(t, s, e))
        return false;
    s->on_gpu = false;
    return s->cpu ? columns_run(t->columns, &s->chunk, owner, e)
                  : text_take(t, s, owner, e);
}

const struct context_kind cuda_text_contexts = {
    CUDA_TEXT_SLOTS, text_open,  slot_of, submit, wait,
    text_collect,    text_close, false};
