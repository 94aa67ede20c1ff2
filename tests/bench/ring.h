/* SPDX-License-Identifier: MIT */
/* The bound of any run on a GPU: many threads read a file into pinned buffers
 * and copy it to the GPU while others read. Built without CUDA, ring_start
 * returns false. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Returns whether there is a GPU. Call it before the other functions. */
bool ring_start(void);

/* Returns the seconds of a process that only makes a CUDA context: the cost
 * that every use of the GPU adds. */
double ring_start_up_once(void);

/* Returns the median of five. */
double ring_start_up(void);

/* Returns the GB/s of the fastest of a few ring shapes with up to `threads`
 * threads. */
double ring_rate(int fd, size_t bytes, int threads);
