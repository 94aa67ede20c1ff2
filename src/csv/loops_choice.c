/* SPDX-License-Identifier: MIT */
#include "csv/loops.h"

#include <string.h>

#include "reduce/cpu/work.h"

#ifdef HAVE_X86_LOOPS
extern const struct csv_loops csv_loops_avx2, csv_loops_avx512,
    csv_loops_avx512vbmi2;

/* Whether the machine runs the monoids' loops of that name: the flags are the
 * same. */
static bool runs(const char *name)
{
    const struct cpu_loops *loops;
    for (size_t i = 0; (loops = cpu_loops(i)); i++) {
        if (strcmp(loops->name, name) == 0)
            return true;
    }
    return false;
}
#endif

const struct csv_loops *csv_loops(size_t i)
{
    const struct csv_loops *list[5];
    size_t n = 0;
#ifdef HAVE_X86_LOOPS
    if (runs("avx512") && __builtin_cpu_supports("avx512vbmi2") &&
        __builtin_cpu_supports("avx512vbmi") &&
        __builtin_cpu_supports("avx512cd"))
        list[n++] = &csv_loops_avx512vbmi2;
    if (runs("avx512"))
        list[n++] = &csv_loops_avx512;
    if (runs("avx2"))
        list[n++] = &csv_loops_avx2;
#endif
    list[n++] = &csv_loops_base;
    return i < n ? list[i] : NULL;
}

bool csv_has_comment(const char *text, size_t bytes, struct csv_dialect dialect)
{
    const char *p = text, *end = text + bytes;
    if (!dialect.comments)
        return false;
    while ((p = memchr(p, dialect.comment, (size_t)(end - p)))) {
        if (p == text || p[-1] == (char)dialect.end)
            return true;
        p++;
    }
    return false;
}

/* What is before a quote decides whether it opens a field. */
bool csv_has_stray(enum csv_state state, const char *text, size_t bytes,
                   struct csv_dialect dialect, const struct csv_scan *scan)
{
    if (!dialect.quotes)
        return false;
    return scan->stray[state == CSV_QUOTED] ||
           (state == CSV_PLAIN && text[0] == (char)dialect.quote) ||
           ((state == CSV_COMMENT || csv_has_comment(text, bytes, dialect)) &&
            memchr(text, dialect.quote, bytes));
}

/* The state at the end of text without quotes that matter, outside them. */
static enum csv_state last_state(enum csv_state state, const char *text,
                                 size_t bytes, struct csv_dialect dialect)
{
    const char *line = text + bytes;
    while (line > text && line[-1] != (char)dialect.end)
        line--;
    if (line > text)
        state = CSV_RECORD;
    for (; line < text + bytes; line++) {
        state = csv_step(state, (unsigned char)*line, dialect);
        if (state == CSV_COMMENT)
            break;
    }
    return state;
}

enum csv_state csv_advance(enum csv_state state, const char *text,
                           size_t bytes, struct csv_dialect dialect,
                           const struct csv_scan *scan)
{
    unsigned char last = (unsigned char)text[bytes - 1];
    if (csv_has_stray(state, text, bytes, dialect, scan)) {
        for (size_t i = 0; i < bytes; i++)
            state = csv_step(state, (unsigned char)text[i], dialect);
        return state;
    }
    if ((state == CSV_QUOTED) != scan->odd)
        return CSV_QUOTED;
    if (last == dialect.end)
        return CSV_RECORD;
    if (state == CSV_COMMENT || csv_has_comment(text, bytes, dialect))
        return last_state(state, text, bytes, dialect);
    if (last == dialect.delimiter || csv_is_gap(dialect, last))
        return CSV_FIELD;
    return dialect.quotes && last == dialect.quote ? CSV_CLOSED : CSV_PLAIN;
}
