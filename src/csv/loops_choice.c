/* SPDX-License-Identifier: MIT */
#include "csv/loops.h"

#include <string.h>

#include "reduce/cpu/work.h"

extern const struct csv_loops csv_loops_avx2, csv_loops_avx512;

/* The sets are those of the monoids' loops, with the same flags. */
const struct csv_loops *csv_loops(size_t i)
{
    static const struct csv_loops *const sets[] = {
#ifdef HAVE_X86_LOOPS
        &csv_loops_avx512, &csv_loops_avx2,
#endif
        &csv_loops_base};
    const struct cpu_loops *like = cpu_loops(i);
    for (size_t j = 0; like && j < sizeof sets / sizeof sets[0]; j++) {
        if (strcmp(sets[j]->name, like->name) == 0)
            return sets[j];
    }
    return NULL;
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
