/* SPDX-License-Identifier: MIT */
/* Shares a loop between threads. */
#pragma once

#include <stddef.h>

typedef void share_fn(void *context, size_t first, size_t end);

/* Divides [0, n) into a part for each of up to 64 threads, calls the function
 * for each part and waits for all. The caller's thread is one of them, and also
 * does the parts for which no thread can be started. */
void share_out(unsigned threads, size_t n, share_fn *call, void *context);
