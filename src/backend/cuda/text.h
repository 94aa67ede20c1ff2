/* SPDX-License-Identifier: MIT */
/*
 * The CUDA backend for records of text. It copies the bytes as they are, and
 * the device decodes them. The host then reads the cells that the device has
 * listed, one by one, and starts the reductions of all columns. If counting
 * quotes does not find the records of a chunk, or the chunk has an error, the
 * CPU reduces the whole chunk.
 */
#pragma once

#include "engine/backend.h"

extern const struct context_kind cuda_text_contexts;
/* The contexts for elements with --keys. */
extern const struct context_kind cuda_by_contexts;

/* Why only the CPU can compute the job's expressions over records; NULL: a GPU
 * can. */
const char *text_formulas_left(const struct job *job);

/* `by_left` of the backend. */
const char *cuda_by_left(const struct job *job);
