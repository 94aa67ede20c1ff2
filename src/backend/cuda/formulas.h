/* SPDX-License-Identifier: MIT */
/*
 * Kernels of expressions (formula/formula.h), compiled by NVRTC,
 * which is opened at run time. Each is compiled once, in a thread of its own
 * while the device starts. Any thread may call these functions.
 */
#pragma once

#include <cuda_runtime_api.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "formula/formula.h"

/* Why this process cannot compile kernels; NULL: it can. */
const char *cuda_formulas_missing(void);

struct cuda_formulas;

/* Starts to compile f->kernel for a device, unless that was started before.
 * map: NULL, or the name of an enum exact_map, EXACT_VALUE or EXACT_MAGNITUDE.
 * With a name, the kernel does not store values but adds them to *sums, which
 * are the sums of a struct gpu_result:
 *
 *   formula(const T *data, uint64_t n, uint64_t first, O *plain,
 *           struct gpu_sum (*sums)[3], struct formula_counts *counts)
 *
 * `plain` is then scratch memory for n values, rounded up to a multiple of
 * 4096; no more than 2^22 of them are used. NULL without memory. The process
 * owns the result and never frees it. */
struct cuda_formulas *cuda_formulas_start(const struct formulas *f,
                                          const char *map, int gpu,
                                          struct error *e);

/* Waits until the kernel is compiled, and loads it. Its device must be the
 * thread's current one. */
bool cuda_formulas_ready(struct cuda_formulas *c, struct error *e);

/* Starts the kernel on n elements or records. formulas_kernel says what the
 * arguments are; the counts among them must be zeroed. */
bool cuda_formulas_launch(struct cuda_formulas *c, uint64_t n,
                          void *arguments[], cudaStream_t stream,
                          struct error *e);
