/* SPDX-License-Identifier: MIT */
/* What the parts of the CUDA backend share: errors, and memory of slots. */
#pragma once

#include <cuda_runtime_api.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

/* Of a lane. Text is decoded on one while another is reduced and a third is
 * filled. */
enum { CUDA_SLOTS = 2, CUDA_TEXT_SLOTS = 3 };

/* False, with "GPU: DOING: why", where the code is no success. */
bool cuda_check(cudaError_t code, const char *doing, struct error *e);

/* Pinned host memory. */
struct cuda_pinned {
    void *at;
    bool registered; /* ours, on huge pages */
};

bool cuda_pin(struct cuda_pinned *p, size_t bytes, struct error *e);
void cuda_unpin(struct cuda_pinned *p);

/* The next part of a block that is being cut, aligned to 256 bytes. */
void *cuda_cut(char **block, size_t bytes);
