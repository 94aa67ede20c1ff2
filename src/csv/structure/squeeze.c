/* SPDX-License-Identifier: MIT */
#include "csv/structure/squeeze.h"

#include <string.h>

struct squeeze {
    struct csv_dialect dialect;
    size_t joined; /* the field whose gaps are kept */
    enum csv_state state;
    bool has_content; /* the record has a byte that is not a blank */
    size_t field;     /* of that byte, from 0 */
    size_t gap;       /* blanks that followed that byte */
    bool keeps;       /* the gap before the last byte was kept as it is */
};

/* Reads the byte at p, which is part of a line end if line_end. Returns how
 * many bytes the squeezed text gets: none, or this byte and the gap before it.
 */
static size_t squeeze_byte(struct squeeze *s, const char *p, bool line_end)
{
    const unsigned char c = (unsigned char)*p;
    bool inside = s->state == CSV_QUOTED;
    size_t before = 0;
    s->state = csv_step(s->state, c, s->dialect);
    if (s->state == CSV_COMMENT && !line_end)
        return 0;
    if (!inside && csv_is_gap(s->dialect, c)) {
        s->gap += s->has_content;
        return 0;
    }
    if (s->gap > 0 && !line_end) {
        /* A quote opens only after the delimiter, which is a single blank. */
        s->keeps = s->field >= s->joined && s->state != CSV_QUOTED;
        before = s->keeps ? s->gap : 1;
        s->field++;
    }
    s->gap = 0;
    s->has_content = s->state != CSV_RECORD;
    s->field = s->has_content ? s->field : 0;
    return before + 1;
}

static bool is_line_end(const char *p, const char *end, struct csv_dialect d)
{
    return *p == (char)d.end ||
           (*p == '\r' && p + 1 < end && p[1] == (char)d.end);
}

size_t csv_squeeze(const char *text, size_t bytes, struct csv_dialect dialect,
                   size_t joined, char *to)
{
    struct squeeze s = {dialect, joined, CSV_RECORD, false, 0, 0, false};
    size_t n = 0;
    for (const char *p = text; p < text + bytes; p++) {
        size_t more =
            squeeze_byte(&s, p, is_line_end(p, text + bytes, dialect));
        if (more > 1 && s.keeps)
            memcpy(to + n, p + 1 - more, more - 1);
        else if (more > 1)
            to[n] = ' ';
        n += more;
        if (more > 0)
            to[n - 1] = *p;
    }
    return n;
}

size_t csv_unsqueeze(const char *text, size_t bytes, struct csv_dialect dialect,
                     size_t joined, size_t squeezed)
{
    struct squeeze s = {dialect, joined, CSV_RECORD, false, 0, 0, false};
    size_t n = 0;
    for (const char *p = text; p < text + bytes; p++) {
        n += squeeze_byte(&s, p, is_line_end(p, text + bytes, dialect));
        if (n > squeezed)
            return (size_t)(p - text);
    }
    return bytes;
}
