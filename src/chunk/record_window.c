/* SPDX-License-Identifier: MIT */
#include "chunk/record_window.h"

#include <stdlib.h>
#include <string.h>

#include "base/meter.h"
#include "csv/schema/message.h"
#include "csv/structure/record.h"
#include "csv/schema/table.h"

static struct csv_dialect dialect_of(const struct record_window *s)
{
    return s->input->table->dialect;
}

/* Reads `want` more bytes at the end of the buffer, which has room for them. */
static bool read_more(struct record_window *s, size_t want, struct error *e)
{
    size_t got;
    uint64_t at = s->offset + s->bytes;
    if (!file_read(s->file, s->input, s->buffer + s->bytes, want, at, &got, e))
        return false;
    s->bytes += got;
    return got == want || file_shrank(s->input, want - got, e);
}

/* Scans the bytes from `from` on for quotes and line ends. Its time counts as
 * reading, because other workers wait for it. */
static void scan_more(struct record_window *s, const struct csv_loops *loops,
                      size_t from)
{
    uint64_t start = meter_now();
    loops->scan(s->at, from, s->bytes, dialect_of(s), &s->scan);
    meter_add(s->input->meter, STAGE_READ, start, 0);
}

bool record_window_open(struct record_window *s, const struct csv_loops *loops,
                        const struct want *want, struct error *e)
{
    /* The loops read CSV_PADDING bytes beyond the window, which must not be
     * beyond the mapping. */
    s->is_mapped = want->anywhere && s->file->is_mapped &&
                   s->end - s->offset >= s->window + CSV_PADDING;
    s->owned = NULL;
    s->scan = (struct csv_scan){0};
    if (s->is_mapped) {
        s->at = file_range(s->file, s->input, s->offset, s->window);
        s->bytes = s->window;
        scan_more(s, loops, 0);
        return true;
    }
    s->at = s->buffer = want->to;
    s->room = want->bytes + RECORD_WINDOW_SLACK;
    s->bytes = 0;
    while (s->bytes < s->window) {
        size_t from = s->bytes, left = s->window - from;
        if (!read_more(
                s, left < RECORD_WINDOW_PIECE ? left : RECORD_WINDOW_PIECE, e))
            return false;
        scan_more(s, loops, from);
    }
    return true;
}

/* Makes sure that the buffer has room for `bytes`. Allocates `owned` if it
 * must. */
static bool ensure_room(struct record_window *s, size_t bytes, struct error *e)
{
    if (bytes <= s->room)
        return true;
    /* realloc avoids holding a record of 64 MiB twice while it grows. */
    char *larger = realloc(s->owned, 2 * bytes);
    if (!larger)
        return error_memory(e);
    if (!s->owned)
        memcpy(larger, s->at, s->bytes);
    s->owned = s->buffer = larger;
    s->at = larger;
    s->room = 2 * bytes;
    return true;
}

/* Makes more bytes of the file readable. The file must have more. */
static bool grow(struct record_window *s, struct error *e)
{
    uint64_t left = s->end - s->offset - s->bytes;
    size_t step = left < RECORD_WINDOW_STEP ? (size_t)left : RECORD_WINDOW_STEP;
    if (s->is_mapped) {
        s->bytes += step;
        return true;
    }
    return ensure_room(s, s->bytes + step + CSV_PADDING + 1, e) &&
           read_more(s, step, e);
}

/* Returns the start of the record that spans the window's end. `first` is the
 * start of the window's first record. */
static size_t last_start(const struct record_window *s, size_t first)
{
    enum csv_state state = CSV_RECORD;
    size_t start = first;
    for (size_t i = first; i < s->window; i++) {
        state = csv_step(state, (unsigned char)s->at[i], dialect_of(s));
        if (state == CSV_RECORD)
            start = i + 1;
    }
    return start;
}

/* Moves *end forward to the end of the record that spans the window's end, or
 * to the end of the file. *state is the state at *end. Fails if the record is
 * longer than CSV_RECORD_MAX. */
