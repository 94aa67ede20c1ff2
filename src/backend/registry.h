/* SPDX-License-Identifier: MIT */
/* The list of all backends. Plans, options and messages find backends only
 * here. */
#pragma once

#include <stddef.h>

#include "engine/backend.h"

/* Ends with NULL. The first one is always available; a run begins with it
 * unless the user asks for another. */
extern const struct backend *const backends[];

extern const struct backend backend_cpu;
/* In a build without a CUDA compiler, its probe fails and says so. */
extern const struct backend backend_cuda;

/* The bit of a backend in a set of backends: that of its place in the list. */
static inline unsigned backend_bit(const struct backend *backend)
{
    unsigned bit = 1;
    for (size_t i = 0; backends[i] && backends[i] != backend; i++)
        bit <<= 1;
    return bit;
}
