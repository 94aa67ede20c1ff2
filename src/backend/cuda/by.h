/* SPDX-License-Identifier: MIT */
/*
 * Groups by key of a context for text: the keys' dictionary and the bins, which
 * the context's slots share, and what the host does with both. A thread uses
 * one at a time.
 *
 * The device keeps what it adds in bins until the end, or until they must be
 * emptied; then the host adds it to the records of the keys. Chunks that are
 * left to the CPU go to other records. All are merged at the end.
 */
#pragma once

#include "backend/cuda/text_parts.h"

/* Bytes of device memory for the dictionary and the bins; 0 for a job without
 * keys. */
size_t cuda_by_bytes(const struct job *job);

/* `block` is so much memory, borrowed. `stream` clears it, and is idle on
 * return. */
struct cuda_by *cuda_by_open(const struct job *job, void *block,
                             cudaStream_t stream, struct error *e);
void cuda_by_close(struct cuda_by *by); /* may be NULL */

/* Whether some key had no room: what follows is better left to the CPU. */
bool cuda_by_is_full(const struct cuda_by *by);

/* Bytes of the slot's memory that work on rows by key needs on the device, and
 * its division, from `block` on. */
size_t cuda_by_slot_bytes(const struct context *t, size_t pitch);
void cuda_by_suit(struct context *t, struct text_slot *s, void *block);

/* Starts numbering the keys of a chunk of elements, in s->device_keys; whether
 * some has no room goes to s->device_odds[1]. */
cudaError_t cuda_by_find(const struct cuda_by *by, const struct text_slot *s);

/* After a chunk with keys that have no number: notes whether there is no room
 * for more. */
bool cuda_by_look(struct cuda_by *by, struct error *e);

/* Starts adding the slot's chunk. */
bool cuda_by_add(struct context *t, struct text_slot *s, struct error *e);

/* After that work: adds to records what the device does not add. */
bool cuda_by_take(struct context *t, struct text_slot *s, struct owner *owner,
                  struct error *e);

/* After the last chunk of all slots: adds all keys to those of the run. */
bool cuda_by_end(struct context *t, struct owner *owner, struct error *e);
