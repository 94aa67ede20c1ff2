/* SPDX-License-Identifier: MIT */
/*
 * The CUDA backend for records of text. It copies the bytes as they are, and
 * the device decodes them. The host then reads the cells that the device has
 * listed, one by one, and starts the reductions of all columns. If counting
 * quotes does not divide a chunk, or there is an error in it, the CPU reduces
 * the whole chunk.
 */
#pragma once

#include "engine/backend.h"

extern const struct context_kind cuda_text_contexts;
/* Of elements with --keys. */
extern const struct context_kind cuda_by_contexts;

/* Why expressions over records are the CPU's; NULL: they are not. */
const char *text_formulas_left(const struct job *job);

/* `by_left` of the backend. */
const char *cuda_by_left(const struct job *job);
