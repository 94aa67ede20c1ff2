/* SPDX-License-Identifier: MIT */
/*
 * Groups by key in a context for text: the dictionary of keys and the bins,
 * which the context's slots share, and the host's work on both. One thread at a
 * time.
 *
 * The device adds values to bins. At the end, or when the bins must be emptied,
 * the host adds the bins to the records of the keys. The CPU adds the chunks
 * that it reduces to records of its own. All records are merged at the end.
 */
#pragma once

#include "backend/cuda/text_parts.h"

/* Bytes of device memory for the dictionary and the bins; 0 for a job without
 * keys. */
size_t cuda_by_bytes(const struct job *job);

/* `block` is device memory of cuda_by_bytes, borrowed. It is cleared on
 * `stream`, which is idle on return. */
struct cuda_by *cuda_by_open(const struct job *job, void *block,
                             cudaStream_t stream, struct error *e);
void cuda_by_close(struct cuda_by *by); /* may be NULL */

/* Whether the dictionary is full. Then the CPU should reduce the chunks that
 * follow. */
bool cuda_by_is_full(const struct cuda_by *by);

/* The bytes of device memory that a slot needs for its rows' keys; and the
 * division of that memory, which starts at `block`. */
size_t cuda_by_slot_bytes(const struct context *t, size_t pitch);
void cuda_by_suit(struct context *t, struct text_slot *s, void *block);

/* Starts to find the numbers of the keys in s->device_keys, those of a chunk of
 * elements. The kernel sets s->device_odds[1] if the dictionary has no room for
 * one of them. */
cudaError_t cuda_by_find(const struct cuda_by *by, const struct text_slot *s);

/* Call after a chunk in which some key got no number. Notes whether the
 * dictionary is full. */
bool cuda_by_look(struct cuda_by *by, struct error *e);

/* Starts to add the slot's chunk to the bins. */
bool cuda_by_add(struct context *t, struct text_slot *s, struct error *e);

/* Call when that work is done. Adds the odd values, which the device does not
 * add, to records. */
bool cuda_by_take(struct context *t, struct text_slot *s, struct owner *owner,
                  struct error *e);

/* Call after the last chunk of all slots. Adds all keys to those of the run. */
bool cuda_by_end(struct context *t, struct owner *owner, struct error *e);
