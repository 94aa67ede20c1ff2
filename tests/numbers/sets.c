/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "reduce/cpu/accumulator.h"
#include "subjects.h"

extern const struct quick quick_base;
#ifdef HAVE_X86_LOOPS
extern const struct quick quick_avx2, quick_avx512;
#endif

static const struct quick *const sets[] = {
#ifdef HAVE_X86_LOOPS
    &quick_avx512, &quick_avx2,
#endif
    &quick_base};

/* Returns the quick functions with the names of the loops that run here. */
const struct quick *quick_sets(size_t i)
{
    const struct cpu_loops *loops = cpu_loops(i);
    for (size_t k = 0; loops && k < sizeof sets / sizeof sets[0]; k++) {
        if (strcmp(sets[k]->name, loops->name) == 0)
            return sets[k];
    }
    return NULL;
}
