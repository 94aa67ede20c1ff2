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

bool csv_has_stray(enum csv_state state, const char *text,
                   const struct csv_scan *scan)
{
    return scan->stray[state == CSV_QUOTED] ||
           (state == CSV_PLAIN && text[0] == '"');
}

enum csv_state csv_advance(enum csv_state state, const char *text,
                           size_t bytes, unsigned char delimiter,
                           const struct csv_scan *scan)
{
    unsigned char last = (unsigned char)text[bytes - 1];
    if (csv_has_stray(state, text, scan)) {
        for (size_t i = 0; i < bytes; i++)
            state = csv_step(state, (unsigned char)text[i], delimiter);
        return state;
    }
    if ((state == CSV_QUOTED) != scan->odd)
        return CSV_QUOTED;
    return last == '\n'        ? CSV_RECORD
           : last == delimiter ? CSV_FIELD
           : last == '"'       ? CSV_CLOSED
                               : CSV_PLAIN;
}
