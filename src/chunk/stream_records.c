/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE

#include <stdlib.h>
#include <string.h>

#include "base/meter.h"
#include "csv/schema/message.h"
#include "csv/structure/record.h"
#include "csv/schema/table.h"
#include "chunk/records.h"
#include "chunk/record_window.h"

/* The text of a chunk that is being read. It starts in the slot. */
struct text {
    char *at;
    size_t bytes, room;
    void *owned; /* allocated for `at` if the slot is too small, else NULL */
    enum csv_state state; /* quote state at its end */
    uint64_t lines;       /* line ends in it */
};

/* Makes room for `more` bytes and for a line end and padding after them. If the
 * slot is too small, allocates room for the longest record allowed. The unused
 * part of so large a block takes no memory, and free returns it to the system.
 * A block that grows step by step would leave smaller ones in the heap. */
static bool ensure_room(struct text *t, size_t more, struct error *e)
{
    if (t->bytes + more + 1 + CSV_PADDING <= t->room)
        return true;
    size_t most = t->bytes < CSV_RECORD_MAX ? CSV_RECORD_MAX : t->bytes;
    size_t room = most + more + 1 + CSV_PADDING;
    char *larger = realloc(t->owned, room);
    if (!larger)
        return error_memory(e);
    if (!t->owned)
        memcpy(larger, t->at, t->bytes);
    t->at = t->owned = larger;
    t->room = room;
    return true;
}

/* The offset after the last LF outside quotes in [from, bytes), or 0. */
static size_t last_end(const struct text *t, size_t from,
                       enum csv_state at_from, struct csv_dialect dialect,
                       bool stray)
{
    size_t end = 0, high = t->bytes;
    bool inside = t->state == CSV_QUOTED;
    if (stray) {
        for (size_t i = from; i < t->bytes; i++) {
            at_from = csv_step(at_from, (unsigned char)t->at[i], dialect);
            end = at_from == CSV_RECORD ? i + 1 : end;
        }
        return end;
    }
    for (;;) {
        const char *lf = memrchr(t->at + from, dialect.end, high - from);
        if (!lf)
            return 0;
        for (const char *p = lf;
             dialect.quotes &&
             (p = memchr(p, dialect.quote, (size_t)(t->at + high - p)));
             p++)
            inside = !inside;
        high = (size_t)(lf - t->at);
        if (!inside)
            return high + 1;
    }
}

/* Reads up to a window. Sets *end to the offset after the last record that ends
 * in the bytes read, or to 0. Sets it on failure, too. */
static bool read_window(struct chunker *c, struct input *input, size_t want,
                        struct text *t, size_t *end, bool *ended,
                        struct error *e)
{
    struct csv_dialect dialect = input->table->dialect;
    enum csv_state before = t->state;
    size_t got, from = t->bytes;
    struct csv_scan scan = {0};
    if (!ensure_room(t, want, e))
        return false;
    bool ok = input_read_on(input, input->offset + c->at.taken, t->at + from,
                            want, &got, e);
    *end = 0;
    *ended = got < want;
    c->at.taken += got;
    t->bytes += got;
    input_forget_head(input, input->offset + c->at.taken);
    if (got == 0)
        return ok;
    uint64_t start = meter_now();
    c->loops->scan(t->at + from, 0, got, dialect, &scan);
    meter_add(input->meter, STAGE_READ, start, 0);
    bool stray = csv_has_stray(before, t->at + from, got, dialect, &scan);
    t->state = csv_advance(before, t->at + from, got, dialect, &scan);
    t->lines += scan.lines;
    *end = last_end(t, from, before, dialect, stray);
    return ok;
}

/* Keeps the bytes after the last whole record for the next chunk. */
static bool keep_rest(struct chunker *c, const struct text *t, size_t end,
                      struct error *e)
{
    c->rest_bytes = t->bytes - end;
    if (c->rest_bytes > c->rest_room) {
        free(c->rest);
        c->rest_room = 2 * c->rest_bytes;
        c->rest = malloc(c->rest_room);
        if (!c->rest)
            c->rest_room = 0;
    }
    if (c->rest_bytes == 0)
        return true;
    if (!c->rest)
        return error_memory(e);
    memcpy(c->rest, t->at + end, c->rest_bytes);
    return true;
}

/* Defers the error in *e if whole records come before it: sets *error_after to
 * a copy and returns true. */
static bool defer_error(size_t end, struct error **error_after,
                        const struct error *e)
{
    *error_after = end > 0 ? malloc(sizeof **error_after) : NULL;
    if (*error_after)
        **error_after = *e;
    return *error_after;
}

/* At the end of the stream: ends the last record, or reports that its quote is
 * never closed. */
static bool end_stream(struct chunker *c, const struct input *input,
                       struct text *t, size_t *end, struct chunk *chunk,
                       struct error *e)
{
    if (t->state == CSV_QUOTED) {
        csv_never_closed(input->name, input->table->dialect, c->line,
                         (struct csv_span){t->at, t->bytes}, e);
        return defer_error(*end, &chunk->error_after, e);
    }
    chunk->ends_bare = t->state != CSV_RECORD;
    if (chunk->ends_bare)
        t->at[t->bytes++] = (char)input->table->dialect.end;
    *end = t->bytes;
    return true;
}

enum chunk_next stream_records(struct chunker *c, struct input *input,
                               const struct want *want, struct chunk *chunk,
                               struct error *e)
{
    struct text t = {.at = want->to, .room = want->bytes + RECORD_WINDOW_SLACK};
    size_t end = 0;
    bool ended = c->stream_ended, ok;
    if (ended) {
        c->stream_ended = false;
        c->rest_bytes = 0;
        return CHUNK_END;
    }
    if (c->at.taken == 0)
        c->line = input->table->part_line;
    chunk->start = input->offset + c->at.taken - c->rest_bytes;
    ok = ensure_room(&t, c->rest_bytes, e);
    if (ok && c->rest_bytes > 0)
        memcpy(t.at, c->rest, c->rest_bytes);
    t.bytes = c->rest_bytes;
    t.state = c->rest_state;
    t.lines = c->rest_lines;
    while (ok && end == 0 && !ended) {
        ok = read_window(c, input, want->bytes, &t, &end, &ended, e);
        if (ok && end == 0 && t.bytes > CSV_RECORD_MAX)
            ok = csv_too_long(input->name, c->line, e);
    }
    if (!ok)
        ok = ended = defer_error(end, &chunk->error_after, e);
    else if (ended)
        ok = end_stream(c, input, &t, &end, chunk, e);
    ok = ok && keep_rest(c, &t, end, e);
    if (!ok) {
        free(t.owned);
        free(chunk->error_after);
        chunk->error_after = NULL;
        return CHUNK_ERROR;
    }
    c->stream_ended = ended;
    chunk->data = t.at;
    chunk->bytes = end;
    chunk->line = c->line;
    chunk->lines = (size_t)t.lines + 1;
    chunk->owned = t.owned;
    c->rest_state = ended ? CSV_RECORD : t.state;
    c->rest_lines = c->rest ? csv_lines(c->rest, c->rest + c->rest_bytes,
                                        input->table->dialect)
                            : 0;
    c->line += t.lines - c->rest_lines;
    chunk->line_end = c->line + chunk->ends_bare;
    return CHUNK_READY;
}
