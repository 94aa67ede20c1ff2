/* SPDX-License-Identifier: MIT */
#include "csv/structure/record.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

void csv_fields_free(struct csv_fields *fields)
{
    free(fields->at);
    *fields = (struct csv_fields){.at = NULL};
}

uint64_t csv_lines(const char *from, const char *to, struct csv_dialect dialect)
{
    uint64_t lines = 0;
    for (; from < to; from++)
        lines += *from == (char)dialect.end;
    return lines;
}

/* Offset after the line at `at` if it is blank or a comment; else `at`. */
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

/* Whether only blanks are between `at` and the end of the record. */
static bool is_blank_to_end(struct csv_span text, size_t at,
                            struct csv_dialect dialect)
{
    while (at < text.bytes && csv_is_gap(dialect, (unsigned char)text.at[at]))
        at++;
    return at == text.bytes || text.at[at] == (char)dialect.end;
}

bool csv_walk_next(struct csv_walk *w, struct csv_span *field)
{
    const struct csv_span text = w->text;
    const struct csv_dialect dialect = w->dialect;
    enum csv_state state = w->state;
    size_t at = w->at, start = at, end = text.bytes;
    if (w->is_done)
        return false;
    bool is_open = true;
    while (is_open && at < text.bytes) {
        state = csv_step(state, (unsigned char)text.at[at++], dialect);
        is_open = state > CSV_FIELD;
        end = is_open ? end : at - 1;
        if (dialect.blank && state == CSV_FIELD && end == start) {
            start = at;
            end = text.bytes;
            is_open = true;
        }
    }
    w->at = at;
    w->state = state;
    w->is_open = is_open;
    w->is_done = is_open || state == CSV_RECORD;
    /* The last field ends before a CR that belongs to the line end. Where
     * blanks delimit, blanks at the end of a record do not start another field,
     * and may separate the CR from the LF. */
    if (end > start && text.at[end - 1] == '\r' && dialect.end == '\n' &&
        (w->is_done || (dialect.blank && is_blank_to_end(text, at, dialect))))
        end--;
    *field = (struct csv_span){text.at + start, end - start};
    bool is_field = !w->is_done || !dialect.blank || end > start || w->n == 0;
    w->n += is_field;
    return is_field;
}

static bool push(struct csv_fields *fields, struct csv_span field)
{
    size_t n = fields->n++;
    if (fields->most && n >= fields->most)
        return true;
    if (!array_grow(&fields->at, &fields->room, n, sizeof field))
        return false;
    fields->at[n] = field;
    return true;
}

enum csv_record csv_record_next(struct csv_span text, size_t *at,
                                struct csv_dialect dialect, bool is_all,
                                struct csv_fields *fields)
{
    size_t start = csv_skip_lines(text, *at, dialect);
    struct csv_walk w = {.text = {text.at + start, text.bytes - start},
                         .dialect = dialect};
    struct csv_span field;
    fields->n = 0;
    *at = start;
    while (csv_walk_next(&w, &field)) {
        /* A lone CR at the end of the text is a blank line, and so are blanks
         * alone where blanks delimit. */
        bool is_blank =
            w.n == 1 && (field.bytes == 0 || w.state == CSV_COMMENT);
        if (w.is_open && (!is_all || is_blank))
            return CSV_RECORD_NONE;
        if (w.is_open && w.state == CSV_QUOTED)
            return CSV_RECORD_OPEN;
        if (!push(fields, field))
            return CSV_RECORD_NO_MEMORY;
    }
    if (w.is_open && !is_all)
        return CSV_RECORD_NONE;
    *at = start + w.at;
    fields->text = (struct csv_span){w.text.at, w.at};
    return CSV_RECORD_OK;
}
