/* SPDX-License-Identifier: MIT */
#include "csv_oracle.h"

#include <stdlib.h>
#include <string.h>

/* A place in the text, with line and column for messages. */
struct cursor {
    size_t at, line_start;
    uint64_t line;
};

static void *grow(void *array, size_t n, size_t *room, size_t size)
{
    if (n < *room)
        return array;
    *room = 2 * *room + 64;
    array = realloc(array, *room * size);
    if (!array)
        abort();
    return array;
}

static int peek(const struct oracle *t, const struct cursor *c)
{
    return c->at < t->bytes ? (unsigned char)t->text[c->at] : -1;
}

static void step(const struct oracle *t, struct cursor *c)
{
    if (t->text[c->at++] != '\n')
        return;
    c->line++;
    c->line_start = c->at;
}

/* Passes LF or CR LF, or at the end of the text also CR or nothing. */
static bool pass_line_end(const struct oracle *t, struct cursor *c)
{
    struct cursor next = *c;
    if (peek(t, &next) == '\r')
        step(t, &next);
    int byte = peek(t, &next);
    if (byte == '\n')
        step(t, &next);
    else if (byte >= 0)
        return false;
    *c = next;
    return true;
}

/* Moves from after the opening quote to after the closing one. */
static bool pass_quoted(const struct oracle *t, struct cursor *c)
{
    for (;;) {
        int byte = peek(t, c);
        if (byte < 0)
            return false;
        step(t, c);
        if (byte != '"')
            continue;
        if (peek(t, c) != '"')
            return true;
        step(t, c);
    }
}

static void read_field(struct oracle *t, struct cursor *c, int delimiter)
{
    t->field = grow(t->field, t->fields, &t->field_room, sizeof *t->field);
    struct oracle_field *f = &t->field[t->fields++];
    *f = (struct oracle_field){.start = c->at,
                               .line = c->line,
                               .column = c->at - c->line_start + 1,
                               .whole = true};
    if (peek(t, c) == '"') {
        step(t, c);
        t->open = !pass_quoted(t, c);
        struct cursor next = *c;
        f->whole = peek(t, c) == delimiter || pass_line_end(t, &next);
    }
    struct cursor next = *c;
    while (peek(t, c) != delimiter && !pass_line_end(t, &next)) {
        step(t, c);
        next = *c;
    }
    f->end = c->at;
}

static void read_record(struct oracle *t, struct cursor *c, int delimiter)
{
    t->record = grow(t->record, t->records, &t->record_room, sizeof *t->record);
    struct oracle_record *r = &t->record[t->records++];
    *r = (struct oracle_record){
        .start = c->at, .line = c->line, .first = t->fields};
    read_field(t, c, delimiter);
    while (peek(t, c) == delimiter) {
        step(t, c);
        read_field(t, c, delimiter);
    }
    pass_line_end(t, c);
    r->end = c->at;
    r->fields = t->fields - r->first;
}

void oracle_read(struct oracle *t, const char *text, size_t bytes,
                 char delimiter)
{
    struct cursor c = {0, 0, 1};
    *t = (struct oracle){.text = text, .bytes = bytes};
    while (c.at < bytes) {
        if (!pass_line_end(t, &c))
            read_record(t, &c, (unsigned char)delimiter);
    }
}

void oracle_free(struct oracle *t)
{
    free(t->record);
    free(t->field);
}
