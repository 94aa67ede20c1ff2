/* SPDX-License-Identifier: MIT */
/*
 * A pool of memory and streams: closed contexts give theirs to it, later
 * contexts take them. Without the pool, the driver would allocate and free
 * under a lock, one context after the other, a millisecond each: 20 ms a
 * dataset. The pool is freed only if a device has no memory for a new block,
 * because the process ends faster that way. Any thread may call these
 * functions.
 */
#pragma once

#include <cuda_runtime_api.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

/* Memory of a device, or of the host, pinned for it. */
struct cuda_block {
    void *at;
    size_t bytes;
    int gpu;
    /* host: aligned_alloc's and registered; else cudaHostAlloc's */
    bool registered;
    bool pinned; /* host: ready for copies */
};

/* Takes at least `bytes` of memory on device `gpu`, which must be the thread's
 * current one. The caller gives it back. */
bool cuda_acquire_device(struct cuda_block *b, int gpu, size_t bytes,
                         struct error *e);
void cuda_release_device(struct cuda_block *b);

/* Pinned memory, in two steps. cuda_prepare_pinned needs no device, so that it
 * can run while another thread starts one; then cuda_pin pins the block. After
 * the first step the caller must give the block back, pinned or not. */
void cuda_prepare_pinned(struct cuda_block *b, int gpu, size_t bytes);
bool cuda_pin(struct cuda_block *b, struct error *e);
void cuda_release_pinned(struct cuda_block *b);

/* A stream that does not block others, or NULL. It must have no work when it is
 * given back. */
bool cuda_acquire_stream(cudaStream_t *stream, int gpu, struct error *e);
void cuda_release_stream(cudaStream_t stream, int gpu);
