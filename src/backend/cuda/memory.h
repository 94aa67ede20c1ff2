/* SPDX-License-Identifier: MIT */
/* What the parts of the CUDA backend share: errors, and memory of slots. */
#pragma once

#include <cuda_runtime_api.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

/* Of a context. Text is decoded on one while another is reduced and a third is
 * filled. */
enum { CUDA_SLOTS = 2, CUDA_TEXT_SLOTS = 3 };

/* False, with "GPU: DOING: why", where the code is no success. */
bool cuda_check(cudaError_t code, const char *doing, struct error *e);

/* Start a copy on a stream; what is not pinned is read or written when they
 * return. */
bool cuda_to_device(void *to, const void *from, size_t bytes,
                    cudaStream_t stream, struct error *e);
bool cuda_to_host(void *to, const void *from, size_t bytes, cudaStream_t stream,
                  struct error *e);

/* As in a backend. */
void cuda_prepare(void);
bool cuda_probe(int gpu, struct error *e);
unsigned cuda_count(void);
double cuda_speed(int gpu);

/* Makes a device the calling thread's. The first to ask for it starts it, a
 * fifth of a second, and the others wait. */
bool cuda_ready(int gpu, struct error *e);

/* The next part of a block that is being cut, aligned to 256 bytes. */
void *cuda_cut(char **block, size_t bytes);
