/* SPDX-License-Identifier: MIT */
/* What the files of the CUDA backend share: errors, copies, devices, and
 * dividing memory. */
#pragma once

#include <cuda_runtime_api.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

/* Slots of a context. In a context of text, one slot is decoded while another
 * is reduced and a third is filled. */
enum { CUDA_SLOTS = 2, CUDA_TEXT_SLOTS = 3 };

/* Returns false with *e = "GPU: DOING: reason" unless the code is cudaSuccess.
 * Says in *e whether the reason is want of memory. */
bool cuda_check(cudaError_t code, const char *doing, struct error *e);

/* Each starts a copy on a stream. Pinned host memory must stay valid until the
 * stream has done the copy. Other host memory has been read or written on
 * return. */
bool cuda_to_device(void *to, const void *from, size_t bytes,
                    cudaStream_t stream, struct error *e);
bool cuda_to_host(void *to, const void *from, size_t bytes, cudaStream_t stream,
                  struct error *e);

/* Members of backend_cuda; see struct backend. */
void cuda_prepare(void);
bool cuda_probe(int gpu, struct error *e);
unsigned cuda_count(void);
double cuda_speed(int gpu);
bool cuda_is_coherent(int gpu);

/* Makes a device the calling thread's current one. The first call for a device
 * starts it, which takes 0.2 s; calls of other threads wait meanwhile. */
bool cuda_ready(int gpu, struct error *e);

/* Returns the next part of a block that is being divided, aligned to 256 bytes,
 * and moves *block past it. */
void *cuda_cut(char **block, size_t bytes);
