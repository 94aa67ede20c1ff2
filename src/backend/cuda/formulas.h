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
 * NULL without memory. The process owns the result and never frees it. */
struct cuda_formulas *cuda_formulas_start(const struct formulas *f, int gpu,
                                          struct error *e);

/* Waits until the kernel is compiled, and loads it. Its device must be the
 * thread's current one. */
bool cuda_formulas_ready(struct cuda_formulas *c, struct error *e);

/* Starts the kernel on n elements or records. formulas_kernel says what the
 * arguments are; the counts among them must be zeroed. */
bool cuda_formulas_launch(struct cuda_formulas *c, uint64_t n,
                          void *arguments[], cudaStream_t stream,
                          struct error *e);
