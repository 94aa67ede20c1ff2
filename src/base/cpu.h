/* SPDX-License-Identifier: MIT */
/* What the processor can run. It is asked once: under a hypervisor an
 * instruction cpuid takes microseconds. Any thread. */
#pragma once

#include <stdbool.h>

/* Instruction sets for which loops are compiled (src/meson.build), each with
 * all that is before it. */
enum cpu_set { CPU_BASE, CPU_AVX2, CPU_AVX512, CPU_AVX512VBMI2 };

bool cpu_runs(enum cpu_set set);

/* Whether it multiplies without carries, as a CRC is folded. */
bool cpu_has_clmul(void);
