/* SPDX-License-Identifier: MIT */
/*
 * The CUDA backend's way with text. The bytes are copied to the device as they
 * are and decoded there; when that is done, the host looks at what was left for
 * it, cell by cell, and has the columns reduced. A chunk that counting quotes
 * does not take apart, or with an error in it, is given to the CPU as a whole.
 */
#pragma once

#include "engine/backend.h"

/* The functions of a lane_kind, see there. */
struct lane *cuda_text_open(const struct job *job, struct error *e);
void *cuda_text_slot(struct lane *lane, unsigned slot);
bool cuda_text_submit(struct lane *lane, unsigned slot,
                      const struct chunk *chunk, struct error *e);
bool cuda_text_wait(struct lane *lane, unsigned slot, struct owner *owner,
                    struct error *e);
bool cuda_text_collect(struct lane *lane, unsigned slot, struct owner *owner,
                       struct error *e);
void cuda_text_close(struct lane *lane);
