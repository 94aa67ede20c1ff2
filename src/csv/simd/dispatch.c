/* SPDX-License-Identifier: MIT */
#include "csv/simd/loops.h"

#include <string.h>

#include "base/cpu.h"

#ifdef HAVE_X86_LOOPS
extern const struct csv_loops csv_loops_avx2, csv_loops_avx512,
    csv_loops_avx512vbmi2;
#endif
#ifdef HAVE_NEON_LOOPS
extern const struct csv_loops csv_loops_neon;
#endif

const struct csv_loops *csv_loops(size_t i)
{
    static const struct cpu_loops_of sets[] = {
#ifdef HAVE_X86_LOOPS
        {CPU_AVX512VBMI2, &csv_loops_avx512vbmi2},
        {CPU_AVX512, &csv_loops_avx512},
        {CPU_AVX2, &csv_loops_avx2},
#endif
#ifdef HAVE_NEON_LOOPS
        {CPU_NEON, &csv_loops_neon},
#endif
        {CPU_BASE, &csv_loops_base},
    };
    return cpu_choose(sets, sizeof sets / sizeof sets[0], i);
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

/* A scan does not see the byte before its piece, so csv_has_stray checks a
 * quote in the first byte. */
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

/* The state at the end of a text that has comments and no quote that counts:
 * csv_has_stray is true for text with both. Only the last line matters. */
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

enum csv_state csv_advance(enum csv_state state, const char *text, size_t bytes,
                           struct csv_dialect dialect,
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
