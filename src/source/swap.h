/* SPDX-License-Identifier: MIT */
/* Converts big-endian elements to little-endian. */
#pragma once

#include <stddef.h>

/* Reverses the bytes of each element at p: `bytes` bytes in all, elements of
 * `size` 1, 2, 4 or 8. */
void swap_elements(void *p, size_t bytes, size_t size);