static bool reach_end(struct record_window *s, size_t first, uint64_t line,
                      size_t *end, enum csv_state *state, struct error *e)
{
    size_t start = SIZE_MAX;
    while (*state != CSV_RECORD) {
        if (*end == s->bytes && s->offset + s->bytes == s->end)
            break;
        if (*end == s->bytes && !grow(s, e))
            return false;
        *state =
            csv_step(*state, (unsigned char)s->at[(*end)++], dialect_of(s));
        if (*end - s->window < CSV_RECORD_MAX / 2)
            continue;
        if (start == SIZE_MAX)
            start = last_start(s, first);
        if (*end - start > CSV_RECORD_MAX)
            return csv_too_long(
                s->input->name,
                line + csv_lines(s->at, s->at + start, dialect_of(s)), e);
    }
    return true;
}

/* Makes sure that LF and padding can follow the text. If the text is in a
 * mapping without room for them, copies it. Adds LF if add_lf is set. */
static bool make_text_end(struct record_window *s, size_t *end, bool add_lf,
                          struct error *e)
{
    size_t need = *end + 1 + CSV_PADDING;
    uint64_t left = s->end - s->offset;
    if (s->is_mapped && (add_lf || left < *end + CSV_PADDING)) {
        s->is_mapped = false;
        s->bytes = *end;
        s->room = 0;
        if (!ensure_room(s, need, e))
            return false;
        /* file_done does not check a copy, so check the map here. */
        if (!map_check(&s->file->map, s->offset, *end))
            return file_was_cut(s->input, e);
    }
    if (s->is_mapped)
        return true;
    s->bytes = *end;
    if (!ensure_room(s, need, e))
        return false;
    if (add_lf)
        s->buffer[(*end)++] = (char)dialect_of(s).end;
    return true;
}

static void set_chunk(const struct record_window *s, size_t first, size_t end,
                      struct chunk *chunk)
{
    size_t tail = end > s->window ? end - s->window : 0;
    chunk->data = s->at + first;
    chunk->start = s->offset + first;
    chunk->bytes = end - first;
    chunk->lines =
        (size_t)(s->scan.lines +
                 csv_lines(s->at + end - tail, s->at + end, dialect_of(s)));
    chunk->owned = s->owned;
}

/* Call if the error *e is in the record that spans the window's end. If whole
 * records come before it, cuts their chunk and attaches the error as its
 * `error_after`. Else returns false. */
static bool cut_before(struct record_window *s, size_t first,
                       struct chunk *chunk, struct error *e)
{
    size_t end = last_start(s, first);
    struct error *error_after =
        end > first ? malloc(sizeof *error_after) : NULL;
    if (!error_after)
        return false;
    *error_after = *e;
    if (!make_text_end(s, &end, false, e)) {
        free(error_after);
        return false;
    }
    chunk->error_after = error_after;
    set_chunk(s, first, end, chunk);
    return true;
}

bool record_window_cut(struct record_window *s, enum csv_state at_start,
                       enum csv_state at_end, uint64_t line,
                       struct chunk *chunk, struct error *e)
{
    size_t first = 0, end = s->window;
    enum csv_state state = at_start;
    chunk->bytes = 0;
    while (state != CSV_RECORD && first < s->window)
        state = csv_step(state, (unsigned char)s->at[first++], dialect_of(s));
    if (first == s->window)
        return true;
    state = at_end;
    chunk->line = line + csv_lines(s->at, s->at + first, dialect_of(s));
    if (!reach_end(s, first, line, &end, &state, e))
        return cut_before(s, first, chunk, e);
    if (state == CSV_QUOTED) {
        csv_never_closed(s->input->name, dialect_of(s), chunk->line,
                         (struct csv_span){s->at + first, end - first}, e);
        return cut_before(s, first, chunk, e);
    }
    chunk->ends_bare = state != CSV_RECORD;
    if (!make_text_end(s, &end, chunk->ends_bare, e))
        return false;
    set_chunk(s, first, end, chunk);
    chunk->line_end = line + chunk->lines;
    return true;
}
