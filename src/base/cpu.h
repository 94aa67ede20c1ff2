/* SPDX-License-Identifier: MIT */
/* What the processor can run. The first call runs cpuid, which takes
 * microseconds under a hypervisor; later calls use its answer. Any thread may
 * call it. */
#pragma once

#include <stdbool.h>

/* Instruction sets for which loops are compiled (src/meson.build). Each
 * includes all sets before it. */
enum cpu_set { CPU_BASE, CPU_AVX2, CPU_AVX512, CPU_AVX512VBMI2 };

bool cpu_runs(enum cpu_set set);
