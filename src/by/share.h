/* SPDX-License-Identifier: MIT */
/* Shares a loop between threads. */
#pragma once

#include <stddef.h>

typedef void share_fn(void *context, size_t first, size_t end);

/* Calls the function for parts of [0, n), as many as there are threads, and
 * waits for all; without more threads in the caller's. */
void share_out(unsigned threads, size_t n, share_fn *call, void *context);
