/* SPDX-License-Identifier: MIT */
#include "csv/record.h"

#include <stdlib.h>
#include <string.h>

void csv_fields_free(struct csv_fields *fields)
{
    free(fields->at);
    *fields = (struct csv_fields){NULL, 0, 0};
}

uint64_t csv_lines(struct csv_span text, struct csv_dialect dialect)
{
    uint64_t lines = 0;
    for (size_t i = 0; i < text.bytes; i++)
        lines += text.at[i] == (char)dialect.end;
    return lines;
}

/* Behind the line at `at`, if it is of no record; else `at`. */
static size_t skip_line(struct csv_span text, size_t at,
                        struct csv_dialect dialect)
{
    const char *p = text.at + at, *end = text.at + text.bytes;
    if (p < end && dialect.comments && *p == (char)dialect.comment) {
        const char *last = memchr(p, dialect.end, (size_t)(end - p));
        return last ? (size_t)(last + 1 - text.at) : at;
    }
    while (p < end && csv_is_gap(dialect, (unsigned char)*p))
        p++;
    if (p < end && *p == '\r' && dialect.end == '\n')
        p++;
    return p < end && *p == (char)dialect.end ? (size_t)(p + 1 - text.at) : at;
}

size_t csv_skip_lines(struct csv_span text, size_t at,
                      struct csv_dialect dialect)
{
    size_t next;
    while ((next = skip_line(text, at, dialect)) != at)
        at = next;
    return at;
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

/* The last field ends before the CR that belongs to the line end. Blanks at a
 * record's end are none where they delimit. */
static enum csv_record end_record(struct csv_fields *fields, const char *from,
                                  const char *to, struct csv_dialect dialect)
{
    if (to > from && to[-1] == '\r' && dialect.end == '\n')
        to--;
    if (dialect.blank && from == to && fields->n > 0)
        return CSV_RECORD_OK;
    return push(fields, from, to) ? CSV_RECORD_OK : CSV_RECORD_NO_MEMORY;
}

enum csv_record csv_record_next(struct csv_span text, size_t *at,
                                struct csv_dialect dialect, bool is_all,
                                struct csv_fields *fields)
{
    enum csv_state state = CSV_RECORD;
    size_t start = csv_skip_lines(text, *at, dialect);
    const char *field = text.at + start, *end = text.at + text.bytes;
    fields->n = 0;
    *at = start;
    for (const char *p = field; p < end; p++) {
        state = csv_step(state, (unsigned char)*p, dialect);
        if (state == CSV_RECORD) {
            *at = (size_t)(p + 1 - text.at);
            return end_record(fields, field, p, dialect);
        }
        if (state == CSV_FIELD) {
            bool is_empty = dialect.blank && field == p;
            if (!is_empty && !push(fields, field, p))
                return CSV_RECORD_NO_MEMORY;
            field = p + 1;
        }
    }
    /* A lone CR at the end is a blank line; so are blanks that delimit. */
    bool is_blank = fields->n == 0 && (field == end || state == CSV_COMMENT ||
                                       (end - field == 1 && *field == '\r'));
    if (!is_all || start == text.bytes || is_blank)
        return CSV_RECORD_NONE;
    if (state == CSV_QUOTED)
        return CSV_RECORD_OPEN;
    *at = text.bytes;
    return end_record(fields, field, end, dialect);
}
