/* SPDX-License-Identifier: MIT */
/*
 * Memory and streams of closed contexts, kept for later contexts. The driver
 * makes and frees them under a lock, one context after the other: a millisecond
 * for each, 20 ms a dataset. What is left at the end is not freed: the process
 * ends faster without. Any thread.
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
    bool registered; /* host: ours, on huge pages; else the driver's */
    bool pinned;     /* host: it is ready */
};

/* Of at least so many bytes, on the device that is the thread's. */
bool cuda_take_device(struct cuda_block *b, int gpu, size_t bytes,
                      struct error *e);
void cuda_give_device(struct cuda_block *b);

/* Pinned memory, in two steps: the first needs no device, and is done while
 * another thread starts it. After it, the block must be given back. */
void cuda_prepare_pinned(struct cuda_block *b, int gpu, size_t bytes);
bool cuda_pin(struct cuda_block *b, struct error *e);
void cuda_give_pinned(struct cuda_block *b);

/* One that does not block others; nothing must be under way when it is given.
 */
bool cuda_take_stream(cudaStream_t *stream, int gpu, struct error *e);
void cuda_give_stream(cudaStream_t stream, int gpu);
