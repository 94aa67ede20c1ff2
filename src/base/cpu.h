/* SPDX-License-Identifier: MIT */
/* The instruction sets that loops are compiled for, and which of them this
 * processor runs. The first call runs cpuid, which takes microseconds under a
 * hypervisor; later calls use its answer. */
#pragma once

#include <stdbool.h>

#include "base/error.h"

/* Each set includes all sets before it. src/meson.build has their flags. */
enum cpu_set { CPU_BASE, CPU_AVX2, CPU_AVX512, CPU_AVX512VBMI2, CPU_SETS_END };

/* Whether loops for the set may run. Any thread. */
bool cpu_runs(enum cpu_set set);

/* The name of the best set that may run: base, avx2, avx512 or avx512vbmi2. Any
 * thread. */
const char *cpu_name(void);

/* Loops better than the named set do not run from now on. NULL: all sets of the
 * processor run. Fails on a name that is not a set, or of a set that the
 * processor does not have. Call before other threads start. */
bool cpu_limit(const char *name, struct error *e);
