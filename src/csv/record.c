/* SPDX-License-Identifier: MIT */
#include "csv/record.h"

#include <stdlib.h>

void csv_fields_free(struct csv_fields *fields)
{
    free(fields->at);
    *fields = (struct csv_fields){NULL, 0, 0};
}

uint64_t csv_lines(struct csv_span text)
{
    uint64_t lines = 0;
    for (size_t i = 0; i < text.bytes; i++)
        lines += text.at[i] == '\n';
    return lines;
}

size_t csv_skip_blank(struct csv_span text, size_t at)
{
    for (;;) {
        size_t next = at;
        if (next < text.bytes && text.at[next] == '\r')
            next++;
        if (next == text.bytes || text.at[next] != '\n')
            return at;
        at = next + 1;
    }
}

static bool push(struct csv_fields *fields, const char *from, const char *to)
{
    if (fields->n == fields->room) {
        size_t room = 2 * fields->room + 16;
        struct csv_span *grown = realloc(fields->at, room * sizeof *grown);
        if (!grown)
            return false;
        fields->at = grown;
        fields->room = room;
    }
    fields->at[fields->n++] = (struct csv_span){from, (size_t)(to - from)};
    return true;
}

/* The last field ends before the CR that belongs to the line end. */
static enum csv_record end_record(struct csv_fields *fields, const char *from,
                                  const char *to)
{
    if (to > from && to[-1] == '\r')
        to--;
    return push(fields, from, to) ? CSV_RECORD_OK : CSV_RECORD_NO_MEMORY;
}

enum csv_record csv_record_next(struct csv_span text, size_t *at,
                                unsigned char delimiter, bool is_all,
                                struct csv_fields *fields)
{
    enum csv_state state = CSV_RECORD;
    size_t start = csv_skip_blank(text, *at);
    const char *field = text.at + start, *end = text.at + text.bytes;
    fields->n = 0;
    *at = start;
    for (const char *p = field; p < end; p++) {
        state = csv_step(state, (unsigned char)*p, delimiter);
        if (state == CSV_RECORD) {
            *at = (size_t)(p + 1 - text.at);
            return end_record(fields, field, p);
        }
        if (state == CSV_FIELD) {
            if (!push(fields, field, p))
                return CSV_RECORD_NO_MEMORY;
            field = p + 1;
        }
    }
    /* A lone CR at the end is a blank line. */
    bool is_blank = end - field == 1 && *field == '\r' && fields->n == 0;
    if (!is_all || start == text.bytes || is_blank)
        return CSV_RECORD_NONE;
    if (state == CSV_QUOTED)
        return CSV_RECORD_OPEN;
    *at = text.bytes;
    return end_record(fields, field, end);
}
