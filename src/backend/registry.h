/* SPDX-License-Identifier: MIT */
/* All backends. Plans, options and messages know them by this list alone. */
#pragma once

#include "engine/backend.h"

/* Ended by NULL. The first can always be used, and is the one that begins where
 * none is asked for. */
extern const struct backend *const backends[];

extern const struct backend backend_cpu;
/* Where there is no CUDA compiler, a row whose probe says so. */
extern const struct backend backend_cuda;
