/* SPDX-License-Identifier: MIT */
#include "csv/structure/squeeze.h"

struct squeeze {
    struct csv_dialect dialect;
    enum csv_state state;
    bool has_content; /* the record has a byte that is not a blank */
    bool gap;         /* blanks followed that byte */
};

/* Reads a byte of the text, and writes the bytes that result, at most two, to
 * `out`. Returns how many. line_end: the byte is part of a line end. */
static unsigned squeeze_byte(struct squeeze *s, char c, bool line_end,
                             char out[2])
{
    bool inside = s->state == CSV_QUOTED;
    unsigned n = 0;
    s->state = csv_step(s->state, (unsigned char)c, s->dialect);
    if (s->state == CSV_COMMENT && !line_end)
        return 0;
    if (!inside && csv_is_gap(s->dialect, (unsigned char)c)) {
        s->gap = s->has_content;
        return 0;
    }
    if (s->gap && !line_end)
        out[n++] = ' ';
    out[n++] = c;
    s->gap = false;
    s->has_content = s->state != CSV_RECORD;
    return n;
}

static bool is_line_end(const char *p, const char *end, struct csv_dialect d)
{
    return *p == (char)d.end ||
           (*p == '\r' && p + 1 < end && p[1] == (char)d.end);
}

size_t csv_squeeze(const char *text, size_t bytes, struct csv_dialect dialect,
                   char *to)
{
    struct squeeze s = {dialect, CSV_RECORD, false, false};
    size_t n = 0;
    for (const char *p = text; p < text + bytes; p++) {
        char out[2];
        unsigned more =
            squeeze_byte(&s, *p, is_line_end(p, text + bytes, dialect), out);
        for (unsigned i = 0; i < more; i++)
            to[n++] = out[i];
    }
    return n;
}

size_t csv_unsqueeze(const char *text, size_t bytes, struct csv_dialect dialect,
                     size_t squeezed)
{
    struct squeeze s = {dialect, CSV_RECORD, false, false};
    size_t n = 0;
    for (const char *p = text; p < text + bytes; p++) {
        char out[2];
        n += squeeze_byte(&s, *p, is_line_end(p, text + bytes, dialect), out);
        if (n > squeezed)
            return (size_t)(p - text);
    }
    return bytes;
}
