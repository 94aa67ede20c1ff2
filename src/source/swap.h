/* SPDX-License-Identifier: MIT */
/* Big-endian elements made little-endian. */
#pragma once

#include <stddef.h>

/* Reverses the bytes of each of the elements of 1, 2, 4 or 8 bytes at p. */
void swap_elements(void *p, size_t bytes, size_t size);
