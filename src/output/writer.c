/* SPDX-License-Identifier: MIT */
#include "output/writer.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/quote.h"
#include "base/write.h"
#include "output/number.h"

void writer_start(struct writer *w, int fd)
{
    w->fd = fd;
    w->memory = NULL;
    w->failed = 0;
    w->used = 0;
}

void writer_start_memory(struct writer *w, struct writer_memory *memory)
{
    writer_start(w, -1);
    w->memory = memory;
}

static void keep_all(struct writer *w, const char *bytes, size_t all)
{
    struct writer_memory *m = w->memory;
    if (m->bytes + all > m->room) {
        const size_t room = 2 * m->room + all + WRITER_BYTES;
        char *grown = realloc(m->at, room);
        if (!grown) {
            w->failed = ENOMEM;
            return;
        }
        m->at = grown;
        m->room = room;
    }
    memcpy(m->at + m->bytes, bytes, all);
    m->bytes += all;
}

static void write_all(struct writer *w, const char *bytes, size_t all)
{
    if (w->failed)
        return;
    if (w->memory)
        keep_all(w, bytes, all);
    else
        w->failed = write_whole(w->fd, bytes, all);
}

static void write_piece(struct writer *w)
{
    write_all(w, w->piece, w->used);
    w->used = 0;
}

void writer_put_long(struct writer *w, const char *bytes, size_t n)
{
    write_piece(w);
    if (n >= WRITER_BYTES) {
        write_all(w, bytes, n - 1);
        bytes += n - 1;
        n = 1;
    }
    memcpy(w->piece, bytes, n);
    w->used = n;
}

void writer_value(struct writer *w, const struct value *value)
{
    if (WRITER_BYTES - w->used < NUMBER_MAX)
        write_piece(w);
    w->used += number_text(w->piece + w->used, value);
}

void writer_number(struct writer *w, const struct value *value)
{
    if (WRITER_BYTES - w->used < NUMBER_MAX)
        write_piece(w);
    w->used += number_json(w->piece + w->used, value);
}

/* Writes text. `next` makes the escapes of characters that need one. */
static void put_escaped(struct writer *w, const char *name, size_t bytes,
                        size_t (*next)(char out[8], const char *text,
                                       size_t left))
{
    while (bytes > 0) {
        char part[8] = "";
        size_t plain = escape_none(name, bytes);
        writer_put(w, name, plain);
        if (plain == bytes)
            return;
        size_t step = plain + next(part, name + plain, bytes - plain);
        writer_text(w, part);
        name += step;
        bytes -= step;
    }
}

void writer_name(struct writer *w, const char *name, size_t bytes)
{
    put_escaped(w, name, bytes, escape_next);
}

void writer_json(struct writer *w, const char *name, size_t bytes)
{
    writer_text(w, "\"");
    put_escaped(w, name, bytes, escape_json);
    writer_text(w, "\"");
}

/* Whether the cell needs quotes: without them a reader would end it early, or
 * it has other control bytes. */
static bool is_to_quote(const char *name, size_t bytes)
{
    static const bool are[256] = {
        [0 ... ' ' - 1] = true, ['"'] = true, [','] = true};
    bool is = false;
    for (size_t i = 0; i < bytes; i++)
        is |= are[(unsigned char)name[i]];
    return is;
}

void writer_csv(struct writer *w, const char *name, size_t bytes)
{
    const char *const end = name + bytes, *quote;
    if (!is_to_quote(name, bytes)) {
        writer_put(w, name, bytes);
        return;
    }
    writer_text(w, "\"");
    while ((quote = memchr(name, '"', (size_t)(end - name)))) {
        writer_put(w, name, (size_t)(quote + 1 - name));
        writer_text(w, "\"");
        name = quote + 1;
    }
    writer_put(w, name, (size_t)(end - name));
    writer_text(w, "\"");
}

bool writer_end(struct writer *w, struct error *e)
{
    write_piece(w);
    return !w->failed ||
           error_set(e, ERROR_DATA, "write error: %s", strerror(w->failed));
}
