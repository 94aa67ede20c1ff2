/* SPDX-License-Identifier: MIT */
/* The instruction sets that loops are compiled for, and which of them this
 * processor runs. The first call runs cpuid, which takes microseconds under a
 * hypervisor; later calls use its answer. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

/* Each set includes all sets before it, but NEON, of aarch64, is in none.
 * src/meson.build has their flags. */
enum cpu_set {
    CPU_BASE,
    CPU_NEON,
    CPU_AVX2,
    CPU_AVX512,
    CPU_AVX512VBMI2,
    CPU_SETS_END
};

/* Whether loops for the set may run. Any thread. */
bool cpu_runs(enum cpu_set set);

/* Loops compiled for a set. */
struct cpu_loops_of {
    enum cpu_set set;
    const void *loops;
};

/* The i-th of the n loops whose set may run; NULL after the last. Any thread.
 */
const void *cpu_choose(const struct cpu_loops_of *from, size_t n, size_t i);

/* The name of the best set that may run: base, neon, avx2, avx512 or
 * avx512vbmi2. Any thread. */
const char *cpu_name(void);

/* From now on, loops use the named set at most. NULL lifts the limit. Fails if
 * the name is unknown or the processor lacks the set. Call before other threads
 * start. */
bool cpu_limit(const char *name, struct error *e);
