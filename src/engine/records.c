/* SPDX-License-Identifier: MIT */
#include "engine/records.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "csv/table.h"
#include "engine/stretch.h"
#include "engine/stream_records.h"

bool records_init(struct records *r, struct input *inputs, size_t count,
                  bool may_map, bool portable, struct error *e)
{
    *r = (struct records){.inputs = inputs,
                          .count = count,
                          .may_map = may_map,
                          .loops = portable ? &csv_loops_base : csv_loops(0)};
    if (!chain_init(&r->chain, count, e))
        return false;
    if (pthread_mutex_init(&r->lock, NULL) == 0)
        return true;
    chain_free(&r->chain);
    return error_set(e, ERROR_DATA, "out of memory");
}

void records_free(struct records *r)
{
    if (r->file)
        file_release(r->file);
    if (r->current < r->count)
        input_finish(&r->inputs[r->current]);
    free(r->rest);
    chain_free(&r->chain);
    pthread_mutex_destroy(&r->lock);
}

void records_stop(struct records *r, uint64_t sequence)
{
    chain_stop(&r->chain, sequence);
}

/* Under the lock: the next window of the current file. */
static void take_window(struct records *r, const struct input *input,
                        size_t want, struct stretch *s)
{
    uint64_t left = input->bytes - r->taken;
    *s = (struct stretch){.input = input,
                          .file = r->file,
                          .offset = input->offset + r->taken,
                          .end = input->offset + input->bytes,
                          .window = left < want ? (size_t)left : want};
    r->taken += s->window;
    r->file->uses++;
}

static void next_input(struct records *r)
{
    const struct input *input = &r->inputs[r->current];
    /* Who reads on in a shared standard input finds its end, as after cat. */
    if (input->regular && input->fd >= 0)
        lseek(input->fd, (off_t)(input->offset + input->bytes), SEEK_SET);
    if (r->file)
        file_release(r->file);
    r->file = NULL;
    input_finish(&r->inputs[r->current]);
    r->taken = r->window_at = 0;
    r->current++;
}

/* The window's chunk, outside the lock. */
static enum dealt deal_window(struct records *r, struct stretch *s,
                              uint64_t window, const struct want *want,
                              struct chunk *chunk, struct error *e)
{
    struct link link;
    size_t input = (size_t)(s->input - r->inputs);
    enum dealt dealt = DEALT_ERROR;
    if (stretch_open(s, r->loops, want, e)) {
        if (!chain_pass(&r->chain, input, s, window, chunk->sequence, &link))
            dealt = DEALT_END;
        else if (stretch_cut(s, link.start, link.end, link.line, chunk, e))
            dealt = DEALT_CHUNK;
    }
    if (dealt != DEALT_CHUNK)
        free(s->owned);
    bool keep = dealt == DEALT_CHUNK && s->is_mapped;
    if (keep) {
        chunk->mapped = s->file;
        chunk->offset = s->offset;
        chunk->mapped_bytes = s->bytes;
    }
    if (dealt == DEALT_ERROR)
        chain_stop(&r->chain, chunk->sequence);
    if (!keep) {
        pthread_mutex_lock(&r->lock);
        file_release(s->file);
        pthread_mutex_unlock(&r->lock);
    }
    return dealt;
}

/* Under the lock: opens the current input, if it must be. */
static bool start_input(struct records *r, struct input *input, struct error *e)
{
    if (!file_start(input, &r->inputs[0], e))
        return false;
    if (r->taken == 0 && !input->regular)
        r->line = input->table->line;
    if (r->file || !input->regular || input->bytes == 0)
        return true;
    r->file = file_take(input, r->may_map, e);
    return r->file;
}

enum dealt records_next(struct records *r, const struct want *want,
                        struct chunk *chunk, struct error *e)
{
    struct stretch s;
    enum dealt dealt = DEALT_END;
    bool is_window = false;
    uint64_t window = 0;
    *chunk = (struct chunk){.data = want->to};
    pthread_mutex_lock(&r->lock);
    chunk->sequence = r->sequence;
    while (!chain_is_stopped(&r->chain, UINT64_MAX - 1) && dealt == DEALT_END &&
           r->current < r->count) {
        struct input *input = &r->inputs[r->current];
        chunk->input = input;
        if (!start_input(r, input, e)) {
            dealt = DEALT_ERROR;
        } else if (!input->regular) {
            dealt = stream_records(r, input, want, chunk, e);
        } else if (r->taken < input->bytes) {
            take_window(r, input, want->bytes, &s);
            is_window = true;
            window = r->window_at++;
            dealt = DEALT_CHUNK;
        }
        if (dealt == DEALT_END)
            next_input(r);
    }
    r->sequence += dealt == DEALT_CHUNK;
    if (dealt == DEALT_ERROR)
        chain_stop(&r->chain, chunk->sequence);
    pthread_mutex_unlock(&r->lock);
    return is_window ? deal_window(r, &s, window, want, chunk, e) : dealt;
}

bool records_done(struct records *r, const struct chunk *chunk, struct error *e)
{
    free(chunk->owned);
    free(chunk->trouble);
    return file_done(chunk, &r->lock, e);
}
