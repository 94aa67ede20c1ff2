/* SPDX-License-Identifier: MIT */
#include "chunk/records.h"

#include <stdlib.h>
#include <string.h>

#include "csv/schema/table.h"
#include "chunk/record_window.h"

static void close_records(struct chunker *c)
{
    cursor_close(&c->at);
    free(c->rest);
    quote_states_free(&c->quote_states);
    free(c);
}

static void stop_records(struct chunker *c, uint64_t sequence)
{
    quote_states_stop(&c->quote_states, sequence);
}

/* Takes the next window of the current file. The caller holds the lock. */
static void take_window(struct chunker *c, const struct input *input,
                        size_t want, struct record_window *s)
{
    uint64_t left = input->bytes - c->at.taken;
    *s = (struct record_window){.input = input,
                                .file = c->at.file,
                                .offset = input->offset + c->at.taken,
                                .end = input->offset + input->bytes,
                                .window = left < want ? (size_t)left : want};
    c->at.taken += s->window;
    c->at.file->uses++;
}

/* Cuts the window's chunk. The caller does not hold the lock. */
static enum chunk_next cut_window(struct chunker *c, struct record_window *s,
                                  uint64_t window, const struct want *want,
                                  struct chunk *chunk, struct error *e)
{
    struct pending_window pending;
    size_t input = (size_t)(s->input - c->at.inputs);
    enum chunk_next next = CHUNK_ERROR;
    if (record_window_open(s, c->loops, want, e)) {
        if (!quote_states_pass(&c->quote_states, input, s, window,
                               chunk->sequence, &pending))
            next = CHUNK_END;
        else if (record_window_cut(s, pending.start, pending.end, pending.line,
                                   chunk, e))
            next = CHUNK_READY;
    }
    if (next != CHUNK_READY)
        free(s->owned);
    bool keep = next == CHUNK_READY && s->is_mapped;
    if (keep) {
        chunk->mapped = s->file;
        chunk->offset = s->offset;
        chunk->mapped_bytes = s->bytes;
    }
    if (next == CHUNK_ERROR)
        quote_states_stop(&c->quote_states, chunk->sequence);
    if (!keep) {
        pthread_mutex_lock(&c->at.lock);
        file_release(s->file);
        pthread_mutex_unlock(&c->at.lock);
    }
    return next;
}

static enum chunk_next next_records(struct chunker *c, const struct want *want,
                                    struct chunk *chunk, struct error *e)
{
    struct record_window s;
    enum chunk_next next = CHUNK_END;
    bool is_window = false;
    uint64_t window = 0;
    *chunk = (struct chunk){.data = want->to};
    pthread_mutex_lock(&c->at.lock);
    chunk->sequence = c->at.sequence;
    while (!quote_states_is_stopped(&c->quote_states, UINT64_MAX - 1) &&
           next == CHUNK_END && c->at.current < c->at.count) {
        struct input *input = &c->at.inputs[c->at.current];
        chunk->input = input;
        if (!cursor_start(&c->at, false, e)) {
            next = CHUNK_ERROR;
        } else if (!input->regular) {
            next = stream_records(c, input, want, chunk, e);
        } else if (c->at.taken < input->bytes) {
            take_window(c, input, want->bytes, &s);
            is_window = true;
            window = c->window_at++;
            next = CHUNK_READY;
        }
        if (next == CHUNK_END) {
            cursor_next(&c->at);
            c->window_at = 0;
        }
    }
    c->at.sequence += next == CHUNK_READY;
    if (next == CHUNK_ERROR)
        quote_states_stop(&c->quote_states, chunk->sequence);
    pthread_mutex_unlock(&c->at.lock);
    return is_window ? cut_window(c, &s, window, want, chunk, e) : next;
}

static bool done_records(struct chunker *c, const struct chunk *chunk,
                         struct error *e)
{
    free(chunk->owned);
    free(chunk->error_after);
    return file_done(chunk, &c->at.lock, e);
}

static struct chunker *open_records(struct input *inputs, size_t count,
                                    const struct chunker_options *options,
                                    struct index_map *index, struct error *e)
{
    struct chunker *c = calloc(1, sizeof *c);
    (void)index;
    if (!c)
        return error_memory(e);
    c->loops = options->portable ? &csv_loops_base : csv_loops(0);
    if (!quote_states_init(&c->quote_states, count, e))
        goto free_chunker;
    if (cursor_open(&c->at, inputs, count, options->may_map, e))
        return c;
    quote_states_free(&c->quote_states);
free_chunker:
    free(c);
    return NULL;
}

const struct chunker_kind chunker_records = {.slack = RECORD_WINDOW_SLACK,
                                             .open = open_records,
                                             .close = close_records,
                                             .next = next_records,
                                             .done = done_records,
                                             .stop = stop_records};
