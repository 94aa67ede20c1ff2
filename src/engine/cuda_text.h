/* SPDX-License-Identifier: MIT */
/*
 * The CUDA backend's way with text. The bytes are copied to the device as they
 * are and decoded there; when that is done, the host looks at what was left for
 * it, cell by cell, and has the columns reduced. A chunk that counting quotes
 * does not take apart, or with an error in it, is given to the CPU as a whole.
 */
#pragma once

#include <stdbool.h>

#include "base/error.h"
#include "engine/chunk.h"
#include "engine/job.h"

struct cuda_text;

/* The functions of a backend, see there. */
struct cuda_text *cuda_text_open(const struct job *job, struct error *e);
void *cuda_text_slot(struct cuda_text *t, unsigned slot);
bool cuda_text_submit(struct cuda_text *t, unsigned slot,
                      const struct chunk *chunk, struct error *e);
bool cuda_text_wait(struct cuda_text *t, unsigned slot, struct partial *out,
                    struct error *e);
void cuda_text_close(struct cuda_text *t);
