/* SPDX-License-Identifier: MIT */
/* The bound of any run on a GPU: a file read by many threads into pinned
 * buffers and copied from there at once. Without CUDA, ring_start is false. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Whether there is a GPU. */
bool ring_start(void);

/* Seconds of a process that does nothing but make a context and end: what any
 * use of the GPU pays besides. */
double ring_start_up_once(void);

/* The median of several. */
double ring_start_up(void);

/* GB/s of the best of a few ring shapes with at most `threads` threads. */
double ring_rate(int fd, size_t bytes, int threads);
