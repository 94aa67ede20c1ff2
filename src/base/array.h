/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Makes room for one more than n elements of `size` bytes in an array of
 * malloc, which has room for *room. `array` is the address of the pointer to
 * it; NULL is an array without room. False without memory: the array then stays
 * as it is. */
bool array_grow(void *array, size_t *room, size_t n, size_t size);
